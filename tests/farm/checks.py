"""What is compared before and after a kill: files, the database, processes."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil

from graphzsl.database.client import Database
from tests.database.state import state

#: The environment variable by which a round's processes are known.
MARK = "GRAPHZSL_FARM"
#: Keys of JSON files that hold times.
_TIMES = frozenset({"created_at", "loaded_at", "seconds", "elapsed", "started_at"})


def files(path: Path) -> dict[str, str]:
    """The names below a path, or its own, with digests of what is in them; empty where nothing is.
    Times do not count. Hidden files, which writers fill before they take their names, do not
    either."""
    if path.is_file():
        return {"": _digest(path)}
    return {
        str(each.relative_to(path)): _digest(each)
        for each in sorted(path.rglob("*"))
        if each.is_file() and not any(part.startswith(".") for part in each.relative_to(path).parts)
    }


def _digest(path: Path) -> str:
    content = path.read_bytes()
    if path.suffix == ".json":
        with suppress(ValueError):  # half of a file is compared as it is
            content = json.dumps(_timeless(json.loads(content)), sort_keys=True).encode()
    return hashlib.sha256(content).hexdigest()[:16]


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(item) for key, item in value.items() if key not in _TIMES}
    return [_timeless(item) for item in value] if isinstance(value, list) else value


def names(folder: Path) -> set[str]:
    """Everything in a folder, hidden files too."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def held(database: Database) -> list[str]:
    """Every node and edge with its properties, but for times."""
    times = re.compile(r"'(created_at|loaded_at)': '[^']*'")
    return sorted(times.sub(r"'\1': ''", row) for row in state(database))


def is_loading(rows: list[str]) -> bool:
    """Whether a database says of itself that it holds a part."""
    return any("'status': 'loading'" in row for row in rows)


def marked(mark: str) -> Iterator[psutil.Process]:
    """The processes of a round that still live: it gave its commands the mark, and they theirs."""
    for process in psutil.process_iter(["status"]):
        with suppress(psutil.Error, OSError):
            is_ours = process.environ().get(MARK) == mark
            if is_ours and process.status() != psutil.STATUS_ZOMBIE:
                yield process

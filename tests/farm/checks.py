"""What is compared before and after a kill: files, the database, processes."""

from __future__ import annotations

import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import psutil

from graphzsl.common import sha256

#: The environment variable by which a round's processes are known.
MARK = "GRAPHZSL_FARM"
#: What reading half of a file ends in.
_HALF = (ValueError, KeyError, EOFError, OSError, zipfile.BadZipFile, zlib.error)
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
    with suppress(*_HALF):  # half of a file is compared as it is
        if path.suffix == ".json":
            content = _sorted(_own_files(path, json.loads(content)))
        if path.suffix == ".npz":
            with np.load(path) as arrays:
                content = b"".join(_array(name, arrays[name]) for name in sorted(arrays))
        if path.suffix == ".safetensors":
            size = 8 + int.from_bytes(content[:8], "little")
            header = json.loads(content[8:size])
            about = {key: _sorted(json.loads(text)) for key, text in header["__metadata__"].items()}
            content = _sorted({**header, "__metadata__": str(sorted(about.items()))})
            content += path.read_bytes()[size:]
    return hashlib.sha256(content).hexdigest()[:16]


def _array(name: str, array: np.ndarray) -> bytes:
    """An array of an archive; one text of JSON without its times."""
    if array.dtype.kind == "U" and array.ndim == 0 and str(array).startswith("{"):
        return name.encode() + _sorted(json.loads(str(array)))
    return f"{name}{array.dtype}{array.shape}".encode() + array.tobytes()


def _sorted(value: Any) -> bytes:
    return json.dumps(_timeless(value), sort_keys=True).encode()


def _own_files(path: Path, document: Any) -> Any:
    """A manifest with, for each checksum in it, whether that is the file's: files that hold times
    have another every time."""
    listed = document.get("files") if isinstance(document, dict) else None
    if not isinstance(listed, dict):
        return document
    found = {
        name: (path.parent / name).is_file() and sha256(path.parent / name) == digest
        for name, digest in listed.items()
    }
    return {**document, "files": found}


def _timeless(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _timeless(item) for key, item in value.items() if key not in _TIMES}
    return [_timeless(item) for item in value] if isinstance(value, list) else value


def names(folder: Path) -> set[str]:
    """Everything in a folder, hidden files too."""
    return {str(path.relative_to(folder)) for path in folder.rglob("*")}


def names_around(home: Path, cache: Path) -> set[str]:
    """Everything in the folders of server and cache but for what Neo4j itself keeps, and locks."""
    neo4js = ("neo4j/data/", "neo4j/logs/", "neo4j/run/")
    own = {f"home/{name}" for name in names(home) if not name.startswith(neo4js)}
    kept = {f"cache/{path.name}" for path in cache.glob("*")}
    return {name for name in own | kept if not name.endswith(".lock")}


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

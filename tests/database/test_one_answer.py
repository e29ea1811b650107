"""One text means one class at the doors of a database, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.database import Database, load_class_set, members, resolve_wnid
from tests.names.inputs import MEANT


def _loaded(database: Database, path: Path) -> str | None:
    load_class_set(database, "one-answer", path, replace=True)
    return members(database, "one-answer")[0]


def _asked(database: Database, path: Path) -> str | None:
    return resolve_wnid(database, path.read_text().strip())


DOORS: dict[str, Callable[[Database, Path], str | None]] = {
    "load class-set": _loaded,
    "query -p": _asked,
}


@pytest.mark.parametrize("door", DOORS)
def test_a_text_means_one_class(door: str, full_database: Database, tmp_path: Path) -> None:
    path, answers = tmp_path / "one.txt", {}
    for text in MEANT:
        path.write_text(f"{text}\n")
        try:
            answers[text] = DOORS[door](full_database, path)
        except DataError:
            answers[text] = None
    assert answers == MEANT

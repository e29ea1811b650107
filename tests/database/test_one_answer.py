"""One text means one class at the doors of a database, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from graphzsl.analysis import check_leakage, classes_to_check, meant_classes
from graphzsl.common import DataError
from graphzsl.database import Database, load_class_set, members, resolve_wnid
from graphzsl.database.names import DatabaseVocabulary
from tests.names.inputs import MEANT


def _loaded(database: Database, path: Path) -> str | None:
    load_class_set(database, "one-answer", path, replace=True)
    return members(database, "one-answer")[0]


def _leaking(database: Database, path: Path) -> str | None:
    classes = classes_to_check(database, str(path))
    (wnids,) = meant_classes(DatabaseVocabulary(database), classes).values()
    return wnids[0] if len(wnids) == 1 else None


def _asked(database: Database, path: Path) -> str | None:
    return resolve_wnid(database, path.read_text().strip())


DOORS: dict[str, Callable[[Database, Path], str | None]] = {
    "load class-set": _loaded,
    "split leakage": _leaking,
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


def test_leakage_has_the_row_of_that_class(full_database: Database, tmp_path: Path) -> None:
    """The rows of one text take seconds: they read the hierarchy."""
    (tmp_path / "one.txt").write_text("dog\n")
    rows = check_leakage(full_database, classes_to_check(full_database, str(tmp_path / "one.txt")))
    assert [row["wnid"] for row in rows] == [MEANT["dog"]]

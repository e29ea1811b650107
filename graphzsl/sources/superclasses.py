"""Published superclasses and their classes: tables with one row per class of a superclass."""

from __future__ import annotations

import csv
from dataclasses import dataclass
from pathlib import Path

from graphzsl.errors import DataError
from graphzsl.files import read_lines
from graphzsl.sources.published import published

#: The columns of a table; ``name`` and ``part`` may be missing.
_NEEDED = ("superclass", "wnid")


@dataclass(frozen=True)
class Member:
    """A class of a published superclass.

    ``shape`` is the benchmark (living17), ``superclass`` a wnid, or the authors' own name of a node
    that they added; ``part`` is the side that the class was drawn for, empty where for none (``-``
    in the file).
    """

    shape: str
    superclass: str
    name: str
    wnid: str
    part: str


def read_superclasses(path: Path) -> list[Member]:
    """All rows of a tab-separated table with a header. DataError names file and line of a row with
    another number of cells, and a column that is missing."""
    lines = read_lines(path)
    rows = list(csv.reader((line for _, line in lines), delimiter="\t"))
    head = rows[0] if rows else []
    missing = [column for column in _NEEDED if column not in head]
    if missing:
        raise DataError(f"{path} has no column {missing[0]}.")
    found = []
    for (number, _), row in zip(lines[1:], rows[1:], strict=True):
        if len(row) != len(head):
            raise DataError(f"{path}:{number}: expected {len(head)} cells, got {len(row)}.")
        cells = dict(zip(head, row, strict=True))
        found.append(
            Member(
                cells.get("shape", ""),
                cells["superclass"],
                cells.get("name", ""),
                cells["wnid"],
                cells.get("part", cells.get("set", "")).strip("-"),
            )
        )
    return found


def breeds(shape: str) -> list[Member]:
    """The published superclasses of entity13, entity30, living17 or nonliving26; empty for another
    shape."""
    rows = read_superclasses(published()["breeds-superclasses"].path)
    return [row for row in rows if row.shape == shape]


def tiered_imagenet() -> list[Member]:
    """The 34 published superclasses of tieredImageNet; ``part`` is train, val or test."""
    return read_superclasses(published()["tiered-imagenet-superclasses"].path)

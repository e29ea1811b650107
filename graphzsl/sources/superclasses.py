"""Published superclasses and their classes: tables with one row per class of a superclass."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graphzsl.sources.named_columns import named_rows
from graphzsl.sources.published import published


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
    """All rows of a table with a header; DataError names file and line of a wrong one."""
    rows = named_rows(path, ("superclass", "wnid"), ("shape", "name", "part"), {"part": ("set",)})
    return [
        Member(
            row.get("shape", ""),
            row["superclass"],
            row.get("name", ""),
            row["wnid"],
            row.get("part", "").strip("-"),
        )
        for _, row in rows
    ]


def breeds(shape: str) -> list[Member]:
    """The published superclasses of entity13, entity30, living17 or nonliving26; empty for another
    shape."""
    rows = read_superclasses(published()["breeds-superclasses"].path)
    return [row for row in rows if row.shape == shape]


def tiered_imagenet() -> list[Member]:
    """The 34 published superclasses of tieredImageNet; ``part`` is train, val or test."""
    return read_superclasses(published()["tiered-imagenet-superclasses"].path)

"""Splits as stored class sets with their provenance: store, load, write to a file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphzsl.database.client import Database
from graphzsl.database.hierarchy import (
    members,
)
from graphzsl.database.ingest import put_class_set, refuse_other_kind
from graphzsl.database.library import query
from graphzsl.errors import SplitError
from graphzsl.files import checked_suffix, now, write_text

#: The literature's names count one hop too many (Hascoet et al. 2019, appendix A); accepted only
#: through this table.
LITERATURE_NAMES = {"2-hops": "hops-1", "3-hops": "hops-2"}


@dataclass(frozen=True)
class Split:
    """A class set that knows its training classes, universe, hierarchy and query."""

    name: str
    wnids: list[str]
    train: str
    universe: str
    hierarchy: str
    max_hops: int | None = None  #: None: the distance to the training classes does not matter
    exact: bool = False
    disjoint: bool = (
        False  #: no class is above or below another, nor above or below a training class
    )


def store_split(database: Database, split: Split, provenance: dict[str, Any]) -> None:
    """Store a split as a class set that knows where it comes from, replacing one of the same name
    that is a split too.

    SplitError for a name of the literature that counts one hop too many, for the name of a list
    (splits never replace lists), and for a split without any class, which would be unsound.
    """
    if split.name in LITERATURE_NAMES:
        raise SplitError(
            f"{split.name!r} is a name of the literature that counts one hop too many. Use"
            f" {LITERATURE_NAMES[split.name]!r}."
        )
    refuse_other_kind(database, split.name, "split")
    if not split.wnids:
        raise SplitError(
            f"The split {split.name!r} has no class, so it is not stored: no class of"
            f" {split.universe} outside {split.train} is within its distance and rules."
        )
    own = {
        name: getattr(split, name)
        for name in ("train", "universe", "hierarchy", "exact", "disjoint")
    }
    put_class_set(
        database,
        split.name,
        split.wnids,
        {"kind": "split", **own, **provenance, "created_at": now()},
    )


def resolve_name(name: str) -> str:
    """The true name of a split; the literature's ``2-hops`` and ``3-hops`` are aliases of
    ``hops-1`` and ``hops-2``."""
    return LITERATURE_NAMES.get(name, name)


def load_split(database: Database, name: str) -> Split:
    """A stored split; SplitError when the name is unknown or names a plain list."""
    name = resolve_name(name)
    wnids = members(database, name)
    facts = split_facts(database, name)
    if facts.get("kind") != "split":
        raise SplitError(
            f"{name!r} is a list of classes, not a split: it knows no training classes."
        )
    return Split(
        name,
        wnids,
        facts["train"],
        facts["universe"],
        facts["hierarchy"],
        facts.get("max_hops"),
        facts.get("exact", False),
        facts.get("disjoint", facts.get("no_overlap", False)),
    )


def export_split(database: Database, name: str, path: Path) -> int:
    """One wnid per line, in the set's order, in a ``.txt`` file. Returns the number of classes."""
    checked_suffix(path, (".txt",))
    wnids = members(database, resolve_name(name))
    write_text(path, "".join(f"{wnid}\n" for wnid in wnids))
    return len(wnids)


def split_facts(database: Database, name: str) -> dict[str, Any]:
    """The stored properties of a class set: kind, training classes, hierarchy, query or recipe,
    …"""
    return next(
        row["properties"] for row in database.rows(query("class_sets")) if row["name"] == name
    )

"""Splits as stored class sets with their provenance: store, load, write to a file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphzsl.common.errors import SplitError
from graphzsl.common.files import checked_suffix, sha256_text, write_text
from graphzsl.common.frames import to_frame
from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.database.class_sets import (
    class_set,
    dependants,
    described,
    flat,
    members,
    put_class_set,
    refuse_other_kind,
    require_class_set,
)
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.database.names import names_of
from graphzsl.sources.published import LITERATURE_NAMES, class_lists

if TYPE_CHECKING:
    import pandas  # type: ignore[import-untyped]

#: Properties of a stored split that say which one it is.
DEFINITION = (
    *("train", "universe", "hierarchy", "exact", "disjoint", "max_hops", "recipe_sha256"),
    *("window_by", "window_size", "window_step", "window_number"),
)


@dataclass(frozen=True)
class Split:
    """A class set that knows its training classes, universe, hierarchy and query.

    Args:
        name: what it is stored as.
        wnids: the unseen classes.
        train: name of the class set of training classes.
        universe: name of the class set that the unseen classes are drawn from.
        hierarchy: what hops are counted in: wordnet, hypernym or release.
        max_hops: largest distance to a training class; None where it does not matter.
        exact: only classes at exactly that distance.
        disjoint: no class is above or below another, nor above or below a training class.
        provenance: the query and its parameters, or that it is of files; kept when the split is
            stored.
        names: wnid -> name of the classes, where it is known: a hierarchy or a database says it.
        training: the training classes, where they are known: a split of a hierarchy has them, one
            of a database has their class set alone.

    >>> gz.Split("mine", ["n02084071"], "ilsvrc2012", "imagenet-fall11", "wordnet", max_hops=2)
    <Split mine: 1 unseen class, training classes ilsvrc2012>
    """

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
    provenance: dict[str, Any] = field(default_factory=dict, compare=False)
    names: Mapping[str, str] = field(default_factory=dict, compare=False)
    training: Sequence[str] | None = field(default=None, compare=False)

    def __repr__(self) -> str:
        classes = counted(len(self.wnids), "unseen class", "unseen classes")
        return f"<Split {self.name}: {classes}, training classes {self.train}>"

    def __len__(self) -> int:
        return len(self.wnids)

    def __iter__(self) -> Iterator[str]:
        return iter(self.wnids)

    def __contains__(self, wnid: object) -> bool:
        return wnid in self.wnids

    def store(self, database: Database, name: str | None = None) -> Split:
        """Store the split as a class set of the database, with its provenance.

        Args:
            database: where to.
            name: what to call it there (default: its own name); a split of that name is replaced.

        Returns:
            The split under that name.

        Raises:
            SplitError: the name is that of a list, or a name of the literature that counts one hop
                too many; the split has no class; or its training classes or universe are no class
                set of the database, or other classes than the set of that name.
        """
        for role in ("train", "universe"):
            self._check_list(database, role)
        stored = replace(self, name=name or self.name)
        store_split(database, stored, stored.provenance)
        return stored

    def _check_list(self, database: Database, role: str) -> None:
        """SplitError where the training classes or the universe are no class set of the database.
        A split of a hierarchy in memory knows what they were."""
        name, digest = getattr(self, role), self.provenance.get(f"{role}_sha256")
        if digest is None or name in class_lists():
            require_class_set(database, name)
        if digest is None:
            return
        if not class_set(database, name):
            said = f"were given as classes, and the database has no class set {name!r}"
        elif classes_sha256(members(database, name)) != digest:
            said = f"are not those of the class set {name!r} of the database"
        else:
            return
        what = {"train": "training classes", "universe": "universe"}[role]
        raise SplitError(
            f"The {what} of the split {self.name!r} {said}. Load them under a name of their own"
            f" (`graphzsl load class-set`), and make the split of the database,"
            f" with {role}='NAME'."
        )

    def to_frame(self) -> pandas.DataFrame:
        """A pandas DataFrame with one row per class: wnid, and name, which is empty in a split that
        was made of wnids alone."""
        rows = [{"wnid": wnid, "name": self.names.get(wnid, "")} for wnid in self.wnids]
        return to_frame(rows, ["wnid", "name"])

    def _repr_html_(self) -> str:
        fields = {
            "classes": f"{len(self.wnids):,}",
            "training classes": self.train,
            "universe": self.universe,
            "hierarchy": self.hierarchy,
            "largest distance in hops": "any" if self.max_hops is None else str(self.max_hops),
            "first classes": ", ".join(self.wnids[:5]) + (" …" if len(self.wnids) > 5 else ""),
        }
        rows = "".join(
            f"<tr><th>{escape(key)}</th><td>{escape(value)}</td></tr>"
            for key, value in fields.items()
        )
        return f"<table><caption>Split {escape(self.name)}</caption>{rows}</table>"


def classes_sha256(wnids: Iterable[str]) -> str:
    """SHA-256 of a list of classes, in whatever order they are."""
    return sha256_text("\n".join(sorted(wnids)))


def store_split(database: Database, split: Split, provenance: dict[str, Any]) -> None:
    """Store a split as a class set that knows where it comes from, replacing one of the same name
    that is a split too; one of another definition is named on stderr.

    SplitError for a name that no class set may have, for the name of a list (splits never replace
    lists), and for a split without any class, which would be unsound.
    """
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
    sets = {row["name"]: row for row in database.rows(query("class_sets"))}
    before = sets[split.name]["properties"] if split.name in sets else {}
    new = {**own, **flat(provenance)}
    if before and any(before.get(key) != new.get(key) for key in DEFINITION):
        others = dependants(sets.values(), split.name)
        derived = f" Derived from it, and unchanged: {', '.join(others)}." if others else ""
        log(
            f"Another split of that name is replaced: {described({**before, 'name': split.name})}."
            f"{derived}"
        )
    put_class_set(database, split.name, split.wnids, {"kind": "split", **own, **provenance})


def resolve_name(name: str) -> str:
    """The true name of a split; the literature's ``2-hops`` and ``3-hops`` are aliases of
    ``hops-1`` and ``hops-2``."""
    return LITERATURE_NAMES.get(name, name)


def load_split(database: Database, name: str) -> Split:
    """A stored split.

    Args:
        database: where it is stored.
        name: its name; the literature's ``2-hops`` and ``3-hops`` are ``hops-1`` and ``hops-2``.

    Returns:
        The split.

    Raises:
        SplitError: there is no class set of that name, or it is a plain list.

    >>> gz.load_split(db, "hops-1")
    <Split hops-1: 1,548 unseen classes, training classes ilsvrc2012>
    """
    definition = stored_definition(database, name)
    wnids = members(database, definition.name)
    return replace(definition, wnids=wnids, names=names_of(database, wnids))


def stored_definition(database: Database, name: str) -> Split:
    """A stored split without its classes: what ``load_split`` gives, and the same errors."""
    name = resolve_name(name)
    require_class_set(database, name)
    properties = split_properties(database, name)
    if properties.get("kind") != "split":
        raise SplitError(
            f"{name!r} is a list of classes, not a split: it knows no training classes."
        )
    return Split(
        name,
        [],
        properties["train"],
        properties["universe"],
        properties["hierarchy"],
        properties.get("max_hops"),
        properties.get("exact", False),
        properties.get("disjoint", False),
    )


def export_split(database: Database, name: str, path: Path) -> int:
    """One wnid per line, in the set's order, in a ``.txt`` file. Returns the number of classes."""
    checked_suffix(path, (".txt",))
    wnids = members(database, resolve_name(name))
    write_text(path, "".join(f"{wnid}\n" for wnid in wnids))
    return len(wnids)


def split_properties(database: Database, name: str) -> dict[str, Any]:
    """The stored properties of a class set: kind, training classes, hierarchy, query or recipe,
    …"""
    return next(
        row["properties"] for row in database.rows(query("class_sets")) if row["name"] == name
    )

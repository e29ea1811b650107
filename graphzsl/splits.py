"""Splits: built by a query, stored as class sets with their provenance, checked, explained and compared."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphzsl.database.client import Database
from graphzsl.database.names import has_release, resolve_wnid, unknown_wnid
from graphzsl.database.queries import query
from graphzsl.errors import DataError, SplitError
from graphzsl.files import now, write_text
from graphzsl.hierarchy import (
    check_hierarchy,
    members,
    path_to_training,
    read_dag,
    require_class_set,
)
from graphzsl.hops import hop_distances
from graphzsl.ingest import put_class_set, refuse_other_kind
from graphzsl.output_format import checked_suffix
from graphzsl.sources.imagenet import read_class_list

#: The literature's names count one hop too many (Hascoet et al. 2019, appendix A); accepted only through this table.
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
    no_overlap: bool = False  #: no class is above or below another, nor above or below a training class


def build_hop_split(
    database: Database,
    max_hops: int | None,
    *,
    train: str = "ilsvrc2012",
    universe: str = "imagenet-fall11",
    hierarchy: str = "wordnet",
    exact: bool = False,
    name: str | None = None,
) -> Split:
    """Unseen classes within ``max_hops`` true hierarchy edges of a training class, stored as a class set.

    Cumulative, or the shell at that distance alone with ``exact``. ``max_hops=None`` takes the whole universe without
    the training classes. The default name is ``hops-N`` or ``all``, with what differs from the defaults appended.
    """
    check_hierarchy(database, hierarchy)
    for class_set in (train, universe):
        require_class_set(database, class_set)
    if max_hops is None:
        statement, parameters = query("difference"), {"name": universe, "without": train}
        wnids = [row["wnid"] for row in database.rows(statement, **parameters)]
    else:
        statement = query("hop_split", hierarchy=hierarchy, max_hops=max_hops)
        parameters = {"train": train, "universe": universe}
        rows = database.rows(statement, **parameters)
        wnids = [row["wnid"] for row in rows if not exact or row["hops"] == max_hops]
    split = Split(
        name or split_name(max_hops, train, universe, hierarchy, exact),
        wnids,
        train,
        universe,
        hierarchy,
        max_hops,
        exact,
    )
    store_split(
        database,
        split,
        {
            **({"max_hops": max_hops} if max_hops is not None else {}),
            "query": statement.name,
            "query_sha256": statement.sha256,
            "parameters": json.dumps(parameters, sort_keys=True),
        },
    )
    return split


def store_split(database: Database, split: Split, provenance: dict[str, Any]) -> None:
    """Store a split as a class set that knows where it comes from, replacing one of the same name that is a split too.

    SplitError for a name of the literature that counts one hop too many, for the name of a list (splits never replace
    lists), and for a split without any class, which would be unsound.
    """
    if split.name in LITERATURE_NAMES:
        raise SplitError(
            f"{split.name!r} is a name of the literature that counts one hop too many. Use {LITERATURE_NAMES[split.name]!r}."
        )
    refuse_other_kind(database, split.name, "split")
    if not split.wnids:
        raise SplitError(
            f"The split {split.name!r} has no class, so it is not stored: no class of {split.universe} outside "
            f"{split.train} is within its distance and rules."
        )
    own = {name: getattr(split, name) for name in ("train", "universe", "hierarchy", "exact", "no_overlap")}
    put_class_set(database, split.name, split.wnids, {"kind": "split", **own, **provenance, "created_at": now()})


def split_name(max_hops: int | None, train: str, universe: str, hierarchy: str, exact: bool) -> str:
    """``hops-2``, ``hops-2-exact``, ``hops-2@release``, ``all`` …"""
    name = "all" if max_hops is None else f"hops-{max_hops}" + ("-exact" if exact else "")
    if hierarchy != "wordnet":
        name += f"@{hierarchy}"
    others = [part for part, default in ((train, "ilsvrc2012"), (universe, "imagenet-fall11")) if part != default]
    return ":".join([name, *others])


def resolve_name(name: str) -> str:
    """The true name of a split; the literature's ``2-hops`` and ``3-hops`` are aliases of ``hops-1`` and ``hops-2``."""
    return LITERATURE_NAMES.get(name, name)


def load_split(database: Database, name: str) -> Split:
    """A stored split; SplitError when the name is unknown or names a plain list."""
    name = resolve_name(name)
    wnids = members(database, name)
    facts = split_facts(database, name)
    if facts.get("kind") != "split":
        raise SplitError(f"{name!r} is a list of classes, not a split: it knows no training classes.")
    return Split(
        name,
        wnids,
        facts["train"],
        facts["universe"],
        facts["hierarchy"],
        facts.get("max_hops"),
        facts.get("exact", False),
        facts.get("no_overlap", False),
    )


def export_split(database: Database, name: str, path: Path) -> int:
    """One wnid per line, in the set's order, in a ``.txt`` file. Returns the number of classes."""
    checked_suffix(path, (".txt",))
    wnids = members(database, resolve_name(name))
    write_text(path, "".join(f"{wnid}\n" for wnid in wnids))
    return len(wnids)


def check_split(database: Database, name: str) -> list[dict[str, Any]]:
    """What is wrong with a split, one row a problem; empty when it is sound.

    Unsound is what breaks the claim of zero-shot recognition or the split's own definition: a training class among
    the unseen ones, a class outside the universe, a class further away than the split says, no class at all, and, where the split
    says that it has no overlap, a class above or below another or a training class.
    """
    split = load_split(database, name)
    training, universe = set(members(database, split.train)), set(members(database, split.universe))
    problems = [_problem("training class", wnid, f"is in {split.train}") for wnid in split.wnids if wnid in training]
    problems += [
        _problem("outside the universe", w, f"is not in {split.universe}") for w in split.wnids if w not in universe
    ]
    if not split.wnids:
        problems.append(_problem("empty", "", "the split has no class"))
    if split.max_hops is not None:
        hops = _hops(database, split.hierarchy, training)
        for wnid in split.wnids:
            away = hops.get(wnid, -1)
            if not 0 <= away <= split.max_hops or (split.exact and away != split.max_hops):
                problems.append(_problem("wrong distance", wnid, f"is {away} hops away, not {split.max_hops}"))
    if split.no_overlap:
        problems += _overlaps(database, split)
    return problems


def _overlaps(database: Database, split: Split) -> list[dict[str, Any]]:
    statement = query("ancestor_pairs", hierarchy=split.hierarchy)
    names = ((split.name, split.name), (split.name, split.train), (split.train, split.name))
    pairs = [row for name, above in names for row in database.rows(statement, name=name, above=above)]
    inside = set(split.wnids)
    return [
        _problem("overlap", wnid, f"{row['ancestor']} is above {row['descendant']}")
        for row in pairs
        for wnid in [row["descendant"] if row["descendant"] in inside else row["ancestor"]]
    ]


def explain(database: Database, name: str, wnid: str) -> dict[str, Any]:
    """Why a synset, given as a wnid or a name like dog.n.01, is in or out of a split, with a shortest path to a
    training class. DataError for what is neither, with near synsets."""
    split = load_split(database, name)
    wnid = resolve_wnid(database, wnid)
    training = set(members(database, split.train))
    row: dict[str, Any] = {"wnid": wnid, "split": split.name, "in": wnid in set(split.wnids)}
    if database.rows(query("unknown_wnids"), wnids=[wnid]):
        raise DataError(unknown_wnid(database, wnid))
    if wnid in training:
        return {**row, "reason": f"it is a training class ({split.train})", "hops": 0, "path": []}
    path = path_to_training(database, wnid, training, split.hierarchy)
    hops = len(path) - 1 if path else None
    away = (
        f"{hops} hop{'s' if hops != 1 else ''} from training class {path[-1]} in hierarchy {split.hierarchy}"
        if path
        else "no training class is reachable"
    )
    if wnid not in set(members(database, split.universe)):
        reason = f"it is not in the universe {split.universe} ({away})"
    elif split.max_hops is None:
        reason = f"every class of {split.universe} outside {split.train} is in ({away})"
    else:
        reason = f"it is {away}; the split takes {'exactly' if split.exact else 'at most'} {split.max_hops}"
    return {**row, "reason": reason, "hops": hops, "path": path}


def diff(database: Database, name: str, other: str | Path) -> list[dict[str, Any]]:
    """Differences between a split and another split, class set or list file, one row a class with its reason.

    The reason is in terms of the first split's definition: in its universe or not, and within its distance or not in
    its hierarchy and, when that is loaded, in ImageNet's release hierarchy. ``hops`` holds the distances themselves.
    """
    split = load_split(database, name)
    is_file = isinstance(other, Path)
    theirs = {w for _, w in read_class_list(other)} if is_file else set(members(database, resolve_name(str(other))))  # type: ignore[arg-type]
    ours = set(split.wnids)
    reason = _reasons(database, split, ours ^ theirs)
    label = other.name if is_file else str(other)  # type: ignore[union-attr]
    sides = [(wnid, split.name) for wnid in sorted(ours - theirs)] + [(wnid, label) for wnid in sorted(theirs - ours)]
    return [{"wnid": wnid, "only_in": side, "reason": reason[wnid][0], "hops": reason[wnid][1]} for wnid, side in sides]


def group_differences(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of ``diff`` counted by side and reason, with an example each; largest first."""
    groups: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in rows:
        groups[row["only_in"], row["reason"]].append(row["wnid"])
    found = [
        {"only_in": side, "reason": reason, "classes": len(wnids), "example": wnids[0]}
        for (side, reason), wnids in groups.items()
    ]
    return sorted(found, key=lambda row: (row["only_in"], -row["classes"], row["reason"]))


def _reasons(database: Database, split: Split, wnids: set[str]) -> dict[str, tuple[str, dict[str, int | None]]]:
    """wnid -> (why it differs, hops by hierarchy)."""
    if not wnids:
        return {}
    training, universe = set(members(database, split.train)), set(members(database, split.universe))
    unknown = {row["wnid"] for row in database.rows_in_batches(query("unknown_wnids"), sorted(wnids))}
    other = "wordnet" if split.hierarchy == "release" else "release" if has_release(database) else ""
    hops = {hierarchy: _hops(database, hierarchy, training) for hierarchy in (split.hierarchy, other) if hierarchy}
    reasons = {}
    for wnid in wnids:
        away = {hierarchy: found.get(wnid) for hierarchy, found in hops.items()}
        if wnid in unknown:
            reason = "no noun synset of WordNet 3.0"
        elif wnid in training:
            reason = f"training class of {split.train}"
        elif wnid not in universe:
            reason = f"not in the universe {split.universe}"
        else:
            reason = ", ".join(_distance(found, split.max_hops, hierarchy) for hierarchy, found in away.items())
        reasons[wnid] = reason, away
    return reasons


def _distance(hops: int | None, limit: int | None, hierarchy: str) -> str:
    if hops is None:
        return f"unreachable in {hierarchy}"
    if limit is None:
        return f"reachable in {hierarchy}"
    return f"{'within' if hops <= limit else 'beyond'} {limit} hop{'s' if limit > 1 else ''} in {hierarchy}"


def _hops(database: Database, hierarchy: str, training: set[str]) -> dict[str, int]:
    adjacency = read_dag(database, hierarchy, training).adjacency
    hops = hop_distances(adjacency, adjacency.positions(sorted(training)))
    return {wnid: int(hops[position]) for wnid, position in adjacency.index.items() if hops[position] >= 0}


def _problem(kind: str, wnid: str, what: str) -> dict[str, Any]:
    return {"problem": kind, "wnid": wnid, "detail": what}


def split_facts(database: Database, name: str) -> dict[str, Any]:
    """The stored properties of a class set: kind, training classes, hierarchy, query or recipe, …"""
    return next(row["properties"] for row in database.rows(query("class_sets")) if row["name"] == name)

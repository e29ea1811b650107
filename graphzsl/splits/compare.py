"""Comparison of splits: why a class is in one, and how two differ."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from graphzsl.common.wording import called, counted
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.database.names import DatabaseVocabulary, has_release, names_of, resolve_wnid
from graphzsl.database.paths import path_to_training
from graphzsl.hierarchy.resolver import wnids_where_named
from graphzsl.sources.imagenet import shipped_classes
from graphzsl.sources.published import class_lists
from graphzsl.splits.store import Split, load_split, resolve_name, stored_definition


def explain(database: Database, name: str, wnid: str) -> dict[str, Any]:
    """Explain why a synset is in or out of a split, with a shortest path to a training class.

    Args:
        database: what is read.
        name: name of the split.
        wnid: the synset: a wnid, a name like dog.n.01, or a word that names one synset alone.

    Raises:
        DataError: there is no such synset (near ones are offered), or a word has several.
        SplitError: there is no split of that name.
    """
    split = stored_definition(database, name)
    wnid = resolve_wnid(database, wnid)
    sets = {row["name"] for row in database.rows(query("sets_of_synset"), wnid=wnid)}
    own = names_of(database, [wnid])
    row: dict[str, Any] = {
        "wnid": wnid,
        "name": own[wnid],
        "split": split.name,
        "in": split.name in sets,
    }
    if split.train in sets:
        reason = f"it is a training class ({split.train})"
        return {**row, "reason": reason, "hops": 0, "path": [], "names": []}
    path, closest = path_to_training(database, wnid, split.train, split.hierarchy)
    names = names_of(database, path)
    hops = len(path) - 1 if path else None
    others = f", one of {closest} that are as close," if closest > 1 else ""
    away = (
        f"{counted(len(path) - 1, 'hop')} from training class {called(path[-1], names)}{others} in"
        f" hierarchy {split.hierarchy}"
        if path
        else "no training class is reachable"
    )
    if split.universe not in sets:
        reason = f"it is not in the universe {split.universe} ({away})"
    elif split.max_hops is None:
        reason = f"every class of {split.universe} outside {split.train} is in ({away})"
    else:
        reason = (
            f"it is {away}; the split takes {'exactly' if split.exact else 'at most'}"
            f" {split.max_hops}"
        )
    shown = [names.get(node) for node in path]
    return {**row, "reason": reason, "hops": hops, "path": path, "names": shown}


def diff(database: Database, name: str, other: str | Path) -> list[dict[str, Any]]:
    """Differences between a split and another split, class set, shipped list or list file, one row
    per class with its reason.

    The reason is in terms of the first split's definition: in its universe or not, and within its
    distance or not in its hierarchy and, when that is loaded, in ImageNet's release hierarchy.
    ``hops`` holds the distances themselves.
    """
    split = load_split(database, name)
    label, theirs = compared_classes(database, other)
    ours = set(split.wnids)
    reason = _reasons(database, split, ours ^ theirs)
    names = names_of(database, reason)
    sides = [(wnid, split.name) for wnid in sorted(ours - theirs)] + [
        (wnid, label) for wnid in sorted(theirs - ours)
    ]
    return [
        {
            "wnid": wnid,
            "name": names.get(wnid),
            "only_in": side,
            "reason": reason[wnid][0],
            "hops": reason[wnid][1],
        }
        for wnid, side in sides
    ]


def compared_classes(database: Database, other: str | Path) -> tuple[str, set[str]]:
    """Name and classes of the other side; a loaded class set comes before a shipped list of the
    name."""
    if isinstance(other, Path):
        named = wnids_where_named(other, (), DatabaseVocabulary(database), "other")
        return other.name, set(named)
    name = resolve_name(other)
    if name in class_lists():
        loaded = {row["name"] for row in database.rows(query("class_sets"))}
        if name not in loaded:
            return name, set(shipped_classes(name))
    return other, set(members(database, name))


def group_differences(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of ``diff`` counted by side and reason, with an example each; largest first."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["only_in"], row["reason"]].append(row)
    counted = [
        {
            "only_in": side,
            "reason": reason,
            "classes": len(part),
            "example": part[0]["wnid"],
            "example_name": part[0].get("name"),
        }
        for (side, reason), part in groups.items()
    ]
    return sorted(counted, key=lambda row: (row["only_in"], -row["classes"], row["reason"]))


def _reasons(
    database: Database, split: Split, wnids: set[str]
) -> dict[str, tuple[str, dict[str, int | None]]]:
    """wnid -> (why it differs, hops by hierarchy)."""
    from graphzsl.database.hierarchy import read_hierarchy

    if not wnids:
        return {}
    training, universe = set(members(database, split.train)), set(members(database, split.universe))
    unknown = {
        row["wnid"] for row in database.rows_in_batches(query("unknown_wnids"), sorted(wnids))
    }
    other = (
        "wordnet" if split.hierarchy == "release" else "release" if has_release(database) else ""
    )
    sources, names = sorted(training), [name for name in (split.hierarchy, other) if name]
    hops = {
        hierarchy: read_hierarchy(database, hierarchy, sources).hops_from(sources)
        for hierarchy in names
    }
    reasons = {}
    for wnid in wnids:
        away = {hierarchy: hops_of.get(wnid) for hierarchy, hops_of in hops.items()}
        if wnid in unknown:
            reason = "no noun synset of WordNet 3.0"
        elif wnid in training:
            reason = f"training class of {split.train}"
        elif wnid not in universe:
            reason = f"not in the universe {split.universe}"
        else:
            reason = ", ".join(
                _distance(hops_of, split.max_hops, hierarchy) for hierarchy, hops_of in away.items()
            )
        reasons[wnid] = reason, away
    return reasons


def _distance(hops: int | None, limit: int | None, hierarchy: str) -> str:
    if hops is None:
        return f"unreachable in {hierarchy}"
    if limit is None:
        return f"reachable in {hierarchy}"
    return f"{'within' if hops <= limit else 'beyond'} {counted(limit, 'hop')} in {hierarchy}"

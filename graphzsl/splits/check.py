"""Check of a split against its own definition and the claim of zero-shot recognition."""

from __future__ import annotations

from typing import Any

from graphzsl.common.wording import called, counted
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.database.names import names_of
from graphzsl.splits.store import Split, load_split


def check_split(database: Database, name: str) -> list[dict[str, Any]]:
    """Check a split: one row per problem; empty if it is sound.

    Unsound is what breaks the claim of zero-shot recognition or the split's own definition: a
    training class among the unseen ones, a class outside the universe, a class further away than
    the split says, no class at all, and, where the split says that it is disjoint, a class above
    or below another or a training class.
    """
    from graphzsl.database.hierarchy import read_hierarchy

    split = load_split(database, name)
    training, universe = set(members(database, split.train)), set(members(database, split.universe))
    problems = [
        _problem("training class", wnid, f"is in {split.train}")
        for wnid in split.wnids
        if wnid in training
    ]
    problems += [
        _problem("outside the universe", w, f"is not in {split.universe}")
        for w in split.wnids
        if w not in universe
    ]
    if not split.wnids:
        problems.append(_problem("empty", "", "the split has no class"))
    if split.max_hops is not None:
        hops = read_hierarchy(database, split.hierarchy, training).hops_from(sorted(training))
        for wnid in split.wnids:
            away = hops.get(wnid, -1)
            if not 0 <= away <= split.max_hops or (split.exact and away != split.max_hops):
                problems.append(_problem("wrong distance", wnid, _wrong_distance(away, split)))
    if split.disjoint:
        problems += _overlaps(database, split)
    names = names_of(database, (row["wnid"] for row in problems))
    return [
        {
            "problem": row["problem"],
            "wnid": row["wnid"],
            "name": names.get(row["wnid"], ""),
            "detail": row["detail"],
        }
        for row in problems
    ]


def _overlaps(database: Database, split: Split) -> list[dict[str, Any]]:
    statement = query("ancestor_pairs", hierarchy=split.hierarchy)
    names = ((split.name, split.name), (split.name, split.train), (split.train, split.name))
    pairs = [
        row
        for name, above in names
        for row in database.rows(statement, class_set=name, above=above)
    ]
    inside = set(split.wnids)
    return [
        _problem("overlap", wnid, _above(row))
        for row in pairs
        for wnid in [row["descendant"] if row["descendant"] in inside else row["ancestor"]]
    ]


def _above(row: dict[str, Any]) -> str:
    upper, lower = (
        called(row[side], {row[side]: row[f"{side}_name"]}) for side in ("ancestor", "descendant")
    )
    return f"{upper} is above {lower}"


def _wrong_distance(away: int, split: Split) -> str:
    if away < 0:
        return "no training class is reachable"
    return f"is {counted(away, 'hop')} away, not {split.max_hops}"


def _problem(kind: str, wnid: str, what: str) -> dict[str, Any]:
    return {"problem": kind, "wnid": wnid, "detail": what}

"""Hop splits: unseen classes by their distance from the training classes."""

from __future__ import annotations

import json

from graphzsl.database.client import Database
from graphzsl.database.hierarchy import (
    check_hierarchy,
    require_class_set,
)
from graphzsl.database.library import query
from graphzsl.splits.store import Split, store_split


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
    """Unseen classes within ``max_hops`` true hierarchy edges of a training class, stored as a
    class set.

    Cumulative, or the shell at that distance alone with ``exact``. ``max_hops=None`` takes the
    whole universe without the training classes. The default name is ``hops-N`` or ``all``, with
    what differs from the defaults appended.
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


def split_name(max_hops: int | None, train: str, universe: str, hierarchy: str, exact: bool) -> str:
    """``hops-2``, ``hops-2-exact``, ``hops-2@release``, ``all`` …"""
    name = "all" if max_hops is None else f"hops-{max_hops}" + ("-exact" if exact else "")
    if hierarchy != "wordnet":
        name += f"@{hierarchy}"
    others = [
        part
        for part, default in ((train, "ilsvrc2012"), (universe, "imagenet-fall11"))
        if part != default
    ]
    return ":".join([name, *others])

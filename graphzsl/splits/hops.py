"""Hop splits: unseen classes by their distance from the training classes."""

from __future__ import annotations

import json

from graphzsl.database.class_sets import require_class_set
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.database.paths import check_hierarchy
from graphzsl.splits.store import Split


def hop_split(
    database: Database,
    max_hops: int | None,
    *,
    train: str = "ilsvrc2012",
    universe: str = "imagenet-fall11",
    hierarchy: str = "wordnet",
    exact: bool = False,
    name: str | None = None,
) -> Split:
    """Unseen classes within ``max_hops`` true hierarchy edges of a training class; only read.

    Args:
        database: what is read; ``Split.store`` writes.
        max_hops: largest distance; None takes the whole universe without the training classes.
        train: class set of training classes.
        universe: class set that the unseen classes are drawn from.
        hierarchy: what hops are counted in: wordnet, hypernym or release.
        exact: the shell at that distance alone, not everything up to it.
        name: name of the split (default: ``hops-N`` or ``all``, with what differs from the
            defaults appended).

    Returns:
        The split, its classes sorted by distance, then wnid.

    Raises:
        SplitError: an unknown class set or hierarchy, or a distance below 1.

    Reference:
        Frome et al. 2013 (DeViSE), appendix A.3; Hascoet et al. 2019, appendix A (the names).

    >>> gz.hop_split(db, max_hops=2)
    <Split hops-2: 5,990 classes, train ilsvrc2012>
    """
    check_hierarchy(database, hierarchy)
    for class_set in (train, universe):
        require_class_set(database, class_set)
    if max_hops is None:
        statement, parameters = query("difference"), {"name": universe, "without": train}
        wnids = [row["wnid"] for row in database.many_rows(statement, **parameters)]
    else:
        statement = query("hop_split", hierarchy=hierarchy, max_hops=max_hops)
        parameters = {"train": train, "universe": universe}
        rows = database.many_rows(statement, **parameters)
        wnids = [row["wnid"] for row in rows if not exact or row["hops"] == max_hops]
    return Split(
        name or split_name(max_hops, train, universe, hierarchy, exact),
        wnids,
        train,
        universe,
        hierarchy,
        max_hops,
        exact,
        provenance={
            **({"max_hops": max_hops} if max_hops is not None else {}),
            "query": statement.name,
            "query_sha256": statement.sha256,
            "parameters": json.dumps(parameters, sort_keys=True),
        },
    )


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

"""The searches of ``hierarchy.py`` by the library's queries alone: the server does them, in
batches, level by level.

The same answers as the searches in memory, which read the hierarchy once and are faster; these need
no more memory in the client than the answer itself, and every step is a query that can be run by
hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphzsl.common.errors import SplitError
from graphzsl.common.progress import progress_bar
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database, batches
from graphzsl.database.library import query
from graphzsl.database.names import names_of
from graphzsl.database.paths import check_hierarchy, neighbours
from graphzsl.database.query_file import MAXIMUM_VARY
from graphzsl.hierarchy.closest import Closest, closest_of
from graphzsl.hierarchy.hcorrect import HCorrectSet, cut_shells

#: Labels whose shells one query finds: more need more of the server's memory.
LABELS = 500


def closest_by_queries(
    database: Database, train: str, universe: str, hierarchy: str = "wordnet"
) -> list[Closest]:
    """``closest_training_classes`` by the query ``neighbours``, one round for every level of the
    search.

    A node at level h inherits the closest training classes of its neighbours at level h - 1. Sorted
    by wnid.
    """
    check_hierarchy(database, hierarchy)
    training = members(database, train)
    wanted = set(members(database, universe)) - set(training)
    names = names_of(database, [*training, *wanted])
    closest: dict[str, set[str]] = {wnid: {wnid} for wnid in training}
    rows: list[Closest] = []
    frontier, level = sorted(closest), 0
    while frontier:
        level += 1
        reached: dict[str, set[str]] = {}
        for node, around in neighbours(database, frontier, hierarchy):
            for neighbour in around:
                if neighbour not in closest:
                    reached.setdefault(neighbour, set()).update(closest[node])
        closest.update(reached)
        frontier = sorted(reached)
        rows += [
            closest_of(wnid, level, sorted(reached[wnid]), names)
            for wnid in frontier
            if wnid in wanted
        ]
    return sorted(rows, key=lambda row: row.wnid)


def hcorrect_by_queries(
    database: Database, valid: str, ks: Sequence[int], hierarchy: str = "wordnet"
) -> Iterator[HCorrectSet]:
    """``hcorrect_sets`` of all valid labels by the query ``hcorrect_round``, in the same order.

    The radius grows by one per round, and only labels still short of the largest k go on.
    SplitError when a label is short of k at the largest radius that a query may have, which no
    label of WordNet is.
    """
    check_hierarchy(database, hierarchy)
    labels, lengths = members(database, valid), sorted(set(ks))
    names = names_of(database, labels)
    for batch in progress_bar(
        batches(labels, LABELS), "hCorrectSets", total=-(-len(labels) // LABELS)
    ):
        shells = _shells(database, batch, valid, max(ks), hierarchy)
        for wnid in batch:
            yield from cut_shells(wnid, shells[wnid], lengths, names)


def _shells(
    database: Database, labels: list[str], valid: str, k: int, hierarchy: str
) -> dict[str, list[list[str]]]:
    shells = {wnid: [[wnid]] for wnid in labels}
    short = [wnid for wnid in labels if k > 1]
    radius = 0
    while short:
        radius += 1
        if radius > MAXIMUM_VARY:
            raise SplitError(
                f"{short[0]} is short of {k} labels at {MAXIMUM_VARY} hops. Take the search in"
                " memory."
            )
        statement = query("hcorrect_round", hierarchy=hierarchy, max_hops=radius)
        # a label without a row has no node at this radius: its shells ran out
        rows = database.many_rows(statement, wnids=short, valid=valid, radius=radius)
        for row in rows:
            shells[row["wnid"]].append(sorted(row["members"]))
        going = {row["wnid"] for row in rows}
        short = [wnid for wnid in short if wnid in going and sum(map(len, shells[wnid])) < k]
    return shells

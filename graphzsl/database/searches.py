"""The searches of ``hierarchy.py`` by the library's queries alone: the server gives the neighbours
of each level, in batches.

The same answers as the searches in memory, which read the hierarchy once; these read what is near
the classes alone, and every step is a query that can be run by hand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from graphzsl.common.progress import progress_bar
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database, batches
from graphzsl.database.names import names_of
from graphzsl.database.paths import check_hierarchy, neighbours
from graphzsl.hierarchy.closest import Closest, closest_of
from graphzsl.hierarchy.hcorrect import HCorrectSet, checked_lengths, cut_shells

#: Labels that are searched around at once: what each has seen is held.
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
    """``hcorrect_sets`` of all valid labels by the query ``neighbours``, in the same order.

    The radius grows by one per round, and only labels still short of the largest k go on; the
    server is asked for the neighbours of a node once, whichever labels it is near.
    """
    check_hierarchy(database, hierarchy)
    labels, lengths = members(database, valid), sorted(set(checked_lengths(ks)))
    names, inside = names_of(database, labels), set(labels)
    around: dict[str, list[str]] = {}
    for batch in progress_bar(
        batches(labels, LABELS), "hCorrectSets", total=-(-len(labels) // LABELS)
    ):
        shells: dict[str, list[list[str]]] = {wnid: [[wnid]] for wnid in batch}
        seen = {wnid: {wnid} for wnid in batch}
        frontier = {wnid: {wnid} for wnid in batch if lengths[-1] > 1}
        while frontier:
            unread = set().union(*frontier.values()) - around.keys()
            around.update((node, []) for node in unread)
            around.update(neighbours(database, unread, hierarchy))
            for wnid, nodes in list(frontier.items()):
                reached = set().union(*(around[node] for node in nodes)) - seen[wnid]
                seen[wnid] |= reached
                frontier[wnid] = reached
                if reached:
                    shells[wnid].append(sorted(reached.intersection(inside)))
                if not reached or sum(map(len, shells[wnid])) >= lengths[-1]:
                    del frontier[wnid]
        for wnid in batch:
            yield from cut_shells(wnid, shells[wnid], lengths, names)

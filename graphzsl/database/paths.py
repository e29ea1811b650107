"""Hierarchies in the database by queries: neighbours, ancestors, a path to the training classes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphzsl.common.errors import SplitError
from graphzsl.common.progress import progress_bar
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database, batches
from graphzsl.database.library import HIERARCHIES, query
from graphzsl.database.names import require_complete, require_release


def check_hierarchy(database: Database, hierarchy: str) -> None:
    """Raise when the hierarchy is unknown, or is the release hierarchy and not loaded."""
    if hierarchy not in HIERARCHIES:
        raise SplitError(
            f"There is no hierarchy {hierarchy!r}. Choose one of {', '.join(HIERARCHIES)}."
        )
    require_complete(database)
    if hierarchy == "release":
        require_release(database)


def neighbours(
    database: Database, wnids: Iterable[str], hierarchy: str
) -> Iterator[tuple[str, list[str]]]:
    """(wnid, hierarchy neighbours in either direction) of every given node that has any."""
    statement = query("neighbours", hierarchy=hierarchy)
    for row in database.rows_in_batches(statement, sorted(wnids)):
        yield row["wnid"], row["neighbours"]


def class_ancestors(
    database: Database, wnids: Sequence[str], hierarchy: str = "wordnet"
) -> Iterator[dict[str, object]]:
    """Rows wnid, name, ancestor, ancestor_name, hops: all ancestors of every given class."""
    check_hierarchy(database, hierarchy)
    statement = query("class_ancestors", hierarchy=hierarchy)
    for batch in progress_bar(batches(wnids, 1000), "ancestors", total=-(-len(wnids) // 1000)):
        yield from database.many_rows(statement, wnids=batch)


def path_to_training(
    database: Database, wnid: str, train: str, hierarchy: str
) -> tuple[list[str], int]:
    """(a shortest path of nodes from a synset to another one that is a training class, empty when
    there is none; the number of training classes that are as close).

    Of several closest training classes it leads to the first by wnid; of several ways to that one
    it takes, from its end backwards, the first node by wnid. A search level by level: every node is
    read once, where the paths of a pattern would be followed one by one.
    """
    check_hierarchy(database, hierarchy)
    training, before, frontier = set(members(database, train)), {wnid: ""}, [wnid]
    while frontier:
        reached: dict[str, str] = {}
        for node, around in sorted(neighbours(database, frontier, hierarchy)):
            for neighbour in around:
                if neighbour not in before:
                    reached.setdefault(neighbour, node)
        before.update(reached)
        frontier = sorted(reached)
        closest = [node for node in frontier if node in training]
        if closest:
            path = closest[:1]
            while before[path[-1]]:
                path.append(before[path[-1]])
            return path[::-1], len(closest)
    return [], 0

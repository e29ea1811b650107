"""Whole hierarchies of the database, read once and searched in memory: closest classes,
hCorrectSets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphzsl.common.progress import progress_bar, step
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.database.names import names_of
from graphzsl.database.paths import check_hierarchy
from graphzsl.hierarchy import hcorrect
from graphzsl.hierarchy.closest import Closest, closest_classes
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.hcorrect import HCorrectSet


def read_hierarchy(
    database: Database, hierarchy: str = "wordnet", nodes: Iterable[str] = ()
) -> Hierarchy:
    """A whole hierarchy, read once: the way for searches from thousands of classes. ``nodes`` adds
    nodes that no edge may touch; their names are the only ones that it knows."""
    nodes = list(nodes)
    with step(f"reading hierarchy {hierarchy}"):
        names = names_of(database, nodes) if nodes else {}
        return Hierarchy.from_edges(_edges(database, hierarchy), nodes, names=names)


def _edges(database: Database, hierarchy: str) -> Iterator[tuple[str, str]]:
    check_hierarchy(database, hierarchy)
    for row in database.many_rows(query("adjacency", hierarchy=hierarchy)):
        for child in row["children"]:
            yield child, row["parent"]


def closest_training_classes(
    database: Database, train: str, universe: str, hierarchy: str = "wordnet"
) -> list[Closest]:
    """``closest_classes`` of every universe class that is not a training class, sorted by wnid."""
    training = members(database, train)
    wanted = sorted(set(members(database, universe)) - set(training))
    # a class that no edge of this hierarchy touches is a node too: nothing is close to it
    return closest_classes(
        read_hierarchy(database, hierarchy, [*training, *wanted]), training, wanted
    )


def hcorrect_sets(
    database: Database,
    valid: object,
    ks: Sequence[int],
    hierarchy: str = "wordnet",
    labels: Sequence[str] | None = None,
) -> Iterator[HCorrectSet]:
    """hCorrectSet(c, k) for every label (default: every valid one) and every k, in the order of
    labels, then k.

    ``hcorrect.hcorrect_sets`` of classes of the database. SplitError for a label that is not valid,
    or a k below 1.
    """
    valid_wnids = members(database, valid)
    labels = list(labels) if labels is not None else valid_wnids
    nodes = read_hierarchy(database, hierarchy, valid_wnids)
    sets = hcorrect.hcorrect_sets(nodes, labels, valid_wnids, ks)
    yield from progress_bar(sets, "hCorrectSets", total=len(labels) * len(set(ks)))

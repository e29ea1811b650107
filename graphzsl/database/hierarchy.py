"""Hierarchies in the database: class sets, whole hierarchies, closest classes, hCorrectSets,
ancestors, paths."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from graphzsl.database.client import Database, batches
from graphzsl.database.library import HIERARCHIES, query
from graphzsl.database.names import require_complete, require_release, unknown_class_set
from graphzsl.errors import SplitError
from graphzsl.hierarchy import hcorrect
from graphzsl.hierarchy.closest import Closest, closest_classes
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.hcorrect import HCorrectSet
from graphzsl.progress import progress, step


def members(database: Database, name: str) -> list[str]:
    """The wnids of a class set in its order; SplitError when there is no such set."""
    return [row["wnid"] for row in database.many_rows(query("member_wnids"), name=name)]


def source_checksums(database: Database) -> dict[str, str | None]:
    """Source -> checksum of its file, of everything that was loaded: what manifests keep."""
    return {row["name"]: row["properties"].get("sha256") for row in database.rows(query("sources"))}


def require_class_set(database: Database, name: str) -> None:
    """SplitError naming near and known class sets when there is none of that name."""
    if database.rows(query("unknown_class_sets"), names=[name]):
        raise SplitError(unknown_class_set(database, name))


def neighbours(
    database: Database, wnids: Iterable[str], hierarchy: str
) -> Iterator[tuple[str, list[str]]]:
    """(wnid, hierarchy neighbours in either direction) of every given node that has any."""
    statement = query("neighbours", hierarchy=hierarchy)
    for row in database.rows_in_batches(statement, sorted(wnids)):
        yield row["wnid"], row["neighbours"]


def read_hierarchy(
    database: Database, hierarchy: str = "wordnet", nodes: Iterable[str] = ()
) -> Hierarchy:
    """A whole hierarchy, read once: the way for searches from thousands of classes. ``nodes`` adds
    nodes that no edge may touch."""
    with step(f"reading hierarchy {hierarchy}"):
        return Hierarchy.from_edges(_edges(database, hierarchy), nodes)


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
    valid: str,
    ks: Sequence[int],
    hierarchy: str = "wordnet",
    labels: Sequence[str] | None = None,
) -> Iterator[HCorrectSet]:
    """hCorrectSet(c, k) for every label (default: every valid one) and every k, in the order of
    labels, then k.

    ``hcorrect.hcorrect_sets`` of classes of the database. The query ``hcorrect_round`` is the same,
    one radius at a time, for use by hand. SplitError for a label that is not valid, or a k below 1.
    """
    valid_wnids = members(database, valid)
    labels = list(labels) if labels is not None else valid_wnids
    nodes = read_hierarchy(database, hierarchy, valid_wnids)
    sets = hcorrect.hcorrect_sets(nodes, labels, valid_wnids, ks)
    yield from progress(sets, "hCorrectSets", total=len(labels) * len(set(ks)))


def class_ancestors(
    database: Database, wnids: Sequence[str], hierarchy: str = "wordnet"
) -> Iterator[dict[str, object]]:
    """Rows wnid, ancestor, hops: all ancestors of every given class."""
    check_hierarchy(database, hierarchy)
    statement = query("class_ancestors", hierarchy=hierarchy)
    for batch in progress(batches(wnids, 1000), "ancestors", total=-(-len(wnids) // 1000)):
        yield from database.many_rows(statement, wnids=batch)


def path_to_training(database: Database, wnid: str, train: str, hierarchy: str) -> list[str]:
    """A shortest path of nodes from a synset to another one that is a training class; empty when
    there is none.

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
        closest = next((node for node in frontier if node in training), None)
        if closest is not None:
            path = [closest]
            while before[path[-1]]:
                path.append(before[path[-1]])
            return path[::-1]
    return []


def check_hierarchy(database: Database, hierarchy: str) -> None:
    """Raise when the hierarchy is unknown, or is the release hierarchy and not loaded."""
    if hierarchy not in HIERARCHIES:
        raise SplitError(
            f"There is no hierarchy {hierarchy!r}. Choose one of {', '.join(HIERARCHIES)}."
        )
    require_complete(database)
    if hierarchy == "release":
        require_release(database)

"""Distances in a hierarchy: closest training classes, hCorrectSets, ancestors, paths. The queries do the reading."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from graphzsl.dag import Dag
from graphzsl.database.client import Database, batches
from graphzsl.database.names import require_release, unknown_class_set
from graphzsl.database.queries import HIERARCHIES, query
from graphzsl.errors import SplitError
from graphzsl.hops import closest_sources, label_shells, row_of, wnids_of
from graphzsl.progress import progress


@dataclass(frozen=True)
class Closest:
    """The closest training classes of one class: all ties, in the order of their wnids."""

    wnid: str
    hops: int
    closest: list[str]


@dataclass(frozen=True)
class HCorrectSet:
    """hCorrectSet of one label and one k. ``radius`` is the last shell added; ``exhausted``: the shells ran out short of k."""

    wnid: str
    k: int
    members: list[str]
    radius: int
    exhausted: bool


def members(database: Database, name: str) -> list[str]:
    """The wnids of a class set in its order; SplitError when there is no such set."""
    return [row["wnid"] for row in database.rows(query("member_wnids"), name=name)]


def source_checksums(database: Database) -> dict[str, str | None]:
    """Source -> checksum of its file, of everything that was loaded: what manifests keep."""
    return {row["name"]: row["properties"].get("sha256") for row in database.rows(query("sources"))}


def require_class_set(database: Database, name: str) -> None:
    """SplitError naming near and known class sets when there is none of that name."""
    if database.rows(query("unknown_class_sets"), names=[name]):
        raise SplitError(unknown_class_set(database, name))


def neighbours(database: Database, wnids: Iterable[str], hierarchy: str) -> Iterator[tuple[str, list[str]]]:
    """(wnid, hierarchy neighbours in either direction) of every given node that has any."""
    statement = query("neighbours", hierarchy=hierarchy)
    for row in database.rows_in_batches(statement, sorted(wnids)):
        yield row["wnid"], row["neighbours"]


def read_dag(database: Database, hierarchy: str = "wordnet", nodes: Iterable[str] = ()) -> Dag:
    """A whole hierarchy, read once: the way for searches from thousands of classes. ``nodes`` adds nodes that no edge may touch."""
    return Dag.from_edges(_edges(database, hierarchy), nodes)


def _edges(database: Database, hierarchy: str) -> Iterator[tuple[str, str]]:
    check_hierarchy(database, hierarchy)
    for row in database.rows(query("adjacency", hierarchy=hierarchy)):
        for child in row["children"]:
            yield child, row["parent"]


def closest_training_classes(
    database: Database, train: str, universe: str, hierarchy: str = "wordnet"
) -> list[Closest]:
    """f(c) = argmin over training classes of hops(c, ·) for every universe class that is no training class.

    All ties are kept (Hascoet et al. 2019, appendix E; ties are ours). Classes that no training class reaches are
    absent. Sorted by wnid.
    """
    training = members(database, train)
    wanted = sorted(set(members(database, universe)) - set(training))
    adjacency = read_dag(database, hierarchy, training).adjacency  # a class outside the hierarchy is close to nothing
    sources = adjacency.positions(training)
    hops, inherited = closest_sources(adjacency, sources)
    names = [adjacency.wnids[position] for position in sources]
    found = []
    for wnid in wanted:
        position = adjacency.index.get(wnid, -1)
        if position >= 0 and hops[position] >= 0:
            ties = row_of(inherited, position)
            found.append(Closest(wnid, int(hops[position]), sorted(names[tie] for tie in ties)))
    return found


def hcorrect_sets(
    database: Database, valid: str, ks: Sequence[int], hierarchy: str = "wordnet", labels: Sequence[str] | None = None
) -> Iterator[HCorrectSet]:
    """hCorrectSet(c, k) for every label (default: every valid one) and every k, in the order of labels, then k.

    Whole shells of valid labels are added while fewer than k are there, so a set has at least k members, and exactly
    one at k = 1; when the shells run out it is flagged. Source: Frome et al. 2013 (DeViSE), appendix A.3.
    The query ``hcorrect_round`` is the same, one radius at a time, for use by hand.

    Raises SplitError for a label that is not valid, or a k below 1.
    """
    if not ks or min(ks) < 1:
        raise SplitError(f"k must be at least 1, not {min(ks, default=0)}.")
    valid_wnids = members(database, valid)
    labels = list(labels) if labels is not None else valid_wnids
    stray = sorted(set(labels) - set(valid_wnids))
    if stray:
        raise SplitError(f"{stray[0]} is not a valid label: hCorrectSet needs labels out of {valid}.")
    adjacency = read_dag(database, hierarchy, valid_wnids).adjacency
    shells = label_shells(adjacency, adjacency.positions(labels), adjacency.positions(valid_wnids), max(ks))
    for wnid, shell in zip(labels, progress(shells, "hCorrectSets", total=len(labels)), strict=True):
        yield from cut_shells(wnid, [wnids_of(adjacency, positions) for positions in shell], sorted(set(ks)))


def cut_shells(wnid: str, shells: list[list[str]], ks: Sequence[int]) -> Iterator[HCorrectSet]:
    """hCorrectSets of one label from its shells: for every k whole shells while fewer than k members are there."""
    for k in ks:
        sizes = [sum(map(len, shells[: radius + 1])) for radius in range(len(shells))]
        radius = next((radius for radius, size in enumerate(sizes) if size >= k), len(shells) - 1)
        found = [member for shell in shells[: radius + 1] for member in shell]
        yield HCorrectSet(wnid, k, found, radius, len(found) < k)


def class_ancestors(
    database: Database, wnids: Sequence[str], hierarchy: str = "wordnet"
) -> Iterator[dict[str, object]]:
    """Rows wnid, ancestor, hops: all ancestors of every given class."""
    check_hierarchy(database, hierarchy)
    statement = query("class_ancestors", hierarchy=hierarchy)
    for batch in progress(batches(wnids, 1000), "ancestors", total=-(-len(wnids) // 1000)):
        yield from database.rows(statement, wnids=batch)


def path_to_training(database: Database, wnid: str, train: set[str], hierarchy: str) -> list[str]:
    """A shortest path of nodes from a synset to its closest training class; the first by wnid, empty when there is none."""
    before: dict[str, str] = {wnid: ""}
    frontier = [wnid]
    while frontier:
        hits = sorted(set(frontier) & train)
        if hits and frontier != [wnid]:
            path = [hits[0]]
            while before[path[-1]]:
                path.append(before[path[-1]])
            return path[::-1]
        reached: dict[str, str] = {}
        for node, around in sorted(neighbours(database, frontier, hierarchy)):
            for neighbour in sorted(around):
                if neighbour not in before:
                    reached.setdefault(neighbour, node)
        before.update(reached)
        frontier = sorted(reached)
    return []


def check_hierarchy(database: Database, hierarchy: str) -> None:
    """Raise when the hierarchy is unknown, or is the release hierarchy and not loaded."""
    if hierarchy not in HIERARCHIES:
        raise SplitError(f"There is no hierarchy {hierarchy!r}. Choose one of {', '.join(HIERARCHIES)}.")
    if hierarchy == "release":
        require_release(database)

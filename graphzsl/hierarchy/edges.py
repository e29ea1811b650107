"""The edges of a hierarchy, as they are given, and as sparse arrays: their closure, an order of the
nodes, ways along them.

``up`` [V, V] is 1 where the row's node is a child of the column's, ``down`` its transpose; nodes
are positions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from itertools import chain, pairwise
from typing import Any

import numpy as np
from scipy import sparse
from scipy.sparse.csgraph import connected_components

from graphzsl.common.checked_names import wrong_names
from graphzsl.common.class_entries import Entry, refusal
from graphzsl.common.errors import DataError
from graphzsl.hierarchy.search import Positions, row_of
from graphzsl.sources.hierarchy import closes, cycle_of


def checked_edges(edges: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Edges as a list; DataError names those that are not a child and a parent, both names of
    classes."""
    pairs: list[Any] = _listed(edges, "edges", "(child, parent) pairs")
    wrong = {
        place: f"an edge is a child and a parent, two texts, not {pair!r}."
        for place, pair in enumerate(pairs)
        if isinstance(pair, str) or not _is_pair(pair)
    }
    if not wrong and (problems := wrong_names(dict.fromkeys(chain.from_iterable(pairs)))):
        wrong = {
            place: f"the class {problems[end]}."
            for place, pair in enumerate(pairs)
            for end in pair
            if end in problems
        }
    if wrong:
        entries = [Entry(str(pair), f"edge {at}", f"edge {at}") for at, pair in enumerate(pairs)]
        raise refusal(entries, wrong, "edges", "edge", "edges")
    return [(child, parent) for child, parent in pairs]


def checked_nodes(nodes: Iterable[str], ends: Collection[str] = ()) -> set[str]:
    """Nodes as a set; DataError names those that are no names of classes, or look like another of
    them or of the ``ends`` of edges."""
    found: list[Any] = _listed(nodes, "nodes", "texts")
    wrong = {
        place: f"a node is a text, not {node!r}."
        for place, node in enumerate(found)
        if not isinstance(node, str)
    }
    if not wrong and (problems := wrong_names(dict.fromkeys([*ends, *found]))):
        wrong = {
            place: f"the class {problems[node]}."
            for place, node in enumerate(found)
            if node in problems
        }
    if wrong:
        entries = [Entry(str(node), f"node {at}", f"node {at}") for at, node in enumerate(found)]
        raise refusal(entries, wrong, "nodes", "node", "nodes")
    return set(found)


def check_acyclic(up: sparse.csr_array, pairs: Sequence[tuple[str, str]]) -> None:
    """DataError names the last edge of a cycle, and the cycle; one node alone is one, too.

    Args:
        up: [V, V] the edges.
        pairs: the same as they are given, child and parent.
    """
    # no two nodes reach each other, and none has an edge to itself
    parts = connected_components(up, connection="strong", return_labels=False)
    if parts == up.shape[0] and not up.diagonal().any():
        return
    if way := cycle_of(pairs):
        on_it = {(child, parent) for parent, child in pairwise(way)}
        last = max(place for place, pair in enumerate(pairs) if pair in on_it)
        raise DataError(f"edge {last}: {closes(way)}", argument="edges")


def _listed(given: Any, argument: str, what: str) -> list[Any]:
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise DataError(f"{argument} must be several {what}, not {given!r}.", argument=argument)
    return list(given)


def _is_pair(pair: Any) -> bool:
    return (
        isinstance(pair, Sequence | np.ndarray)
        and len(pair) == 2
        and all(isinstance(end, str) for end in pair)
    )


def ones_at(rows: Positions, columns: Positions, size: int) -> sparse.csr_array:
    """[size, size] 1 at these places, named once or more."""
    ones = np.ones(len(rows), dtype=np.float32)
    matrix = sparse.coo_array((ones, (rows, columns)), shape=(size, size)).tocsr()
    matrix.data[:] = 1
    return matrix


def closure(up: sparse.csr_array) -> sparse.csr_array:
    """[V, V] 1 where one edge or more lead up from the row's node to the column's."""
    reached = found = up
    while reached.nnz:
        further = reached @ up
        further.data[:] = 1
        reached = further - further.multiply(found)
        reached.eliminate_zeros()
        found = found + reached
    found.sort_indices()
    return found


def distances_up(up: sparse.csr_array, positions: Positions) -> sparse.csr_array:
    """[N, V] 1 + fewest edges up from a node to each of its ancestors (1: itself); 0 elsewhere."""
    start = (np.ones(len(positions), dtype=np.float32), (np.arange(len(positions)), positions))
    distances = reached = sparse.csr_array(start, shape=(len(positions), up.shape[0]))
    step = 1
    while reached.nnz:
        step += 1
        further = reached @ up
        further.data[:] = 1
        reached = further - further.multiply(distances > 0)
        reached.eliminate_zeros()
        distances = distances + step * reached
    return distances.tocsr()


def parents_first(up: sparse.csr_array, down: sparse.csr_array) -> tuple[Positions, Positions]:
    """(nodes, every parent before its children, breadth first and ties by position; the nodes that
    have no such place: those on a cycle and below one)."""
    waiting = np.diff(up.indptr).tolist()
    ready = [node for node, parents in enumerate(waiting) if not parents]
    columns, starts = down.indices.tolist(), down.indptr.tolist()
    for node in ready:
        for child in columns[starts[node] : starts[node + 1]]:
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)
    return np.array(ready, dtype=np.int64), np.flatnonzero(waiting)


def steps(
    order: Positions, edges: sparse.csr_array, which: Callable[[Iterable[int]], int]
) -> Positions:
    """[V] 0 for a node without such edges, else 1 + the largest or smallest number where they lead;
    ``order`` has these nodes before it."""
    found = [0] * len(order)
    columns, starts = edges.indices.tolist(), edges.indptr.tolist()
    for node in order.tolist():
        if following := columns[starts[node] : starts[node + 1]]:
            found[node] = which([found[each] for each in following]) + 1
    return np.array(found, dtype=np.int64)


def contracted(
    wnids: list[str], up: sparse.csr_array, upwards: Positions, own: set[str]
) -> tuple[list[tuple[str, str]], list[str]]:
    """Edges and nodes without nodes outside ``own`` that have a single child: it goes to their
    parents. ``upwards`` are all positions, every child before its parents."""
    down = up.T.tocsr()
    parents = {wnid: {wnids[p] for p in row_of(up, i)} for i, wnid in enumerate(wnids)}
    children = {wnid: {wnids[p] for p in row_of(down, i)} for i, wnid in enumerate(wnids)}
    for position in upwards:
        wnid = wnids[position]
        if wnid not in own and len(children[wnid]) == 1:
            (child,) = children.pop(wnid)
            parents[child].discard(wnid)
            for parent in parents.pop(wnid):
                children[parent].discard(wnid)
                children[parent].add(child)
                parents[child].add(parent)
    edges = [(child, parent) for child, above in parents.items() for parent in above]
    return edges, list(parents)

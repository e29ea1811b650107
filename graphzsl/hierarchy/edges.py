"""The edges of a hierarchy, as they are given, and as sparse arrays: their closure, an order of the
nodes, ways along them.

``up`` [V, V] is 1 where the row's node is a child of the column's, ``down`` its transpose; nodes
are positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from scipy import sparse

from graphzsl.class_entries import Entry, refusal
from graphzsl.errors import DataError
from graphzsl.hierarchy.search import Positions, row_of


def checked_edges(edges: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Edges as a list; DataError names those that are not a child and a parent, both texts."""
    pairs: list[Any] = _listed(edges, "edges", "(child, parent) pairs")
    wrong = {
        place: f"an edge is a child and a parent, two texts, not {pair!r}."
        for place, pair in enumerate(pairs)
        if isinstance(pair, str) or not _is_pair(pair)
    }
    if wrong:
        entries = [Entry(str(pair), f"edge {at}", f"edge {at}") for at, pair in enumerate(pairs)]
        raise refusal(entries, wrong, "edges", "edge", "edges")
    return [(child, parent) for child, parent in pairs]


def checked_nodes(nodes: Iterable[str]) -> set[str]:
    """Nodes as a set; DataError names those that are not texts."""
    found: list[Any] = _listed(nodes, "nodes", "texts")
    wrong = {
        place: f"a node is a text, not {node!r}."
        for place, node in enumerate(found)
        if not isinstance(node, str)
    }
    if wrong:
        entries = [Entry(str(node), f"node {at}", f"node {at}") for at, node in enumerate(found)]
        raise refusal(entries, wrong, "nodes", "node", "nodes")
    return set(found)


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
    waiting = np.diff(up.indptr).copy()
    ready = list(np.flatnonzero(waiting == 0))
    for node in ready:
        for child in row_of(down, node):
            waiting[child] -= 1
            if not waiting[child]:
                ready.append(child)
    return np.array(ready, dtype=np.int64), np.flatnonzero(waiting)


def steps(
    order: Positions, edges: sparse.csr_array, which: Callable[[Positions], Any]
) -> Positions:
    """[V] 0 for a node without such edges, else 1 + the largest or smallest number where they lead;
    ``order`` has these nodes before it."""
    found = np.zeros(len(order), dtype=np.int64)
    for node in order:
        following = row_of(edges, node)
        if len(following):
            found[node] = which(found[following]) + 1
    return found

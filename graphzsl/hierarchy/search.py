"""Breadth-first searches on arrays: hop distances, closest sources with all ties, shells of labels.

``adjacency`` [V, V] is 1 where an edge joins two nodes (``Hierarchy.adjacency``); nodes are
positions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

Positions = npt.NDArray[np.int64]


def row_of(matrix: sparse.csr_array, position: Any) -> Positions:
    """The columns of a row that hold anything."""
    return np.asarray(
        matrix.indices[matrix.indptr[position] : matrix.indptr[position + 1]], dtype=np.int64
    )


def hop_distances(adjacency: sparse.csr_array, sources: Positions) -> npt.NDArray[np.int64]:
    """[V] hops to the nearest source; -1 where none reaches."""
    hops = np.full(adjacency.shape[0], -1, dtype=np.int64)
    hops[sources] = 0
    frontier, level = np.unique(sources), 0
    while len(frontier):
        level += 1
        around = np.unique(adjacency[frontier].indices)
        frontier = around[hops[around] < 0]
        hops[frontier] = level
    return hops


def prepared_hops(
    adjacency: sparse.csr_array, targets: Positions
) -> Callable[[Positions], npt.NDArray[np.int16]]:
    """A function that gives [N, T] hops of each of N sources, which are targets too, to each of the
    T targets; -1 where there is no path.

    Nodes that lie on no shortest path between targets are left out. Searches go out from 64 sources
    at once, one bit of a word each.
    """
    kept = _between(adjacency, targets)
    part = adjacency[kept][:, kept].tocsr()
    place = np.searchsorted(kept, targets)
    joined = np.flatnonzero(np.diff(part.indptr))
    starts = part.indptr[joined]

    def hops(sources: Positions) -> npt.NDArray[np.int16]:
        found = np.empty((len(sources), len(targets)), dtype=np.int16)
        for first in range(0, len(sources), 64):
            some = np.searchsorted(kept, sources[first : first + 64])
            reached = np.zeros(len(kept), dtype="<u8")
            np.bitwise_or.at(reached, some, np.left_shift(np.uint64(1), _BITS[: len(some)]))
            steps = np.zeros((len(targets), 64), dtype=np.int16)
            while True:
                there = _bits(reached[place])
                further = reached.copy()
                if len(joined):
                    further[joined] |= np.bitwise_or.reduceat(reached[part.indices], starts)
                if np.array_equal(further, reached):
                    break
                steps += there == 0
                reached = further
            steps[there == 0] = -1
            found[first : first + 64] = steps[:, : len(some)].T
        return found

    return hops


_BITS = np.arange(64, dtype=np.uint64)


def _bits(words: npt.NDArray[np.uint64]) -> npt.NDArray[np.uint8]:
    """[T, 64] the bits of T little-endian words, the lowest first."""
    return np.unpackbits(words.view(np.uint8).reshape(len(words), 8), axis=1, bitorder="little")


def _between(adjacency: sparse.csr_array, targets: Positions) -> Positions:
    """The nodes that are left when dead ends that are no targets are taken away, again and again:
    no shortest path between targets goes through the others."""
    degrees = np.diff(adjacency.indptr).astype(np.int64)
    kept = np.ones(len(degrees), dtype=bool)
    is_target = np.zeros(len(degrees), dtype=bool)
    is_target[targets] = True
    while len(ends := np.flatnonzero(kept & ~is_target & (degrees <= 1))):
        kept[ends] = False
        np.subtract.at(degrees, adjacency[ends].indices, 1)
    return np.flatnonzero(kept)


def closest_sources(
    adjacency: sparse.csr_array, sources: Positions
) -> tuple[npt.NDArray[np.int64], sparse.csr_array]:
    """([V] hops, [V, T] 1 where source t is at the smallest distance from the node): all ties are
    kept.

    A node at level h inherits the sources of its neighbours at level h - 1, all nodes of a level in
    one sparse product.
    """
    count, total = adjacency.shape[0], len(sources)
    hops = hop_distances(adjacency, sources)
    ones = np.ones(total, dtype=np.float32)
    inherited = sparse.csr_array((ones, (sources, np.arange(total))), shape=(count, total))
    for level in range(1, int(hops.max(initial=0)) + 1):
        here, before = np.flatnonzero(hops == level), np.flatnonzero(hops == level - 1)
        ties = (adjacency[here][:, before] @ inherited[before]).tocoo()
        values = (np.ones(ties.nnz, dtype=np.float32), (here[ties.row], ties.col))
        inherited = inherited + sparse.csr_array(values, shape=(count, total))
    return hops, inherited


def label_shells(
    adjacency: sparse.csr_array, labels: Positions, valid: Positions, k: int, block: int = 500
) -> Iterator[list[Positions]]:
    """For each label, shells 0, 1, 2, …: the valid labels exactly that many hops away, until k are
    there.

    Fewer than k in all means that the shells ran out. Only labels still short of k go on to the
    next shell.
    """
    is_valid = np.zeros(adjacency.shape[0], dtype=bool)
    is_valid[valid] = True
    for start in range(0, len(labels), block):
        yield from _block_shells(adjacency, labels[start : start + block], is_valid, k)


def _block_shells(
    adjacency: sparse.csr_array, labels: Positions, is_valid: npt.NDArray[np.bool_], k: int
) -> list[list[Positions]]:
    count = adjacency.shape[0]
    shells: list[list[Positions]] = [[np.array([label])] for label in labels]
    sizes = np.ones(len(labels), dtype=np.int64)
    seen = np.zeros((len(labels), count), dtype=bool)
    seen[np.arange(len(labels)), labels] = True
    rows, nodes = np.arange(len(labels)), labels
    while True:
        going = sizes[rows] < k
        rows, nodes = rows[going], nodes[going]
        if not len(rows):
            return shells
        frontier = sparse.csr_array(
            (np.ones(len(rows), dtype=np.float32), (rows, nodes)), shape=seen.shape
        )
        edges = (frontier @ adjacency).tocoo()
        new = ~seen[edges.row, edges.col]
        rows, nodes = edges.row[new], edges.col[new]
        seen[rows, nodes] = True
        order = np.lexsort((nodes, rows))
        rows, nodes = rows[order], nodes[order]
        reached = np.unique(rows)
        if not len(reached):
            return shells
        hits = is_valid[nodes]
        bounds = np.searchsorted(rows[hits], reached)
        for row, members in zip(reached, np.split(nodes[hits], bounds[1:]), strict=True):
            shells[row].append(members)
            sizes[row] += len(members)

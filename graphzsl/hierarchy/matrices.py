"""Matrices of a hierarchy by position: adjacency, ancestors and descendants as sparse matrices,
depths and heights as arrays, each computed on first use."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from graphzsl.common.errors import DataError
from graphzsl.hierarchy.edges import closure, distances_up, parents_first, steps
from graphzsl.hierarchy.search import Positions

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class HierarchyMatrices:
    """Nodes at positions, and their hypernym edges.

    Args:
        wnids: [V] the nodes.
        index: wnid -> position.
        up: [V, V] 1 where the row's node is a child of the column's.
    """

    wnids: list[str]
    index: dict[str, int]
    up: sparse.csr_array

    @cached_property
    def adjacency(self) -> sparse.csr_array:
        """[V, V] 1 where an edge joins two nodes, in either direction: what hops are counted on."""
        return ((self.up + self.up.T) > 0).astype(np.float32).tocsr()

    @cached_property
    def down(self) -> sparse.csr_array:
        """[V, V] 1 where the row's node is a parent of the column's."""
        return self.up.T.tocsr()

    @cached_property
    def ancestor_matrix(self) -> sparse.csr_array:
        """[V, V] 1 where the column's node is an ancestor of the row's; no node is its own."""
        return closure(self.up)

    @cached_property
    def ancestor_or_self_matrix(self) -> sparse.csr_array:
        """``ancestor_matrix`` with every node above itself too."""
        return (self.ancestor_matrix + sparse.eye_array(len(self.wnids), dtype=np.float32)).tocsr()

    @cached_property
    def descendant_matrix(self) -> sparse.csr_array:
        """[V, V] 1 where the column's node is a descendant of the row's."""
        return self.ancestor_matrix.T.tocsr()

    @cached_property
    def order(self) -> Ints:
        """Positions, every parent before its children (DataError for a cycle); ties by wnid,
        breadth first."""
        ready, waiting = parents_first(self.up, self.down)
        if len(waiting):
            cycle = self.wnids[int(waiting[0])]
            raise DataError(f"The hierarchy has a cycle through {cycle}.")
        return ready

    @cached_property
    def max_depth(self) -> Ints:
        """[V] longest way up to a root."""
        return steps(self.order, self.up, max)

    @cached_property
    def min_depth(self) -> Ints:
        """[V] shortest way up to a root."""
        return steps(self.order, self.up, min)

    @cached_property
    def heights(self) -> Ints:
        """[V] longest way down to a leaf."""
        return steps(self.order[::-1], self.down, max)

    def ancestor_distances(self, positions: Positions) -> sparse.csr_array:
        """[N, V] 1 + fewest edges up from a node to each of its ancestors (1: itself); 0
        elsewhere."""
        return distances_up(self.up, positions)

    def related(self, positions: Positions) -> sparse.csr_array:
        """[N, N] 1 where the column's node is an ancestor of the row's, among these nodes."""
        return self.ancestor_matrix[positions][:, positions].tocsr()

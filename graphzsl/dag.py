"""A hierarchy as a directed graph in memory: ancestors, descendants, levels, heights, pruning. Pure functions of edges read once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from graphzsl.errors import DataError
from graphzsl.hops import Adjacency, Positions, positions_of, row_of

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Dag:
    """``up`` [V, V] is 1 where the row's node is a child of the column's; ``index`` maps wnid to position."""

    wnids: list[str]
    index: dict[str, int]
    up: sparse.csr_array

    @classmethod
    def from_edges(cls, edges: Iterable[tuple[str, str]], nodes: Iterable[str] = ()) -> Dag:
        """From (child, parent) pairs; ``nodes`` adds nodes that no edge mentions. Wnids are sorted."""
        pairs = list(edges)
        wnids = sorted({wnid for pair in pairs for wnid in pair} | set(nodes))
        index = {wnid: position for position, wnid in enumerate(wnids)}
        child = np.array([index[child] for child, _ in pairs], dtype=np.int64)
        parent = np.array([index[parent] for _, parent in pairs], dtype=np.int64)
        return cls(wnids, index, _ones(child, parent, len(wnids)))

    def positions(self, wnids: Iterable[str]) -> Positions:
        """Positions of wnids, one for each in their order; DataError names one that is not a node."""
        return positions_of(self.index, wnids)

    @cached_property
    def adjacency(self) -> Adjacency:
        """The undirected hierarchy, for hops."""
        matrix = ((self.up + self.up.T) > 0).astype(np.float32).tocsr()
        return Adjacency(self.wnids, self.index, matrix)

    @cached_property
    def down(self) -> sparse.csr_array:
        """[V, V] 1 where the row's node is a parent of the column's."""
        return self.up.T.tocsr()

    @cached_property
    def ancestors(self) -> sparse.csr_array:
        """[V, V] 1 where the column's node is an ancestor of the row's; a node is none of its own."""
        reached = found = self.up
        while reached.nnz:
            further = reached @ self.up
            further.data[:] = 1
            reached = further - further.multiply(found)
            reached.eliminate_zeros()
            found = found + reached
        found.sort_indices()
        return found

    @cached_property
    def lines(self) -> sparse.csr_array:
        """``ancestors`` with every node above itself too."""
        return (self.ancestors + sparse.eye_array(len(self.wnids), dtype=np.float32)).tocsr()

    @cached_property
    def descendants(self) -> sparse.csr_array:
        """[V, V] 1 where the column's node is a descendant of the row's."""
        return self.ancestors.T.tocsr()

    def above(self, wnid: str) -> set[str]:
        """All ancestors of a node."""
        return self._row(self.ancestors, wnid)

    def below(self, wnid: str) -> set[str]:
        """All descendants of a node."""
        return self._row(self.descendants, wnid)

    def below_any(self, wnids: Iterable[str]) -> set[str]:
        """These nodes and everything below one of them."""
        positions = self.positions(wnids)
        return {self.wnids[p] for p in np.unique(np.r_[positions, self.descendants[positions].indices])}

    def neighbours(self, wnid: str) -> list[str]:
        """Direct parents and children of a node, sorted."""
        p = self.positions([wnid])[0]
        return sorted(self.wnids[n] for n in (*row_of(self.up, p), *row_of(self.down, p)))

    @cached_property
    def order(self) -> Ints:
        """Positions, every parent before its children (DataError for a cycle); ties by wnid, breadth first."""
        waiting = np.diff(self.up.indptr).copy()
        ready = list(np.flatnonzero(waiting == 0))
        for node in ready:
            for child in row_of(self.down, node):
                waiting[child] -= 1
                if not waiting[child]:
                    ready.append(child)
        if len(ready) < len(self.wnids):
            raise DataError(f"The hierarchy has a cycle through {self.wnids[int(np.flatnonzero(waiting)[0])]}.")
        return np.array(ready, dtype=np.int64)

    @cached_property
    def levels(self) -> Ints:
        """[V] longest way up to a root."""
        return self._steps(self.order, self.up, np.max)

    @cached_property
    def depths(self) -> Ints:
        """[V] shortest way up to a root."""
        return self._steps(self.order, self.up, np.min)

    @cached_property
    def heights(self) -> Ints:
        """[V] longest way down to a leaf."""
        return self._steps(self.order[::-1], self.down, np.max)

    def _steps(self, order: Ints, edges: sparse.csr_array, which: Callable[[Ints], Any]) -> Ints:
        """[V] 0 for a node without such edges, else one more than the largest or smallest number where they lead."""
        found = np.zeros(len(self.wnids), dtype=np.int64)
        for node in order:
            following = row_of(edges, node)
            if len(following):
                found[node] = which(found[following]) + 1
        return found

    def hops_up(self, positions: Positions) -> sparse.csr_array:
        """[N, V] 1 + fewest edges up from a node to each of its ancestors (1: itself); 0 where the column's node is no ancestor."""
        start = (np.ones(len(positions), dtype=np.float32), (np.arange(len(positions)), positions))
        found = reached = sparse.csr_array(start, shape=(len(positions), len(self.wnids)))
        step = 1
        while reached.nnz:
            step += 1
            further = reached @ self.up
            further.data[:] = 1
            reached = further - further.multiply(found > 0)
            reached.eliminate_zeros()
            found = found + step * reached
        return found.tocsr()

    def trimmed(self, classes: Collection[str]) -> Dag:
        """Only the classes and their ancestors, where a class without another below it is a leaf (Russakovsky et al. 2015, 3.1.1)."""
        kept = np.unique(self.lines[self.positions(sorted(classes))].indices)
        return self._kept(kept)

    def pruned(self, classes: Collection[str]) -> Dag:
        """``trimmed``, and nodes with a single child that are no class are contracted: their child goes to their parents.

        The hierarchy on which the code released with Hascoet et al. (2019) measures distances; the paper's text does not say so.
        """
        part = self.trimmed(classes)
        parents = {wnid: {part.wnids[p] for p in row_of(part.up, i)} for i, wnid in enumerate(part.wnids)}
        children = {wnid: {part.wnids[p] for p in row_of(part.down, i)} for i, wnid in enumerate(part.wnids)}
        own = set(classes)
        for position in part.order[::-1]:
            wnid = part.wnids[position]
            if wnid not in own and len(children[wnid]) == 1:
                (child,) = children.pop(wnid)
                parents[child].discard(wnid)
                for parent in parents.pop(wnid):
                    children[parent].discard(wnid)
                    children[parent].add(child)
                    parents[child].add(parent)
        return Dag.from_edges(((child, parent) for child, above in parents.items() for parent in above), parents)

    def related(self, positions: Positions) -> sparse.csr_array:
        """[N, N] 1 where the column's node is an ancestor of the row's, among these nodes."""
        return self.ancestors[positions][:, positions].tocsr()

    def _kept(self, positions: Ints) -> Dag:
        wnids = [self.wnids[p] for p in positions]
        return Dag(wnids, {wnid: p for p, wnid in enumerate(wnids)}, self.up[positions][:, positions].tocsr())

    def _row(self, matrix: sparse.csr_array, wnid: str) -> set[str]:
        return {self.wnids[p] for p in row_of(matrix, self.positions([wnid])[0])}


def _ones(rows: Ints, columns: Ints, size: int) -> sparse.csr_array:
    matrix = sparse.coo_array((np.ones(len(rows), dtype=np.float32), (rows, columns)), shape=(size, size)).tocsr()
    matrix.data[:] = 1
    return matrix

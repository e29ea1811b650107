"""Edges between classes in the tree of the classes alone: what lies between them in the hierarchy
does not count."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt
from scipy import sparse

from graphzsl.hierarchy.class_lists import check_distinct
from graphzsl.hierarchy.distances import Matrix
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import Positions, row_of
from graphzsl.hierarchy.trees import tree_of

Floats = npt.NDArray[np.float64]
#: Sources whose distances are computed at once.
_BLOCK = 1000


@dataclass(frozen=True, eq=False)
class ClassTree:
    """The tree of a set of classes: the parent of a class is the next class of the set above it, on
    its shortest way to a root of the hierarchy (ties between parents by wnid).

    A class without another above it is a root. d(a, b) is the number of edges between a and b; two
    classes under different roots are as far apart as if their roots were two edges below a common
    one, and one edge more: a + b + 3 edges, a and b being their edges below their roots.

    Args:
        hierarchy: where the ways up are.
        classes: C wnids, each once; only they have distances.

    Raises:
        DataError: no class, one that is there twice, or one that is not a node.

    Reference:
        The lists released with Vaze et al. 2022 (SSB): their order is that of the sum of these
        distances, the three edges between roots included. The tree of ImageNet-21K-P (Ridnik et
        al. 2021) keeps one parent per class too, and its rule is not published.
    """

    hierarchy: Hierarchy
    classes: Sequence[str]

    def __post_init__(self) -> None:
        check_distinct(self.hierarchy, self.classes)

    def to(self, targets: Positions) -> Matrix:
        """A function of sources that gives [N, T] edges; both are positions of classes in the
        hierarchy."""
        there = self._lines[self._rows(targets)]
        depths = np.asarray(there.sum(axis=1)).ravel()
        down = there.T.tocsc()

        def lengths(sources: Positions) -> Floats:
            here = self._lines[self._rows(sources)]
            shared = (here @ down).toarray()
            return _edges(np.asarray(here.sum(axis=1)).ravel()[:, None], depths, shared)

        return lengths

    def nearest(self, sources: Positions, targets: Positions) -> Floats:
        """[N] the smallest distance of each source to a target other than itself; inf where there
        is none."""
        lengths = self.to(targets)
        found = []
        for start in range(0, len(sources), _BLOCK):
            part = sources[start : start + _BLOCK]
            block = lengths(part)
            block[part[:, None] == targets] = np.inf
            found.append(block.min(axis=1, initial=np.inf))
        return np.concatenate(found) if found else np.empty(0)

    def over_each_way(self, source: int, targets: Positions) -> Floats:
        """[W, T] the distances of a source to every target along each of its ways up, W of which
        lead over different classes; the targets keep their own way."""
        column = {int(node): place for place, node in enumerate(self._nodes)}
        ways = sorted(sorted(column[node] for node in way) for way in self._ways(source))
        rows = np.repeat(np.arange(len(ways)), [len(way) for way in ways])
        columns = np.array([place for way in ways for place in way], dtype=np.int64)
        shape = (len(ways), len(self._nodes))
        here = sparse.csr_array((np.ones(len(rows)), (rows, columns)), shape=shape)
        there = self._lines[self._rows(targets)]
        depths = np.asarray(there.sum(axis=1)).ravel()
        return _edges(
            np.asarray(here.sum(axis=1)).ravel()[:, None], depths, (here @ there.T).toarray()
        )

    @cached_property
    def _nodes(self) -> Positions:
        return np.sort(self.hierarchy.positions(self.classes))

    @cached_property
    def _lines(self) -> sparse.csr_array:
        """[C, C] 1 where the column's class is the row's or above it in the tree, by position."""
        wnids = [self.hierarchy.wnids[node] for node in self._nodes]
        tree, _ = tree_of(self.hierarchy, wnids, "shortest")
        own = tree.positions(wnids)
        return tree.ancestor_or_self_matrix[own][:, own].astype(np.float64).tocsr()

    def _rows(self, positions: Positions) -> Positions:
        return np.searchsorted(self._nodes, positions)

    def _ways(self, node: int) -> set[frozenset[int]]:
        """The classes at and above a node, along each way up."""
        known = self._known_ways
        if node not in known:
            up = self.hierarchy.up
            above = [way for parent in row_of(up, node) for way in self._ways(int(parent))]
            own = frozenset([node] if node in self._members else [])
            known[node] = {own | way for way in above} or {own}
        return known[node]

    @cached_property
    def _known_ways(self) -> dict[int, set[frozenset[int]]]:
        return {}

    @cached_property
    def _members(self) -> frozenset[int]:
        return frozenset(self._nodes.tolist())


def _edges(one: Floats, other: Floats, shared: Floats) -> Floats:
    """Edges between classes with ``one`` and ``other`` classes on their lines, of which they share
    some; none shared is one more than over a common root."""
    return np.asarray(one + other - 2 * shared + (shared == 0), dtype=np.float64)

"""Distances between classes, and the nearest class of a set under each: path, LCA height,
Jiang–Conrath, Lin.

Every distance answers ``nearest(sources, targets)``: for each source the smallest distance to a
target other than itself. None of them takes pair by pair: a path search runs once from all targets,
and the distances through common ancestors need only the two best targets below each ancestor.
``to(targets)`` gives all of them: a function from sources to their distances to every target.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np
import numpy.typing as npt
from scipy import sparse

from graphzsl.common.errors import DataError, SettingsError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.relations import LowestCommon, ToCandidates
from graphzsl.hierarchy.search import Positions, hop_distances, prepared_hops, row_of

Floats = npt.NDArray[np.float64]
Matrix = Callable[[Positions], Floats]
#: The distances that take information content.
INFORMED_DISTANCES = ("jcn", "lin")
#: Nodes whose distances are kept for their children.
_KEPT = 200


class Distance(Protocol):
    """A distance between nodes of a hierarchy, by position."""

    def nearest(self, sources: Positions, targets: Positions) -> Floats:
        """[N] smallest distance of each source to a target other than itself; inf where there is
        none."""

    def to(self, targets: Positions) -> Matrix:
        """A function of sources that gives [N, T] their distances to every target, 0 to itself; inf
        where there is none. Sources are targets too."""


@dataclass(frozen=True)
class Path:
    """Hops: edges of a shortest path, direction ignored, through any node (Hascoet et al. 2019,
    equation 5)."""

    hierarchy: Hierarchy

    def nearest(self, sources: Positions, targets: Positions) -> Floats:
        """[N] hops of each source to the nearest target other than itself; inf where none is
        reachable."""
        hops = hop_distances(self.hierarchy.adjacency, targets)[sources]
        lengths = np.where(hops < 0, np.inf, hops.astype(float))
        own = np.isin(sources, targets)
        if own.any():
            others = nearest_others(self.hierarchy.adjacency, targets)
            lengths[own] = others[np.searchsorted(np.unique(targets), sources[own])]
        return lengths

    def to(self, targets: Positions) -> Matrix:
        """A function of sources that gives [N, T] hops; inf where a target is not reachable."""
        hops_of = prepared_hops(self.hierarchy.adjacency, targets)

        def lengths(sources: Positions) -> Floats:
            hops = hops_of(sources)
            return np.where(hops < 0, np.inf, hops)

        return lengths


@dataclass(frozen=True)
class AncestorPath:
    """Edges up to a common ancestor (a node is above itself) and down, as few as can be: NLTK's
    ``shortest_path_distance``. ``Path`` may be shorter: it also leads over common descendants."""

    hierarchy: Hierarchy

    def to(self, targets: Positions) -> Matrix:
        """A function of sources that gives [N, T] edges; inf where there is no common ancestor."""
        up = self.hierarchy.up
        ways_up = self.hierarchy.ancestor_distances(targets).tocsc()

        @lru_cache(_KEPT)
        def lengths_of(node: int) -> Floats:
            # over the parents of the node, and over the node itself
            found = np.full(len(targets), np.inf)
            for parent in row_of(up, node).tolist():
                np.minimum(found, lengths_of(parent) + 1, out=found)
            start, end = ways_up.indptr[node : node + 2]
            below, ways = ways_up.indices[start:end], ways_up.data[start:end] - 1
            found[below] = np.minimum(found[below], ways)
            return found

        return lambda sources: np.stack([lengths_of(source) for source in sources.tolist()])


@dataclass(frozen=True, eq=False)
class ThroughAncestors:
    """d(a, b) = the smallest value over common ancestors x (a node is above itself) of ``value(x,
    a, b)``.

    ``value`` must not fall as ``weight[b]`` grows, so that the lightest target below x is the
    nearest one through x; nor as ``level[x]`` grows, so that the lowest x is the best.
    """

    hierarchy: Hierarchy
    weight: Floats
    level: Floats
    value: Callable[[Positions, Positions, Positions], Floats]

    def nearest(self, sources: Positions, targets: Positions) -> Floats:
        """[N] smallest distance of each source to a target other than itself; inf where they share
        no ancestor."""
        first, second = self._lightest(np.unique(targets))
        lines = self.hierarchy.ancestor_or_self_matrix[sources].tocoo()
        row, above = lines.row, lines.col.astype(np.int64)
        best = np.where(first[above] == sources[row], second[above], first[above])
        there = best >= 0
        row, above, best = row[there], above[there], best[there]
        lengths = np.full(len(sources), np.inf)
        np.minimum.at(lengths, row, self.value(above, sources[row], best))
        return lengths

    def to(self, targets: Positions) -> Matrix:
        """A function of sources that gives [N, T] distances; inf where there is no common
        ancestor."""
        wnids = self.hierarchy.wnids
        order = np.argsort(self.level, kind="stable")
        rank = dict(zip((wnids[p] for p in order), range(len(order)), strict=True))
        to_targets = ToCandidates(self.hierarchy, [wnids[target] for target in targets])
        common = LowestCommon(to_targets, rank)

        def lengths(sources: Positions) -> Floats:
            lowest = np.stack([common.lowest(wnids[source])[:-1] for source in sources])
            there = np.isfinite(lowest)
            best = order[np.where(there, lowest, 0).astype(np.int64)]
            found = np.where(there, self.value(best, sources[:, None], targets), np.inf)
            found[sources[:, None] == targets] = 0
            return found

        return lengths

    def _lightest(self, targets: Positions) -> tuple[Positions, Positions]:
        """([V], [V]) the lightest and the second lightest target at or below every node; -1 where
        there is none."""
        lines = self.hierarchy.ancestor_or_self_matrix[targets].tocoo()
        target, node = targets[lines.row], lines.col
        order = np.lexsort((target, self.weight[target], node))
        target, node = target[order], node[order]
        starts = (
            np.flatnonzero(np.r_[True, np.diff(node) > 0])
            if len(node)
            else np.array([], dtype=np.int64)
        )
        lightest = np.full((2, len(self.hierarchy.wnids)), -1, dtype=np.int64)
        lightest[0, node[starts]] = target[starts]
        later = starts[(starts + 1 < len(node))]
        later = later[node[later + 1] == node[later]]
        lightest[1, node[later]] = target[later + 1]
        return lightest[0], lightest[1]


def lca_height(hierarchy: Hierarchy) -> ThroughAncestors:
    """Height of the lowest common ancestor (Russakovsky et al. 2015, section 4.1), in the hierarchy
    given: trim it for the paper's."""
    zero, heights = np.zeros(len(hierarchy.wnids)), hierarchy.heights.astype(float)
    return ThroughAncestors(hierarchy, zero, heights, lambda x, a, b: heights[x])


def lca_depth(hierarchy: Hierarchy) -> ThroughAncestors:
    """Depth of the lowest common ancestor, counted from below: the longest way from a root to any
    leaf, less the longest way from a root to the ancestor. Where all leaves are equally deep, this
    is its height.

    Reference:
        The distances released with Bertinetto et al. 2020, Making better mistakes.
    """
    zero, depths = np.zeros(len(hierarchy.wnids)), hierarchy.max_depth
    above = (depths.max() - depths).astype(float)
    return ThroughAncestors(hierarchy, zero, above, lambda x, a, b: above[x])


def jiang_conrath(hierarchy: Hierarchy, content: Floats) -> ThroughAncestors:
    """IC(a) + IC(b) − 2 IC(x), x the common ancestor with the most information (Jiang and Conrath
    1997)."""
    return ThroughAncestors(
        hierarchy,
        content,
        -content,
        lambda x, a, b: np.maximum(content[a] + content[b] - 2 * content[x], 0.0),
    )


def lin(hierarchy: Hierarchy, content: Floats) -> ThroughAncestors:
    """1 − 2 IC(x) / (IC(a) + IC(b)) (Lin 1998); 0 where neither class carries information."""

    def value(x: Positions, a: Positions, b: Positions) -> Floats:
        total = content[a] + content[b]
        return np.where(total > 0, 1 - 2 * content[x] / np.where(total > 0, total, 1), 0.0)

    return ThroughAncestors(hierarchy, content, -content, value)


def distance_of(kind: str, hierarchy: Hierarchy, content: Floats | None = None) -> Distance:
    """The distance ``path``, ``lca``, ``jcn`` or ``lin`` on this hierarchy; the last two take the
    information content of its nodes.

    SettingsError for another name.
    """
    if kind == "path":
        return Path(hierarchy)
    if kind == "lca":
        return lca_height(hierarchy)
    if kind in INFORMED_DISTANCES and content is not None:
        return (jiang_conrath if kind == "jcn" else lin)(hierarchy, content)
    raise SettingsError(
        f"There is no distance {kind!r}. Choose one of path, lca, {', '.join(INFORMED_DISTANCES)}."
    )


def information_content(hierarchy: Hierarchy, counts: Mapping[str, int]) -> Floats:
    """[V] −log of the share of all counts that fall on a node or below it (Resnik 1995), natural
    logarithm.

    Every node counts once more than given, so that none is infinitely rare; a node under several
    parents counts once for each ancestor.
    """
    own = np.array([counts.get(wnid, 0) + 1.0 for wnid in hierarchy.wnids])
    if (own < 1).any():
        raise DataError(
            f"The count of {hierarchy.wnids[int(np.flatnonzero(own < 1)[0])]} is negative."
        )
    return -np.log(_shares(hierarchy, own))


def leaf_information(hierarchy: Hierarchy) -> Floats:
    """[V] −log2 of the share of all leaves that are a node or lie below it, in bits (Deng et al.
    2012; Shi et al. 2024).

    A leaf under several parents counts once for each ancestor; a leaf has log2 of the number of
    leaves.
    """
    return -np.log2(_shares(hierarchy, np.equal(hierarchy.heights, 0).astype(np.float64)))


def _shares(hierarchy: Hierarchy, own: Floats) -> Floats:
    """[V] the share of the sum of ``own`` [V] that falls on a node or below it."""
    return np.asarray((own + hierarchy.descendant_matrix @ own) / own.sum())


def nearest_others(adjacency: sparse.csr_array, members: Positions) -> Floats:
    """[M] hops of each distinct member (sorted) to the nearest other member, from one search; inf
    where none is reachable.

    Every node is given to one of its closest members. A shortest path from a member to its nearest
    other one crosses exactly where the owner changes, so the smallest sum of hops over such an edge
    is the distance.
    """
    members = np.unique(members)
    count = adjacency.shape[0]
    owner, hops = np.full(count, -1, dtype=np.int64), np.full(count, -1, dtype=np.int64)
    owner[members], hops[members] = np.arange(len(members)), 0
    frontier, level = members, 0
    while len(frontier):
        level += 1
        around = adjacency[frontier].tocoo()
        new = owner[around.col] < 0
        nodes, first = np.unique(around.col[new], return_index=True)
        owner[nodes], hops[nodes] = owner[frontier[around.row[new][first]]], level
        frontier = nodes
    edges = adjacency.tocoo()
    one, other = owner[edges.row], owner[edges.col]
    crossing = (one >= 0) & (other >= 0) & (one != other)
    nearest = np.full(len(members), np.inf)
    lengths = hops[edges.row[crossing]] + hops[edges.col[crossing]] + 1.0
    np.minimum.at(nearest, one[crossing], lengths)
    return nearest

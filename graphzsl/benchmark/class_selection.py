"""Choosing test classes of the largest mean structural ratio, with a bound on what any choice could
reach.

The problem, for candidates C with t(c) hops to the nearest training class: choose S of ``size``
classes, none an ancestor of another, with the largest mean of r(c) = t(c) / hops to the nearest
other class of S (Hascoet et al. 2019, equation 5, who name no method). It is written as an integer
program and solved by HiGHS (through SciPy):

* x(c) ∈ {0, 1}: c is chosen; one constraint Σ x = size, and Σ x ≤ 1 along every chain of candidates
  below one another;
* z(c, d) ≥ 0: c is paid t(c)/d; Σ z(c, ·) = x(c), and z(c, d) ≤ Σ x over the candidates at most d
  hops from c, for d up to ``REACH``; the rest is paid t(c) / (REACH + 1), at least what it is
  worth;
* with ``spread`` f: below every node at most f times its share of the candidates among the chosen
  classes (or ``FLOOR`` of them).

Only candidates at least some distance from the training classes enter; all others are one variable
y, how many of them are chosen, that is paid half of the largest distance left out and counts as a
partner wherever one of them could be one. Where y ends at 0, leaving them out lost nothing. The
bound is that of the relaxed program, so it holds for every choice of candidates whatever the search
did; ties between equally good sets are HiGHS's, which is deterministic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from graphzsl.common.errors import SplitError
from graphzsl.hierarchy.distances import Path
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.ratio import structural_ratios
from graphzsl.hierarchy.search import Positions, hop_distances, row_of

Floats = npt.NDArray[np.float64]
#: Distances between chosen classes that the program tells apart.
REACH = 4
#: A branch may always hold this share of the classes, and two of them: a class alone in its branch
#: has no neighbour.
FLOOR = 0.01
#: Relative gap to the bound at which the search may stop: without and with limits on branches,
#: where the last half per cent takes minutes.
GAP, SPREAD_GAP = 1e-4, 7e-3
#: Most nodes of the search tree (a limit on time would not be deterministic).
NODES = 200


@dataclass(frozen=True)
class Selection:
    """The chosen classes (by wnid) with their mean structural ratio, and the bounds that go with
    it."""

    wnids: list[str]
    structural_ratio: float
    bound: float  #: no choice under the same constraints has a larger R
    #: half the mean training distance of the furthest candidates: what unrelated siblings could
    #: reach
    simple_bound: float

    @property
    def gap(self) -> float:
        """Distance of R below the bound, as a share of the bound."""
        return max(0.0, 1 - self.structural_ratio / self.bound)


def select(
    hierarchy: Hierarchy,
    train: Sequence[str],
    candidates: Sequence[str],
    size: int,
    spread: float | None = None,
) -> Selection:
    """The best antichain found; SplitError when the candidates hold none of that size."""
    positions = np.sort(hierarchy.positions(candidates))
    hops = hop_distances(hierarchy.adjacency, hierarchy.positions(train))[positions]
    reachable = hops > 0
    positions, hops = positions[reachable], hops[reachable]
    if size < 2 or len(positions) < size:
        raise SplitError(
            f"{len(positions):,} candidates do not make a split of {size}; loosen a filter or take"
            " for fewer classes."
        )
    caps = branch_caps(hierarchy, positions, size, spread) if spread else []
    furthest = np.sort(hops)[::-1]
    least = int(furthest[min(len(furthest), (4 if caps else 2) * size) - 1])
    while True:
        inside = np.flatnonzero(hops >= least)
        program = _Program(
            hierarchy, positions, inside, hops[inside], size, caps, outside=(least - 1) / 2
        )
        bound, left_out = program.bound()
        if not left_out or len(inside) == len(hops):
            chosen = program.solve()
            if chosen is not None:
                break
            if len(inside) == len(hops):
                raise SplitError(
                    f"No {size} of the {len(hops):,} candidates are unrelated"
                    + (f" with a spread of {spread:g}" if spread else "")
                    + "; take fewer classes."
                )
        least -= 1
    wnids = [hierarchy.wnids[p] for p in np.sort(positions[inside][chosen])]
    ratio = structural_ratios(hierarchy, Path(hierarchy), train, wnids).structural_ratio
    assert ratio is not None
    return Selection(wnids, ratio, max(bound, ratio), float(furthest[:size].mean() / 2))


def branch_caps(
    hierarchy: Hierarchy, candidates: Positions, size: int, spread: float
) -> list[tuple[Positions, int]]:
    """(candidates below a node, how many of them may be chosen) for every node whose limit binds;
    equal branches once.

    The limit is spread × size × the branch's share of the candidates, rounded up, and at least
    ``FLOOR`` × size and 2.
    """
    if spread < 1:
        raise SplitError(f"spread must be at least 1 (each branch its own share), not {spread:g}.")
    below = hierarchy.ancestor_or_self_matrix[candidates].tocsc()
    caps, seen = [], set()
    for node in np.flatnonzero(np.diff(below.indptr)):
        rows = np.sort(row_of(below, node))
        limit = max(
            2, math.ceil(FLOOR * size), math.ceil(spread * size * len(rows) / len(candidates))
        )
        key = rows.tobytes()
        if len(rows) > limit and limit < size and key not in seen:
            seen.add(key)
            caps.append((candidates[rows], limit))
    return caps


class _Program:
    """The integer program over the candidates that enter it (``inside``: their places): variables x
    [M], z [REACH, M], y."""

    def __init__(
        self,
        hierarchy: Hierarchy,
        everything: Positions,
        inside: Positions,
        hops: npt.NDArray[np.int64],
        size: int,
        caps: list[tuple[Positions, int]],
        outside: float,
    ):
        candidates = everything[inside]
        self.size, self.count = size, len(candidates)
        self.promising = np.ones(self.count, dtype=bool)
        self.gap = SPREAD_GAP if caps else GAP
        count, total = self.count, self.count * (REACH + 1) + 1
        near = _within(hierarchy.adjacency, candidates, everything, REACH)
        related = (
            hierarchy.ancestor_matrix[candidates][:, everything]
            + hierarchy.descendant_matrix[candidates][:, everything]
        )
        is_outside = np.ones(len(everything), dtype=bool)
        is_outside[inside] = False
        lengths = [*range(2, REACH + 1), REACH + 1]
        self.worth = np.concatenate(
            [np.zeros(count), *(hops / length for length in lengths), [outside]]
        )
        identity, blank = sparse.eye_array(count, format="csr"), sparse.csr_array((count, 1))
        zero = sparse.csr_array((count, count))
        parts: list[tuple[sparse.sparray, Floats, Floats]] = []
        paid = sparse.hstack([-identity, *[identity] * REACH, blank])
        parts.append((paid, np.zeros(count), np.zeros(count)))
        for place, length in enumerate(lengths[:-1]):
            partners = near.astype(np.float64)
            partners.data[:] = near.data <= length
            partners = (partners - partners.multiply(related > 0)).tocsc()
            helped = (
                sparse.csr_array(partners[:, is_outside].max(axis=1).reshape(-1, 1))
                if is_outside.any()
                else blank
            )
            columns = [identity if other == place else zero for other in range(REACH)]
            limited = sparse.hstack([-partners[:, inside], *columns, -helped])
            parts.append((limited, np.full(count, -np.inf), np.zeros(count)))
        groups = [(chain, 1) for chain in _chains(hierarchy, candidates)]
        place_of = {int(position): place for place, position in enumerate(candidates)}
        for members, limit in caps:
            here = [place_of[int(member)] for member in members if int(member) in place_of]
            if len(here) > limit:
                groups.append((here, limit))
        rows = np.repeat(np.arange(len(groups)), [len(members) for members, _ in groups])
        places = np.array([member for members, _ in groups for member in members], dtype=np.int64)
        grouped = sparse.csr_array((np.ones(len(rows)), (rows, places)), shape=(len(groups), total))
        parts.append(
            (
                grouped,
                np.full(len(groups), -np.inf),
                np.array([float(limit) for _, limit in groups]),
            )
        )
        all_of = sparse.csr_array(np.r_[np.ones(count), np.zeros(count * REACH), 1.0][None])
        parts.append((all_of, np.array([float(size)]), np.array([float(size)])))
        matrix = sparse.vstack([part for part, _, _ in parts]).tocsc()
        low, high = (
            np.concatenate([low for _, low, _ in parts]),
            np.concatenate([high for _, _, high in parts]),
        )
        self.constraints = LinearConstraint(matrix, low, high)

    def bound(self) -> tuple[float, bool]:
        """(bound on R, whether candidates that were left out could matter), from the relaxed
        program."""
        matrix, low, high = self.constraints.A.tocsr(), self.constraints.lb, self.constraints.ub
        equal = low == high
        upper = np.r_[np.ones(len(self.worth) - 1), self.size]
        solution = linprog(
            -self.worth,
            A_ub=matrix[~equal],
            b_ub=high[~equal],
            A_eq=matrix[equal],
            b_eq=high[equal],
            bounds=np.column_stack([np.zeros(len(upper)), upper]),
        )
        if solution.x is None:
            return math.inf, True
        costs = solution.lower.marginals[: self.count * (REACH + 1)].reshape(REACH + 1, self.count)
        self.promising = (solution.x[: self.count] > 0) | (costs[0] + costs[1:].min(axis=0) < 1e-9)
        return float(-solution.fun / self.size), bool(solution.x[-1] > 1e-6)

    def solve(self) -> Positions | None:
        """Places of the chosen candidates; None when there are not enough unrelated ones.

        First among those that cost the relaxed program nothing: a set of nearly its value is there,
        found in a tenth of the time.
        """
        for allowed in (self.promising, np.ones(self.count, dtype=bool)):
            solution = milp(
                -self.worth,
                integrality=np.r_[np.ones(self.count), np.zeros(len(self.worth) - self.count)],
                constraints=self.constraints,
                bounds=Bounds(0, np.r_[np.tile(allowed, REACH + 1).astype(float), 0.0]),
                options={"mip_rel_gap": self.gap, "node_limit": NODES},
            )
            if solution.x is not None:
                return np.flatnonzero(solution.x[: self.count] > 0.5)
        return None


#: Sources whose hops are counted at once.
_BLOCK = 500


def _within(
    adjacency: sparse.csr_array,
    sources: Positions,
    targets: Positions,
    limit: int,
) -> sparse.csr_array:
    """[N, M] hops from sources to targets, from 1 to ``limit``; 0 where they are further apart or
    the same."""
    count = adjacency.shape[0]
    blocks = []
    for start in range(0, len(sources), _BLOCK):
        part = sources[start : start + _BLOCK]
        hops = np.full((len(part), count), -1, dtype=np.int8)
        rows, nodes = np.arange(len(part)), part
        hops[rows, nodes] = 0
        for length in range(1, limit + 1):
            frontier = sparse.csr_array(
                (np.ones(len(rows), np.float32), (rows, nodes)), shape=hops.shape
            )
            reached = (frontier @ adjacency).tocoo()
            new = hops[reached.row, reached.col] < 0
            rows, nodes = reached.row[new], reached.col[new]
            hops[rows, nodes] = length
        blocks.append(sparse.csr_array(np.maximum(hops[:, targets], 0)))
    return sparse.vstack(blocks).tocsr()


def _chains(hierarchy: Hierarchy, candidates: Positions) -> list[list[int]]:
    """All maximal chains of related candidates, as places: of each at most one class can be
    chosen."""
    above = hierarchy.related(candidates)
    sets = [set(row_of(above, p).tolist()) for p in range(len(candidates))]
    direct = [[a for a in mine if not any(a in sets[b] for b in mine)] for mine in sets]
    lowest = set(range(len(candidates))) - {a for parents in direct for a in parents}
    chains: list[list[int]] = []

    def climb(chain: list[int]) -> None:
        parents = direct[chain[-1]]
        if not parents and len(chain) > 1:
            chains.append(chain)
        for parent in parents:
            climb([*chain, parent])

    for place in sorted(lowest):
        climb([place])
    return chains

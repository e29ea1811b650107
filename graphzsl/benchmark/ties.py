"""Ties where the choice of classes was cut: single exchanges that leave R as it is.

A selection of the largest structural ratio is rarely the only one. A class c of it is *tied* with a
candidate d outside it where d in its place breaks no rule and leaves R the same, and *nearly tied*
where the sum of the ratios changes by half a hop at most: what one class is paid less that is one
hop nearer to the training classes, with a sibling beside it. Sets that differ in several classes at
once are not counted, so the numbers are lower bounds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.benchmark.class_selection import branch_caps
from graphzsl.hierarchy.distances import Path
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import hop_distances

Floats = npt.NDArray[np.float64]
#: What decides between sets of one R.
RULE = "the solver, HiGHS, which is deterministic"
#: Within these a sum of the ratios of all classes is the same, and nearly the same.
SAME, NEAR = 1e-6, 0.5 + 1e-6


@dataclass(frozen=True)
class Ties:
    """Numbers of chosen classes, and of candidates left out, that take part in a one-for-one
    exchange which leaves R the same (``tied``) or nearly so (``near``, which includes the tied
    ones)."""

    tied_classes: int
    tied_candidates: int
    near_classes: int
    near_candidates: int

    def row(self) -> dict[str, Any]:
        """Counts under the names of a benchmark's statistics."""
        return {
            "tied_classes": self.tied_classes,
            "tied_candidates": self.tied_candidates,
            "nearly_tied_classes": self.near_classes,
            "nearly_tied_candidates": self.near_candidates,
            "ties_cut_by": RULE,
        }


def ties_at_the_cut(
    hierarchy: Hierarchy,
    train: Sequence[str],
    candidates: Sequence[str],
    chosen: Sequence[str],
    spread: float | None = None,
) -> Ties:
    """Count the exchanges of one chosen class for one candidate that leave R (nearly) the same.

    Args:
        hierarchy: what hops are counted in.
        train: the training classes.
        candidates: all classes that the selection was free to choose; the chosen ones are in it.
        chosen: the classes that it chose, at least two.
        spread: the limit on branches that it kept, as in ``select``.
    """
    everything = np.sort(hierarchy.positions(candidates))
    hops = hop_distances(hierarchy.adjacency, hierarchy.positions(train)).astype(np.float64)
    everything = everything[hops[everything] > 0]
    inside = np.sort(hierarchy.positions(chosen))
    outside = np.setdiff1d(everything, inside)
    if not len(outside):
        return Ties(0, 0, 0, 0)
    exchanges = _Exchanges(hierarchy, hops, inside, outside)
    caps = branch_caps(hierarchy, everything, len(inside), spread) if spread else []
    allowed = _Allowed(hierarchy, inside, outside, caps)
    total = exchanges.total
    found = np.zeros((2, len(inside)), dtype=bool), np.zeros((2, len(outside)), dtype=bool)
    for place in range(len(inside)):
        change = np.abs(exchanges.without(place) - total)
        for row, limit in enumerate((SAME, NEAR)):
            equal = np.flatnonzero(change <= limit)
            equal = equal[allowed(equal, place)]
            found[0][row, place] = len(equal) > 0
            found[1][row, equal] = True
    (tied, near), (tied_out, near_out) = (each.sum(axis=1).tolist() for each in found)
    return Ties(tied, tied_out, near, near_out)


class _Exchanges:
    """Σ r(c) of the chosen classes, ``total``, and of every set that one exchange makes of them."""

    def __init__(
        self,
        hierarchy: Hierarchy,
        hops: Floats,
        inside: npt.NDArray[np.int64],
        outside: npt.NDArray[np.int64],
    ):
        away = Path(hierarchy).to(np.concatenate([inside, outside]))(inside)
        among = away[:, : len(inside)].copy()
        np.fill_diagonal(among, np.inf)
        self.between = np.ascontiguousarray(away[:, len(inside) :].T)
        self.pay, self.pay_outside = hops[inside], hops[outside]
        self.nearest, self.first, self.second = _two_smallest(among)
        self.nearest_outside, self.first_outside, self.second_outside = _two_smallest(self.between)
        self.total = float((self.pay / self.first).sum())

    def without(self, place: int) -> Floats:
        """Σ r(c) of every candidate outside in the place of a chosen class."""
        near = np.where(self.nearest == place, self.second, self.first)
        kept = np.arange(len(near)) != place
        own = np.where(self.nearest_outside == place, self.second_outside, self.first_outside)
        # unrelated classes are at least 2 hops apart: no candidate is nearer to these
        open_ = np.flatnonzero(kept & (near > 2))
        closer = np.minimum(near[open_], self.between[:, open_])
        gained = (self.pay[open_] / closer - self.pay[open_] / near[open_]).sum(axis=1)
        changed: Floats = (self.pay / near)[kept].sum() + self.pay_outside / own + gained
        return changed


class _Allowed:
    """Test which candidates may take the place of a chosen class: those related to no other chosen
    class, and in no full branch that the class itself is not in."""

    def __init__(
        self,
        hierarchy: Hierarchy,
        inside: npt.NDArray[np.int64],
        outside: npt.NDArray[np.int64],
        caps: Sequence[tuple[npt.NDArray[np.int64], int]],
    ):
        related = (
            hierarchy.ancestor_matrix[outside][:, inside]
            + hierarchy.descendant_matrix[outside][:, inside]
        )
        self.related = related.toarray() > 0
        full = [members for members, limit in caps if np.isin(inside, members).sum() >= limit]
        self.full = _membership(full, inside)
        self.in_full = _membership(full, outside)

    def __call__(self, candidates: npt.NDArray[np.int64], place: int) -> npt.NDArray[np.bool_]:
        others = self.related[candidates].sum(axis=1) - self.related[candidates, place]
        crowded = self.in_full[~self.full[:, place]][:, candidates].any(axis=0)
        allowed: npt.NDArray[np.bool_] = (others == 0) & ~crowded
        return allowed


def _membership(
    groups: Sequence[npt.NDArray[np.int64]], positions: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """[G, N] whether a position is in a group."""
    found = np.zeros((len(groups), len(positions)), dtype=bool)
    for row, members in enumerate(groups):
        found[row] = np.isin(positions, members)
    return found


def _two_smallest(matrix: Floats) -> tuple[npt.NDArray[np.int64], Floats, Floats]:
    """Place of the smallest of every row, its value, and the next value."""
    order = np.argpartition(matrix, 1, axis=1)[:, :2]
    values = np.take_along_axis(matrix, order, axis=1)
    swap = values[:, 0] > values[:, 1]
    values[swap], order[swap] = values[swap][:, ::-1], order[swap][:, ::-1]
    return order[:, 0], values[:, 0], values[:, 1]

"""Ties at the cut of a selection: against every exchange, one by one."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings

from graphzsl.benchmark.class_selection import branch_caps, select
from graphzsl.benchmark.ties import ties_at_the_cut
from graphzsl.common.errors import SplitError
from graphzsl.hierarchy import Hierarchy, structural_ratios
from graphzsl.hierarchy.distances import Path
from tests.antichains import is_antichain
from tests.benchmark.test_class_selection import trees


def _by_hand(
    hierarchy: Hierarchy, candidates: list[str], chosen: list[str], spread: float | None
) -> tuple[int, ...]:
    """(tied classes, tied candidates, nearly tied ones of both) of every exchange."""

    def total(classes: list[str]) -> float:
        return float(structural_ratios(hierarchy, Path(hierarchy), ["n01"], classes).ratio.sum())

    positions = np.sort(hierarchy.positions(candidates))
    caps = branch_caps(hierarchy, positions, len(chosen), spread) if spread else []
    exact, near, before = set(), set(), total(chosen)
    for place, other in product(chosen, set(candidates) - set(chosen)):
        classes = sorted({*chosen, other} - {place})
        members = hierarchy.positions(classes)
        crowded = any(np.isin(members, below).sum() > limit for below, limit in caps)
        if crowded or not is_antichain(hierarchy, classes):
            continue
        change = abs(total(classes) - before)
        if change < 1e-6:
            exact.add((place, other))
        if change < 0.5 + 1e-6:
            near.add((place, other))
    return tuple(len({pair[side] for pair in pairs}) for pairs in (exact, near) for side in (0, 1))


@settings(max_examples=12, deadline=None)
@given(trees())
@pytest.mark.parametrize(("size", "spread"), [(2, None), (3, None), (3, 1.0), (4, 1.5)])
def test_ties_are_those_of_every_exchange(
    size: int, spread: float | None, case: tuple[Hierarchy, list[str]]
) -> None:
    hierarchy, candidates = case
    try:
        chosen = select(hierarchy, ["n01"], candidates, size, spread).wnids
    except SplitError:
        return
    found = ties_at_the_cut(hierarchy, ["n01"], candidates, chosen, spread)
    numbers = (found.tied_classes, found.tied_candidates, found.near_classes, found.near_candidates)
    assert numbers == _by_hand(hierarchy, candidates, chosen, spread)


def test_siblings_are_tied() -> None:
    """Of four leaves of one parent two are chosen: either could be one of the others."""
    edges = [("train", "root"), ("far", "root"), *((f"leaf{n}", "far") for n in range(4))]
    hierarchy = Hierarchy.from_edges(edges)
    leaves = [f"leaf{n}" for n in range(4)]
    found = ties_at_the_cut(hierarchy, ["train"], leaves, leaves[:2])
    assert (found.tied_classes, found.tied_candidates) == (2, 2)
    assert found.row()["ties_cut_by"].startswith("the solver, HiGHS")
    alone = ties_at_the_cut(hierarchy, ["train"], leaves, leaves)
    assert (alone.tied_classes, alone.near_candidates) == (0, 0), "nothing was left out"

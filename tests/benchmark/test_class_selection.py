"""Choosing classes of the largest structural ratio: against every choice there is, and within its
bounds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphzsl.benchmark.class_selection import branch_caps, select
from graphzsl.common.errors import SplitError
from graphzsl.hierarchy import Hierarchy, structural_ratios
from graphzsl.hierarchy.distances import Path
from tests.antichains import is_antichain


@st.composite
def trees(draw: st.DrawFn) -> tuple[Hierarchy, list[str]]:
    """A small DAG whose root's first child is the training class, and candidates that are not above
    or below it."""
    size = draw(st.integers(6, 14))
    edges = [("n01", "n00")]
    for child in range(2, size):
        edges.append((f"n{child:02d}", f"n{draw(st.sampled_from([0, *range(2, child)])):02d}"))
        if child > 4 and draw(st.booleans()):
            other = draw(st.integers(2, child - 1))
            edges.append((f"n{child:02d}", f"n{other:02d}"))
    return Hierarchy.from_edges(set(edges)), [f"n{node:02d}" for node in range(2, size)]


@settings(max_examples=40, deadline=None)
@given(trees(), st.integers(2, 4))
def test_no_choice_is_better_than_the_bound_and_the_choice_is_the_best(
    case: tuple[Hierarchy, list[str]], size: int
) -> None:
    hierarchy, candidates = case
    choices = [
        choice for choice in combinations(candidates, size) if is_antichain(hierarchy, choice)
    ]
    ratios = [
        structural_ratios(hierarchy, Path(hierarchy), ["n01"], choice).structural_ratio or 0.0
        for choice in choices
    ]
    if not choices:
        with pytest.raises(SplitError, match=r"unrelated|candidates"):
            select(hierarchy, ["n01"], candidates, size)
        return
    found = select(hierarchy, ["n01"], candidates, size)
    assert is_antichain(hierarchy, found.wnids)
    assert len(found.wnids) == size
    assert found.structural_ratio == pytest.approx(
        structural_ratios(hierarchy, Path(hierarchy), ["n01"], found.wnids).structural_ratio
    )
    assert max(ratios) <= found.bound + 1e-9
    assert found.bound <= found.simple_bound + 1e-9 or found.simple_bound < max(ratios)
    assert found.structural_ratio >= 0.9 * max(ratios)


def _bush() -> tuple[Hierarchy, list[str]]:
    """Two branches of 30 leaves, the first further away from the training class than the second."""
    far = [
        ("f1", "root"),
        ("f2", "f1"),
        ("f3", "f2"),
        *((f"far{leaf:02d}", "f3") for leaf in range(30)),
    ]
    near = [("near", "root"), *((f"near{leaf:02d}", "near") for leaf in range(30))]
    hierarchy = Hierarchy.from_edges([("train", "root"), *far, *near])
    return hierarchy, [wnid for wnid in hierarchy.wnids if wnid[-2:].isdigit()]


def test_spread_limits_every_branch() -> None:
    hierarchy, candidates = _bush()
    free = select(hierarchy, ["train"], candidates, 20)
    assert all(wnid.startswith("far") for wnid in free.wnids)
    assert free.structural_ratio == free.bound == 2.5
    even = select(hierarchy, ["train"], candidates, 20, spread=1.0)
    assert sum(wnid.startswith("far") for wnid in even.wnids) == 10
    assert even.structural_ratio < free.structural_ratio
    assert even.structural_ratio <= even.bound
    positions = hierarchy.positions(candidates)
    limits = {
        len(members): limit
        for members, limit in branch_caps(hierarchy, np.sort(positions), 20, 1.5)
    }
    assert limits == {30: 15}


def test_the_same_candidates_in_any_order_give_the_same_classes() -> None:
    hierarchy, candidates = _bush()
    rng = np.random.default_rng(0)
    first = select(hierarchy, ["train"], candidates, 15, spread=1.2)
    for _ in range(3):
        assert select(hierarchy, ["train"], [*rng.permutation(candidates)], 15, spread=1.2) == first


def test_impossible_requests_are_refused() -> None:
    hierarchy, candidates = _bush()
    with pytest.raises(SplitError, match="60 candidates do not make a split of 61"):
        select(hierarchy, ["train"], candidates, 61)
    with pytest.raises(SplitError, match="at least 1"):
        select(hierarchy, ["train"], candidates, 20, spread=0.5)


def test_the_bound_counts_partners_that_were_left_out() -> None:
    """Six classes at 11 hops whose only near partner, a child of all their parents, is at 9; eight
    pairs of siblings at 10."""
    chain = [("c1", "root"), *((f"c{step + 1}", f"c{step}") for step in range(1, 8))]
    star = [
        edge
        for leg in range(6)
        for edge in ((f"p{leg}", "c8"), (f"far{leg}", f"p{leg}"), ("hub", f"p{leg}"))
    ]
    short = [("hub", "s7"), ("s1", "root"), *((f"s{step + 1}", f"s{step}") for step in range(1, 7))]
    pairs = [
        edge
        for leg in range(8)
        for edge in ((f"l{leg}", "c7"), (f"pair{leg}a", f"l{leg}"), (f"pair{leg}b", f"l{leg}"))
    ]
    hierarchy = Hierarchy.from_edges([("train", "root"), *chain, *star, *short, *pairs])
    candidates = [wnid for wnid in hierarchy.wnids if wnid.startswith(("far", "hub", "pair"))]
    best = structural_ratios(
        hierarchy, Path(hierarchy), ["train"], [*(f"far{leg}" for leg in range(6)), "hub"]
    )
    assert best.train_distance.tolist() == [11] * 6 + [9]
    assert best.structural_ratio == pytest.approx((6 * 5.5 + 4.5) / 7)
    found = select(hierarchy, ["train"], candidates, 7)
    assert found.bound >= best.structural_ratio - 1e-9
    assert found.structural_ratio == pytest.approx(best.structural_ratio)

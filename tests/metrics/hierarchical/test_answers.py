"""Answers as specific as a model is sure: by hand and against a search through all nodes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphzsl as gz
from graphzsl.metrics.hierarchical import hedging, roll_up
from tests.metrics.hierarchical.trees import DAG, LEAVES, TREE, above, random_parents

#: poodle, beagle, husky, cat, cup, car
SCORES = [
    [0.9, 0.1, 0, 0, 0, 0],
    [0.5, 0.3, 0.1, 0, 0.1, 0],
    [0.2, 0.2, 0.2, 0.3, 0.1, 0],
    [0.3, 0, 0, 0.2, 0.5, 0],
]


def test_answers_by_hand() -> None:
    assert roll_up(TREE, SCORES, LEAVES, 0.9) == ["poodle", "dog", "animal", "thing"]
    assert roll_up(TREE, SCORES, LEAVES, 0.5) == ["poodle", "poodle", "dog", "cup"]
    assert roll_up(TREE, SCORES, LEAVES, 1.0) == ["dog", "thing", "thing", "thing"]
    # of dog (0.2 + 0.2 + 0.2), cat and animal, cat has most information
    assert roll_up(TREE, SCORES[2:3], LEAVES, 0.3) == ["cat"]
    # poodle, beagle and husky have as much: the first by name
    assert roll_up(TREE, SCORES[2:3], LEAVES, 0.15) == ["cat"], "of as much information, the likely"
    assert roll_up(TREE, [[0.4, 0.4, 0.2, 0, 0, 0]], LEAVES, 0.3) == ["beagle"]


def test_scores_of_any_size() -> None:
    probabilities = np.array([[0.25, 0.25, 0.25, 0.15, 0.05, 0.05]])
    given = np.log(probabilities) + 7
    for threshold in (0.2, 0.6, 0.8, 0.95):
        expected = roll_up(TREE, probabilities, LEAVES, threshold)
        assert roll_up(TREE, given, LEAVES, threshold, softmax=True) == expected


def test_a_diamond_counts_a_class_once_for_each_ancestor() -> None:
    """d has 0.6: below a and below b; with e's 0.2 a has 0.8, with f's b has 0.8."""
    scores = [[0.6, 0.2, 0.2]]
    names = ["d", "e", "f"]
    assert roll_up(DAG, scores, names, 0.7) == ["a"], "a and b are alike: the first by name"
    assert roll_up(DAG, [[0.6, 0.15, 0.25]], names, 0.7) == ["b"], "the more likely"
    assert roll_up(DAG, scores, names, 0.9) == ["r"]
    assert roll_up(DAG, scores, names, 0.6) == ["d"]


def test_classes_above_classes() -> None:
    """dog is a class itself; what is said for it is not said for poodle."""
    assert roll_up(TREE, [[0.5, 0.5]], ["dog", "poodle"], 0.9) == ["dog"]
    assert roll_up(TREE, [[0.05, 0.95]], ["dog", "poodle"], 0.9) == ["poodle"]
    # animal, dog and poodle hold one leaf: the lowest of them
    assert roll_up(TREE, [[0.9, 0.1]], ["poodle", "cup"], 0.8) == ["poodle"]


@given(st.integers(0, 10**6), st.integers(2, 20), st.integers(1, 3), st.floats(0.05, 1))
@settings(max_examples=80, deadline=None)
def test_answers_against_all_nodes(seed: int, nodes: int, most: int, threshold: float) -> None:
    random = np.random.default_rng(seed)
    parents = random_parents(random, nodes, most)
    hierarchy = gz.Hierarchy.from_edges((c, p) for c, ps in parents.items() for p in ps)
    names = random.choice(["n0", *parents], int(random.integers(1, nodes + 1)), replace=False)
    # eighths and sums of them are exact
    counts = random.multinomial(8, [1 / len(names)] * len(names), size=5)
    kept = set().union(*(above(parents, name) for name in names))
    leaves = {n for n in kept if not any(n in parents.get(each, ()) for each in kept)}
    found = roll_up(hierarchy, counts / 8, names.tolist(), threshold)
    for row, answer in zip(counts / 8, found, strict=True):
        mass = dict.fromkeys(kept, 0.0)
        for name, value in zip(names, row, strict=True):
            for node in above(parents, name):
                mass[node] += value
        sure = {n for n in kept if mass[n] >= threshold - 1e-9}
        lowest = [n for n in sure if not any(n in above(parents, m) - {m} for m in sure)]
        few = {n: sum(n in above(parents, leaf) for leaf in leaves) for n in lowest}
        assert answer == min(lowest, key=lambda n: (few[n], -mass[n], n))


def test_blocks_do_not_change_the_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = roll_up(TREE, SCORES * 3, LEAVES, 0.9)
    monkeypatch.setattr("graphzsl.metrics.hierarchical.probabilities.BLOCK", 25)
    assert roll_up(TREE, SCORES * 3, LEAVES, 0.9) == expected
    wrong = [*SCORES * 3, [np.nan] * 6]
    with pytest.raises(gz.DataError, match="Row 12 of scores holds nan for poodle"):
        roll_up(TREE, wrong, LEAVES, 0.9)


def test_what_answers_are_worth_by_hand() -> None:
    """Six leaves: dog holds three, 1 bit; animal four, log2 1.5; a leaf log2 6."""
    true = ["poodle", "beagle", "cat", "cup", "cup"]
    answers = ["poodle", "dog", "dog", "thing", "artefact"]
    found = hedging(TREE, true, answers)
    assert found.accuracy == pytest.approx(4 / 5)
    assert found.correct == pytest.approx(1 / 5)
    assert found.information == pytest.approx((math.log2(6) + 1 + 0 + 0 + math.log2(3)) / 5)
    assert hedging(TREE, ["dog"], ["poodle"]).accuracy == 0, "more than is known"
    assert hedging(DAG, ["g", "g", "e"], ["a", "b", "b"]).accuracy == pytest.approx(2 / 3)
    below = hedging(TREE, [0], ["animal"], classes=["cat", "cup"])
    assert below == (1, 0, 1), "animal holds one of two leaves"


@pytest.mark.parametrize(
    ("scores", "classes", "threshold", "said"),
    [
        ([[0.5, np.nan]], ["cat", "cup"], 0.5, "Row 0 of scores holds nan for cup"),
        ([[1, 0], [1.5, -0.5]], ["cat", "cup"], 0.5, "Row 1 of scores holds -0.5 for cup"),
        ([[1, 0], [0.5, 0.4]], ["cat", "cup"], 0.5, "Row 1 of scores sums to 0.9, not to 1"),
        ([[1, 0]], ["cat"], 0.5, r"shape \[1, 2\] do not fit 1 class"),
        ([1, 0], ["cat", "cup"], 0.5, r"shape \[2\] do not fit"),
        (np.zeros((0, 2)), ["cat", "cup"], 0.5, "N at least 1"),
        ([[1], [1, 0]], ["cat", "cup"], 0.5, "rows differ in length"),
        ([["a", "b"]], ["cat", "cup"], 0.5, "scores must be numbers"),
        ([[1, 0]], ["cat", "cow"], 0.5, "'cow' is not a node"),
        ([[1, 0]], ["cat", "cup"], 0, "threshold must be above 0"),
        ([[1, 0]], ["cat", "cup"], float("nan"), "threshold must be above 0"),
    ],
)
def test_wrong_scores_are_refused(scores: Any, classes: Any, threshold: float, said: str) -> None:
    with pytest.raises(gz.DataError, match=said):
        roll_up(TREE, scores, classes, threshold)


def test_a_forest_may_hold_no_answer() -> None:
    forest = gz.Hierarchy.from_edges([("cat", "animal"), ("cup", "artefact")])
    scores = [[0.9, 0.1], [0.5, 0.5]]
    assert roll_up(forest, scores, ["cat", "cup"], 0.5) == ["cat", "cat"]
    with pytest.raises(gz.DataError, match=r"Row 1 of scores: no node reaches 0\.6, .* 2 roots"):
        roll_up(forest, scores, ["cat", "cup"], 0.6)
    with pytest.raises(gz.DataError, match="finite"):
        roll_up(TREE, [[np.inf, 0]], ["cat", "cup"], 0.6, softmax=True)

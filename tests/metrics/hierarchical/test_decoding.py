"""Answers of the best expected metric, against every answer tried one by one."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphzsl as gz
from graphzsl.common import DataError
from graphzsl.metrics.hierarchical.decoding import DecodedMetric

#: A DAG: the guide dog is a dog and a helper, the cat a pet and a hunter.
EDGES = [
    *(("poodle", "dog"), ("beagle", "dog"), ("guide", "dog"), ("guide", "helper")),
    *(("dog", "pet"), ("cat", "pet"), ("cat", "hunter"), ("owl", "hunter")),
    *(("pet", "animal"), ("hunter", "animal"), ("helper", "animal")),
]
CLASSES = ["poodle", "beagle", "guide", "cat", "owl"]
METRICS: tuple[DecodedMetric, ...] = ("hf1", "information", "lca")


def _value(hierarchy: gz.Hierarchy, metric: str, true: str, answer: str) -> float:
    """The metric of one answer, by the functions of single pairs."""
    if metric == "hf1":
        found = gz.hierarchical.precision_recall_f(hierarchy, [true], [answer], average=None)
        return float(np.asarray(found.f)[0])
    if metric == "information":
        return gz.hierarchical.hedging(hierarchy, [true], [answer]).information
    return -float(gz.hierarchical.lca_heights(hierarchy, [true], [answer])[0])


@pytest.mark.parametrize("metric", METRICS)
@given(weights=st.lists(st.integers(0, 20), min_size=5, max_size=5).filter(any))
@settings(max_examples=40, deadline=None)
def test_no_other_answer_is_expected_to_be_better(
    metric: DecodedMetric, weights: list[int]
) -> None:
    hierarchy = gz.Hierarchy.from_edges(EDGES)
    scores = np.array(weights) / sum(weights)
    (answer,) = gz.hierarchical.decode(hierarchy, [scores], CLASSES, metric)
    others = CLASSES if metric == "lca" else hierarchy.wnids
    expected = {
        each: sum(
            share * _value(hierarchy, metric, true, each)
            for true, share in zip(CLASSES, scores, strict=True)
        )
        for each in others
    }
    assert expected[answer] == pytest.approx(max(expected.values()), abs=1e-9)
    # so it is never worse than the most probable class
    assert expected[answer] >= expected[CLASSES[int(np.argmax(scores))]] - 1e-9


def test_by_hand() -> None:
    """A(poodle) = {dog, pet, poodle} without the root, A(dog) = {dog, pet}: hF of dog is 4/5 where
    a poodle is true, and of a beagle 2/3. Three dogs of a third each: dog 0.8, poodle 7/9."""
    hierarchy = gz.Hierarchy.from_edges(
        [("a", "dog"), ("b", "dog"), ("c", "dog"), ("dog", "pet"), ("cat", "pet"), ("pet", "root")]
    )
    thirds = [[1 / 3, 1 / 3, 1 / 3, 0]]
    assert gz.hierarchical.decode(hierarchy, thirds, ["a", "b", "c", "cat"], "hf1") == ["dog"]
    sure = [[0.5, 0.25, 0.25, 0]]
    assert gz.hierarchical.decode(hierarchy, sure, ["a", "b", "c", "cat"], "hf1") == ["a"]
    # heights: dogs of each other 1, a dog and the cat 2
    spread = [[0.3, 0.15, 0.15, 0.4]]
    assert gz.hierarchical.decode(hierarchy, spread, ["a", "b", "c", "cat"], "lca") == ["a"]


def test_classes_of_imagenet() -> None:
    hierarchy, rng = gz.Hierarchy.load(), np.random.default_rng(0)
    classes = ["n02088364", "n02094433", "n02123394", "n03001627"]
    scores = rng.dirichlet(np.ones(4), 50)
    for metric in METRICS:
        found = gz.hierarchical.decode(hierarchy, scores, classes, metric)
        assert len(found) == 50
        sharp = np.eye(4)
        assert gz.hierarchical.decode(hierarchy, sharp, classes, metric) == classes
    with pytest.raises(DataError, match="metric must be hf1, information, lca"):
        gz.hierarchical.decode(hierarchy, scores, classes, "f1")  # type: ignore[arg-type]

"""Jaccard similarity, tree induced error, answers at several levels: against networkx and sets."""

from __future__ import annotations

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphzsl as gz
from graphzsl.common import DataError
from tests.metrics.hierarchical.test_decoding import EDGES

DAG = gz.Hierarchy.from_edges(EDGES)
GRAPH = networkx.DiGraph(EDGES)
NODES = sorted(GRAPH)
PETS = gz.Hierarchy.from_edges(
    [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet"), ("pet", "thing")]
)
_PAIRS = st.lists(st.tuples(st.sampled_from(NODES), st.sampled_from(NODES)), min_size=1, max_size=6)


def _edges(node: str) -> dict[str, int]:
    return dict(networkx.single_source_shortest_path_length(GRAPH, node))


def _above(node: str) -> set[str]:
    return {node, *networkx.descendants(GRAPH, node)}


@given(pairs=_PAIRS)
@settings(deadline=None)
def test_against_sets_and_shortest_ways(pairs: list[tuple[str, str]]) -> None:
    true, predicted = zip(*pairs, strict=True)
    roots = [node for node in NODES if not GRAPH.out_degree(node)]
    left_out = set(roots) if len(roots) == 1 else set[str]()
    similar, ways = [], []
    for one, other in pairs:
        first, second = _above(one) - left_out, _above(other) - left_out
        similar.append(len(first & second) / max(1, len(first | second)))
        up, down = map(_edges, (one, other))
        both = up.keys() & down.keys()
        ways.append(min((up[each] + down[each] for each in both), default=np.inf))
    assert gz.hierarchical.jaccard(DAG, true, predicted) == pytest.approx(np.mean(similar))
    if np.isfinite(ways).all():
        found = gz.hierarchical.tree_induced_error(DAG, true, predicted)
        assert found == pytest.approx(np.mean(ways))
    else:
        with pytest.raises(DataError, match="have no common ancestor"):
            gz.hierarchical.tree_induced_error(DAG, true, predicted)


def test_by_hand() -> None:
    """A(poodle) = {poodle, dog, pet}, A(cat) = {cat, pet}: one of four in common, 3 edges."""
    assert gz.hierarchical.jaccard(PETS, ["poodle"], ["cat"]) == 0.25
    assert gz.hierarchical.jaccard(PETS, ["poodle"], ["cat"], root=True) == 0.4
    error = gz.hierarchical.tree_induced_error(PETS, [0, 0], [1, 0], classes=["poodle", "cat"])
    assert error == 1.5


def test_answers_at_several_levels() -> None:
    """Right; the finest alone; a right way to the wrong breed; nothing right, on one way."""
    answers = [["pet", "poodle"], ["cat", "poodle"], ["dog", "beagle"], ["cat", "cat"]]
    found = gz.hierarchical.path_scores(PETS, ["poodle"] * 4, answers)
    assert found == (0.25, 0.5, 0.25)
    above = gz.hierarchical.path_scores(PETS, ["poodle"], [["pet", "dog"]])
    assert above == (0, 0, 0), "a dog is right, and no answer of the finest level"
    levels = [["dog", "poodle"]] * 4
    assert gz.hierarchical.path_scores(PETS, levels, answers).full_path == 0, "pet is no such level"
    assert gz.hierarchical.path_scores(PETS, levels, levels) == (1, 1, 0)
    assert gz.hierarchical.path_scores(PETS, ["cat", "dog"], [["cat"], ["cat"]]) == (0.5, 0.5, 0)
    with pytest.raises(DataError, match=r"y_pred is \[N, L\]"):
        gz.hierarchical.path_scores(PETS, ["poodle"], ["poodle"])
    with pytest.raises(DataError, match="have other levels"):
        gz.hierarchical.path_scores(PETS, [["dog"]], [["dog", "poodle"]])

"""Levels, superclasses and subtrees: by hand and against loops over sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphzsl as gz
from graphzsl.metrics.hierarchical import cut_accuracy, in_subtree, level_accuracy, superclasses_of
from tests.metrics.hierarchical.trees import DAG, LEAVES, TREE, above, random_parents


def test_levels_of_a_tree_by_hand() -> None:
    """Levels: thing; animal, artefact; dog, cat, cup, car; poodle, beagle, husky."""
    true = ["poodle", "poodle", "cat", "husky", "cup"]
    predicted = ["beagle", "cat", "cup", "dog", "cup"]
    found = level_accuracy(TREE, true, predicted)
    # husky as dog is right down to dog; cup stands for itself at the last level
    assert found.tolist() == pytest.approx([1, 4 / 5, 3 / 5, 1 / 5])
    assert level_accuracy(TREE, ["cat", "cup"], ["cat", "dog"]).tolist() == [1, 0.5, 0.5]
    assert level_accuracy(TREE, ["cat", "cup"], ["cat", "dog"], depth="shortest").tolist() == [
        1,
        0.5,
        0.5,
    ]


def test_a_prediction_below_the_true_class_is_right_at_every_level() -> None:
    true = ["dog", "husky"]
    assert level_accuracy(TREE, true, ["poodle", "husky"]).tolist() == [1, 1, 1, 1]
    assert level_accuracy(TREE, true, ["animal", "husky"]).tolist() == [1, 1, 0.5, 0.5]


def test_levels_of_a_diamond_by_hand() -> None:
    """Longest ways up: a and b 1, d, e and f 2, g 3. Shortest: g 1."""
    assert level_accuracy(DAG, ["g"], ["d"]).tolist() == [1, 1, 1, 0]
    assert level_accuracy(DAG, ["g"], ["d"], depth="shortest").tolist() == [1, 0]
    assert level_accuracy(DAG, ["g", "e"], ["g", "d"], depth="shortest").tolist() == [1, 1, 0.5]
    assert level_accuracy(DAG, ["g"], ["e"]).tolist() == [1, 1, 0, 0]
    assert level_accuracy(DAG, ["e"], ["g"]).tolist() == [1, 1, 0], "a is above both"
    assert level_accuracy(DAG, ["e"], ["f"]).tolist() == [1, 0, 0]


@given(st.integers(0, 10**6), st.integers(2, 20), st.integers(1, 3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_levels_against_sets(seed: int, nodes: int, most: int, longest: bool) -> None:
    random = np.random.default_rng(seed)
    parents = random_parents(random, nodes, most)
    hierarchy = gz.Hierarchy.from_edges((c, p) for c, ps in parents.items() for p in ps)
    names = ["n0", *parents]

    def depth(node: str) -> int:
        which = max if longest else min
        return which((depth(each) + 1 for each in parents.get(node, ())), default=0)

    true, predicted = random.choice(names, (2, 20)).tolist()
    deepest = max(depth(y) for y in true)
    expected = np.zeros(deepest + 1)
    for y, p in zip(true, predicted, strict=True):
        for level in range(deepest + 1):
            own = {n for n in above(parents, y) if depth(n) == level} if level < depth(y) else {y}
            expected[level] += bool(own & above(parents, p)) / 20
    found = level_accuracy(hierarchy, true, predicted, depth="longest" if longest else "shortest")
    assert found.tolist() == pytest.approx(expected.tolist())


def test_superclasses_by_hand() -> None:
    found = superclasses_of(TREE, [*LEAVES, "dog"], ["dog", "animal", "artefact"])
    nearest = {"poodle": "dog", "beagle": "dog", "husky": "dog", "cat": "animal"}
    assert found == {**nearest, "cup": "artefact", "car": "artefact", "dog": "dog"}
    assert superclasses_of(DAG, ["g", "e"], ["r", "a", "b", "d"]) == {"g": "d", "e": "a"}
    assert superclasses_of(TREE, ["cup"], {"cup": "kitchen"}) == {"cup": "kitchen"}
    with pytest.raises(gz.DataError, match="g has several superclasses, a and b, and neither"):
        superclasses_of(DAG, ["e", "g"], ["a", "b"])
    with pytest.raises(gz.DataError, match="cup has no superclass"):
        superclasses_of(TREE, ["cat", "cup"], ["animal"])
    with pytest.raises(gz.DataError, match="cat has no superclass"):
        superclasses_of(TREE, ["cat"], {"cup": "kitchen"})
    with pytest.raises(gz.DataError, match="'cow' is not a node"):
        superclasses_of(TREE, ["cat"], ["cow"])
    with pytest.raises(gz.DataError, match="superclasses is empty"):
        superclasses_of(TREE, ["cat"], [])


def test_accuracy_at_a_cut_by_hand() -> None:
    true = ["poodle", "cat", "cup", "husky", "car"]
    predicted = ["beagle", "husky", "car", "animal", "thing"]
    # animal is its own superclass beside dog's; thing has none
    assert cut_accuracy(TREE, true, predicted, ["dog", "animal", "artefact"]) == 2 / 5
    assert cut_accuracy(TREE, true, predicted, ["animal", "artefact"]) == 4 / 5
    numbers = [LEAVES.index(name) for name in true[:3]], [1, 2, 5]
    assert cut_accuracy(TREE, *numbers, ["dog", "cat", "artefact"], classes=LEAVES) == 2 / 3
    rooms = {**dict.fromkeys(LEAVES, "garden"), "cup": "kitchen"}
    assert cut_accuracy(TREE, *numbers, rooms, classes=LEAVES) == 2 / 3
    with pytest.raises(gz.DataError, match="car has no superclass"):
        cut_accuracy(TREE, true, predicted, ["animal"])
    with pytest.raises(gz.DataError, match="g has several superclasses"):
        cut_accuracy(DAG, ["e"], ["g"], ["a", "b"])


def test_a_subtree_by_hand() -> None:
    assert in_subtree(TREE, LEAVES, "animal").tolist() == [True] * 4 + [False] * 2
    assert in_subtree(TREE, LEAVES, ["dog", "cup"]).tolist() == [1, 1, 1, 0, 1, 0]
    lists = in_subtree(TREE, [[0, 4], [3, 5]], "animal", classes=LEAVES)
    assert lists.tolist() == [[True, False], [True, False]]
    assert in_subtree(TREE, ["dog", "animal"], ["dog"]).tolist() == [True, False]
    assert in_subtree(DAG, ["g", "e", "f"], "b").tolist() == [True, False, True]
    assert in_subtree(TREE, [0, 1], "poodle", classes=["cat", "cup"]).tolist() == [False] * 2
    with pytest.raises(gz.DataError, match="'cow' is not a node"):
        in_subtree(TREE, LEAVES, "cow")
    with pytest.raises(gz.DataError, match="depth must be longest or shortest"):
        level_accuracy(TREE, ["cat"], ["cat"], depth="mean")  # type: ignore[arg-type]

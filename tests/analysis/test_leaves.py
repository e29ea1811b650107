"""Leaf classes and their groups: by hand on the mini WordNet, and against a search by recursion."""

from __future__ import annotations

import numpy as np
import pytest

from graphzsl.analysis.granularity.groups import (
    Groups,
    group,
    relevance_of_classes,
    relevance_of_words,
)
from graphzsl.analysis.granularity.leaves import leaf_classes
from graphzsl.common import DataError
from graphzsl.hierarchy import Hierarchy
from tests.metrics.hierarchical.trees import above, random_parents
from tests.mini import MiniWordNet

MINI = MiniWordNet()
DAG = Hierarchy.from_edges(MINI.edges())
CLASSES = MINI.named("dog", "toy_poodle", "poodle", "beagle", "standard_poodle", "tabby")
NAMES = {row.wnid: row.words[0] for row in MINI.rows}
WORDS = {row.wnid: row.words for row in MINI.rows}


def _grouped() -> Groups:
    """Poodles are called poodle, the others by their own names."""
    leaves = leaf_classes(DAG, CLASSES).classes
    heads = MINI.named("poodle", "beagle", "poodle", "tabby")
    assert leaves == MINI.named("toy_poodle", "beagle", "standard_poodle", "tabby")
    return group(leaves, heads, NAMES)


def test_leaves_are_classes_without_another_below_them() -> None:
    found = leaf_classes(DAG, CLASSES)
    assert found.columns.tolist() == [1, 3, 4, 5]
    toy, beagle, standard = MINI.named("toy_poodle", "beagle", "standard_poodle")
    assert found.below == {MINI["dog"]: [toy, beagle, standard], MINI["poodle"]: [toy, standard]}
    # poodle has kinds of its own, but none is a class here
    assert leaf_classes(DAG, MINI.named("poodle", "beagle")).below == {}
    with pytest.raises(DataError, match="twice"):
        leaf_classes(DAG, [toy, toy])


def test_leaves_of_random_hierarchies() -> None:
    for seed in range(30):
        random = np.random.default_rng(seed)
        parents = random_parents(random, 12, 3)
        hierarchy = Hierarchy.from_edges((c, p) for c, ps in parents.items() for p in ps)
        classes = random.permutation(["n0", *parents])[:7].tolist()
        found = leaf_classes(hierarchy, classes)
        below = {
            each: [c for c in classes if c != each and each in above(parents, c)]
            for each in classes
        }
        leaves = [each for each in classes if not below[each]]
        assert found.classes == leaves
        assert [classes[place] for place in found.columns] == leaves
        inner = set(classes) - set(leaves)
        assert found.below == {each: [c for c in below[each] if c in leaves] for each in inner}


def test_outputs_of_leaves_are_aggregated() -> None:
    """Toy poodle 0.1, beagle 0.3, standard poodle 0.4, tabby 0.2: poodle has 0.5 in sum, 0.4 at
    most; what was said of dog and poodle themselves is not there."""
    made = _grouped()
    assert made.labels == ["beagle", "poodle", "tabby"]
    scores = np.array([[0.1, 0.3, 0.4, 0.2]])
    assert made.scores(scores)[0].tolist() == [0.3, 0.4, 0.2]
    assert made.scores(scores, "sum")[0].tolist() == pytest.approx([0.3, 0.5, 0.2])
    with pytest.raises(DataError, match=r"Row 0 of scores holds -0\.1 for n"):
        made.scores(scores - 0.2, "sum")


def test_a_class_above_leaves_is_as_relevant_to_their_groups() -> None:
    """A dog is a beagle or a poodle, half each; a poodle is in one group."""
    made, below = _grouped(), leaf_classes(DAG, CLASSES).below
    labels = MINI.named("dog", "tabby", "poodle", "dog")
    expected = [[0.5, 0.5, 0], [0, 0, 1], [0, 1, 0], [0.5, 0.5, 0]]
    assert relevance_of_classes(made, labels, below).tolist() == expected
    with pytest.raises(DataError, match="not among the classes"):
        relevance_of_classes(made, labels)
    found = relevance_of_words(made, WORDS, [{"dog": 4, "poodle": 3, "tabby": 1}], below)
    assert found[0].tolist() == [2, 3, 1]
    assert relevance_of_words(made, WORDS, [{"dog": 4}])[0].tolist() == [0, 0, 0]

"""Classes hidden one by one and as whole branches: by hand on a small tree, and on the 1,000 ILSVRC
classes."""

from __future__ import annotations

import numpy as np
import pytest

from graphzsl.common.errors import SplitError
from graphzsl.hierarchy import Hierarchy
from graphzsl.hierarchy.branches import hide_classes
from graphzsl.sources.imagenet import listed_classes

#: Two families of five classes and one of three below the root; `puppy` is below the class `dog`.
_FAMILIES = {
    "cat": ["lion", "lynx", "ocelot", "puma", "tiger"],
    "canine": ["dog", "fox", "jackal", "puppy", "wolf"],
    "bird": ["crow", "finch", "owl"],
}
TREE = Hierarchy.from_edges(
    [
        *((family, "animal") for family in _FAMILIES),
        *(
            ("puppy", "dog") if child == "puppy" else (child, family)
            for family, children in _FAMILIES.items()
            for child in children
        ),
    ]
)
CLASSES = sorted(child for children in _FAMILIES.values() for child in children)


@pytest.fixture(scope="module")
def wordnet() -> Hierarchy:
    return Hierarchy.load()


@pytest.mark.parametrize("seed", range(4))
def test_a_whole_family_is_hidden(seed: int) -> None:
    """5 of 13: only the two families of five are branches of 4 to 40 classes that fit (the root has
    13, the birds are 3), and one of them leaves no room for the other."""
    drawn = hide_classes(CLASSES, 5 / 13, seed, branches=1.0, hierarchy=TREE)
    ((root, members),) = drawn.branches.items()
    assert drawn.hidden == members == _FAMILIES[root]
    assert drawn.train == [name for name in CLASSES if name not in drawn.hidden]
    # a lion is 4 hops from the nearest training class (lion, cat, animal, bird, crow) and 2 from
    # another hidden one: 4 / 2; so is a fox; a dog is 1 from the puppy, which is 5 from a crow
    hand = {"cat": 2.0, "canine": (4 / 1 + 4 / 2 + 4 / 2 + 5 / 1 + 4 / 2) / 5}
    assert drawn.structural_ratio(TREE) == pytest.approx(hand[root])


def test_both_families_are_drawn() -> None:
    drawn = {
        hide_classes(CLASSES, 5 / 13, seed, branches=1.0, hierarchy=TREE).branches.popitem()[0]
        for seed in range(20)
    }
    assert drawn == {"cat", "canine"}


def test_what_no_branch_fits_in_is_drawn_one_by_one() -> None:
    """One family of five goes whole; the other three of 8 classes come from anywhere else."""
    drawn = hide_classes(CLASSES, 8 / 13, 0, branches=1.0, hierarchy=TREE)
    (root,) = drawn.branches
    assert len(drawn.hidden) == 8
    assert set(_FAMILIES[root]) < set(drawn.hidden)


def test_classes_are_hidden_one_by_one_as_they_always_were() -> None:
    """The rule before there were branches: the first of a permutation of the list."""
    classes = listed_classes("ilsvrc2012")
    drawn = hide_classes(classes, 0.2, 3)
    first = set(np.random.default_rng(3).permutation(1000)[:200].tolist())
    assert drawn.hidden == [wnid for row, wnid in enumerate(classes) if row in first]
    assert drawn.branches == {}
    assert drawn.train == [wnid for row, wnid in enumerate(classes) if row not in first]


@pytest.mark.parametrize(("branches", "low", "high"), [(0.0, 0.77, 0.85), (1.0, 1.9, 2.25)])
def test_structural_ratio_of_200_of_the_1000(
    wordnet: Hierarchy, branches: float, low: float, high: float
) -> None:
    """Computed apart from this package, by shortest paths of networkx: 0.79 to 0.84 for random
    classes, 1.97 to 2.22 for branches of 4 to 40 classes."""
    classes = listed_classes("ilsvrc2012")
    for seed in range(3):
        drawn = hide_classes(classes, 0.2, seed, branches, wordnet)
        ratio = drawn.structural_ratio(wordnet)
        assert ratio is not None
        assert low < ratio < high
        assert len(drawn.hidden) == 200


def test_branches_are_whole_and_as_many_as_asked(wordnet: Hierarchy) -> None:
    """Half of 200 in branches: at most 100 classes, at least 97 (a smaller gap fits no branch of 4,
    or only ones that overlap), and below each root no class to learn from."""
    classes = listed_classes("ilsvrc2012")
    drawn = hide_classes(classes, 0.2, 1, 0.5, wordnet)
    below = [
        {wnid for wnid in classes if root in {wnid, *wordnet.ancestors(wnid)}}
        for root in drawn.branches
    ]
    assert all(4 <= len(each) <= 40 for each in below)
    assert 97 <= sum(map(len, below)) == len(set().union(*below)) <= 100
    assert not set().union(*below) & set(drawn.train)


def test_a_part_of_the_hierarchy_gives_the_same_branches(wordnet: Hierarchy) -> None:
    classes = listed_classes("ilsvrc2012")
    whole = hide_classes(classes, 0.2, 2, 1.0, wordnet)
    assert hide_classes(classes, 0.2, 2, 1.0, wordnet.trimmed(classes)) == whole


@pytest.mark.parametrize(
    ("classes", "share", "hierarchy", "told"),
    [
        (["dog"], 0.2, TREE, "Cannot hide 20% of 1 classes"),
        (CLASSES, 0.2, TREE, "No branch of 4 to 40 of the 13 classes fits in the 3 to hide"),
        (CLASSES, 0.4, None, "where a hierarchy is given"),
    ],
)
def test_what_cannot_be_hidden_is_said(
    classes: list[str], share: float, hierarchy: Hierarchy | None, told: str
) -> None:
    with pytest.raises(SplitError, match=told):
        hide_classes(classes, share, 0, 1.0, hierarchy)


def test_a_class_that_is_no_node_has_no_ratio() -> None:
    drawn = hide_classes(["dog", "fox", "gizmo"], 0.4, 0)
    assert drawn.structural_ratio(TREE) is None

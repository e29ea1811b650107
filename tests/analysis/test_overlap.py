"""Classes of other data sets against training classes, read off the mini WordNet's tree by hand;
and names as data sets write them."""

from __future__ import annotations

import pytest

from graphzsl.analysis.structure.leakage import leakage
from graphzsl.analysis.structure.overlap import overlaps
from graphzsl.hierarchy import Hierarchy
from graphzsl.hierarchy.spelling import key, readings
from graphzsl.names import shipped_lists
from tests.mini import MiniWordNet

MINI = MiniWordNet()
DAG = Hierarchy.from_edges(MINI.edges())


@pytest.mark.parametrize(
    ("name", "relation", "hops", "closest"),
    [
        ("vulture", "same", 0, ["vulture"]),
        ("raptor", "above", 1, ["vulture"]),
        ("animal", "above", 2, ["horse"]),  # over domestic animal; 4 to vulture
        ("pony", "below", 1, ["horse"]),
        ("hawk", "beside", 2, ["vulture"]),
        ("dog", "beside", 2, ["horse"]),
        ("poodle", "apart", 3, ["horse"]),
        ("parrot", "apart", 3, ["vulture"]),
        ("koko", "apart", 3, ["horse"]),  # instance of ape, which is a mammal
        ("insect", "apart", 3, ["horse"]),  # insect, animal, domestic animal, horse
        ("chordate", "above", 2, ["horse"]),  # 2 to horse, 3 to vulture
    ],
)
def test_how_a_class_stands_to_the_training_classes(
    name: str, relation: str, hops: int, closest: list[str]
) -> None:
    (found,) = overlaps(DAG, MINI.named("vulture", "horse"), [MINI[name]])
    assert (found.relation, found.hops, found.closest) == (
        relation,
        hops,
        sorted(MINI.named(*closest)),
    )


def test_all_closest_training_classes_are_kept_and_strangers_are_named() -> None:
    mammals = sorted(MINI.named("horse", "zebra", "cat"))
    found = overlaps(
        DAG, MINI.named("horse", "zebra", "cat"), [MINI["gorilla"], "n99999999", MINI["mammal"]]
    )
    assert [(row.relation, row.hops, row.closest) for row in found] == [
        ("apart", 3, mammals),
        ("not in the hierarchy", None, []),
        ("above", 1, mammals),
    ]
    (outside,) = overlaps(DAG, ["n99999999"], ["n99999999"])
    assert outside.relation == "same"
    (unreached,) = overlaps(DAG, ["n99999999"], [MINI["dog"]])
    assert (unreached.relation, unreached.hops, unreached.closest) == ("apart", None, [])


def test_leakage_counts_by_hand() -> None:
    """vulture, horse train. Of the split: vulture trains; raptor and bird are above it; pony is
    below horse; cat and zebra are neither.

    raptor, bird, pony, vulture, cat, zebra: bird is above raptor and vulture, raptor above vulture:
    3 ancestor pairs in 6 classes, so each has 1 ancestor or descendant on average; raptor and
    vulture have an ancestor inside. Closest: {vulture} for vulture, raptor, bird; {horse} for pony,
    cat, zebra: 2 groups, 2/6 solvable, all share.
    """
    found = leakage(
        DAG,
        MINI.named("vulture", "horse"),
        MINI.named("raptor", "bird", "pony", "vulture", "cat", "zebra"),
    )
    assert (found.classes, found.are_training, found.above_training, found.below_training) == (
        6,
        1,
        2,
        1,
    )
    assert (found.with_ancestor_inside, found.ancestor_pairs, found.outcome_candidates) == (
        2,
        3,
        1.0,
    )
    assert (found.unreachable, found.one_closest, found.shared_closest) == (0, 6, 6)
    assert found.solvable == pytest.approx(2 / 6)


def test_leakage_of_ties_and_of_classes_that_nothing_reaches() -> None:
    """A node between two training classes has both; one without edges is reached by none, and is
    not solvable."""
    hierarchy = Hierarchy.from_edges(
        [("a", "top"), ("b", "top"), ("c", "top"), ("d", "a")], nodes=["alone"]
    )
    found = leakage(hierarchy, ["a", "b"], ["c", "d", "alone"])
    # c is 2 hops from a and from b; d is 1 from a: two groups of one class each
    assert (found.one_closest, found.shared_closest, found.unreachable) == (1, 0, 1)
    assert found.solvable == pytest.approx(2 / 3)
    assert leakage(hierarchy, ["a"], []).solvable == 0


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("grizzly+bear", ["grizzly bear"]),
        ("001.Black_footed_Albatross", ["Black footed Albatross"]),
        ("14 014.Indigo_Bunting", ["Indigo Bunting"]),
        ("2\tgrizzly+bear", ["grizzly bear"]),
        ("/a/abbey", ["abbey"]),
        (
            "/i/ice_skating_rink/outdoor",
            ["ice skating rink outdoor", "outdoor ice skating rink", "ice skating rink"],
        ),
        ("diningtable", ["diningtable"]),
    ],
)
def test_names_as_data_sets_write_them(name: str, expected: list[str]) -> None:
    assert readings(name) == expected


def test_names_meet_labels_without_case_spaces_hyphens_and_possessives() -> None:
    assert {key(text) for text in ("Brewer's blackbird", "Brewer_Blackbird".replace("_", " "))} == {
        "brewerblackbird"
    }
    assert key("Black-footed albatross") == key(readings("001.Black_footed_Albatross")[0])
    assert key("St. Bernard") == key("st bernard")
    assert readings("/i/ice_skating_rink/outdoor")[-1] == "ice skating rink"


def test_shipped_lists_have_their_published_sizes() -> None:
    """Xian et al. 2017, table 1: AWA 50 classes, 10 for test; aPY 32, 12 for test. The test classes
    are among the classes."""
    lists = shipped_lists()
    assert {name: len(set(names)) for name, names in lists.items()} == {
        "awa": 50,
        "awa-standard": 10,
        "awa-proposed": 10,
        "apy": 32,
        "apy-standard": 12,
        "apy-proposed": 12,
    }
    for name, names in lists.items():
        assert set(names) <= set(lists[name.partition("-")[0]])

"""What a picture shows, counted by hand on the tree in tests/mini.py."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import graphzsl as gz
from graphzsl.common import DataError
from graphzsl.database.browser.style import style
from graphzsl.hierarchy import Hierarchy
from graphzsl.hierarchy.trees import tree_of
from graphzsl.reports import Listed
from graphzsl.reports.pictures.fragment import icicle_fragment
from graphzsl.reports.pictures.roles import colours
from graphzsl.reports.pictures.subjects import hop_split_classes, of_class, of_classes
from graphzsl.reports.pictures.tree import PictureTree, Values, picture_tree
from tests.face.test_names import run_examples
from tests.mini import TRAIN, MiniWordNet

#: One hop from a training class, as tests/database/test_browser.py has them.
UNSEEN = (
    *("raptor", "poodle", "domestic_animal", "mammal", "pony", "machine", "tree", "car", "bee"),
)


def mini_hierarchy(mini: MiniWordNet) -> Hierarchy:
    """The mini WordNet, with its populations."""
    names = {row.wnid: row.name for row in mini.rows}
    return Hierarchy.from_edges(mini.edges(), names=names, populations=mini.populations)


@pytest.fixture(scope="module")
def hierarchy(mini: MiniWordNet) -> Hierarchy:
    return mini_hierarchy(mini)


@pytest.fixture(scope="module")
def tree(mini: MiniWordNet, hierarchy: Hierarchy) -> PictureTree:
    subject = of_classes(
        hierarchy,
        Listed("mine", mini.named(*UNSEEN)),
        Listed("train", mini.named(*TRAIN)),
        None,
    )
    return picture_tree(hierarchy, subject.roles, subject.values, closest=subject.closest)


def _at(tree: PictureTree, mini: MiniWordNet, name: str) -> int:
    return tree.wnids.index(mini[name])


def test_the_tree_has_the_classes_and_what_is_above_them(
    tree: PictureTree, mini: MiniWordNet, hierarchy: Hierarchy
) -> None:
    above = ("entity", "object", "living_thing", "animal", "chordate", "bird", "dog", "insect")
    others = ("plant", "artifact", "vehicle")
    assert set(tree.wnids) == {*mini.named(*UNSEEN, *TRAIN, *above, *others)}
    made, _ = tree_of(hierarchy, mini.named(*UNSEEN, *TRAIN))
    parent = {tree.wnids[at]: tree.wnids[up] for at, up in enumerate(tree.parents) if up >= 0}
    child, up = made.up.nonzero()
    assert parent == {made.wnids[c]: made.wnids[p] for c, p in zip(child, up, strict=True)}
    # every synset after its parent, and what is below one in a row
    assert all(up < at for at, up in enumerate(tree.parents))
    # 12 of the 16 classes are living things, 4 artifacts: the larger one comes first
    assert tree.wnids[:3] == mini.named("entity", "object", "living_thing")
    assert tree.parents[_at(tree, mini, "artifact")] == 1


def test_a_synset_with_two_parents_keeps_the_one_with_the_shorter_way(
    tree: PictureTree, mini: MiniWordNet
) -> None:
    for name in ("dog", "horse"):
        up = tree.parents[_at(tree, mini, name)]
        assert tree.wnids[up] == mini["domestic_animal"]
    assert {(edge.child, edge.parent) for edge in tree.dropped} == {
        (mini["dog"], mini["mammal"]),
        (mini["horse"], mini["mammal"]),
    }
    assert "the parent with the shortest way to a root (ties: the smaller wnid)" in tree.rule
    assert "2 edges of the hierarchy are not in the tree, for 2 synsets" in tree.rule


@pytest.mark.parametrize(
    ("name", "unseen", "training"),
    [
        ("entity", 9, 7),
        ("animal", 6, 4),
        ("chordate", 4, 3),
        ("domestic_animal", 3, 2),
        # itself, poodle, pony; toy poodle, horse: no box of them is below it
        ("mammal", 3, 2),
        ("dog", 1, 1),
        ("drone", 0, 1),
    ],
)
def test_classes_are_counted_in_the_hierarchy(
    tree: PictureTree, mini: MiniWordNet, name: str, unseen: int, training: int
) -> None:
    at = _at(tree, mini, name)
    assert (tree.below["Unseen"][at], tree.below["Training"][at]) == (unseen, training)


def test_roles_and_means_by_hand(tree: PictureTree, mini: MiniWordNet) -> None:
    roles = {name: tree.roles[_at(tree, mini, name)] for name in ("poodle", "horse", "dog")}
    assert roles == {"poodle": "Unseen", "horse": "Training", "dog": "Ancestor"}
    # poodle 110, toy poodle 120, horse 230, pony 240
    for name in ("mammal", "domestic_animal"):
        assert tree.means["population"][_at(tree, mini, name)] == 175
    # one hop to the vulture, three over bird and chordate to the mammal
    ratio = tree.values["ratio"].of_class
    assert ratio[mini["raptor"]] == pytest.approx(1 / 3)
    assert ratio[mini["pony"]] == 0.5
    assert np.isnan(tree.means["ratio"][_at(tree, mini, "drone")])
    assert tree.closest[mini["machine"]].closest == mini.named("monitor")
    assert tree.closest[mini["domestic_animal"]].hops == 1


def test_what_is_above_candidates_alone_is_no_ancestor(
    mini: MiniWordNet, hierarchy: Hierarchy
) -> None:
    subject = of_classes(
        hierarchy,
        Listed("mine", mini.named("tabby")),
        Listed("train", mini.named("beagle")),
        Listed("universe", mini.named("tabby", "beagle", "rose")),
    )
    tree = picture_tree(hierarchy, subject.roles)
    roles = dict(zip(tree.wnids, tree.roles, strict=True))
    named = {name: roles[mini[name]] for name in ("rose", "flower", "plant", "living_thing")}
    assert named == {"rose": "Candidate", "flower": "", "plant": "", "living_thing": "Ancestor"}
    assert subject.said[0] == (
        "1 unseen class, 1 training class (train), 1 other candidate (universe)."
    )


def test_one_class_among_all(mini: MiniWordNet, hierarchy: Hierarchy) -> None:
    lists = Listed("train", mini.named(*TRAIN)), Listed("universe", mini.universe())
    subject = of_class(hierarchy, mini["dog"], *lists)
    assert subject.focus == mini["dog"]
    assert subject.roles[mini["dog"]] == "Unseen"
    assert {subject.closest[mini["dog"]].hops} == {2}
    # a person that no list has is a class of its own; what is above classes is none
    alone = of_class(hierarchy, mini["king_arthur"], *lists)
    assert alone.roles[mini["king_arthur"]] == "Class"
    assert mini["entity"] not in of_class(hierarchy, mini["entity"], *lists).roles


def test_below_a_root(mini: MiniWordNet, hierarchy: Hierarchy) -> None:
    roles = dict.fromkeys(mini.named("tabby", "siamese", "poodle", "car"), "Class")
    tree = picture_tree(hierarchy, roles, root=mini["mammal"])
    # seen from the mammal, dogs and cats are below it and nothing else is
    assert {*tree.wnids} == {*mini.named("mammal", "dog", "poodle", "cat", "tabby", "siamese")}
    assert tree.wnids[0] == mini["mammal"]
    assert tree.rule.startswith("Every synset here has one parent")
    assert tree.below["Class"][0] == 3
    with pytest.raises(DataError, match="No class of the picture is at or below") as error:
        picture_tree(hierarchy, roles, root=mini["plant"])
    assert error.value.argument == "root"


def test_several_roots_have_one_above_them() -> None:
    hierarchy = Hierarchy.from_edges([("a", "one"), ("b", "one"), ("c", "two")])
    values = {"value": Values("value", {"a": 1.0, "b": 2.0, "c": 6.0})}
    tree = picture_tree(hierarchy, dict.fromkeys("abc", "Class"), values)
    assert tree.wnids == ["", "one", "a", "b", "two", "c"]
    assert tree.parents == [-1, 0, 1, 1, 0, 4]
    assert tree.below["Class"].tolist() == [3, 2, 1, 1, 1, 1]
    assert tree.means["value"].tolist() == [3.0, 1.5, 1.0, 2.0, 6.0, 6.0]


def test_a_synset_without_a_box_is_there_all_the_same() -> None:
    # both children of "odd" have a shorter way, so it keeps none
    edges = [("a", "top"), ("b", "top"), ("a", "odd"), ("b", "odd"), ("odd", "low"), ("low", "top")]
    tree = picture_tree(Hierarchy.from_edges(edges), {"a": "Class", "b": "Class"})
    assert tree.wnids == ["top", "a", "b", "low", "odd"]
    assert tree.parents == [-1, 0, 0, -2, -2]
    assert tree.below["Class"].tolist() == [2, 1, 1, 2, 2]
    assert "2 synsets, whose children all have another parent, have no box" in tree.rule
    columns = tree.columns()
    assert sorted(columns["more"]) == [[1, 4], [2, 4], [3, 0], [4, 3]]


def test_colours_are_those_of_the_browser() -> None:
    assert colours()["Unseen"] == style()["node.Unseen"]["color"]
    assert colours()["Training"] == style()["node.Training"]["color"]
    assert len(set(colours().values())) == 6


def test_scales_begin_and_end_where_they_should() -> None:
    """A branch of 2 or more of 80 classes is large: 40 at 80.5 %, 39 at 30.5 % below the other; the
    one class at 100 % lies beyond."""
    wnids = [f"c{at:02}" for at in range(80)]
    edges = [(wnid, "good" if at < 40 else "bad") for at, wnid in enumerate(wnids[:79])]
    hierarchy = Hierarchy.from_edges([*edges, ("c79", "top"), ("good", "top"), ("bad", "top")])
    hits = [0.805] * 40 + [0.305] * 39 + [1.0]
    counts = {"c00": 0, "c01": 5, "c02": 100}
    given = {
        "hit": Values("", dict(zip(wnids, hits, strict=True)), "share"),
        "equal": Values("", dict.fromkeys(wnids, 0.5), "share"),
        "count": Values("", counts, "count", logarithmic=True),
        "number": Values("", {"c00": 2.0, "c01": 3.0}),
    }
    tree = picture_tree(hierarchy, dict.fromkeys(wnids, "Class"), given)
    assert tree.domains == {
        "hit": (0.30, 0.81),
        "equal": (0, 1),
        "count": (5, 100),
        "number": (2, 3),
    }


def test_a_fragment_is_the_tree_and_nothing_else(tree: PictureTree, mini: MiniWordNet) -> None:
    text = str(icicle_fragment(tree, colour="population", focus=mini["dog"], assets=False))
    data: dict[str, Any] = json.loads(text.split('json">')[1].split("</script>")[0])
    assert data["wnid"] == tree.wnids
    assert data["focus"] == _at(tree, mini, "dog")
    assert data["colour"] == "population"
    population = data["values"][0]
    assert population["own"][str(_at(tree, mini, "pony"))] == 240
    assert str(_at(tree, mini, "dog")) not in population["own"]  # no class
    assert data["closest"][str(_at(tree, mini, "pony"))] == [1, 1, _at(tree, mini, "horse")]
    assert "<style>" not in text
    assert "<style>" in icicle_fragment(tree)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"colour": "accuracy"}, "'accuracy' is not known of these classes. Colour by role or"),
        ({"focus": "n99999999"}, "'n99999999' is not in the picture."),
    ],
)
def test_what_a_tree_has_not_is_said(
    tree: PictureTree, arguments: dict[str, str], said: str
) -> None:
    with pytest.raises(DataError, match=said):
        icicle_fragment(tree, **arguments)  # type: ignore[arg-type]


@pytest.mark.parametrize("function", [picture_tree, icicle_fragment])
def test_the_examples_of_docstrings(function: Any) -> None:
    run_examples(function, {"gz": gz})


def test_a_role_that_there_is_not(hierarchy: Hierarchy, mini: MiniWordNet) -> None:
    with pytest.raises(DataError, match="There is no role 'Seen'"):
        picture_tree(hierarchy, {mini["dog"]: "Seen"})
    with pytest.raises(DataError, match="n99999999 is not a node"):
        picture_tree(hierarchy, {"n99999999": "Class"})


def test_hop_splits_without_a_database(mini: MiniWordNet, hierarchy: Hierarchy) -> None:
    lists = mini.named(*TRAIN), mini.universe()
    assert hop_split_classes("hops-1", hierarchy, *lists) == sorted(mini.named(*UNSEEN))
    two = hop_split_classes("hops-2", hierarchy, *lists) or []
    exact = hop_split_classes("hops-2-exact", hierarchy, *lists) or []
    assert two == [*sorted(mini.named(*UNSEEN)), *exact]
    assert mini["dog"] in exact
    assert len(hop_split_classes("all", hierarchy, *lists) or []) == len(mini.universe()) - 7
    assert hop_split_classes("hops-x", hierarchy, *lists) is None

"""Closest classes, hCorrectSets and lowest common ancestors: in memory as in the database, whose
answers tests/database/ compares with searches of networkx."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import graphzsl as gz
from graphzsl.database import members, query
from graphzsl.database.class_sets import put_class_set
from graphzsl.hierarchy.search import row_of
from tests.mini import TRAIN, MiniWordNet


@pytest.mark.parametrize("hierarchy", ["wordnet", "hypernym"])
def test_closest_classes_in_memory_are_those_of_the_database(
    mini_database: gz.Database, mini: MiniWordNet, hierarchy: str
) -> None:
    """Without instance edges nothing reaches koko."""
    nodes = mini.hierarchy(hierarchy)
    train, universe = mini.named(*TRAIN), [*mini.universe(), mini["koko"]]
    put_class_set(mini_database, "some", universe, {"kind": "list"})
    for hops in (1, 3, None):
        made = gz.hop_split(nodes, hops, train=train, universe=universe)
        stored = gz.hop_split(
            mini_database, hops, train="train", universe="some", hierarchy=hierarchy
        ).store(mini_database, "mine")
        found = gz.closest_classes(nodes, made)
        assert found == gz.closest_classes(mini_database, stored)
        assert found == gz.closest_classes(mini_database, "mine")
        assert found == gz.closest_classes(mini_database, made)
        assert found == [nodes.closest(each.wnid, train) for each in found]
    assert max(len(each.closest) for each in found) > 1
    unreached = [mini["koko"]] if hierarchy == "hypernym" else []
    assert {each.wnid for each in found} == set(made) - set(unreached)


def test_a_split_knows_its_training_classes_or_names_an_imagenet_list(
    mini_database: gz.Database, mini: MiniWordNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A split whose training classes are called like a class set of other classes keeps its own;
    a file that is called like a list is not read for it."""
    nodes = mini.hierarchy()
    made = gz.hop_split(nodes, 1, train=mini.named("cat", "dog"), universe=mini.universe())
    assert made.train == "train"
    assert made.training == mini.named("cat", "dog")
    ties = {each.name: each.closest_names for each in gz.closest_classes(mini_database, made)}
    assert ties["mammal.n.01"] == ["dog.n.01", "cat.n.01"]
    stored = gz.hop_split(mini_database, 1, train="train", universe="universe")
    with pytest.raises(gz.SplitError, match=r"'train' of <Split hops-1:.*> are not known here"):
        gz.closest_classes(nodes, stored)
    with pytest.raises(gz.SplitError, match="no stored splits such as 'hops-1'"):
        gz.closest_classes(nodes, "hops-1")
    monkeypatch.chdir(tmp_path)
    Path("ilsvrc2012").write_text("n02121620\n")
    wordnet = gz.Hierarchy.load()
    split = gz.Split("mine", ["n02084071"], "ilsvrc2012", "imagenet-fall11", "wordnet")
    (dog,) = gz.closest_classes(wordnet, split)
    assert (dog.hops, len(dog.closest), dog.closest_names[0]) == (1, 7, "dalmatian.n.02")


@pytest.mark.parametrize("hierarchy", ["wordnet", "hypernym"])
def test_hcorrect_sets_in_memory_are_those_of_the_database(
    mini_database: gz.Database, mini: MiniWordNet, hierarchy: str
) -> None:
    nodes, ks = mini.hierarchy(hierarchy), [20, 1, 2, 5, 60]
    valid = [*mini.universe(), mini["koko"]]
    put_class_set(mini_database, "some", valid, {"kind": "list"})
    found = gz.hcorrect_sets(nodes, valid, ks)
    assert found == gz.hcorrect_sets(mini_database, "some", ks, hierarchy=hierarchy)
    assert found == [nodes.hcorrect_set(wnid, k, valid) for wnid in valid for k in sorted(ks)]
    assert {each.exhausted for each in found} == {False, True}
    labels = mini.named("poodle", "koko")
    assert gz.hcorrect_sets(nodes, valid, [2], labels=["poodle.n.01", mini["koko"]]) == (
        gz.hcorrect_sets(mini_database, "some", [2], labels=labels, hierarchy=hierarchy)
    )


def test_valid_labels_are_given_as_everywhere(mini: MiniWordNet, tmp_path: Path) -> None:
    nodes, path = mini.hierarchy(), tmp_path / "valid.txt"
    valid = mini.named("poodle", "dog", "cat")
    path.write_text("poodle.n.01\ndog.n.01\ncat.n.01\n")
    expected = gz.hcorrect_sets(nodes, valid, [2])
    for given in (path, str(path), ["poodle.n.01", "dog.n.01", "cat.n.01"], tuple(valid)):
        assert gz.hcorrect_sets(nodes, given, [2]) == expected
    with pytest.raises(gz.DataError, match="valid, class 0: n99999999"):
        gz.hcorrect_sets(nodes, ["n99999999"], [2])
    with pytest.raises(gz.SplitError, match=r"\(cat\.n\.01\) is not a valid label"):
        gz.hcorrect_sets(nodes, valid[:2], [2], labels=[mini["cat"]])
    with pytest.raises(gz.SplitError, match="hierarchy names one of a database"):
        gz.hcorrect_sets(nodes, valid, [2], hierarchy="release")
    for k in (2.5, "5", True, [], [0]):
        with pytest.raises(gz.SplitError, match=r"\bk (must be|:)|no k:"):
            gz.hcorrect_sets(nodes, valid, k)  # type: ignore[arg-type]
    assert gz.hcorrect_sets(nodes, valid, 2) == gz.hcorrect_sets(nodes, valid, [2])


def test_the_neighbourhoods_of_wordnets_files_are_those_of_the_database(
    full_database: gz.Database,
) -> None:
    wordnet = gz.Hierarchy.load()
    made, stored = (gz.hop_split(source, None) for source in (wordnet, full_database))
    closest = gz.closest_classes(wordnet, made)
    assert closest == gz.closest_classes(full_database, stored)
    assert closest == gz.closest_classes(wordnet, stored)
    assert (len(closest), max(len(each.closest) for each in closest)) == (20_842, 38)
    assert all(each.name and all(each.closest_names) for each in closest)
    ks = [1, 2, 5, 10, 20]
    sets = gz.hcorrect_sets(wordnet, "ilsvrc2012", ks)
    assert sets == gz.hcorrect_sets(full_database, "ilsvrc2012", ks)
    assert all(each.name and all(each.member_names) for each in sets)


def _random_pairs(classes: list[str], size: int) -> list[tuple[str, str]]:
    places = np.random.default_rng(0).integers(len(classes), size=(size, 2))
    return [(classes[one], classes[other]) for one, other in places.tolist()]


def _lowest_common_ancestors_agree(
    database: gz.Database, nodes: gz.Hierarchy, pairs: list[tuple[str, str]], hierarchy: str
) -> list[set[int]]:
    """Heights of the lowest common ancestors of each pair that has several. The database gives all
    of them; in memory it is the one of smallest height, then wnid."""
    statement = query("lowest_common_ancestors", hierarchy=hierarchy)
    several = []
    for one, other in pairs:
        rows = database.rows(statement, wnid=one, other_wnid=other)
        wnids = [row["wnid"] for row in rows]
        above = [nodes.ancestors(wnid) | {wnid} for wnid in (one, other)]
        common = above[0] & above[1]
        not_lowest = {up for wnid in common for up in nodes.ancestors(wnid)}
        assert wnids == sorted(common - not_lowest)
        assert [row["name"] for row in rows] == [nodes.names[wnid] for wnid in wnids]
        heights = [int(nodes.heights[nodes.index[wnid]]) for wnid in wnids]
        expected = min(zip(heights, wnids, strict=True), default=(0, None))[1]
        assert nodes.lowest_common_ancestor(one, other) == expected
        assert nodes.lowest_common_ancestor(other, one) == expected
        if len(wnids) > 1:
            several.append(set(heights))
    return several


@pytest.mark.parametrize("hierarchy", ["wordnet", "hypernym"])
def test_the_lowest_common_ancestor_is_one_of_those_of_the_database(
    mini_database: gz.Database, mini: MiniWordNet, hierarchy: str
) -> None:
    nodes = mini.hierarchy(hierarchy)
    pairs = [(mini["dog"], mini[other]) for other in ("cat", "horse", "dog", "poodle")]
    pairs += _random_pairs(nodes.wnids, 200)
    several = _lowest_common_ancestors_agree(mini_database, nodes, pairs, hierarchy)
    assert any(len(heights) == 1 for heights in several), "ties that only the wnid decides"


def test_lowest_common_ancestors_of_wordnets_files_are_those_of_the_database(
    full_database: gz.Database,
) -> None:
    wordnet = gz.Hierarchy.load()
    children_of: dict[tuple[int, ...], list[str]] = {}
    for row in np.flatnonzero(np.diff(wordnet.up.indptr) > 1):
        parents = tuple(sorted(row_of(wordnet.up, row).tolist()))
        children_of.setdefault(parents, []).append(wordnet.wnids[row])
    # two classes below the same two parents
    several = [classes for classes in children_of.values() if len(classes) > 1]
    pairs = [(one, other) for one, other, *_ in several][:20]
    for classes in (wordnet.wnids, members(full_database, "ilsvrc2012")):
        pairs += _random_pairs(classes, 20)
    assert len(_lowest_common_ancestors_agree(full_database, wordnet, pairs, "wordnet")) > 5

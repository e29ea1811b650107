"""Hop splits: of files as of the database, and what their classes may be given as."""

from __future__ import annotations

from itertools import product
from pathlib import Path
from typing import Any

import pytest

import graphzsl as gz
from graphzsl.common.files import sha256_text
from graphzsl.database import members
from graphzsl.database.class_sets import put_class_set
from graphzsl.sources.imagenet import listed_classes
from tests.mini import TRAIN, MiniWordNet
from tests.reports.pictures.test_tree import UNSEEN


@pytest.fixture
def nodes(mini: MiniWordNet) -> gz.Hierarchy:
    return mini.hierarchy(sources={"wordnet": "abc"})


def test_hop_splits_of_imagenet_are_those_that_were_published() -> None:
    """The literature's "2-hops" has one class more, n00015388, which is three edges away."""
    wordnet = gz.Hierarchy.load()
    one = gz.hop_split(wordnet, max_hops=1)
    assert set(one) == set(listed_classes("published-2-hops")) - {"n00015388"}
    assert repr(one) == "<Split hops-1: 1,548 unseen classes, training classes ilsvrc2012>"
    sizes = {hops: len(gz.hop_split(wordnet, max_hops=hops)) for hops in (2, 3, None)}
    assert sizes == {2: 5_990, 3: 9_711, None: 20_842}


def test_a_split_of_files_has_what_a_split_has(mini: MiniWordNet, nodes: gz.Hierarchy) -> None:
    train = mini.named(*TRAIN)
    split = gz.hop_split(nodes, 1, train=train, universe=mini.universe())
    assert split.wnids == sorted(mini.named(*UNSEEN))
    assert (split.name, split.train) == ("hops-1:train:universe", "train")
    assert split.universe == "universe"
    assert (split.hierarchy, split.max_hops, split.exact) == ("wordnet", 1, False)
    assert split.provenance == {
        "max_hops": 1,
        "source": "files",
        "sources": {"wordnet": "abc"},
        "train_sha256": sha256_text("\n".join(sorted(train))),
        "universe_sha256": sha256_text("\n".join(sorted(mini.universe()))),
    }
    exact = gz.hop_split(nodes, 2, train=train, universe=mini.universe(), exact=True, name="mine")
    two = gz.hop_split(nodes, 2, train=train, universe=mini.universe())
    assert two.wnids == [*split.wnids, *exact.wnids]
    assert (exact.name, exact.exact) == ("mine", True)


def test_classes_are_given_as_everywhere(
    mini: MiniWordNet, nodes: gz.Hierarchy, tmp_path: Path
) -> None:
    path = tmp_path / "seen.txt"
    path.write_text("\n".join(mini.named(*TRAIN)))
    names = [nodes.names[wnid] for wnid in mini.named(*TRAIN)]
    splits = [
        gz.hop_split(nodes, 1, train=train, universe=mini.universe())
        for train in (path, str(path), names, tuple(mini.named(*TRAIN)))
    ]
    assert {tuple(split) for split in splits} == {tuple(sorted(mini.named(*UNSEEN)))}
    assert [split.train for split in splits] == ["seen", "seen", "train", "train"]
    other = path.rename(tmp_path / "ilsvrc2012.txt")  # which has not the classes of that list
    split = gz.hop_split(nodes, 1, train=other, universe=mini.universe())
    assert (split.name, split.train) == ("hops-1:ilsvrc2012.txt:universe", "ilsvrc2012.txt")
    with pytest.raises(gz.DataError, match="train, class 0: n99999999"):
        gz.hop_split(nodes, 1, train=["n99999999"], universe=mini.universe())


@pytest.mark.parametrize("hops", [0, -1, 1.5, True, "2", "all"])
def test_wrong_hops_are_refused(nodes: gz.Hierarchy, mini: MiniWordNet, hops: Any) -> None:
    with pytest.raises(gz.SplitError, match="a whole number of at least 1, or None"):
        gz.hop_split(nodes, hops, train=mini.named(*TRAIN), universe=mini.universe())


def test_what_means_nothing_is_refused(nodes: gz.Hierarchy, mini: MiniWordNet) -> None:
    lists: dict[str, Any] = {"train": mini.named(*TRAIN), "universe": mini.universe()}
    with pytest.raises(gz.SplitError, match="exact needs a number of hops"):
        gz.hop_split(nodes, None, exact=True, **lists)
    with pytest.raises(gz.SplitError, match="hierarchy names one of a database"):
        gz.hop_split(nodes, 1, hierarchy="release", **lists)


@pytest.mark.parametrize("hierarchy", ["wordnet", "hypernym"])
def test_a_split_of_files_is_that_of_the_database(
    mini_database: gz.Database, mini: MiniWordNet, hierarchy: str, tmp_path: Path
) -> None:
    """Lists of one's own are called by their files. With ``hypernym`` no edge touches koko."""
    nodes = mini.hierarchy(hierarchy)
    put_class_set(mini_database, "few", mini.named("koko", "rose", "car"), {"kind": "list"})
    path_of = {name: tmp_path / f"{name}.txt" for name in ("train", "universe", "few")}
    for name, path in path_of.items():
        path.write_text("\n".join(members(mini_database, name)))
    for train, universe in (("train", "universe"), ("few", "universe"), ("train", "few")):
        in_memory: dict[str, Any] = {"train": path_of[train], "universe": path_of[universe]}
        stored: dict[str, Any] = {"train": train, "universe": universe, "hierarchy": hierarchy}
        for hops, exact in [*product((1, 2, 3, 40), (False, True)), (None, False)]:
            made = gz.hop_split(nodes, hops, exact=exact, **in_memory)
            expected = gz.hop_split(mini_database, hops, exact=exact, **stored)
            assert made == expected
            assert made.to_frame().equals(expected.to_frame())


def test_splits_of_wordnets_files_are_those_of_the_database(full_database: gz.Database) -> None:
    wordnet = gz.Hierarchy.load()
    for hops, exact in ((1, False), (2, False), (2, True), (3, False), (None, False)):
        stored = gz.hop_split(full_database, hops, exact=exact)
        made = gz.hop_split(wordnet, hops, exact=exact)
        assert made == stored
        assert made.to_frame().equals(stored.to_frame())


def test_a_split_of_files_is_stored(
    mini_database: gz.Database, mini: MiniWordNet, nodes: gz.Hierarchy
) -> None:
    lists: dict[str, Any] = {"train": mini.named(*TRAIN), "universe": mini.universe()}
    other = gz.hop_split(nodes, 1, **lists).store(mini_database, "from files")
    assert gz.load_split(mini_database, "from files") == other
    for sides in (("elsewhere", "universe"), ("train", "elsewhere")):
        with pytest.raises(gz.SplitError, match="no class set 'elsewhere'"):
            gz.Split("x", other.wnids, *sides, "wordnet").store(mini_database)


def test_a_database_has_class_sets_by_their_names(
    mini_database: gz.Database, mini: MiniWordNet, tmp_path: Path
) -> None:
    path = tmp_path / "seen.txt"
    path.write_text("\n".join(mini.named(*TRAIN)))
    for given in (mini.named(*TRAIN), path, str(path), 5):
        for ask in (
            lambda given: gz.hop_split(mini_database, 1, train=given, universe="universe"),
            lambda given: gz.hop_split(mini_database, None, train="train", universe=given),
            lambda given: gz.hcorrect_sets(mini_database, given, [1]),
        ):
            with pytest.raises(gz.SplitError, match="class sets by their names"):
                ask(given)

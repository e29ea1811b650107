"""Distances between all classes of a list: by hand, against every pair, networkx and NLTK."""

from __future__ import annotations

import doctest
import json
from math import log
from pathlib import Path
from typing import Any

import networkx
import nltk
import numpy as np
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import graphzsl as gz
from graphzsl.analysis import offline_counts
from graphzsl.cli import main
from graphzsl.common import DataError, SettingsError, load_settings, manifest, write_result
from graphzsl.hierarchy import Hierarchy, write_distances
from graphzsl.hierarchy import class_distances as module
from graphzsl.hierarchy.class_distances import class_distances
from graphzsl.sources import WordNet, wordnet_folder
from graphzsl.sources.imagenet import listed_classes
from tests.mini import MiniWordNet
from tests.schemas import fitting

#: A dog has two parents, one of which is two steps below the root.
EDGES = [
    ("creature", "root"),
    ("pet", "root"),
    ("animal", "creature"),
    ("dog", "animal"),
    ("dog", "pet"),
    ("wolf", "animal"),
    ("poodle", "dog"),
    ("beagle", "dog"),
    ("goldfish", "pet"),
]
CLASSES = ["poodle", "wolf", "beagle", "goldfish"]
#: Of the 9 nodes 3 are a dog, 5 an animal, 5 a pet.
OVER_ANIMAL = 1 - log(9 / 5) / log(9)
#: poodle–wolf, poodle–beagle, poodle–goldfish, wolf–beagle, wolf–goldfish, beagle–goldfish
BY_HAND = {
    # a wolf comes to a goldfish over the dog that is both animal and pet, not over the root
    "path": [3, 2, 3, 3, 4, 3],
    "ancestor-path": [3, 2, 3, 3, 5, 3],
    "lca": [2, 1, 2, 2, 4, 2],
    # the hierarchy is 4 high; a dog lies 3 below the root, an animal 2, a pet 1
    "lca-depth": [2, 1, 3, 2, 4, 3],
    "lin": [OVER_ANIMAL, 0.5, OVER_ANIMAL, OVER_ANIMAL, 1, OVER_ANIMAL],
    "jcn": [2 * log(5), 2 * log(3), 2 * log(5), 2 * log(5), 2 * log(9), 2 * log(5)],
}
PAIRS = np.triu_indices(4, 1)


@pytest.mark.parametrize("kind", BY_HAND)
def test_distances_by_hand(kind: str) -> None:
    found = class_distances(Hierarchy.from_edges(EDGES), CLASSES, kind)
    assert found[PAIRS] == pytest.approx(BY_HAND[kind])
    assert np.array_equal(found, found.T)
    assert not found.diagonal().any()
    assert found.dtype == (np.float32 if kind in ("lin", "jcn") else np.uint8)


def test_counts_are_what_information_is_made_of() -> None:
    """Seen 7 times besides, the poodle makes 16 of it: 10 of them a dog, 8 a poodle."""
    found = class_distances(Hierarchy.from_edges(EDGES), CLASSES, "jcn", {"poodle": 7})
    assert found[0, 2] == pytest.approx(log(16 / 8) + log(16) - 2 * log(16 / 10))


def test_a_class_above_another_and_one_above_itself() -> None:
    """The dog is 1 high, and 0 from itself."""
    found = class_distances(Hierarchy.from_edges(EDGES), ["dog", "poodle", "wolf"], "lca")
    assert found.tolist() == [[0, 1, 2], [1, 0, 2], [2, 2, 0]]


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_all_pairs_are_those_one_by_one(data: st.DataObject) -> None:
    mini = MiniWordNet()
    hierarchy = Hierarchy.from_edges(mini.edges())
    classes = data.draw(
        st.lists(st.sampled_from(hierarchy.wnids), min_size=1, max_size=12, unique=True)
    )
    hops = dict(networkx.all_pairs_shortest_path_length(networkx.Graph(mini.edges())))
    expected = [[hops[one][other] for other in classes] for one in classes]
    assert class_distances(hierarchy, classes, "path").tolist() == expected
    heights = hierarchy.heights_among(classes)
    expected = [[hierarchy.lca_height(a, b, heights) for b in classes] for a in classes]
    assert class_distances(hierarchy, classes, "lca").tolist() == expected


@pytest.fixture(scope="module")
def wordnet() -> Hierarchy:
    return Hierarchy.load()


@pytest.fixture(scope="module")
def nltk_wordnet() -> WordNet:
    return WordNet(wordnet_folder(load_settings()))


@pytest.fixture(scope="module")
def sample(wordnet: Hierarchy) -> list[str]:
    rng = np.random.default_rng(0)
    return sorted(rng.choice(listed_classes("ilsvrc2012"), 40, replace=False).tolist())


@pytest.mark.parametrize("kind", ["lin", "jcn"])
def test_information_distances_are_nltk_s(
    wordnet: Hierarchy, nltk_wordnet: WordNet, sample: list[str], kind: str
) -> None:
    """NLTK is given, for every noun, the senses tagged at it or below it and one for each node."""
    counts = offline_counts(wordnet, "senses", load_settings())
    own = np.array([counts.get(wnid, 0) + 1.0 for wnid in wordnet.wnids])
    below = own + wordnet.descendant_matrix @ own
    content: dict[str, dict[int, float]] = {"n": {0: own.sum()}}
    content["n"] |= {int(wnid[1:]): value for wnid, value in zip(wordnet.wnids, below, strict=True)}
    found = class_distances(wordnet, sample, kind, counts)
    synsets = [_synset(nltk_wordnet, wnid) for wnid in sample]
    for row, one in enumerate(synsets):
        for column in range(row):
            if kind == "lin":
                theirs = 1 - one.lin_similarity(synsets[column], content)
            else:
                theirs = 1 / one.jcn_similarity(synsets[column], content)
            assert found[row, column] == pytest.approx(theirs, abs=1e-5)


def test_paths_are_breadth_first_and_those_over_ancestors_are_nltk_s(
    wordnet: Hierarchy, nltk_wordnet: WordNet, sample: list[str]
) -> None:
    """A path through any node is never longer, and often shorter."""
    rows, columns = wordnet.up.nonzero()
    graph = networkx.Graph(zip(rows.tolist(), columns.tolist(), strict=True))
    found = class_distances(wordnet, sample, "path")
    places = [wordnet.index[wnid] for wnid in sample]
    for row, place in enumerate(places[:10]):
        away = networkx.single_source_shortest_path_length(graph, place)
        assert found[row].tolist() == [away[other] for other in places]
    synsets = [_synset(nltk_wordnet, wnid) for wnid in sample]
    theirs = np.array([[a.shortest_path_distance(b) for b in synsets] for a in synsets])
    assert np.array_equal(class_distances(wordnet, sample, "ancestor-path"), theirs)
    assert (found <= theirs).all()
    assert (found < theirs).any()


def _synset(source: WordNet, wnid: str) -> Any:
    return source._reader.synset_from_pos_and_offset("n", int(wnid[1:]))


def test_lca_heights_of_a_thousand_classes_are_those_one_by_one(wordnet: Hierarchy) -> None:
    classes = listed_classes("ilsvrc2012")
    found = class_distances(wordnet, classes, "lca")
    heights = wordnet.heights_among(classes)
    rng = np.random.default_rng(1)
    for row, column in rng.integers(0, len(classes), (500, 2)):
        expected = wordnet.lca_height(classes[row], classes[column], heights)
        assert found[row, column] == expected
    assert np.array_equal(found, found.T)
    # the trimmed hierarchy is 18 high (Russakovsky et al. 2015 print 19 levels)
    assert found.max() == 18


def test_heights_on_a_tree_are_those_of_nltk_s_trees() -> None:
    """Bertinetto et al. 2020: the height of the lowest common ancestor, in a tree as their code
    holds it (``nltk.Tree``); their released distances count its depth from below."""
    rng = np.random.default_rng(0)
    for _ in range(10):
        parents = [int(rng.integers(0, node)) for node in range(1, 40)]
        edges = [(f"n{c:08d}", f"n{p:08d}") for c, p in enumerate(parents, 1)]
        hierarchy, tree = Hierarchy.from_edges(edges), _nltk_tree(0, parents)
        leaves = sorted(tree.leaves())
        heights = class_distances(hierarchy, leaves, "lca")
        depths = class_distances(hierarchy, leaves, "lca-depth")
        for row, one in enumerate(leaves):
            for column, other in enumerate(leaves[:row]):
                places = sorted(tree.leaves().index(leaf) for leaf in (one, other))
                common = tree.treeposition_spanning_leaves(places[0], places[1] + 1)
                assert heights[row, column] == tree[common].height() - 1
                assert depths[row, column] == tree.height() - 1 - len(common)


def _nltk_tree(node: int, parents: list[int]) -> Any:
    children = [child for child, parent in enumerate(parents, 1) if parent == node]
    label = f"n{node:08d}"
    return nltk.Tree(label, [_nltk_tree(c, parents) for c in children]) if children else label


def test_large_distances_take_two_bytes() -> None:
    chain = [(f"n{i + 1:08d}", f"n{i:08d}") for i in range(300)]
    hierarchy, ends = Hierarchy.from_edges(chain), ["n00000000", "n00000300"]
    for kind in ("path", "ancestor-path", "lca", "lca-depth"):
        found = class_distances(hierarchy, ends, kind)
        assert (found.tolist(), found.dtype) == ([[0, 300], [300, 0]], np.uint16)


@pytest.mark.parametrize(
    ("classes", "said"),
    [
        ([], "There are no classes"),
        (["dog", "wolf", "dog"], "dog is there twice: class 0 and class 2"),
        (["dog", "nobody"], "class 1: 'nobody' is not a node"),
        (["dog", "alone", "wolf"], "dog and alone have no distance"),
    ],
)
@pytest.mark.parametrize("kind", BY_HAND)
def test_classes_without_distances(kind: str, classes: list[str], said: str) -> None:
    hierarchy = Hierarchy.from_edges(EDGES, ["alone"])
    with pytest.raises(DataError, match=said):
        class_distances(hierarchy, classes, kind)


def test_another_distance_is_an_error() -> None:
    with pytest.raises(SettingsError, match="no distance 'cosine'"):
        class_distances(Hierarchy.from_edges(EDGES), CLASSES, "cosine")


@pytest.mark.parametrize("kind", BY_HAND)
@pytest.mark.parametrize("block", [1, 3, 256])
def test_files_hold_the_same(
    kind: str, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BLOCK", block)
    names = {"poodle": "poodle.n.01", "beagle": "beagle.n.01"}
    hierarchy = Hierarchy.from_edges(EDGES, names=names)
    expected = class_distances(hierarchy, CLASSES, kind)
    square, pairs = tmp_path / "d.npy", tmp_path / "d.parquet"
    assert write_distances(hierarchy, CLASSES, square, kind, set="mine") == 6
    assert np.array_equal(np.load(square), expected)
    assert np.load(square).dtype == expected.dtype
    said = fitting(tmp_path / "d.npy.manifest.json", "distances")
    assert (said["classes"], said["names"], said["set"]) == (
        CLASSES,
        ["poodle.n.01", None, "beagle.n.01", None],
        "mine",
    )
    write_distances(hierarchy, CLASSES, pairs, kind)
    table = pq.read_table(pairs)
    assert table.column_names == ["one", "one_name", "other", "other_name", "distance"]
    p, b = names["poodle"], names["beagle"]
    assert table["one_name"].to_pylist() == [p, p, p, None, None, b]
    assert table["other_name"].to_pylist() == [None, b, None, b, None, None]
    rows = [(row["one"], row["other"], row["distance"]) for row in table.to_pylist()]
    assert [row[:2] for row in rows] == [
        (CLASSES[a], CLASSES[b]) for a, b in zip(*PAIRS, strict=True)
    ]
    assert [row[2] for row in rows] == expected[PAIRS].tolist()


def test_nothing_is_written_that_is_not_whole(tmp_path: Path) -> None:
    hierarchy = Hierarchy.from_edges(EDGES, ["alone"])
    out = tmp_path / "d.npy"
    with pytest.raises(DataError, match=r"must end in \.npy or \.parquet"):
        write_distances(hierarchy, CLASSES, tmp_path / "d.csv")
    with pytest.raises(DataError, match="alone"):
        write_distances(hierarchy, [*CLASSES, "alone"], out, "jcn")
    assert list(tmp_path.iterdir()) == []
    write_result(tmp_path / "d.npy.manifest.json", manifest("windows"))
    with pytest.raises(DataError, match="this would be 'distances'"):
        write_distances(hierarchy, CLASSES, out)
    assert not out.exists()


def test_the_command(tmp_path: Path) -> None:
    """Classes by name or wnid, hops over full WordNet: poodle, dog, canine, feline by hand."""
    classes, out = tmp_path / "classes.txt", tmp_path / "d.npy"
    classes.write_text("# mine\npoodle.n.01\nn02084071 a comment\nfeline.n.01\n")
    answer = _export(classes, out)
    assert answer.exit_code == 0, answer.output
    assert "3 classes, 3 pairs" in answer.stderr
    # poodle, dog, canine, carnivore, feline
    assert np.load(out).tolist() == [[0, 1, 4], [1, 0, 3], [4, 3, 0]]
    said = json.loads((tmp_path / "d.npy.manifest.json").read_text())
    assert said["names"] == ["poodle.n.01", "dog.n.01", "feline.n.01"]
    assert (said["hierarchy"]["hierarchy"], said["distance"]) == ("wordnet", "path")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("n02084071\n\nn99999999\n", "classes.txt:3: n99999999 is not a node"),
        ("dog.n.01\ndog.n.77\n", "classes.txt:2: 'dog.n.77' is not a node"),
        (
            "dog.n.01\nn02084071\n",
            "classes.txt:2: n02084071 (dog.n.01) is there twice: line 1 as 'dog.n.01' and line 2",
        ),
        ("n02084071\nn02084071\n", "is there twice: line 1 and line 2"),
        ("# nothing\n", "classes.txt is empty"),
    ],
)
def test_lists_that_are_refused(tmp_path: Path, text: str, said: str) -> None:
    classes, out = tmp_path / "classes.txt", tmp_path / "d.npy"
    classes.write_text(text)
    answer = _export(classes, out)
    assert (answer.exit_code, said in answer.output) == (1, True), answer.output
    assert not out.exists()


def test_names_and_suffixes_that_are_refused(tmp_path: Path) -> None:
    answer = _export("nothing", tmp_path / "d.npy")
    assert answer.exit_code == 1
    assert "'nothing' is neither a file, nor a shipped list (ilsvrc2012" in answer.output
    assert "nor a class set of a database that runs" in answer.output
    answer = _export("ilsvrc2012", tmp_path / "d.csv")
    assert (answer.exit_code, "must end in .npy or .parquet" in answer.output) == (2, True)
    answer = _export("ilsvrc2012", tmp_path / "d.npy", "--counts", "uniform")
    assert (answer.exit_code, "--counts has no effect" in answer.output) == (2, True)


def _export(classes: object, out: Path, *more: str) -> Any:
    return CliRunner().invoke(
        main, ["export", "distances", "--set", str(classes), "--out", str(out), *more]
    )


def test_the_example_of_the_docstring() -> None:
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    (example,) = doctest.DocTestFinder().find(class_distances, "example", globs={"gz": gz})
    runner.run(example)
    assert runner.summarize(verbose=False) == (0, len(example.examples))

"""Hierarchical precision, recall, F and distances: by hand, against loops over sets, and against
hiclass."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

import graphzsl as gz
from graphzsl.hierarchy.pairs import _BLOCK
from graphzsl.metrics.hierarchical import (
    distance_at_k,
    lca_heights,
    lca_information,
    mistake_severity,
    precision_recall_f,
)
from graphzsl.sources.imagenet import listed_classes
from tests.metrics.hierarchical.trees import (
    DAG,
    DIAMOND,
    LEAVES,
    PARENT,
    TREE,
    above,
    height,
    random_parents,
)

TRUE = ["poodle", "cat", "husky", "cup"]
PREDICTED = ["beagle", "cup", "dog", "cup"]


def test_precision_recall_and_f_by_hand() -> None:
    """Overlaps 2, 0, 2, 2 of 3, 2, 2, 2 predicted and 3, 2, 3, 2 true nodes, the root left out."""
    assert precision_recall_f(TREE, TRUE, PREDICTED) == pytest.approx((6 / 9, 6 / 10, 12 / 19))
    with_root = precision_recall_f(TREE, TRUE, PREDICTED, root=True)
    assert with_root == pytest.approx((10 / 13, 10 / 14, 20 / 27))
    macro = precision_recall_f(TREE, TRUE, PREDICTED, average="macro")
    assert macro == pytest.approx((2 / 3, 7 / 12, 37 / 60))
    each = precision_recall_f(TREE, TRUE, PREDICTED, average=None)
    assert np.asarray(each.precision).tolist() == pytest.approx([2 / 3, 0, 1, 1])
    assert np.asarray(each.f).tolist() == pytest.approx([2 / 3, 0, 4 / 5, 1])
    assert precision_recall_f(TREE, TRUE, PREDICTED, beta=2).f == pytest.approx(30 / 49)


def test_numbers_are_the_classes_that_they_count() -> None:
    """In the order given, which is not that of the names."""
    true, predicted = [0, 3, 2, 4], np.array([1, 4, 0, 4])
    named = [LEAVES[number] for number in true], [LEAVES[number] for number in predicted]
    found = precision_recall_f(TREE, true, predicted, classes=LEAVES)
    assert found == precision_recall_f(TREE, *named)
    assert found == pytest.approx((6 / 10, 6 / 10, 6 / 10))


def test_a_prediction_of_the_root_alone_is_a_share_of_nothing() -> None:
    assert precision_recall_f(TREE, ["cat"], ["thing"]) == (0, 0, 0)
    assert precision_recall_f(TREE, ["cat"], ["thing"], root=True).precision == 1


def test_the_roots_of_a_forest_are_classes() -> None:
    """hiclass has no root either: its paths begin with the first level."""
    forest = gz.Hierarchy.from_edges([("dog", "animal"), ("cat", "animal"), ("cup", "artefact")])
    assert precision_recall_f(forest, ["dog"], ["cat"]) == pytest.approx((1 / 2, 1 / 2, 1 / 2))
    assert precision_recall_f(forest, ["dog"], ["cup"]) == (0, 0, 0)
    names = ["animal", "cat", "dog"]  # pairs in the order of names: animal and cup share nothing
    each = precision_recall_f(forest, names, ["cup", "dog", "animal"], average=None)
    assert np.asarray(each.recall).tolist() == [0, 1 / 2, 1 / 2]
    only = precision_recall_f(forest, [0], [1], classes=["dog", "cat"])
    assert only.f == pytest.approx(1 / 2), "the other tree is trimmed away, animal is no root"


def test_a_diamond_by_hand() -> None:
    """A(d) = {d, a, b}, A(e) = {e, a}, A(g) = {g, d, a, b}."""
    assert precision_recall_f(DAG, ["d"], ["e"]) == pytest.approx((1 / 2, 1 / 3, 2 / 5))
    assert precision_recall_f(DAG, ["g"], ["d"]) == pytest.approx((1, 3 / 4, 6 / 7))
    # heights: g 0, d 1, e and f 0, a and b 2, r 3; without g: d 0, a and b 1, r 2
    assert lca_heights(DAG, ["d", "e", "g"], ["e", "f", "d"]).tolist() == [2, 3, 1]
    assert lca_heights(DAG, [0, 1], [1, 2], classes=["d", "e", "f"]).tolist() == [1, 2]
    # three leaves, g, e and f: two of them below a and below b, g once below each
    bits = lca_information(DAG, ["g", "e", "d", "d"], ["e", "f", "g", "e"])
    assert bits.tolist() == pytest.approx([1, math.log2(3), 0, 1])


def test_heights_by_hand() -> None:
    """thing 3, animal 2, dog 1, artefact 1."""
    true = ["poodle", "poodle", "cat", "husky", "cup", "dog"]
    predicted = ["beagle", "cat", "cup", "dog", "car", "dog"]
    assert lca_heights(TREE, true, predicted).tolist() == [1, 2, 3, 1, 1, 0]
    trimmed = lca_heights(TREE, [0, 0], [1, 2], classes=["cat", "dog", "cup"])
    assert trimmed.tolist() == [1, 2], "dog is a leaf here"
    lists = lca_heights(TREE, ["cat", "cup"], [["cat", "dog"], ["car", "beagle"]])
    assert lists.tolist() == [[0, 2], [1, 3]]


def test_information_is_what_the_code_of_lca_on_the_line_prints() -> None:
    """Printed by its hier.py, values_entropy[gt] - values_entropy[lca] of its main.py, for this
    tree."""
    true = ["poodle", "poodle", "cat", "car", "cup"]
    predicted = ["beagle", "cat", "poodle", "husky", "car"]
    theirs = [1.584962500721156, 2, 2, 2.584962500721156, 1]
    assert lca_information(TREE, true, predicted).tolist() == pytest.approx(theirs, abs=1e-12)
    severity = mistake_severity(TREE, [*true, "cat"], [*predicted, "cat"], distance="information")
    assert severity == pytest.approx(sum(theirs) / 5), "the right one does not count"


def test_severity_and_distance_at_k_by_hand() -> None:
    assert mistake_severity(TREE, TRUE, PREDICTED) == pytest.approx((1 + 3 + 1) / 3)
    assert math.isnan(mistake_severity(TREE, TRUE, TRUE))
    lists = [["poodle", "cat", "cup"], ["cup", "dog", "cat"]]  # heights 0, 2, 3 and 3, 2, 0
    assert distance_at_k(TREE, ["poodle", "cat"], lists) == pytest.approx((5 / 3 + 5 / 3) / 2)
    assert distance_at_k(TREE, ["poodle", "cat"], lists, 1) == pytest.approx(3 / 2)
    assert distance_at_k(TREE, ["poodle", "cat"], lists, 2) == pytest.approx((1 + 2.5) / 2)
    least = distance_at_k(TREE, ["poodle", "cat"], lists, 2, of="least")
    assert least == pytest.approx((0 + 2) / 2)
    wrong = distance_at_k(TREE, ["poodle", "cat"], lists, 2, mistakes=True)
    assert wrong == pytest.approx(2.5)
    bits = distance_at_k(TREE, ["poodle", "cat"], lists, 2, distance="information")
    # poodle, cat share animal: 2 bits; cat and cup share the root: log2 6; cat and dog animal: 2
    assert bits == pytest.approx(((0 + 2) / 2 + (math.log2(6) + 2) / 2) / 2)


@given(st.integers(0, 10**6), st.integers(2, 25), st.integers(1, 3), st.booleans())
@settings(max_examples=60, deadline=None)
def test_everything_against_sets_of_ancestors(seed: int, nodes: int, most: int, trim: bool) -> None:
    random = np.random.default_rng(seed)
    parents = random_parents(random, nodes, most)
    hierarchy = gz.Hierarchy.from_edges((c, p) for c, ps in parents.items() for p in ps)
    names = np.array(["n0", *parents])
    chosen = random.choice(names, int(random.integers(1, nodes + 1)), replace=False).tolist()
    true, predicted = random.choice(chosen, (2, 30)).tolist()
    given = {"classes": chosen} if trim else {}
    kept = set().union(*(above(parents, each) for each in chosen)) if trim else set(names)
    leaves = {n for n in kept if not any(n in parents.get(each, ()) for each in kept)}
    own = {n: above(parents, n) for n in kept}
    share = {n: sum(n in own[leaf] for leaf in leaves) / len(leaves) for n in kept}
    heights = {n: height(parents, n, kept) for n in kept}

    each = precision_recall_f(hierarchy, true, predicted, average=None, **given)
    bits, found = [], []
    overlap = total_true = total_predicted = 0
    for row, (y, p) in enumerate(zip(true, predicted, strict=True)):
        common = own[y] & own[p]
        sizes = len(common - {"n0"}), len(own[p] - {"n0"}), len(own[y] - {"n0"})
        assert np.asarray(each.precision)[row] == pytest.approx(sizes[0] / max(sizes[1], 1))
        assert np.asarray(each.recall)[row] == pytest.approx(sizes[0] / max(sizes[2], 1))
        overlap += sizes[0]
        total_predicted += sizes[1]
        total_true += sizes[2]
        found.append(0 if y == p else min(heights[n] for n in common))
        bits.append(math.log2(min(share[n] for n in common)) - math.log2(share[y]))
    micro = precision_recall_f(hierarchy, true, predicted, **given)
    assert micro.precision == pytest.approx(overlap / max(total_predicted, 1))
    assert micro.recall == pytest.approx(overlap / max(total_true, 1))
    assert lca_heights(hierarchy, true, predicted, **given).tolist() == found
    assert lca_information(hierarchy, true, predicted, **given).tolist() == pytest.approx(bits)
    wrong = [value for value, y, p in zip(found, true, predicted, strict=True) if y != p]
    severity = mistake_severity(hierarchy, true, predicted, **given)
    assert severity == pytest.approx(np.mean(wrong) if wrong else math.nan, nan_ok=True)


@pytest.mark.parametrize("k", [1, 3, 6])
def test_distances_at_k_as_the_code_of_making_better_mistakes_accumulates_them(k: int) -> None:
    """Its _avg, _top and _mistakes/avg over all samples as one batch."""
    random = np.random.default_rng(k)
    true = random.integers(0, 6, 40)
    ranked = np.array([random.permutation(6) for _ in true])
    full = {"dog": 1, "animal": 2, "artefact": 1, "thing": 3}
    line = {name: [name] for name in LEAVES}
    for name in LEAVES:
        while line[name][-1] in PARENT:
            line[name].append(PARENT[line[name][-1]])

    def apart(one: str, other: str) -> int:
        return 0 if one == other else full[next(n for n in line[one] if n in line[other])]

    rows = [[apart(LEAVES[y], LEAVES[p]) for p in row] for y, row in zip(true, ranked, strict=True)]
    at = {"classes": LEAVES}
    expected = sum(sum(row[:k]) / k for row in rows) / 40
    assert distance_at_k(TREE, true, ranked, k, **at) == pytest.approx(expected)
    expected = sum(min(row[:k]) for row in rows) / 40
    assert distance_at_k(TREE, true, ranked, k, of="least", **at) == pytest.approx(expected)
    wrong = [row for row in rows if row[0]]
    expected = sum(sum(row[:k]) for row in wrong) / (len(wrong) * k)
    assert distance_at_k(TREE, true, ranked, k, mistakes=True, **at) == pytest.approx(expected)


def test_blocks_of_pairs_do_not_change_the_result(monkeypatch: pytest.MonkeyPatch) -> None:
    true, predicted = np.repeat(np.arange(6), 6), np.tile(np.arange(6), 6)
    whole = lca_heights(TREE, true, predicted, classes=LEAVES)
    assert len(whole) < _BLOCK
    monkeypatch.setattr("graphzsl.hierarchy.pairs._BLOCK", 5)
    assert np.array_equal(lca_heights(TREE, true, predicted, classes=LEAVES), whole)


def test_heights_are_those_of_the_hierarchy() -> None:
    heights = DAG.heights_among()
    nodes = sorted({*DIAMOND, "r"})
    for one in nodes:
        expected = [DAG.lca_height(one, other, heights) for other in nodes]
        assert lca_heights(DAG, [one] * len(nodes), nodes).tolist() == expected


@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("seed", range(5))
def test_trees_against_hiclass(seed: int, average: Any) -> None:
    theirs = pytest.importorskip("hiclass.metrics")
    random = np.random.default_rng(seed)
    parents = random_parents(random, 60, 1)
    hierarchy = gz.Hierarchy.from_edges((child, top) for child, (top,) in parents.items())
    names = sorted(parents)  # without the root, which hiclass's paths do not hold
    true, predicted = random.choice(names, (2, 200)).tolist()

    def path(node: str) -> list[str]:
        return [] if node == "n0" else [*path(parents[node][0]), node]

    depth = max(len(path(name)) for name in names)
    paths = [
        [path(name) + [""] * (depth - len(path(name))) for name in labels]
        for labels in (true, predicted)
    ]
    found = precision_recall_f(hierarchy, true, predicted, average=average)
    assert found.precision == pytest.approx(theirs.precision(*paths, average=average))
    assert found.recall == pytest.approx(theirs.recall(*paths, average=average))
    assert found.f == pytest.approx(
        theirs.f1(*paths, average=average, zero_division=0.0 if average == "micro" else "warn")
    )


def test_heights_of_imagenet_by_hand() -> None:
    """Counted in WordNet 3.0: in all of it, and trimmed to ImageNet's 1,000 classes."""
    wordnet = gz.Hierarchy.load()
    # toy poodle, sports car, beagle, beagle, beagle
    true = ["n02113624", "n04285008", "n02088364", "n02088364", "n02088364"]
    # standard poodle, minivan, toy poodle, tabby, container ship
    predicted = ["n02113799", "n03770679", "n02113624", "n02123045", "n03095699"]
    assert lca_heights(wordnet, true, predicted).tolist() == [1, 2, 5, 6, 16]
    trimmed = lca_heights(wordnet, true, predicted, classes=listed_classes("ilsvrc2012"))
    assert trimmed.tolist() == [1, 1, 5, 6, 15]


def test_the_last_classes_are_trimmed_once() -> None:
    from graphzsl.metrics.hierarchical.labels import ClassTree

    one = ClassTree.of(TREE, LEAVES)
    assert ClassTree.of(TREE, list(LEAVES)).hierarchy is one.hierarchy
    assert ClassTree.of(TREE, LEAVES[::-1]).hierarchy is not one.hierarchy


@pytest.mark.parametrize(
    ("true", "predicted", "given", "said"),
    [
        (["cat", "cow"], ["cat", "cat"], {}, "y_true, row 1: 'cow' is not a node"),
        (["cat"], ["dog"], {"classes": ["cat", "cup"]}, "'dog' is neither one of the 2 classes"),
        ([0], [2], {"classes": ["cat", "cup"]}, "y_pred, row 0: there is no class 2 among 2"),
        ([0], [-1], {"classes": ["cat", "cup"]}, "there is no class -1"),
        ([0], [1], {}, "holds numbers: classes must say"),
        ([0.0], [float("nan")], {"classes": ["cat"]}, "y_true must hold names .* not float64"),
        (["cat"], ["cat", "dog"], {}, "y_true has 1 row and y_pred 2"),
        ([], [], {}, "y_true is empty"),
        ("cat", "dog", {}, "y_true must be an array of samples"),
        ([["cat"]], ["dog"], {}, r"y_true must be \[N\]"),
        ([["cat"], ["cat", "dog"]], ["dog"], {}, "rows differ in length"),
        (["cat"], ["cat"], {"classes": ["cat", "cat"]}, "cat is there twice: class 0 and class 1"),
        (["cat"], ["cat"], {"classes": ["cow"]}, "'cow' is not a node"),
        (["cat"], ["cat"], {"classes": []}, "classes is empty"),
        (["cat"], ["cat"], {"classes": "cat"}, "neither a file nor an ImageNet list"),
        (["cat"], ["cat"], {"average": "samples"}, "average must be micro, macro or None"),
        (["cat"], ["cat"], {"beta": 0}, "beta must be above 0"),
    ],
)
def test_wrong_labels_are_refused(true: Any, predicted: Any, given: Any, said: str) -> None:
    with pytest.raises(gz.DataError, match=said):
        precision_recall_f(TREE, true, predicted, **given)


def test_wrong_lists_and_trees_are_refused() -> None:
    lists = [["cat", "cup"]]
    for k in (0, 3):
        with pytest.raises(gz.DataError, match=f"k must be between 1 and 2, .* not {k}"):
            distance_at_k(TREE, ["cat"], lists, k)
    with pytest.raises(gz.DataError, match="y_true has 2 rows and ranked 1"):
        distance_at_k(TREE, ["cat", "cat"], lists)
    with pytest.raises(gz.DataError, match=r"ranked \[N, K\]"):
        distance_at_k(TREE, ["cat"], ["cat"])
    with pytest.raises(gz.DataError, match="distance must be height or information"):
        mistake_severity(TREE, ["cat"], ["cup"], distance="hops")  # type: ignore[arg-type]
    with pytest.raises(gz.DataError, match="of must be mean or least"):
        distance_at_k(TREE, ["cat"], lists, of="max")  # type: ignore[arg-type]
    forest = gz.Hierarchy.from_edges([("cat", "animal"), ("cup", "artefact")])
    with pytest.raises(gz.DataError, match="cat and cup have no common ancestor"):
        lca_heights(forest, ["cat"], ["cup"])
    with pytest.raises(gz.DataError, match="hierarchy must be a Hierarchy, not dict"):
        lca_heights(PARENT, ["cat"], ["cup"])  # type: ignore[arg-type]
    up = sparse.csr_array(np.array([[0, 1], [1, 0]], np.float32))
    loop = gz.Hierarchy(["a", "b"], {"a": 0, "b": 1}, up)  # from_edges refuses it
    with pytest.raises(gz.DataError, match="cycle through"):
        precision_recall_f(loop, ["a"], ["b"])


def test_a_list_has_a_class_once() -> None:
    pets = gz.Hierarchy.from_edges([("poodle", "dog"), ("dog", "pet"), ("cat", "pet")])
    lists = [["poodle", "dog", "cat"], ["cat", "dog", "cat"]]
    with pytest.raises(gz.DataError, match="ranked, row 1: cat is there twice"):
        gz.hierarchical.distance_at_k(pets, ["poodle", "cat"], lists)
    assert gz.hierarchical.distance_at_k(pets, ["poodle", "cat"], lists, 2) == 0.75

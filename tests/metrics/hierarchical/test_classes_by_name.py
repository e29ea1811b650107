"""Classes of hierarchical metrics are read as everywhere: wnids, names of synsets, words, lists by
name; what is none of them is answered with near ones."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import graphzsl as gz
from graphzsl import hierarchical as hm

TENCH, HEN, DOG, POODLE = "n01440764", "n01514859", "n02084071", "n02113335"
NAMED = [TENCH, "hen.n.02", "German shepherd", "poodle"]
WNIDS = [TENCH, HEN, "n02106662", POODLE]


@pytest.fixture(scope="module")
def wordnet() -> gz.Hierarchy:
    return gz.Hierarchy.load()


def test_every_spelling_says_the_same(wordnet: gz.Hierarchy) -> None:
    predicted = WNIDS[1:] + WNIDS[:1]
    expected = hm.lca_heights(wordnet, WNIDS, predicted)
    assert (hm.lca_heights(wordnet, NAMED, predicted) == expected).all()
    assert (hm.lca_heights(wordnet, predicted, np.array(NAMED)) == expected).all()
    of_classes = hm.lca_heights(wordnet, WNIDS, predicted, classes=WNIDS)
    for classes in (NAMED, np.array(NAMED)):
        assert (hm.lca_heights(wordnet, NAMED, predicted, classes=classes) == of_classes).all()
        numbers = hm.lca_heights(wordnet, [0, 1, 2, 3], [1, 2, 3, 0], classes=classes)
        assert (numbers == of_classes).all()
    lists = [[each, other] for each, other in zip(NAMED, predicted, strict=True)]
    assert hm.distance_at_k(wordnet, WNIDS, lists, of="least") == 0


def test_subtrees_and_superclasses_by_name(wordnet: gz.Hierarchy, tmp_path: Path) -> None:
    assert hm.in_subtree(wordnet, NAMED, "dog.n.01").tolist() == [False, False, True, True]
    assert hm.in_subtree(wordnet, NAMED, [DOG, "fish.n.01"]).tolist() == [True, False, True, True]
    cut = ["dog.n.01", "fish.n.01", "bird.n.01"]
    assert hm.superclasses_of(wordnet, ["poodle", HEN], cut) == {"poodle": DOG, HEN: "n01503061"}
    assert hm.cut_accuracy(wordnet, NAMED, [TENCH, POODLE, POODLE, POODLE], cut) == 0.75
    given = {"poodle": "pet", "German shepherd": "pet", TENCH: "food", "hen.n.02": "food"}
    assert hm.cut_accuracy(wordnet, WNIDS, [HEN, POODLE, POODLE, POODLE], given) == 0.75
    path = tmp_path / "classes.txt"
    path.write_text("\n".join(NAMED))
    for classes in (path, "ilsvrc2012"):
        shares = hm.precision_recall_f(wordnet, [0, 1], [0, 1], classes=classes)
        assert shares.f == 1


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (
            lambda h: hm.lca_heights(h, [TENCH, "poodel"], WNIDS[:2]),
            "y_true, row 1: 'poodel' is not",
        ),
        (
            lambda h: hm.distance_at_k(h, [TENCH], [[HEN, "poodel"]]),
            "ranked, row 0: 'poodel' is not",
        ),
        (lambda h: hm.in_subtree(h, WNIDS, "poodel"), "nodes, class 0: 'poodel' is not"),
        (lambda h: hm.in_subtree(h, ["poodel"], DOG), "labels, row 0: 'poodel' is not"),
        (lambda h: hm.superclasses_of(h, ["poodel"], [DOG]), "classes, class 0: 'poodel' is not"),
        (
            lambda h: hm.superclasses_of(h, [POODLE], ["poodel"]),
            "superclasses, class 0: 'poodel' is",
        ),
        (lambda h: hm.roll_up(h, [[1.0]], ["poodel"], 0.5), "classes, class 0: 'poodel' is not"),
    ],
)
def test_what_is_misspelt_has_near_names(wordnet: gz.Hierarchy, call: object, said: str) -> None:
    with pytest.raises(gz.DataError, match=f"{said} .*Did you mean .*'poodle'"):
        call(wordnet)  # type: ignore[operator]


def test_wnids_and_words_that_are_not_clear(wordnet: gz.Hierarchy) -> None:
    with pytest.raises(gz.DataError, match=r"y_true, row 0: 'n0211335' .*Did you mean n02113335"):
        hm.lca_heights(wordnet, ["n0211335"], [POODLE])
    with pytest.raises(gz.DataError, match=r"y_pred, row 0: 'crane' names .* noun synsets"):
        hm.lca_heights(wordnet, [POODLE], ["crane"])
    with pytest.raises(gz.DataError, match=r"y_true, row 1: A class is a wnid .*, not None"):
        hm.lca_heights(wordnet, [POODLE, None], WNIDS[:2])
    with pytest.raises(
        gz.DataError, match=r"row 0: 'hen.n.02' is neither one of the 2 classes nor above"
    ):
        hm.lca_heights(wordnet, [POODLE], ["hen.n.02"], classes=[POODLE, TENCH])

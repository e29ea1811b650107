"""ILSVRC's uses of the hierarchy: the published question DAG, bins, inheritance, order,
correlations."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from graphzsl.common import DataError
from graphzsl.hierarchy import Hierarchy
from graphzsl.ilsvrc import (
    annotation_cost,
    bins,
    browser_order,
    correlation,
    detection_questions,
    inherited,
)
from graphzsl.ilsvrc.annotation_cost import cost_curve, truthful, walk
from graphzsl.ilsvrc.class_properties.properties import _weighted
from tests.mini import MiniWordNet

MINI = MiniWordNet()
DAG = Hierarchy.from_edges(MINI.edges())


def test_the_question_dag_of_appendix_d() -> None:
    questions, labels = detection_questions()
    assert labels == [str(number) for number in range(1, 201)]
    assert (len(questions.wnids), questions.up.nnz) == (245, 231)
    parents = np.diff(questions.up.indptr)
    assert int((parents == 0).sum()) == 17
    assert [wnid for wnid, count in zip(questions.wnids, parents, strict=True) if count > 1] == [
        "61",
        "87",
        "electric cooking appliance",
    ]


def test_questions_asked_for_truthful_answers() -> None:
    questions, labels = detection_questions()

    def number_of_questions(*present: str) -> int:
        found = walk(questions, labels, truthful(questions, present))
        assert found.labels == set(present)
        return found.questions

    assert number_of_questions() == 17
    assert number_of_questions("199") == 17  # a person
    assert number_of_questions("58") == 38  # a microwave
    assert number_of_questions("101") == 44  # a cat
    assert number_of_questions(*labels) == 245
    single = [number_of_questions(label) for label in labels]
    assert (np.mean(single), min(single), max(single)) == (pytest.approx(29.06), 17, 50)


def test_wrong_answers_cost_questions_or_labels() -> None:
    questions, labels = detection_questions()
    right = annotation_cost(questions, labels, 2, 60)
    assert right["simulated"] is True, "real images do not draw labels evenly"
    assert (right["recall"], right["wrong_labels_mean"]) == (1, 0)
    yes = annotation_cost(questions, labels, 2, 60, false_yes=0.1)
    assert yes["recall"] == 1
    assert yes["questions_mean"] > right["questions_mean"]
    no = annotation_cost(questions, labels, 2, 60, false_no=0.2)
    assert no["recall"] < 0.9
    assert no["questions_mean"] < right["questions_mean"]
    with pytest.raises(DataError, match="do not fit"):
        annotation_cost(questions, labels, 201, 1)


def test_a_curve_of_questions_against_labels() -> None:
    """In a whole binary tree with 2^d leaves one label takes a question at the root and two on each
    floor below; of labels that all hang at the root K + 1."""
    floors = 5
    leaves = [format(number, f"0{floors}b") for number in range(2**floors)]
    tree = Hierarchy.from_edges(
        {(f"n{leaf[:end]}", f"n{leaf[: end - 1]}") for leaf in leaves for end in range(1, 6)}
    )
    rows = cost_curve(tree, [f"n{leaf}" for leaf in leaves], [32, 8, 32], images=20)
    assert [row["labels"] for row in rows] == [8, 32]
    assert rows[1]["questions_mean"] == 1 + 2 * floors
    assert rows[0]["questions_per_doubling"] is None
    assert rows[1]["questions_per_doubling"] == pytest.approx(
        (rows[1]["questions_mean"] - rows[0]["questions_mean"]) / 2
    )
    star = Hierarchy.from_edges({(f"n{leaf}", "root") for leaf in leaves})
    flat = cost_curve(star, [f"n{leaf}" for leaf in leaves], [4, 8, 16], images=5)
    assert [row["questions_mean"] for row in flat] == [5, 9, 17]
    assert [row["questions_per_doubling"] for row in flat] == [None, 4, 8]


def test_a_no_closes_what_has_another_parent() -> None:
    hierarchy = Hierarchy.from_edges([("kettle", "electric"), ("kettle", "kitchen")])
    answers = {"electric": False, "kitchen": True, "kettle": True}
    assert walk(hierarchy, ["kettle"], answers.__getitem__).labels == set()
    assert walk(hierarchy, ["kettle"], answers.__getitem__, known=["kettle"]).questions == 0


def test_questions_of_a_class_set_find_every_label() -> None:
    classes = MINI.named("tabby", "siamese", "poodle", "oak", "laptop")
    questions = DAG.pruned(classes)
    for present in ([], classes[:1], classes):
        assert walk(questions, classes, truthful(questions, present)).labels == set(present)


def test_bins() -> None:
    classes = MINI.named("dog", "laptop", "king", "object")
    found = bins(DAG, classes, [MINI["animal"], MINI["person"]], [MINI["artifact"]])
    assert [found[wnid] for wnid in classes] == ["natural", "man-made", "natural", "other"]
    both = bins(DAG, MINI.named("lifting_truck"), MINI.named("machine"), MINI.named("vehicle"))
    assert list(both.values()) == ["both"]


def test_coarse_classes_take_the_mean_of_what_is_below_them() -> None:
    values = dict(zip(MINI.named("poodle", "beagle", "tabby"), (1.0, 3.0, 8.0), strict=True))
    found = inherited(DAG, values)
    assert found[MINI["dog"]] == (2.0, 2)
    assert found[MINI["animal"]] == (4.0, 3)  # each class once, over both parents of dog and cat
    assert found[MINI["poodle"]] == (1.0, 1)
    assert MINI["oak"] not in found
    with pytest.raises(DataError, match="not a finite number"):
        inherited(DAG, {MINI["dog"]: float("nan")})


def test_a_label_browser_keeps_related_classes_together() -> None:
    classes = [row.wnid for row in MINI.rows if not DAG.descendants(row.wnid)]
    order = browser_order(DAG, classes)
    assert sorted(order) == sorted(classes)
    for name in ("bird", "poodle", "plant", "garment", "insect"):
        places = [order.index(wnid) for wnid in DAG.descendants(MINI[name]) & set(classes)]
        assert max(places) - min(places) == len(places) - 1


def test_correlations_and_their_intervals() -> None:
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    y = 0.5 * x + rng.normal(size=300)
    one, other = ({f"n{i}": float(v) for i, v in enumerate(values)} for values in (x, y))
    pearson, spearman = correlation(one, other, rounds=4000)
    assert pearson["coefficient"] == pytest.approx(stats.pearsonr(x, y).statistic)
    assert spearman["coefficient"] == pytest.approx(stats.spearmanr(x, y).statistic)
    reference = stats.pearsonr(x, y).confidence_interval(0.95)
    assert (pearson["low"], pearson["high"]) == pytest.approx(
        (reference.low, reference.high), abs=0.03
    )
    assert correlation(one, other, rounds=4000) == [pearson, spearman]
    with pytest.raises(DataError, match="at least 5"):
        correlation(dict(list(one.items())[:4]), other)
    with pytest.raises(DataError, match="the same for all"):
        correlation(dict.fromkeys(one, 1.0), other)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize(("factor", "base"), [(1e-6, 0.0), (1e-200, 0.0), (1e9, 0.0), (1, 2.0**20)])
def test_correlations_do_not_depend_on_units(factor: float, base: float) -> None:
    """Values of 40 classes in steps of 1/64, so that adding the base loses nothing."""
    x = np.random.default_rng(3).integers(64, size=40) / 64
    y = np.random.default_rng(4).integers(64, size=40) / 64 + x
    names = [f"n{i:02}" for i in range(40)]
    plain = correlation(dict(zip(names, x, strict=True)), dict(zip(names, y, strict=True)), 500)
    scaled = dict(zip(names, x * factor + base, strict=True))
    found = correlation(scaled, dict(zip(names, y * factor + base, strict=True)), 500)
    for one, other in zip(plain, found, strict=True):
        assert other == pytest.approx(one, rel=1e-6), "the same in other units"


def test_resamples_are_correlated_as_numpy_does() -> None:
    """Resample 3 draws one class five times, and 4 classes with the same y: neither correlates."""
    x, y = np.array([0.1, 0.4, 0.3, 0.9, 0.7]), np.array([0.1, 0.1, 0.8, 0.3, 0.2])
    drawn = np.array([[2, 0, 1, 1, 1], [1, 1, 1, 1, 1], [0, 0, 0, 3, 2]], float)
    constant = np.array([[0, 0, 5, 0, 0], [3, 2, 0, 0, 0]], float)
    found = _weighted(np.concatenate([drawn, constant]), x, y)
    expected = [
        np.corrcoef(np.repeat(x, times.astype(int)), np.repeat(y, times.astype(int)))[0, 1]
        for times in drawn
    ]
    assert found[:3] == pytest.approx(expected)
    assert np.isnan(found[3:]).all()

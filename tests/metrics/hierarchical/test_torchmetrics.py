"""The torchmetrics classes against the functions, over batches, in collections and after moves."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest

import graphzsl as gz
from graphzsl import hierarchical
from tests.metrics.hierarchical.trees import DAG, LEAVES, TREE, random_parents

#: What they share is prepared at length, once on one worker.
pytestmark = pytest.mark.xdist_group("test_torchmetrics")


class _Late:
    """A module that the first test imports: every worker collects all files, and torchmetrics
    imports half a dozen other libraries."""

    def __init__(self, module: str):
        self.module = module

    def __getattr__(self, name: str) -> Any:
        return getattr(pytest.importorskip(self.module), name)


torch, torchmetrics = _Late("torch"), _Late("torchmetrics")
ours = _Late("graphzsl.metrics.hierarchical.torchmetrics")

PARENTS = random_parents(np.random.default_rng(3), 60, 3)
HIERARCHY = gz.Hierarchy.from_edges((c, p) for c, ps in PARENTS.items() for p in ps)
CLASSES = np.random.default_rng(4).choice(sorted(PARENTS), 25, replace=False).tolist()
SCORES = np.random.default_rng(5).normal(size=(90, 25))
TRUE = np.random.default_rng(6).integers(0, 25, 90)
TOP = np.argsort(-SCORES, axis=1)


def _rooms() -> dict[str, str]:
    return {name: f"room {number % 4}" for number, name in enumerate(CLASSES)}


#: The metrics of ``_functions``, which a test compares.
NAMES = [
    *("hP", "hR", "hF", "hF2", "height", "bits", "at 5", "mistakes at 3", "least of 5"),
    *("severity", "bits lost", "levels", "cut"),
]


def _functions() -> dict[str, tuple[Any, Any]]:
    """Name -> the metric, and what the functions say of all samples."""
    first, given = TOP[:, 0], {"classes": CLASSES}
    prf = hierarchical.precision_recall_f(HIERARCHY, TRUE, first, **given)
    heavy = hierarchical.precision_recall_f(HIERARCHY, TRUE, first, beta=2, root=True, **given)
    at = hierarchical.distance_at_k
    severity = hierarchical.mistake_severity
    bits = {"distance": "information"}
    known = HIERARCHY, CLASSES
    return {
        "hP": (ours.HierarchicalPrecision(*known), prf.precision),
        "hR": (ours.HierarchicalRecall(*known), prf.recall),
        "hF": (ours.HierarchicalFScore(*known), prf.f),
        "hF2": (ours.HierarchicalFScore(*known, beta=2, root=True), heavy.f),
        "height": (ours.HierarchicalDistance(*known), at(HIERARCHY, TRUE, TOP, 1, **given)),
        "bits": (
            ours.HierarchicalDistance(*known, **bits),
            at(HIERARCHY, TRUE, TOP, 1, **given, **bits),
        ),
        "at 5": (ours.HierarchicalDistance(*known, k=5), at(HIERARCHY, TRUE, TOP, 5, **given)),
        "mistakes at 3": (
            ours.HierarchicalDistance(*known, k=3, mistakes=True),
            at(HIERARCHY, TRUE, TOP, 3, mistakes=True, **given),
        ),
        "least of 5": (
            ours.HierarchicalDistance(*known, k=5, of="least"),
            at(HIERARCHY, TRUE, TOP, 5, of="least", **given),
        ),
        "severity": (ours.MistakeSeverity(*known), severity(HIERARCHY, TRUE, first, **given)),
        "bits lost": (
            ours.MistakeSeverity(*known, **bits),
            severity(HIERARCHY, TRUE, first, **given, **bits),
        ),
        "levels": (
            ours.LevelAccuracy(*known),
            hierarchical.level_accuracy(HIERARCHY, TRUE, first, **given),
        ),
        "cut": (
            ours.CutAccuracy(*known, _rooms()),
            hierarchical.cut_accuracy(HIERARCHY, TRUE, first, _rooms(), **given),
        ),
    }


def _same(found: Any, expected: Any) -> None:
    values = np.asarray(found)
    # D is the largest depth of a class there, and of a true class here
    assert values.ravel()[: np.size(expected)] == pytest.approx(np.ravel(expected), abs=1e-6)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("size", [90, 7])
def test_batches_are_the_function_of_all_samples(name: str, size: int) -> None:
    metric, expected = _functions()[name]
    for start in range(0, 90, size):
        rows = slice(start, start + size)
        metric.update(torch.tensor(SCORES[rows]), torch.tensor(TRUE[rows]))
    _same(metric.compute(), expected)
    metric.reset()
    if getattr(metric, "k", 1) == 1:
        metric.update(torch.tensor(TOP[:, 0]), torch.tensor(TRUE))
        _same(metric.compute(), expected)


def test_a_collection_tells_its_metrics_apart() -> None:
    """Metrics with the same states share them; a first batch without a mistake makes the states of
    heights and of severity alike, and those of bits."""
    known = _functions()
    assert list(known) == NAMES
    metrics = torchmetrics.MetricCollection({name: metric for name, (metric, _) in known.items()})
    right = torch.nn.functional.one_hot(torch.tensor(TRUE[:4]), 25).double()
    metrics.update(right, torch.tensor(TRUE[:4]))
    groups = {frozenset(group) for group in metrics.compute_groups.values()}
    assert frozenset({"hP", "hR", "hF"}) in groups
    assert len(groups) == len(known) - 2
    metrics.reset()
    for rows in (slice(0, 50), slice(50, 90)):
        metrics.update(torch.tensor(SCORES[rows]), torch.tensor(TRUE[rows]))
    for name, value in metrics.compute().items():
        _same(value, known[name][1])


@pytest.mark.parametrize("name", NAMES)
def test_states_of_processes_add_up(name: str) -> None:
    """As a reduction over two processes does: the sum of their states."""
    one, expected = _functions()[name]
    other = _functions()[name][0]
    one.update(torch.tensor(SCORES[:30]), torch.tensor(TRUE[:30]))
    other.update(torch.tensor(SCORES[30:]), torch.tensor(TRUE[30:]))
    assert set(one._reductions.values()) == {torchmetrics.utilities.dim_zero_sum}
    one.merge_state(pickle.loads(pickle.dumps(other)))
    _same(one.compute(), expected)


def test_forward_is_the_value_of_a_batch() -> None:
    metric = ours.MistakeSeverity(TREE, LEAVES)
    # poodle as beagle, cat as cup
    assert float(metric(torch.tensor([1, 4]), torch.tensor([0, 3]))) == pytest.approx((1 + 3) / 2)
    assert float(metric(torch.tensor([3, 4]), torch.tensor([0, 4]))) == pytest.approx(2)
    assert float(metric.compute()) == pytest.approx((1 + 3 + 2) / 3)
    assert not ours.HierarchicalPrecision.is_differentiable
    assert ours.HierarchicalPrecision.higher_is_better
    assert not metric.higher_is_better


def test_tables_follow_the_metric() -> None:
    metric = ours.HierarchicalDistance(TREE, LEAVES).to("meta")
    assert metric.table.device.type == "meta"
    assert not metric.state_dict()


def test_by_hand() -> None:
    """Overlaps 2, 0, 1 of 3, 2, 2 predicted nodes."""
    preds, target = torch.tensor([1, 4, 4]), torch.tensor([0, 3, 5])
    precision = ours.HierarchicalPrecision(TREE, LEAVES)
    precision.update(preds, target)
    assert float(precision.compute()) == pytest.approx((2 + 0 + 1) / (3 + 2 + 2))
    cut = ours.CutAccuracy(TREE, LEAVES, ["animal", "artefact"])
    cut.update(preds, target)
    assert float(cut.compute()) == pytest.approx(2 / 3)
    levels = ours.LevelAccuracy(TREE, LEAVES)
    levels.update(preds, target)
    assert levels.compute().tolist() == pytest.approx([1, 2 / 3, 1 / 3, 0])
    root = ours.HierarchicalFScore(DAG, ["r", "d"])
    root.update(torch.tensor([0]), torch.tensor([0]))
    assert float(root.compute()) == 0, "a share of nothing"


@pytest.mark.parametrize(
    ("preds", "target", "said"),
    [
        ([[0.5, 0.5]], [0], r"numbers of classes or \[N, 6\] scores, not \[1, 2\]"),
        ([[0.5] * 5 + [float("nan")]], [0], "Row 0 of preds holds NaN"),
        ([6], [0], "preds, row 0: there is no class 6 among 6"),
        ([0, 1], [0, -1], "target, row 1: there is no class -1"),
        ([0, 1], [0], "target must be"),
        ([0], [0.0], "target must hold numbers of classes"),
    ],
)
def test_wrong_tensors_are_refused(preds: Any, target: Any, said: str) -> None:
    with pytest.raises(gz.DataError, match=said):
        ours.HierarchicalPrecision(TREE, LEAVES).update(torch.tensor(preds), torch.tensor(target))


def test_wrong_arguments_are_refused() -> None:
    with pytest.raises(gz.DataError, match="k must be between 1 and 6"):
        ours.HierarchicalDistance(TREE, LEAVES, k=7)
    with pytest.raises(gz.DataError, match="cat has no superclass"):
        ours.CutAccuracy(TREE, LEAVES, ["dog", "artefact"])
    with pytest.raises(gz.DataError, match="of must be"):
        ours.HierarchicalDistance(TREE, LEAVES, of="max")
    with pytest.raises(gz.DataError, match="depth must be"):
        ours.LevelAccuracy(TREE, LEAVES, depth="mean")
    with pytest.raises(gz.DataError, match="beta must be"):
        ours.HierarchicalFScore(TREE, LEAVES, beta=-1)

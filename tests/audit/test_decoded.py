"""Decoded answers in an evaluation, against the functions of single pairs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.audit.runs import read_run
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.metrics.hierarchical.decoding import DecodedMetric

#: Two dogs, a cat and a bird; the guide dog is a helper, too.
EDGES = [
    *(("poodle", "dog"), ("guide", "dog"), ("guide", "helper"), ("dog", "pet"), ("cat", "pet")),
    *(("pet", "animal"), ("owl", "animal"), ("helper", "animal")),
]
CLASSES = ["poodle", "guide", "cat", "owl"]
HIERARCHY = gz.Hierarchy.from_edges(EDGES)


def _drawn(samples: int) -> tuple[np.ndarray, list[str]]:
    """Probabilities, and true classes that are drawn from them."""
    random = np.random.default_rng(0)
    scores = random.dirichlet([0.7] * len(CLASSES), samples)
    return scores, [CLASSES[random.choice(len(CLASSES), p=row)] for row in scores]


def _evaluated(scores: Any, labels: Any, metric: DecodedMetric, **how: Any) -> dict[str, Any]:
    given: Any = {"candidates": CLASSES, "wordnet": HIERARCHY, "rounds": 400, **how}
    found = gz.evaluate(labels, scores=scores, decode=metric, **given)
    return dict(found.manifest["decoded"])


def _values(metric: DecodedMetric, true: list[str], answers: list[str]) -> np.ndarray:
    if metric == "hf1":
        found = gz.hierarchical.precision_recall_f(HIERARCHY, true, answers, average=None)
        return np.asarray(found.f)
    if metric == "lca":
        return np.asarray(gz.hierarchical.lca_heights(HIERARCHY, true, answers), dtype=float)
    tree = HIERARCHY.trimmed(CLASSES)
    pairs = zip(true, answers, strict=True)
    return np.array([gz.hierarchical.hedging(tree, [t], [a]).information for t, a in pairs])


@pytest.mark.parametrize("metric", ["hf1", "information", "lca"])
def test_before_and_after_are_the_metrics_of_the_answers(metric: DecodedMetric) -> None:
    scores, labels = _drawn(300)
    found = _evaluated(scores, labels, metric)
    first = [CLASSES[at] for at in scores.argmax(axis=1)]
    answers = gz.hierarchical.decode(HIERARCHY, scores, CLASSES, metric)
    before, after = _values(metric, labels, first), _values(metric, labels, answers)
    assert found["before"]["per_sample"] == pytest.approx(before.mean(), abs=1e-12)
    assert found["after"]["per_sample"] == pytest.approx(after.mean(), abs=1e-12)
    assert found["difference"]["per_sample"] == pytest.approx((after - before).mean(), abs=1e-12)
    by_class = [np.mean((after - before)[np.array(labels) == name]) for name in CLASSES]
    assert found["difference"]["per_class"] == pytest.approx(np.mean(by_class), abs=1e-12)
    assert found["changed"] == np.mean([a != b for a, b in zip(first, answers, strict=True)])
    assert found["above"] == np.mean([answer not in CLASSES for answer in answers])


def test_of_calibrated_probabilities_the_interval_is_a_gain() -> None:
    """Breeds that cannot be told apart: the hF of an animal's name is 2/3, of a breed (1 + 7 / 2)
    / 8, for A holds the animal and the breed."""
    breeds = {kind: [f"{kind}{at}" for at in range(8)] for kind in ("dog", "cat")}
    edges = [(each, kind) for kind, names in breeds.items() for each in names]
    tree = gz.Hierarchy.from_edges([*edges, ("dog", "animal"), ("cat", "animal")])
    random = np.random.default_rng(0)
    kinds = random.choice(["dog", "cat"], 2000)
    labels = [f"{kind}{random.integers(8)}" for kind in kinds]
    classes = [*breeds["dog"], *breeds["cat"]]
    scores = np.array([[(name[:3] == kind) / 8 for name in classes] for kind in kinds])
    found = _evaluated(scores, labels, "hf1", candidates=classes, wordnet=tree)
    assert found["after"]["per_sample"] == pytest.approx(2 / 3)
    assert found["difference"]["per_sample"] == pytest.approx(2 / 3 - 9 / 16, abs=0.02)
    low, high = found["difference"]["per_sample_interval"]
    assert 0 < low < found["difference"]["per_sample"] < high
    assert found["above"] == found["changed"] == 1


def test_logits_are_probabilities_after_a_softmax() -> None:
    scores, labels = _drawn(50)
    ours = _evaluated(np.log(scores) + 7, labels, "hf1")
    assert ours["probabilities"] == "softmax of the scores"
    given = _evaluated(scores, labels, "hf1")
    assert given["probabilities"] == "the scores"
    assert ours["after"]["per_sample"] == pytest.approx(given["after"]["per_sample"], abs=1e-12)


def test_training_classes_among_the_candidates_move_no_column() -> None:
    """Candidates are put in another order then: the seen ones first."""
    scores, labels = _drawn(200)
    found = _evaluated(scores, labels, "hf1", train=["owl"])
    unseen = [row for row, label in enumerate(labels) if label != "owl"]
    answers = gz.hierarchical.decode(HIERARCHY, scores[unseen], CLASSES, "hf1")
    true = [labels[row] for row in unseen]
    expected = _values("hf1", true, answers).mean()
    assert found["after"]["per_sample"] == pytest.approx(expected, abs=1e-12)


def test_what_cannot_be_decoded_is_said() -> None:
    scores, labels = _drawn(20)
    with pytest.raises(DataError, match="100 for CLIP"):
        _evaluated(scores - 0.5, labels, "hf1")
    with pytest.raises(DataError, match="of each sample sum to 100: probabilities in other units"):
        _evaluated(scores * 100, labels, "hf1")
    unknown: Any = "f1"
    with pytest.raises(DataError, match="decode is hf1, information, lca, not 'f1'"):
        _evaluated(scores, labels, unknown)
    with pytest.raises(DataError, match="no hierarchy to decode"):
        _evaluated(scores, labels, "hf1", wordnet=None)
    several = [[label, CLASSES[0]] if label != CLASSES[0] else [label] for label in labels]
    with pytest.raises(DataError, match="one class is true"):
        _evaluated(scores, several, "hf1")
    with pytest.raises(DataError, match="all true classes are candidates"):
        _evaluated(scores, ["pet", *labels[1:]], "hf1", missing="miss")
    with pytest.raises(DataError, match="Only scores of all candidates"):
        gz.evaluate(labels, labels, wordnet=HIERARCHY, decode="hf1")


def test_from_the_command_line(tmp_path: Path) -> None:
    random = np.random.default_rng(1)
    names = ["n02099601", "n02099712", "n02123045", "n01614925"]
    labels = random.integers(0, 4, 60)
    logits = random.normal(size=(60, 4)) + 2 * np.eye(4)[labels]
    path = tmp_path / "logits.npz"
    np.savez(path, logits=logits, classes=names, labels=labels)
    out = tmp_path / "run.json"
    done = CliRunner().invoke(
        main, ["audit", str(path), "--decode", "lca", "--out", str(out), "--format", "table"]
    )
    assert done.exit_code == 0, done.output
    found = read_run(out)["decoded"]
    expected = gz.evaluate(labels, scores=logits, candidates=names, decode="lca").manifest[
        "decoded"
    ]
    assert found == expected
    (line,) = [each for each in done.output.splitlines() if each.startswith("lca_height, decoded")]
    assert f"{found['after']['per_sample']:.4g}" in line
    done = CliRunner().invoke(main, ["audit", "sample", "--decode", "hf1"])
    assert done.exit_code == 1
    assert "--decode" in done.output

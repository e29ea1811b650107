"""Calibrated stacking: an amount off the scores of training classes, chosen on classes held out."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphzsl as gz
from graphzsl import metrics
from graphzsl.common.errors import ModelError
from graphzsl.data import Samples
from graphzsl.models import Task, training
from graphzsl.models.base.generalized_folds import generalized_folds
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from tests.problems import mini_samples, mini_task


@pytest.fixture
def both(sampled: Task) -> Task:
    return replace(sampled, candidates=[*sampled.train, *sampled.candidates])


def test_the_best_amount_by_hand() -> None:
    """Two seen samples with margins 3 (right) and 1 (right), two unseen ones with 2 (right) and 4
    (right on its side). Taken off: below 1: seen 1, unseen 0; 1 to 2: 1/2, 0; 2 to 3: 1/2, 1/2,
    H = 1/2; 3 to 4: 0, 1/2."""
    margin = np.array([3.0, 1.0, 2.0, 4.0])
    is_seen = np.array([True, True, False, False])
    curve = metrics.seen_unseen_curve(margin, is_seen, ~is_seen, np.full(4, 0.5))
    assert metrics.best_calibration([(np.unique(margin), curve)]) == (2.5, 0.5)
    # a second fold that is right throughout between -1 and 2: H (0 + 1) / 2 below 2, and
    # (1/2 + 0) / 2 above; of equal means, 0 is taken before what lies between 1 and 2
    ends = np.array([-1.0, 2.0])
    right = metrics.seen_unseen_curve(
        ends, np.array([False, True]), np.array([True, False]), np.ones(2)
    )
    assert metrics.best_calibration([(np.unique(margin), curve), (ends, right)]) == (0.0, 0.5)
    # with a margin of 0 both sides tie where nothing is taken off, and neither is right
    ties = np.array([0.0, 2.0])
    assert metrics.best_calibration([(ties, right)]) == (1.0, 1.0)
    assert metrics.best_calibration([(np.zeros(1), curve[:2])]) == (0.0, 0.0)


def _h(model: ZeroShotModel, seen: Samples, unseen: Samples, train: list[str], off: float) -> float:
    """H by the definition: hit@1 per class of both parts among all candidates, a tie a miss."""
    sides = []
    for part in (seen, unseen):
        scores = model.scores(model.features(part)).astype(np.float64)
        scores -= off * np.isin(model.wnids, train)
        columns = [model.wnids.index(label) for label in part.labels]
        own = scores[np.arange(len(columns)), columns]
        right = (scores >= own[:, None]).sum(axis=1) == 1
        labels = np.array(part.labels)
        sides.append(np.mean([right[labels == label].mean() for label in set(part.labels)]))
    return float(2 * sides[0] * sides[1] / sum(sides)) if sum(sides) else 0.0


def _folds(task: Task) -> list[training.Fold]:
    return [(task.train[5:], task.train[:5]), (task.train[:20], task.train[20:])]


def test_the_amount_is_the_best_of_the_folds(both: Task) -> None:
    folds = _folds(both)
    given = {"gamma": 1.0, "ridge": 1.0}
    model, manifest = training.train("eszsl", both, given, folds=folds, calibrate=True)
    found = manifest["calibration"]
    assert (found["splits"], found["folds"], found["classes"]) == (2, "given", [5, 5])
    assert both.samples is not None
    assert found["samples"] == both.samples.metadata
    fitted = [
        (training.train("eszsl", fold.task, manifest["options"], tune=False)[0], fold)
        for fold in generalized_folds(both, folds)
    ]

    def mean(off: float) -> float:
        return float(
            np.mean([_h(one, each.seen, each.unseen, each.task.train, off) for one, each in fitted])
        )

    assert mean(found["amount"]) == pytest.approx(found["h"])
    assert found["h"] > mean(0.0), "the problem needs calibrating"
    top = max(abs(one.scores(one.features(each.seen))).max() for one, each in fitted)
    assert all(mean(off) <= found["h"] + 1e-9 for off in np.linspace(-2 * top, 2 * top, 200))
    # the model is the one without, but for the amount
    plain, without = training.train("eszsl", both, given, folds=folds)
    assert without["calibration"] is None
    assert without["options"] == manifest["options"]
    features = plain.features(mini_samples())
    off = found["amount"] * np.isin(model.wnids, both.train)
    assert model.scores(features) == pytest.approx(plain.scores(features) - off, abs=1e-5)


def test_held_out_samples_are_learned_from_by_no_model(both: Task) -> None:
    samples = both.samples
    assert samples is not None
    rows = {tuple(row): place for place, row in enumerate(samples.features.tolist())}
    for fold, (kept, held) in zip(generalized_folds(both, _folds(both)), _folds(both), strict=True):
        learned = fold.task.samples
        assert learned is not None
        parts = [
            {rows[tuple(row)] for row in part.features.tolist()}
            for part in (learned, fold.seen, fold.unseen)
        ]
        assert not parts[0] & parts[1] | parts[0] & parts[2]
        assert set(learned.labels) == set(fold.seen.labels) == set(kept)
        assert set(fold.unseen.labels) == set(held)
        assert {fold.seen.labels.count(wnid) for wnid in kept} == {2}, "a fifth of 8"


@pytest.mark.parametrize("name", ["eszsl", "sgcn"])
def test_rows_are_calibrated_with_images(tmp_path: Path, name: str) -> None:
    """Images of both sides choose the amount where models learn from classifier rows; it counts for
    class rows too, and the model comes back from its folder."""
    rows = mini_task()
    task = replace(rows, candidates=[*rows.train, *rows.candidates])
    with pytest.raises(ModelError, match="Give samples to choose hyper-parameters with"):
        training.train(name, task, tune=False, calibrate=True)
    task = replace(task, validation_samples=mini_samples())
    options: dict[str, Any] = {"hidden": 16, "epochs": 100, "lr": 0.01} if name == "sgcn" else {}
    model = gz.train(name, task, tune=False, calibrate=True, **options)
    amount = model.manifest["calibration"]["amount"]
    assert amount != 0
    assert task.classifiers is not None
    plain = gz.train(name, task, tune=False, **options)
    features = np.eye(8, dtype=np.float32)[:3]
    features[:, -1] = 0  # class rows end in a 0
    difference = plain.scorer.scores(features) - model.scorer.scores(features)
    off = amount * np.isin(model.candidates, task.train)
    assert difference == pytest.approx(np.broadcast_to(off, difference.shape), abs=1e-5)
    model.save(tmp_path / "model")
    again = gz.load_model(tmp_path / "model")
    assert (again.scorer.scores(features) == model.scorer.scores(features)).all()
    assert again.manifest["calibration"] == model.manifest["calibration"]
    chosen = model.predict(
        mini_samples(), candidates=task.train[:3] + task.candidates[-3:], missing="miss"
    )
    assert chosen.candidates == task.train[:3] + task.candidates[-3:]


@pytest.mark.parametrize(
    ("name", "change", "why"),
    [
        ("eszsl", {"candidates": "unseen"}, "the candidates are not both"),
        ("eszsl", {"candidates": "seen"}, "the candidates are not both"),
        ("cmt-star", {}, "by a detector of its own"),
        ("softmax", {}, "scores training classes alone"),
    ],
)
def test_where_nothing_is_to_calibrate(
    both: Task, name: str, change: dict[str, Any], why: str
) -> None:
    unseen = [wnid for wnid in both.candidates if wnid not in both.train]
    lists = {"unseen": unseen, "seen": both.train}
    task = replace(both, **{key: lists[value] for key, value in change.items()})
    with pytest.raises(ModelError, match=why):
        training.train(name, task, calibrate=True)

"""The generalized setting: samples of seen and of unseen classes, each among all candidates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphzsl import metrics
from graphzsl.audit.measures import KS, hit_measures, with_expected
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.sides import Sides
from graphzsl.metrics import EXPECTED

#: Points of a seen-unseen curve that a run holds, and the model as it is.
POINTS = 50


def generalized(
    predictions: Predictions, is_seen: np.ndarray, ks: Sequence[int] = KS
) -> dict[str, Any]:
    """ts, tr and H for every k, per class and per sample, and the area under the seen-unseen curve,
    per class.

    ts is the accuracy on samples of unseen classes, tr on those of seen classes, both among all
    candidates (Xian et al. 2017).
    """
    result: dict[str, Any] = {}
    parts = {"ts": predictions.subset(~is_seen), "tr": predictions.subset(is_seen)}
    measures = {side: hit_measures(part, ks) for side, part in parts.items()}
    for name in measures["ts"]:
        sides = [
            metrics.summary(
                measures[side][name].worst, part.class_ids, None, measures[side][name].expected
            )
            for side, part in parts.items()
        ]
        result[name] = with_expected(_with_harmonic_mean, sides)
    if predictions.sides is not None:
        result |= _calibrated(predictions.sides, _weights(predictions.class_ids, is_seen))
    result["seen_samples"], result["seen_classes"] = int(is_seen.sum()), len(predictions.seen)
    return result


def calibration(folds: Sequence[Predictions]) -> tuple[float, float]:
    """(γ, mean H at it) of calibrated stacking on some folds' samples of seen and unseen classes
    (``metrics.best_calibration``). Each fold has scored candidates of both sides."""
    curves = []
    for fold in folds:
        assert fold.sides is not None
        weights = _weights(fold.class_ids, samples_of_seen(fold))
        curves.append((np.unique(fold.sides.margin), _curve(fold.sides, weights)))
    return metrics.best_calibration(curves)


def samples_of_seen(predictions: Predictions) -> np.ndarray:
    """[N] whether a sample's class is a seen one."""
    seen = set(predictions.seen)
    return np.array([label in seen for label in predictions.labels], dtype=bool)


def _curve(sides: Sides, weights: np.ndarray) -> np.ndarray:
    return metrics.seen_unseen_curve(sides.margin, sides.seen_hit, sides.unseen_hit, weights)


def _with_harmonic_mean(sides: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """ts, tr and their H, per class and per sample."""
    means = {}
    for kind in ("per_class", "per_sample"):
        ts, tr = (side[kind] for side in sides)
        means[kind] = {"ts": ts, "tr": tr, "h": metrics.harmonic_mean(ts, tr)}
    return means


def _calibrated(sides: Sides, weights: np.ndarray) -> dict[str, Any]:
    """The seen-unseen curve and the area under it.

    The area is linear in the accuracy of each sample, and no sample counts on both sides, so its
    expected value is the area under the curve of expected accuracies.
    """
    curve = _curve(sides, weights)
    # the model as it is, with nothing taken off, lies on what is kept of its curve
    as_it_is = int((np.unique(sides.margin) <= 0).sum())
    points = np.unique([*np.linspace(0, len(curve) - 1, POINTS).astype(int), as_it_is])
    result: dict[str, Any] = {
        "ausuc": metrics.area_under(curve),
        "curve": [[round(float(a), 6), round(float(b), 6)] for a, b in curve[points]],
    }
    expected = metrics.seen_unseen_curve(
        sides.margin, sides.seen_share, sides.unseen_share, weights
    )
    if not np.allclose(expected, curve, rtol=0, atol=1e-9):
        result[EXPECTED] = {"ausuc": metrics.area_under(expected)}
    return result


def _weights(classes: np.ndarray, is_seen: np.ndarray) -> np.ndarray:
    counts = np.bincount(classes)
    weights = 1 / counts[classes]
    for side in (is_seen, ~is_seen):
        weights[side] /= max(1, len(np.unique(classes[side])))
    return np.asarray(weights)

"""Means over samples and over classes, with intervals and the values under random ties."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import gammaln

from graphzsl.metrics.bootstrap import percentiles
from graphzsl.metrics.ranking import EXPECTED, Floats, Ints, ranks


def per_class(values: npt.NDArray[np.float64], truth: Ints) -> npt.NDArray[np.float64]:
    """Mean of the values of each class that has a sample, in the order of the classes' columns
    (Xian et al. 2017)."""
    _, inverse, counts = np.unique(truth, return_inverse=True, return_counts=True)
    return np.asarray(np.bincount(inverse, values) / counts)


def summary(
    values: npt.NDArray[np.float64],
    classes: Ints,
    interval: Callable[[npt.NDArray[np.float64]], tuple[float, float]] | None = None,
    expected: npt.NDArray[np.float64] | None = None,
) -> dict[str, Any]:
    """Per-sample and per-class mean, the samples' standard deviation, and intervals of the means
    (samples and classes resampled, respectively). One class or sample, drawn again and again, says
    nothing of others: its interval is None.

    ``expected`` [N] are the values under random order of tied candidates. Where one differs,
    ``expected_under_random_ties`` holds their means, and the share of samples that differ.
    """
    means = per_class(values, classes)
    result: dict[str, Any] = {"per_class": float(means.mean()), "per_sample": float(values.mean())}
    result["per_sample_sd"] = float(values.std())
    if interval:
        result |= {
            "per_class_interval": list(interval(means)) if len(means) > 1 else None,
            "per_sample_interval": list(interval(values)) if len(values) > 1 else None,
        }
    differs = ~np.isclose(values, values if expected is None else expected, rtol=0, atol=1e-9)
    if expected is not None and differs.any():
        result[EXPECTED] = {
            "per_class": float(per_class(expected, classes).mean()),
            "per_sample": float(expected.mean()),
            "tied_samples": float(differs.mean()),
        }
    return result


def accuracy_by_candidates(
    scores: Floats,
    truth: Ints,
    sizes: Sequence[int],
    draws: int = 200,
    level: float = 0.95,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """Per-class hit@1 among fewer candidates: one row per number of ``candidates``, for random sets
    of so many of the C classes, samples and all.

    ``accuracy`` is the mean over all such sets, in closed form; ``low`` and ``high`` hold the
    middle ``level`` of ``draws`` random sets; ``chance`` is 1 / candidates. Scores [N, C], truth
    [N] columns, a sample of every class at least; ties count against the model.

    Reference:
        Xian et al. 2017, section 5.1, compare splits of SUN with 10 and with 72 test classes.

    >>> scores = np.array([[3.0, 2.0, 1.0], [4.0, 3.0, 2.0], [1.0, 2.0, 3.0]])
    >>> rows = accuracy_by_candidates(scores, np.array([0, 1, 2]), [2, 3])
    >>> [round(row["accuracy"], 3) for row in rows]
    [0.833, 0.667]
    """
    classes, rng = scores.shape[1], np.random.default_rng(seed)
    if not np.array_equal(np.unique(truth), np.arange(classes)):
        raise ValueError("every candidate needs a sample")
    better = ranks(scores, truth) - 1
    rows = []
    for size in sizes:
        accuracies = [
            _accuracy_among(scores, truth, rng.choice(classes, size, replace=False))
            for _ in range(draws)
        ]
        low, high = percentiles(np.array(accuracies), level)
        rows.append(
            {
                "candidates": size,
                "accuracy": float(
                    per_class(_none_drawn(better, classes - 1, size - 1), truth).mean()
                ),
                "low": low,
                "high": high,
                "chance": 1 / size,
            }
        )
    return rows


def _none_drawn(better: Ints, others: int, drawn: int) -> npt.NDArray[np.float64]:
    """[N] chance that ``drawn`` of the other classes, without replacement, hold none that is
    better."""
    left = others - better
    possible = left >= drawn
    kept = np.where(possible, left, drawn)
    log = gammaln(kept + 1) - gammaln(kept - drawn + 1)
    log -= gammaln(others + 1) - gammaln(others - drawn + 1)
    return np.where(possible, np.exp(log), 0.0)


def _accuracy_among(scores: Floats, truth: Ints, chosen: Ints) -> float:
    """Per-class hit@1 of the samples of these classes, among them."""
    column = np.full(scores.shape[1], -1)
    column[chosen] = np.arange(len(chosen))
    own = column[truth] >= 0
    true = column[truth[own]]
    hit = ranks(scores[own][:, chosen], true) == 1
    return float(per_class(hit.astype(np.float64), true).mean())

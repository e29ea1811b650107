"""Windows of classes in the order of a property, and a model's accuracy within each: what does
accuracy depend on?

Each window is a test set of its own: the samples of its classes, and its classes as the only
candidates.

Reference: Hascoet et al. 2019, figure 3 (word frequency, r = 0.89 for a linear model and 0.74 for a
GCN), figure 5 (population) and figure 9 (structural ratio), all with windows of 100 classes.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from graphzsl import metrics
from graphzsl.common.errors import DataError

if TYPE_CHECKING:
    from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.common.wording import counted
from graphzsl.data.windows import Window

Ints = npt.NDArray[np.int64]
#: (rows of samples, candidates) -> ([N] rank of each sample's true class among these candidates,
#: from 1; [N] how many of them score more).
Ranker = Callable[[Ints, Sequence[str]], tuple[Ints, Ints]]
#: Fewer windows have no correlation.
SMALLEST_SERIES = 5


def model_ranker(
    model: ZeroShotModel, features: npt.NDArray[np.float32], labels: Sequence[str]
) -> Ranker:
    """Ranks by a model whose candidates are cut down to those of a window."""

    def ranks(rows: Ints, candidates: Sequence[str]) -> tuple[Ints, Ints]:
        return _ranks(model.select(candidates).scores(features[rows]), rows, candidates, labels)

    return ranks


def score_ranker(scores: npt.NDArray[Any], classes: Sequence[str], labels: Sequence[str]) -> Ranker:
    """Ranks by scores [N, C] of any classifier, of which a window's columns are taken. DataError
    names an unknown class."""
    index = {name: column for column, name in enumerate(classes)}

    def ranks(rows: Ints, candidates: Sequence[str]) -> tuple[Ints, Ints]:
        missing = [name for name in candidates if name not in index]
        if missing:
            raise DataError(
                f"There are no scores for {missing[0]}, and for"
                f" {counted(len(missing), 'class', 'classes')} of a window in all."
            )
        columns = metrics.columns_of(candidates, index)
        return _ranks(scores[np.ix_(rows, columns)], rows, candidates, labels)

    return ranks


def _ranks(
    scores: npt.NDArray[Any], rows: Ints, candidates: Sequence[str], labels: Sequence[str]
) -> tuple[Ints, Ints]:
    index = {name: column for column, name in enumerate(candidates)}
    truth = metrics.columns_of([labels[row] for row in rows], index)
    try:
        rank = metrics.ranks(scores, truth)
    except ValueError as error:
        raise DataError(f"The scores cannot be ranked: {error}.") from None
    true = scores[np.arange(len(truth)), truth, None]
    return rank, np.count_nonzero(scores > true, axis=1)


def score_windows(
    ranker: Ranker,
    labels: Sequence[str],
    windows: Sequence[Window],
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """One row per window: hit@1 and hit@5 per class, hit@1 per sample, its interval from resampled
    classes, chance.

    Ties count against the model. Where they decide anything in a window its row has ``expected``
    too, hit@1 per class with tied candidates in random order, and ``tied``, the share of samples
    that this changes.

    A class of a window without a sample is a candidate but has no accuracy. A window without any
    sample is an error.
    """
    rows_of: dict[str, list[int]] = defaultdict(list)
    for row, label in enumerate(labels):
        rows_of[label].append(row)
    interval = partial(metrics.bootstrap_interval, rounds=rounds, level=level, seed=seed)
    scores = []
    for window in windows:
        rows = [row for wnid in window.classes for row in rows_of.get(wnid, ())]
        if not rows:
            raise DataError(
                f"No class of window {window.name} has a sample. Leave the window out, or give more"
                " samples."
            )
        rank, better = ranker(np.array(rows), window.classes)
        classes = np.unique([labels[row] for row in rows], return_inverse=True)[1]
        hit = metrics.per_class(metrics.hits(rank, 1), classes)
        low, high = interval(hit)
        expected = metrics.expected_hits(better, rank, 1)
        tied = float((expected != metrics.hits(rank, 1)).mean())
        ties = {"expected": float(metrics.per_class(expected, classes).mean()), "tied": tied}
        scores.append(
            {
                "window": window.name,
                "series": window.series,
                "mean": window.mean,
                "classes": len(window.classes),
                "classes_with_samples": len(hit),
                "samples": len(rows),
                "hit@1": float(hit.mean()),
                "low": low,
                "high": high,
                "hit@5": float(
                    metrics.per_class(
                        metrics.hits(rank, min(5, len(window.classes))), classes
                    ).mean()
                ),
                "per_sample": float((rank <= 1).mean()),
                "chance": 1 / len(window.classes),
                **(ties if tied else {}),
            }
        )
    return scores


def correlations(rows: Sequence[Mapping[str, Any]], level: float = 0.95) -> list[dict[str, Any]]:
    """Pearson's and Spearman's coefficient of the windows' means and hit@1, with two-sided p and
    intervals.

    Where all means are positive, Pearson's coefficient with log10 of the means follows: frequencies
    and populations span orders of magnitude, and the paper does not say which it took. Intervals
    are Fisher's z (Spearman: with the variance 1.06 / (n - 3) of Fieller et al. 1957): resampling
    gives far too narrow ones for a handful of windows. Nothing for fewer than 5 windows, or where
    one of the two is the same for all.
    """
    known = [row for row in rows if row["mean"] is not None]
    means = np.array([row["mean"] for row in known], dtype=np.float64)
    accuracy = np.array([row["hit@1"] for row in known], dtype=np.float64)
    if len(known) < SMALLEST_SERIES or not np.ptp(means) or not np.ptp(accuracy):
        return []
    kinds = [("linear", "Pearson", stats.pearsonr(means, accuracy), 1.0)]
    kinds.append(("linear", "Spearman", stats.spearmanr(means, accuracy), 1.06))
    if means.min() > 0 and np.ptp(np.log10(means)):
        kinds.append(("log10", "Pearson", stats.pearsonr(np.log10(means), accuracy), 1.0))
    coefficients = []
    for scale, kind, test, variance in kinds:
        low, high = _fisher_interval(float(test.statistic), len(known), variance, level)
        coefficients.append(
            {
                "scale": scale,
                "kind": kind,
                "coefficient": float(test.statistic),
                "low": low,
                "high": high,
                "level": level,
                "p": float(test.pvalue),
                "windows": len(known),
            }
        )
    return coefficients


def _fisher_interval(
    coefficient: float, count: int, variance: float, level: float
) -> tuple[float, float]:
    """Interval of a coefficient of ``count`` pairs; a coefficient of -1 or 1 has no width."""
    if abs(coefficient) >= 1:
        return coefficient, coefficient
    half = float(stats.norm.isf((1 - level) / 2)) * math.sqrt(variance / (count - 3))
    return math.tanh(math.atanh(coefficient) - half), math.tanh(math.atanh(coefficient) + half)


def series_means(
    rows: Sequence[Mapping[str, Any]], rounds: int = 2000, level: float = 0.95, seed: int = 0
) -> list[dict[str, Any]]:
    """Mean hit@1 of each series with an interval from resampled windows: primary beside secondary
    meanings, for example."""
    groups: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        groups[row["series"]].append(row["hit@1"])
    means = []
    for name, values in groups.items():
        low, high = metrics.bootstrap_interval(np.array(values), rounds, level, seed)
        means.append(
            {
                "series": name,
                "windows": len(values),
                "hit@1": float(np.mean(values)),
                "low": low,
                "high": high,
            }
        )
    return means

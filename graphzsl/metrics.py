"""Metrics as pure functions of arrays. N samples, C candidates, K list length."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]
Ints = npt.NDArray[np.int64]

TIES_RULE = "hit@k and rank count ties against the model; lists for hp@k order ties by candidate position"


def ranks(scores: Floats, truth: Ints) -> Ints:
    """[N] rank of the true candidate, from 1: the number of candidates whose score is at least its own.

    Ties count against the model. ``scores`` [N, C], ``truth`` [N] columns. A NaN score raises ValueError.
    """
    if np.isnan(scores).any():
        raise ValueError("a score is NaN")
    true = scores[np.arange(len(truth)), truth]
    return np.asarray((scores >= true[:, None]).sum(axis=1), dtype=np.int64)


def top_candidates(scores: Floats, k: int) -> Ints:
    """[N, min(k, C)] columns of the largest scores, best first; equal scores in the order of their columns."""
    k = min(k, scores.shape[1])
    chosen = np.argpartition(-scores, k - 1, axis=1)[:, :k]
    values = np.take_along_axis(scores, chosen, axis=1)
    smallest = values.min(axis=1)
    ambiguous = np.flatnonzero((scores >= smallest[:, None]).sum(axis=1) > k)
    for row in ambiguous:  # a tie across the border: argpartition took any of them
        chosen[row] = np.argsort(-scores[row], kind="stable")[:k]
    values = np.take_along_axis(scores, chosen, axis=1)
    order = np.lexsort((chosen, -values), axis=1)
    return np.asarray(np.take_along_axis(chosen, order, axis=1), dtype=np.int64)


def hits(rank: Ints, k: int) -> npt.NDArray[np.float64]:
    """[N] 1 where the true class is among the first k."""
    return (rank <= k).astype(np.float64)


def hierarchical_precisions(
    top: Ints, truth: Ints, correct: Mapping[int, frozenset[int]], k: int
) -> npt.NDArray[np.float64]:
    """[N] |top-k ∩ hCorrectSet(true class, k)| / k (Frome et al. 2013, appendix A.3, equation 1).

    ``top`` [N, ≥k] candidate columns, ``correct`` true column -> columns of its hCorrectSet for this k. Correct labels
    that are no candidate lie in no list: with a valid set larger than the candidates hp@k cannot reach 1.
    """
    return np.array(
        [len(correct[true].intersection(row[:k].tolist())) / k for row, true in zip(top, truth.tolist(), strict=True)]
    )


def per_class(values: npt.NDArray[np.float64], truth: Ints) -> npt.NDArray[np.float64]:
    """Mean of the values of each class that has a sample, in the order of the classes' columns (Xian et al. 2017)."""
    _, inverse, counts = np.unique(truth, return_inverse=True, return_counts=True)
    return np.asarray(np.bincount(inverse, values) / counts)


def harmonic_mean(one: float, other: float) -> float:
    """2ab / (a + b); 0 when both are 0 (Xian et al. 2017, equation 16)."""
    return 2 * one * other / (one + other) if one + other else 0.0


def bootstrap_interval(
    values: npt.NDArray[np.float64], rounds: int = 2000, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Percentile interval of the mean under resampling of the values (Russakovsky et al. 2015, section 6.2).

    The mean of n draws depends on how often each distinct value is drawn, so a round is one multinomial draw over the
    distinct values: the same distribution, without n random indices a round.
    """
    distinct, counts = np.unique(values, return_counts=True)
    total = len(values)
    draws = np.random.default_rng(seed).multinomial(total, counts / total, size=rounds)
    tail = (1 - level) / 2
    low, high = np.quantile(draws @ distinct / total, [tail, 1 - tail])
    return float(low), float(high)


def summary(
    values: npt.NDArray[np.float64], truth: Ints, interval: Callable[[npt.NDArray[np.float64]], tuple[float, float]]
) -> dict[str, object]:
    """Per-sample and per-class mean with their intervals (samples and classes resampled, respectively)."""
    classes = per_class(values, truth)
    return {
        "per_class": float(classes.mean()),
        "per_class_interval": list(interval(classes)),
        "per_sample": float(values.mean()),
        "per_sample_interval": list(interval(values)),
    }


def columns_of(wnids: Sequence[str], index: Mapping[str, int]) -> Ints:
    """Columns of wnids; KeyError for one that is no candidate."""
    return np.array([index[wnid] for wnid in wnids], dtype=np.int64)

"""Percentile intervals of means by resampling."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

#: Distinct values up to which their numbers are drawn, and not the values one by one.
_FEW = 1000


def bootstrap_interval(
    values: npt.NDArray[np.float64], rounds: int = 2000, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Percentile interval of the mean under resampling of the values (Russakovsky et al. 2015,
    section 6.2).

    The mean of n draws depends on how often each distinct value is drawn, so with few of them a
    round is one multinomial draw: the same distribution, without n random indices a round.
    """
    distinct, counts = np.unique(values, return_counts=True)
    if len(distinct) <= _FEW:
        return interval_of_counts(distinct, counts, rounds, level, seed)
    total, random = len(values), np.random.default_rng(seed)
    draws = (random.integers(0, total, total, dtype=np.int32) for _ in range(rounds))
    return percentiles(np.array([values[drawn].mean() for drawn in draws]), level)


def interval_of_counts(
    distinct: npt.NDArray[np.float64],
    counts: npt.NDArray[np.int64],
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float]:
    """``bootstrap_interval`` of values that are known by how often each distinct one is there."""
    total = int(counts.sum())
    random = np.random.default_rng(seed)
    means = random.multinomial(total, counts / total, size=rounds) @ distinct / total
    return percentiles(means, level)


def percentiles(means: npt.NDArray[np.float64], level: float = 0.95) -> tuple[float, float]:
    """The ends of the interval that leaves (1 - level) / 2 of the draws out at each side."""
    tail = (1 - level) / 2
    low, high = np.quantile(means, [tail, 1 - tail])
    return float(low), float(high)


#: Draws beyond each end of a percentile interval below which it is called thin.
TAIL_DRAWS = 10


def tail_draws(rounds: int, level: float) -> float:
    """Number of the bootstrap draws beyond each end of the interval: rounds × (1 - level) / 2."""
    return round(rounds * (1 - level) / 2, 6)


def rounds_needed(level: float) -> int:
    """The fewest rounds with ``TAIL_DRAWS`` draws beyond each end."""
    return math.ceil(round(2 * TAIL_DRAWS / (1 - level), 6))

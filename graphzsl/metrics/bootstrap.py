"""Percentile intervals of means by resampling."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt


def bootstrap_interval(
    values: npt.NDArray[np.float64], rounds: int = 2000, level: float = 0.95, seed: int = 0
) -> tuple[float, float]:
    """Percentile interval of the mean under resampling of the values (Russakovsky et al. 2015,
    section 6.2).

    The mean of n draws depends on how often each distinct value is drawn, so a round is one
    multinomial draw over the distinct values: the same distribution, without n random indices a
    round.
    """
    distinct, counts = np.unique(values, return_counts=True)
    total = len(values)
    draws = np.random.default_rng(seed).multinomial(total, counts / total, size=rounds)
    tail = (1 - level) / 2
    low, high = np.quantile(draws @ distinct / total, [tail, 1 - tail])
    return float(low), float(high)


#: Draws beyond each end of a percentile interval below which it is called thin.
TAIL_DRAWS = 10


def tail_draws(rounds: int, level: float) -> float:
    """How many of the bootstrap draws lie beyond each end of the interval: rounds × (1 - level) /
    2."""
    return round(rounds * (1 - level) / 2, 6)


def rounds_needed(level: float) -> int:
    """The fewest rounds with ``TAIL_DRAWS`` draws beyond each end."""
    return math.ceil(round(2 * TAIL_DRAWS / (1 - level), 6))

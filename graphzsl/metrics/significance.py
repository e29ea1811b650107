"""Is one classifier better than another? Tests of paired outcomes, of proportions, and of ranks
over data sets."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from graphzsl.common.errors import DataError
from graphzsl.metrics.bootstrap import bootstrap_interval


@dataclass(frozen=True)
class Paired:
    """The 2 × 2 table of two classifiers on the same samples."""

    both: int
    only_first: int
    only_second: int
    neither: int

    @classmethod
    def from_hits(cls, first: npt.NDArray[np.bool_], second: npt.NDArray[np.bool_]) -> Paired:
        """From [N] whether each was right on each sample."""
        if len(first) != len(second):
            raise DataError(f"{len(first)} and {len(second)} samples cannot be paired.")
        return cls(
            *(
                int(part.sum())
                for part in (first & second, first & ~second, ~first & second, ~first & ~second)
            )
        )

    @property
    def total(self) -> int:
        return self.both + self.only_first + self.only_second + self.neither

    @property
    def optimistic_error(self) -> float:
        """Error rate of a pair that is right where either of the two is (Russakovsky et al. 2015,
        section 6.4.1)."""
        return self.neither / self.total

    def mcnemar(self) -> dict[str, float]:
        """McNemar's test: ``z`` = (b - c) / √(b + c), exact binomial ``p`` two-sided and one-sided
        (the first is better)."""
        b, c = self.only_first, self.only_second
        if b + c == 0:
            return {"z": 0.0, "p": 1.0, "p_one_sided": 1.0}
        from scipy import stats  # here, for it takes a second, and every grid imports this module

        return {
            "z": (b - c) / float(np.sqrt(b + c)),
            "p": float(stats.binomtest(b, b + c).pvalue),
            "p_one_sided": float(stats.binomtest(b, b + c, alternative="greater").pvalue),
        }

    def statistics(self) -> dict[str, Any]:
        """The table, error rates, and the test."""
        errors = [
            (self.only_second + self.neither) / self.total,
            (self.only_first + self.neither) / self.total,
        ]
        return {
            "both": self.both,
            "only_first": self.only_first,
            "only_second": self.only_second,
            "neither": self.neither,
            "samples": self.total,
            "error_first": errors[0],
            "error_second": errors[1],
            **self.mcnemar(),
        }


def two_proportions(
    errors: int, samples: int, other_errors: int, other_samples: int, pooled: bool = True
) -> tuple[float, float]:
    """(z, one-sided p) that the second error rate is lower, and z positive where it is. For
    independent samples; paired ones need McNemar's test."""
    first, second = errors / samples, other_errors / other_samples
    if pooled:
        p = (errors + other_errors) / (samples + other_samples)
        variance = p * (1 - p) * (1 / samples + 1 / other_samples)
    else:
        variance = first * (1 - first) / samples + second * (1 - second) / other_samples
    if variance == 0:
        return 0.0, 0.5
    z = (first - second) / float(np.sqrt(variance))
    return z, float(ndtr(-z))


def paired_bootstrap(
    first: npt.NDArray[np.float64],
    second: npt.NDArray[np.float64],
    rounds: int = 20_000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[float, float]:
    """Percentile interval of the mean difference first - second, samples resampled in pairs."""
    return bootstrap_interval(first - second, rounds, level, seed)


def separate(one: tuple[float, float], other: tuple[float, float]) -> bool:
    """True if two intervals do not overlap: with 99.9 % intervals, Russakovsky et al.'s (2015,
    section 6.2) "significant".

    Two intervals can overlap although the difference is significant: test the difference where
    samples can be paired.
    """
    return one[1] < other[0] or other[1] < one[0]


def compare_paired(
    first: npt.NDArray[np.bool_],
    second: npt.NDArray[np.bool_],
    rounds: int = 20_000,
    level: float = 0.95,
    seed: int = 0,
) -> dict[str, Any]:
    """Two classifiers on the same samples, from [N] whether each was right: table, McNemar's test,
    the difference of accuracies, first - second, with its paired interval, and both error rates in
    per cent with theirs."""
    low, high = paired_bootstrap(
        first.astype(np.float64), second.astype(np.float64), rounds, level, seed
    )
    paired = Paired.from_hits(first, second).statistics()
    return {
        **paired,
        "difference": float(first.mean() - second.mean()),
        "difference_low": low,
        "difference_high": high,
        **_error_intervals(first, second, rounds, level, seed),
    }


def compare_unpaired(
    first: npt.NDArray[np.bool_],
    second: npt.NDArray[np.bool_],
    rounds: int = 20_000,
    level: float = 0.95,
    seed: int = 0,
) -> dict[str, Any]:
    """Two classifiers on different samples: error rates, their intervals, the
    difference of accuracies, first - second, and the pooled two-proportion z-test. As in McNemar's
    test z is positive where the first is better, which ``p_one_sided`` tests; ``p`` is
    two-sided."""
    wrong, other_wrong = int((~first).sum()), int((~second).sum())
    z, one_sided = two_proportions(other_wrong, len(second), wrong, len(first))
    return {
        "samples_first": len(first),
        "samples_second": len(second),
        "error_first": wrong / len(first),
        "error_second": other_wrong / len(second),
        "difference": float(first.mean() - second.mean()),
        "z": z,
        "p": 2 * min(one_sided, 1 - one_sided),
        "p_one_sided": one_sided,
        **_error_intervals(first, second, rounds, level, seed),
    }


def _error_intervals(
    first: npt.NDArray[np.bool_],
    second: npt.NDArray[np.bool_],
    rounds: int,
    level: float,
    seed: int,
) -> dict[str, Any]:
    """Bootstrap intervals of both error rates, and whether they are separate."""
    intervals = [
        bootstrap_interval(np.where(right, 0.0, 1.0), rounds, level, seed)
        for right in (first, second)
    ]
    return {
        "level": level,
        "interval_first": list(intervals[0]),
        "interval_second": list(intervals[1]),
        "separate": separate(*intervals),
    }


@dataclass(frozen=True, eq=False)
class Friedman:
    """Ranks [O, M] of M models over O observations. ``mean_ranks`` [M] (1 is best), ``counts``
    [M, M]: how often model i has rank j + 1."""

    models: list[str]
    ranks: npt.NDArray[np.float64]
    mean_ranks: npt.NDArray[np.float64]
    counts: npt.NDArray[np.int64]

    @classmethod
    def from_scores(cls, models: list[str], values: npt.NDArray[np.float64]) -> Friedman:
        """From [O, M] scores, larger is better; ties share the mean of their ranks (in ``counts``,
        the better one)."""
        if values.ndim != 2 or values.shape[1] != len(models) or len(values) < 2 or len(models) < 3:
            raise DataError("Friedman's test needs at least 2 observations of at least 3 models.")
        from scipy import stats

        ranks = stats.rankdata(-values, axis=1)
        counts = np.zeros((len(models), len(models)), np.int64)
        for row in stats.rankdata(-values, axis=1, method="min").astype(int):
            counts[np.arange(len(models)), row - 1] += 1
        return cls(list(models), ranks, ranks.mean(axis=0), counts)

    def test(self) -> tuple[float, float]:
        """Friedman's chi-squared and p, which takes observations as independent: data sets, or
        disjoint blocks of classes as far as they share no more than a model; not seeds that hide
        classes again."""
        from scipy import stats

        statistic, p = stats.friedmanchisquare(*self.ranks.T)
        return float(statistic), float(p)

    def critical_difference(self, level: float = 0.05) -> float:
        """Nemenyi's post-hoc test: how far apart the mean ranks of two models are at least that
        differ at this level, all pairs considered (Demšar 2006, section 3.2.2)."""
        from scipy import stats

        count = len(self.models)
        q = stats.studentized_range.ppf(1 - level, count, np.inf) / np.sqrt(2)
        return float(q * np.sqrt(count * (count + 1) / (6 * len(self.ranks))))

    def rows(self) -> list[dict[str, Any]]:
        """One row per model, best first."""
        order = np.argsort(self.mean_ranks, kind="stable")
        return [
            {
                "model": self.models[m],
                "mean_rank": float(self.mean_ranks[m]),
                "ranks": self.counts[m].tolist(),
            }
            for m in order
        ]

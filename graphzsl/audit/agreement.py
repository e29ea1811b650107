"""Do metrics agree? Rank correlation of the orders that they put runs or classes in, and effect
sizes of two runs.

Russakovsky et al. (2015, section 4.1) kept top-5 error because top-1, top-5 and hierarchical error
ordered the entries alike; Frome et al. (2013, appendix A.3) withdrew the heights of lowest common
ancestors because they tell two models apart less than hp@k.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.metrics.names import direction

#: Metrics that order runs.
_ORDERING = re.compile(r"(?:hit|hp)@\d+|mean_rank|lca_height(?:_wordnet)?@\d+")


def orders(name: str) -> bool:
    """True if a metric ranks runs from worse to better; shares of parents and children do not."""
    return _ORDERING.fullmatch(name) is not None


def rank_correlations(values: Mapping[str, npt.ArrayLike]) -> list[dict[str, Any]]:
    """One row per pair of metrics: Kendall's tau-b and Spearman's rho of their orders, each from
    best to worst.

    ``values`` metric -> [O] values of the same runs or classes. None where a metric does not tell
    any two apart. ``same_order``: no two are ordered one way by one metric and the other way, or
    not at all, by the other. What lacks a value of either (nan) is left out of a pair. DataError
    for fewer than three.
    """
    from scipy import stats  # it takes a second, and every evaluation imports this module

    columns = {
        name: direction(name) * np.asarray(column, float)
        for name, column in values.items()
        if orders(name)
    }
    lengths = {len(column) for column in columns.values()}
    if len(columns) < 2 or len(lengths) != 1 or min(lengths) < 3:
        raise DataError("Rank correlations need two metrics of at least three runs or classes.")
    rows = []
    for one, other in combinations(columns, 2):
        known = np.isfinite(columns[one]) & np.isfinite(columns[other])
        a, b = columns[one][known], columns[other][known]
        constant = len(a) < 2 or np.ptp(a) == 0 or np.ptp(b) == 0
        rows.append(
            {
                "metric": one,
                "other": other,
                "kendall_tau": None if constant else float(stats.kendalltau(a, b).statistic),
                "spearman": None if constant else float(stats.spearmanr(a, b).statistic),
                "same_order": bool(np.array_equal(stats.rankdata(a), stats.rankdata(b))),
                "observations": len(a),
            }
        )
    return rows


def common_values(runs: Sequence[Mapping[str, Any]], kind: str) -> dict[str, list[float]]:
    """Metric -> its value in each run, of the metrics that all runs have; ``kind`` is per_class or
    per_sample."""
    names = [name for name in runs[0]["metrics"] if all(name in run["metrics"] for run in runs)]
    return {name: [run["metrics"][name][kind] for run in runs] for name in names}


def effect_sizes(first: Mapping[str, Any], second: Mapping[str, Any]) -> list[dict[str, Any]]:
    """One row per metric that orders runs: how far the first run is ahead, per sample.

    ``gain`` is the difference of the means, positive where the first is better; ``relative`` the
    gain over the second's mean; ``d`` the gain over the standard deviation of samples, √((s₁² +
    s₂²) / 2) (Cohen's d). None where that is 0.
    """
    rows = []
    for name in (name for name in first["metrics"] if orders(name) and name in second["metrics"]):
        one, other = first["metrics"][name], second["metrics"][name]
        gain = direction(name) * (one["per_sample"] - other["per_sample"])
        deviation = float(np.sqrt((one["per_sample_sd"] ** 2 + other["per_sample_sd"] ** 2) / 2))
        rows.append(
            {
                "metric": name,
                "first": one["per_sample"],
                "second": other["per_sample"],
                "gain": gain,
                "relative": gain / other["per_sample"] if other["per_sample"] else None,
                "d": gain / deviation if deviation else None,
            }
        )
    return rows


def check_same_task(runs: Mapping[str, Mapping[str, Any]]) -> None:
    """DataError names two runs that are not of one task: other samples, classes or
    candidates."""
    (first, given), *others = runs.items()
    for name, run in runs.items():
        if len(runs) > 1 and "true_classes_of_samples" in (run.get("features") or {}):
            raise DataError(
                f"{name} is of samples with several true classes, each of which counts for the one"
                " nearest to its own predictions: such runs cannot be compared sample by sample."
            )
    for name, run in others:
        for what in ("samples", "classes", "candidates"):
            if run[what] != given[what]:
                raise DataError(
                    f"{first} has {given[what]:,} {what}, {name} {run[what]:,}: they are different"
                    " tasks."
                )
        lists = [
            each.get("provenance", {}).get("candidates", {}).get("sha256") for each in (given, run)
        ]
        if None not in lists and lists[0] != lists[1]:
            raise DataError(
                f"{first} and {name} have different candidates: they are different tasks."
            )

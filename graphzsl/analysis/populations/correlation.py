"""Correlations over classes, and running shares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError


def correlations(
    one: np.ndarray, other: np.ndarray, names: tuple[str, str]
) -> list[dict[str, Any]]:
    """Rows of Pearson's and Spearman's coefficient with p and the number of pairs; DataError for
    fewer than 3 or a constant."""
    from scipy import stats

    if len(one) < 3 or np.ptp(one) == 0 or np.ptp(other) == 0:
        raise DataError(
            f"{names[0]} and {names[1]}: a correlation needs at least 3 classes and two different"
            " values of each."
        )
    return [
        {
            "of": f"{names[0]}, {names[1]}",
            "kind": kind,
            "coefficient": float(test.statistic),
            "p": float(test.pvalue),
            "classes": len(one),
        }
        for kind, test in (
            ("Pearson", stats.pearsonr(one, other)),
            ("Spearman", stats.spearmanr(one, other)),
        )
    ]


def population_steps(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of ``population_distribution`` with shares and running shares of the classes."""
    total, running, steps = sum(row["classes"] for row in rows), 0, []
    for row in rows:
        running += row["classes"] if row["population"] != "unknown" else 0
        steps.append({**row, "share": row["classes"] / total, "up_to_here": running / total})
    return steps

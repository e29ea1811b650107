"""Precision, recall and F of sets of ancestors, and means over mistakes. N samples, K list
length."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def shares(part: npt.ArrayLike, whole: npt.ArrayLike) -> Floats:
    """``part`` / ``whole``, of any one shape; a share of nothing is 0."""
    above, below = np.asarray(part, np.float64), np.asarray(whole, np.float64)
    return np.divide(above, below, out=np.zeros_like(above), where=below > 0)


def f_measure(precision: npt.ArrayLike, recall: npt.ArrayLike, beta: float = 1.0) -> Floats:
    """(β² + 1) P R / (β² P + R); 0 where both are 0 (Kiritchenko et al. 2006)."""
    p, r = np.asarray(precision, np.float64), np.asarray(recall, np.float64)
    return shares((beta**2 + 1) * p * r, beta**2 * p + r)


def mean_over(values: Floats, rows: npt.NDArray[np.bool_]) -> float:
    """Mean of the values [N] or [N, K] in these rows [N]; nan without any."""
    return float(values[rows].mean()) if rows.any() else float("nan")

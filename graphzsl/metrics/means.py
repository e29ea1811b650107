"""Means over samples and over classes, with intervals and the values under random ties."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.metrics.ranking import EXPECTED, Ints


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

"""A zero-shot model's accuracy relative to a supervised model's on the same samples: what is left
when hard samples are allowed for.

Reference: Hascoet et al. 2019, section 4.3.2.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError

Bools = npt.NDArray[np.bool_]


def relative_rows(
    labels: Sequence[str],
    zero_shot: Bools,
    supervised: Bools,
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """One row per class, by name: both accuracies and their ratio, with a percentile interval from
    resampled pairs.

    ``zero_shot`` and ``supervised`` [N] say whether each was right on the same sample. The ratio is
    None where the supervised model is never right; its interval is of the rounds in which it is
    right at least once.
    """
    names, number, counts = np.unique(labels, return_inverse=True, return_counts=True)
    rng, tail = np.random.default_rng(seed), (1 - level) / 2
    rows = []
    for place, name in enumerate(names):
        own = number == place
        z, s = zero_shot[own], supervised[own]
        # a resample of pairs is how often each of the four pairs of outcomes is drawn
        table = np.array([(z & s).sum(), (z & ~s).sum(), (~z & s).sum(), (~z & ~s).sum()])
        drawn = rng.multinomial(len(z), table / len(z), size=rounds).astype(np.float64)
        right = drawn[:, 0] + drawn[:, 2]
        usable = right > 0
        ratios = (drawn[usable, 0] + drawn[usable, 1]) / right[usable]
        low, high = np.quantile(ratios, [tail, 1 - tail]) if s.any() else (None, None)
        rows.append(
            {
                "wnid": str(name),
                "samples": int(counts[place]),
                "zero_shot": float(z.mean()),
                "supervised": float(s.mean()),
                "relative": float(z.mean() / s.mean()) if s.any() else None,
                "low": None if low is None else float(low),
                "high": None if high is None else float(high),
            }
        )
    return rows


def relative_means(
    rows: Sequence[dict[str, Any]], rounds: int = 2000, level: float = 0.95, seed: int = 0
) -> list[dict[str, Any]]:
    """Two means over classes with percentile intervals from resampled classes.

    ``ratio of means`` divides the mean per-class accuracies: every class counts, and it is the
    headline. ``mean of ratios`` is the mean of the classes' own ratios, over the classes where it
    is defined. DataError where it is for none.
    """
    z = np.array([row["zero_shot"] for row in rows], dtype=np.float64)
    s = np.array([row["supervised"] for row in rows], dtype=np.float64)
    if not s.any():
        raise DataError("The supervised model is never right: there is nothing to be relative to.")
    defined = s > 0
    ratios = np.divide(z, s, out=np.zeros_like(z), where=defined)
    draws = np.random.default_rng(seed).integers(len(rows), size=(rounds, len(rows)))
    tail, means = (1 - level) / 2, []
    for name, value, drawn, classes in (
        (
            "ratio of means",
            z.mean() / s.mean(),
            _ratios(z[draws].sum(axis=1), s[draws].sum(axis=1)),
            len(rows),
        ),
        (
            "mean of ratios",
            ratios[defined].mean(),
            _ratios(
                (ratios * defined)[draws].sum(axis=1), defined[draws].sum(axis=1).astype(np.float64)
            ),
            int(defined.sum()),
        ),
    ):
        low, high = np.quantile(drawn, [tail, 1 - tail])
        means.append(
            {
                "measure": name,
                "relative": float(value),
                "low": float(low),
                "high": float(high),
                "classes": classes,
            }
        )
    return means


def _ratios(
    above: npt.NDArray[np.float64], below: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    usable = below > 0
    return np.asarray(above[usable] / below[usable])

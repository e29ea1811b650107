"""Training classes among the candidates: the harmonic mean, and the seen-unseen curve with its
area."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt


def harmonic_mean(one: float, other: float) -> float:
    """2ab / (a + b); 0 when both are 0 (Xian et al. 2017, equation 16)."""
    return 2 * one * other / (one + other) if one + other else 0.0


def seen_unseen_curve(
    margin: npt.NDArray[np.float64],
    seen_hit: npt.NDArray[Any],
    unseen_hit: npt.NDArray[Any],
    weights: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """[P, 2] (seen, unseen) accuracies of calibrated stacking, as the amount taken off the seen
    scores grows.

    ``margin`` [N] is the best seen score less the best unseen one, ``seen_hit`` and ``unseen_hit``
    [N] whether each is right, ``weights`` [N] what a sample adds to its side's accuracy (1 /
    classes of that side / samples of its class). With γ taken off, a sample goes to the seen side
    where margin > γ. The curve starts with everything seen and ends with everything unseen (Chao et
    al. 2016). Drawn, unseen accuracy is the horizontal axis and seen accuracy the vertical one: the
    authors' code (pujols/Zero-shot-learning-journal, ``misc/Compute_AUSUC.m``) integrates the seen
    one over the unseen one.
    """
    order = np.argsort(margin, kind="stable")
    # samples with equal margins move together
    steps = np.flatnonzero(np.diff(margin[order], append=np.inf))
    lost = np.cumsum((weights * seen_hit)[order])[steps]
    won = np.cumsum((weights * unseen_hit)[order])[steps]
    total = float((weights * seen_hit).sum())
    return np.stack([np.r_[total, total - lost], np.r_[0.0, won]], axis=1)


def best_calibration(
    curves: Sequence[tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]],
) -> tuple[float, float]:
    """(γ, mean H) of calibrated stacking: the amount off the seen scores at which the mean over
    some curves of the harmonic mean of seen and unseen accuracy is largest.

    Each curve [P, 2] is ``seen_unseen_curve``'s, with the [P - 1] distinct margins, in ascending
    order, at which it takes its steps. H is constant between margins: the middle between each two
    neighbours of all margins is tried, and 0 where it is none, for at a margin both sides tie. Of
    equal means the first is taken, 0 before others; where there is nothing to try, 0 with H 0.
    """
    margins = np.unique(np.concatenate([steps for steps, _ in curves]))
    amounts = np.r_[[0.0] * (0 not in margins), (margins[1:] + margins[:-1]) / 2]
    if not len(amounts):
        return 0.0, 0.0
    means = np.zeros(len(amounts))
    for steps, curve in curves:
        seen, unseen = curve[np.searchsorted(steps, amounts, side="right")].T
        total = seen + unseen
        means += np.divide(2 * seen * unseen, total, out=np.zeros_like(total), where=total > 0)
    best = int(means.argmax())
    return float(amounts[best]), float(means[best] / len(curves))


def area_under(curve: npt.NDArray[np.float64]) -> float:
    """Area under a seen-unseen curve, by trapezoids (AUSUC)."""
    return float(np.trapezoid(curve[:, 1], -curve[:, 0]))

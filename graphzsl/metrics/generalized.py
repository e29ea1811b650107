"""Training classes among the candidates: the harmonic mean, and the seen-unseen curve with its
area."""

from __future__ import annotations

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


def area_under(curve: npt.NDArray[np.float64]) -> float:
    """Area under a seen-unseen curve, by trapezoids (AUSUC)."""
    return float(np.trapezoid(curve[:, 1], -curve[:, 0]))

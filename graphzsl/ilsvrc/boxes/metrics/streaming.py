"""Average precision of more detections than memory holds: from parts, lowest scores first."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
import numpy.typing as npt

from graphzsl.ilsvrc.boxes.metrics.precision import INTERPOLATIONS, curve_counts
from graphzsl.ilsvrc.boxes.metrics.resampling import STEPS, StepCounts, Weights
from graphzsl.metrics.ranking import Floats, Ints

#: Scores, hits and groups of detections.
Detections = tuple[Floats, npt.NDArray[np.bool_], Ints]


def streamed_precision(
    parts: Iterable[Detections],
    rows: int,
    hits: int,
    positives: Ints,
    weights: Weights | None = None,
    interpolation: str = "all",
) -> tuple[float, npt.NDArray[np.float64] | None]:
    """(average precision, [B] that of each round) of a class, as ``average_precision`` and
    ``resampled_precision`` compute them of all detections at once.

    Args:
        parts: detections, the lowest scores first; no score is in two parts.
        rows: detections in all parts.
        hits: hits in all parts.
        positives: [G] objects of the class by group.
        weights: [G, B]; None for no rounds.
        interpolation: see ``average_precision``.
    """
    total, above, found_above = float(positives.sum()), rows, hits
    levels = INTERPOLATIONS[interpolation]
    area, best = 0.0, 0.0
    best_at = np.zeros(0 if levels is None else len(levels))
    steps = StepCounts(len(positives), STEPS)
    for scores, hit, groups in parts:
        above -= len(scores)
        found_above -= int(hit.sum())
        found, seen = curve_counts(scores, hit)
        found, seen = found + found_above, seen + above
        recall, precision = found / total, found / seen
        if interpolation != "none":
            # precision at a recall is the largest at that recall or above it
            precision = np.maximum.accumulate(precision[::-1])[::-1]
            precision = np.maximum(precision, best)
            best = float(precision[0])
        if levels is None:
            area += float((np.diff(recall, prepend=found_above / total) * precision).sum())
        else:
            at = np.searchsorted(recall, levels, "left")
            inside = at < len(recall)
            best_at[inside] = np.maximum(best_at[inside], precision[at[inside]])
        if weights is not None:
            # the step of a score, by how many detections are above it
            _, inverse, counts = np.unique(-scores, return_inverse=True, return_counts=True)
            before = above + np.cumsum(counts) - counts
            steps.add((before * STEPS // rows)[inverse], hit, groups)
    exact = area if levels is None else float(best_at.mean())
    if weights is None:
        return exact, None
    return exact, steps.drawn(positives, weights, exact, interpolation)

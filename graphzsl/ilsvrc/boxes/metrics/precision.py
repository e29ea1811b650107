"""Precision and recall over score thresholds, and average precision by four definitions."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from graphzsl.metrics.ranking import Floats, Ints

#: Definition of average precision -> the recall levels that it looks at; None for all.
INTERPOLATIONS: dict[str, npt.NDArray[np.float64] | None] = {
    "all": None,
    "none": None,
    "11": np.linspace(0, 1, 11),
    "101": np.linspace(0, 1, 101),
}


def precision_recall(
    scores: Floats, hits: npt.NDArray[np.bool_], positives: float
) -> tuple[Floats, Floats]:
    """(recall, precision) [S] at every distinct score, from the highest down.

    Recall(t) = Σ [s ≥ t] z / N and Precision(t) = Σ [s ≥ t] z / Σ [s ≥ t]: detections of one score
    come in together, so their order does not count.

    Args:
        scores: [D] of all detections of a class.
        hits: [D] z: whether each matches an object.
        positives: N, the objects of the class.

    Reference:
        Russakovsky et al. 2015, equations 3 and 4.
    """
    found, seen = curve_counts(scores, hits)
    return found / positives, found / seen


def curve_counts(scores: Floats, hits: npt.NDArray[np.bool_]) -> tuple[Floats, Ints]:
    """(hits, detections) [S] with each distinct score or a higher one, from the highest down."""
    order = np.argsort(-scores, kind="stable")
    ordered = scores[order]
    last = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True)) if len(order) else order
    return np.cumsum(hits[order], dtype=np.float64)[last], last + 1


def average_precision(
    recall: Floats, precision: Floats, interpolation: str = "all"
) -> npt.NDArray[np.float64]:
    """Average precision of curves whose points lie along the last axis [..., S]; 0 of a curve
    without points.

    * ``all``: the area under precision made to fall with recall (PASCAL VOC since 2010).
    * ``none``: Σ (r_n - r_(n-1)) p_n, without interpolation.
    * ``11``, ``101``: the mean of the largest precision at a recall of at least each of 11
      (PASCAL VOC 2007) or 101 (COCO) levels.

    Args:
        recall: rising along the last axis; nan where there is nothing to find.
        precision: of the same shape.
        interpolation: one of ``INTERPOLATIONS``.
    """
    if recall.shape[-1] == 0:
        return np.zeros(recall.shape[:-1])
    levels = INTERPOLATIONS[interpolation]
    if interpolation != "none":
        precision = np.maximum.accumulate(precision[..., ::-1], axis=-1)[..., ::-1]
    if levels is None:
        steps = np.diff(recall, axis=-1, prepend=0)
        return np.asarray((steps * precision).sum(axis=-1))
    total = np.zeros(recall.shape[:-1])
    for level in levels:
        total += np.where(recall >= level, precision, 0).max(axis=-1)
    return np.where(np.isnan(recall[..., -1]), np.nan, total / len(levels))

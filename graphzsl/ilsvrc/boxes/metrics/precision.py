"""Precision and recall over score thresholds, average precision by four definitions, and that when
images are drawn again: from sums over groups of images, not by matching anew in every round."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from graphzsl.metrics.ranking import Floats, Ints

#: Definition of average precision -> the recall levels that it looks at; None for all.
INTERPOLATIONS: dict[str, npt.NDArray[np.float64] | None] = {
    "all": None,
    "none": None,
    "11": np.linspace(0, 1, 11),
    "101": np.linspace(0, 1, 101),
}

#: Groups of images that are drawn; up to so many images each is a group of its own.
GROUPS = 1000
#: Points of a curve that a round computes.
STEPS = 256
#: Below this share of entries that are not 0, products with sparse matrices are faster.
_SPARSE = 1 / 32

Weights = npt.NDArray[np.float32]


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


def draws(groups: int, rounds: int, seed: int = 0) -> Weights:
    """[G, B] how often each group is drawn in each round: ``groups`` draws with replacement."""
    random = np.random.default_rng(seed)
    drawn = np.empty((groups, rounds), np.float32)
    for at in range(0, rounds, 500):
        part = drawn[:, at : at + 500]
        part[:] = random.multinomial(groups, np.full(groups, 1 / groups), size=part.shape[1]).T
    return drawn


def resampled_precision(
    scores: Floats,
    hits: npt.NDArray[np.bool_],
    groups: Ints,
    positives: Ints,
    weights: Weights,
    interpolation: str = "all",
) -> npt.NDArray[np.float64]:
    """[B] average precision of a class in each round; nan in a round that draws none of its
    objects.

    Whether a detection is a hit depends on its image alone, so a round weighs what was matched
    once. Where there are more than ``STEPS`` distinct scores, rounds compute the curve at so many
    of them, and all are moved by what that changes without resampling.

    Args:
        scores: [D] of all detections of the class.
        hits: [D].
        groups: [D] the group of each detection's image.
        positives: [G] objects of the class by group.
        weights: [G, B] of ``draws``.
        interpolation: see ``average_precision``.

    Reference:
        Russakovsky et al. 2015, section 6.2: N images drawn with replacement. Where there are more
        images than groups, groups of images put together at random are drawn in their place: the
        totals of their draws have the same mean and variance.
    """
    exact = average_precision(*precision_recall(scores, hits, positives.sum()), interpolation)
    steps, count = _steps(scores) if len(scores) else (groups, 1)
    counted = StepCounts(len(positives), count)
    counted.add(steps, hits, groups)
    return counted.drawn(positives, weights, float(exact), interpolation)


class StepCounts:
    """Hits and misses by step of the curve and group of images: what rounds weigh."""

    def __init__(self, groups: int, steps: int):
        self.groups, self.steps = groups, steps
        self.found = np.zeros(groups * steps, np.int64)
        self.missed = np.zeros(groups * steps, np.int64)

    def add(self, steps: Ints, hits: npt.NDArray[np.bool_], groups: Ints) -> None:
        """Detections, by the step of their score (highest first) and the group of their image."""
        cells, size = groups * self.steps + steps, len(self.found)
        self.found += np.bincount(cells[hits], minlength=size)
        self.missed += np.bincount(cells[~hits], minlength=size)

    def drawn(
        self, positives: Ints, weights: Weights, exact: float, interpolation: str
    ) -> npt.NDArray[np.float64]:
        """[B] average precision in each round, moved by what the steps change of the ``exact`` one;
        nan in a round that draws no object."""
        plain = np.ones((self.groups, 1), np.float32)
        stepped = self._precision(positives, plain, interpolation)[0]
        drawn = self._precision(positives, weights, interpolation) + exact - stepped
        return np.asarray(np.clip(drawn, 0, 1))

    def _precision(
        self, positives: Ints, weights: Weights, interpolation: str
    ) -> npt.NDArray[np.float64]:
        total = positives.astype(np.float32) @ weights
        found, missed = (self._sums(cells, weights) for cells in (self.found, self.missed))
        with np.errstate(invalid="ignore", divide="ignore"):
            recall, precision = found / total[:, None], np.nan_to_num(found / (found + missed))
        return np.where(total > 0, average_precision(recall, precision, interpolation), np.nan)

    def _sums(self, cells: Ints, weights: Weights) -> Floats:
        """[B, S] how many detections lie at each step or above it."""
        table = cells.reshape(self.groups, self.steps).astype(np.float32).T
        is_sparse = np.count_nonzero(cells) < _SPARSE * cells.size
        summed = (sparse.csr_matrix(table) if is_sparse else table) @ weights
        return np.cumsum(summed, axis=0, dtype=np.float64).T


def _steps(scores: Floats) -> tuple[Ints, int]:
    """([D] the step of each detection, highest scores first; how many): one per distinct score, or
    ``STEPS`` of about as many detections each."""
    distinct, inverse, counts = np.unique(-scores, return_inverse=True, return_counts=True)
    if len(distinct) <= STEPS:
        return inverse, len(distinct)
    middle = np.cumsum(counts) - counts
    step_of = middle * STEPS // len(scores)
    _, step_of = np.unique(step_of, return_inverse=True)
    return step_of[inverse], int(step_of[-1]) + 1

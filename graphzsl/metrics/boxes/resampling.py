"""Average precision when images are drawn again: from sums over groups of images, not by matching
anew in every round."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from scipy import sparse

from graphzsl.metrics.boxes.precision import average_precision, precision_recall
from graphzsl.metrics.ranking import Floats, Ints

#: Groups of images that are drawn; up to so many images each is a group of its own.
GROUPS = 1000
#: Points of a curve that a round computes.
STEPS = 256
#: Below this share of entries that are not 0, products with sparse matrices are faster.
_SPARSE = 1 / 32

Weights = npt.NDArray[np.float32]


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
    total = positives.astype(np.float32) @ weights
    with np.errstate(invalid="ignore", divide="ignore"):
        if not len(scores):
            return np.where(total > 0, 0.0, np.nan)
        steps, count = _steps(scores)
        found = _sums(steps, groups, hits, count, weights)
        missed = _sums(steps, groups, ~hits, count, weights)
        recall = found / total[:, None]
        precision = np.nan_to_num(found / (found + missed))
        drawn = average_precision(recall, precision, interpolation)
    exact = average_precision(*precision_recall(scores, hits, positives.sum()), interpolation)
    return np.clip(drawn + exact - _thinned(steps, hits, count, positives, interpolation), 0, 1)


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


def _sums(
    steps: Ints, groups: Ints, chosen: npt.NDArray[np.bool_], count: int, weights: Weights
) -> Floats:
    """[B, S] how many of the chosen detections lie at each step or above it, in each round."""
    size = len(weights)
    cells = np.bincount(groups[chosen] * count + steps[chosen], minlength=size * count)
    table = cells.reshape(size, count).astype(np.float32).T
    is_sparse = np.count_nonzero(cells) < _SPARSE * cells.size
    summed = (sparse.csr_matrix(table) if is_sparse else table) @ weights
    return np.cumsum(summed, axis=0, dtype=np.float64).T


def _thinned(
    steps: Ints, hits: npt.NDArray[np.bool_], count: int, positives: Ints, interpolation: str
) -> npt.NDArray[np.float64]:
    """Average precision at the steps alone, of the detections as they are."""
    found = np.cumsum(np.bincount(steps[hits], minlength=count))
    every = np.cumsum(np.bincount(steps, minlength=count))
    return average_precision(found / positives.sum(), found / every, interpolation)

"""Ranks, hits and lists of candidates, and the rule for ties. N samples, C candidates, K list
length."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.floating]
Ints = npt.NDArray[np.int64]

#: The rule of every metric here. Where it decides anything, results also hold the mean over all
#: orders of the tied candidates.
TIES_RULE = (
    "ties count against the model: candidates of equal score take the order that is worst for the"
    " metric"
)
EXPECTED = "expected_under_random_ties"
#: What holds instead where only ranked lists are known.
LISTS_RULE = "ranked lists hold no scores, hence no ties: their order is taken as given"
_BLOCK = 1 << 17  #: scores that are partitioned at once


def ranks(scores: Floats, truth: Ints) -> Ints:
    """[N] rank of the true candidate, from 1: the number of candidates whose score is at least its
    own.

    Ties count against the model. ``scores`` [N, C], ``truth`` [N] columns, -1 where the true class
    is not a candidate: its rank is C + 1. A NaN score raises ValueError.
    """
    if np.isnan(scores).any():
        raise ValueError("a score is NaN")
    true = scores[np.arange(len(truth)), truth]
    rank = np.count_nonzero(scores >= true[:, None], axis=1)
    return np.asarray(np.where(truth >= 0, rank, scores.shape[1] + 1), dtype=np.int64)


def top_candidates(scores: Floats, k: int) -> Ints:
    """[N, min(k, C)] columns of the largest scores, best first; equal scores in the order of their
    columns.

    ``scores`` [N, C] hold no NaN (``ranks`` refuses it). Beside the result, memory for a block of
    rows is needed.
    """
    samples, candidates = scores.shape
    k = min(k, candidates)
    chosen = np.empty((samples, k), dtype=np.int64)
    size = max(1, _BLOCK // candidates)
    for start in range(0, samples, size):
        block = scores[start : start + size]
        border = np.partition(block, candidates - k, axis=1)[:, candidates - k, None]
        kept = block >= border
        counts = np.count_nonzero(kept, axis=1)
        for row in np.flatnonzero(counts > k):  # a tie across the border: its last columns go
            tied = np.flatnonzero(block[row] == border[row])
            kept[row, tied[k - counts[row] :]] = False
        columns = (np.flatnonzero(kept) % candidates).reshape(-1, k)
        order = np.argsort(-np.take_along_axis(block, columns, axis=1), axis=1, kind="stable")
        chosen[start : start + size] = np.take_along_axis(columns, order, axis=1)
    return chosen


def hits(rank: Ints, k: int) -> npt.NDArray[np.float64]:
    """[N] 1 where the true class is among the first k."""
    return (rank <= k).astype(np.float64)


def expected_hits(better: Ints, rank: Ints, k: int) -> npt.NDArray[np.float64]:
    """[N] chance that the true class is among the first k when tied candidates come in random
    order.

    ``better`` candidates score more and g = ``rank`` - ``better`` share its score: (k - better) /
    g, between 0 and 1.
    """
    return np.clip((k - better) / (rank - better), 0.0, 1.0)


def tied_precision(sure: int, correct: int, tied: int, free: int, k: int) -> tuple[float, float]:
    """(worst, expected) hp@k of a list whose last ``free`` places go to a tie of ``tied``
    candidates, ``correct`` of them right.

    hp@k = |top-k ∩ hCorrectSet(true class, k)| / k (Frome et al. 2013, appendix A.3, equation 1).
    ``sure`` are the right ones before the tie. At worst the places go to wrong ones first; on
    average a place is right with chance correct / tied.
    """
    return (sure + max(0, free - (tied - correct))) / k, (sure + free * correct / tied) / k


def tied_minimum(sure: float, values: npt.NDArray[np.float64], free: int) -> tuple[float, float]:
    """(largest, expected) minimum of ``sure`` and ``free`` of the tied ``values``: for heights,
    where a small one is good.

    The largest takes the ``free`` largest values. For a random subset, P(minimum ≥ v) = C(n, free)
    / C(g, free) with n of the g values at least v, a product of ``free`` factors (n - i) / (g - i).
    """
    ordered = np.sort(values)
    distinct, first = np.unique(np.minimum(ordered, sure), return_index=True)
    least = len(values) - first  # how many values are at least each of the distinct ones
    steps = np.arange(free)
    above = np.prod(np.clip(least[:, None] - steps, 0, None) / (len(values) - steps), axis=1)
    return float(min(sure, ordered[-free])), float(distinct @ (above - np.append(above[1:], 0.0)))


def columns_of(wnids: Sequence[str], index: Mapping[str, int]) -> Ints:
    """Columns of wnids; KeyError for one that is not a candidate."""
    return np.array([index[wnid] for wnid in wnids], dtype=np.int64)

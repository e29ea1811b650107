"""Ranks, hits and lists of candidates, and the rule for ties. N samples, C candidates, K list
length."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

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
_BLOCK = 1 << 19  #: scores that are looked at together, which a processor's cache holds
_GROUP = 32  #: candidates whose largest score stands for them
_LONG = 500  #: candidates of a row that is counted by itself


@dataclass(frozen=True, eq=False)
class Ranked:
    """What scores [N, C] say: ``rank`` [N] of the true candidates, how many candidates are
    ``better`` [N], the ``top`` [N, K] columns, and whether the score of the last of these
    ``goes_on`` [N] beyond them."""

    rank: Ints
    better: Ints
    top: Ints
    goes_on: npt.NDArray[np.bool_]


def ranked(scores: Floats, truth: Ints, k: int) -> Ranked:
    """Ranks as ``ranks`` gives them, and the min(k, C) largest scores of each row, best first;
    equal ones in the order of their columns.

    ``scores`` [N, C] with N > 0, ``truth`` [N] columns, -1 where the true class is not a
    candidate: its rank is C + 1, and C candidates are better. A NaN score raises ValueError.
    Beside the result, memory for a block of rows is needed.
    """
    parts = [(*_places(block, truth[rows]), *_top(block, k)) for rows, block in _row_blocks(scores)]
    return Ranked(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def ranks(scores: Floats, truth: Ints) -> Ints:
    """[N] rank of the true candidate, from 1: the number of candidates whose score is at least its
    own; ``scores`` and ``truth`` as for ``ranked``.

    Ties count against the model.
    """
    return np.concatenate([_places(block, truth[rows])[0] for rows, block in _row_blocks(scores)])


def _row_blocks(scores: Floats) -> Iterator[tuple[slice, Floats]]:
    size = max(1, _BLOCK // scores.shape[1])
    for start in range(0, len(scores), size):
        rows = slice(start, start + size)
        yield rows, np.ascontiguousarray(scores[rows])


def _places(block: Floats, truth: Ints) -> tuple[Ints, Ints]:
    """([n] ranks, [n] numbers of better candidates) of the true candidates."""
    if np.isnan(block.max()):
        raise ValueError("a score is NaN")
    candidates = block.shape[1]
    true = block[np.arange(len(truth)), truth][:, None]
    is_candidate = truth >= 0
    rank = np.where(is_candidate, _true_in_rows(block >= true), candidates + 1)
    return rank, np.where(is_candidate, _true_in_rows(block > true), candidates)


def _true_in_rows(mask: npt.NDArray[np.bool_]) -> Ints:
    """[n] how many of each row are true: numpy counts long rows one by one in half the time."""
    if mask.shape[1] < _LONG:
        return np.asarray(np.count_nonzero(mask, axis=1), dtype=np.int64)
    return np.array([np.count_nonzero(row) for row in mask], dtype=np.int64)


def _top(block: Floats, k: int) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """([n, min(k, C)] columns of the largest scores, [n] whether the last of these scores goes on
    behind them).

    The k best stand in the k groups of candidates with the largest maxima, so that only those are
    searched, but for rows where more groups share the smallest of these maxima.
    """
    samples, candidates = block.shape
    k = min(k, candidates)
    groups = candidates // _GROUP
    if groups < 2 * k:
        return _top_of_all(block, k)
    # group g holds the columns g, g + groups, g + 2 groups, …; the last columns are in none
    split = groups * _GROUP
    maxima = block[:, :split].reshape(samples, _GROUP, groups).max(axis=1)
    wanted = maxima >= np.partition(maxima, -k, axis=1)[:, -k, None]
    clear = _true_in_rows(wanted) == k
    top, goes_on = np.empty((samples, k), dtype=np.int64), np.empty(samples, dtype=bool)
    if clear.any():
        of_groups = (np.flatnonzero(wanted[clear]) % groups).reshape(-1, 1, k)
        columns = (of_groups + groups * np.arange(_GROUP)[:, None]).reshape(len(of_groups), -1)
        rest = np.broadcast_to(np.arange(split, candidates), (len(columns), candidates - split))
        columns = np.concatenate([columns, rest], axis=1)
        values = np.take_along_axis(block if clear.all() else block[clear], columns, axis=1)
        best, goes_on[clear] = _top_of_all(values, k)
        top[clear] = np.take_along_axis(columns, best, axis=1)
    if not clear.all():
        top[~clear], goes_on[~clear] = _top_of_all(block[~clear], k)
    return top, goes_on


def _top_of_all(block: Floats, k: int) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """``_top``, by a search of all columns."""
    candidates = block.shape[1]
    border = np.partition(block, candidates - k, axis=1)[:, candidates - k, None]
    kept = block >= border
    counts = _true_in_rows(kept)
    for row in np.flatnonzero(counts > k):  # a tie across the border: its last columns go
        tied = np.flatnonzero(block[row] == border[row])
        kept[row, tied[k - counts[row] :]] = False
    columns = (np.flatnonzero(kept) % candidates).reshape(-1, k)
    # from behind, so that equal scores keep their order; a negative of integers could wrap around
    columns = columns[:, ::-1]
    order = np.argsort(np.take_along_axis(block, columns, axis=1), axis=1, kind="stable")
    return np.take_along_axis(columns, order[:, ::-1], axis=1), counts > k


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

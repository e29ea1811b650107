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
_WORD = 8  #: truth values that are counted at once
_GROUPS = 5  #: groups of candidates for each place of a list
_SMALLEST_GROUP, _LARGEST_GROUP = 8, 64  #: candidates whose largest score stands for them
_FEW = 4  #: candidates for each place of a list that are sorted


@dataclass(frozen=True, eq=False)
class Ranked:
    """Ranks from scores [N, C]: ``rank`` [N] of the true candidates, the number of ``better`` [N]
    candidates, the ``top`` [N, K] columns, and whether candidates beyond the top tie with the last
    of it (``goes_on`` [N])."""

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
    parts = [(*_places(block, truth[rows]), *_top(block, k)) for rows, block in row_blocks(scores)]
    return Ranked(*(np.concatenate(each) for each in zip(*parts, strict=True)))


def ranks(scores: Floats, truth: Ints) -> Ints:
    """[N] rank of the true candidate, from 1: the number of candidates whose score is at least its
    own; ``scores`` and ``truth`` as for ``ranked``.

    Ties count against the model.
    """
    return np.concatenate([_places(block, truth[rows])[0] for rows, block in row_blocks(scores)])


def row_blocks(scores: Floats) -> Iterator[tuple[slice, Floats]]:
    """(rows, their scores) of some rows of [N, C] after the other. Half floats become single ones,
    which hold the same numbers: processors compare these ten times as fast."""
    size = max(1, _BLOCK // max(1, scores.shape[1]))
    dtype = np.float32 if scores.dtype == np.float16 else scores.dtype
    for start in range(0, len(scores), size):
        rows = slice(start, start + size)
        yield rows, np.ascontiguousarray(scores[rows], dtype=dtype)


def _places(block: Floats, truth: Ints) -> tuple[Ints, Ints]:
    """([n] ranks, [n] numbers of better candidates) of the true candidates."""
    if np.isnan(block.max()):
        raise ValueError("a score is NaN")
    candidates = block.shape[1]
    true = block[np.arange(len(truth)), truth]
    is_candidate = truth >= 0
    rank = np.where(is_candidate, _count(np.greater_equal, block, true), candidates + 1)
    return rank, np.where(is_candidate, _count(np.greater, block, true), candidates)


def _count(compare: np.ufunc, block: Floats, border: Floats) -> Ints:
    """[n] how many of each row of ``block`` [n, C] compare as true with its ``border`` [n]."""
    return _true_in_rows(_compared(compare, block, border))


def _compared(compare: np.ufunc, block: Floats, border: Floats) -> npt.NDArray[np.bool_]:
    """[n, C'] of zeros and ones, filled with zeros to a whole number of words."""
    samples, candidates = block.shape
    mask = np.empty((samples, -(-candidates // _WORD) * _WORD), dtype=np.bool_)
    mask[:, candidates:] = False
    compare(block, border[:, None], out=mask[:, :candidates])
    return mask


def _true_in_rows(mask: npt.NDArray[np.bool_]) -> Ints:
    """[n] how many of each row of ``_compared`` are true.

    Eight are added at once, as the bytes of a word; a byte holds the sum of 255 words.
    """
    words = mask.view(np.uint64)
    counts = np.zeros(len(mask), dtype=np.int64)
    for start in range(0, words.shape[1], 255):
        sums = np.add.reduce(words[:, start : start + 255], axis=1)
        counts += sums.view(np.uint8).reshape(len(mask), _WORD).sum(axis=1, dtype=np.int64)
    return counts


def _top(block: Floats, k: int) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """([n, min(k, C)] columns of the largest scores, [n] whether the last of these scores goes on
    behind them).

    The largest scores of groups of candidates are scores of different candidates, so that the k-th
    of them is a lower bound of the k-th largest score: only what reaches it is sorted, but for rows
    where that is much.
    """
    samples, candidates = block.shape
    k = min(k, candidates)
    groups = min(candidates // _SMALLEST_GROUP, max(_GROUPS * k, candidates // _LARGEST_GROUP))
    if groups < 2 * k:
        return _top_of_all(block, k)
    # group g holds the columns g, g + groups, g + 2 groups, …; the last columns are in none
    size = candidates // groups
    maxima = block[:, : size * groups].reshape(samples, size, groups).max(axis=1)
    bound = np.partition(maxima, groups - k, axis=1)[:, groups - k]
    reaches = _compared(np.greater_equal, block, bound)
    counts = _true_in_rows(reaches)
    few = counts <= _FEW * k
    top, goes_on = np.empty((samples, k), dtype=np.int64), np.empty(samples, dtype=bool)
    if few.all():
        return _top_of_few(block, reaches, counts, k)
    top[few], goes_on[few] = _top_of_few(block[few], reaches[few], counts[few], k)
    top[~few], goes_on[~few] = _top_of_all(block[~few], k)
    return top, goes_on


def _top_of_few(
    block: Floats, reaches: npt.NDArray[np.bool_], counts: Ints, k: int
) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """``_top`` of the candidates that ``reaches`` [n, C'] marks, ``counts`` [n] of them, all better
    than the others and at least k."""
    samples = len(block)
    if not samples:
        return np.empty((0, k), dtype=np.int64), np.empty(0, dtype=bool)
    rows, found = np.divmod(np.flatnonzero(reaches), reaches.shape[1])
    # from behind, so that equal scores keep their order; a negative of integers could wrap around
    width = int(counts.max())
    places = width - 1 - (np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts))
    columns = np.full((samples, width), -1, dtype=np.int64)
    columns[rows, places] = found
    empty = columns < 0
    values = np.take_along_axis(block, np.maximum(columns, 0), axis=1)
    # what stands in an empty place is the least of the row, and comes before its equals
    least = np.where(empty, block.max(axis=1)[:, None], values).min(axis=1)
    values = np.where(empty, least[:, None], values)
    order = np.argsort(values, axis=1, kind="stable")[:, ::-1]
    ordered = np.take_along_axis(values, order[:, : k + 1], axis=1)
    goes_on = np.zeros(samples, dtype=bool)
    if width > k:
        goes_on = (counts > k) & (ordered[:, k] == ordered[:, k - 1])
    return np.take_along_axis(columns, order[:, :k], axis=1), goes_on


def _top_of_all(block: Floats, k: int) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """``_top``, by a search of all columns."""
    candidates = block.shape[1]
    border = np.partition(block, candidates - k, axis=1)[:, candidates - k]
    kept = _compared(np.greater_equal, block, border)
    counts = _true_in_rows(kept)
    for row in np.flatnonzero(counts > k):  # a tie across the border: its last columns go
        tied = np.flatnonzero(block[row] == border[row])
        kept[row, tied[k - counts[row] :]] = False
    columns = (np.flatnonzero(kept) % kept.shape[1]).reshape(-1, k)
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

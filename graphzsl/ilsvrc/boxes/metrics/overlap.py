"""Areas and overlaps of boxes, thresholds of small objects, and rows of one image or class."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from graphzsl.metrics.ranking import Floats, Ints

#: Pixels by which thr(B) lets a box be off along each side (Russakovsky et al. 2015, equation 5).
MARGIN = 10


def areas(boxes: Floats) -> Floats:
    """[N] areas of boxes [N, 4]."""
    sides = boxes[:, 2:] - boxes[:, :2]
    return np.asarray(sides[:, 0] * sides[:, 1])


def has_area(boxes: Floats) -> npt.NDArray[np.bool_]:
    """[N] whether a box is more than a line or a point, which match nothing."""
    return np.asarray((boxes[:, 2:] > boxes[:, :2]).all(axis=1))


def intersections(first: Floats, second: Floats) -> Floats:
    """[N] areas that box n of ``first`` [N, 4] shares with box n of ``second`` [N, 4]."""
    sides = np.minimum(first[:, 2:], second[:, 2:]) - np.maximum(first[:, :2], second[:, :2])
    np.maximum(sides, 0, out=sides)
    return np.asarray(sides[:, 0] * sides[:, 1])


def overlaps(first: Floats, second: Floats) -> Floats:
    """[N] intersection over union of box n of one with box n of the other, of which one at least
    has an area above 0.

    >>> overlaps(np.array([[0.0, 0, 2, 2]]), np.array([[1.0, 0, 3, 2]])).round(3).tolist()
    [0.333]
    """
    shared = intersections(first, second)
    return np.asarray(shared / (areas(first) + areas(second) - shared))


def coverage(boxes: Floats, regions: Floats) -> Floats:
    """[N] share of box n that lies in region n: COCO's overlap with a crowd, in which one region
    stands for many objects; 0 of a box without an area."""
    size = areas(boxes)
    return np.asarray(intersections(boxes, regions) / np.where(size > 0, size, 1))


def thresholds(boxes: Floats, most: float = 0.5, margin: float = MARGIN) -> Floats:
    """[N] overlap that a detection of each box needs: thr(B) = min(most, wh / ((w + m)(h + m))).

    Boxes of less than about 25 × 25 pixels need less than 0.5, because a few pixels off change
    their overlap much.

    Args:
        boxes: [N, 4], in pixels.
        most: what all other boxes need.
        margin: m, in pixels.

    Reference:
        Russakovsky et al. 2015, equation 5 (m = 10).

    >>> thresholds(np.array([[0.0, 0, 10, 10], [0, 0, 200, 100]])).tolist()
    [0.25, 0.5]
    """
    sides = boxes[:, 2:] - boxes[:, :2]
    return np.minimum(most, areas(boxes) / ((sides[:, 0] + margin) * (sides[:, 1] + margin)))


def pairs(first: Ints, second: Ints) -> tuple[Ints, Ints]:
    """(i, j) of all pairs of rows whose groups are the same, ``first[i] == second[j]``: by i, then
    by j.

    >>> [each.tolist() for each in pairs(np.array([7, 8]), np.array([8, 7, 7]))]
    [[0, 0, 1], [1, 2, 0]]
    """
    order = np.argsort(second, kind="stable")
    ordered = second[order]
    begin = np.searchsorted(ordered, first, "left")
    counts = np.searchsorted(ordered, first, "right") - begin
    rows = np.repeat(np.arange(len(first)), counts)
    # where each row's own pairs begin among all pairs
    before = np.repeat(np.cumsum(counts) - counts, counts)
    return rows, order[np.repeat(begin, counts) + np.arange(len(rows)) - before]


def pair_blocks(first: Ints, second: Ints, most: int) -> Iterator[tuple[Ints, Ints]]:
    """``pairs`` in the same order, about ``most`` at once: never more but for one row's own."""
    ends = np.cumsum(pair_counts(first, second))
    begin = 0
    while begin < len(first):
        limit = (ends[begin - 1] if begin else 0) + most
        end = max(int(np.searchsorted(ends, limit, "right")), begin + 1)
        rows, columns = pairs(first[begin:end], second)
        yield rows + begin, columns
        begin = end


def pair_counts(first: Ints, second: Ints) -> Ints:
    """[N] how many pairs each row of ``first`` is in."""
    ordered = np.sort(second)
    return np.searchsorted(ordered, first, "right") - np.searchsorted(ordered, first, "left")


def rows_by_label(labels: Ints) -> Iterator[tuple[int, Ints]]:
    """(label, its rows) of every label that is there, the smallest first."""
    order = np.argsort(labels, kind="stable")
    distinct, begins = np.unique(labels[order], return_index=True)
    # nothing is split off before the first label
    return zip(distinct.tolist(), np.split(order, begins)[1:], strict=True)

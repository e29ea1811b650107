"""Difficulty of localizing a class, from its boxes alone: chance performance, clutter, neighbours;
and boxes that may be one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from graphzsl.ilsvrc.boxes.metrics.overlap import areas, overlaps, pair_blocks
from graphzsl.metrics.ranking import Floats, Ints

#: Windows that clutter looks at in an image (Russakovsky et al. 2015, appendix B).
WINDOWS = 1000
#: Pairs of boxes that are compared at once.
_AT_ONCE = 250_000


def chance_performance(boxes: Floats, overlap: float = 0.5) -> float:
    """Σ_i Σ_(j≠i) [IOU(B_i, B_j) ≥ overlap] / (N (N - 1)): how often the box of one instance, put
    into another image, localizes the instance there; nan for fewer than two boxes.

    Args:
        boxes: [N, 4] of one class, in images of one size: x by width, y by height.
        overlap: intersection over union that is enough.

    Reference:
        Russakovsky et al. 2015, appendix B, equation 6.

    >>> chance_performance(np.array([[0, 0, 1, 1], [0, 0, 1, 1], [0, 0, 1, 0.4]]))
    0.3333333333333333
    """
    count = len(boxes)
    if count < 2:
        return float("nan")
    found, size = 0, areas(boxes)
    rows = max(1, _AT_ONCE // count)
    for at in range(0, count, rows):
        part = boxes[at : at + rows]
        sides = np.minimum(part[:, None, 2:], boxes[None, :, 2:])
        sides -= np.maximum(part[:, None, :2], boxes[None, :, :2])
        np.maximum(sides, 0, out=sides)
        shared = sides[..., 0] * sides[..., 1]
        union = size[at : at + rows, None] + size - shared
        found += int(np.count_nonzero(shared >= overlap * union))
    # every box is its own equal
    return (found - count) / (count * (count - 1))


def first_windows(
    windows: Floats,
    ranks: Ints,
    window_images: Ints,
    boxes: Floats,
    box_images: Ints,
    count: int,
    overlap: float = 0.5,
    most: int = WINDOWS,
) -> Ints:
    """OBJ(m) [count]: the number, from 1, of the first window of image m that overlaps a box there
    by at least ``overlap``; ``most`` + 1 where none of the first ``most`` does.

    Args:
        windows: [W, 4], regions that may hold any object.
        ranks: [W] of each in its image, from 0.
        window_images: [W] numbers below ``count``.
        boxes: [T, 4].
        box_images: [T].
        count: how many images there are.
    """
    near = ranks < most
    windows, ranks, window_images = windows[near], ranks[near], window_images[near]
    first = np.full(count, most + 1)
    for rows, columns in pair_blocks(window_images, box_images, _AT_ONCE):
        enough = rows[overlaps(windows[rows], boxes[columns]) >= overlap]
        np.minimum.at(first, window_images[enough], ranks[enough] + 1)
    return first


def clutter(mean_windows: float) -> float:
    """log2 of the mean of OBJ(m) over the images of a class (equation 7).

    >>> round(clutter(758), 3)
    9.566
    """
    return float(np.log2(mean_windows))


def neighbours(boxes: Floats, groups: Ints, gap: float = 0) -> Ints:
    """[N] how many other boxes of its group (a class in an image) each box overlaps or touches, or
    comes as near as ``gap`` pixels along both axes."""
    found = np.zeros(len(boxes), np.int64)
    for rows, columns in pair_blocks(groups, groups, _AT_ONCE):
        first, second = boxes[rows], boxes[columns]
        apart = np.maximum(first[:, :2], second[:, :2]) - np.minimum(first[:, 2:], second[:, 2:])
        near = (apart <= gap).all(axis=1) & (rows != columns)
        found += np.bincount(rows[near], minlength=len(boxes))
    return found


def overlapping(
    boxes: Floats, images: Ints, overlap: float = 0.5
) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Blocks of (i, j, intersection over union) of pairs of boxes of one image, i < j, that overlap
    by more than ``overlap``: of one class perhaps one object twice, of two perhaps one class too
    many (Russakovsky et al. 2015, appendix E)."""
    for rows, columns in pair_blocks(images, images, _AT_ONCE):
        above = rows < columns
        rows, columns = rows[above], columns[above]
        found = overlaps(boxes[rows], boxes[columns])
        much = found > overlap
        yield rows[much], columns[much], found[much]

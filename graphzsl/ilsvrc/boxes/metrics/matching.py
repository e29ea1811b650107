"""Which detections find an object: the greedy matching of ILSVRC's detection task."""

from __future__ import annotations

import numpy as np

from graphzsl.ilsvrc.boxes.metrics.overlap import overlaps, thresholds
from graphzsl.metrics.ranking import Floats, Ints


def greedy_matches(detections: Ints, boxes: Ints, overlap: Floats, count: int) -> Ints:
    """[count] the box that each detection matches, -1 where it matches none.

    The detections come in the order of their numbers, best score first. Each takes the box that it
    overlaps most among those that are still free; of equal overlaps the box with the lowest number.

    Args:
        detections: [P] of the pairs that overlap enough, numbers below ``count``.
        boxes: [P].
        overlap: [P] intersection over union.
        count: how many detections there are.

    Reference:
        Russakovsky et al. 2015, Algorithm 2.
    """
    matched = [-1] * count
    taken: set[int] = set()
    order = np.lexsort((boxes, -overlap, detections))
    for one, box in zip(detections[order].tolist(), boxes[order].tolist(), strict=True):
        if matched[one] < 0 and box not in taken:
            matched[one] = box
            taken.add(box)
    return np.array(matched, np.int64)


def match_image(boxes: Floats, detections: Floats, scores: Floats, most: float = 0.5) -> Ints:
    """[D] the box that each detection of one class in one image matches, -1 for none: z is 1 where
    it is not -1.

    Args:
        boxes: [T, 4] the objects of the class in the image.
        detections: [D, 4].
        scores: [D]; of equal ones the first comes first.
        most: see ``thresholds``; a detection needs **at least** the threshold of a box.
    """
    order = np.argsort(-scores, kind="stable")
    rows = np.repeat(np.arange(len(detections)), len(boxes))
    columns = np.tile(np.arange(len(boxes)), len(detections))
    found = overlaps(detections[order][rows], boxes[columns])
    enough = found >= thresholds(boxes, most)[columns]
    matched = np.empty(len(detections), np.int64)
    matched[order] = greedy_matches(rows[enough], columns[enough], found[enough], len(detections))
    return matched

"""Guesses that are right, and detections that find an object: ILSVRC's two tasks on boxes."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from graphzsl.ilsvrc.boxes.metrics.overlap import overlaps, pairs
from graphzsl.metrics.ranking import Floats, Ints

Flags = npt.NDArray[np.bool_]


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


def box_errors(
    guesses: Floats, guess_images: Ints, boxes: Floats, box_images: Ints, overlap: float = 0.5
) -> Flags:
    """min over k of d(b, B_k) [G]: False where a guess overlaps a box of its image by **more** than
    ``overlap``.

    Args:
        guesses: [G, 4].
        guess_images: [G] the image of each guess.
        boxes: [T, 4] all instances of the class in all images.
        box_images: [T].
        overlap: intersection over union that is not enough yet.

    Reference:
        Russakovsky et al. 2015, section 4.2; detection needs **at least** its threshold.
    """
    rows, columns = pairs(guess_images, box_images)
    errors = np.ones(len(guesses), bool)
    errors[rows[overlaps(guesses[rows], boxes[columns]) > overlap]] = False
    return errors


def image_errors(errors: Flags, images: Ints, count: int) -> Flags:
    """min over j of d_ij for each of ``count`` images; an image without a guess is an error.

    d_ij is 1 where the class of guess j is wrong, and in localization where its box is (equation
    2); the mean over images is the error of an entry (Russakovsky et al. 2015, equation 1).

    Args:
        errors: [G] of single guesses.
        images: [G] their images, numbers below ``count``.
    """
    found = np.ones(count, bool)
    found[images[~errors]] = False
    return found


def ranks_in_images(images: Ints, scores: Floats) -> Ints:
    """[G] the rank of each guess in its image, from 0: by falling score, and those of one score, or
    without one (nan), in the order in which they stand."""
    order = np.lexsort((np.arange(len(images)), -np.nan_to_num(scores), images))
    ordered = images[order]
    ranks = np.empty(len(images), np.int64)
    ranks[order] = np.arange(len(images)) - np.searchsorted(ordered, ordered, "left")
    return ranks

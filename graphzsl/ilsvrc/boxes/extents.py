"""Where images begin and end in the coordinates of their boxes."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.ilsvrc.boxes.partitions import Part
from graphzsl.metrics.ranking import Floats


def inside(part: Part) -> Floats:
    """[N, 4] boxes without what reaches over the edges of their images, of which 0, 0 is the
    corner; nan where the size is not known."""
    sides = part.size[part.image]
    return np.asarray(np.clip(part.box - part.first, 0, np.tile(sides, 2)))


def is_outside(part: Part, size: Floats) -> npt.NDArray[np.bool_]:
    """[N] whether a box lies outside its image, whose size [I, 2] may not be known (nan): left of
    it and above it then."""
    begin, end = part.box[:, :2] - part.first, part.box[:, 2:] - part.first
    return np.asarray(((end <= 0) | (begin >= size[part.image])).any(axis=1))


def check_inside(part: Part) -> None:
    """Raise DataError if a box of the truth lies outside its image."""
    rows = np.flatnonzero(is_outside(part, part.size))
    if not len(rows):
        return
    row = int(rows[0])
    width, height = part.size[part.image[row]]
    box = ", ".join(f"{side:g}" for side in part.box[row])
    edges = f"{part.first}, {part.first}, {part.first + width:g}, {part.first + height:g}"
    said = (
        f"lies left of its image or above it, which begins at {part.first}"
        if math.isnan(width)
        else f"lies outside its image of {width:g} × {height:g} pixels, whose edges are ({edges})"
    )
    raise DataError(f"{part.where(row)}: the box with the edges ({box}) {said}.")

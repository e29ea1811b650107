"""The number of an image's first pixel in the coordinates of its boxes.

PASCAL's corners count pixels from 1, most others from 0, both with the last pixel inside, and no
file says which. Boxes stay as they are written, so that overlaps do not depend on it: what moves is
the image.
"""

from __future__ import annotations

import math

import numpy as np

from graphzsl.metrics.ranking import Floats


class FirstPixel:
    """The number of an image's first pixel, as the boxes of a file tell it: 1 where no corner is
    below 1 and one is the width or the height of its image, with none above; else 0.

    Where neither is so, no box reaches the edges that the number moves.
    """

    def __init__(self) -> None:
        self._lowest = math.inf
        self._at_end = self._beyond = False

    def see(self, boxes: Floats, sizes: Floats) -> None:
        """Take in boxes [N, 4] as edges, and sizes of their images [N, 2]; nan for a missing
        one."""
        known = ~np.isnan(boxes[:, 0])
        if not known.any():
            return
        self._lowest = min(self._lowest, float(boxes[known, :2].min()))
        # the edge behind a last pixel of this number
        ends, behind = boxes[:, 2:], sizes + 1
        self._at_end |= bool((ends == behind).any())
        self._beyond |= bool((ends > behind).any())

    @property
    def number(self) -> int:
        """0 or 1."""
        return int(self._lowest >= 1 and self._at_end and not self._beyond)

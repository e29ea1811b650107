"""Rows of files of boxes, whatever the format: what reads them, and what every row must satisfy."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from graphzsl.common.checked_names import LONGEST_CLASS, name_problem, text_problem
from graphzsl.common.errors import DataError

Box = tuple[float, float, float, float]
#: Larger coordinates than this are no pixels.
LARGEST = 1e7
#: A box that counts; one of an object that need not be found (PASCAL's difficult ones); a region
#: with a crowd of objects (COCO).
COUNTS, DIFFICULT, CROWD = 0, 1, 2


class Row(NamedTuple):
    """A box of an image, or, without class and box, the image alone.

    Args:
        image: its name or number, as a text.
        label: the class as it is written.
        box: x1, y1, x2, y2: edges.
        score: of a detection or a guess; nan where there is none.
        size: width and height of the image in pixels; nan where they are not known.
        ignore: ``COUNTS``, ``DIFFICULT`` or ``CROWD``.
        place: where the row stands in its file: a line, or the number of an element.
    """

    image: str
    label: str | None
    box: Box | None
    score: float = math.nan
    size: tuple[float, float] = (math.nan, math.nan)
    ignore: int = COUNTS
    place: int = 0


class Source:
    """A file or folder of boxes; each format has its own.

    Args:
        path: the file or folder.
        edges: corners are edges, not the first and the last pixel inside.
        may_be_empty: boxes may be without an area, as those of entries and windows.
    """

    #: Whether every image has a row of its own, so that boxes of others are wrong.
    lists_images = False
    #: Whether boxes are given by the first and the last pixel inside; known when it has been read.
    in_pixels = False
    #: What its images are called by, in messages.
    images_are = "what stands in its column of images"

    def __init__(self, path: Path, edges: bool = False, may_be_empty: bool = False):
        self.path, self.edges, self.may_be_empty = path, edges, may_be_empty
        #: Bytes that are read, about; decides how many parts there are.
        self.weight = path.stat().st_size

    def rows(self) -> Iterator[Row]:
        """Rows in the order of the file."""
        raise NotImplementedError

    def share(self) -> float | None:
        """Share of the file that has been read, from 0 to 1; None if its size is not known."""
        return None

    def where(self, image: str, place: int) -> str:
        """Name of a row in messages."""
        raise NotImplementedError

    def label(self, text: str) -> str:
        """The class that a label of a row means: itself, or the name of a category by its id."""
        return text


def check_text(text: str, what: str, where: object) -> None:
    """Check the name of an image's file, or an id; raises DataError for one that is not plain
    text."""
    if not _is_plain(text) and (problem := text_problem(text)):
        raise DataError(f"{where}: {what} {problem}.")


def check_class(text: str, what: str, where: object) -> None:
    """Check the name of a class; raises DataError for one that cannot be told from others by
    looking."""
    if (not _is_plain(text) or text != text.strip()) and (problem := name_problem(text)):
        raise DataError(f"{where}: {what} {problem}.")


def _is_plain(text: str) -> bool:
    """Nearly all are, and this is quick."""
    return (
        text.isascii() and text.isprintable() and bool(text.strip()) and len(text) <= LONGEST_CLASS
    )


def checked_box(box: Box, where: object, may_be_empty: bool = False) -> Box:
    """Check a box; raises DataError if it is not finite or has no area.

    Args:
        box: x1, y1, x2, y2: edges.
        where: what messages call it.
        may_be_empty: a width or height of 0 is no error: a box of an entry, which detectors cut
            at the edge of an image to nothing. It matches nothing.
    """
    x1, y1, x2, y2 = box
    if -LARGEST <= x1 < x2 <= LARGEST and -LARGEST <= y1 < y2 <= LARGEST:
        return box
    said = ", ".join(f"{side:g}" for side in box)
    if not all(-LARGEST <= side <= LARGEST for side in box):
        raise DataError(f"{where}: the box ({said}) is not four numbers of pixels.")
    if may_be_empty and min(x2 - x1, y2 - y1) == 0:
        return box
    below, less = ("0 or more", "≤") if may_be_empty else ("above 0", "<")
    raise DataError(
        f"{where}: the box ({said}) has no area: width {x2 - x1:g}, height {y2 - y1:g}."
        f" Expected left {less} right and top {less} bottom, or a width and a height {below}."
    )


def checked_size(width: float, height: float, where: object) -> tuple[float, float]:
    """The size of an image, or DataError."""
    are_known = not (math.isnan(width) and math.isnan(height))
    if are_known and not (0 < width <= LARGEST and 0 < height <= LARGEST):
        raise DataError(
            f"{where}: an image cannot be {width:g} × {height:g} pixels. Expected a width and a"
            " height above 0, or neither."
        )
    return width, height

"""One row of a file of boxes, whatever the format, and what every row must satisfy."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple, Protocol

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


class Source(Protocol):
    """A file or folder of boxes."""

    #: Bytes that are read, about; decides how many parts there are.
    weight: int
    #: Whether every image has a row of its own, so that boxes of others are wrong.
    lists_images: bool
    #: Whether boxes are given by the first and the last pixel inside; known when it has been read.
    in_pixels: bool

    def rows(self) -> Iterator[Row]:
        """Rows in the order of the file."""

    def share(self) -> float | None:
        """Share of the file that has been read, from 0 to 1; None if its size is not known."""

    def where(self, image: str, place: int) -> str:
        """Name of a row in messages."""

    def label(self, text: str) -> str:
        """The class that a label of a row means: itself, or the name of a category by its id."""


def check_text(text: str, what: str, where: str) -> None:
    """Check the name of an image's file, or an id; raises DataError for one that is not plain
    text."""
    if not _is_plain(text):
        _refuse(text_problem(text), what, where)


def check_class(text: str, what: str, where: str) -> None:
    """Check the name of a class; raises DataError for one that cannot be told from others by
    looking."""
    if not _is_plain(text) or text != text.strip():
        _refuse(name_problem(text), what, where)


def _is_plain(text: str) -> bool:
    """Nearly all are, and this is quick."""
    return (
        text.isascii() and text.isprintable() and bool(text.strip()) and len(text) <= LONGEST_CLASS
    )


def _refuse(problem: str | None, what: str, where: str) -> None:
    if problem:
        raise DataError(f"{where}: {what} {problem}.")


def checked_box(box: Box, where: str, may_be_empty: bool = False) -> Box:
    """Check a box; raises DataError if it is not finite or has no area.

    Args:
        box: x1, y1, x2, y2: edges.
        where: what messages call it.
        may_be_empty: a width or height of 0 is no error: a box of an entry, which detectors cut
            at the edge of an image to nothing. It matches nothing.
    """
    x1, y1, x2, y2 = box
    if not all(map(math.isfinite, box)) or max(map(abs, box)) > LARGEST:
        raise DataError(f"{where}: the box {_said(box)} is not four numbers of pixels.")
    if may_be_empty and is_empty(box):
        return box
    if x2 <= x1 or y2 <= y1:
        below = "0 or more" if may_be_empty else "above 0"
        less = "≤" if may_be_empty else "<"
        raise DataError(
            f"{where}: the box {_said(box)} has no area: width {x2 - x1:g}, height {y2 - y1:g}."
            f" Expected left {less} right and top {less} bottom, or a width and a height {below}."
        )
    return box


def is_empty(box: Box) -> bool:
    """True if the box is a line or a point: no side is below 0, and one is 0."""
    width, height = box[2] - box[0], box[3] - box[1]
    return min(width, height) == 0


def checked_size(width: float, height: float, where: str) -> tuple[float, float]:
    """The size of an image, or DataError."""
    sides = (width, height)
    if all(math.isnan(side) for side in sides):
        return sides
    if not all(0 < side <= LARGEST for side in sides):
        raise DataError(
            f"{where}: an image cannot be {width:g} × {height:g} pixels. Expected a width and a"
            " height above 0, or neither."
        )
    return sides


def _said(box: Box) -> str:
    return "(" + ", ".join(f"{side:g}" for side in box) + ")"

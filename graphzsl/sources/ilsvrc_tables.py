"""Tables of the ILSVRC paper as it prints them: sizes of the sets by year, PASCAL's classes beside
those of the detection task, and what mistakes come of."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from graphzsl.sources.printed_rows import printed_rows
from graphzsl.sources.published import published


@dataclass(frozen=True)
class SetSize:
    """Images of a part of a year's set: the fewest and the most of a class, those with boxes, and
    the boxes. None is not held here.

    Reference:
        Russakovsky et al. 2015, Table 2.
    """

    year: int
    part: str
    images: int
    classes: int
    least: int
    most: int
    boxed_images: int | None
    boxed_least: int | None
    boxed_most: int | None
    boxes: int | None


@dataclass(frozen=True)
class ScalePair:
    """A class of PASCAL VOC 2012 and that of the detection task, with the mean share of the image
    that an object takes, in per cent; without names the means over all 20 pairs.

    Reference:
        Russakovsky et al. 2015, Table 3.
    """

    pascal: str | None
    detection: str | None
    pascal_scale: float
    detection_scale: float


@dataclass(frozen=True)
class PrintedErrorType:
    """How many of an entry's mistakes are of a type, and the printed per cent.

    Reference:
        Russakovsky et al. 2015, section 6.4.2.
    """

    entry: str
    mistakes: int
    type: str
    count: int
    printed_percent: int | None


def read_sizes(path: Path) -> list[SetSize]:
    """The rows of a table of sizes; DataError names file and line of a wrong one."""
    counts = ("images", "classes", "least", "most")
    boxes = ("boxed_images", "boxed_least", "boxed_most", "boxes")
    return [
        SetSize(
            row.count("year"),
            row.text("part"),
            *(row.count(name) for name in counts),
            *(row.known_count(name) for name in boxes),
        )
        for row in printed_rows(path, ("year", "part", *counts, *boxes))
    ]


def read_scales(path: Path) -> list[ScalePair]:
    """The rows of a table of scales; DataError names file and line of a wrong one."""
    return [
        ScalePair(
            row.known("pascal"),
            row.known("detection"),
            row.number("pascal_scale"),
            row.number("detection_scale"),
        )
        for row in printed_rows(path, ("pascal", "detection", "pascal_scale", "detection_scale"))
    ]


def read_error_types(path: Path) -> list[PrintedErrorType]:
    """The rows of a table of types; DataError names file and line of a wrong one."""
    return [
        PrintedErrorType(
            row.text("entry"),
            row.count("mistakes"),
            row.text("type"),
            row.count("count"),
            row.known_count("printed_percent"),
        )
        for row in printed_rows(path, ("entry", "mistakes", "type", "count", "printed_percent"))
    ]


def sizes() -> list[SetSize]:
    """The sizes that are shipped."""
    return read_sizes(published()["ilsvrc-sizes"].path)


def scales() -> list[ScalePair]:
    """The scales that are shipped."""
    return read_scales(published()["ilsvrc-pascal"].path)


def printed_error_types() -> list[PrintedErrorType]:
    """The types of mistakes that are shipped."""
    return read_error_types(published()["ilsvrc-error-types"].path)

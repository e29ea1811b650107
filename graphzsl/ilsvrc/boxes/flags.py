"""Pairs of boxes that may be one object twice, and images that one object nearly fills; and the
files that they are written to as they come."""

from __future__ import annotations

import csv
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

import numpy as np

from graphzsl.common.atomic import atomic_write
from graphzsl.common.errors import DataError
from graphzsl.ilsvrc.boxes.partitions import Part
from graphzsl.metrics.ranking import Floats, Ints

#: Two boxes whose corners differ by less than this many pixels look the same to an annotator
#: (Russakovsky et al. 2015, appendix E).
SAME = 5
#: Images of which an object takes a larger share than this are not for detection (the same, section
#: 3.3.2).
LARGE = 0.5
#: Columns of the rows of ``flag``.
FLAGS = ("image", "kind", "wnid", "other_wnid", "overlap", "same", "box", "other_box")
#: Receives rows of pairs.
Flag = Callable[[Iterable[dict[str, Any]]], None]
#: Receives names of images.
Large = Callable[[Iterable[str]], None]


def flag_rows(
    part: Part, names: list[str], pairs: tuple[Ints, Ints, Floats]
) -> Iterator[dict[str, Any]]:
    """A row of each pair of boxes that overlaps."""
    first, second, found = pairs
    apart = np.abs(part.box[first] - part.box[second]).max(axis=1, initial=0)
    return (
        {
            "image": part.names[part.image[one]],
            "kind": "same class" if part.label[one] == part.label[two] else "other class",
            "wnid": names[part.label[one]],
            "other_wnid": names[part.label[two]],
            "overlap": float(much),
            "same": bool(distance < SAME),
            "box": " ".join(f"{side:g}" for side in part.box[one]),
            "other_box": " ".join(f"{side:g}" for side in part.box[two]),
        }
        for one, two, much, distance in zip(first, second, found, apart, strict=True)
    )


def large_images(part: Part) -> list[str]:
    """The images of which one object takes more than ``LARGE``, without what reaches over their
    edges."""
    for row in np.flatnonzero(np.isnan(part.share))[:1]:
        raise DataError(
            f"{part.where(row)}: the size of the image is not known, and so not how"
            " much of it an object takes. Give the columns image_width and image_height."
        )
    return [part.names[image] for image in np.unique(part.image[part.share > LARGE]).tolist()]


@contextmanager
def large_file(path: Path | None) -> Iterator[Large | None]:
    """A list that names of images are written to, one per line, whole or not at all; nothing
    without a path."""
    with _written(path) as file:
        yield None if file is None else lambda names: file.writelines(f"{name}\n" for name in names)


@contextmanager
def flag_file(path: Path | None) -> Iterator[Flag | None]:
    """A table that flagged pairs are written to, whole or not at all; nothing without a path."""
    with _written(path) as file:
        if file is None:
            yield None
            return
        writer = csv.DictWriter(file, FLAGS, lineterminator="\n")
        writer.writeheader()
        yield writer.writerows


@contextmanager
def _written(path: Path | None) -> Iterator[TextIO | None]:
    if path is None:
        yield None
        return
    with atomic_write(path) as partial, partial.open("w", encoding="utf-8", newline="") as file:
        yield file

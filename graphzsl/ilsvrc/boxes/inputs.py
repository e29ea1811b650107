"""Truth and entries, read and put together: what localization and detection share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.class_entries import duplicate_message
from graphzsl.common.errors import DataError
from graphzsl.common.files import read_lines
from graphzsl.common.wording import counted
from graphzsl.ilsvrc.boxes.classes import BoxClasses, box_classes
from graphzsl.ilsvrc.boxes.metrics.overlap import has_area
from graphzsl.ilsvrc.boxes.partitions import Joined, Part, joined
from graphzsl.ilsvrc.boxes.readers.choice import source_of
from graphzsl.ilsvrc.boxes.rows import COUNTS
from graphzsl.metrics.ranking import Ints
from graphzsl.sources.imagenet import Classes
from graphzsl.sources.tables import WNID


@dataclass(frozen=True, eq=False)
class FileCounts:
    """Boxes and images of truth and entries that do not count, or match nothing.

    Args:
        truth: the file of annotations.
        without: the file of images that do not count.
        entries: [E] names: their files' without endings.
        empty: [E] boxes without an area, which match nothing.
        outside: [E] others that lie outside their images, which match nothing inside them.
        ignored: boxes of the truth that need not be found.
        left_out: images that do not count.
        unmet: names that were to be left out, and are no image of the truth.
    """

    truth: Path
    without: Path | None
    entries: list[str]
    empty: Ints
    outside: Ints
    ignored: int
    left_out: int
    unmet: list[str]

    def entry_notes(self, *kinds: tuple[Ints, str, str]) -> list[str]:
        """A sentence for each entry and kind of which it has some: kinds are numbers [E], and what
        one and several are called."""
        return [
            f"{name}: {counted(int(counts[at]), one, several)}."
            for at, name in enumerate(self.entries)
            for counts, one, several in kinds
            if counts[at]
        ]

    def match_notes(self) -> list[str]:
        """Sentences about boxes of entries that match nothing, wherever objects are."""
        none = "box has no area, and matches nothing", "boxes have no area, and match nothing"
        far = (
            "box lies outside the image, and matches nothing inside it",
            "boxes lie outside the image, and match nothing inside it",
        )
        return self.entry_notes((self.empty, *none)) + self.entry_notes((self.outside, *far))

    def image_notes(self) -> list[str]:
        """Sentences about images that are left out."""
        if self.without is None:
            return []
        notes = [f"{counted(self.left_out, 'image')} left out by {self.without}."]
        if self.unmet:
            said = "is no image" if len(self.unmet) == 1 else "are no images"
            notes.append(
                f"{counted(len(self.unmet), 'name')} in {self.without} {said} of {self.truth}:"
                f" {', '.join(self.unmet[:3])}."
            )
        return notes


def ignored_notes(count: int, truth: Path, rest: str) -> list[str]:
    """A sentence about boxes that need not be found, if there are any; ``rest`` is what they are
    instead."""
    verb = "is" if count == 1 else "are"
    box = counted(count, "box", "boxes")
    return [f"{box} of {truth} need not be found, and {verb} {rest}."] if count else []


def class_rows(
    classes: Sequence[str], columns: Mapping[str, np.ndarray], entries: Sequence[str] = ("",)
) -> list[dict[str, Any]]:
    """One row per class and entry, in the order of the classes: wnid, or class where that is a
    name, entry where there are several, and columns [C] or [E, C], None for nan."""
    shape = (len(entries), len(classes))
    cells = {name: np.broadcast_to(each, shape).tolist() for name, each in columns.items()}
    return [
        {
            "wnid" if WNID.match(name) else "class": name,
            **({"entry": entry} if len(entries) > 1 else {}),
            **{
                column: None if values[at][place] != values[at][place] else values[at][place]
                for column, values in cells.items()
            },
        }
        for place, name in enumerate(classes)
        for at, entry in enumerate(entries)
    ]


class Inputs:
    """Truth and entries, with the counts made while they are read.

    Args:
        truth: annotations.
        entries: results, one file per entry.
        without: a file of images that do not count, one per line.
    """

    #: [C] wnids, or names where they are not clear.
    classes: list[str]
    _joined: Joined
    _of_files: list[Ints]

    def __init__(self, truth: Path, entries: Sequence[Path], without: Path | None):
        self.truth, self.without, self.entries = truth, without, entry_names(entries)
        lines = read_lines(without) if without else ()
        self._not_counted = frozenset(text for _, text in lines)
        self._left_out: set[str] = set()
        self._empty, self._outside = np.zeros((2, len(entries)), np.int64)
        self._ignored = 0

    def take(self, found: Joined, meant: BoxClasses) -> None:
        """Take the rows of all files, and their classes."""
        self._joined, self.classes, self._of_files = found, meant.names, meant.of_files

    def parts(self, label: str) -> Iterator[list[Part]]:
        """Truth and entries of some images after another; labels are places in ``classes``.

        Raises:
            DataError: a box of the truth lies outside its image, or an entry has an image that the
                truth does not have.
        """
        for parts in self._joined.parts(label):
            translated = [
                replace(part, label=of_file[part.label])
                for part, of_file in zip(parts, self._of_files, strict=True)
            ]
            truth, *entries = translated
            truth.check_inside()
            counts = self.counted(truth)
            self._ignored += int(((truth.ignore != COUNTS) & counts[truth.image]).sum())
            self._left_out.update(truth.names[at] for at in np.flatnonzero(truth.has & ~counts))
            for at, entry in enumerate(entries):
                of_image = counts[entry.image]
                some = has_area(entry.box)
                size = np.where(np.isnan(truth.size), entry.size, truth.size)
                self._empty[at] += int((~some & of_image).sum())
                self._outside[at] += int((some & entry.is_outside(size) & of_image).sum())
                for row in np.flatnonzero(~truth.has[entry.image] & of_image)[:1]:
                    raise DataError(
                        f"{entry.where(row)}: {self.truth} has no image"
                        f" {entry.names[entry.image[row]]}. It calls images by"
                        f" {truth.source.images_are}."
                    )
            yield translated

    def counted(self, truth: Part) -> np.ndarray:
        """[I] which images of a part count."""
        return np.array([name not in self._not_counted for name in truth.names], bool)

    def counts(self) -> FileCounts:
        """The counts when all parts have been read."""
        return FileCounts(
            self.truth,
            self.without,
            self.entries,
            self._empty,
            self._outside,
            self._ignored,
            len(self._left_out),
            sorted(self._not_counted - self._left_out),
        )


@contextmanager
def box_inputs(
    truth: Path,
    entries: Sequence[Path],
    candidates: Classes | None = None,
    edges: bool = False,
    without: Path | None = None,
    first_pixel: int | None = None,
) -> Iterator[Inputs]:
    """Read truth and entries, as ``localization`` takes them.

    Raises:
        DataError: a file is wrong, or files do not go together.
    """
    inputs = Inputs(truth, entries, without)
    # results know categories by the ids of the truth, which are known when it has been read
    categories: dict[str, str] = {}
    sources = [source_of(truth, edges, categories)]
    sources += [source_of(path, edges, categories, entry=True) for path in entries]
    with joined(sources, first_pixel) as found:
        labels = [partition.labels for partition in found.partitions]
        if not labels[0]:
            raise DataError(f"{truth} has no boxes: there is nothing to find.")
        paths = map(str, (truth, *entries))
        inputs.take(found, box_classes(list(zip(paths, labels, strict=True)), candidates))
        yield inputs


def entry_names(paths: Sequence[Path]) -> list[str]:
    """Names of entries: their files' names without endings, or their paths if two names are equal.
    Raises DataError for a path that is given twice."""
    for at, path in enumerate(paths):
        if path in paths[:at]:
            places = f"entry {paths.index(path) + 1}", f"entry {at + 1}"
            raise DataError(duplicate_message(str(path), *places))
    names = [path.name.partition(".")[0] or path.name for path in paths]
    return names if len(set(names)) == len(names) else [str(path) for path in paths]

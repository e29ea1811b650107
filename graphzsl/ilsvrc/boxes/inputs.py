"""Truth and entries, read and put together: what localization and detection share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from graphzsl.common.class_entries import duplicate_message
from graphzsl.common.errors import DataError
from graphzsl.common.files import read_lines
from graphzsl.ilsvrc.boxes.classes import box_classes
from graphzsl.ilsvrc.boxes.extents import check_inside, is_outside
from graphzsl.ilsvrc.boxes.metrics.overlap import has_area
from graphzsl.ilsvrc.boxes.partitions import Joined, Part, Partition, joined
from graphzsl.ilsvrc.boxes.readers.choice import source_of
from graphzsl.ilsvrc.boxes.readers.coco import CocoFile
from graphzsl.ilsvrc.boxes.rows import COUNTS, Source
from graphzsl.metrics.ranking import Ints
from graphzsl.sources.imagenet import Classes


@dataclass(eq=False)
class Inputs:
    """Truth and entries, with the counts made while they are read.

    Args:
        classes: [C] wnids, or names where they are not clear.
        entries: what the entries are called: their files' names without endings.
        without: images that do not count.
        left_out: those of them that parts of the truth had so far.
        empty: [E] boxes without an area that parts of the entries had so far, in images that count.
        outside: [E] others that lie outside their images, likewise.
        ignored: boxes that need not be found that parts of the truth had so far, likewise.
    """

    classes: list[str]
    entries: list[str]
    without: frozenset[str]
    left_out: set[str]
    empty: Ints
    outside: Ints
    _joined: Joined
    _sources: list[Source]
    _of_files: list[np.ndarray]
    ignored: int = 0

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
            check_inside(truth)
            counted = self.counted(truth)
            self.ignored += int(((truth.ignore != COUNTS) & counted[truth.image]).sum())
            self.left_out.update(truth.names[at] for at in np.flatnonzero(truth.has & ~counted))
            for at, entry in enumerate(entries):
                some = has_area(entry.box)
                size = np.where(np.isnan(truth.size), entry.size, truth.size)
                self.empty[at] += int((~some & counted[entry.image]).sum())
                far = some & is_outside(entry, size)
                self.outside[at] += int((far & counted[entry.image]).sum())
                foreign = ~truth.has[entry.image] & counted[entry.image]
                if foreign.any():
                    row = int(np.flatnonzero(foreign)[0])
                    raise DataError(
                        f"{entry.where(row)}: {self._named(0)} has no image"
                        f" {entry.names[entry.image[row]]}. It calls images by"
                        f" {_called(self._sources[0])}."
                    )
            yield translated

    @property
    def unmet(self) -> list[str]:
        """Images that do not count, and that the truth, which has been read, does not have."""
        return sorted(self.without - self.left_out)

    def counted(self, truth: Part) -> np.ndarray:
        """[I] which images of a part count."""
        if not self.without:
            return np.ones(len(truth.names), bool)
        return np.array([name not in self.without for name in truth.names], bool)

    def _named(self, number: int) -> str:
        return str(getattr(self._sources[number], "path", "the truth"))


def _called(source: Source) -> str:
    if isinstance(source, CocoFile):
        return "their ids"
    if source.lists_images:
        return "the names of their files, without .xml"
    return "what stands in its column of images"


@contextmanager
def box_inputs(
    truth: Path,
    entries: Sequence[Path],
    candidates: Classes | None = None,
    edges: bool = False,
    without: Path | None = None,
    first_pixel: int | None = None,
) -> Iterator[Inputs]:
    """Read truth and entries; see ``source_of`` for their formats.

    Args:
        truth: annotations.
        entries: results, one file per entry.
        candidates: see ``box_classes``.
        edges: corners are edges, not pixels.
        without: a file of images that do not count, one per line.
        first_pixel: see ``joined``.

    Raises:
        DataError: a file is wrong, or files do not go together.
    """
    not_counted = frozenset(text for _, text in read_lines(without)) if without else frozenset()
    first = source_of(truth, edges)
    # results know categories by the ids of the truth, which are known when it has been read
    categories = first.categories if isinstance(first, CocoFile) else {}
    sources: list[Source] = [first]
    for path in entries:
        source = source_of(path, edges, entry=True)
        if isinstance(source, CocoFile):
            # the same dictionary, which is filled when the truth is read
            source.categories = categories
        sources.append(source)
    with joined(sources, first_pixel) as found:
        labels = [source_labels(partition) for partition in found.partitions]
        paths = [str(path) for path in (truth, *entries)]
        if not labels[0]:
            raise DataError(f"{truth} has no boxes: there is nothing to find.")
        meant = box_classes(list(zip(paths, labels, strict=True)), candidates)
        yield Inputs(
            meant.names,
            entry_names(entries),
            not_counted,
            set(),
            np.zeros(len(entries), np.int64),
            np.zeros(len(entries), np.int64),
            found,
            sources,
            meant.of_files,
        )


def source_labels(partition: Partition) -> list[str]:
    """The labels of a source by their numbers; categories of COCO as names, where it has them."""
    source, texts = partition.source, partition.labels.texts
    # results beside a truth without categories keep their numbers: those of a list of classes
    if isinstance(source, CocoFile) and not source.categories:
        return list(texts)
    return [source.label(text) for text in texts]


def entry_names(paths: Sequence[Path]) -> list[str]:
    """Names of entries: their files' names without endings, or their paths if two names are equal.
    Raises DataError for a path that is given twice."""
    for at, path in enumerate(paths):
        if path in paths[:at]:
            places = f"entry {paths.index(path) + 1}", f"entry {at + 1}"
            raise DataError(duplicate_message(str(path), *places))
    names = [path.name.partition(".")[0] or path.name for path in paths]
    return names if len(set(names)) == len(names) else [str(path) for path in paths]

"""Images with a class each, from whatever they are stored in.

timm's own data set goes on with the next image where one is damaged, and a webdataset leaves it
out; here it is an error that names it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.checked_names import check_class_names
from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import open_file
from graphzsl.embeddings.features.pixels import read_rgb
from graphzsl.sources.populations import IMAGE_SUFFIXES

#: (RGB image, its class, its name).
Read = tuple[Any, str, str]


@dataclass(frozen=True, eq=False)
class ImageSource:
    """Images with a class each, in an order of their own.

    Args:
        place: what it was given as.
        kind: ``folders``, ``tar``, ``webdataset`` or ``datasets``.
        reader: timm's reader of tars, ``Shards`` or ``HuggingFaceImages``; None for folders.
        names: [N] what messages and predictions call each image; empty where that is known only
            when it is read.
        labels: [N] the class of each, as the source calls it; empty likewise.
        classes: the classes that it may hold, as far as it says so.
        order: [N] the reader's number of each image; empty where that is their own.
    """

    place: str
    kind: str
    reader: Any = None
    names: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    order: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        # now, and not when hours of features are read again
        check_class_names(self.classes, f"{self.place}: classes")

    def __repr__(self) -> str:
        return f"<ImageSource {self.place}: {self.kind}, {len(self):,} images>"

    def __len__(self) -> int:
        """The number of images; 0 where only reading tells."""
        known = len(self.names) or len(self.order)
        return known or (0 if self.reader is None else len(self.reader))

    @property
    def streamed(self) -> bool:
        """True if images come one after another, and cannot be read by number."""
        return self.kind == "webdataset"

    def read(self, row: int) -> Read:
        """One image, its class and its name; DataError names what is no image."""
        if self.kind == "datasets":
            number = self.order[row] if self.order else row
            name = f"image {number}"
            try:
                open_image, target = self.reader.row(number)
            except ValueError as error:
                raise DataError(f"{self.place}: {name} {error}.") from None
            image = read_rgb(open_image, f"{self.place}: {name}")
            return image, self._class(target, name), name
        path = Path(self.place, self.names[row])
        if self.kind == "folders":
            image = read_rgb(lambda: open_file(path), str(path))
        else:
            image = read_rgb(lambda: self.reader[self.order[row]][0], str(path))
        return image, self.labels[row], self.names[row]

    def stream(self) -> Iterator[Read | str]:
        """All images one after another, each as ``read`` gives it, or what is wrong with it.

        Raises:
            DataError: a shard is cut off, or there are fewer images than it says.
        """
        if self.streamed:
            for sample in self.reader.samples():
                yield sample if isinstance(sample, str) else self._of_sample(sample)
            return
        for row in range(len(self)):
            yield self.read_or_say(row)

    def read_or_say(self, row: int) -> Read | str:
        """The result of ``read``, or the message of its error."""
        try:
            return self.read(row)
        except DataError as error:
            return str(error)

    def _of_sample(self, sample: Any) -> Read | str:
        try:
            image = read_rgb(sample.open_image, str(Path(self.reader.folder, sample.name)))
            return image, self._class(sample.label, sample.name), sample.name
        except DataError as error:
            return str(error)

    def of_classes(self, classes: Sequence[str]) -> ImageSource:
        """The images of some classes; DataError names one that has none."""
        wanted, known = set(classes), set(self.labels)
        for name in classes:
            if name not in known:
                raise DataError(f"{Path(self.place, name)} holds no image ({suffixes()}).")
        rows = [row for row, label in enumerate(self.labels) if label in wanted]
        return replace(
            self,
            names=[self.names[row] for row in rows],
            labels=[self.labels[row] for row in rows],
            order=[self.order[row] for row in rows] if self.order else [],
            classes=sorted(wanted),
        )

    def between(self, start: int, stop: int) -> ImageSource:
        """The images of consecutive numbers, not of a stream."""
        rows = range(start, stop)
        return replace(
            self,
            names=self.names[start:stop],
            labels=self.labels[start:stop],
            order=self.order[start:stop] if self.order else [] if self.names else list(rows),
        )

    def _class(self, target: Any, name: str) -> str:
        if not isinstance(target, int | np.integer):
            raise DataError(f"{self.place}: {name} has the class {target!r}; expected a number.")
        if not self.classes:
            return str(target)
        if not 0 <= target < len(self.classes):
            raise DataError(
                f"{self.place}: {name} is of class {target}; there are {len(self.classes):,} names"
                " of classes, counted from 0."
            )
        return self.classes[target]


def suffixes() -> str:
    """The suffixes of images, as messages name them."""
    return ", ".join(sorted(IMAGE_SUFFIXES))

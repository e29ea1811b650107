"""Images with a class each, from whatever timm's readers read.

timm's own data set goes on with the next image where one is damaged, and a webdataset leaves it
out; here it is an error that names it.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.errors import DataError
from graphzsl.sources.populations import IMAGE_SUFFIXES

#: The logger on which timm tells that it leaves out what it cannot read of shards.
SHARD_LOG = "timm.data.readers.reader_wds"


@dataclass(frozen=True, eq=False)
class ImageSource:
    """Images with a class each, in an order of their own.

    Args:
        place: what it was given as.
        kind: ``folders``, ``tar``, ``webdataset`` or ``datasets``.
        reader: timm's reader.
        names: [N] what messages and predictions call each image; empty where that is known only
            when it is read.
        labels: [N] the class of each, as the source calls it; empty likewise.
        classes: the classes that it may hold, as far as it says so.
        order: [N] the reader's number of each image.
    """

    place: str
    kind: str
    reader: Any
    names: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    classes: list[str] = field(default_factory=list)
    order: list[int] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<ImageSource {self.place}: {self.kind}, {len(self):,} images>"

    def __len__(self) -> int:
        """The number of images; 0 where only reading tells."""
        return len(self.order) or len(self.reader)

    @property
    def streamed(self) -> bool:
        """Whether images come one after another, and not by number."""
        return self.kind == "webdataset"

    def read(self, row: int) -> tuple[Any, str, str]:
        """(RGB image, its class, its name); DataError names what is no image."""
        if self.kind == "datasets":
            name = f"image {row}"
            file, target = self.reader[row]
            return _opened(file, f"{self.place}: {name}"), self._class(target, name), name
        file, _ = self.reader[self.order[row]]
        return _opened(file, self._path(row)), self.labels[row], self.names[row]

    def stream(self) -> Iterator[tuple[Any, str, str]]:
        """The same of all images, one after another.

        Raises:
            DataError: an image is damaged or a shard is cut off; or there are fewer than it says.
        """
        if not self.streamed:
            yield from map(self.read, range(len(self)))
            return
        read = 0
        with _damage_raised(self.place, lambda: read):
            for image, target in self.reader:
                name = f"image {read}"
                read += 1
                yield image, self._class(target, name), name
        if not read:
            raise DataError(f"{self.place} holds no image (jpg, png or webp beside a .cls).")
        known = self.reader.num_samples
        if known and read != known:
            raise DataError(f"{self.place} holds {read:,} images; its description says {known:,}.")

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
            order=[self.order[row] for row in rows],
            classes=sorted(wanted),
        )

    def _path(self, row: int) -> str:
        return str(Path(self.place, self.names[row]))

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


def _opened(file: Any, name: str) -> Any:
    """The RGB image in a file, which is closed; grey, CMYK and palettes are converted."""
    from PIL import Image

    try:
        with file, Image.open(file) as image:
            return image.convert("RGB")
    # SyntaxError: what Pillow raises for a broken PNG
    except (OSError, SyntaxError, ValueError, EOFError, Image.DecompressionBombError) as error:
        raise DataError(f"{name}: not an image ({error}).") from None


@contextmanager
def _damage_raised(place: str, read: Any) -> Iterator[None]:
    """DataError where timm's reader of shards would leave a sample out: it logs those alone."""

    class Raises(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            said = record.getMessage().removesuffix(" Ignoring.")
            said = said.removeprefix("Handling webdataset error ").strip("().")
            raise DataError(f"{place}: what follows {read():,} images cannot be read: {said}.")

    logger, handler = logging.getLogger(SHARD_LOG), Raises(logging.WARNING)
    level = logger.level
    logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)

"""Rows of boxes put together by image, on disk: no file need be sorted, and memory does not grow
with images.

Every row goes to a part by the hash of its image. The parts of several files that belong together
are then read one after another, each small enough for memory. Images come in the order of their
hashes, which has nothing to do with what is in them, and does not depend on how many parts there
are.
"""

from __future__ import annotations

import hashlib
import math
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from graphzsl.common.errors import DataError
from graphzsl.common.progress import progress_bar
from graphzsl.common.wording import counted
from graphzsl.ilsvrc.boxes.first_pixel import FirstPixel
from graphzsl.ilsvrc.boxes.rows import COUNTS, Row, Source
from graphzsl.metrics.ranking import Floats, Ints

#: Bytes of a file that one part is to hold, and the most parts: each is an open file.
PART_BYTES, MOST_PARTS = 16 << 20, 256
#: Rows that are put into parts at once.
BATCH = 20_000
#: Rows of one image, and different classes; more are no boxes that anybody drew.
MOST_ROWS, MOST_CLASSES = 100_000, 100_000
_SCHEMA = pa.schema(
    [("hash", pa.uint64()), ("image", pa.string()), ("label", pa.int32())]
    + [(name, pa.float64()) for name in ("x1", "y1", "x2", "y2", "score", "width", "height")]
    + [("ignore", pa.uint8()), ("place", pa.int64())]
)


class Labels:
    """Texts of classes as numbers, in the order in which they were first seen."""

    def __init__(self) -> None:
        self.texts: list[str] = []
        self._numbers: dict[str, int] = {}

    def number(self, text: str, where: str) -> int:
        """The number of a text."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.texts)
            self.texts.append(text)
            if found == MOST_CLASSES:
                raise DataError(f"{where}: more than {MOST_CLASSES:,} classes.")
        return found


@dataclass(frozen=True, eq=False)
class Part:
    """Boxes of some images.

    Args:
        source: where they were read, for messages.
        names: [I] the images of this part, the same in the parts of all files.
        image: [N] numbers of images, in the order of the file.
        label: [N] numbers of classes.
        box: [N, 4].
        score: [N]; nan where there is none.
        ignore: [N] see ``Row``.
        place: [N] see ``Row``.
        listed: [I] rows of the image itself, without a box.
        size: [I, 2] width and height; nan where they are not known.
        first: the number of the first pixel of an image, from which coordinates count.
    """

    source: Source
    names: list[str]
    image: Ints
    label: Ints
    box: Floats
    score: Floats
    ignore: npt.NDArray[np.uint8]
    place: Ints
    listed: Ints
    size: Floats
    first: int = 0

    @cached_property
    def has(self) -> npt.NDArray[np.bool_]:
        """[I] whether the file has the image at all."""
        found = self.listed > 0
        found[self.image] = True
        return found

    def without_ignored(self) -> Part:
        """The boxes that count, of the same images."""
        rows = self.ignore == COUNTS
        if rows.all():
            return self
        columns = ("image", "label", "box", "score", "ignore", "place")
        kept = {name: getattr(self, name)[rows] for name in columns}
        # an image stays, whose boxes are all ignored
        return replace(self, listed=np.maximum(self.listed, self.has), **kept)

    def where(self, row: int) -> str:
        """Name of a row in messages."""
        return self.source.where(self.names[self.image[row]], int(self.place[row]))


class Partition:
    """The rows of one source, by the hash of their images, in a folder."""

    def __init__(self, source: Source, folder: Path, bits: int):
        self.source, self.folder, self.bits = source, folder, bits
        self.labels = Labels()
        self.first_pixel = FirstPixel()
        self.rows = 0

    def fill(self, label: str) -> None:
        """Read the source, with a bar: of hundredths, where it knows how much it holds, else of
        rows."""
        self.folder.mkdir()
        writers: dict[int, Any] = {}
        known = self.source.share() is not None
        try:
            for _ in progress_bar(
                self._written(writers),
                f"{label}, %" if known else label,
                total=100 if known else None,
            ):
                pass
        except OSError as error:
            raise no_room(self.folder, error) from None
        finally:
            for writer in writers.values():
                writer.close()

    def _written(self, writers: dict[int, Any]) -> Iterator[None]:
        """Once per hundredth of the source that is in its parts, or once per row."""
        rows, done = self.source.rows(), 0
        while batch := list(islice(rows, BATCH)):
            self.rows += len(batch)
            self._write(writers, batch)
            share = self.source.share()
            now = done + len(batch) if share is None else int(100 * share)
            yield from [None] * (now - done)
            done = now

    def _write(self, writers: dict[int, Any], batch: list[Row]) -> None:
        table = self._table(batch)
        hashes = table["hash"].to_numpy()
        part = hashes >> np.uint64(64 - self.bits) if self.bits else np.zeros(len(batch), np.uint64)
        order = np.argsort(part, kind="stable")
        ordered = part[order]
        table = table.take(pa.array(order))
        begins = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        for begin, end in zip(begins, [*begins[1:], len(batch)], strict=True):
            number = int(ordered[begin])
            if number not in writers:
                writers[number] = pa.ipc.new_stream(str(self.folder / str(number)), _SCHEMA)
            for chunk in table.slice(begin, end - begin).to_batches():
                writers[number].write_batch(chunk)

    def _table(self, batch: list[Row]) -> pa.Table:
        images = [row.image for row in batch]
        hashed = {image: _hash(image) for image in dict.fromkeys(images)}
        labels = [
            -1
            if row.label is None and row.box is None
            else self.labels.number(row.label or "", self.source.where(row.image, row.place))
            for row in batch
        ]
        nowhere = (math.nan,) * 4
        boxes = np.array([row.box or nowhere for row in batch])
        sizes = np.array([row.size for row in batch])
        self.first_pixel.see(boxes, sizes)
        columns = [
            np.array([hashed[image] for image in images], np.uint64),
            pa.array(images, pa.string()),
            np.array(labels, np.int32),
            *boxes.T,
            np.array([row.score for row in batch]),
            *sizes.T,
            np.array([row.ignore for row in batch], np.uint8),
            np.array([row.place for row in batch], np.int64),
        ]
        # Arrow takes arrays whose elements stand side by side
        arrays = [
            each if isinstance(each, pa.Array) else pa.array(np.ascontiguousarray(each))
            for each in columns
        ]
        return pa.table(arrays, schema=_SCHEMA)

    def read(self, number: int) -> pa.Table:
        """The rows of a part."""
        path = self.folder / str(number)
        if not path.exists():
            return _SCHEMA.empty_table()
        with pa.OSFile(str(path)) as file, pa.ipc.open_stream(file) as stream:
            return stream.read_all()


def no_room(folder: Path, error: OSError) -> DataError:
    """The error about a folder for temporary files that cannot be written."""
    return DataError(
        f"{folder}: the boxes cannot be put together on disk ({error.strerror or error}). Set"
        " TMPDIR to a folder with room for about what the files take."
    )


def _hash(image: str) -> int:
    return int.from_bytes(hashlib.blake2b(image.encode(), digest_size=8).digest(), "big")


class Joined:
    """Several sources, put together by image; ``parts`` reads them."""

    def __init__(self, partitions: Sequence[Partition], bits: int, first_pixel: int | None = None):
        self.partitions, self.bits = partitions, bits
        truth = partitions[0]
        own = truth.first_pixel.number if truth.source.in_pixels else 0
        #: Of all files alike: their boxes are compared as they are written.
        self.first_pixel = own if first_pixel is None else first_pixel

    def parts(self, label: str) -> Iterator[list[Part]]:
        """For one part of the images after another, that part of every source, with a bar."""
        for number in progress_bar(range(1 << self.bits), label):
            tables = [each.read(number) for each in self.partitions]
            hashes = np.concatenate([table["hash"].to_numpy() for table in tables])
            if not len(hashes):
                continue
            images = pa.concat_arrays(
                [chunk for table in tables for chunk in table["image"].chunks]
            ).dictionary_encode()
            names, codes = _ordered(images, hashes)
            begin, found = 0, []
            for each, table in zip(self.partitions, tables, strict=True):
                part = _part(each.source, names, codes[begin : begin + len(table)], table)
                found.append(replace(part, first=self.first_pixel))
                begin += len(table)
            yield found


def _ordered(images: Any, hashes: npt.NDArray[np.uint64]) -> tuple[list[str], Ints]:
    """([I] names by hash, [N] numbers of the images of rows)."""
    names = images.dictionary.to_pylist()
    codes = images.indices.to_numpy().astype(np.int64)
    hash_of = np.empty(len(names), np.uint64)
    hash_of[codes] = hashes
    order = sorted(range(len(names)), key=lambda at: (hash_of[at], names[at]))
    place = np.empty(len(names), np.int64)
    place[order] = np.arange(len(names))
    return [names[at] for at in order], place[codes]


def _part(source: Source, names: list[str], codes: Ints, table: pa.Table) -> Part:
    column = {name: table[name].to_numpy() for name in _SCHEMA.names if name != "image"}
    label = column["label"].astype(np.int64)
    count = len(names)
    sizes = np.stack([column["width"], column["height"]], axis=1)
    size = np.full((count, 2), np.nan)
    known = ~np.isnan(sizes[:, 0])
    size[codes[known]] = sizes[known]
    other = known & (size[codes] != sizes).any(axis=1)
    if other.any():
        row = int(np.flatnonzero(other)[0])
        raise DataError(
            f"{source.where(names[codes[row]], int(column['place'][row]))}: the image is"
            f" {sizes[row, 0]:g} × {sizes[row, 1]:g} pixels here, and"
            f" {size[codes[row], 0]:g} × {size[codes[row], 1]:g} elsewhere."
        )
    boxes = label >= 0
    listed = np.bincount(codes[~boxes], minlength=count)
    if (listed > 1).any():
        image = int(np.flatnonzero(listed > 1)[0])
        row = int(np.flatnonzero(~boxes & (codes == image))[-1])
        raise DataError(
            f"{source.where(names[image], int(column['place'][row]))}: the image is there"
            f" {counted(int(listed[image]), 'time')}. Remove all but one."
        )
    image = codes[boxes]
    rows = np.bincount(image, minlength=count)
    if len(rows) and rows.max() > MOST_ROWS:
        raise DataError(
            f"{source.where(names[int(rows.argmax())], 0)}: {rows.max():,} boxes in one image; at"
            f" most {MOST_ROWS:,} are read."
        )
    part = Part(
        source,
        names,
        image,
        label[boxes],
        np.stack([column[side][boxes] for side in ("x1", "y1", "x2", "y2")], axis=1),
        column["score"][boxes],
        column["ignore"][boxes],
        column["place"][boxes],
        listed,
        size,
    )
    if source.lists_images and (part.has & (listed == 0)).any():
        image_number = int(np.flatnonzero(part.has & (listed == 0))[0])
        row = int(np.flatnonzero(image == image_number)[0])
        raise DataError(f"{part.where(row)}: the file does not list this image among its images.")
    return part


@contextmanager
def joined(sources: Sequence[Source], first_pixel: int | None = None) -> Iterator[Joined]:
    """Read several sources into a folder that is gone behind the block; the first is the truth,
    whose categories those behind it use.

    Args:
        sources: the truth, then others.
        first_pixel: the number of an image's first pixel; None for that which the corners of the
            truth tell (``FirstPixel``).

    Raises:
        DataError: a row of a source is wrong, or there is no room for them.
    """
    wanted = sum(source.weight for source in sources) / PART_BYTES
    bits = min(math.ceil(math.log2(max(wanted, 1))), int(math.log2(MOST_PARTS)))
    with tempfile.TemporaryDirectory(prefix="graphzsl-boxes-") as folder:
        partitions = []
        for number, source in enumerate(sources):
            partition = Partition(source, Path(folder, str(number)), bits)
            partition.fill(f"boxes of {_name(source)}")
            partitions.append(partition)
        yield Joined(partitions, bits, first_pixel)


def _name(source: Source) -> str:
    path = getattr(source, "path", None)
    return path.name if isinstance(path, Path) else "a file"

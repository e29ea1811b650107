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
from graphzsl.ilsvrc.boxes.metrics.overlap import areas, rows_by_label
from graphzsl.ilsvrc.boxes.rows import COUNTS, Row, Source
from graphzsl.metrics.ranking import Floats, Ints

#: Bytes of a file that one part is to hold, and the most parts: each is an open file.
PART_BYTES, MOST_PARTS = 16 << 20, 256
#: Rows that are put into parts at once.
BATCH = 20_000
#: Rows of one image, and different classes; more are no boxes that anybody drew.
MOST_ROWS, MOST_CLASSES = 100_000, 100_000
_SIDES = ("x1", "y1", "x2", "y2")
_SCHEMA = pa.schema(
    [("hash", pa.uint64()), ("image", pa.string()), ("label", pa.int32())]
    + [(name, pa.float64()) for name in (*_SIDES, "score", "width", "height")]
    + [("ignore", pa.uint8()), ("place", pa.int64())]
)


class FirstPixel:
    """The number of an image's first pixel, as the boxes of a file tell it: 1 where no corner is
    below 1 and one is the width or the height of its image, with none above; else 0.

    PASCAL's corners count pixels from 1, most others from 0, both with the last pixel inside, and
    no file says which. Boxes stay as they are written, so that overlaps do not depend on it: what
    moves is the image. Where neither is so, no box reaches the edges that the number moves.
    """

    def __init__(self) -> None:
        self._lowest = math.inf
        self._at_end = self._beyond = False

    def see(self, boxes: Floats, sizes: Floats) -> None:
        """Take in boxes [N, 4] as edges, and sizes of their images [N, 2]; nan for a missing
        one."""
        self._lowest = min(self._lowest, float(np.nanmin(boxes[:, :2], initial=math.inf)))
        # the edge behind a last pixel of this number
        ends, behind = boxes[:, 2:], sizes + 1
        self._at_end |= bool((ends == behind).any())
        self._beyond |= bool((ends > behind).any())

    @property
    def number(self) -> int:
        """0 or 1."""
        return int(self._lowest >= 1 and self._at_end and not self._beyond)


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
    first: int

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

    @property
    def inside(self) -> Floats:
        """[N, 4] boxes without what reaches over the edges of their images, of which 0, 0 is the
        corner; nan where the size is not known."""
        sides = self.size[self.image]
        return np.asarray(np.clip(self.box - self.first, 0, np.tile(sides, 2)))

    @cached_property
    def share(self) -> Floats:
        """[N] share of the image that each box takes; nan where the size is not known."""
        return np.asarray(areas(self.inside) / self.size[self.image].prod(axis=1))

    def is_outside(self, size: Floats) -> npt.NDArray[np.bool_]:
        """[N] whether a box lies outside its image, whose size [I, 2] may not be known (nan): left
        of it and above it then."""
        begin, end = self.box[:, :2] - self.first, self.box[:, 2:] - self.first
        return np.asarray(((end <= 0) | (begin >= size[self.image])).any(axis=1))

    def check_inside(self) -> None:
        """Raise DataError if a box, of the truth, lies outside its image."""
        for row in np.flatnonzero(self.is_outside(self.size))[:1]:
            first, (width, height) = self.first, self.size[self.image[row]]
            box = ", ".join(f"{side:g}" for side in self.box[row])
            edges = f"{first}, {first}, {first + width:g}, {first + height:g}"
            said = f"outside its image of {width:g} × {height:g} pixels, whose edges are ({edges})"
            if math.isnan(width):
                said = f"left of its image or above it, which begins at {first}"
            raise DataError(f"{self.where(row)}: the box with the edges ({box}) lies {said}.")


class Partition:
    """The rows of one source, by the hash of their images, in a folder."""

    def __init__(self, source: Source, folder: Path, bits: int):
        self.source, self.folder, self.bits = source, folder, bits
        #: Text of a class -> its number, in the order in which they were first seen.
        self._numbers: dict[str, int] = {}
        self.first_pixel = FirstPixel()

    @property
    def labels(self) -> list[str]:
        """The classes of the source by their numbers; categories of COCO by their names."""
        return [self.source.label(text) for text in self._numbers]

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
            self._write(writers, batch)
            share = self.source.share()
            now = done + len(batch) if share is None else int(100 * share)
            yield from [None] * (now - done)
            done = now

    def _write(self, writers: dict[int, Any], batch: list[Row]) -> None:
        table = self._table(batch)
        # no number is shifted by all of its 64 bits
        parts = table["hash"].to_numpy() >> np.uint64(1) >> np.uint64(63 - self.bits)
        for number, rows in rows_by_label(parts.astype(np.int64)):
            if number not in writers:
                writers[number] = pa.ipc.new_stream(str(self.folder / str(number)), _SCHEMA)
            writers[number].write_table(table.take(pa.array(rows)))

    def _table(self, batch: list[Row]) -> pa.Table:
        hashed = {image: _hash(image) for image in dict.fromkeys(row.image for row in batch)}
        nowhere = (math.nan,) * 4
        numbers = np.array([(*(row.box or nowhere), row.score, *row.size) for row in batch])
        self.first_pixel.see(numbers[:, :4], numbers[:, 5:])
        columns = [
            [hashed[row.image] for row in batch],
            [row.image for row in batch],
            [self._label(row) for row in batch],
            # Arrow takes arrays whose elements stand side by side
            *np.ascontiguousarray(numbers.T),
            [row.ignore for row in batch],
            [row.place for row in batch],
        ]
        arrays = [pa.array(each, kind) for each, kind in zip(columns, _SCHEMA.types, strict=True)]
        return pa.table(arrays, schema=_SCHEMA)

    def _label(self, row: Row) -> int:
        """Number of the class of a row; -1 for an image alone."""
        if row.label is None and row.box is None:
            return -1
        number = self._numbers.setdefault(row.label or "", len(self._numbers))
        if number == MOST_CLASSES:
            where = self.source.where(row.image, row.place)
            raise DataError(f"{where}: more than {MOST_CLASSES:,} classes.")
        return number

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
            of_tables = np.split(codes, np.cumsum([len(table) for table in tables])[:-1])
            yield [
                _part(each.source, names, of_table, table, self.first_pixel)
                for each, of_table, table in zip(self.partitions, of_tables, tables, strict=True)
            ]


def _ordered(images: Any, hashes: npt.NDArray[np.uint64]) -> tuple[list[str], Ints]:
    """([I] names by hash, [N] numbers of the images of rows)."""
    names = images.dictionary.to_pylist()
    codes = images.indices.to_numpy().astype(np.int64)
    hash_of = np.empty(len(names), np.uint64)
    hash_of[codes] = hashes
    order = sorted(range(len(names)), key=lambda at: (hash_of[at], names[at]))
    return [names[at] for at in order], np.argsort(order)[codes]


def _part(source: Source, names: list[str], codes: Ints, table: pa.Table, first: int) -> Part:
    column = {name: table[name].to_numpy() for name in _SCHEMA.names if name != "image"}

    def where(row: np.intp) -> str:
        return source.where(names[codes[row]], int(column["place"][row]))

    label = column["label"].astype(np.int64)
    count = len(names)
    sizes = np.stack([column["width"], column["height"]], axis=1)
    size = np.full((count, 2), np.nan)
    known = ~np.isnan(sizes[:, 0])
    size[codes[known]] = sizes[known]
    for row in np.flatnonzero(known & (size[codes] != sizes).any(axis=1))[:1]:
        here, there = ("{:g} × {:g}".format(*each) for each in (sizes[row], size[codes[row]]))
        raise DataError(f"{where(row)}: the image is {here} pixels here, and {there} elsewhere.")
    boxes = label >= 0
    listed = np.bincount(codes[~boxes], minlength=count)
    for number in np.flatnonzero(listed > 1)[:1]:
        last = np.flatnonzero(~boxes & (codes == number))[-1]
        times = counted(int(listed[number]), "time")
        raise DataError(f"{where(last)}: the image is there {times}. Remove all but one.")
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
        np.stack([column[side][boxes] for side in _SIDES], axis=1),
        column["score"][boxes],
        column["ignore"][boxes],
        column["place"][boxes],
        listed,
        size,
        first,
    )
    for at in np.flatnonzero(listed[image] == 0)[:1] if source.lists_images else ():
        raise DataError(f"{part.where(at)}: the file does not list this image among its images.")
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
            partition.fill(f"boxes of {source.path.name}")
            partitions.append(partition)
        yield Joined(partitions, bits, first_pixel)

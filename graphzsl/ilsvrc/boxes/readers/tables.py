"""Tables of boxes: text separated by commas, tabs, semicolons or spaces, and Parquet."""

from __future__ import annotations

import csv
import math
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from graphzsl.common.errors import DataError
from graphzsl.common.reading import bounds
from graphzsl.common.reading.number_texts import is_plain, number_of
from graphzsl.common.reading.parquet_files import open_parquet
from graphzsl.common.text_files import read_text
from graphzsl.common.wording import some
from graphzsl.ilsvrc.boxes.rows import (
    COUNTS,
    DIFFICULT,
    Box,
    Row,
    Source,
    check_class,
    check_text,
    checked_box,
    checked_size,
)
from graphzsl.sources.named_columns import CLASS_OTHERWISE, column_places

#: What a column holds -> what it may be called, whatever the case; a class otherwise also as in
#: ``CLASS_OTHERWISE``.
COLUMNS = {
    "image": ("image", "image_id", "imageid", "filename", "file_name"),
    "class": ("class", "wnid", "category", "class_id", "category_id"),
    "score": ("score", "confidence", "conf"),
    "xmin": ("xmin", "x1", "x_min", "left"),
    "ymin": ("ymin", "y1", "y_min", "top"),
    "xmax": ("xmax", "x2", "x_max", "right"),
    "ymax": ("ymax", "y2", "y_max", "bottom"),
    "x": ("x",),
    "y": ("y",),
    "width": ("width", "w"),
    "height": ("height", "h"),
    "image_width": ("image_width",),
    "image_height": ("image_height",),
    "ignore": ("ignore", "difficult"),
}
CORNERS, SIDES = ("xmin", "ymin", "xmax", "ymax"), ("x", "y", "width", "height")
#: Roles of columns of texts, and of numbers beside those of the box.
_TEXTS, _OTHER_NUMBERS = ("image", "class", "ignore"), ("score", "image_width", "image_height")
#: What any column that is read is called.
_READ = {name for each in (COLUMNS, CLASS_OTHERWISE) for names in each.values() for name in names}
_EXPECTED = (
    "Expected a header with image, class, and xmin, ymin, xmax, ymax (or x, y, width, height);"
    " score; image_width and image_height where they are known."
)
#: Rows of Parquet that are in memory at once.
_BATCH = 20_000
#: Bytes of a line; what has more is no table of boxes.
_LINE = 1 << 20


class _Place(NamedTuple):
    """Place of a row; its text is made when a message needs it."""

    source: Source
    image: str
    place: int

    def __str__(self) -> str:
        return self.source.where(self.image, self.place)


class BoxTable(Source):
    """A table with a header, one box per row; a row without class and box is an image without
    boxes.

    Corners are the first and last pixel inside, as ILSVRC's are (a width is xmax - xmin + 1),
    unless ``edges`` are given; x, y, width and height are COCO's.

    Args:
        path: text, or Parquet by its suffix.
        edges: corners are edges, and a width is xmax - xmin.
        may_be_empty: boxes may be without an area.
        regions: rows are regions without a class.
    """

    def __init__(
        self, path: Path, edges: bool = False, may_be_empty: bool = False, regions: bool = False
    ):
        super().__init__(path, edges, may_be_empty)
        self.regions, self.is_parquet = regions, path.suffix == ".parquet"
        #: How much has been read: of the bytes of a text, of the rows of Parquet.
        self._share: Callable[[], float] = lambda: 0.0
        if self.is_parquet:
            self.weight *= 4  # it is compressed

    def share(self) -> float | None:
        """Share of the bytes, or rows, that has been read."""
        return self._share()

    def where(self, image: str, place: int) -> str:
        """Line or row, and image."""
        return f"{self._place(place)} (image {image})"

    def _place(self, place: int) -> str:
        return f"{self.path}: row {place}" if self.is_parquet else f"{self.path}:{place}"

    def rows(self) -> Iterator[Row]:
        """Every row, checked."""
        records = self._parquet() if self.is_parquet else self._text()
        _, header = next(records)
        at = self._at = self._columns([str(name) for name in header])
        self._roles = CORNERS if CORNERS[0] in at else SIDES
        self.in_pixels = self._roles is CORNERS and not self.edges
        roles = [role for role in (*self._roles, *_OTHER_NUMBERS) if role in at]
        numbers_of = itemgetter(*(at[role] for role in roles))
        image_at, class_at, ignore_at = (at.get(role, -1) for role in _TEXTS)
        checked: tuple[str, str] | None = None
        for place, cells in records:
            image = _stripped(cells[image_at])
            label = _stripped(cells[class_at]) if class_at >= 0 else ""
            where = _Place(self, image, place)
            if (image, label) != checked:
                self._check_names(image, label, where)
                checked = image, label
            numbers = _numbers(numbers_of(cells), roles, where)
            box, score, size = self._measured(numbers, bool(label), where)
            ignore = _stripped(cells[ignore_at]).lower() if ignore_at >= 0 else ""
            kind = COUNTS if ignore in ("", "0", "false") else DIFFICULT
            yield Row(image, label or None, box, score, size, kind, place)

    def _measured(
        self, numbers: list[float], has_class: bool, where: _Place
    ) -> tuple[Box | None, float, tuple[float, float]]:
        """(box, None for an image alone; score; size of the image) of a row, or DataError."""
        a, b, c, d, *others = numbers
        size = (math.nan, math.nan)
        if "image_width" in self._at:
            size = checked_size(others[-2], others[-1], where)
        missing = (
            [role for role, side in zip(self._roles, numbers, strict=False) if math.isnan(side)]
            if math.isnan(a + b + c + d)
            else []
        )
        if len(missing) == 4 and not has_class:
            return None, math.nan, size
        if not has_class and not self.regions:
            raise DataError(f"{where}: a box without a class.")
        if missing:
            raise DataError(f"{where}: {missing[0]} is empty.")
        score = others[0] if "score" in self._at else math.nan
        if math.isnan(score) and "score" in self._at:
            raise DataError(f"{where}: the score is empty.")
        more = 1 if self.in_pixels else 0
        box = (a, b, c + more, d + more) if self._roles is CORNERS else (a, b, a + c, b + d)
        return checked_box(box, where, self.may_be_empty), score, size

    def _columns(self, header: Sequence[str]) -> dict[str, int]:
        """Role -> its column."""
        where = self._place(1) if not self.is_parquet else str(self.path)
        at = column_places(header, COLUMNS, CLASS_OTHERWISE, where)
        needed = ("image",) if self.regions else ("image", "class")
        missing = [role for role in needed if role not in at]
        corners = all(role in at for role in CORNERS)
        if not corners and not all(role in at for role in SIDES):
            missing += [role for role in CORNERS if role not in at]
        if missing:
            raise DataError(
                f"{where}: no column is called {missing[0]}; the header is"
                f" {some(list(header), 12)}. {_EXPECTED}"
            )
        if corners and "x" in at:
            raise DataError(f"{where}: boxes are given both by corners and by x, y, width, height.")
        if ("image_width" in at) != ("image_height" in at):
            raise DataError(f"{self.path}: image_width and image_height go together.")
        return at

    def _check_names(self, image: str, label: str, where: _Place) -> None:
        """Raise DataError for an image or a class that is no name."""
        if not image:
            raise DataError(f"{self._place(where.place)}: no image.")
        if "\0" in image or "\0" in label:
            raise DataError(
                f"{self._place(where.place)}: a NUL byte, which no text has: the file is damaged."
            )
        check_text(image, "the name of the image", where)
        if label:
            check_class(label, "the class", where)

    def _text(self) -> Iterator[tuple[int, list[str]]]:
        """(line, cells) of every line that is not empty, the header first."""
        try:
            with bounds.open_file(self.path, "utf-8-sig", newline="") as file:
                read: Any = file.buffer
                self._share = lambda: min(1.0, read.tell() / max(self.weight, 1))
                yield from self._cells(iter(partial(file.readline, _LINE), ""))
                self._share = lambda: 1.0
        except UnicodeDecodeError:
            read_text(self.path)  # which names the line
            raise
        except OSError as error:
            raise DataError(f"{self.path} cannot be read: {error.strerror or error}.") from None

    def _cells(self, lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
        first = next(lines, "")
        if "\0" in first:
            read_text(self.path)  # which says what it is
        mark = next((each for each in "\t,;" if each in first), " ")
        reader = csv.reader(
            chain([first] if first else [], lines),
            delimiter=mark,
            skipinitialspace=mark == " ",
            strict=True,
        )
        width, line = 0, 0
        try:
            for cells in reader:
                line += 1
                begin, line = line, reader.line_num
                if mark == " " and cells and not cells[-1]:
                    cells.pop()
                if not any(cells):
                    continue
                width = width or len(cells)
                if len(cells) != width:
                    raise DataError(
                        f"{self.path}:{begin}: {len(cells)} cells, and the header has {width}."
                    )
                yield begin, cells
        except csv.Error as error:
            raise DataError(f"{self.path}:{line + 1}: {error}.") from None
        if not width:
            raise DataError(f"{self.path} is empty. {_EXPECTED}")

    def _parquet(self) -> Iterator[tuple[int, Sequence[Any]]]:
        """(row, cells), the header first."""
        with open_parquet(self.path) as file:
            known = [name for name in file.schema_arrow.names if name.strip().lower() in _READ]
            yield 0, known
            row, total = 0, max(file.metadata.num_rows, 1)
            for batch in file.iter_batches(_BATCH, columns=known):
                columns = [column.to_pylist() for column in batch.columns]
                self._share = partial(min, 1.0, (row + len(batch)) / total)
                yield from enumerate(zip(*columns, strict=True), row + 1)
                row += len(batch)


def _stripped(cell: Any) -> str:
    if isinstance(cell, str):
        return cell.strip()
    return "" if cell is None else str(cell).strip()


def _numbers(cells: Sequence[Any], roles: Sequence[str], where: _Place) -> list[float]:
    """Finite numbers of cells, nan of empty ones: of nearly all rows all at once."""
    try:
        found = [*map(float, cells)] if is_plain("".join(cells)) else []
    except (TypeError, ValueError):
        found = []
    if found and math.isfinite(sum(found)):
        return found
    return [_number(cell, role, where) for cell, role in zip(cells, roles, strict=True)]


def _number(cell: Any, role: str, where: _Place) -> float:
    """A finite number; nan of an empty cell."""
    found = number_of(cell)
    if found is None and not _stripped(cell):
        return math.nan
    if found is None or not math.isfinite(found):
        raise DataError(f"{where}: {role} must be a number, not {cell!r}.")
    return found

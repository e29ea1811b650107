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

from graphzsl.common.checked_names import LONGEST_CLASS
from graphzsl.common.errors import DataError
from graphzsl.common.reading import bounds
from graphzsl.common.reading.number_texts import is_plain, number_of
from graphzsl.common.reading.parquet_files import open_parquet
from graphzsl.common.text_files import decoded
from graphzsl.common.wording import some
from graphzsl.ilsvrc.boxes.rows import (
    COUNTS,
    DIFFICULT,
    LARGEST,
    Box,
    Row,
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
#: What any column that is read is called.
_READ = {name for each in (COLUMNS, CLASS_OTHERWISE) for names in each.values() for name in names}
#: What a column of numbers is called.
_NUMBERS = {
    name
    for role, names in COLUMNS.items()
    if role not in ("image", "class", "ignore")
    for name in names
}
_EXPECTED = (
    "Expected a header with image, class, and xmin, ymin, xmax, ymax (or x, y, width, height);"
    " score; image_width and image_height where they are known."
)
#: Rows of Parquet that are in memory at once.
_BATCH = 20_000
#: Bytes of a line; what has more is no table of boxes.
_LINE = 1 << 20


class _Layout(NamedTuple):
    """Column of each role; -1 where there is none."""

    at: dict[str, int]
    corners: bool

    @property
    def sides(self) -> tuple[str, ...]:
        """The roles that boxes are given by."""
        return CORNERS if self.corners else SIDES

    def column(self, role: str) -> int:
        """The column of a role."""
        return self.at.get(role, -1)


class BoxTable:
    """A table with a header, one box per row; a row without class and box is an image without
    boxes.

    Corners are the first and last pixel inside, as ILSVRC's are (a width is xmax - xmin + 1),
    unless ``edges`` are given; x, y, width and height are COCO's.

    Args:
        path: text, or Parquet by its suffix.
        edges: corners are edges, and a width is xmax - xmin.
        windows: rows are regions without a class.
        entry: boxes may be without an area, as windows may.
    """

    lists_images = False

    def __init__(self, path: Path, edges: bool = False, windows: bool = False, entry: bool = False):
        self.path, self.edges, self.windows = Path(path), edges, windows
        self.may_be_empty = windows or entry
        self.in_pixels = False
        #: How much has been read: of the bytes of a text, of the rows of Parquet.
        self._share: Callable[[], float] = lambda: 0.0
        self.is_parquet = self.path.suffix == ".parquet"
        #: False where Parquet has texts or bytes in a column of numbers.
        self._has_plain_numbers = True
        # Parquet is compressed
        self.weight = bounds.checked_size(self.path) * (4 if self.is_parquet else 1)

    def share(self) -> float | None:
        """Share of the bytes, or rows, that has been read."""
        return self._share()

    def where(self, image: str, place: int) -> str:
        """Line or row, and image."""
        return f"{self._place(place)} (image {image})"

    def _place(self, place: int) -> str:
        return f"{self.path}: row {place}" if self.is_parquet else f"{self.path}:{place}"

    def label(self, text: str) -> str:
        """The class itself."""
        return text

    def rows(self) -> Iterator[Row]:
        """Every row, checked."""
        records = self._parquet() if self.is_parquet else self._text()
        _, header = next(records)
        layout = self._layout([str(name) for name in header])
        self.in_pixels = layout.corners and not self.edges
        parsed = self._parser(layout)
        for place, cells in records:
            yield parsed(place, cells)

    def _layout(self, header: Sequence[str]) -> _Layout:
        where = self._place(1) if not self.is_parquet else str(self.path)
        at = column_places(header, COLUMNS, CLASS_OTHERWISE, where)
        needed = ("image",) if self.windows else ("image", "class")
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
        return _Layout(at, corners)

    def _parser(self, layout: _Layout) -> Callable[[int, Sequence[Any]], Row]:
        """Build the function that makes a row of cells: a quick way for nearly all of them, and
        ``_careful`` for the others, which names the wrong cell."""
        image_at, class_at, score_at, ignore_at = map(
            layout.column, ("image", "class", "score", "ignore")
        )
        first, second, third, fourth = map(layout.column, layout.sides)
        wide_at, tall_at = layout.column("image_width"), layout.column("image_height")
        if (wide_at < 0) != (tall_at < 0):
            raise DataError(f"{self.path}: image_width and image_height go together.")
        if not self._has_plain_numbers:
            return partial(self._careful, layout)
        corners, more, unknown = layout.corners, self._more(layout), (math.nan, math.nan)
        is_text = not self.is_parquet
        roles = (*layout.sides, "score", "image_width", "image_height")
        numbers = itemgetter(*(layout.at[role] for role in roles if role in layout.at))

        def parsed(place: int, cells: Sequence[Any]) -> Row:
            try:
                if is_text and not is_plain("".join(numbers(cells))):
                    return self._careful(layout, place, cells)
                image, label = cells[image_at], cells[class_at] if class_at >= 0 else "-"
                a, b = float(cells[first]), float(cells[second])
                c, d = float(cells[third]) + more, float(cells[fourth]) + more
                score = float(cells[score_at]) if score_at >= 0 else 0.0
                size = unknown if wide_at < 0 else (float(cells[wide_at]), float(cells[tall_at]))
                box: Box = (a, b, c, d) if corners else (a, b, a + c, b + d)
                if (
                    type(image) is str is type(label)
                    and image.strip()
                    and label.strip()
                    and image.isascii()
                    and image.isprintable()
                    and label.isascii()
                    and label.isprintable()
                    and len(image) + len(label) < LONGEST_CLASS
                    and -LARGEST < a < box[2] < LARGEST
                    and -LARGEST < b < box[3] < LARGEST
                    and -math.inf < score < math.inf
                    and (size is unknown or (0 < size[0] <= LARGEST and 0 < size[1] <= LARGEST))
                    and (ignore_at < 0 or cells[ignore_at] in ("0", ""))
                ):
                    return Row(
                        image.strip(),
                        label.strip() if class_at >= 0 else None,
                        box,
                        score if score_at >= 0 else math.nan,
                        size,
                        COUNTS,
                        place,
                    )
            except (TypeError, ValueError):
                pass
            return self._careful(layout, place, cells)

        return parsed

    def _more(self, layout: _Layout) -> int:
        """Pixels that corners leave out of a width."""
        return 0 if self.edges or not layout.corners else 1

    def _careful(self, layout: _Layout, place: int, cells: Sequence[Any]) -> Row:
        """The row, or DataError about the first cell that is wrong."""

        def cell(role: str) -> Any:
            at = layout.column(role)
            return cells[at] if at >= 0 else None

        image, label = _text(cell("image")), _text(cell("class"))
        if not image:
            raise DataError(f"{self._place(place)}: no image.")
        if "\0" in image + label:
            raise DataError(
                f"{self._place(place)}: a NUL byte, which no text has: the file is damaged."
            )
        where = self.where(image, place)
        check_text(image, "the name of the image", where)
        if label:
            check_class(label, "the class", where)
        size = checked_size(
            self._number(cell("image_width"), "image_width", where),
            self._number(cell("image_height"), "image_height", where),
            where,
        )
        if not label and all(_text(cell(role)) == "" for role in layout.sides):
            return Row(image, None, None, size=size, place=place)
        if not label and not self.windows:
            raise DataError(f"{where}: a box without a class.")
        sides = [self._number(cell(role), role, where) for role in layout.sides]
        for side, role in zip(sides, layout.sides, strict=True):
            if math.isnan(side):
                raise DataError(f"{where}: {role} is empty.")
        a, b, c, d = sides
        more = self._more(layout)
        box = (a, b, c + more, d + more) if layout.corners else (a, b, a + c, b + d)
        score = self._number(cell("score"), "score", where)
        if layout.column("score") >= 0 and math.isnan(score):
            raise DataError(f"{where}: the score is empty.")
        ignored = _text(cell("ignore")).lower() not in ("", "0", "false")
        return Row(
            image,
            label or None,
            checked_box(box, where, self.may_be_empty),
            score,
            size,
            DIFFICULT if ignored else COUNTS,
            place,
        )

    def _number(self, cell: Any, what: str, where: str) -> float:
        """A finite number; nan of an empty cell."""
        if cell is None or cell == "":
            return math.nan
        found = number_of(cell)
        if found is None or not math.isfinite(found):
            raise DataError(f"{where}: {what} must be a number, not {cell!r}.")
        return found

    def _text(self) -> Iterator[tuple[int, list[str]]]:
        """(line, cells) of every line that is not empty, the header first."""
        try:
            with bounds.open_file(self.path, "utf-8-sig", newline="") as file:
                read: Any = file.buffer
                self._share = lambda: min(1.0, read.tell() / max(self.weight, 1))
                yield from self._cells(iter(partial(file.readline, _LINE), ""))
                self._share = lambda: 1.0
        except UnicodeDecodeError:
            for _ in _lines(self.path):  # which finds the line
                pass
            raise
        except OSError as error:
            raise DataError(f"{self.path} cannot be read: {error.strerror or error}.") from None

    def _cells(self, lines: Iterator[str]) -> Iterator[tuple[int, list[str]]]:
        first = next(lines, "")
        if "\0" in first:
            for _ in _lines(self.path):
                pass
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
        import pyarrow as pa

        with open_parquet(self.path) as file:
            names = file.schema_arrow.names
            known = [name for name in names if name.strip().lower() in _READ]
            self._has_plain_numbers = all(
                pa.types.is_integer(kind) or pa.types.is_floating(kind)
                for name, kind in zip(names, file.schema_arrow.types, strict=True)
                if name.strip().lower() in _NUMBERS
            )
            yield 0, known
            row, total = 0, file.metadata.num_rows
            for batch in file.iter_batches(_BATCH, columns=known):
                columns = [column.to_pylist() for column in batch.columns]
                self._share = partial(_part_of, row + len(batch), total)
                for cells in zip(*columns, strict=True):
                    row += 1
                    yield row, cells


def _part_of(rows: int, total: int) -> float:
    return min(1.0, rows / max(total, 1))


def _text(cell: Any) -> str:
    if isinstance(cell, str):
        return cell.strip()
    return "" if cell is None else str(cell).strip()


def _lines(path: Path) -> Iterator[str]:
    """Lines of a file in UTF-8. Raises DataError with the number of a line that is not text or is
    too long."""
    try:
        with bounds.open_file(path) as file:
            for number, content in enumerate(iter(lambda: file.readline(_LINE), b""), 1):
                if len(content) == _LINE:
                    raise DataError(f"{path}:{number}: a line of more than {_LINE:,} bytes.")
                try:
                    yield decoded(content, str(path))
                except DataError as error:
                    said = str(error)
                    if said.startswith(f"{path}:1:"):  # the line is the first of its own
                        said = f"{path}:{number}:{said.removeprefix(f'{path}:1:')}"
                    raise DataError(said) from None
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None

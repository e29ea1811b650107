"""Tables as columns of cells, whatever they were read from, and the cells themselves."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, TextIO

from graphzsl.audit.formats.roles import role
from graphzsl.common.checked_names import named_twice
from graphzsl.common.errors import DataError
from graphzsl.common.reading.number_texts import DECIMAL, FRACTION
from graphzsl.common.text_files import open_text

#: The elements of a list that numpy, pandas or JSON wrote into one cell.
_ELEMENT = re.compile(r"""(?P<quote>['"])|([^\s,\[\]()'"]++)""")
_QUOTED = {
    '"': re.compile(r'"((?:[^"\\]|\\.)*+)"'),
    "'": re.compile(r"'((?:[^'\\]|\\.)*+)'"),
}
_WNIDS = re.compile(r"n[0-9]{8}( n[0-9]{8})+")


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of cells.

    ``header`` is None where the columns have no names: the first is the true class then, and the
    others and ``rest`` hold the predictions. ``where`` and ``lines[row]`` are what a message calls
    a row. With a header, ``rest`` holds the cells of longer lines; ``guessed`` says that the header
    was recognized by its words.
    """

    source: str
    where: str
    header: list[str] | None
    columns: list[list[Any]]
    lines: Sequence[int]
    rest: list[list[Any]] | None = None
    guessed: bool = False

    def __len__(self) -> int:
        return len(self.lines)

    def names(self) -> list[Any]:
        """The names of the columns, or the first line where it is not known to be a header."""
        if self.header is not None or not len(self):
            return list(self.header or ())
        return [column[0] for column in self.columns] + (self.rest[0] if self.rest else [])

    @property
    def head(self) -> str:
        """The beginning of messages about all of it."""
        return f"{self.source}: " if self.source else ""

    def place(self, row: int) -> str:
        """Name of a row in messages."""
        return f"{self.where}{self.lines[row]}"


def table_of_records(
    source: str, where: str, records: Sequence[dict[str, Any]], lines: Sequence[int]
) -> Table:
    """One row per record; a key that a record lacks is an empty cell."""
    header = list(dict.fromkeys(key for record in records for key in record))
    columns = [[record.get(key) for record in records] for key in header]
    return Table(source, where, [str(key) for key in header], columns, lines)


def table_of_rows(
    source: str, where: str, rows: Sequence[Sequence[Any]], lines: Sequence[int]
) -> Table:
    """A table without a header: the true class, then the predicted ones."""
    first = [row[0] if len(row) else None for row in rows]
    return Table(source, where, None, [first], lines, [list(row[1:]) for row in rows])


def read_text_table(
    path: Path,
    classes: Sequence[str] | None,
    numbered: bool,
    names_change: bool,
    named: Collection[str] = (),
) -> Table:
    """A table of text, separated by commas, tabs or semicolons.

    The first line is a header where none of its cells is a class: one of ``classes``, a number
    where ``numbered``, or, where no classes are given or their ``names_change``, a cell of another
    line; in that last case it must also name a known column. A line that names a known column is
    one too where a text of it stands above numbers alone, as classes above their scores do; and so
    is a line that holds a column which the caller has ``named``.

    Raises:
        DataError: names the file, and the line of a header that names a column twice.
    """
    known = frozenset(classes) if classes is not None and not names_change else None
    lines, columns, rest = _text_columns(path)
    first = [column[0] for column in columns] + (rest[0] if rest else []) if lines else []
    where = f"{path}:"
    is_named = not set(named).isdisjoint(first)
    is_header = is_named or _is_header(first, columns, rest, known, numbered)
    if not (lines and lines[0] == 1 and is_header):
        return Table(str(path), where, None, columns, lines, rest)
    check_header(first, f"{path}:1")
    if rest is not None:
        columns, rest = _at_width(columns, rest, len(first))
    columns = [column[1:] for column in columns]
    return Table(
        str(path), where, first, columns, lines[1:], rest[1:] if rest else None, guessed=True
    )


def _at_width(
    columns: list[list[str]], rest: list[list[str]], width: int
) -> tuple[list[list[str]], list[list[str]]]:
    """Columns of ``width`` cells, and what is behind them; short rows are filled with nothing."""
    rows = [[*cells, *more] for cells, more in zip(zip(*columns, strict=True), rest, strict=True)]
    filled = [row if len(row) >= width else [*row, *[""] * (width - len(row))] for row in rows]
    return (
        [list(column) for column in zip(*(row[:width] for row in filled), strict=True)],
        [row[width:] for row in filled],
    )


def _text_columns(path: Path) -> tuple[Sequence[int], list[list[str]], list[list[str]] | None]:
    """(lines, columns, the cells behind these): where all lines are of one length nothing is behind
    them, else all but the first column is."""
    if (plain := _plain_cells(path)) is not None:
        cells, width = plain
        columns = [cells[column::width] for column in range(width)]
        return range(1, len(columns[0]) + 1), columns, None
    rows = text_cells(path)
    numbers = [number for number, _ in rows]
    if len({len(cells) for _, cells in rows}) == 1:
        return (
            numbers,
            [list(column) for column in zip(*(row for _, row in rows), strict=True)],
            None,
        )
    return numbers, [[cells[0] for _, cells in rows]], [cells[1:] for _, cells in rows]


def _plain_cells(path: Path) -> tuple[list[str], int] | None:
    """(all cells, how many per line) of a table without quotes, empty lines and lines of different
    lengths, which a split reads in a third of the time; None for any other."""
    try:
        content = open_text(path).read().removesuffix("\n")
    except (OSError, DataError):
        return None  # the reader of all tables says why
    if not content or '"' in content or "\r" in content:
        return None
    lines = content.split("\n")
    separator = _separator(lines[0])
    widths = {line.count(separator) for line in lines}
    if len(widths) > 1 or widths == {0}:
        return None
    cells: list[str] = []
    # in parts: between two of them a signal can end a command
    for start in range(0, len(lines), _LINES):
        part = separator.join(lines[start : start + _LINES])
        cells += map(str.strip, part.split(separator))
    width = widths.pop() + 1
    blank = "" in cells and any(not line.strip(f" {separator}") for line in lines)
    return None if blank else (cells, width)


#: How many lines are split in one step.
_LINES = 10_000


def _separator(line: str) -> str:
    return next((mark for mark in "\t,;" if mark in line), ",")


def check_header(header: Iterable[str], where: str) -> None:
    """DataError where two columns have one name."""
    twice = named_twice(name for name in header if name)
    if twice is not None:
        raise DataError(f"{where}: two columns are called {twice}.")


def text_cells(path: Path) -> list[tuple[int, list[str]]]:
    """(line number, cells) of every line that is not empty."""
    found, line = [], 1
    try:
        with open_text(path) as file:
            first = file.readline()
            file.seek(0)
            mark = _separator(first)
            rows = csv.reader(file, delimiter=mark)
            for row in rows:
                found.append((line, [cell.strip() for cell in row]))
                line = rows.line_num + 1
            file.seek(0)
            _check_closed(path, found[-1][0] if found else 1, file, mark)
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.") from None
    except IsADirectoryError:
        raise DataError(
            f"{path} is a folder; expected an .npz of scores or a table of predictions."
        ) from None
    except csv.Error as error:
        raise DataError(f"{path}: not a table ({error}).") from None
    return [(number, cells) for number, cells in found if any(cells)]


def _check_closed(path: Path, line: int, file: TextIO, mark: str) -> None:
    """DataError where the last row, which begins in ``line``, ends within quotes."""
    try:
        for _ in csv.reader(islice(file, line - 1, None), delimiter=mark, strict=True):
            pass
    except csv.Error as error:
        if str(error) == "unexpected end of data":
            raise DataError(
                f"{path}:{line}: a quote opens in this row and is not closed before the end of the"
                " file, which may be cut off. Close it, or write the file again."
            ) from None


def text(value: Any) -> str:
    """A cell as text: nothing for a missing value, and whole numbers without a fraction."""
    if isinstance(value, str):
        return value.strip()
    if value is None or value != value:
        return ""
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace").strip()
    return str(value).strip()


def texts(column: Sequence[Any]) -> list[str]:
    """Cells as text."""
    if set(map(type, column)) == {str}:
        return list(map(str.strip, column))
    return [text(value) for value in column]


def check_no_gap(cells: Sequence[Any], place: Callable[[int], str], row: int) -> None:
    """DataError where a prediction stands behind an empty cell: which place it has is not known."""
    if "" not in cells:
        return
    empty = cells.index("")
    if any(cell != "" for cell in cells[empty:]):
        raise DataError(
            f"{place(row)}: place {empty + 1} of the predictions is empty, and later ones are not."
        )


def is_listed(column: Sequence[Any]) -> bool:
    """True if the cells of a column hold several values each: lists, objects, or the texts that
    numpy and pandas write for a list."""
    kinds = set(map(type, column))
    if kinds & {list, tuple, dict}:
        return True
    if str not in kinds:
        return False
    first = next((cell for cell in column if isinstance(cell, str) and cell), "")
    if not (first[:1] == "[" or _WNIDS.fullmatch(first)):
        return False
    filled = [cell for cell in column if isinstance(cell, str) and cell]
    return all(cell[0] == "[" and cell[-1] == "]" for cell in filled) or all(
        _WNIDS.fullmatch(cell) for cell in filled
    )


def decoded(item: Any) -> tuple[str, Any] | None:
    """(class, score) of a decoded prediction as Keras writes it: [wnid, name, score]; None for
    anything else."""
    if not isinstance(item, list | tuple) or len(item) != 3:
        return None
    wnid, name, score = item
    is_score = isinstance(score, int | float) and not isinstance(score, bool)
    named = isinstance(wnid, str) and isinstance(name, str)
    return (wnid, score) if named and is_score else None


def elements(cell: Any) -> list[Any]:
    """The values in a cell."""
    if isinstance(cell, list | tuple):
        return list(cell)
    if isinstance(cell, str) and cell[:1] == "[" and cell[-1:] == "]":
        return _elements(cell)
    if isinstance(cell, str) and _WNIDS.fullmatch(cell):
        return cell.split()
    return [] if text(cell) == "" else [cell]


def _elements(cell: str) -> list[Any]:
    """The texts of a list, in quotes or not. A quote that nothing closes is passed over, and later
    ones of its kind too: nothing closes these either, and each would be looked for to the end."""
    found, at = [], 0
    unclosed: set[str] = set()
    while part := _ELEMENT.search(cell, at):
        at, quote = part.end(), part["quote"]
        if quote is None:
            found.append(part[0])
        elif quote not in unclosed:
            if text := _QUOTED[quote].match(cell, part.start()):
                found.append(re.sub(r"\\(.)", r"\1", text[1]))
                at = text.end()
            else:
                unclosed.add(quote)
    return found


def _is_header(
    first: list[str],
    columns: list[list[str]],
    rest: list[list[str]] | None,
    known: frozenset[str] | None,
    numbered: bool,
) -> bool:
    """True if the first line names the columns."""
    named = {cell for cell in first if cell}
    if _numbers_columns(first, columns):
        return True
    if numbered:
        return not any(cell.isdigit() for cell in named)
    knows_a_column = any(role(cell) for cell in named)
    if knows_a_column and _above_numbers(first, columns):
        return True
    if known is not None:
        return known.isdisjoint(named)
    if not knows_a_column:
        return False
    others = [column[1:] for column in columns] + (rest or [])[1:]
    return all(named.isdisjoint(cells) for cells in others)


def _numbers_columns(first: list[str], columns: list[list[str]]) -> bool:
    """True if the first line counts 0, 1, 2, … above numbers: scores, where some have a
    fraction or the line names another column."""
    counts = [cell for cell in first if cell and not role(cell)]
    if len(counts) < 2 or counts != [str(place) for place in range(len(counts))]:
        return False
    above = [column[1:] for name, column in zip(first, columns, strict=False) if name in counts]
    cells = [cell for column in above for cell in column[:_LINES]]
    is_named = any(map(role, first)) or any(map(FRACTION.fullmatch, cells))
    return is_named and all(map(DECIMAL.fullmatch, filter(None, cells)))


def _above_numbers(first: list[str], columns: list[list[str]]) -> bool:
    """True if a name stands above a column that holds only numbers."""
    for name, column in zip(first, columns, strict=False):
        if len(column) < 2 or DECIMAL.fullmatch(name) or not DECIMAL.fullmatch(column[1]):
            continue
        if all(map(DECIMAL.fullmatch, column[1:])):
            return True
    return False

"""Tables as columns of cells, whatever they were read from, and the cells themselves."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphzsl.errors import DataError
from graphzsl.evaluation.prediction_formats.roles import role

#: The elements of a list that numpy, pandas or JSON wrote into one cell.
_ELEMENT = re.compile(r""""((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)'|([^\s,\[\]()'"]+)""")
_WNIDS = re.compile(r"n\d{8}( n\d{8})+")


@dataclass(frozen=True, eq=False)
class Table:
    """Columns of cells.

    ``header`` is None where the columns have no names: the first is the true class then, and
    ``rest`` holds the predictions. ``where`` and ``lines[row]`` are what a message calls a row.
    With a header, ``rest`` holds the cells of longer lines; ``guessed`` says that the header was
    recognized by its words.
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

    def place(self, row: int) -> str:
        """What a message calls a row."""
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
    path: Path, classes: Sequence[str] | None, numbered: bool, names_change: bool
) -> Table:
    """A table of text, separated by commas, tabs or semicolons.

    The first line is a header where none of its cells is a class: one of ``classes``, a number
    where ``numbered``, or, where no classes are given or their ``names_change``, a cell of another
    line; in that last case it must also name a known column.

    Raises:
        DataError: names the file, and the line of a header that names a column twice.
    """
    lines = text_cells(path)
    known = frozenset(classes) if classes is not None and not names_change else None
    where = f"{path}:"
    if not (lines and _is_header(lines, known, numbered)):
        rows = [cells for _, cells in lines]
        return table_of_rows(str(path), where, rows, [line for line, _ in lines])
    header = lines.pop(0)[1]
    check_header(header, f"{path}:1")
    width = len(header)
    rows = [
        cells if len(cells) >= width else [*cells, *[""] * (width - len(cells))]
        for _, cells in lines
    ]
    columns = [list(column) for column in zip(*(row[:width] for row in rows), strict=True)]
    longer = any(len(row) > width for row in rows)
    return Table(
        str(path),
        where,
        header,
        columns or [[] for _ in header],
        [line for line, _ in lines],
        [row[width:] for row in rows] if longer else None,
        guessed=True,
    )


def check_header(header: Iterable[str], where: str) -> None:
    """DataError where two columns have one name."""
    names = [name for name in header if name]
    if len(set(names)) < len(names):
        raise DataError(f"{where}: two columns are called {max(names, key=names.count)}.")


def text_cells(path: Path) -> list[tuple[int, list[str]]]:
    """(line number, cells) of every line that is not empty."""
    found, line = [], 1
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            first = file.readline()
            file.seek(0)
            separator = next((mark for mark in "\t,;" if mark in first), ",")
            rows = csv.reader(file, delimiter=separator)
            for row in rows:
                found.append((line, [cell.strip() for cell in row]))
                line = rows.line_num + 1
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.") from None
    except IsADirectoryError:
        raise DataError(
            f"{path} is a folder; expected an .npz of scores or a table of predictions."
        ) from None
    except (UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path}: not a table ({error}).") from None
    return [(number, cells) for number, cells in found if any(cells)]


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
    return [text(value) for value in column]


def is_listed(column: Sequence[Any]) -> bool:
    """Whether the cells of a column hold several values each: lists, objects, or what numpy and
    pandas write for a list into a table of text."""
    filled = [cell for cell in column if isinstance(cell, str) and cell]
    if not filled:
        return any(isinstance(cell, list | tuple | dict) for cell in column)
    if all(cell[0] == "[" and cell[-1] == "]" for cell in filled):
        return True
    return any(isinstance(cell, list | tuple | dict) for cell in column) or all(
        _WNIDS.fullmatch(cell) for cell in filled
    )


def elements(cell: Any) -> list[Any]:
    """The values in a cell."""
    if isinstance(cell, list | tuple):
        return list(cell)
    if isinstance(cell, str) and cell[:1] == "[" and cell[-1:] == "]":
        return [_element(found) for found in _ELEMENT.finditer(cell)]
    if isinstance(cell, str) and _WNIDS.fullmatch(cell):
        return cell.split()
    return [] if text(cell) == "" else [cell]


def _element(found: re.Match[str]) -> str:
    double, single, plain = found.groups()
    if plain is not None:
        return str(plain)
    return re.sub(r"\\(.)", r"\1", double if double is not None else single)


def _is_header(
    lines: list[tuple[int, list[str]]], known: frozenset[str] | None, numbered: bool
) -> bool:
    number, first = lines[0]
    given = [cell for cell in first if cell]
    if number != 1:
        return False
    if numbered:
        return not any(cell.isdigit() for cell in given)
    if known is not None:
        return known.isdisjoint(given)
    if not any(role(cell) for cell in given):
        return False
    named = set(given)
    return all(named.isdisjoint(cells) for _, cells in lines[1:])

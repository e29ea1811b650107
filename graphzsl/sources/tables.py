"""Shared parts of the readers (and writers) of tables and wnid lists: columns, line numbers,
wnids."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from graphzsl.common.checked_names import shown
from graphzsl.common.class_entries import duplicate_message
from graphzsl.common.errors import DataError
from graphzsl.common.files import read_lines, write_text
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.number_texts import decimal, whole
from graphzsl.common.text_files import read_text

WNID = re.compile(r"n[0-9]{8}\Z")


@dataclass(frozen=True)
class Column:
    """One of the two columns of a table.

    Args:
        name: what messages call it.
        also: other names that headers have for it.
        fits: what its cells look like, where that tells it from the other column.
    """

    name: str
    also: tuple[str, ...] = ()
    fits: Callable[[str], bool] = bool

    @property
    def names(self) -> set[str]:
        """Everything that headers call it."""
        return {self.name, *self.also}


#: Columns that several tables have.
WNIDS = Column("wnid", ("synset", "synset_id", "class"), lambda text: bool(WNID.match(text)))
_NUMBER = "".maketrans("", "", "+-.,eE")


def is_count(text: str) -> bool:
    """True if a cell is a number in digits."""
    return text.translate(_NUMBER).isdecimal()


@dataclass(frozen=True)
class Pairs:
    """The rows of a table with two columns, as (line, first, second), and whether a header named
    its columns."""

    rows: list[tuple[int, str, str]]
    named: bool


def read_pairs(path: Path, first: Column, second: Column) -> Pairs:
    """A table with two columns, separated by tabs, commas, semicolons or blanks, or a JSON object.

    A header that names a column is read, and says which comes first; without one the cells do where
    only one order fits. DataError names file and line of anything else.
    """
    text = read_text(path)
    if Path(path).suffix.lower() == ".json" or text.lstrip()[:1] == "{":
        return _of_json(path, text)
    lines = read_lines(path)
    expected = f"{first.name} and {second.name}"
    if not lines:
        raise DataError(
            f"{path} is empty; expected a table with the columns {first.name}, {second.name}."
        )
    separator = next((mark for mark in "\t,;" if mark in lines[0][1]), None)
    rows: list[tuple[int, str, str]] = []
    for number, line in lines:
        row = _split_row(path, number, line, separator)
        if len(row) != 2:
            raise DataError(
                f"{path}:{number}: expected {expected}, separated by a tab, a comma or a blank;"
                f" got {shown(line)}."
            )
        rows.append((number, row[0].strip(), row[1].strip()))
    head = [cell.strip('"').lower() for cell in rows[0][1:]]
    others = [head[0] in second.names, head[1] in first.names]
    named = any(others) or head[0] in first.names or head[1] in second.names
    body = rows[1:] if named else rows
    turned = named and any(others)
    if not named:
        as_written = all(first.fits(one) and second.fits(other) for _, one, other in body)
        turned = not as_written and all(
            first.fits(other) and second.fits(one) for _, one, other in body
        )
    if turned:
        body = [(number, other, one) for number, one, other in body]
    return Pairs(body, named)


def _split_row(path: Path, number: int, line: str, separator: str | None) -> list[str]:
    if separator is None:
        return line.split(None, 1)
    try:
        return next(csv.reader([line], delimiter=separator, strict=True))
    except csv.Error as error:
        raise DataError(f"{path}:{number}: {error}.") from None


def _of_json(path: Path, text: str) -> Pairs:
    """The keys and values of a JSON object, with the lines of the keys."""
    document = parsed_json(text, str(path))
    if not isinstance(document, dict) or not all(
        isinstance(value, str | int | float) for value in document.values()
    ):
        raise DataError(f"{path}: expected an object of names and numbers, or a table.")
    rows, at = [], 0
    for key, value in document.items():
        at = max(at, text.find(json.dumps(key, ensure_ascii=False), at))
        rows.append((text.count("\n", 0, at) + 1, key.strip(), str(value)))
    return Pairs(rows, True)


def table_rows(path: Path, first: Column, second: Column) -> list[tuple[int, str, str]]:
    """The rows of ``read_pairs``."""
    return read_pairs(path, first, second).rows


def write_table(path: Path, columns: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a comma-separated table with a header, whole or not at all."""
    write_text(path, table_text(columns, rows))


def table_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A comma-separated table with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(rows)
    return text.getvalue()


def checked_wnid(text: str, path: Path, line: int) -> str:
    """The text if it has a wnid's form, else DataError naming file and line."""
    if not WNID.match(text):
        raise DataError(f"{path}:{line}: {shown(text)} is not a wnid (n and 8 digits).")
    return text


def whole_number(text: str, what: str, path: Path, line: int) -> int:
    """A number of at least 0 in ASCII digits, else DataError naming file and line."""
    number = whole(text)
    if number is None or not 0 <= number < 2**63:
        raise DataError(
            f"{path}:{line}: {what} must be a whole number of at least 0, not {shown(text)}."
        )
    return number


def finite_number(text: str, what: str, path: Path, line: int) -> float:
    """The number that a cell holds; DataError names file and line of what is none, or not
    finite."""
    found = decimal(text)
    if found is None or not math.isfinite(found):
        raise DataError(f"{path}:{line}: {what} must be a number, not {shown(text)}.")
    return found


class UniqueKeys:
    """Refuses a key that was seen before, naming both lines."""

    def __init__(self, path: Path):
        self._path = path
        self._lines: dict[str, int] = {}

    def add(self, key: str, line: int) -> None:
        first = self._lines.setdefault(key, line)
        if first != line:
            said = duplicate_message(key, f"line {first}", f"line {line}")
            raise DataError(f"{self._path}:{line}: {said}")


def read_values(path: Path) -> dict[str, float]:
    """A wnid,value table; DataError names file and line of a wrong wnid, a repeated one, or what is
    not a finite number."""
    once, values = UniqueKeys(path), {}
    for line, wnid, text in table_rows(path, WNIDS, Column("value", (), is_count)):
        once.add(checked_wnid(wnid, path, line), line)
        values[wnid] = finite_number(text, f"the value of {wnid}", path, line)
    return values

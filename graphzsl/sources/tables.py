"""Shared parts of the readers (and writers) of tables and wnid lists: columns, line numbers,
wnids."""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from graphzsl.common.checked_names import shown
from graphzsl.common.class_entries import duplicate_message
from graphzsl.common.errors import DataError
from graphzsl.common.files import read_lines, write_text
from graphzsl.common.reading.number_texts import decimal, whole

WNID = re.compile(r"n[0-9]{8}\Z")


def table_rows(path: Path, columns: tuple[str, str]) -> Iterator[tuple[int, str, str]]:
    """(line number, first, second) of a table with two columns, separated by a tab or a comma.

    A first line that repeats the column names is a header. DataError names file and line of
    anything else.
    """
    lines = read_lines(path)
    if not lines:
        raise DataError(f"{path} is empty; expected a table with the columns {', '.join(columns)}.")
    separator = "\t" if "\t" in lines[0][1] else ","
    head = list(columns)
    for index, (number, line) in enumerate(lines):
        try:
            row = next(csv.reader([line], delimiter=separator, strict=True))
        except csv.Error as error:
            raise DataError(f"{path}:{number}: {error}.") from None
        if index == 0 and [cell.strip().lower() for cell in row] == head:
            continue
        if len(row) != 2:
            raise DataError(
                f"{path}:{number}: expected {' and '.join(columns)}, separated by a tab or a comma;"
                f" got {shown(line)}."
            )
        yield number, row[0].strip(), row[1].strip()


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
    for line, wnid, text in table_rows(path, ("wnid", "value")):
        once.add(checked_wnid(wnid, path, line), line)
        values[wnid] = finite_number(text, f"the value of {wnid}", path, line)
    return values

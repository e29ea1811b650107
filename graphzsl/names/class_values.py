"""Values of classes from a file: a wnid,value table, or a column of a run's table of classes."""

from __future__ import annotations

import csv
import math
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from graphzsl.common.checked_names import check_class_names
from graphzsl.common.errors import DataError
from graphzsl.common.reading.number_texts import number_of
from graphzsl.common.reading.parquet_files import read_parquet
from graphzsl.common.text_files import open_text
from graphzsl.sources.tables import UniqueKeys, read_values

#: Columns with the share of the image that an object takes: of ``graphzsl study ilsvrc boxes
#: --each``, or of any table.
VALUE_COLUMNS = ("scale_share", "value")


def class_values(path: Path, column: str = "hit@1") -> dict[str, float]:
    """wnid -> one column of a class table (.parquet or .csv), or the value of a plain wnid,value
    table.

    Classes for which the column is empty are absent. DataError names the file, and the columns
    there are or the line.
    """
    path = Path(path)
    if path.suffix != ".parquet" and not _has_header(path):
        return read_values(path)
    rows = read_class_rows(path, ("wnid", column))
    once, values = UniqueKeys(path), {}
    for line, row in enumerate(rows, 2):
        once.add(row["wnid"], line)
        value = _number(row[column])
        if value is None:
            continue
        if not math.isfinite(value):
            raise DataError(
                f"{path}:{line}: {column} of {row['wnid']} must be a number, not {row[column]!r}."
            )
        values[row["wnid"]] = value
    return values


def file_values(text: str, columns: Sequence[str] = ("hit@1",)) -> dict[str, float] | None:
    """wnid -> value of a wnid,value table, or of a column of a table of classes; None where there
    is no such file.

    Args:
        text: ``FILE`` or ``FILE:COLUMN``.
        columns: without ``:COLUMN`` the first of these that the table has.

    Raises:
        DataError: as ``class_values``; or the table has none of the columns.
    """
    if not Path(text).is_file():
        file, _, column = text.rpartition(":")
        return class_values(Path(file), column) if file and Path(file).is_file() else None
    path = Path(text)
    if path.suffix != ".parquet" and not _has_header(path):
        return read_values(path)
    there = _table(path)[1]
    known = next((name for name in columns if name in there), None)
    if known is None:
        raise DataError(
            f"{path} has no column {' or '.join(columns)}; it has {', '.join(there)}. Name one of"
            f" those, as in {path}:{there[-1]}."
        )
    return class_values(path, known)


def class_kinds(text: str) -> dict[str, str] | None:
    """wnid -> text of a column of a table of classes, ``FILE:COLUMN``, such as the relation of
    ``graphzsl split overlap``; None where the column holds a number, or there is no such file.

    DataError where a class has two rows.
    """
    file, _, column = text.rpartition(":")
    if not file or not Path(file).is_file():
        return None
    once, kinds = UniqueKeys(Path(file)), {}
    for line, row in enumerate(read_class_rows(Path(file), ("wnid", column)), 2):
        once.add(row["wnid"], line)
        if row[column] not in (None, ""):
            kinds[row["wnid"]] = str(row[column])
    return None if any(number_of(kind) is not None for kind in kinds.values()) else kinds


def class_name_column(path: Path) -> dict[str, str]:
    """wnid -> name, of a class table that was made with a hierarchy; empty for any other table."""
    path = Path(path)
    if path.suffix != ".parquet" and not _has_header(path):
        return {}
    rows = read_class_rows(path, ("wnid",))
    return {row["wnid"]: row["name"] for row in rows if row.get("name")}


def _has_header(path: Path) -> bool:
    try:
        with open_text(path) as file:
            return len(file.readline().split(",")) > 2
    except FileNotFoundError:
        raise DataError(
            f"{path} does not exist. Expected a table of classes, or wnid,value lines."
        ) from None


def read_class_rows(path: Path, needed: Collection[str]) -> list[dict[str, Any]]:
    """The rows of a table of classes, .parquet or .csv with a header, whose cells are texts in the
    latter; DataError for a file that is none, or lacks one of the columns needed."""
    rows, columns = _table(path)
    missing = [name for name in needed if name not in columns]
    if missing:
        raise DataError(
            f"{path} has no column {missing[0]}; it has {', '.join(columns)}. Choose one of those."
        )
    if "wnid" in columns:
        check_class_names((row["wnid"] for row in rows), f"{path}: wnid")
    return rows


def _table(path: Path) -> tuple[list[dict[str, Any]], list[str]]:
    """(rows, names of the columns) of a table of classes."""
    try:
        if path.suffix == ".parquet":
            wanted = "Expected a table of classes of `graphzsl evaluate`."
            table = read_parquet(path, expected=wanted)
            rows: list[dict[str, Any]] = table.to_pylist()
            columns = table.column_names
        else:
            with open_text(path) as file:
                reader = csv.DictReader(file)
                rows, columns = list(reader), list(reader.fieldnames or ())
    except FileNotFoundError:
        raise DataError(
            f"{path} does not exist. Expected a table of classes of `graphzsl evaluate`."
        ) from None
    except (pa.ArrowException, OSError, ValueError, csv.Error) as error:
        raise DataError(f"{path}: not a table of classes ({str(error).splitlines()[0]}).") from None
    return rows, columns


def _number(value: Any) -> float | None:
    """The number of a cell; None for an empty cell, nan for what is not a number."""
    if value is None or value == "":
        return None
    number = number_of(value)
    return math.nan if number is None else number

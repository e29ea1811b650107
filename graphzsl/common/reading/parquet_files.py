"""Parquet: tables, as Arrow reads them, of no more values than the file can hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import named_twice
from graphzsl.common.errors import DataError, GraphZSLError
from graphzsl.common.reading import bounds
from graphzsl.common.reading.bounds import (
    LARGEST_RATIO,
    check_memory,
    checked_size,
    first_line,
    memory_error_or,
)

#: Rows that are read at once where a table could be larger than its file.
_ROWS = 1 << 10
#: Bytes of a table for each of its file: a text that is named in every row is packed without end.
#: Tables of predictions, of which columns repeat few texts, have some 15.
_LARGEST_RATIO = 128


def read_parquet(path: Path, columns: Iterable[str] = (), *, expected: str = "") -> Any:
    """A Parquet file, or a folder of them, as a pyarrow Table.

    Arrow's own function for both imports pandas where it is installed, a third of a second.

    Args:
        path: the file or folder; of a folder its ``.parquet`` files, which have the same columns.
        columns: the columns to read; default: all.
        expected: what the file should be, as a sentence for the end of messages.

    Raises:
        DataError: it does not exist, is not Parquet, is damaged, or lacks a column; or it needs
            more memory than its bytes account for, or than this machine has free.
    """
    path, wanted = Path(path), list(columns) or None
    if path.is_dir():
        return _folder(path, wanted, expected)
    return _file(path, wanted, expected)


def _file(path: Path, wanted: list[str] | None, expected: str) -> Any:
    with open_parquet(path, expected) as file:
        names = file.schema_arrow.names
        if (twice := named_twice(names)) is not None:
            raise DataError(f"{path}: two columns are called {twice[:80]!r}.")
        missing = [name for name in wanted or () if name not in names]
        if missing:
            has = ", ".join(name[:80] for name in names[:20]) or "none"
            raise DataError(_said(f"{path}: no column {missing[0]}; it has {has}.", expected))
        table = _table(file, wanted, path)
        table.validate(full=True)  # texts are UTF-8, and lists lie within their values
        return table


#: What Arrow ends in over a damaged file, beside its own errors, and for want of memory.
_UNREADABLE = (MemoryError, OSError, ValueError, TypeError, OverflowError, KeyError)


@contextmanager
def open_parquet(path: Path, expected: str = "") -> Iterator[Any]:
    """An open ``pyarrow.parquet.ParquetFile``; DataError for what is none, also where that shows
    while it is read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        checked_size(path)
        with pq.ParquetFile(path) as file:
            _check_counts(file, path)
            yield file
    except FileNotFoundError:
        raise DataError(_said(f"{path} does not exist.", expected)) from None
    except (pa.ArrowException, *_UNREADABLE) as error:
        raise _unreadable(path, error, expected) from None


def _check_counts(file: Any, path: Path) -> None:
    """DataError for more rows than the file has bytes for, however well they are packed."""
    rows, size = file.metadata.num_rows, Path(path).stat().st_size
    if rows < 0 or rows > max(bounds.HARMLESS // 64, LARGEST_RATIO * size):
        raise ValueError(f"{rows:,} rows in {size:,} bytes")


def _table(file: Any, columns: list[str] | None, path: Path) -> Any:
    """All rows; in parts, and only while they are not much larger than the file, where a text that
    it holds once could be repeated in each row."""
    import pyarrow as pa

    # what the file says of each column ends the process where it is damaged: it is not asked for
    described, size = file.metadata, Path(path).stat().st_size
    if described.num_rows * LARGEST_RATIO * size <= bounds.HARMLESS:
        return file.read(columns)
    parts, held = [], 0
    for part in file.iter_batches(_ROWS, columns=columns):
        held += part.nbytes
        if held > max(4 * bounds.HARMLESS, _LARGEST_RATIO * size):
            raise ValueError(f"{held:,} bytes in {size:,}")
        parts.append(part)
        check_memory(held, str(path))  # as much again is what is made of it
    return pa.Table.from_batches(parts) if parts else file.read(columns)


def _folder(path: Path, columns: list[str] | None, expected: str) -> Any:
    """The tables of a folder's files, in the order of their names, below each other."""
    import pyarrow as pa

    files = sorted(path.glob("*.parquet"))
    if not files:
        raise DataError(_said(f"{path} is a folder without .parquet files.", expected))
    tables, held = [], 0
    for each in files:
        tables.append(_file(each, columns, expected))
        held += tables[-1].nbytes
        check_memory(held, str(path))
    try:
        return pa.concat_tables([table.select(tables[0].column_names) for table in tables])
    except (pa.ArrowException, KeyError, ValueError) as error:
        raise DataError(
            _said(
                f"{path}: {files[0].name} and its other files differ in their columns"
                f" ({first_line(error)}).",
                expected,
            )
        ) from None


def _unreadable(path: Path, error: BaseException, expected: str) -> GraphZSLError:
    damage = DataError(
        _said(f"{path}: not a Parquet file that can be read ({first_line(error)}).", expected)
    )
    return memory_error_or(damage, error, str(path))


def _said(message: str, expected: str) -> str:
    return f"{message} {expected}".rstrip()

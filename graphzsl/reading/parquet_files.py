"""Parquet: tables, as Arrow reads them, of no more values than the file can hold."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphzsl.errors import DataError
from graphzsl.reading import bounds
from graphzsl.reading.bounds import LARGEST_RATIO, check_memory, first_line

#: Rows that are read at once where a table could be larger than its file.
_ROWS = 1 << 10


def read_parquet(path: Path, columns: Iterable[str] = (), *, expected: str = "") -> Any:
    """A Parquet file, or a folder of them, as a pyarrow Table.

    Arrow's own function for both imports pandas where it is installed, a third of a second; this
    one does so for folders alone.

    Args:
        path: the file or folder.
        columns: the columns to read; default: all.
        expected: what the file should be, as a sentence for the end of messages.

    Raises:
        DataError: it does not exist, is not Parquet, is damaged, or lacks a column.
    """
    path, wanted = Path(path), list(columns) or None
    if path.is_dir():
        return _folder(path, wanted, expected)
    with open_parquet(path, expected) as file:
        names = file.schema_arrow.names
        if len(set(names)) < len(names):
            twice = max(names, key=names.count)
            raise DataError(f"{path}: two columns are called {twice[:80]!r}.")
        missing = [name for name in wanted or () if name not in names]
        if missing:
            has = ", ".join(name[:80] for name in names[:20]) or "none"
            raise DataError(_said(f"{path}: no column {missing[0]}; it has {has}.", expected))
        table = _table(file, wanted, path)
        table.validate(full=True)  # texts are UTF-8, and lists lie within their values
        return table


@contextmanager
def open_parquet(path: Path, expected: str = "") -> Iterator[Any]:
    """An open ``pyarrow.parquet.ParquetFile``; DataError for what is none, also where that shows
    while it is read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            _check_counts(file, path)
            yield file
    except FileNotFoundError:
        raise DataError(_said(f"{path} does not exist.", expected)) from None
    except (pa.ArrowException, OSError, ValueError, TypeError, OverflowError, KeyError) as error:
        raise _unreadable(path, error, expected) from None
    except MemoryError as error:
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
        if held > max(4 * bounds.HARMLESS, LARGEST_RATIO * size):
            raise ValueError(f"{held:,} bytes in {size:,}")
        parts.append(part)
        check_memory(part.nbytes, str(path))
    return pa.Table.from_batches(parts) if parts else file.read(columns)


def _folder(path: Path, columns: list[str] | None, expected: str) -> Any:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        for each in sorted(path.glob("*.parquet")):
            with open_parquet(each, expected):
                pass
        return pq.read_table(path, columns=columns)
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError, MemoryError) as error:
        raise _unreadable(path, error, expected) from None


def _unreadable(path: Path, error: BaseException, expected: str) -> DataError:
    return DataError(
        _said(f"{path}: not a Parquet file that can be read ({first_line(error)}).", expected)
    )


def _said(message: str, expected: str) -> str:
    return f"{message} {expected}".rstrip()

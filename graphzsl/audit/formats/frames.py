"""Frames of pandas, polars and Arrow, and Parquet, as tables: without importing what a frame is
of."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow as pa

from graphzsl.audit.formats.arrays import is_missing
from graphzsl.audit.formats.table import Table, check_header
from graphzsl.common.errors import DataError
from graphzsl.common.frames import check_one_level
from graphzsl.common.reading.bounds import first_line
from graphzsl.common.reading.parquet_files import read_parquet

FRAME = "DataFrame"


def table_of_frame(frame: Any) -> Table:
    """A pandas or polars DataFrame, an Arrow table, or whatever gives Arrow's C stream; rows count
    from 0.

    Names of columns are a header, numbers are not. The index of a pandas DataFrame is a column
    where it has a name.

    Raises:
        DataError: it is none of these, or two columns have one name.
    """
    if hasattr(frame, "itertuples"):
        return _of_pandas(frame)
    if isinstance(frame, pa.Table | pa.RecordBatch) or hasattr(frame, "__arrow_c_stream__"):
        try:
            return _of_arrow(pa.table(frame), FRAME, f"{FRAME}:")
        except (TypeError, ValueError, pa.ArrowException) as error:
            raise DataError(f"{FRAME}: Arrow cannot read it ({error}).") from None
    raise DataError(
        f"expected a DataFrame of pandas or polars, or an Arrow table; got {type(frame).__name__}."
        " A confusion matrix is pandas.DataFrame(matrix, classes, classes), with true classes as"
        " rows; true classes come with the predicted ones, the ranked ones or scores of all."
    )


def read_parquet_table(path: Path) -> Table:
    """A Parquet file; rows count from 0.

    Raises:
        DataError: the file is not Parquet, or two columns have one name.
    """
    if not path.is_file():
        raise DataError(
            f"{path} {'is a folder' if path.is_dir() else 'does not exist'}; expected"
            " a Parquet file of predictions."
        )
    table = read_parquet(path)
    try:
        return _of_arrow(table, str(path), f"{path}: row ")
    except (pa.ArrowException, ValueError, OverflowError) as error:
        raise DataError(
            f"{path}: a column holds what Python has no values for ({first_line(error)})."
        ) from None


def _of_pandas(frame: Any) -> Table:
    check_one_level(frame.columns)
    named_index = [name for name in frame.index.names if isinstance(name, str)]
    if named_index and not set(named_index) & set(frame.columns):
        frame = frame.reset_index()
    columns = [_cells(frame.iloc[:, place]) for place in range(frame.shape[1])]
    if any(isinstance(name, str) for name in frame.columns):
        header = [str(name) for name in frame.columns]
        check_header(header, FRAME)
        return Table(FRAME, f"{FRAME}:", header, columns, range(len(frame)))
    return Table(FRAME, f"{FRAME}:", None, columns, range(len(frame)))


def _cells(column: Any) -> list[Any]:
    """The cells of a column; arrays in them as lists, and None for what is missing."""
    return [
        cell.tolist() if hasattr(cell, "tolist") else None if is_missing(cell) else cell
        for cell in column.tolist()
    ]


def _of_arrow(table: Any, source: str, where: str) -> Table:
    header = [str(name) for name in table.column_names]
    check_header(header, source)
    columns = [column.to_pylist() for column in table.columns]
    return Table(source, where, header, columns, range(table.num_rows))

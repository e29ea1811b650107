"""Confusion matrices: tables whose columns are called by the classes of their rows."""

from __future__ import annotations

import csv
import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.formats.roles import role
from graphzsl.audit.formats.table import text_cells
from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import open_file
from graphzsl.common.reading.number_texts import decimal, unsigned

#: Counts, and the classes of rows and columns.
Confusions = tuple[npt.NDArray[np.float64], list[str]]
_HEAD = 65_536


def read_confusions(path: Path) -> Confusions | None:
    """The confusion matrix that a table of text is: its header repeats the first cells of its rows.
    None for any other file.

    The first cell may say what rows and columns are (``true/predicted``, or ``label`` for the
    rows); rows are true classes where it does not. A last row and column of sums are left out.

    Raises:
        DataError: names the line of a row of another class, or of a cell that is no number.
    """
    if not path.is_file() or not _is_confusion_matrix(path):
        return None
    (_, header), *rows = text_cells(path)
    names = header[1:]
    sides = [role(each) for each in re.split(r"[/\\|]", header[0]) if each.strip()]
    if sides[:1] not in ([], ["predicted"]):
        is_square = [cells[0] for _, cells in rows] == names
        are_counts = all(unsigned(cell) is not None for _, cells in rows for cell in cells[1:])
        if not is_square or not are_counts:
            return None  # true classes, and scores of all classes
    if len(rows) != len(names):
        raise DataError(
            f"{path}: a confusion matrix of {len(names):,} columns has {len(rows):,} rows."
        )
    counts = np.empty((len(names), len(names)))
    for row, ((line, cells), name) in enumerate(zip(rows, names, strict=True)):
        if cells[0] != name or len(cells) != len(header):
            raise DataError(
                f"{path}:{line}: expected the row of {name!r}, with {len(names):,} counts, as the"
                f" header has it; got {cells[:3]}."
            )
        for column, cell in enumerate(cells[1:]):
            value = decimal(cell)
            if value is None:
                raise DataError(f"{path}:{line}: {cell!r} is no count.")
            counts[row, column] = value
    return _without_sums(counts.T if sides[:1] == ["predicted"] else counts, names)


def _is_confusion_matrix(path: Path) -> bool:
    with open_file(path) as file:
        lines = file.read(_HEAD).decode("utf-8", "replace").lstrip("\ufeff").splitlines()[:3]
    mark = next((mark for mark in "\t,;" if lines and mark in lines[0]), ",")
    try:
        rows = [[cell.strip() for cell in row] for row in csv.reader(lines, delimiter=mark)]
    except csv.Error:
        return False
    if len(rows) < 3 or len(rows[0]) < 3 or len(rows[0]) != len(rows[1]):
        return False
    names, first = rows[0][1:], rows[1][1:]
    # scores below columns that count, beside rows that count, are no matrix
    is_scores = all(map(str.isdigit, names)) and not all(map(str.isdigit, first))
    return (
        not any(map(role, names))
        and not is_scores
        and names[:2] == [rows[1][0], rows[2][0]]
        and None not in map(decimal, first)
    )


def confusion_frame(frame: Any) -> Confusions | None:
    """The confusion matrix that a frame of pandas is, whose index and columns are the same names;
    None for any other. Rows are true classes, unless the names of index or columns say that they
    are predicted ones."""
    if not hasattr(frame, "itertuples") or frame.shape[0] < 2:
        return None
    names = [str(name) for name in frame.columns]
    if [str(name) for name in frame.index] != names or names == [*map(str, range(len(names)))]:
        return None
    if not {getattr(kind, "kind", "O") for kind in frame.dtypes} <= set("iuf"):
        return None
    counts = frame.to_numpy(dtype=np.float64)
    of_rows, of_columns = (role(str(each.name or "")) for each in (frame.index, frame.columns))
    is_turned = of_rows == "predicted" or of_columns in ("truth", "label")
    return _without_sums(counts.T if is_turned else counts, names)


def _without_sums(counts: npt.NDArray[np.float64], names: list[str]) -> Confusions:
    """A matrix without a last row and column that are the sums of the others."""
    inner = counts[:-1, :-1]
    sums = np.append(inner.sum(axis=0), inner.sum()), np.append(inner.sum(axis=1), inner.sum())
    if (
        len(names) > 2
        and np.array_equal(counts[-1], sums[0])
        and np.array_equal(counts[:, -1], sums[1])
    ):
        return inner, names[:-1]
    return counts, names

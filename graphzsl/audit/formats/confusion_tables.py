"""Confusion matrices: tables whose columns are called by the classes of their rows, and
cross-tabulations, in which a class that is never true or never predicted has no row or column."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.formats.roles import role
from graphzsl.audit.formats.table import text_cells
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.reading.bounds import open_file
from graphzsl.common.reading.number_texts import decimal, unsigned
from graphzsl.common.wording import some

#: Counts, and the classes of rows and columns.
Confusions = tuple[npt.NDArray[np.float64], list[str]]
_HEAD = 65_536
#: What a row or column of sums is called; a class's counts may be the sums of others by chance.
_SUMS = {"all", "total", "totals", "sum", "sums", "support", "count", "n"}


def read_confusions(path: Path) -> Confusions | None:
    """The confusion matrix that a table of text is: its header repeats the first cells of its rows,
    or, where all cells are counts, some of them (``_is_crosstab``). None for any other file.

    The first cell may say what rows and columns are (``true/predicted``, or ``label`` for the
    rows); rows are true classes where it does not. A last row and column of sums are left out.

    Raises:
        DataError: names the line of a row of another class, or of a cell that is no number.
    """
    if not path.is_file() or not _may_be_confusions(path):
        return None
    (_, header), *rows = text_cells(path)
    names, classes = header[1:], [cells[0] for _, cells in rows]
    sides = [role(each) for each in re.split(r"[/\\|]", header[0]) if each.strip()]
    is_turned = sides[:1] == ["predicted"]
    are_counts = _are_whole(cell for _, cells in rows for cell in cells[1:])
    is_whole = all(len(cells) == len(header) for _, cells in rows)
    if classes[:2] == names[:2] and not sides:
        is_whole = False  # a square one that is cut off
    if are_counts and is_whole and _is_crosstab(classes, names, "".join(sides[:1])):
        counts = np.array([cells[1:] for _, cells in rows], dtype=np.float64)
        return _square(counts, classes, names, is_turned, str(path))
    if classes[:2] != names[:2]:
        return None
    if sides[:1] not in ([], ["predicted"]) and (classes != names or not are_counts):
        return None  # true classes, and scores of all classes
    if len(rows) != len(names):
        raise _not_square(classes, names, str(path))
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
    return _square(counts, names, names, is_turned, str(path))


def _not_square(rows: list[str], columns: list[str], source: str) -> DataError:
    extra = [
        f"no {other} is called as the {own} {some(lacking)}"
        for own, other, names, known in (
            ("column", "row", columns, rows),
            ("row", "column", rows, columns),
        )
        if (lacking := [name for name in names if name not in known])
    ]
    found = f"a confusion matrix of {len(columns):,} columns has {len(rows):,} rows"
    return DataError(
        f"{source}: {'; '.join([found, *extra])}. Each class has one of both: leave out whatever"
        " is no class, such as sums, recalls and precisions."
    )


def _may_be_confusions(path: Path) -> bool:
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
    are_counts = _are_whole(first)
    is_scores = _are_whole(names) and not are_counts
    return (
        not any(map(role, names))
        and not is_scores
        and (are_counts or names[:2] == [rows[1][0], rows[2][0]])
        and None not in map(decimal, first[:2])
    )


def _are_whole(texts: Iterable[str]) -> bool:
    return all(unsigned(text) is not None for text in texts)


def _is_crosstab(rows: list[str], columns: list[str], side: str) -> bool:
    """True if counts below ``columns`` and beside ``rows`` are of classes: each is there once, and
    all of one side are on the other side; or, where ``side``, the role of the rows, says that they
    are classes and they are no numbers, some are."""
    one, other = set(rows), set(columns)
    if len(one) < len(rows) or len(other) < len(columns) or side in ("file", "sample"):
        return False
    is_side = side in ("truth", "label", "predicted")
    if _are_whole(columns):
        return is_side and (one <= other or other <= one)
    return one <= other or other <= one or (is_side and not one.isdisjoint(other))


def confusion_frame(frame: Any, source: str) -> Confusions | None:
    """The confusion matrix that a frame of pandas is, whose index and columns are the same names,
    or, where all cells are counts, share some (``_is_crosstab``); None for any other. Rows are true
    classes, unless the names of index or columns say that they are predicted ones."""
    if not hasattr(frame, "itertuples") or frame.shape[0] < 2 or frame.shape[1] < 2:
        return None
    rows, columns = ([str(name) for name in side] for side in (frame.index, frame.columns))
    if not {getattr(kind, "kind", "O") for kind in frame.dtypes} <= set("iuf"):
        return None
    of_rows, of_columns = (role(str(each.name or "")) for each in (frame.index, frame.columns))
    counts = frame.to_numpy(dtype=np.float64)
    if rows != columns or columns == [*map(str, range(len(columns)))]:
        are_counts = bool((counts >= 0).all() and (counts == np.trunc(counts)).all())
        # a matrix with a column of recalls; below a name of rows these are samples and scores
        is_matrix = rows[:2] == columns[:2] and not of_rows and not _are_whole(columns)
        if is_matrix and not are_counts and len(set(rows)) == len(rows) > 2:
            raise _not_square(rows, columns, source)
        if not are_counts or not _is_crosstab(rows, columns, of_rows or of_columns):
            return None
    is_turned = of_rows == "predicted" or of_columns in ("truth", "label")
    return _square(counts, rows, columns, is_turned, source)


def _square(
    counts: npt.NDArray[np.float64],
    rows: list[str],
    columns: list[str],
    is_turned: bool,
    source: str,
) -> Confusions:
    """Counts of all classes, true ones as rows, without a last row and column that are the sums of
    the others; a class that has no row or no column gets one of zeros. DataError where sums of rows
    or columns alone are called so."""
    inner = counts[:-1, :-1]
    sums = np.append(inner.sum(axis=0), inner.sum()), np.append(inner.sum(axis=1), inner.sum())
    if (
        min(counts.shape) > 2
        and np.array_equal(counts[-1], sums[0])
        and np.array_equal(counts[:, -1], sums[1])
    ):
        counts, rows, columns = inner, rows[:-1], columns[:-1]
    if is_turned:
        counts, rows, columns = counts.T, columns, rows
    if rows == columns:
        return counts, columns
    for own, other, matrix in ((rows, columns, counts), (columns, rows, counts.T)):
        is_sum = np.array_equal(matrix[-1], matrix[:-1].sum(axis=0))
        if own[-1] not in other and own[-1].casefold() in _SUMS and is_sum:
            raise _not_square(rows, columns, source)
    names = list(dict.fromkeys((*columns, *rows)))
    for side, said in ((set(rows), "true"), (set(columns), "predicted")):
        if lacking := [name for name in names if name not in side]:
            log(f"{source}: no sample is {said} {some(lacking)}, in the confusion matrix.")
    numbers = {name: unsigned(name) for name in names}
    if None not in numbers.values():
        names.sort(key=lambda name: numbers[name] or 0)
    place = {name: number for number, name in enumerate(names)}
    square = np.zeros((len(names), len(names)))
    square[np.ix_([place[name] for name in rows], [place[name] for name in columns])] = counts
    return square, names

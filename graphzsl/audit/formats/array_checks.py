"""Checks of arrays of predictions: missing cells, texts, rows of different lengths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.reading.number_texts import DECIMAL, FRACTION
from graphzsl.common.wording import counted


def is_missing(cell: Any) -> bool:
    """True if a cell is None, nan, or a missing value of pandas."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, float | np.floating) and bool(np.isnan(cell))


def check_are_scores(array: npt.NDArray[Any]) -> None:
    """DataError for what is no array of numbers: texts, or what is true or false."""
    if array.dtype.kind in "iuf":
        return
    if array.dtype.kind == "b":
        said = "True and False, which rank nothing. Give the scores that they were made of"
    elif array.dtype.kind == "U" and array.size:
        said = f"texts, such as {str(array.ravel()[0])!r}. Give floats: values.astype(float)"
    else:
        said = str(array.dtype)
    raise DataError(f"scores must be numbers [N, C]: they are {said}.", argument="scores")


def check_width(columns: int, candidates: int, source: str = "") -> None:
    """DataError for scores of more or fewer classes than there are candidates, wherever they come
    from."""
    if columns != candidates:
        is_or_are = "is" if columns == 1 else "are"
        raise DataError(
            f"{source}there {is_or_are} {counted(columns, 'column')} of scores for"
            f" {counted(candidates, 'candidate')}. Give the candidates in the order of the scores.",
            argument="candidates",
        )


def check_no_scores(array: npt.NDArray[Any], known: Iterable[Any], source: str) -> None:
    """DataError for lists that are scores of a kind that cannot be read: texts of numbers with a
    fraction, numbers beside names, what is true or false."""
    if array.ndim == 2 and array.dtype.kind == "b":
        raise DataError(
            f"{source}predictions {list(array.shape)} are True and False, which are neither classes"
            " nor scores. Give the scores that they were made of, or the classes that are true."
        )
    if array.dtype.kind == "f" and array.ndim == 2:
        fractions = np.isfinite(array) & (array != np.trunc(array))
        if fractions.any():
            row, column = np.argwhere(fractions)[0].tolist()
            raise DataError(
                f"{source}sample {row}: {array[row, column]:g} is a number and no class. Where it"
                " is a score, give scores, one per candidate."
            )
    if array.dtype.kind != "U" or not array.size:
        return
    cells = [each for each in dict.fromkeys(array.ravel().tolist()) if FRACTION.fullmatch(each)]
    names = {str(each) for each in known}
    fractions = [each for each in cells if each not in names]
    if not fractions:
        return
    place = np.argwhere(array == fractions[0])[0].tolist()
    others = [each for each in array[place[0]].ravel().tolist() if not DECIMAL.fullmatch(each)]
    said = f"{source}sample {place[0]}: {fractions[0]!r} is a number and no class"
    if others:
        raise DataError(
            f"{said}, and {others[0]!r} stands beside it. Predictions are classes, or scores, which"
            " are floats."
        )
    raise DataError(f"{said}. Where it is a score, give scores, one per candidate, as floats.")


def check_even(rows: Sequence[Sequence[Any]], source: str) -> None:
    """DataError for scores of which some are missing: floats with a fraction are no classes."""
    cells = [cell for row in rows for cell in row if not is_missing(cell)]
    if not all(isinstance(cell, float | np.floating) for cell in cells):
        return
    if all(np.isinf(cell) or float(cell).is_integer() for cell in cells):
        return
    width = max(map(len, rows))
    for place, row in enumerate(rows):
        held = sum(not is_missing(cell) for cell in row)
        if held < width:
            raise DataError(
                f"{source}sample {place} has {held:,} of {width:,} scores. Each sample has one"
                " score per candidate."
            )


def lists_of_classes(y_true: Any) -> list[list[Any]] | None:
    """The true classes of each sample, where some samples have a list of them: those without one
    have none, and a class by itself is a list of one. None where no sample has a list."""
    if hasattr(y_true, "tolist") and str(getattr(y_true, "dtype", "")) == "object":
        y_true = y_true.tolist()
    if not isinstance(y_true, list | tuple):
        return None
    kinds = (list, tuple, set, frozenset, np.ndarray)
    if not any(isinstance(each, kinds) for each in y_true):
        return None
    if all(isinstance(each, kinds) and len(each) == 1 for each in y_true):
        return None  # one each, [N, 1]
    lists = [
        sorted(each, key=str)
        if isinstance(each, set | frozenset)
        else [*each]
        if isinstance(each, kinds)
        else [each]
        for each in y_true
    ]
    check_no_marks(lists)
    return lists


def check_no_marks(lists: Sequence[Sequence[Any]]) -> None:
    """DataError for lists that mark each candidate with 0 or 1: they are no classes."""
    sizes = {len(each) for each in lists}
    if len(sizes) > 1 or max(sizes, default=0) < 2:
        return
    cells = {str(cell) for each in lists for cell in each}
    if cells <= {"0", "1", "True", "False"} and any(len(set(each)) < len(each) for each in lists):
        raise DataError(
            f"The true classes are lists of {max(sizes)} marks, 0 or 1. Give the classes that are"
            " true: their names, or their positions in the candidates."
        )


def of_other_length(values: Any) -> str:
    """Which row of a list is not like the first."""
    rows = [len(row) if isinstance(row, list | tuple | np.ndarray) else 0 for row in values]
    row = next((row for row, size in enumerate(rows) if size != rows[0]), None)
    if row is None:
        return ", or cells of different kinds"
    sizes = [
        f"{size:,} in row {at}" if size else f"no list in row {at}"
        for at, size in ((0, rows[0]), (row, rows[row]))
    ]
    return f": {sizes[0]}, {sizes[1]}"

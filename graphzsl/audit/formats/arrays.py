"""Arrays, tensors, series and lists of names or numbers as arrays of numpy, and their checks:
missing cells, texts, rows of different lengths."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from graphzsl.audit.formats.table import texts
from graphzsl.common.checked_names import check_kind
from graphzsl.common.class_entries import is_number
from graphzsl.common.errors import DataError
from graphzsl.common.reading.number_texts import FRACTION
from graphzsl.common.wording import counted

#: How numpy writes what is missing into an array of text.
_NONE = ("nan", "None", "<NA>", "NaT")
#: What an array of predictions holds.
Kind = Literal["predicted", "ranked", "scores"]


def as_array(values: Any, what: str) -> npt.NDArray[Any]:
    """A numpy array of arrays, tensors (on any device, with or without gradients), series and
    lists. What is missing or masked is nan among floats and an empty text among names.

    Raises:
        DataError: ``what`` is no array: rows of different lengths, objects, or names among numbers
            with a fraction.
    """
    array = plain_array(values, what)
    check_kind(array, what)
    if array.dtype == object and array.ndim == 1 and _are_rows(array):
        return as_array([list(row) for row in array], what)
    if array.dtype == object:
        cells = ["" if is_missing(each) else each for each in array.ravel()]
        if (numbers := _numbers(cells)) is not None:
            return numbers.reshape(array.shape)
        if not all(isinstance(each, str) or is_number(each) for each in cells):
            kind = type(values).__name__ if array.ndim == 0 else array.dtype
            raise DataError(f"{what} must be names or numbers; got {kind}.")
        for each in cells:
            if isinstance(each, float | np.floating) and not float(each).is_integer():
                raise DataError(f"{what} hold names and the number {each}, which is none.")
        array = np.array(texts(cells), dtype=str).reshape(array.shape)
    if array.dtype.kind not in "ST":
        return array
    try:
        return np.char.decode(array, "utf-8") if array.dtype.kind == "S" else array.astype(str)
    except UnicodeDecodeError:
        raise DataError(
            f"{what} hold bytes that are not UTF-8 text. Save them as text,"
            " numpy.array(values, dtype=str)."
        ) from None


def plain_array(values: Any, what: str) -> npt.NDArray[Any]:
    """Array that numpy makes of the values of a list, tensor, series or frame."""
    if hasattr(values, "detach"):
        values = _of_tensor(values, what)
    elif hasattr(values, "to_numpy"):
        try:
            values = values.to_numpy()
        except ValueError:  # of an array of Arrow, which copies only where it is asked to
            values = values.to_numpy(zero_copy_only=False)
    elif isinstance(values, Sequence) and values and hasattr(values[0], "detach"):
        values = [as_array(each, what) for each in values]
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        hidden, values = values.mask, values.data.astype(object)
        values[hidden] = None
    try:
        array = np.asarray(values)
    except ValueError:
        raise DataError(f"{what} are rows of different lengths{of_other_length(values)}.") from None
    if array.dtype.kind == "T":  # texts of any length, among which None may be
        return array.astype(object)
    if array.dtype.kind == "U" and isinstance(values, list | tuple) and np.isin(array, _NONE).any():
        return np.array(values, dtype=object)  # in which nan is no text
    return array


def _of_tensor(tensor: Any, what: str) -> Any:
    try:
        values = tensor.detach().cpu()
        if values.is_floating_point() and values.itemsize < 4:
            values = values.float()  # numpy lacks bfloat16 and the floats of 8 bits
        return values.numpy()
    except (TypeError, RuntimeError, NotImplementedError) as error:
        said = str(error).splitlines()[0].removesuffix(".")
        raise DataError(f"{what}: numpy cannot read this tensor ({said}).") from None


def _numbers(cells: list[Any]) -> npt.NDArray[Any] | None:
    """Numbers of the cells, nan for empty ones; None if a cell is neither."""
    missing = [isinstance(cell, str) and not cell for cell in cells]
    pairs = list(zip(cells, missing, strict=True))
    if all(missing) or not all(gone or is_number(cell) for cell, gone in pairs):
        return None
    numbers = np.array([np.nan if gone else cell for cell, gone in pairs])
    return None if numbers.dtype == object else numbers


def _are_rows(array: npt.NDArray[Any]) -> bool:
    """True if all cells of a series are lists, all of one length."""
    if not all(isinstance(each, list | tuple | np.ndarray) for each in array):
        return False
    return len({len(each) for each in array}) == 1


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
    """DataError for lists that hold scores in place of classes: True and False, or numbers with a
    fraction, also as texts, that no class is called by."""
    is_text = array.dtype.kind == "U"
    if not is_text and (array.ndim != 2 or array.dtype.kind not in "bf"):
        return
    names = {str(each) for each in known}
    wrong = [
        cell
        for cell in dict.fromkeys(array.ravel().tolist())
        if isinstance(cell, bool) or (FRACTION.fullmatch(str(cell)) and str(cell) not in names)
    ]
    if wrong:
        row = int(np.argwhere(array == wrong[0])[0][0])
        raise DataError(
            f"{source}sample {row}: {wrong[0]!r} is no class. Where it is a score, give scores, one"
            " per candidate, as floats."
        )


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


def of_other_length(values: Any) -> str:
    """Find the row of a list that is not like the first."""
    rows = [len(row) if isinstance(row, list | tuple | np.ndarray) else 0 for row in values]
    row = next((row for row, size in enumerate(rows) if size != rows[0]), None)
    if row is None:
        return ", or cells of different kinds"
    sizes = [
        f"{size:,} in row {at}" if size else f"no list in row {at}"
        for at, size in ((0, rows[0]), (row, rows[row]))
    ]
    return f": {sizes[0]}, {sizes[1]}"

"""Arrays of numpy, torch, pandas or polars, and .npz files, as arrays of predictions whose shapes
fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from graphzsl.audit.formats.array_checks import (
    check_are_scores,
    check_even,
    check_no_scores,
    is_missing,
    lists_of_classes,
    of_other_length,
)
from graphzsl.audit.formats.table import texts
from graphzsl.audit.ranked_lists import (
    Rename,
    columns_of,
    renamed,
    whole_numbers,
)
from graphzsl.common.checked_names import check_kind
from graphzsl.common.class_entries import is_number
from graphzsl.common.errors import DataError

#: How numpy writes what is missing into an array of text.
_NONE = ("nan", "None", "<NA>", "NaT")
#: What an array of predictions holds.
Kind = Literal["predicted", "ranked", "scores"]
Ints = npt.NDArray[np.int64]


def as_array(values: Any, what: str) -> npt.NDArray[Any]:
    """A numpy array of arrays, tensors (on any device, with or without gradients), series and
    lists. What is missing or masked is nan among floats and an empty text among names.

    Raises:
        DataError: ``what`` is no array: rows of different lengths, objects, or names among numbers
            with a fraction.
    """
    array = _plain(values, what)
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


def _plain(values: Any, what: str) -> npt.NDArray[Any]:
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


@dataclass(frozen=True, eq=False)
class PredictionArrays:
    """Arrays of predictions: ``labels`` [N]; ``scores`` [N, C], or ``lists`` [N] of arrays, best
    first; ``classes`` [C], names or numbers. Where samples have several true classes there is a row
    for each, and ``sample_of`` [N] is its sample."""

    labels: npt.NDArray[Any]
    scores: npt.NDArray[Any] | None
    lists: list[npt.NDArray[Any]]
    classes: npt.NDArray[Any] | None
    own_classes: bool = False  #: they stand beside the predictions, under the same names
    wanted: list[str] | None = None  #: the candidates, where the own classes are others
    source: str = ""  #: what messages begin with
    sample_of: Ints | None = None
    samples: int = 0

    def place(self, row: int) -> str:
        """Name of a sample in messages."""
        return f"{self.source}sample {row if self.sample_of is None else self.sample_of[row]}"

    def _first_place(self, name: str) -> str:
        """Where a name stands first."""
        for row, label in enumerate(self.labels.tolist()):
            if label == name or (row < len(self.lists) and name in self.lists[row].tolist()):
                return self.place(row)
        return f"{self.source}the classes"

    def renamed(self, rename: Rename) -> PredictionArrays:
        """Copy with other names; ``rename`` is called once."""
        named = [self.labels, *self.lists, *([self.classes] if self.own_classes else [])]
        texts_in = [each.tolist() for each in named if each is not None and each.dtype.kind == "U"]
        names = list(dict.fromkeys(chain.from_iterable(texts_in)))
        changed_names = renamed(names, rename, self._first_place) if names else []
        new = dict(zip(names, changed_names, strict=True))

        def changed(array: npt.NDArray[Any]) -> npt.NDArray[Any]:
            if array.dtype.kind != "U" or not array.size:
                return array
            return np.array([new[name] for name in array.tolist()])

        return replace(
            self,
            labels=changed(self.labels),
            lists=[changed(each) for each in self.lists],
            classes=changed(self.classes)
            if self.own_classes and self.classes is not None
            else self.classes,
        )


def given_arrays(
    y_true: Any,
    values: Any,
    kind: Kind,
    classes: Sequence[Any] | None = None,
    *,
    y_scores: Any = None,
    source: str = "",
) -> PredictionArrays:
    """Arrays whose shapes fit.

    Args:
        y_true: [N] names, or positions in the classes, where these are not numbers themselves; or
            lists of them, where several are true of a sample.
        values: by ``kind``, "scores" [N, C], "ranked" lists [N, K] of names or positions (lists of
            different lengths too), or "predicted" classes [N].
        kind: what ``values`` are.
        classes: [C] what scores and positions stand for: names (texts), or numbers.
        y_scores: [N, K] scores of ranked lists, by which they are sorted; equal ones as they stand.
        source: what messages begin with.

    Raises:
        DataError: shapes do not fit, or a score is not a number.
    """
    labels, sample_of, count = _true_classes(y_true, source)
    if isinstance(values, str | bytes):
        raise DataError(
            f"{source}predictions are the text {values!r}, and not an array of classes [N], lists"
            " [N, K] or scores [N, C]."
        )
    known = None if classes is None else _classes(classes, source)
    each = np.arange(count) if sample_of is None else sample_of
    if kind == "scores":
        scores = as_array(values, f"{source}predictions")
        check_are_scores(scores)
        if sample_of is not None:
            if len(scores) != count:
                raise DataError(f"{source}scores {scores.shape} do not fit {count:,} samples.")
            if np.isnan(scores).any():
                row = int(np.argwhere(np.isnan(scores))[0, 0])
                raise DataError(f"{source}a score of sample {row} is not a number.")
            scores = scores[each]
        return PredictionArrays(
            labels, scores, [], known, source=source, sample_of=sample_of, samples=count
        )
    rows = _lists(values, kind, known, labels, source)
    if len(rows) != count:
        raise DataError(f"{source}{len(rows):,} lists do not fit {count:,} labels.")
    if y_scores is not None:
        rows = _sorted(rows, as_array(y_scores, f"{source}scores"), source)
    rows = [_whole_row(row, f"{source}sample {place}") for place, row in enumerate(rows)]
    lists = [rows[place] for place in each.tolist()]
    return PredictionArrays(
        labels, None, lists, known, source=source, sample_of=sample_of, samples=count
    )


def _true_classes(y_true: Any, source: str) -> tuple[npt.NDArray[Any], Ints | None, int]:
    """([N] true classes, None, N); or, where samples have several, ([E] all of them behind each
    other, [E] the sample of each, N)."""
    sample_of, count = None, 0
    several = lists_of_classes(y_true)
    if several is not None:
        count = len(several)
        sample_of = np.repeat(np.arange(count), [len(row) for row in several])
        y_true = [*chain.from_iterable(several)]
    labels = as_array(y_true, f"{source}y_true")
    if not labels.size:
        raise DataError(f"{source}there is no sample: the true classes (y_true, labels) are empty.")
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise DataError(
            f"{source}the true classes (y_true, labels) must be one per sample [N]; got the shape"
            f" {labels.shape}. Where several are true of a sample, give a list of classes each."
        )
    at = range(len(labels)) if sample_of is None else sample_of.tolist()
    labels = whole_numbers(labels, lambda row: f"{source}sample {at[row]}: the true class")
    if labels.dtype.kind == "U" and (labels == "").any():
        missing = int(np.flatnonzero(labels == "")[0])
        raise DataError(f"{source}sample {at[missing]}: the true class is missing.")
    return labels, sample_of, count if several is not None else len(labels)


def _lists(
    values: Any,
    kind: Kind,
    known: npt.NDArray[Any] | None,
    labels: npt.NDArray[Any],
    source: str,
) -> list[npt.NDArray[Any]]:
    """[N] arrays of classes, best first."""
    rows = _ragged(values, source)
    if rows is not None:
        if kind == "predicted" and any(len(row) > 1 for row in rows):
            raise _not_one_class(source, "lists")
        return rows
    given = as_array(values, f"{source}predictions")
    check_no_scores(given, (*(() if known is None else known.tolist()), *labels.tolist()), source)
    if kind == "predicted" and given.ndim == 2 and given.shape[1] > 1:
        raise _not_one_class(source, f"the shape {given.shape}")
    if given.ndim not in (1, 2):
        raise DataError(
            f"{source}predictions of the shape {given.shape} are no classes [N] and no lists"
            " [N, K]."
        )
    rows = list(given[:, None] if given.ndim == 1 else given)
    if (given == "").any() if given.dtype.kind == "U" else (given != given).any():
        rows = [_truncate_at_missing(row, place, source) for place, row in enumerate(rows)]
    if given.ndim == 2 and known is not None:
        _check_positions(given, known, source)
    return rows


def _not_one_class(source: str, what: str) -> DataError:
    return DataError(
        f"{source}predicted holds one class per sample [N]; got {what}. Lists of classes, best"
        " first, are ranked; scores of all classes are scores."
    )


def _whole_row(row: npt.NDArray[Any], place: str) -> npt.NDArray[Any]:
    return whole_numbers(row, lambda _: f"{place}: a predicted class")


def _classes(classes: Any, source: str) -> npt.NDArray[Any]:
    """[C] names or numbers of classes."""
    found = as_array(classes, f"{source}classes")
    if found.ndim != 1:
        raise DataError(
            f"{source}classes must be one name or number per class [C]; got the shape"
            f" {found.shape}."
        )
    found = whole_numbers(found, lambda row: f"{source}candidate {row}")
    if found.dtype.kind == "U" and (found == "").any():
        raise DataError(f"{source}candidate {np.flatnonzero(found == '')[0]} is missing.")
    return found


def scores_follow_list_order(
    scores: npt.NDArray[Any], lists: npt.NDArray[Any], classes: Sequence[Any] | None
) -> bool:
    """True if scores beside ranked lists belong to the places of the lists; False if each column of
    scores belongs to a class.

    Scores with one column for each of ``classes`` are those of the classes. One exception: beside
    lists of all classes, scores that fall from place to place, and would not fall in the order of
    the lists, are those of the places.
    """
    if classes is None or scores.ndim != 2 or scores.shape[1] != len(classes):
        return True
    if lists.shape != scores.shape or scores.dtype.kind not in "iuf" or scores.shape[1] < 2:
        return False
    columns: Any = lists
    if lists.dtype.kind == "U":
        names = texts(np.asarray(classes).tolist())
        columns = columns_of(lists.ravel().tolist(), names).reshape(lists.shape)
    if columns.dtype.kind not in "iuf" or not np.isfinite(columns).all():
        return False
    columns = columns.astype(np.int64)
    if (np.sort(columns, axis=1) != np.arange(len(classes))).any():
        return False
    by_class = np.take_along_axis(scores, columns, axis=1)
    falls = [(each[:, 1:] <= each[:, :-1]).all() for each in (scores, by_class)]
    return bool(falls[0] and not falls[1])


def _ragged(values: Any, source: str) -> list[npt.NDArray[Any]] | None:
    """Lists of different lengths, or that end in missing cells; None for whatever is an array."""
    if hasattr(values, "to_numpy"):
        values = _plain(values, f"{source}predictions")
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = values.tolist()
        values = [each.tolist() if isinstance(each, np.ndarray) else each for each in values]
    if not isinstance(values, list | tuple) or not values:
        return None
    if not all(isinstance(each, list | tuple) for each in values):
        return None
    if len({len(each) for each in values}) == 1:
        kinds = set(map(type, chain.from_iterable(values)))
        if all(issubclass(kind, str | int | np.integer) for kind in kinds):
            return None
        if not any(is_missing(cell) for row in values for cell in row):
            return None
    check_even(values, source)
    return [_truncate_at_missing(list(row), place, source) for place, row in enumerate(values)]


def _truncate_at_missing(row: Any, place: int, source: str) -> npt.NDArray[Any]:
    """A list up to its first missing cell; DataError where others follow it."""
    gaps = [is_missing(cell) or (isinstance(cell, str) and not cell) for cell in row]
    if not any(gaps):
        return row if isinstance(row, np.ndarray) else as_array(row, f"{source}predictions")
    end = gaps.index(True)
    if not all(gaps[end:]):
        raise DataError(
            f"{source}sample {place}: place {end + 1} of the predictions is empty, and later ones"
            " are not."
        )
    if isinstance(row, np.ndarray):
        return row[:end]
    return as_array(row[:end], f"{source}predictions")


def _check_positions(given: npt.NDArray[Any], classes: npt.NDArray[Any], source: str) -> None:
    """DataError for integers that are as many as the classes, but no positions in them: scores."""
    if given.dtype.kind not in "iu" or classes.dtype.kind in "iu":
        return
    width = given.shape[1]
    outside = (given < 0) | (given >= width)
    if width == len(classes) > 1 and outside.any():
        row, column = np.argwhere(outside)[0].tolist()
        raise DataError(
            f"{source}sample {row}: {given[row, column]} is not a position from 0 to"
            f" {width - 1:,} in the classes, and these are said to be ranked lists of positions."
            " Give scores as scores."
        )


def _sorted(
    rows: list[npt.NDArray[Any]], scores: npt.NDArray[Any], source: str
) -> list[npt.NDArray[Any]]:
    """Lists by their scores, the largest first; equal ones as they stand."""
    if scores.ndim != 2 or len(scores) != len(rows) or {len(r) for r in rows} != {scores.shape[1]}:
        raise DataError(f"{source}scores {scores.shape} do not fit {len(rows):,} lists.")
    values = scores.astype(np.float64)
    bad = np.flatnonzero(np.isnan(values).any(axis=1))
    if len(bad):
        raise DataError(f"{source}a score of sample {bad[0]} is not a number.")
    order = np.argsort(-values, axis=1, kind="stable")
    return [row[places] for row, places in zip(rows, order, strict=True)]

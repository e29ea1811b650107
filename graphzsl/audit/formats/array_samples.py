"""Arrays of predictions as samples: their shapes fit, and their types say what is a number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.class_names import columns_of, whole_numbers
from graphzsl.audit.formats.arrays import (
    Kind,
    as_array,
    check_are_scores,
    check_even,
    check_no_scores,
    check_width,
    is_missing,
    plain_array,
)
from graphzsl.audit.formats.build import name_labels
from graphzsl.audit.formats.samples import Ints, Samples, are_several, several_classes
from graphzsl.audit.formats.table import Table, check_no_gap, texts
from graphzsl.common.errors import DataError
from graphzsl.common.wording import listed


def samples_of_arrays(
    y_true: Any,
    values: Any,
    kind: Kind,
    classes: Sequence[Any] | None = None,
    *,
    beside: bool = False,
    y_scores: Any = None,
    source: str = "",
) -> Samples:
    """Samples of arrays whose shapes fit.

    Args:
        y_true: [N] names, or positions in the classes, where these are not numbers themselves; or
            lists of them, where several are true of a sample.
        values: by ``kind``, "scores" [N, C], "ranked" lists [N, K] of names or positions (lists of
            different lengths too), or "predicted" classes [N].
        kind: what ``values`` are.
        classes: [C] what scores and positions stand for: names (texts), or numbers.
        beside: the classes stand beside the predictions, under the same names.
        y_scores: [N, K] scores of ranked lists, by which they are sorted; equal ones as they stand.
        source: what messages call the file.

    Raises:
        DataError: shapes do not fit, or a score is not a number.
    """
    head = f"{source}: " if source else ""
    labels, sample_of, count = _true_classes(y_true, head)
    if isinstance(values, str | bytes):
        raise DataError(
            f"{head}predictions are the text {values!r}, and not an array of classes [N], lists"
            " [N, K] or scores [N, C]."
        )
    own = np.zeros(0, dtype=np.int64) if classes is None else _classes(classes, head)
    as_texts = _unchanged if kind == "scores" else texts
    found = Samples(
        Table(source, f"{head}sample ", None, [], range(count)),
        range(count),
        lengths=np.zeros(count, dtype=np.int64),
        classes=None if classes is None else as_texts(own.tolist()),
        beside=beside,
        label_positions=labels.dtype.kind in "iu",
        class_numbers=classes is not None and own.dtype.kind in "iu",
    )
    if kind == "scores":
        scores = _scores(values, sample_of, count, head)
        if classes is not None:
            check_width(scores.shape[1], len(own), head)
        found = replace(found, matrix=scores)
    else:
        flat, lengths = _lists(values, kind, own, labels, head)
        if len(lengths) != count:
            raise DataError(f"{head}{len(lengths):,} lists do not fit {count:,} labels.")
        if y_scores is not None:
            flat = _sorted(flat, lengths, as_array(y_scores, f"{head}scores"), head)
        found = replace(found, lengths=lengths)
        flat = whole_numbers(
            flat, lambda entry: f"{found.place(found.of_entry(entry))}: a predicted class"
        )
        predicted = texts(flat.tolist())
        found = replace(found, predicted=predicted, positions=flat.dtype.kind in "iu")
    return found.with_labels(as_texts(labels.tolist()), sample_of)


def _unchanged(cells: Sequence[Any]) -> list[str]:
    """Cells as texts, with the blanks around them."""
    return [str(cell) for cell in cells]


def _true_classes(y_true: Any, head: str) -> tuple[npt.NDArray[Any], Ints | None, int]:
    """([N] true classes, None, N); or, where samples have several, ([E] all of them behind each
    other, [E] the sample of each, N)."""
    sample_of, count = None, None
    if str(getattr(y_true, "dtype", "")) == "object":
        y_true = y_true.tolist()
    if isinstance(y_true, list | tuple) and are_several(y_true):
        several = several_classes(y_true)
        count = len(several)
        sample_of = np.repeat(np.arange(count), [len(row) for row in several])
        y_true = [*chain.from_iterable(several)]
    labels = as_array(y_true, f"{head}y_true")
    if not labels.size:
        raise DataError(f"{head}there is no sample: the true classes (y_true, labels) are empty.")
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise DataError(
            f"{head}the true classes (y_true, labels) must be one per sample [N]; got the shape"
            f" {labels.shape}. Where several are true of a sample, give a list of classes each."
        )
    at = range(len(labels)) if sample_of is None else sample_of.tolist()
    labels = whole_numbers(labels, lambda row: f"{head}sample {at[row]}: the true class")
    if labels.dtype.kind == "U" and (labels == "").any():
        missing = int(np.flatnonzero(labels == "")[0])
        raise DataError(f"{head}sample {at[missing]}: the true class is missing.")
    return labels, sample_of, len(labels) if count is None else count


def _classes(classes: Any, head: str) -> npt.NDArray[Any]:
    """[C] names or numbers of classes."""
    found = as_array(classes, f"{head}classes")
    if found.ndim != 1:
        raise DataError(
            f"{head}classes must be one name or number per class [C]; got the shape {found.shape}."
        )
    found = whole_numbers(found, lambda row: f"{head}candidate {row}")
    if found.dtype.kind == "U" and (found == "").any():
        raise DataError(f"{head}candidate {np.flatnonzero(found == '')[0]} is missing.")
    return found


def _scores(values: Any, sample_of: Ints | None, count: int, head: str) -> npt.NDArray[Any]:
    """[N, C] scores; where samples have several classes, none may be missing."""
    scores = as_array(values, f"{head}predictions")
    check_are_scores(scores)
    if sample_of is not None:
        if len(scores) != count:
            raise DataError(f"{head}scores {scores.shape} do not fit {count:,} samples.")
        if np.isnan(scores).any():
            row = int(np.argwhere(np.isnan(scores))[0, 0])
            raise DataError(f"{head}a score of sample {row} is not a number.")
    if scores.ndim != 2:
        raise DataError(f"{head}scores must be [N, C]; got the shape {scores.shape}.")
    return scores


def with_columns(samples: Samples, columns: list[str], candidates: Sequence[Any] | None) -> Samples:
    """Samples of a frame of scores whose ``columns`` are called by the classes, or, where
    ``candidates`` are given, by their positions. Integers among the true classes are positions in
    the candidates, unless these, or the columns where none are given, are numbers."""
    assert samples.matrix is not None
    if candidates is None:
        are_numbers = all(map(str.isdecimal, columns))
        return replace(samples, classes=columns, beside=True, class_numbers=are_numbers)
    places = columns_of([str(place) for place in range(len(columns))], columns)
    if (places >= 0).all() and set(columns) != set(map(str, candidates)):
        return replace(samples, matrix=samples.matrix[:, places])
    if all(map(str.isdecimal, columns)) and set(columns).isdisjoint(map(str, candidates)):
        raise DataError(
            f"the columns of the scores are numbered {listed(columns)}, which are no positions from"
            f" 0 to {len(columns) - 1:,} in the candidates. Call them by the candidates; or, where"
            " they go by their places, give an array: scores.to_numpy()."
        )
    if samples.label_positions and not samples.class_numbers:
        samples = name_labels(samples, samples.classes or [])
    return replace(samples, classes=columns, beside=True)


def _lists(
    values: Any, kind: Kind, known: npt.NDArray[Any], labels: npt.NDArray[Any], head: str
) -> tuple[npt.NDArray[Any], Ints]:
    """(classes of all lists behind each other, [N] how long each is), best first."""
    rows = _ragged(values, head)
    if rows is not None:
        flat, lengths = _until_missing(rows, head)
        if kind == "predicted" and (lengths > 1).any():
            raise _not_one_class(head, "lists")
        return flat, lengths
    given = as_array(values, f"{head}predictions")
    check_no_scores(given, (*known.tolist(), *labels.tolist()), head)
    if kind == "predicted" and given.ndim == 2 and given.shape[1] > 1:
        raise _not_one_class(head, f"the shape {given.shape}")
    if given.ndim not in (1, 2):
        raise DataError(
            f"{head}predictions of the shape {given.shape} are no classes [N] and no lists [N, K]."
        )
    grid = given[:, None] if given.ndim == 1 else given
    if (grid == "").any() if grid.dtype.kind == "U" else (grid != grid).any():
        return _until_missing(grid.tolist(), head)
    if given.ndim == 2:
        _check_positions(given, known, head)
    return grid.ravel(), np.full(len(grid), grid.shape[1])


def _until_missing(rows: Sequence[Sequence[Any]], head: str) -> tuple[npt.NDArray[Any], Ints]:
    """(cells of all lists behind each other, [N] how long each is): a list ends at its first
    missing cell; DataError where others follow it."""
    flat: list[Any] = []
    lengths = []
    for number, row in enumerate(rows):
        cells = ["" if is_missing(cell) else cell for cell in row]
        check_no_gap(cells, lambda row: f"{head}sample {row}", number)
        filled = [cell for cell in cells if not isinstance(cell, str) or cell]
        flat += filled
        lengths.append(len(filled))
    return as_array(flat, f"{head}predictions"), np.array(lengths, dtype=np.int64)


def _sorted(
    flat: npt.NDArray[Any], lengths: Ints, scores: npt.NDArray[Any], head: str
) -> npt.NDArray[Any]:
    """Lists by their scores, the largest first; equal ones as they stand."""
    if scores.ndim != 2 or len(scores) != len(lengths) or {*lengths.tolist()} != {scores.shape[1]}:
        raise DataError(f"{head}scores {scores.shape} do not fit {len(lengths):,} lists.")
    values = scores.astype(np.float64)
    bad = np.flatnonzero(np.isnan(values).any(axis=1))
    if len(bad):
        raise DataError(f"{head}a score of sample {bad[0]} is not a number.")
    order = np.argsort(-values, axis=1, kind="stable")
    return np.take_along_axis(flat.reshape(scores.shape), order, axis=1).ravel()


def _not_one_class(head: str, what: str) -> DataError:
    return DataError(
        f"{head}predicted holds one class per sample [N]; got {what}. Lists of classes, best"
        " first, are ranked; scores of all classes are scores."
    )


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


def _ragged(values: Any, head: str) -> list[list[Any]] | None:
    """Lists of different lengths, or that end in missing cells; None for whatever is an array."""
    if hasattr(values, "to_numpy"):
        values = plain_array(values, f"{head}predictions")
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = values.tolist()
        values = [each.tolist() if isinstance(each, np.ndarray) else each for each in values]
    if not isinstance(values, list | tuple) or not values:
        return None
    if not all(isinstance(each, list | tuple) for each in values):
        return None
    is_even = len({len(each) for each in values}) == 1
    if is_even and not any(map(is_missing, chain.from_iterable(values))):
        return None
    check_even(values, head)
    return [list(row) for row in values]


def _check_positions(given: npt.NDArray[Any], classes: npt.NDArray[Any], head: str) -> None:
    """DataError for integers that are as many as the classes, but no positions in them: scores."""
    if given.dtype.kind not in "iu" or classes.dtype.kind in "iu":
        return
    width = given.shape[1]
    outside = (given < 0) | (given >= width)
    if width == len(classes) > 1 and outside.any():
        row, column = np.argwhere(outside)[0].tolist()
        raise DataError(
            f"{head}sample {row}: {given[row, column]} is not a position from 0 to {width - 1:,}"
            " in the classes, and these are said to be ranked lists of positions. Give scores as"
            " scores."
        )

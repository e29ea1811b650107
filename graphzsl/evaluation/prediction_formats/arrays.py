"""Arrays of numpy, torch, pandas or polars, and .npz files, as predictions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.errors import DataError
from graphzsl.evaluation.prediction_formats.build import Reading, check_one_language, no_classes
from graphzsl.evaluation.prediction_formats.table import texts
from graphzsl.evaluation.prediction_formats.truth import DEVKIT
from graphzsl.evaluation.predictions import Predictions, from_ranked_lists
from graphzsl.evaluation.ranked_lists import (
    RankedLists,
    Rename,
    check_once,
    columns_of,
    positions_as_names,
    renamed,
)

#: How numpy writes what is missing into an array of text.
_NONE = ("nan", "None", "<NA>", "NaT")


def as_array(values: Any, what: str) -> npt.NDArray[Any]:
    """A numpy array of arrays, tensors (on any device, with or without gradients), series and
    lists.

    Raises:
        DataError: ``what`` is no array: rows of different lengths, or objects.
    """
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        if str(values.dtype) == "torch.bfloat16":  # which numpy lacks
            values = values.float()
        values = values.numpy()
    elif hasattr(values, "to_numpy"):
        values = values.to_numpy()
    elif isinstance(values, Sequence) and values and hasattr(values[0], "detach"):
        values = [as_array(each, what) for each in values]
    try:
        array = np.asarray(values)
    except ValueError:
        raise DataError(f"{what} are rows of different lengths.") from None
    if array.dtype.kind == "U" and isinstance(values, list | tuple) and np.isin(array, _NONE).any():
        array = np.array(values, dtype=object)  # in which nan is no text
    if array.dtype == object or array.dtype.kind not in "biufUST":
        cells = ["" if is_missing(each) else each for each in array.ravel()]
        if not all(isinstance(each, str | int | float | np.number) for each in cells):
            raise DataError(f"{what} must be names or numbers; got {array.dtype}.")
        array = np.array(texts(cells), dtype=str).reshape(array.shape)
    return array.astype(str) if array.dtype.kind in "ST" else array


@dataclass(frozen=True, eq=False)
class Given:
    """Arrays of predictions: ``labels`` [N]; ``scores`` [N, C], or ``lists`` [N] of arrays, best
    first; ``classes`` [C], names or numbers."""

    labels: npt.NDArray[Any]
    scores: npt.NDArray[Any] | None
    lists: list[npt.NDArray[Any]]
    classes: npt.NDArray[Any] | None
    own_classes: bool = False  #: they stand beside the predictions, under the same names
    wanted: list[str] | None = None  #: the candidates, where the own classes are others
    source: str = ""  #: what messages begin with

    def place(self, sample: int) -> str:
        """What a message calls a sample."""
        return f"{self.source}sample {sample}"

    def renamed(self, rename: Rename) -> Given:
        """The same under other names: ``rename`` is called once."""
        named = [self.labels, *self.lists, *([self.classes] if self.own_classes else [])]
        texts_in = [each.tolist() for each in named if each is not None and each.dtype.kind == "U"]
        names = list(dict.fromkeys(chain.from_iterable(texts_in)))
        new = dict(zip(names, renamed(names, rename), strict=True)) if names else {}

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
    y_pred: Any,
    classes: Sequence[Any] | None = None,
    are_scores: bool | None = None,
    y_scores: Any = None,
    source: str = "",
) -> Given:
    """Arrays whose shapes fit.

    Args:
        y_true: [N] names, or positions in the classes.
        y_pred: [N] the predicted classes, [N, K] ranked lists of names or positions (lists of
            different lengths too), or [N, C] scores.
        classes: [C] what scores and positions stand for.
        are_scores: whether ``y_pred`` holds scores (default: where it is [N, C] of floats).
        y_scores: [N, K] scores of ranked lists, by which they are sorted; equal ones as they stand.
        source: what messages begin with.

    Raises:
        DataError: shapes do not fit, or a score is not a number.
    """
    labels = as_array(y_true, f"{source}y_true")
    if not labels.size:
        raise DataError(f"{source}there is no sample: y_true is empty.")
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1:
        raise DataError(
            f"{source}y_true must be one true class per sample [N]; got the shape {labels.shape}."
        )
    if labels.dtype.kind == "U" and (labels == "").any():
        missing = int(np.flatnonzero(labels == "")[0])
        raise DataError(f"{source}sample {missing}: the true class is missing.")
    known = None if classes is None else np.asarray(classes)
    rows = None if are_scores else _ragged(y_pred, source, are_scores)
    if rows is None:
        given = as_array(y_pred, f"{source}predictions")
        if are_scores is None:
            are_scores = given.ndim == 2 and given.dtype.kind == "f"
        if are_scores:
            return Given(labels, given, [], known, source=source)
        if given.ndim not in (1, 2) or len(given) != len(labels):
            raise DataError(
                f"{source}predictions of the shape {given.shape} do not fit {len(labels):,} labels"
                " (scores [N, C], lists [N, K] or classes [N])."
            )
        rows = list(given[:, None] if given.ndim == 1 else given)
        if (given == "").any() if given.dtype.kind == "U" else (given != given).any():
            rows = [_ended(row, place, source) for place, row in enumerate(rows)]
        if given.ndim == 2 and known is not None:
            _check_positions(given, known, source)
    if len(rows) != len(labels):
        raise DataError(f"{source}{len(rows):,} lists do not fit {len(labels):,} labels.")
    if y_scores is not None:
        rows = _sorted(rows, as_array(y_scores, f"{source}scores"), source)
    return Given(labels, None, rows, known, source=source)


def are_of_places(
    scores: npt.NDArray[Any], lists: npt.NDArray[Any], classes: Sequence[Any] | None
) -> bool:
    """Whether scores beside lists are those of the lists' places, and not of the classes.

    They are of the classes where they have as many columns as there are ``classes``; only where
    lists of all classes stand beside scores that fall from place to place, and do not fall in the
    order of the lists, are they of the places all the same.
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


def columns_as_classes(values: Any, classes: Sequence[str] | None) -> list[str] | None:
    """The texts that the columns of a frame of numbers are called by; None where they are no
    classes: for another object, numbered columns, and lists."""
    columns = getattr(values, "column_names", getattr(values, "columns", None))
    if columns is None or not hasattr(values, "shape") or len(values.shape) != 2:
        return None
    names = list(columns)
    if not names or not all(isinstance(name, str) for name in names):
        return None
    kinds = {str(kind).lower() for kind in _kinds(values)}
    if all(kind.startswith(("float", "double", "halffloat")) for kind in kinds):
        return names
    numbers = all(kind.startswith(("float", "double", "int", "uint")) for kind in kinds)
    return names if numbers and classes is not None and set(names) == set(classes) else None


def _kinds(frame: Any) -> list[Any]:
    found = getattr(frame, "dtypes", None)
    return list(frame.schema.types if found is None else found)


def with_columns(given: Given, columns: list[str], classes: Sequence[str] | None) -> Given:
    """Scores of a frame whose ``columns`` are called by the classes, or, where ``classes`` are
    given, by their positions. Integers among the labels are positions in ``classes``."""
    own = np.array(columns)
    if classes is None:
        return replace(given, classes=own, own_classes=True)
    if len(columns) != len(classes):
        raise DataError(f"the scores have {len(columns):,} columns for {len(classes):,} classes.")
    places = columns_of([str(place) for place in range(len(columns))], columns)
    if given.scores is not None and (places >= 0).all() and set(columns) != set(classes):
        return replace(given, scores=given.scores[:, places], classes=np.array(classes))
    labels = given.labels
    if labels.dtype.kind in "iu":
        if len(classes) == 1000:
            _check_devkit(labels, replace(given, classes=np.array(classes)))
        labels = np.array(positions_as_names(texts(labels.tolist()), classes, given.place))
    return replace(given, labels=labels, classes=own, own_classes=True, wanted=list(classes))


def predictions_of(given: Given, reading: Reading, metadata: dict[str, Any]) -> Predictions:
    """Predictions of arrays; ``reading.classes`` do not count here.

    Raises:
        DataError: names the sample.
    """
    if reading.rename is not None:
        given = given.renamed(reading.rename)
    if given.wanted is not None:
        given = _fitted(given, given.wanted)
    classes, labels = given.classes, given.labels
    named = classes is not None and not np.issubdtype(classes.dtype, np.integer)
    if named and np.issubdtype(labels.dtype, np.integer):
        _check_devkit(labels, given)
    if given.scores is not None:
        return _of_scores(given, given.scores, reading, metadata)
    true, rows = texts(labels.tolist()), [texts(row.tolist()) for row in given.lists]
    lengths = np.array([len(row) for row in rows], dtype=np.int64)
    flat = list(chain.from_iterable(rows))
    if named and classes is not None:
        names = classes.tolist()
        if labels.dtype.kind in "iu":
            true = positions_as_names(true, names, given.place)
        if all(row.dtype.kind in "iuf" for row in given.lists):
            ends = np.cumsum(lengths)
            flat = positions_as_names(
                flat, names, lambda entry: given.place(int(np.searchsorted(ends, entry, "right")))
            )
    lists = RankedLists.encode(true, flat, lengths, range(len(true)), given.place(0)[:-1])
    check_one_language(lists, classes is None)
    candidates = None if classes is None else texts(classes.tolist())
    return from_ranked_lists(lists, candidates, reading.seen, reading.missing, metadata)


def _check_devkit(labels: npt.NDArray[Any], given: Given) -> None:
    count = 0 if given.classes is None else len(given.classes)
    if count == 1000 == labels.max() and labels.min() > 0:
        raise DataError(f"{given.source}the true classes go from {labels.min()} to 1,000. {DEVKIT}")


def _of_scores(
    given: Given, scores: npt.NDArray[Any], reading: Reading, metadata: dict[str, Any]
) -> Predictions:
    if scores.ndim != 2:
        raise DataError(f"{given.source}scores must be [N, C]; got the shape {scores.shape}.")
    if given.classes is None:
        raise DataError(no_classes(given.source.removesuffix(": ") or "scores", scores.shape[1]))
    try:
        return Predictions.from_scores(
            scores,
            given.classes,  # type: ignore[arg-type]
            given.labels,  # type: ignore[arg-type]
            seen=reading.seen,
            missing=reading.missing,
            metadata=metadata,
        )
    except DataError as error:
        raise DataError(f"{given.source}{error}") from None


def is_missing(cell: Any) -> bool:
    """Whether a cell is None, nan, or what pandas writes for them."""
    if cell is None or type(cell).__name__ in ("NAType", "NaTType"):
        return True
    return isinstance(cell, float | np.floating) and bool(np.isnan(cell))


def _ragged(values: Any, source: str, are_scores: bool | None) -> list[npt.NDArray[Any]] | None:
    """Lists of different lengths, or that end in missing cells; None for whatever is an array."""
    if hasattr(values, "to_numpy"):
        values = values.to_numpy()
    if isinstance(values, np.ndarray) and values.dtype == object:
        values = values.tolist()
        values = [each.tolist() if isinstance(each, np.ndarray) else each for each in values]
    if not isinstance(values, list | tuple) or not values:
        return None
    if not all(isinstance(each, list | tuple) for each in values):
        return None
    if len({len(each) for each in values}) == 1:
        kinds = set(map(type, chain.from_iterable(values)))
        numbers = all(issubclass(kind, float | np.floating) for kind in kinds)
        if kinds <= {str, int} or (numbers and are_scores is None):
            return None
        if not any(is_missing(cell) for row in values for cell in row):
            return None
    return [_ended(list(row), place, source) for place, row in enumerate(values)]


def _ended(row: Any, place: int, source: str) -> npt.NDArray[Any]:
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
            f" {width - 1:,} in the classes. Integers [N, {width:,}] are read as ranked lists;"
            " scores must be floats."
        )


def _fitted(given: Given, wanted: Sequence[str]) -> Given:
    """The same for the candidates that are ``wanted``: own classes are selected and ordered by
    name; those that are integers, and not among the names, are positions in them."""
    assert given.classes is not None
    own = texts(given.classes.tolist())
    for names, what in ((own, "the classes beside the predictions"), (wanted, "the given classes")):
        check_once(names, f"{given.source}{what}")
    numbers = all(name.isdecimal() for name in own)
    as_positions = numbers and not set(wanted) <= set(own)
    labels, lists = given.labels, given.lists
    if as_positions:
        meant = dict(enumerate(wanted))
        own = positions_as_names(own, wanted, lambda entry: f"{given.source}class {entry}")
        named = given.classes.dtype.kind == "U"
        labels = _by_number(labels, own if named else meant, given)
        lists = [_by_number(row, own if named else meant, given) for row in lists]
    elif given.classes.dtype.kind not in "iu":
        labels = _by_number(labels, own, given)
        lists = [_by_number(row, own, given) for row in lists]
    else:
        labels = np.array(texts(labels.tolist()), dtype=str)
        lists = [np.array(texts(row.tolist()), dtype=str) for row in lists]
    known = set(own)
    lacking = [name for name in wanted if name not in known]
    if lacking:
        raise DataError(
            f"{given.source}the given class {lacking[0]} is none of the {len(own):,} classes beside"
            f" the predictions ({len(lacking):,} such of {len(wanted):,})."
        )
    scores = given.scores
    if scores is not None:
        if scores.ndim != 2 or scores.shape[1] != len(own):
            raise DataError(f"{given.source}scores {scores.shape} do not fit {len(own):,} classes.")
        scores = scores[:, columns_of(wanted, own)]
    return replace(
        given, labels=labels, lists=lists, scores=scores, classes=np.array(wanted), wanted=None
    )


def _by_number(
    array: npt.NDArray[Any], names: Sequence[str] | dict[int, str], given: Given
) -> npt.NDArray[Any]:
    """Integers as the names that they are positions in; an array of names as it is."""
    if array.dtype.kind not in "iuf":
        return array
    values = array.tolist()
    for value in values:
        if value != int(value) or not 0 <= value < len(names):
            raise DataError(
                f"{given.source}{value} is not a position from 0 to {len(names) - 1:,} in the"
                " classes beside the predictions."
            )
    return np.array([names[int(value)] for value in values], dtype=str)


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

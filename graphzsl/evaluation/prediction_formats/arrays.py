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
from graphzsl.evaluation.ranked_lists import RankedLists, Rename, positions_as_names, renamed


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
    if array.dtype == object or array.dtype.kind not in "biufUST":
        if not all(isinstance(each, str | int | np.integer) for each in array.ravel()):
            raise DataError(f"{what} must be names or numbers; got {array.dtype}.")
        array = array.astype(str)
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
    if labels.ndim == 2 and labels.shape[1] == 1:
        labels = labels[:, 0]
    if labels.ndim != 1 or not len(labels):
        raise DataError(
            f"{source}y_true must be one true class per sample [N]; got the shape {labels.shape}."
        )
    known = None if classes is None else np.asarray(classes)
    rows = None if are_scores else _ragged(y_pred)
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
    if len(rows) != len(labels):
        raise DataError(f"{source}{len(rows):,} lists do not fit {len(labels):,} labels.")
    if y_scores is not None:
        rows = _sorted(rows, as_array(y_scores, f"{source}scores"), source)
    return Given(labels, None, rows, known, source=source)


def predictions_of(given: Given, reading: Reading, metadata: dict[str, Any]) -> Predictions:
    """Predictions of arrays; ``reading.classes`` do not count here.

    Raises:
        DataError: names the sample.
    """
    if reading.rename is not None:
        given = given.renamed(reading.rename)
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
    check_one_language(lists)
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


def _ragged(values: Any) -> list[npt.NDArray[Any]] | None:
    """Lists of different lengths; None for whatever is an array."""
    if not isinstance(values, list | tuple) or not values:
        return None
    if not all(isinstance(each, list | tuple) for each in values):
        return None
    if len({len(each) for each in values}) == 1:
        return None
    return [as_array(list(each), "predictions") for each in values]


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

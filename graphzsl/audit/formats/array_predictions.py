"""Arrays of predictions as predictions: their names renamed, positions as names, own classes as
candidates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.formats.array_checks import check_width
from graphzsl.audit.formats.arrays import PredictionArrays
from graphzsl.audit.formats.build import Reading, check_one_language, no_classes
from graphzsl.audit.formats.table import texts
from graphzsl.audit.formats.truth import DEVKIT, check_not_missing
from graphzsl.audit.prediction_checks import check_labels, named_labels
from graphzsl.audit.predictions import Predictions, from_ranked_lists
from graphzsl.audit.ranked_lists import (
    RankedLists,
    columns_of,
    positions_as_names,
)
from graphzsl.audit.several_labels import one_per_sample
from graphzsl.common.class_entries import check_once
from graphzsl.common.errors import DataError


def with_columns(
    given: PredictionArrays, columns: list[str], classes: Sequence[str] | None
) -> PredictionArrays:
    """Scores of a frame whose ``columns`` are called by the classes, or, where ``classes`` are
    given, by their positions. Integers among the labels are positions in ``classes``."""
    own = np.array(columns)
    if classes is None:
        return replace(given, classes=own, own_classes=True)
    check_width(len(columns), len(classes))
    places = columns_of([str(place) for place in range(len(columns))], columns)
    if given.scores is not None and (places >= 0).all() and set(columns) != set(classes):
        return replace(given, scores=given.scores[:, places], classes=np.array(classes))
    labels = given.labels
    if labels.dtype.kind in "iu":
        if len(classes) == 1000:
            _check_devkit(labels, replace(given, classes=np.array(classes)))
        labels = np.array(positions_as_names(texts(labels.tolist()), classes, given.place))
    return replace(given, labels=labels, classes=own, own_classes=True, wanted=list(classes))


def _text_of_position(given: PredictionArrays) -> DataError:
    """The error for numbers as texts beside wnids: in arrays positions are integers; only tables
    are told that texts are positions."""
    arrays = [given.labels, *given.lists]
    if given.own_classes and given.classes is not None:
        arrays.append(given.classes)
    texts_in = [each.ravel().tolist() for each in arrays if each.dtype.kind == "U" and each.size]
    number = next(name for names in texts_in for name in names if name.isdecimal())
    is_mixed = any(len({name.isdecimal() for name in names}) > 1 for names in texts_in)
    remedy = (
        "Give names alone, or positions alone as integers."
        if is_mixed
        else "Give such arrays as integers, values.astype(int)."
    )
    return DataError(
        f"{given.source}the classes are texts of numbers, such as {number!r}. Positions in the"
        f" candidates are integers in arrays. {remedy}"
    )


def predictions_of(
    given: PredictionArrays, reading: Reading, metadata: dict[str, Any]
) -> Predictions:
    """Predictions of arrays; ``reading.classes`` do not count here.

    Raises:
        DataError: names the sample.
    """
    found = _of_rows(given, reading, metadata)
    if given.sample_of is None:
        return found
    return one_per_sample(found, given.sample_of, given.samples)


def _of_rows(given: PredictionArrays, reading: Reading, metadata: dict[str, Any]) -> Predictions:
    if given.labels.dtype.kind == "U":
        known = chain(() if given.classes is None else given.classes.tolist(), *given.lists)
        check_not_missing(given.labels.tolist(), map(str, known), given.place)
    if reading.rename is not None:
        _check_width(given)
        try:
            given = given.renamed(reading.rename)
        except DataError as error:
            if error.argument != "numbered":
                raise
            raise _text_of_position(given) from None
    if given.wanted is not None:
        given = _fitted(given, given.wanted)
    classes, labels = given.classes, given.labels
    named = classes is not None and classes.dtype.kind not in "iu"
    if named and labels.dtype.kind in "iu":
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
    lines = range(len(true)) if given.sample_of is None else given.sample_of.tolist()
    lists = RankedLists.encode(true, flat, lengths, lines, f"{given.source}sample ")
    check_one_language(lists, classes is None)
    candidates = None if classes is None else texts(classes.tolist())
    return from_ranked_lists(lists, candidates, reading.seen, reading.missing, metadata)


def _check_width(given: PredictionArrays) -> None:
    """DataError for scores of more or fewer classes than there are, before names are looked up."""
    if given.scores is None or given.scores.ndim != 2 or given.classes is None or given.wanted:
        return
    check_width(given.scores.shape[1], len(given.classes), given.source)


def _check_devkit(labels: npt.NDArray[Any], given: PredictionArrays) -> None:
    count = 0 if given.classes is None else len(given.classes)
    if count == 1000 == labels.max() and labels.min() > 0:
        raise DataError(
            f"{given.source}the true classes go from {labels.min()} to 1,000. {DEVKIT} Write the"
            " wnids."
        )


def _of_scores(
    given: PredictionArrays, scores: npt.NDArray[Any], reading: Reading, metadata: dict[str, Any]
) -> Predictions:
    if scores.ndim != 2:
        raise DataError(f"{given.source}scores must be [N, C]; got the shape {scores.shape}.")
    if given.classes is None:
        source = given.source.removesuffix(": ") or "scores"
        raise no_classes(source, scores.shape[1])
    if given.sample_of is not None and reading.missing == "error":
        true = named_labels(given.labels, given.classes)
        check_labels(true, texts(given.classes.tolist()), given.place)
    try:
        return Predictions.from_scores(
            scores,
            given.classes,  # type: ignore[arg-type]
            given.labels,  # type: ignore[arg-type]
            seen=reading.seen,
            missing=reading.missing,
            metadata=metadata,
            keep_scores=reading.keep_scores,
        )
    except DataError as error:
        raise error.at(given.source) from None


def _fitted(given: PredictionArrays, wanted: Sequence[str]) -> PredictionArrays:
    """Arrays for the ``wanted`` candidates: the classes beside the predictions are selected and
    ordered by name; integers that are not among the names are positions in ``wanted``."""
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
            f"{given.source}the candidate {lacking[0]} is none of the {len(own):,} classes beside"
            f" the predictions ({len(lacking):,} of {len(wanted):,} candidates are not).",
            argument="candidates",
        )
    scores = given.scores
    if scores is not None:
        if scores.ndim != 2:
            raise DataError(f"{given.source}scores must be [N, C]; got the shape {scores.shape}.")
        check_width(scores.shape[1], len(own), given.source)
        scores = scores[:, columns_of(wanted, own)]
    return replace(
        given, labels=labels, lists=lists, scores=scores, classes=np.array(wanted), wanted=None
    )


def _by_number(
    array: npt.NDArray[Any], names: Sequence[str] | dict[int, str], given: PredictionArrays
) -> npt.NDArray[Any]:
    """Names of the classes at these positions; an array of names is returned unchanged."""
    if array.dtype.kind not in "iuf":
        return array
    values = array.tolist()
    for row, value in enumerate(values):
        if not 0 <= value < len(names) or value != int(value):  # nan is in no range
            raise DataError(
                f"{given.source}sample {row}: {value} is not a position from 0 to"
                f" {len(names) - 1:,} in the classes beside the predictions."
            )
    return np.array([names[int(value)] for value in values], dtype=str)

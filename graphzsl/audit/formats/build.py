"""Samples as predictions: numbers become names, names are renamed, and scores or lists are
ranked."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from graphzsl.audit.class_names import Rename, columns_of, positions_as_names
from graphzsl.audit.formats.columns import ColumnNames, columns_of_table
from graphzsl.audit.formats.lists import check_lists, list_columns
from graphzsl.audit.formats.paths import check_paths
from graphzsl.audit.formats.samples import Ints, Samples
from graphzsl.audit.formats.table import Table, texts
from graphzsl.audit.formats.table_samples import samples_of
from graphzsl.audit.formats.truth import (
    DEVKIT,
    Labels,
    check_not_missing,
    true_classes,
)
from graphzsl.audit.prediction_checks import (
    check_labels,
    check_scored,
    check_shape,
    checked_seen,
    named_labels,
)
from graphzsl.audit.predictions import Predictions, scored
from graphzsl.audit.scored_blocks import DEPTH
from graphzsl.audit.several_labels import one_per_sample
from graphzsl.common.checked_names import named_twice
from graphzsl.common.class_entries import check_once
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.sources.tables import WNID

_WHOLE = re.compile(r"[0-9]+(?:\.0+)?")
_FLOAT = re.compile(r"-?[0-9]+(?:\.[0-9]+)?")
_INTEGER = re.compile(r"-?[0-9]+")
Truth = Literal["column", "folder"]
#: What numbers count: nothing, or positions from 0 in the candidates; or true classes from 1 in the
#: order of ILSVRC's development kit.
Numbered = bool | Literal["devkit"]


@dataclass(frozen=True)
class Reading:
    """Options of reading predictions; ``graphzsl.read_predictions`` explains each."""

    classes: Sequence[str] | None = None
    seen: Sequence[str] = ()
    numbered: Numbered = False
    missing: str = "error"
    labels: Labels | None = None
    truth: Truth | None = None
    rename: Rename | None = None
    columns: ColumnNames = field(default_factory=ColumnNames)
    keep_scores: bool = False

    def __post_init__(self) -> None:
        if self.missing not in ("error", "miss"):
            raise DataError(f"missing is error or miss, not {self.missing!r}.")
        if self.truth not in (None, "column", "folder"):
            raise DataError(f"truth is column or folder, not {self.truth!r}.")
        if self.numbered != "devkit" and not isinstance(self.numbered, bool):
            raise DataError(f"numbered is True, False or 'devkit', not {self.numbered!r}.")
        if self.numbered is True and self.classes is None:
            raise DataError(
                "numbered needs candidates: what the numbers count.",
                argument="candidates",
            )


def predictions_of_table(table: Table, reading: Reading, metadata: dict[str, Any]) -> Predictions:
    """Predictions that the rows of a table hold.

    Raises:
        DataError: names the file and its row.
    """
    if reading.classes is not None:
        reading = replace(reading, classes=texts(list(reading.classes)))
    classes = reading.classes
    truth = "labels" if reading.labels is not None else reading.truth
    columns = columns_of_table(table, classes, truth, bool(reading.numbered), reading.columns)
    samples = samples_of(table, columns)
    of_devkit = reading.numbered == "devkit"
    true, source = true_classes(samples, reading.labels, reading.truth, of_devkit)
    if of_devkit:  # the predictions are positions, or classes
        predicted = {*samples.predicted} - {*(classes or ())}
        numbered = bool(predicted) and all(unsigned(each) is not None for each in predicted)
        reading = replace(reading, numbered=numbered)
    samples = _numbered(samples.with_true_classes(true), reading, not source)
    found = predictions_of_samples(samples, reading, {**metadata, **source})
    if samples.files is not None and samples.sample_of is None:
        check_paths(found.labels, samples.files, found.candidates, samples.place)
    return found


def predictions_of_samples(
    samples: Samples, reading: Reading, metadata: dict[str, Any]
) -> Predictions:
    """Predictions of samples whose true classes are known: numbers become names, names are renamed,
    and scores or lists are ranked.

    Raises:
        DataError: names the sample.
    """
    candidates = None if reading.classes is None else texts(reading.classes)
    if samples.classes is not None and not samples.beside:
        candidates = samples.classes
    known = (*(candidates or ()), *(samples.classes or ()), *samples.predicted)
    check_not_missing(samples.labels, known, samples.place)
    if reading.rename is not None:
        samples = _renamed(samples, reading.rename, candidates or ())
    samples, counted_classes = _own_classes(samples, candidates)
    samples = _named(samples, counted_classes)
    if samples.classes is not None and samples.beside:
        samples, candidates = _chosen(samples, samples.classes, candidates)
    if samples.matrix is not None:
        found = _of_matrix(samples, samples.matrix, candidates, reading, metadata)
    else:
        found = _of_lists(samples, candidates, reading, metadata)
    if samples.sample_of is None:
        return found
    return one_per_sample(found, samples.sample_of, samples.count)


def _renamed(samples: Samples, rename: Rename, candidates: Sequence[str]) -> Samples:
    """Samples with other names; texts of numbers in arrays are told how to become positions."""
    try:
        return samples.rename(rename, candidates)
    except DataError as error:
        if error.argument != "numbered" or not samples.of_arrays:
            raise
    sides = [side for side in samples.names() if side]
    number = next(name for side in sides for name in side if name.isdecimal())
    is_mixed = any(len({name.isdecimal() for name in side}) > 1 for side in sides)
    remedy = (
        "Give names alone, or positions alone as integers."
        if is_mixed
        else "Give such arrays as integers, values.astype(int)."
    )
    raise DataError(
        f"{samples.table.head}the classes are texts of numbers, such as {number!r}. Positions in"
        f" the candidates are integers in arrays. {remedy}"
    )


def _own_classes(
    samples: Samples, candidates: Sequence[str] | None
) -> tuple[Samples, Sequence[str] | None]:
    """(samples whose classes beside them are called as the candidates are, the classes that numbers
    count, or None where these are what classes are called)."""
    own = samples.classes if samples.beside and samples.of_arrays else None
    if own is None or candidates is None:
        counted_classes = candidates if own is None else own
        return samples, None if samples.class_numbers else counted_classes
    for names, what in (
        (own, "the classes beside the predictions"),
        (candidates, "the given classes"),
    ):
        check_once(names, f"{samples.table.head}{what}")
    if not all(name.isdecimal() for name in own) or set(candidates) <= set(own):
        return samples, None if samples.class_numbers else own
    named = positions_as_names(own, candidates, lambda at: f"{samples.table.head}class {at}")
    return replace(samples, classes=named), candidates if samples.class_numbers else named


def _named(samples: Samples, classes: Sequence[str] | None) -> Samples:
    """Samples of which positions in ``classes`` are called by their names; without these numbers
    are names."""
    if samples.positions and not samples.of_arrays and classes is None and samples.matrix is None:
        raise DataError(
            f"{samples.table.source}: classes are numbers of a network's outputs. Give the"
            " candidates in the order of these outputs; those of a network for ImageNet-1k are"
            " the list ilsvrc2012.",
            argument="candidates",
        )
    if classes is None:
        return samples
    if samples.label_positions:
        samples = name_labels(samples, classes)
    if not samples.positions or samples.matrix is not None:
        return samples
    predicted = positions_as_names(samples.predicted, classes, samples.place_of)
    return replace(samples, predicted=predicted, positions=False)


def name_labels(samples: Samples, classes: Sequence[str]) -> Samples:
    """Samples whose true classes, positions in ``classes``, are called by their names; DataError
    for ILSVRC's own numbers, which count from 1."""
    labels = samples.labels
    given = [number for label in labels if (number := unsigned(label)) is not None]
    if len(given) == len(labels) and 0 not in given and max(given) == len(classes) == 1000:
        remedy = " Write the wnids." if samples.of_arrays else ""
        raise DataError(
            f"{samples.table.head}the true classes go from {min(given)} to 1,000. {DEVKIT}{remedy}",
            argument=None if samples.of_arrays else "numbered",
            value=None if samples.of_arrays else "devkit",
        )
    if samples.of_arrays and samples.matrix is not None:
        try:
            labels = named_labels(labels, classes)
        except DataError as error:
            raise error.at(samples.table.head) from None
    else:
        labels = positions_as_names(labels, classes, samples.place)
    return replace(samples, labels=labels, label_positions=False)


def _chosen(
    samples: Samples, own: list[str], candidates: list[str] | None
) -> tuple[Samples, list[str]]:
    """(samples with the scores of the candidates alone, in their order, the candidates): by
    default the classes beside the predictions."""
    head = samples.table.head
    if not samples.of_arrays and (twice := named_twice(own)) is not None:
        raise DataError(f"{head}two columns of scores are {twice}.")
    if candidates is not None:
        columns = columns_of(candidates, own)
        lacking = np.flatnonzero(columns < 0)
        if len(lacking):
            first = candidates[lacking[0]]
            if not samples.of_arrays:
                raise DataError(f"{head}no column holds the scores of the candidate {first}.")
            raise DataError(
                f"{head}the candidate {first} is none of the {len(own):,} classes beside the"
                f" predictions ({len(lacking):,} of {len(candidates):,} candidates are not).",
                argument="candidates",
            )
        if samples.matrix is not None:
            samples = replace(samples, matrix=samples.matrix[:, columns])
    names = own if candidates is None else candidates
    if not samples.of_arrays:
        _check_columns(samples, names)
    return samples, names


def _check_columns(samples: Samples, names: Sequence[str]) -> None:
    """Log which columns of a table are taken as classes; DataError where their names are names, and
    the true classes numbers."""
    said = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
    log(f"{samples.table.head}{len(names):,} columns of scores are taken as classes ({said}).")
    if all(map(str.isdecimal, samples.labels)) and not any(map(str.isdecimal, names)):
        raise DataError(
            f"{samples.place(0)}: the true class is {samples.labels[0]!r}, and the columns of"
            f" scores are called by names ({said}). Write the names."
        )


def _of_lists(
    samples: Samples, candidates: list[str] | None, reading: Reading, metadata: dict[str, Any]
) -> Predictions:
    """Predictions of ranked lists, which cannot tie; the first 20 places are kept."""
    check_lists(samples)
    _check_one_language(samples, candidates is None)
    names, lists = list_columns(samples, candidates)
    scores = samples.scores
    if scores is not None and len(names) > 1 and (samples.lengths == len(names)).all():
        matrix = np.empty(lists.shape)
        np.put_along_axis(matrix, lists, scores.reshape(matrix.shape), axis=1)
        return _of_matrix(samples, matrix, names, reading, metadata)
    if scores is not None:
        lists = _by_score(lists, scores)
    if reading.missing == "error":
        check_labels(samples.labels, names, samples.place)
    truth = columns_of(samples.labels, names)
    top = lists[:, :DEPTH]
    hit = top == np.where(truth >= 0, truth, -2)[:, None]
    rank = np.where(hit.any(axis=1), hit.argmax(axis=1) + 1, top.shape[1] + 1)
    known = set(names)
    seen = [name for name in checked_seen(reading.seen, names) if name in known]
    return Predictions(names, samples.labels, top, rank, False, seen, metadata=dict(metadata))


def _of_matrix(
    samples: Samples,
    matrix: npt.NDArray[Any],
    candidates: list[str] | None,
    reading: Reading,
    metadata: dict[str, Any],
) -> Predictions:
    """Predictions of scores of all candidates."""
    labels = samples.labels
    if "" in labels:
        raise DataError(f"{samples.place(labels.index(''))}: the true class is empty.")
    if candidates is None:
        raise no_classes(samples.table.source or "scores", matrix.shape[1])
    try:
        check_shape(matrix, len(labels), len(candidates))
        check_scored(matrix, labels, candidates)
    except DataError as error:
        raise error.at(samples.table.head) from None
    if reading.missing == "error":
        check_labels(labels, candidates, samples.place)
    return scored(matrix, candidates, labels, reading.seen, metadata, reading.keep_scores)


def _check_one_language(samples: Samples, any_class: bool) -> None:
    """DataError where no prediction could be right: one side is of wnids or of numbers, and the
    other of names; or both are of numbers, from 1 and from 0, or (where the candidates are
    ``any_class``, not known ones) have none in common."""
    true, predicted = ({*side} for side in (samples.labels, samples.predicted))
    said = (
        f"{samples.place(0)}: the true class is {samples.labels[0]!r} and"
        f" {samples.predicted[0]!r} is predicted:"
    )
    sides = [[bool(WNID.match(name)) for name in names] for names in (true, predicted)]
    if (all(sides[0]) and not any(sides[1])) or (all(sides[1]) and not any(sides[0])):
        said += " one side is of wnids, the other of"
        if all(map(_FLOAT.fullmatch, predicted if all(sides[0]) else true)):
            raise DataError(
                f"{said} numbers. Write wnids on both sides; or numbers on both, and give the"
                " candidates that they count."
            )
        raise DataError(
            f"{said} names. Write one of them on both sides, or say what the names mean.",
            argument="names",
        )
    numbers = [
        {int(name) for name in names if _INTEGER.fullmatch(name)} for names in (true, predicted)
    ]
    if [len(each) for each in numbers] == [len(true), len(predicted)]:
        from_one, from_zero = numbers
        if max(from_one) == 1000 and 0 not in from_one and 0 in from_zero and 1000 not in from_zero:
            raise DataError(
                f"{samples.place(0)}: the true classes go from {min(from_one)} to 1,000,"
                f" the predicted ones from 0. {DEVKIT}",
                argument="numbered",
                value="devkit",
            )
        if any_class and from_one.isdisjoint(from_zero):
            raise DataError(
                f"{said} both are numbers, and no true class is predicted anywhere. Write the"
                " same classes on both sides, or give the candidates."
            )
    elif (numbers[0] and len(numbers[0]) == len(true) and not numbers[1]) or (
        numbers[1] and len(numbers[1]) == len(predicted) and not numbers[0]
    ):
        raise DataError(
            f"{said} one side is of numbers, the other of names. Write the same on both sides."
        )


def _whole(names: list[str], classes: Sequence[str] | None) -> list[str]:
    """Names that are all whole numbers without a fraction of nought (1.0), which pandas writes for
    1 where a cell is missing; ``classes`` that are called so stay."""
    distinct = set(names)
    if not any("." in name for name in distinct) or distinct <= set(classes or ()):
        return names
    if not all(_WHOLE.fullmatch(name) for name in distinct):
        return names
    return [name.partition(".")[0] for name in names]


def _numbered(samples: Samples, reading: Reading, in_column: bool) -> Samples:
    """Samples of a table, of which it is known what is a number: if the caller says that classes
    are numbers, all are positions in the candidates, but for true classes that come from elsewhere
    (not ``in_column``) where none is a number, and wnids."""
    classes = reading.classes
    labels = _whole(samples.labels, classes)
    predicted = _whole(samples.predicted, classes)
    numbers = bool(reading.numbered) or samples.positions
    named = replace(samples, labels=labels, predicted=predicted, positions=numbers)
    if not numbers or all(map(WNID.match, labels)):
        return named
    of_columns = samples.matrix is not None and samples.positions
    if of_columns and not classes:
        return named  # nothing names the columns, as the error for them says
    if of_columns and all(map(_INTEGER.fullmatch, labels)):
        log(f"{samples.table.source}: true classes are numbered as the columns of scores are.")
    elif not reading.numbered or not (in_column or any(map(_INTEGER.fullmatch, labels))):
        return named
    return replace(named, label_positions=True)


def no_classes(source: str, width: int) -> DataError:
    """The error for scores of classes that have no names."""
    hint = " (ilsvrc2012 for a network of ImageNet-1k)" if width == 1000 else ""
    return DataError(
        f"{source}: {width:,} scores per sample, and nothing names their classes. Give the"
        f" candidates in the order of the scores{hint}.",
        argument="candidates",
    )


def _by_score(lists: Ints, scores: npt.NDArray[np.float64]) -> Ints:
    """Lists [N, K] in the order of their scores, the largest first; equal ones as they stand."""
    order = np.full(lists.shape, np.inf)
    order[lists >= 0] = -scores
    return np.take_along_axis(lists, np.argsort(order, axis=1, kind="stable"), axis=1)

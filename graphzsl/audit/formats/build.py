"""Samples of a table as predictions: numbers become names, names are renamed, and scores or lists
are ranked."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from graphzsl.audit.formats.array_checks import check_width
from graphzsl.audit.formats.columns import ColumnNames, columns_of_table
from graphzsl.audit.formats.paths import check_paths
from graphzsl.audit.formats.samples import Samples, flattened, samples_of
from graphzsl.audit.formats.table import Table, texts
from graphzsl.audit.formats.truth import (
    DEVKIT,
    Labels,
    check_not_missing,
    true_classes,
)
from graphzsl.audit.prediction_checks import check_labels
from graphzsl.audit.predictions import Predictions, from_ranked_lists
from graphzsl.audit.ranked_lists import (
    RankedLists,
    Rename,
    columns_of,
    positions_as_names,
    renamed,
)
from graphzsl.audit.several_labels import one_per_sample
from graphzsl.common.checked_names import named_twice
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
    """How predictions are read; ``graphzsl.read_predictions`` explains each."""

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
    count = len(samples)
    labels, sample_of = flattened(true)
    if sample_of is not None:
        if not labels:
            raise DataError(f"{table.source}: no sample has a true class.")
        samples = samples.rows(sample_of)
    check_not_missing(
        labels, (*(classes or samples.classes or ()), *samples.predicted), samples.place
    )
    found = _predictions_of_samples(samples, labels, reading, {**metadata, **source}, not source)
    if sample_of is not None:
        return one_per_sample(found, sample_of, count)
    if samples.files is not None:
        check_paths(found.labels, samples.files, found.candidates, samples.place)
    return found


def _predictions_of_samples(
    samples: Samples,
    labels: list[str],
    reading: Reading,
    metadata: dict[str, Any],
    in_column: bool,
) -> Predictions:
    classes = reading.classes
    numbers = reading.numbered or samples.positions
    labels = _whole(labels, classes)
    if numbers and not all(map(WNID.match, labels)):
        labels = _named_labels(labels, samples, reading, in_column)
    if samples.matrix is not None:
        return _of_matrix(samples, labels, reading, metadata)
    predicted = _whole(samples.predicted, classes)
    if numbers:
        if classes is None:
            raise DataError(
                f"{samples.table.source}: classes are numbers of a network's outputs. Give the"
                " candidates in the order of these outputs; those of a network for ImageNet-1k are"
                " the list ilsvrc2012.",
                argument="candidates",
            )
        predicted = positions_as_names(predicted, classes, samples.place_of)
        labels = _renamed_others(labels, classes, reading.rename, samples.place)
    lists = RankedLists.encode(
        labels,
        predicted,
        samples.lengths,
        samples.lines,
        samples.table.where,
        samples.entry_lines,
    )
    if reading.rename is not None and not numbers:
        lists = lists.rename(reading.rename)
    check_one_language(lists, classes is None)
    lists.check(classes)
    if samples.scores is not None:
        if (every := _all_scores(lists, samples.scores, samples.lengths, classes)) is not None:
            candidates, scores = every
            named = [lists.names[code] for code in lists.labels.tolist()]
            return scored(scores, candidates, named, lists.place, reading, metadata)
        lists = _by_score(lists, samples.scores, samples.lengths)
    return from_ranked_lists(lists, classes, reading.seen, reading.missing, metadata)


def check_one_language(lists: RankedLists, any_class: bool = True) -> None:
    """DataError where no prediction could be right: one side is of wnids or of numbers, and the
    other of names; or both are of numbers, from 1 and from 0, or (where the candidates are
    ``any_class``, not known ones) have none in common."""
    true = [lists.names[code] for code in np.unique(lists.labels).tolist()]
    predicted = [lists.names[code] for code in np.unique(lists.predicted).tolist() if code >= 0]
    sides = [[bool(WNID.match(name)) for name in names] for names in (true, predicted)]
    if (all(sides[0]) and not any(sides[1])) or (all(sides[1]) and not any(sides[0])):
        said = (
            f"{lists.place(0)}: the true class is {lists.names[lists.labels[0]]!r} and"
            f" {lists.listed(0)[0]!r} is predicted: one side is of wnids, the other of"
        )
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
                f"{lists.place(0)}: the true classes go from {min(from_one)} to 1,000,"
                f" the predicted ones from 0. {DEVKIT}",
                argument="numbered",
                value="devkit",
            )
        if any_class and from_one.isdisjoint(from_zero):
            raise DataError(
                f"{lists.place(0)}: the true class is {lists.names[lists.labels[0]]!r} and"
                f" {lists.listed(0)[0]!r} is predicted: both are numbers, and no true class is"
                " predicted anywhere. Write the same classes on both sides, or give the candidates."
            )
    elif (numbers[0] and len(numbers[0]) == len(true) and not numbers[1]) or (
        numbers[1] and len(numbers[1]) == len(predicted) and not numbers[0]
    ):
        raise DataError(
            f"{lists.place(0)}: the true class is {lists.names[lists.labels[0]]!r} and"
            f" {lists.listed(0)[0]!r} is predicted: one side is of numbers, the other of names."
            " Write the same on both sides."
        )


def scored(
    scores: npt.NDArray[Any],
    candidates: Sequence[str],
    labels: Sequence[str],
    place: Callable[[int], str],
    reading: Reading,
    metadata: dict[str, Any],
) -> Predictions:
    """Predictions of scores of all candidates; DataError says at which ``place`` a true class is
    none of them."""
    if reading.missing == "error":
        check_labels(labels, candidates, place)
    return Predictions.from_scores(
        scores,
        candidates,
        labels,
        seen=reading.seen,
        missing="miss",
        metadata=metadata,
        keep_scores=reading.keep_scores,
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


def _named_labels(
    labels: list[str], samples: Samples, reading: Reading, in_column: bool
) -> list[str]:
    """True classes as names. If the caller says that classes are numbers, labels are positions in
    the candidates, unless they come from elsewhere (not ``in_column``) and none of them is a
    number."""
    classes = reading.classes or ()
    if samples.matrix is not None and samples.positions and not classes:
        return labels  # nothing names the columns, as the error for them says
    if samples.matrix is not None and samples.positions and all(map(_INTEGER.fullmatch, labels)):
        log(f"{samples.table.source}: true classes are numbered as the columns of scores are.")
    elif not reading.numbered or not (in_column or any(map(_INTEGER.fullmatch, labels))):
        return labels
    given = [number for label in labels if (number := unsigned(label)) is not None]
    if len(given) == len(labels) and 0 not in given and max(given) == len(classes) == 1000:
        raise DataError(
            f"{samples.table.source}: the true classes go from {min(given)} to 1,000. {DEVKIT}",
            argument="numbered",
            value="devkit",
        )
    return positions_as_names(labels, classes, samples.place)


def _of_matrix(
    samples: Samples, labels: list[str], reading: Reading, metadata: dict[str, Any]
) -> Predictions:
    matrix, source = samples.matrix, samples.table.source
    assert matrix is not None
    width = matrix.shape[1]
    if "" in labels:
        raise DataError(f"{samples.place(labels.index(''))}: the true class is empty.")
    if samples.classes is None:
        names = list(reading.classes or ())
        if not names:
            raise no_classes(source, width)
        check_width(width, len(names), f"{source}: ")
        labels = _renamed_others(labels, names, reading.rename, samples.place)
        return scored(matrix, names, labels, samples.place, reading, metadata)
    names = samples.classes
    if reading.rename is not None:
        distinct = list(dict.fromkeys([*names, *labels]))

        def place(name: str) -> str:
            return samples.place(labels.index(name)) if name in labels else f"{source}: the header"

        new = dict(zip(distinct, renamed(distinct, reading.rename, place), strict=True))
        names, labels = [new[name] for name in names], [new[label] for label in labels]
    if (twice := named_twice(names)) is not None:
        raise DataError(f"{source}: two columns of scores are {twice}.")
    if reading.classes is not None:
        columns = columns_of(list(reading.classes), names)
        if (columns < 0).any():
            lacking = list(reading.classes)[int(np.flatnonzero(columns < 0)[0])]
            raise DataError(f"{source}: no column holds the scores of the candidate {lacking}.")
        matrix, names = matrix[:, columns], list(reading.classes)
    said = ", ".join(names[:5]) + (", …" if len(names) > 5 else "")
    log(f"{source}: {len(names):,} columns of scores are taken as classes ({said}).")
    if all(map(str.isdecimal, labels)) and not any(map(str.isdecimal, names)):
        raise DataError(
            f"{samples.place(0)}: the true class is {labels[0]!r}, and the columns of scores are"
            f" called by names ({said}). Write the names."
        )
    return scored(matrix, names, labels, samples.place, reading, metadata)


def no_classes(source: str, width: int) -> DataError:
    """The error for scores of classes that have no names."""
    hint = " (ilsvrc2012 for a network of ImageNet-1k)" if width == 1000 else ""
    return DataError(
        f"{source}: {width:,} scores per sample, and nothing names their classes. Give the"
        f" candidates in the order of the scores{hint}.",
        argument="candidates",
    )


def _renamed_others(
    labels: list[str], classes: Sequence[str], rename: Rename | None, place: Callable[[int], str]
) -> list[str]:
    """True classes, renamed where they are not classes already: numbers have become these."""
    known = set(classes)
    others = list(dict.fromkeys(label for label in labels if label not in known))
    if rename is None or not others:
        return labels
    given = renamed(others, rename, lambda name: place(labels.index(name)))
    new = dict(zip(others, given, strict=True))
    return [new.get(label, label) for label in labels]


def _all_scores(
    lists: RankedLists,
    scores: npt.NDArray[np.float64],
    lengths: npt.NDArray[np.int64],
    classes: Sequence[str] | None,
) -> tuple[list[str], npt.NDArray[np.float64]] | None:
    """(candidates, [N, C] scores) where every list holds all candidates; None otherwise."""
    candidates = sorted(lists.names) if classes is None else list(classes)
    if len(candidates) < 2 or (lengths != len(candidates)).any():
        return None
    matrix = np.empty((len(lists), len(candidates)))
    columns = columns_of(lists.names, candidates)[lists.predicted]
    np.put_along_axis(matrix, columns, scores.reshape(matrix.shape), axis=1)
    return candidates, matrix


def _by_score(
    lists: RankedLists, scores: npt.NDArray[np.float64], lengths: npt.NDArray[np.int64]
) -> RankedLists:
    """The lists in the order of their scores, the largest first; equal ones as they stand."""
    padded = np.full(lists.predicted.shape, np.inf)
    padded[lists.predicted >= 0] = -scores
    padded[lists.predicted < 0] = np.inf
    order = np.argsort(padded, axis=1, kind="stable")
    own = lists.entry_lines
    return replace(
        lists,
        predicted=np.take_along_axis(lists.predicted, order, axis=1),
        entry_lines=None if own is None else np.take_along_axis(own, order, axis=1),
    )

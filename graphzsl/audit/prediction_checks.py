"""Checks of classes and scores: missing classes, unusable names, labels that are no candidates,
scores that are not finite."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.class_names import near_candidate
from graphzsl.audit.formats.arrays import as_array, check_width
from graphzsl.audit.formats.table import texts
from graphzsl.common.checked_names import wrong_names
from graphzsl.common.class_entries import Entry, check_once, refusal
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.wording import counted
from graphzsl.metrics.ranking import row_blocks


def check_shape(scores: npt.NDArray[Any], samples: int, candidates: int) -> None:
    """DataError for scores that are not [samples, candidates]."""
    if scores.ndim == 2:
        check_width(scores.shape[1], candidates)
    if scores.ndim != 2 or len(scores) != samples:
        classes = counted(candidates, "class", "classes")
        raise DataError(
            f"scores {scores.shape} do not fit {counted(samples, 'label')} and {classes}: they are"
            " [labels, classes]."
        )


def check_scored(
    scores: npt.NDArray[Any], labels: Sequence[str], candidates: Sequence[str]
) -> None:
    """DataError for scores [N, C] that are not numbers, or of classes that are missing, unusable or
    there twice."""
    check_present(candidates, "candidates, class {}")
    check_present(labels, "the true class of sample {}", candidates)
    check_once(candidates)
    if not len(labels):
        raise DataError("there is no sample.")
    check_numbers(scores, labels, candidates)


def check_numbers(
    scores: npt.NDArray[Any], labels: Sequence[str], candidates: Sequence[str]
) -> None:
    """DataError for a score that is not a number; several infinite scores of a sample are
    logged."""
    # the largest of all is not a number where one is none
    largest = np.max([block.max() for _, block in row_blocks(scores)]) if scores.size else 0
    if np.isnan(largest):
        row, column = np.argwhere(np.isnan(scores))[0].tolist()
        raise DataError(
            f"a score of sample {row} ({labels[row]}) is not a number: that of"
            f" {candidates[column]}."
        )
    if np.isinf(largest):
        _note_infinite(scores)


def _note_infinite(scores: npt.NDArray[Any]) -> None:
    """Log how many samples have more than one score of +inf, whose order is lost."""
    counts = [(block == np.inf).sum(axis=1) for _, block in row_blocks(scores)]
    rows = np.flatnonzero(np.concatenate(counts) > 1)
    if len(rows):
        log(
            f"{counted(len(rows), 'sample has', 'samples have')} several scores of +inf, the first"
            f" is sample {rows[0]}: they tie, and ties count against the model. Half floats"
            " overflow above 65,504: keep such scores as float32."
        )


def check_present(classes: Sequence[str], where: str, beside: Iterable[str] = ()) -> None:
    """DataError names all classes that are missing, empty texts, which None and nan become; and
    all that have no name that people can tell from others, of these and those ``beside``."""
    wrong = {place: "it is missing." for place, name in enumerate(classes) if not name}
    if not wrong and (problems := wrong_names(dict.fromkeys(chain(beside, classes)))):
        found = enumerate(classes)
        wrong = {place: f"it {problems[name]}." for place, name in found if name in problems}
    if wrong:
        entries = [Entry(name, where.format(at), str(at)) for at, name in enumerate(classes)]
        raise refusal(entries, wrong)


def checked_seen(seen: Iterable[str], candidates: Sequence[str]) -> list[str]:
    """The training classes, each once, in the given order (sorted if they are a set). DataError if
    they are not a list, if one is no usable name, or if one looks like a candidate: it would count
    as unseen."""
    if isinstance(seen, str | bytes) or not isinstance(seen, Iterable):
        kind = type(seen).__name__
        raise DataError(f"seen must be a list of classes, not {kind}.", argument="seen")
    if isinstance(seen, Set | Mapping):
        seen = sorted(seen, key=str) if isinstance(seen, Set) else list(seen)
    given = texts(as_array(seen, "seen").tolist())
    check_present(given, "seen, class {}", candidates)
    return list(dict.fromkeys(given))


def named_labels(labels: Sequence[str], names: Sequence[str]) -> list[str]:
    """The names of labels that are positions from 0; DataError for another number."""
    places = [unsigned(label) for label in labels]
    for row, place in enumerate(places):
        if place is None or place >= len(names):
            raise DataError(
                f"label {labels[row]} of sample {row} is not a position from 0 to"
                f" {len(names) - 1:,} in classes."
            )
    return [names[place] for place in places if place is not None]


def check_labels(
    labels: Sequence[str], candidates: Sequence[str], where: Callable[[int], str]
) -> None:
    """DataError names the first sample whose class is not a candidate."""
    known = set(candidates)
    stray = [number for number, label in enumerate(labels) if label not in known]
    if stray:
        raise DataError(
            f"{where(stray[0])}: the true class {labels[stray[0]]} is none of the {len(known):,}"
            f" candidates ({counted(len(stray), 'sample has', 'samples have')} such a class)."
            f"{near_candidate(labels[stray[0]], candidates)} Give"
            " candidates that hold them, or count these samples as missed.",
            argument="missing",
            value="miss",
        )

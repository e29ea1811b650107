"""Ranked lists of predictions as columns of the candidates, checked."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from graphzsl.audit.class_names import columns_of, near_candidate
from graphzsl.audit.formats.samples import Ints, Samples
from graphzsl.common.checked_names import wrong_names
from graphzsl.common.class_entries import check_once
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.reading.bounds import HARMLESS
from graphzsl.common.wording import counted

#: Share of the lists of one length that makes shorter ones odd.
_USUAL = 0.9


def check_lists(samples: Samples) -> None:
    """DataError names the first sample with a class that has no name that people can tell from
    others, without a true class or a prediction, or with far more predictions than others. A few
    lists that are shorter than nearly all others, as a cut line is, are logged."""
    names = dict.fromkeys(chain(samples.labels, samples.predicted))
    problems = {name: why for name, why in wrong_names(names).items() if name}
    if problems:
        name = next(each for each in names if each in problems)
        raise DataError(f"{samples.place_of_name(name)}: the class {problems[name]}.")
    lengths = samples.lengths
    longest, rows = int(lengths.max(initial=0)), len(samples)
    if 8 * longest * rows > max(HARMLESS, 800 * (rows + len(samples.predicted))):
        raise DataError(
            f"{samples.place(int(np.argmax(lengths)))}: a list of {longest:,} predictions, where"
            f" others have {int(np.median(lengths)):,}. Cut it."
        )
    empty = np.flatnonzero((lengths == 0) | np.array([not label for label in samples.labels]))
    if len(empty):
        row = int(empty[0])
        begin = int(lengths[:row].sum())
        written = samples.predicted if samples.written is None else samples.written
        predicted = written[begin : begin + int(lengths[row])]
        raise DataError(
            f"{samples.place(row)}: expected the true class and at least one prediction, got"
            f" {[samples.labels[row], *predicted]}."
        )
    usual = int(np.bincount(lengths).argmax())
    short = np.flatnonzero(lengths < usual)
    if len(short) and np.mean(lengths == usual) >= _USUAL:
        row = int(short[0])
        have = counted(len(short), "sample has", "samples have")
        log(
            f"{have} fewer than the {usual:,} predictions of the others ({samples.place(row)} has"
            f" {int(lengths[row]):,}): what is missing counts as wrong."
        )


def list_columns(samples: Samples, candidates: Sequence[str] | None) -> tuple[list[str], Ints]:
    """(candidates, [N, K] their columns in each list, -1 behind its end).

    Args:
        samples: lists that ``check_lists`` has checked.
        candidates: the candidates (default: every name in the samples, by name).

    Raises:
        DataError: names the sample of a class that is predicted twice, is none of the candidates,
            or looks like one of them; or candidates are there twice.
    """
    if candidates is not None:
        check_once(candidates)
    names = list(dict.fromkeys(chain(samples.labels, samples.predicted)))
    codes = columns_of(samples.predicted, names)
    places = np.arange(int(samples.lengths.max(initial=0)))
    lists = np.full((len(samples), len(places)), -1, dtype=np.int64)
    lists[places < samples.lengths[:, None]] = codes
    _check_once_each(samples, lists)
    if candidates is None:
        candidates = sorted(names)
    else:
        _check_look(samples, names, candidates)
    columns = columns_of(names, candidates)
    _check_candidates(samples, columns[codes], candidates)
    return list(candidates), np.where(lists >= 0, columns[lists], -1)


def _check_once_each(samples: Samples, lists: Ints) -> None:
    """DataError names the sample of a class that is predicted twice, and as what, where a file has
    two names for it."""
    ordered = np.sort(lists, axis=1)
    same = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any(axis=1)
    if not same.any():
        return
    row = int(np.argmax(same))
    begin = int(samples.lengths[:row].sum())
    names = samples.predicted[begin : begin + int(samples.lengths[row])]
    place = next(place for place, name in enumerate(names) if name in names[:place])
    entries = [begin + names.index(names[place]), begin + place]
    written = [(samples.written or samples.predicted)[entry] for entry in entries]
    as_two = f", as {written[0]!r} and {written[1]!r}" if written[0] != written[1] else ""
    raise DataError(f"{samples.place_of(entries[1])}: {names[place]} is predicted twice{as_two}.")


def _check_look(samples: Samples, names: Sequence[str], candidates: Sequence[str]) -> None:
    """DataError names the sample of a class that looks like a candidate, and is none."""
    known = set(candidates)
    others = [name for name in names if name not in known]
    problems = wrong_names([*known, *others]) if others else {}
    for name in others:
        if name in problems:
            raise DataError(f"{samples.place_of_name(name)}: the class {problems[name]}.")


def _check_candidates(samples: Samples, columns: Ints, candidates: Sequence[str]) -> None:
    """DataError names the sample of a predicted class that is no candidate."""
    stray = np.flatnonzero(columns < 0)
    if not len(stray):
        return
    entry = int(stray[0])
    name = samples.predicted[entry]
    rows = len(np.unique(np.searchsorted(np.cumsum(samples.lengths), stray, side="right")))
    raise DataError(
        f"{samples.place_of(entry)}: the predicted class {name!r} is none of the"
        f" {counted(len(set(candidates)), 'candidate')}"
        f" ({counted(rows, 'sample has', 'samples have')} such predictions)."
        f"{near_candidate(name, candidates)} Give all that the classifier chose from, or take these"
        " classes out of the lists.",
        argument="candidates",
    )

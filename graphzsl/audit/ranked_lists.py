"""Ranked lists of many samples as numbers: every class name is kept once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.checked_names import shown, wrong_names
from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import HARMLESS
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.wording import counted, did_you_mean, near
from graphzsl.hierarchy.spelling import looks_like_wnid, slips_of_wnid
from graphzsl.names.name_matching import UnclearNames

Ints = npt.NDArray[np.int64]
#: Names as they stand in a file -> names of classes, in the same order.
Rename = Callable[[list[str]], list[str]]


@dataclass(frozen=True, eq=False)
class RankedLists:
    """N true classes and N lists of predicted ones, best first.

    ``labels`` [N] and ``predicted`` [N, K] are positions in ``names``, -1 behind the end of a list.
    Messages call sample n ``where`` and ``lines[n]``, and a prediction that has a line of its own
    by that: ``entry_lines`` [N, K].
    """

    names: list[str]
    labels: Ints
    predicted: Ints
    lines: Sequence[int]
    where: str
    entry_lines: Ints | None = None

    @classmethod
    def encode(
        cls,
        labels: Sequence[str],
        flat: Iterable[str],
        lengths: Ints,
        lines: Sequence[int],
        where: str,
        entry_lines: Sequence[int] | None = None,
    ) -> RankedLists:
        """From the lists behind each other (``flat``) and their ``lengths`` [N]; ``entry_lines``
        are the lines of their entries.

        Raises:
            DataError: a true class is empty, or a list is.
        """
        index: dict[str, int] = {}
        codes = np.array(
            [index.setdefault(name, len(index)) for name in chain(labels, flat)], dtype=np.int64
        )
        _check_names(list(index), codes, lengths, lines, where)
        longest, rows = int(lengths.max(initial=0)), len(labels)
        if 8 * longest * rows > max(HARMLESS, 100 * codes.nbytes):
            row = int(np.argmax(lengths))
            raise DataError(
                f"{where}{lines[row]}: a list of {longest:,} predictions, where others have"
                f" {int(np.median(lengths)):,}. Cut it."
            )
        predicted = np.full((len(labels), int(lengths.max(initial=0))), -1, dtype=np.int64)
        predicted[np.arange(predicted.shape[1]) < lengths[:, None]] = codes[len(labels) :]
        own = None
        if entry_lines is not None:
            own = np.full(predicted.shape, -1, dtype=np.int64)
            own[predicted >= 0] = entry_lines
        lists = cls(list(index), codes[: len(labels)], predicted, lines, where, own)
        empty = np.flatnonzero((lengths == 0) | (lists.labels == index.get("", -1)))
        if len(empty):
            row = int(empty[0])
            raise DataError(
                f"{lists.place(row)}: expected the true class and at least one prediction, got"
                f" {[labels[row], *lists.listed(row)]}."
            )
        return lists

    def __len__(self) -> int:
        return len(self.labels)

    def place(self, row: int) -> str:
        """Name of a sample in messages."""
        return f"{self.where}{self.lines[row]}"

    def place_of(self, row: int, column: int) -> str:
        """Name of a prediction in messages: its own line if it has one, else its sample."""
        if self.entry_lines is None:
            return self.place(row)
        return f"{self.where}{self.entry_lines[row, column]}"

    def listed(self, row: int) -> list[str]:
        """The predicted classes of a sample, best first."""
        return [self.names[code] for code in self.predicted[row].tolist() if code >= 0]

    def rename(self, rename: Rename) -> RankedLists:
        """Copy with other names; ``rename`` is called once, with every name.

        Raises:
            DataError: two names in one list become one.
        """
        index: dict[str, int] = {}
        names = renamed(self.names, rename, self._first_place)
        code = np.array([index.setdefault(name, len(index)) for name in names], dtype=np.int64)
        predicted = np.where(self.predicted >= 0, code[self.predicted], -1)
        given = replace(self, names=list(index), labels=code[self.labels], predicted=predicted)
        if found := given.twice():
            row, *places = found
            first, second = (self.names[self.predicted[row, place]] for place in places)
            if first != second:
                name = names[self.predicted[row, places[0]]]
                raise DataError(
                    f"{given.place_of(row, places[1])}: {name} is predicted twice, as"
                    f" {first!r} and {second!r}."
                )
        return given

    def _first_place(self, name: str) -> str:
        """Where a name stands first."""
        code = self.names.index(name)
        rows, columns = np.nonzero(self.predicted == code)
        true = np.flatnonzero(self.labels == code)
        if len(true) and not (len(rows) and rows[0] < true[0]):
            return self.place(int(true[0]))
        return self.place_of(int(rows[0]), int(columns[0]))

    def twice(self) -> tuple[int, int, int] | None:
        """(sample, place, place) of the first class that a list holds twice, from 0."""
        ordered = np.sort(self.predicted, axis=1)
        same = ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] >= 0)).any(axis=1)
        rows = np.flatnonzero(same)
        if not len(rows):
            return None
        seen: dict[int, int] = {}
        for place, code in enumerate(self.predicted[rows[0]].tolist()):
            if code in seen:
                return int(rows[0]), seen[code], place
            seen[code] = place
        return None

    def check(self, classes: Sequence[str] | None) -> None:
        """DataError names the sample of a class that is predicted twice, is none of ``classes``, or
        looks like one of them."""
        if found := self.twice():
            name = self.names[self.predicted[found[0], found[1]]]
            place = self.place_of(found[0], found[2])
            raise DataError(f"{place}: {name} is predicted twice.")
        if classes is not None:
            self._check_look(classes)
            columns = columns_of(self.names, classes)
            stray = np.argwhere((self.predicted >= 0) & (columns[self.predicted] < 0))
            if len(stray):
                name = self.names[self.predicted[tuple(stray[0])]]
                rows = len(set(stray[:, 0].tolist()))
                raise DataError(
                    f"{self.place_of(*stray[0].tolist())}: the predicted class {name!r} is none of"
                    f" the {counted(len(set(classes)), 'candidate')}"
                    f" ({counted(rows, 'sample has', 'samples have')} such predictions)."
                    f"{near_candidate(name, classes)} Give all that"
                    " the classifier chose from, or take these classes out of the lists.",
                    argument="candidates",
                )

    def _check_look(self, classes: Sequence[str]) -> None:
        """DataError names the sample of a class that looks like one of ``classes``, and is none."""
        known = set(classes)
        others = [name for name in self.names if name not in known]
        problems = wrong_names([*known, *others]) if others else {}
        for name in others:
            if name in problems:
                raise DataError(f"{self._first_place(name)}: the class {problems[name]}.")


def near_candidate(name: str, candidates: Sequence[str]) -> str:
    """``" Did you mean 'tench'?"``: the candidate that a class is spelt nearly as; of wnids one
    that a single slip is away."""
    if looks_like_wnid(name):
        known = set(candidates)
        found = [each for each in slips_of_wnid(name) if each in known][:1]
    else:
        found = near(name, candidates, 1)
    return did_you_mean([repr(each) for each in found])


def renamed(
    names: list[str], rename: Rename, where: Callable[[str], str] | None = None
) -> list[str]:
    """Names through ``rename``; DataError where it does not answer each, with the place ``where``
    the first name stands that is not clear."""
    try:
        given = rename(list(names))
    except UnclearNames as error:
        if where is None or not error.names:
            raise
        place = where(error.names[0])
        raise DataError(f"{place}: {error.message}", argument=error.argument) from None
    if len(given) != len(names):
        raise DataError(f"rename gave {len(given):,} names for {len(names):,}.")
    return given


def whole_numbers(classes: npt.NDArray[Any], what: Callable[[int], str]) -> npt.NDArray[Any]:
    """Floats that are whole numbers as integers: among true and predicted classes and candidates
    1.0 is 1, whatever stands beside it. Any other array as it is.

    Args:
        classes: an array of classes; its first axis counts samples, or candidates.
        what: what a message calls the class in a row.

    Raises:
        DataError: names the row of a number that is not whole, or missing.
    """
    if classes.dtype.kind != "f":
        return classes
    values = classes.astype(np.float64)
    # from 2**53 on two whole numbers can be one float
    wrong = ~((np.abs(values) < 2**53) & (values == np.trunc(values)))
    if wrong.any():
        first = tuple(np.argwhere(wrong)[0])
        called = what(int(first[0]))
        if np.isnan(classes[first]):
            raise DataError(f"{called} is missing.")
        raise DataError(f"{called} is {classes[first]}, neither a name nor a whole number.")
    return classes.astype(np.int64)


def columns_of(names: Sequence[str], candidates: Sequence[str]) -> Ints:
    """[N] column of each name, -1 where it is not a candidate."""
    index = {name: column for column, name in enumerate(candidates)}
    return np.array([index.get(name, -1) for name in names], dtype=np.int64)


def positions_as_names(
    cells: Sequence[Any], classes: Sequence[str], where: Callable[[int], str]
) -> list[str]:
    """Positions from 0 in ``classes`` -> names; DataError says ``where`` the first other cell
    is."""
    named: dict[Any, str] = {}
    for cell in dict.fromkeys(cells):
        position = unsigned(str(cell))
        if position is None or position >= len(classes):
            raise DataError(
                f"{where(cells.index(cell))}: {shown(cell)} is not a position from 0 to"
                f" {len(classes) - 1:,} in the candidates."
            )
        named[cell] = classes[position]
    return [named[cell] for cell in cells]


def _check_names(
    names: list[str], codes: Ints, lengths: Ints, lines: Sequence[int], where: str
) -> None:
    """DataError names the first sample with a class that has no name that people can tell from
    others; empty ones are said with their lists."""
    wrong = wrong_names(names)
    wrong.pop("", None)
    if not wrong:
        return
    name = next(each for each in names if each in wrong)
    entry = int(np.flatnonzero(codes == names.index(name))[0])
    rows = len(lengths)
    row = entry if entry < rows else int(np.searchsorted(np.cumsum(lengths), entry - rows, "right"))
    raise DataError(f"{where}{lines[row]}: the class {wrong[name]}.")

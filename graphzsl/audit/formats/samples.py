"""Samples with their true classes and what is predicted for them: the one record that tables and
arrays become, before any class is named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.class_names import Rename
from graphzsl.audit.formats.table import Table, elements, texts
from graphzsl.common.checked_names import wrong_names
from graphzsl.common.errors import DataError
from graphzsl.names.name_matching import UnclearNames

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: One class of each sample, or the list of those that are true of it.
TrueClasses = list[str] | list[list[str]]
_SEVERAL = (list, tuple, set, frozenset, np.ndarray)


@dataclass(frozen=True, eq=False)
class Samples:
    """N samples of a table or of arrays.

    ``predicted`` are the lists of all samples behind each other, ``lengths`` [N] how long each is,
    ``scores`` those of ``predicted``; or ``matrix`` [N, C] holds the scores of all classes.
    ``labels`` [N] are the true classes; where several are true of a sample there is a row for each,
    and ``sample_of`` is its sample, of ``count``. ``classes`` [C] are what scores and positions
    stand for; ``beside`` says that they are columns, or an array beside the predictions, under the
    same names.

    ``positions`` and ``label_positions`` say that the predicted and the true classes are numbers,
    which count the classes unless these are ``class_numbers``. ``files`` are [N] or None.
    ``entry_lines`` are the lines of ``predicted`` where each has one of its own. ``written`` are
    ``predicted`` before they were renamed. A ``table`` of arrays has no columns.
    """

    table: Table
    lines: Sequence[int]
    labels: list[str] = field(default_factory=list)
    column: TrueClasses | None = None  #: true classes as a column of the table has them
    files: list[str] | None = None
    predicted: list[str] = field(default_factory=list)
    lengths: Ints = field(default_factory=lambda: np.zeros(0, dtype=np.int64))
    scores: Floats | None = None
    matrix: npt.NDArray[Any] | None = None
    classes: list[str] | None = None
    beside: bool = False
    positions: bool = False
    label_positions: bool = False
    class_numbers: bool = False
    entry_lines: Sequence[int] | None = None
    written: list[str] | None = None
    sample_of: Ints | None = None
    count: int = 0

    def __len__(self) -> int:
        return len(self.lines)

    @property
    def of_arrays(self) -> bool:
        """True for samples of arrays, whose types say what is a number."""
        return not self.table.columns

    def place(self, sample: int) -> str:
        """Name of a sample in messages."""
        return f"{self.table.where}{self.lines[sample]}"

    def place_of(self, entry: int) -> str:
        """Name of an entry of ``predicted`` in messages."""
        if self.entry_lines is not None:
            return f"{self.table.where}{self.entry_lines[entry]}"
        return self.place(self.of_entry(entry))

    def of_entry(self, entry: int) -> int:
        """The sample that an entry of ``predicted`` belongs to."""
        return int(np.searchsorted(np.cumsum(self.lengths), entry, side="right"))

    def with_true_classes(self, true: TrueClasses) -> Samples:
        """Copy with the true classes: a row for each, where samples have lists of them."""
        if not any(isinstance(each, list) for each in true):
            return self.with_labels([str(each) for each in true])
        sample_of = np.repeat(np.arange(len(true)), [len(each) for each in true])
        if not len(sample_of):
            raise DataError(f"{self.table.source}: no sample has a true class.")
        return self.with_labels([*chain.from_iterable(true)], sample_of)

    def with_labels(self, labels: list[str], sample_of: Ints | None = None) -> Samples:
        """Copy with true classes, and a row for each of them where ``sample_of`` is given."""
        if sample_of is None:
            return replace(self, labels=labels)
        rows = self._rows(sample_of)
        return replace(rows, labels=labels, sample_of=sample_of, count=len(self))

    def _rows(self, at: Ints) -> Samples:
        """The samples at these places, as often as they are there."""
        starts = np.cumsum(self.lengths) - self.lengths
        lengths = self.lengths[at]
        ends = np.cumsum(lengths)
        within = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths)
        entries = np.repeat(starts[at], lengths) + within
        own = self.entry_lines
        return replace(
            self,
            lines=[self.lines[row] for row in at.tolist()],
            files=None if self.files is None else [self.files[row] for row in at.tolist()],
            predicted=[self.predicted[entry] for entry in entries.tolist()],
            lengths=lengths,
            scores=None if self.scores is None else self.scores[entries],
            matrix=None if self.matrix is None else self.matrix[at],
            entry_lines=None if own is None else [own[entry] for entry in entries.tolist()],
        )

    def names(self) -> list[list[str]]:
        """The classes that are called by names: those beside the predictions, true ones, predicted
        ones."""
        own = self.classes if self.beside and not self.class_numbers else None
        labels = [] if self.label_positions else self.labels
        return [own or [], labels, [] if self.positions else self.predicted]

    def rename(self, rename: Rename, candidates: Sequence[str]) -> Samples:
        """Copy with other names; ``rename`` is called once, with every name. Where true classes
        alone have names, those that are candidates keep them."""
        sides = self.names()
        is_named = self.beside or (self.matrix is None and not self.positions)
        known = set() if is_named else set(candidates)
        names = list(dict.fromkeys(name for side in sides for name in side if name not in known))
        if not names:
            return self
        if wrong := wrong_names([name for name in names if name]):
            name = next(each for each in names if each in wrong)
            raise DataError(f"{self.place_of_name(name)}: the class {wrong[name]}.")
        try:
            given = rename([*names])
        except UnclearNames as error:
            if not error.names:
                raise
            place = self.place_of_name(error.names[0])
            raise DataError(f"{place}: {error.message}", argument=error.argument) from None
        if len(given) != len(names):
            raise DataError(f"rename gave {len(given):,} names for {len(names):,}.")
        if [*given] == names:
            return replace(self, written=self.predicted)
        new = dict(zip(names, given, strict=True))
        own, labels, predicted = ([new.get(name, name) for name in side] for side in sides)
        return replace(
            self,
            classes=own or self.classes,
            labels=labels or self.labels,
            predicted=predicted or self.predicted,
            written=self.predicted,
        )

    def place_of_name(self, name: str) -> str:
        """Place where a name stands first."""
        rows = [self.labels.index(name)] if name in self.labels else []
        entry = self.predicted.index(name) if name in self.predicted else None
        if entry is not None and not (rows and rows[0] <= self.of_entry(entry)):
            return self.place_of(entry)
        if rows:
            return self.place(rows[0])
        return f"{self.table.head}the {'classes' if self.of_arrays else 'header'}"


def lists_of_true_classes(cells: Sequence[Any]) -> TrueClasses:
    """True classes as texts; where some cells hold lists (or texts of lists), those of all.

    Raises:
        DataError: lists in lists, or marks of 0 and 1 for each candidate.
    """
    if not any(isinstance(cell, _SEVERAL) or _is_list(cell) for cell in cells):
        return texts(cells)
    lists = several_classes(
        [cell if isinstance(cell, _SEVERAL) else elements(cell) for cell in cells]
    )
    for each in chain.from_iterable(lists):
        if isinstance(each, list | tuple | dict | set):
            raise DataError(f"A list of true classes holds classes, not {str(each)[:60]!r}.")
    return [texts(each) for each in lists]


def several_classes(cells: Sequence[Any]) -> list[list[Any]]:
    """The classes of each cell, one of which is a list or a set; a class by itself is a list of
    one. DataError for lists that mark each candidate with 0 or 1: they are no classes."""
    lists = [
        sorted(cell, key=str)
        if isinstance(cell, set | frozenset)
        else cell.tolist()
        if isinstance(cell, np.ndarray)
        else [*cell]
        if isinstance(cell, _SEVERAL)
        else [cell]
        for cell in cells
    ]
    sizes = {len(each) for each in lists}
    if len(sizes) > 1 or max(sizes, default=0) < 2:
        return lists
    marks = {str(cell) for each in lists for cell in each}
    if marks <= {"0", "1", "True", "False"} and any(len(set(each)) < len(each) for each in lists):
        raise DataError(
            f"The true classes are lists of {max(sizes)} marks, 0 or 1. Give the classes that are"
            " true: their names, or their positions in the candidates."
        )
    return lists


def are_several(cells: Sequence[Any]) -> bool:
    """True if some sample has a list of classes, and not each a list of one ([N, 1])."""
    listed = [len(cell) for cell in cells if isinstance(cell, _SEVERAL)]
    return bool(listed) and not (len(listed) == len(cells) and set(listed) == {1})


def _is_list(cell: Any) -> bool:
    if not isinstance(cell, str):
        return False
    return (cell[:1] == "[" and cell[-1:] == "]") or (" " in cell and len(elements(cell)) > 1)

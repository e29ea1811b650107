"""Candidates of equal score: which of them are tied across the border of a list, kept small for
many samples."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.metrics.ranking import Ranked

Ints = npt.NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Ties:
    """The ties of N ranked lists of K places, equal scores in the order of their columns.

    ``top`` [N, K] columns. ``start`` [N, K] is the place, from 0, where the tie of each place
    begins: its own place where no better-placed candidate has its score. ``longer`` [N] says which
    of ``groups`` is the tie that goes on beyond place K, -1 where none does; a group holds all of
    its columns, and equal groups are kept once, because a structural baseline ties the same
    candidates for many samples. ``better`` [N] is the number of candidates that score more than the
    true class (C where it is not a candidate).
    """

    top: Ints
    start: Ints
    longer: Ints
    groups: list[npt.NDArray[np.int32]]
    better: Ints

    def subset(self, rows: npt.NDArray[np.bool_]) -> Ties:
        """The ties of some samples."""
        return Ties(
            self.top[rows], self.start[rows], self.longer[rows], self.groups, self.better[rows]
        )

    def crossing(self, k: int) -> Iterator[tuple[int, int, npt.NDArray[Any]]]:
        """(row, places before the tie, tied columns) of every list where a tie goes on beyond place
        ``k``.

        k less the places before the tie are left for its members.
        """
        depth = self.start.shape[1]
        k = min(k, depth)
        goes_on = self.start[:, k] == self.start[:, k - 1] if k < depth else self.longer >= 0
        for row in np.flatnonzero(goes_on).tolist():
            begin = int(self.start[row, k - 1])
            if self.longer[row] >= 0 and begin == self.start[row, -1]:
                yield row, begin, self.groups[self.longer[row]]
            else:
                yield row, begin, self.top[row, self.start[row] == begin]


class TieCollector:
    """Finds the ties of one block of samples after the other."""

    def __init__(self) -> None:
        self._known: dict[bytes, int] = {}
        self._groups: list[npt.NDArray[np.int32]] = []
        self._blocks: list[tuple[Ints, Ints, Ints, Ints]] = []

    def add(self, scores: npt.NDArray[Any], block: Ranked) -> None:
        """``scores`` [n, C] and what they say."""
        top = block.top
        values = np.take_along_axis(scores, top, axis=1)
        new = np.ones(top.shape, dtype=bool)
        new[:, 1:] = values[:, 1:] != values[:, :-1]
        start = np.maximum.accumulate(np.where(new, np.arange(top.shape[1]), 0), axis=1)
        longer = np.full(len(top), -1, np.int64)
        for row in np.flatnonzero(block.goes_on):
            longer[row] = self._kept(
                np.flatnonzero(scores[row] == values[row, -1]).astype(np.int32)
            )
        self._blocks.append((top, start, longer, block.better))

    def ties(self) -> Ties:
        """The ties of all blocks, in their order."""
        top, start, longer, better = (
            np.concatenate(parts) for parts in zip(*self._blocks, strict=True)
        )
        return Ties(top, start, longer, self._groups, better)

    def _kept(self, group: npt.NDArray[np.int32]) -> int:
        key = hashlib.blake2b(group.tobytes(), digest_size=20).digest()
        if key not in self._known:
            self._known[key] = len(self._groups)
            self._groups.append(group)
        return self._known[key]

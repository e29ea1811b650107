"""The relations of a class to many candidates at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from graphzsl.hierarchy.graph import Hierarchy

#: What a prediction is to the true class, from best to worst (Hascoet et al. 2019, section 4.1).
OUTCOMES = ("correct", "parent", "child", "unrelated")


@dataclass(frozen=True)
class ToCandidates:
    """The relations of a class to each of C candidates, as arrays [C + 1]: column -1, no candidate,
    has a value too."""

    hierarchy: Hierarchy
    candidates: Sequence[str]

    def outcomes(self, true: str) -> npt.NDArray[np.int64]:
        """Positions in ``OUTCOMES``; no candidate is unrelated."""
        found = np.full(len(self.candidates) + 1, OUTCOMES.index("unrelated"))
        if true in self._below:
            found[self._below[true]] = OUTCOMES.index("child")
        ancestors = [
            self._index[wnid] for wnid in self.hierarchy.ancestors(true) if wnid in self._index
        ]
        found[ancestors] = OUTCOMES.index("parent")
        if true in self._index:
            found[self._index[true]] = OUTCOMES.index("correct")
        return found

    def heights(self, true: str, heights: dict[str, int]) -> npt.NDArray[np.float64]:
        """``Hierarchy.lca_height`` to every candidate; infinite where there is no common ancestor,
        and for no candidate."""
        found = np.full(len(self.candidates) + 1, np.inf)
        above = [wnid for wnid in (*self.hierarchy.ancestors(true), true) if wnid in self._below]
        # the lowest is written last
        for wnid in sorted(above, key=heights.__getitem__, reverse=True):
            found[self._below[wnid]] = heights[wnid]
        if true in self._index:
            found[self._index[true]] = 0
        return found

    @cached_property
    def _index(self) -> dict[str, int]:
        return {wnid: column for column, wnid in enumerate(self.candidates)}

    @cached_property
    def _below(self) -> dict[str, npt.NDArray[np.int64]]:
        """wnid -> columns of itself and its descendants."""
        found: dict[str, list[int]] = {}
        for column, wnid in enumerate(self.candidates):
            for ancestor in (*self.hierarchy.ancestors(wnid), wnid):
                found.setdefault(ancestor, []).append(column)
        return {wnid: np.array(columns, dtype=np.int64) for wnid, columns in found.items()}

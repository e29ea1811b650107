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
        codes = np.full(len(self.candidates) + 1, OUTCOMES.index("unrelated"))
        if true in self._below:
            codes[self._below[true]] = OUTCOMES.index("child")
        ancestors = [
            self._index[wnid] for wnid in self.hierarchy.ancestors(true) if wnid in self._index
        ]
        codes[ancestors] = OUTCOMES.index("parent")
        if true in self._index:
            codes[self._index[true]] = OUTCOMES.index("correct")
        return codes

    def heights(self, true: str, heights: dict[str, int]) -> npt.NDArray[np.float64]:
        """``Hierarchy.lca_height`` to every candidate; infinite where there is no common ancestor,
        and for no candidate."""
        to_candidates = np.full(len(self.candidates) + 1, np.inf)
        above = [wnid for wnid in (*self.hierarchy.ancestors(true), true) if wnid in self._below]
        # the lowest is written last
        for wnid in sorted(above, key=heights.__getitem__, reverse=True):
            to_candidates[self._below[wnid]] = heights[wnid]
        if true in self._index:
            to_candidates[self._index[true]] = 0
        return to_candidates

    @cached_property
    def _index(self) -> dict[str, int]:
        return {wnid: column for column, wnid in enumerate(self.candidates)}

    @cached_property
    def _below(self) -> dict[str, npt.NDArray[np.int64]]:
        """wnid -> columns of itself and its descendants."""
        columns_of: dict[str, list[int]] = {}
        for column, wnid in enumerate(self.candidates):
            for ancestor in (*self.hierarchy.ancestors(wnid), wnid):
                columns_of.setdefault(ancestor, []).append(column)
        return {wnid: np.array(columns, dtype=np.int64) for wnid, columns in columns_of.items()}

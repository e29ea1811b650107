"""The relations of a class to many candidates at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
import numpy.typing as npt

from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import row_of

#: What a prediction is to the true class, from best to worst (Hascoet et al. 2019, section 4.1).
OUTCOMES = ("correct", "parent", "child", "unrelated")

#: Arrays of nodes that are kept for their descendants.
_KEPT = 200


@dataclass(frozen=True)
class ToCandidates:
    """Relations of each of C candidates to a class, as arrays [C + 1]: column -1 stands for no
    candidate."""

    hierarchy: Hierarchy
    candidates: Sequence[str]

    def outcomes(self, true: str) -> npt.NDArray[np.int8]:
        """Positions in ``OUTCOMES``; no candidate is unrelated."""
        codes = np.full(len(self.candidates) + 1, OUTCOMES.index("unrelated"), dtype=np.int8)
        if true in self.below:
            codes[self.below[true]] = OUTCOMES.index("child")
        ancestors = [
            self.index[wnid] for wnid in self.hierarchy.ancestors(true) if wnid in self.index
        ]
        codes[ancestors] = OUTCOMES.index("parent")
        if true in self.index:
            codes[self.index[true]] = OUTCOMES.index("correct")
        return codes

    @cached_property
    def index(self) -> dict[str, int]:
        return {wnid: column for column, wnid in enumerate(self.candidates)}

    @cached_property
    def below(self) -> dict[str, npt.NDArray[np.int64]]:
        """wnid -> columns of itself and its descendants."""
        columns_of: dict[str, list[int]] = {}
        for column, wnid in enumerate(self.candidates):
            for ancestor in (*self.hierarchy.ancestors(wnid), wnid):
                columns_of.setdefault(ancestor, []).append(column)
        return {wnid: np.array(columns, dtype=np.int64) for wnid, columns in columns_of.items()}


class LowestCommon:
    """The smallest number of a common ancestor of a class and each of C candidates, a node counting
    as its own ancestor, as an array [C + 1]: infinite where there is none, and for no candidate.

    A class has the array of its parents, but for the candidates below itself: what siblings share
    is computed once, when one is asked for soon after the other.

    Args:
        to_candidates: the candidates in their hierarchy.
        numbers: of every ancestor of candidates; float32 must hold them.
    """

    def __init__(self, to_candidates: ToCandidates, numbers: Mapping[str, int]):
        self._to, self._numbers = to_candidates, numbers
        self.lowest = lru_cache(_KEPT)(self._lowest)

    def _lowest(self, wnid: str) -> npt.NDArray[np.float32]:
        """[C + 1] the smallest number among the common ancestors of a node and each candidate."""
        hierarchy = self._to.hierarchy
        parents = row_of(hierarchy.up, hierarchy.index[wnid]).tolist()
        if parents:
            found = self.lowest(hierarchy.wnids[parents[0]]).copy()
        else:
            found = np.full(len(self._to.candidates) + 1, np.inf, dtype=np.float32)
        for parent in parents[1:]:
            np.minimum(found, self.lowest(hierarchy.wnids[parent]), out=found)
        if wnid in self._to.below:
            columns = self._to.below[wnid]
            found[columns] = np.minimum(found[columns], self._numbers[wnid])
        return found


class LcaHeights(LowestCommon):
    """``Hierarchy.lca_height`` of a class to each of C candidates, as an array [C + 1]: the numbers
    are heights, and a class is 0 from itself."""

    def __call__(self, true: str) -> npt.NDArray[np.float32]:
        found = self.lowest(true).copy()
        if true in self._to.index:
            found[self._to.index[true]] = 0
        return found

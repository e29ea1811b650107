"""How classes are related in a hierarchy that was exported: ancestors, lowest common ancestors, hops. No database."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from graphzsl.errors import DataError
from graphzsl.hops import hop_distances, label_shells
from graphzsl.subgraph import Subgraph

#: What a prediction is to the true class, from best to worst (Hascoet et al. 2019, section 4.1).
OUTCOMES = ("correct", "parent", "child", "unrelated")


@dataclass(frozen=True)
class Relations:
    """The relations of the nodes of ``graph``. Ancestors and lowest common ancestors need the classes and their ancestors; hops and
    heights in full WordNet need the whole of it (``graphzsl export subgraph --whole``)."""

    graph: Subgraph

    @property
    def whole(self) -> bool:
        """Whether the graph is all of WordNet's nouns."""
        return bool(self.graph.facts.get("whole"))

    def check(self, wnids: Iterable[str]) -> None:
        """DataError names a class that is no node, or no wnid at all."""
        found = sorted(set(wnids))
        named = [name for name in found if name not in self.graph.index and not re.fullmatch(r"n\d{8}", name)]
        if named:
            raise DataError(
                f"{named[0]!r} is not a wnid: with a hierarchy, classes must be wnids such as n02121620 ({len(named):,} of "
                f"{len(found):,} are not). Map class names to wnids first, or leave the hierarchy out."
            )
        self.graph.positions(found)

    def ancestors(self, wnid: str) -> frozenset[str]:
        """All ancestors of a class, itself not counted."""
        if wnid not in self._ancestors:
            self._ancestors[wnid] = frozenset(self.graph.dag.above(wnid))
        return self._ancestors[wnid]

    @cached_property
    def _ancestors(self) -> dict[str, frozenset[str]]:
        return {}

    def outcome(self, true: str, predicted: str) -> str:
        """What one prediction is, from best to worst: correct, parent (an ancestor of the true class), child (a descendant) or
        unrelated."""
        if true == predicted:
            return "correct"
        if predicted in self.ancestors(true):
            return "parent"
        return "child" if true in self.ancestors(predicted) else "unrelated"

    def heights(self, classes: Iterable[str] | None = None) -> dict[str, int]:
        """wnid -> longest way down to a leaf. With ``classes`` only they and their ancestors count: the trimmed hierarchy of
        Russakovsky et al. (2015, section 4.1), where a class without another below it is a leaf."""
        part = self.graph.dag if classes is None else self.graph.dag.trimmed(set(classes))
        return dict(zip(part.wnids, part.heights.tolist(), strict=True))

    def lca_height(self, one: str, other: str, heights: dict[str, int]) -> int:
        """Smallest height of a common ancestor (a class counts as its own); 0 for a class with itself. DataError when there is none."""
        if one == other:
            return 0
        common = (self.ancestors(one) | {one}) & (self.ancestors(other) | {other})
        if not common:
            raise DataError(f"{one} and {other} have no common ancestor in the hierarchy that was exported.")
        return min(heights[wnid] for wnid in common)

    def hops_from(self, train: Sequence[str]) -> dict[str, int]:
        """wnid -> hops to the nearest training class, for every node that one reaches."""
        adjacency = self.graph.dag.adjacency
        hops = hop_distances(adjacency, adjacency.positions(train))
        return {wnid: int(hop) for wnid, hop in zip(adjacency.wnids, hops, strict=True) if hop >= 0}

    def hcorrect_sets(
        self, labels: Sequence[str], valid: Sequence[str], ks: Sequence[int]
    ) -> dict[int, dict[str, list[str]]]:
        """k -> label -> hCorrectSet (Frome et al. 2013, appendix A.3) with ``valid`` labels. Labels that are not valid are an error."""
        stray = sorted(set(labels) - set(valid))
        if stray:
            raise DataError(f"{stray[0]} is not a valid label: hp@k needs every true class in the valid set.")
        self.check(valid)
        adjacency = self.graph.dag.adjacency
        shells = label_shells(adjacency, adjacency.positions(labels), adjacency.positions(valid), max(ks, default=1))
        found: dict[int, dict[str, list[str]]] = {k: {} for k in ks}
        for label, parts in zip(labels, shells, strict=True):
            sizes = np.cumsum([len(part) for part in parts])
            for k in ks:
                last = int(np.searchsorted(sizes, k)) + 1
                found[k][label] = sorted(adjacency.wnids[node] for part in parts[:last] for node in part)
        return found

    @cached_property
    def populations(self) -> dict[str, int]:
        """wnid -> number of ImageNet images, of the nodes where it is known."""
        return {
            wnid: count
            for wnid, count in zip(self.graph.wnids, self.graph.populations, strict=bool(self.graph.populations))
            if count is not None
        }


@dataclass(frozen=True)
class ToCandidates:
    """The relations of a class to each of C candidates, as arrays [C + 1]: column -1, no candidate, has a value too."""

    relations: Relations
    candidates: Sequence[str]

    def outcomes(self, true: str) -> npt.NDArray[np.int64]:
        """Positions in ``OUTCOMES``; no candidate is unrelated."""
        found = np.full(len(self.candidates) + 1, OUTCOMES.index("unrelated"))
        if true in self._below:
            found[self._below[true]] = OUTCOMES.index("child")
        ancestors = [self._index[wnid] for wnid in self.relations.ancestors(true) if wnid in self._index]
        found[ancestors] = OUTCOMES.index("parent")
        if true in self._index:
            found[self._index[true]] = OUTCOMES.index("correct")
        return found

    def heights(self, true: str, heights: dict[str, int]) -> npt.NDArray[np.float64]:
        """``Relations.lca_height`` to every candidate; infinite where there is no common ancestor, and for no candidate."""
        found = np.full(len(self.candidates) + 1, np.inf)
        above = [wnid for wnid in (*self.relations.ancestors(true), true) if wnid in self._below]
        for wnid in sorted(above, key=heights.__getitem__, reverse=True):  # the lowest is written last
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
            for ancestor in (*self.relations.ancestors(wnid), wnid):
                found.setdefault(ancestor, []).append(column)
        return {wnid: np.array(columns, dtype=np.int64) for wnid, columns in found.items()}

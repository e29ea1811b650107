"""The nodes of a hierarchy with their names, and how a node is looked up."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.wording import called, did_you_mean, near
from graphzsl.hierarchy.matrices import HierarchyMatrices
from graphzsl.hierarchy.search import Positions
from graphzsl.hierarchy.spelling import looks_like_wnid, slips_of_wnid
from graphzsl.hierarchy.vocabulary import NAMES, NEAR, WordNetVocabulary
from graphzsl.sources.tables import WNID


@dataclass(frozen=True, eq=False)
class Nodes(HierarchyMatrices):
    """Nodes with their edges and names.

    Args:
        wnids: [V] the nodes.
        index: wnid -> position.
        up: [V, V] 1 where the row's node is a child of the column's.
        names: wnid -> name, where it is known.
        populations: wnid -> images in ImageNet, where they are known.
        provenance: where the hierarchy comes from.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    populations: Mapping[str, int] = field(default_factory=dict)
    provenance: Mapping[str, Any] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """True if this is all of WordNet's nouns."""
        return bool(self.provenance.get("whole"))

    def positions(self, wnids: Iterable[str]) -> Positions:
        """Positions of wnids, one for each in their order; DataError names one that is not a node,
        and near ones."""
        try:
            return np.array([self.index[wnid] for wnid in wnids], dtype=np.int64)
        except KeyError as error:
            name = error.args[0]
            offer = did_you_mean(self.vocabulary.near(str(name)))
            raise DataError(
                f"{name} is not a node of the hierarchy.{offer} Correct it, take it off the"
                " list, or use a hierarchy that holds it."
            ) from None

    @cached_property
    def vocabulary(self) -> HierarchyVocabulary:
        """Texts that its nodes are looked up by."""
        return HierarchyVocabulary(self)

    @cached_property
    def of_name(self) -> dict[str, str]:
        """Name of a node -> its wnid."""
        return {name: wnid for wnid, name in self.names.items() if wnid in self.index}

    def wnids_at(self, positions: npt.ArrayLike) -> list[str]:
        """The wnids at these positions, sorted."""
        return sorted(map(self.wnids.__getitem__, np.asarray(positions).tolist()))

    def check_classes(self, classes: Iterable[str]) -> None:
        """DataError names a class that is not a node, or not a wnid at all."""
        given = sorted(set(classes))
        named = [name for name in given if name not in self.index and not WNID.match(name)]
        if named:
            raise DataError(
                f"{named[0]!r} is not a wnid: with a hierarchy, classes must be wnids such as"
                f" n02121620 ({len(named):,} of {len(given):,} are not). Map class names to wnids"
                " first, or leave the hierarchy out."
            )
        self.positions(given)


@dataclass(frozen=True)
class HierarchyVocabulary:
    """The nodes of a hierarchy by their own names; words are those of WordNet's nouns where the
    nodes are wnids."""

    hierarchy: Nodes
    what = "a node of the hierarchy"

    @cached_property
    def _words(self) -> WordNetVocabulary | None:
        wnids = self.hierarchy.wnids
        if not wnids or not WNID.match(wnids[-1]):
            return None
        return WordNetVocabulary()

    def prepare(self, texts: Sequence[str]) -> None:
        """Nothing: all is in memory."""

    def has(self, wnid: str) -> bool:
        """True if the wnid is a node."""
        return wnid in self.hierarchy.index

    def named(self, name: str) -> str | None:
        """The node of a name, or the synset, whether or not it is a node."""
        found = self.hierarchy.of_name.get(name)
        return self._words.named(name) if found is None and self._words else found

    def of_word(self, word: str) -> Mapping[str, int]:
        """The synsets of a word with their tags, whether or not they are nodes."""
        return self._words.of_word(word) if self._words else {}

    def name(self, wnid: str) -> str:
        """The name of a node."""
        own = self.hierarchy.names.get(wnid, "")
        return own or (self._words.name(wnid) if self._words and self._words.has(wnid) else "")

    def gloss(self, wnid: str) -> str:
        """The definition of a synset."""
        return self._words.gloss(wnid) if self._words and self._words.has(wnid) else ""

    def near(self, text: str) -> list[str]:
        """Nodes, their names, or words."""
        if looks_like_wnid(text):
            known = filter(self.has, slips_of_wnid(text))
            return [called(wnid, self.hierarchy.names) for wnid in islice(known, NEAR)]
        found = near(text, self.hierarchy.of_name, cutoff=NAMES)
        if found or not self._words:
            return found or near(text, self.hierarchy.index)
        return self._words.near(text)

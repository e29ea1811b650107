"""Vocabularies, in which the meanings of words are looked up: WordNet's nouns, or the nodes of a
hierarchy. ``graphzsl.database.names`` has the vocabulary of a database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Protocol

from graphzsl.common.wording import near
from graphzsl.hierarchy.spelling import (
    QUALIFIER,
    key,
    looks_like_wnid,
    qualifies,
    slips_of_wnid,
    synset_name,
    word_key,
)

if TYPE_CHECKING:
    from graphzsl.hierarchy.lexicon import Lexicon

#: How alike names of synsets must be: all of them end alike.
NAMES = 0.8
#: How many near wnids are offered.
NEAR = 3


class Vocabulary(Protocol):
    """Words and names with their meanings, to be looked up."""

    def prepare(self, texts: Sequence[str]) -> None:
        """Read at once what looking these texts up needs; where all is in memory, nothing."""

    def has(self, wnid: str) -> bool:
        """True if the wnid is a synset of this vocabulary."""

    def named(self, name: str) -> str | None:
        """The wnid of the name of a synset (``dog.n.01``)."""

    def of_word(self, word: str) -> Mapping[str, int]:
        """wnid of each synset of a word, the best known first -> how often that sense of the word
        is tagged in text."""

    def name(self, wnid: str) -> str:
        """The name of a synset."""

    def gloss(self, wnid: str) -> str:
        """The definition of a synset; empty if it is not known."""

    def near(self, text: str) -> Sequence[str]:
        """Near spellings of an unknown text: wnids, names of synsets, or words."""

    @property
    def what(self) -> str:
        """Kind of the synsets, for messages: ``a noun synset of WordNet 3.0``."""


@dataclass(frozen=True)
class WordNetVocabulary:
    """All nouns of WordNet 3.0, read when the first word is looked up.

    Args:
        given: the nouns, where they are read already.
    """

    given: Lexicon | None = None
    what = "a noun synset of WordNet 3.0"

    @cached_property
    def lexicon(self) -> Lexicon:
        """WordNet's nouns."""
        from graphzsl.hierarchy.lexicon import Lexicon

        return self.given or Lexicon.load()

    def prepare(self, texts: Sequence[str]) -> None:
        """Nothing: all is in memory."""

    def has(self, wnid: str) -> bool:
        """True if the wnid is a synset."""
        return wnid in self.lexicon.index

    def named(self, name: str) -> str | None:
        """The wnid of the name of a synset."""
        position = self.lexicon.named(name)
        return None if position is None else self.lexicon.wnids[position]

    def of_word(self, word: str) -> dict[str, int]:
        """wnid of each synset of a word, or of a word with a qualifier -> its tags."""
        lexicon = self.lexicon
        counts = lexicon.tags_of(word)
        if not counts and (qualifier := QUALIFIER.search(word)):
            counts = {
                each: count
                for each, count in lexicon.tags_of(word[: qualifier.start()]).items()
                if is_qualified(lexicon, each, qualifier[1])
            }
        counts = counts or dict.fromkeys(lexicon.of_squeezed.get(key(word), []), 0)
        return {lexicon.wnids[each]: count for each, count in counts.items()}

    def name(self, wnid: str) -> str:
        """The name of a synset."""
        return self.lexicon.names[self.lexicon.index[wnid]]

    def gloss(self, wnid: str) -> str:
        """The definition of a synset."""
        return self.lexicon.gloss(self.lexicon.index[wnid])

    def near(self, text: str) -> list[str]:
        """Wnids, names of synsets, or words."""
        if looks_like_wnid(text):
            known = filter(self.has, slips_of_wnid(text))
            return [f"{wnid} ({self.name(wnid)})" for wnid in islice(known, NEAR)]
        if synset_name(text):
            return near(text, self.lexicon.names, cutoff=NAMES)
        return [repr(word) for word in near(word_key(text), self.lexicon.keys)]


def is_qualified(lexicon: Lexicon, position: int, qualifier: str) -> bool:
    """True if a qualifier is a word of an ancestor of a synset, or stands in its gloss."""
    above = (word for each in lexicon.ancestors(position) for word in lexicon.words_of(each))
    return qualifies(qualifier, above, lexicon.gloss(position))

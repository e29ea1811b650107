"""WordNet's nouns with their words, senses and glosses, from the file of them in the package."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.reading.parquet_files import read_parquet
from graphzsl.hierarchy import wordnet
from graphzsl.hierarchy.spelling import key, word_key
from graphzsl.sources.wordnet import sense_name
from graphzsl.sources.wordnet_content import LEXNAMES


@dataclass(frozen=True)
class Sense:
    """A word of a synset: ``number`` ranks the word's noun senses from 1, the best known first;
    ``count`` is how often the sense was tagged in text."""

    text: str
    number: int
    count: int


@dataclass(frozen=True, eq=False)
class Lexicon:
    """The noun synsets, sorted by wnid; positions in ``wnids`` are what the methods take and give.

    ``parents`` and ``words`` hold each synset's part between two borders: its direct hypernyms in
    WordNet's order (the instance hypernyms last), and its words in WordNet's order. ``instances``
    says which synsets are single things (persons, places), which have instance hypernyms alone.
    """

    wnids: list[str]
    names: list[str]
    glosses: Any
    lexicographers: npt.NDArray[np.int64]
    parents: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
    instances: npt.NDArray[np.bool_]
    words: tuple[list[str], npt.NDArray[np.int64]]
    sense_numbers: npt.NDArray[np.int64]
    sense_counts: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<Lexicon: {len(self.wnids):,} noun synsets, {len(self.words[0]):,} words>"

    @classmethod
    def load(cls) -> Lexicon:
        """The nouns of WordNet 3.0, from the file of them in the package."""
        return _of_file(wordnet.NOUNS)

    @cached_property
    def index(self) -> dict[str, int]:
        """wnid -> position."""
        return {wnid: position for position, wnid in enumerate(self.wnids)}

    @cached_property
    def _named(self) -> dict[str, int]:
        return {name: position for position, name in enumerate(self.names)}

    def named(self, name: str) -> int | None:
        """The position of the synset of a name by any of its words: ``ice_bear.n.01`` and
        ``polar_bear.n.01`` are one; None where there is none."""
        if name in self._named:
            return self._named[name]
        word = name.rpartition(".n.")[0].replace("_", " ")
        for position in self.synsets_of(word):
            senses = self.senses_of(position)
            if name in (sense_name(sense.text, sense.number) for sense in senses):
                return position
        return None

    @cached_property
    def _of_key(self) -> dict[str, list[int]]:
        texts, borders = self.words
        owners = np.repeat(np.arange(len(self.wnids)), np.diff(borders))
        order = np.lexsort((owners, -self.sense_counts, self.sense_numbers))
        found: dict[str, dict[int, None]] = defaultdict(dict)
        for place, owner in zip(order.tolist(), owners[order].tolist(), strict=True):
            found[word_key(texts[place])][owner] = None
        return {word: list(owned) for word, owned in found.items()}

    @cached_property
    def best_words(self) -> npt.NDArray[np.int64]:
        """Place in ``words`` of each synset's best-known word: the one with the lowest sense
        number, then the highest count, then first in WordNet's order."""
        texts, borders = self.words
        owners = np.repeat(np.arange(len(self.wnids)), np.diff(borders))
        order = np.lexsort((np.arange(len(texts)), -self.sense_counts, self.sense_numbers, owners))
        best: npt.NDArray[np.int64] = order[borders[:-1]]
        return best

    def words_of(self, position: int) -> list[str]:
        """The words of a synset, in WordNet's order."""
        texts, borders = self.words
        return texts[borders[position] : borders[position + 1]]

    def senses_of(self, position: int) -> list[Sense]:
        """The words of a synset, in WordNet's order."""
        texts, borders = self.words
        return [
            Sense(texts[at], int(self.sense_numbers[at]), int(self.sense_counts[at]))
            for at in range(borders[position], borders[position + 1])
        ]

    def gloss(self, position: int) -> str:
        """The definition of a synset, with its examples."""
        return str(self.glosses[position].as_py())

    def lexname(self, position: int) -> str:
        """The lexicographer file of a synset, such as noun.animal."""
        return LEXNAMES[int(self.lexicographers[position])][0]

    def hypernyms(self, position: int) -> list[int]:
        """The direct hypernyms of a synset, then the instance hypernyms, each in
        WordNet's order."""
        values, borders = self.parents
        return [int(each) for each in values[borders[position] : borders[position + 1]]]

    @cached_property
    def of_squeezed(self) -> dict[str, list[int]]:
        """``key`` of a word, which no blank or hyphen tells apart -> its synsets, the best known
        first."""
        found: dict[str, dict[int, None]] = defaultdict(dict)
        for word, owned in self._of_key.items():
            found[key(word)].update(dict.fromkeys(owned))
        return {squeezed: list(owned) for squeezed, owned in found.items()}

    @cached_property
    def keys(self) -> list[str]:
        """Every word as ``word_key`` writes it, each once."""
        return list(self._of_key)

    def synsets_of(self, word: str) -> list[int]:
        """The synsets that a word names, the best known first; empty for no word of WordNet's.

        Case does not count, and a hyphen is a space.
        """
        return self._of_key.get(word_key(word), [])

    def ancestors(self, position: int) -> Iterator[int]:
        """All ancestors of a synset, each once."""
        seen, waiting = {position}, [position]
        while waiting:
            for parent in self.hypernyms(waiting.pop()):
                if parent not in seen:
                    seen.add(parent)
                    waiting.append(parent)
                    yield parent

    def tags_of(self, word: str) -> dict[int, int]:
        """Synset of a word -> how often its sense is tagged in text, the best known first."""
        key = word_key(word)
        return {each: self.tags(each, key) for each in self.synsets_of(word)}

    def tags(self, position: int, key: str) -> int:
        """Number of times that a synset's sense of a word, by its ``word_key``, is tagged in
        text."""
        senses = self.senses_of(position)
        return max((sense.count for sense in senses if word_key(sense.text) == key), default=0)

    def is_above(self, position: int, other: int) -> bool:
        """True if a synset is an ancestor of another one."""
        return position in self.ancestors(other)

    def related(self, position: int, other: int) -> bool:
        """True if two synsets are the same, or one is an ancestor of the other."""
        return position == other or self.is_above(position, other) or self.is_above(other, position)


@lru_cache(maxsize=1)
def _of_file(path: Path) -> Lexicon:
    table = read_parquet(path)
    columns = {name: table[name].combine_chunks() for name in table.column_names}
    words, parents = columns["words"], columns["parents"]
    return Lexicon(
        columns["wnid"].to_pylist(),
        columns["name"].to_pylist(),
        columns["gloss"],
        _numbers(columns["lexicographer"]),
        (_numbers(parents.flatten()), _numbers(parents.offsets)),
        _numbers(columns["instance"]).astype(bool),
        (words.flatten().to_pylist(), _numbers(words.offsets)),
        _numbers(columns["sense_numbers"].flatten()),
        _numbers(columns["sense_counts"].flatten()),
    )


def _numbers(array: Any) -> npt.NDArray[np.int64]:
    # to_numpy imports pandas where it is installed, which takes a quarter of a second
    return np.from_dlpack(array).astype(np.int64)

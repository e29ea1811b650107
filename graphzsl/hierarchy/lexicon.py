"""WordNet's nouns with their words, senses and glosses, from WordNet's own files, and the cached
file of them."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from graphzsl.common.errors import DataError
from graphzsl.common.files import atomic_write
from graphzsl.common.progress import log, step
from graphzsl.common.reading.parquet_files import read_parquet
from graphzsl.common.settings import Settings, load_settings
from graphzsl.hierarchy.spelling import key, word_key
from graphzsl.sources.wordnet import sense_name
from graphzsl.sources.wordnet_content import CONTENT, check_content

#: Another number for another layout of the cached file.
_LAYOUT = 1
_SCHEMA = pa.schema(
    [
        ("wnid", pa.string()),
        ("name", pa.string()),
        ("gloss", pa.string()),
        ("parents", pa.list_(pa.int32())),
        ("instance", pa.int8()),
        ("words", pa.list_(pa.string())),
        ("sense_numbers", pa.list_(pa.int16())),
        ("sense_counts", pa.list_(pa.int32())),
    ]
)


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
    parents: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
    instances: npt.NDArray[np.bool_]
    words: tuple[list[str], npt.NDArray[np.int64]]
    sense_numbers: npt.NDArray[np.int64]
    sense_counts: npt.NDArray[np.int64]

    def __repr__(self) -> str:
        return f"<Lexicon: {len(self.wnids):,} noun synsets, {len(self.words[0]):,} words>"

    @classmethod
    def load(cls, settings: Settings | None = None) -> Lexicon:
        """The nouns, from the cache where they are there; a cached file that cannot be read is
        built anew.

        Args:
            settings: where WordNet and the cache are; by default those of ``load_settings``.

        Raises:
            DataError: there is no WordNet 3.0, and it cannot be fetched.
        """
        settings = settings or load_settings()
        path = cache_path(settings)
        found = _read(path)
        if found is None:
            with step("reading WordNet's words and glosses"):
                table = _table(settings)
                try:
                    with atomic_write(path) as partial:
                        pq.write_table(table, partial)
                except DataError as error:  # a shared cache may not be written to
                    log(str(error))
            found = _of_table(table)
        return found

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
        """How often a synset's sense of a word, by its ``word_key``, is tagged in text."""
        senses = self.senses_of(position)
        return max((sense.count for sense in senses if word_key(sense.text) == key), default=0)

    def is_above(self, position: int, other: int) -> bool:
        """True if a synset is an ancestor of another one."""
        return position in self.ancestors(other)

    def related(self, position: int, other: int) -> bool:
        """True if two synsets are the same, or one is an ancestor of the other."""
        return position == other or self.is_above(position, other) or self.is_above(other, position)


def cache_path(settings: Settings) -> Path:
    """Where the lexicon is cached: the name holds the checksums of what it is read from, which are
    the same in every build of WordNet 3.0."""
    sums = "-".join(CONTENT[name][:8] for name in ("data.noun", "index.sense"))
    return settings.cache / f"lexicon-{sums}-{_LAYOUT}.parquet"


def _table(settings: Settings) -> pa.Table:
    from graphzsl.sources.wordnet import VERSION, noun_records, noun_senses
    from graphzsl.sources.wordnet_files import wordnet_folder

    log("Reading WordNet's words and glosses; the next time they come from the cache …")
    folder = wordnet_folder(settings)
    check_content(folder)
    rows, known = sorted(noun_records(folder), key=lambda row: row.wnid), noun_senses(folder)
    index = {row.wnid: position for position, row in enumerate(rows)}
    senses = [[known[row.wnid, word.lower()] for word in row.words] for row in rows]
    columns = {
        "wnid": [row.wnid for row in rows],
        # a synset is named by its first word, and by which sense of that word it is
        "name": [
            sense_name(row.words[0], own[0][0]) for row, own in zip(rows, senses, strict=True)
        ],
        "gloss": [row.gloss for row in rows],
        "parents": [
            [index[each] for each in (*row.hypernyms, *row.instance_hypernyms)] for row in rows
        ],
        "instance": [int(bool(row.instance_hypernyms) and not row.hypernyms) for row in rows],
        "words": [row.words for row in rows],
        "sense_numbers": [[number for number, _ in own] for own in senses],
        "sense_counts": [[count for _, count in own] for own in senses],
    }
    provenance = {"version": VERSION, "content": CONTENT}
    metadata = {"provenance": json.dumps(provenance, sort_keys=True)}
    return pa.table(columns, schema=_SCHEMA.with_metadata(metadata))


def _read(path: Path) -> Lexicon | None:
    try:
        found = path.stat()
        return _of_file(path, found.st_mtime_ns, found.st_size)
    except (DataError, OSError, KeyError, TypeError, ValueError, pa.ArrowException):
        return None


@lru_cache(maxsize=1)
def _of_file(path: Path, changed: int, size: int) -> Lexicon:
    return _of_table(read_parquet(path))


def _of_table(table: pa.Table) -> Lexicon:
    columns = {name: table[name].combine_chunks() for name in _SCHEMA.names}
    words, parents = columns["words"], columns["parents"]
    return Lexicon(
        columns["wnid"].to_pylist(),
        columns["name"].to_pylist(),
        columns["gloss"],
        (_numbers(parents.flatten()), _numbers(parents.offsets)),
        _numbers(columns["instance"]).astype(bool),
        (words.flatten().to_pylist(), _numbers(words.offsets)),
        _numbers(columns["sense_numbers"].flatten()),
        _numbers(columns["sense_counts"].flatten()),
    )


def _numbers(array: Any) -> npt.NDArray[np.int64]:
    # to_numpy imports pandas where it is installed, which takes a quarter of a second
    return np.from_dlpack(array).astype(np.int64)

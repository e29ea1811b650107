"""Primary meanings: the class that a shared word means first (Hascoet et al. 2019, section 4.2.2
and equation 6).

Four rules, because the paper's needs word vectors and its released code also filters by WordNet
alone. Under each, a class survives when it is the primary meaning of at least one of its labels.

* ``single``: the word names one noun synset, no other.
* ``first-sense``: the class is the word's first noun sense in WordNet, which orders senses by
  tagged counts.
* ``sense-counts``: of the word's classes in the universe, the one whose sense is tagged most; ties
  to the lower sense number.
* ``neighbours``: of the word's classes in the universe, the one with the largest cosine between the
  word's vector and the mean of the vectors of the first words of the class's direct hypernyms and
  hyponyms (the word itself excepted). A word of a single class is that class's; a word or
  neighbourhood without a vector comes last; ties go to the lower sense number.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from graphzsl.common.errors import DataError

if TYPE_CHECKING:
    from graphzsl.analysis.words.labels import Label, Words
    from graphzsl.hierarchy.graph import Hierarchy


MEANING_RULES = ("single", "first-sense", "sense-counts", "neighbours")


@dataclass(frozen=True)
class Meaning:
    """One label of a class: whether the class is its word's primary meaning, and the score of the
    rule where it has one."""

    wnid: str
    text: str
    primary: bool
    score: float | None
    classes: int  #: classes of the universe that the word names


def meanings_of(
    words: Words,
    rule: str,
    hierarchy: Hierarchy | None = None,
    first_words: Mapping[str, str] | None = None,
    vectors: Any = None,
) -> list[Meaning]:
    """The primary meanings of the labels under one of ``MEANING_RULES``; ``neighbours`` needs a
    hierarchy, the first word of each synset, and gensim KeyedVectors."""
    if rule == "neighbours":
        if hierarchy is None or vectors is None:
            raise DataError(
                "The rule neighbours needs word vectors (word2vec or GloVe).", argument="vectors"
            )
        return neighbour_meanings(words, hierarchy, first_words or {}, vectors)
    rules = {
        "single": single_meanings,
        "first-sense": first_senses,
        "sense-counts": sense_count_meanings,
    }
    return rules[rule](words)


def single_meanings(words: Words) -> list[Meaning]:
    """The rule ``single``."""
    return [
        Meaning(
            label.wnid,
            label.text,
            label.key not in words.namesakes,
            None,
            len(words.of_word[label.key]),
        )
        for label in words.labels
    ]


def first_senses(words: Words) -> list[Meaning]:
    """The rule ``first-sense``."""
    return [
        Meaning(
            label.wnid, label.text, label.sense_number == 1, None, len(words.of_word[label.key])
        )
        for label in words.labels
    ]


def sense_count_meanings(words: Words) -> list[Meaning]:
    """The rule ``sense-counts``; the score is the tagged count."""
    return _best(words, lambda label: float(label.sense_count))


def neighbour_meanings(
    words: Words, hierarchy: Hierarchy, first_words: Mapping[str, str], vectors: Any
) -> list[Meaning]:
    """The rule ``neighbours``; the score is the cosine, None without a vector. ``vectors`` are
    gensim KeyedVectors."""
    from graphzsl.data.word_vectors import word_vector

    def score(label: Label) -> float:
        own = word_vector(vectors, label.text)
        names = [
            first_words[wnid] for wnid in hierarchy.neighbours(label.wnid) if wnid in first_words
        ]
        around = [
            vector
            for name in names
            if name.lower() != label.key and (vector := word_vector(vectors, name)) is not None
        ]
        if own is None or not around:
            return -np.inf
        mean = np.mean(around, axis=0)
        length = float(np.linalg.norm(own) * np.linalg.norm(mean))
        return float(own @ mean) / length if length else -np.inf

    return _best(words, score)


def survivors(meanings: Sequence[Meaning]) -> set[str]:
    """The classes that are the primary meaning of at least one of their labels."""
    return {meaning.wnid for meaning in meanings if meaning.primary}


def _best(words: Words, score: Callable[[Label], float]) -> list[Meaning]:
    meanings = []
    for labels in words.of_word.values():
        scores = [score(label) for label in labels]
        best = min(
            range(len(labels)), key=lambda i: (-scores[i], labels[i].sense_number, labels[i].wnid)
        )
        wnids = {label.wnid for label in labels}
        for label, value in zip(labels, scores, strict=True):
            primary = label.wnid == labels[best].wnid
            meanings.append(
                Meaning(
                    label.wnid, label.text, primary, None if value == -np.inf else value, len(wnids)
                )
            )
    return sorted(meanings, key=lambda meaning: (meaning.wnid, meaning.text))

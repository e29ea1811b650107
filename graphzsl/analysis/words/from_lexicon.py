"""Words of classes from WordNet's own files: the same labels as the database has, but for their
frequencies and their senses in other parts of speech, which are not in the files of nouns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable

from graphzsl.analysis.words.labels import Label, Words
from graphzsl.common.errors import DataError
from graphzsl.common.wording import did_you_mean
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.vocabulary import WordNetVocabulary


def words_of(lexicon: Lexicon, universe: str, classes: Iterable[str]) -> Words:
    """The labels of classes, by wnid; a class that is not a noun synset has none.

    Args:
        lexicon: WordNet's nouns.
        universe: what the classes are called in messages.
        classes: their wnids.
    """
    labels = []
    for wnid in sorted({*classes} & lexicon.index.keys()):
        for rank, sense in enumerate(lexicon.senses_of(lexicon.index[wnid]), 1):
            labels.append(Label(wnid, sense.text, rank, sense.number, sense.count, None, None))
    return Words(universe, labels, _namesakes(lexicon))


def require_word(word: str) -> None:
    """Raise DataError, with near words, if no noun synset of WordNet has a word."""
    vocabulary = WordNetVocabulary()
    if not vocabulary.lexicon.synsets_of(word):
        offer = did_you_mean(vocabulary.near(word))
        raise DataError(f"No noun synset has the word {word!r}.{offer}")


def first_words(lexicon: Lexicon) -> dict[str, str]:
    """wnid -> the first word of every noun synset."""
    texts, borders = lexicon.words
    return {wnid: texts[at] for wnid, at in zip(lexicon.wnids, borders[:-1].tolist(), strict=True)}


def _namesakes(lexicon: Lexicon) -> dict[str, list[str]]:
    """Word without case -> the synsets that it names, where they are several."""
    texts, borders = lexicon.words
    wnids: dict[str, dict[str, None]] = defaultdict(dict)
    for wnid, first, last in zip(lexicon.wnids, borders[:-1], borders[1:], strict=True):
        for text in texts[first:last]:
            wnids[text.lower()][wnid] = None
    return {word: sorted(named) for word, named in wnids.items() if len(named) > 1}

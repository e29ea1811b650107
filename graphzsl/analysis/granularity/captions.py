"""Relevance of words by captions: how many of a sample's captions mention them.

Reference: Wang, Yan, Aker, Gaizauskas 2014, A poodle or a dog?, section 3.3. The paper takes the
nouns of five captions per image, which FreeLing finds.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from graphzsl.analysis.granularity.nouns import Nouns
from graphzsl.analysis.words.counting import Patterns
from graphzsl.analysis.words.inflection import Morphology, separated
from graphzsl.analysis.words.occurrences import FormCounter

#: Stands between two texts: no label has it, so that none is found across them.
_BORDER = b" | "


def relevance_of_captions(
    captions: Iterable[Sequence[str]],
    nouns: Nouns,
    synsets_of: Callable[[str], Collection[object]],
) -> list[dict[str, int]]:
    """Noun -> relevance, for every sample: how many of its captions mention the noun.

    Nouns that share a synset, in whatever sense, have the relevance of the one that most captions
    mention.

    Args:
        captions: of each sample.
        nouns: finds the nouns of a caption.
        synsets_of: the noun synsets of a noun; empty where there are none.

    Returns:
        [N] nouns with 1 to the number of captions, the most relevant first, then by the alphabet.
    """
    found = []
    for texts in captions:
        mentioned = Counter(noun for text in texts for noun in nouns(text))
        best: dict[object, int] = defaultdict(int)
        synsets = {noun: synsets_of(noun) for noun in mentioned}
        for noun, count in mentioned.items():
            for synset in synsets[noun]:
                best[synset] = max(best[synset], count)
        merged = {
            noun: max([count, *(best[synset] for synset in synsets[noun])])
            for noun, count in mentioned.items()
        }
        found.append(dict(sorted(merged.items(), key=lambda item: (-item[1], item[0]))))
    return found


@dataclass(frozen=True)
class Mentioned:
    """A class that a text mentions: by which of its words, and how often all of them occur."""

    wnid: str
    words: list[str]
    occurrences: int


def mentioned_classes(
    texts: Iterable[str], words: Mapping[str, Sequence[str]], morphology: Morphology
) -> list[Mentioned]:
    """The classes with a word that occurs in texts, in the order of ``words``.

    Words occur as ``graphzsl study frequencies count`` counts them: whole words and phrases in
    whatever case and inflection, overlapping ones too. Senses are not told apart.

    Args:
        texts: words, phrases or sentences.
        words: wnid -> the words of the class.
        morphology: gives the inflected forms.

    Reference:
        Wang et al. 2014, section 4.1, which keeps the classes with a term in the captions.
    """
    labels = sorted({word for own in words.values() for word in own})
    patterns = Patterns(labels, morphology)
    text = _BORDER.join(separated(each) for each in texts)
    forms, times = FormCounter(patterns.forms).count(text)
    counts = np.zeros(len(patterns.forms), dtype=np.int64)
    counts[forms] = times
    occurrences = dict(zip(labels, patterns.of_labels(counts).tolist(), strict=True))
    found = []
    for wnid, own in words.items():
        occurring = [word for word in own if occurrences[word]]
        if occurring:
            found.append(Mentioned(wnid, occurring, sum(occurrences[word] for word in occurring)))
    return found

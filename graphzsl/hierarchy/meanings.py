"""Meanings of words: which of its noun synsets a word means, alone and in a list of classes.

Candidates that are given decide; in a list of ILSVRC's classes these do (``settle_list``); and else
the sense that is by far the most usual one (``settled``), unless it is no class of ImageNet and
another sense is one. Other words of several synsets are open. What a text may mean is looked up in
a ``Vocabulary``: WordNet's nouns, a hierarchy, or a database.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from graphzsl.common.progress import log
from graphzsl.common.wording import counted, listed
from graphzsl.hierarchy.spelling import (
    is_like_wnid,
    most_tagged,
    parts_of,
    readings,
    synset_name,
    usual_by_far,
    word_key,
)
from graphzsl.hierarchy.vocabulary import Vocabulary
from graphzsl.sources.imagenet import shipped_classes
from graphzsl.sources.listed_classes import class_of_text
from graphzsl.sources.tables import WNID
from graphzsl.sources.wordnet_versions import other_id

#: Names for whatever is no class: they mean no synset unless it is written as one.
NO_CLASSES = frozenset(
    (
        *("background", "n/a", "na", "nil", "none", "nothing", "null"),
        *("other", "others", "reject", "unknown"),
    )
)
#: The classes that decide for a list of their words, and those that cast doubt on a usual sense
#: that is none of them.
CLASSES, UNIVERSE = "ilsvrc2012", "imagenet-fall11"
#: Share of a list that must be among the first for them to decide.
_NEARLY = 0.9
#: A number, which is no class by itself.
NUMBER = re.compile(r"[0-9]+(?:[.][0-9]+)?")


def meanings(text: str, vocabulary: Vocabulary) -> list[str]:
    """The wnids of all synsets that a text may mean, the best known first; none where it is
    unknown.

    A number means none: 0 in a list is the first class of somebody's order, not zero.n.02. Nor does
    a name for whatever is no class, such as background.
    """
    return list(tagged_senses(text, vocabulary))


def settled(text: str, vocabulary: Vocabulary, among: Collection[str] = ()) -> list[str]:
    """The one wnid that a text is read as, as a list; ``meanings`` where it is open, or unknown.

    Args:
        text: a wnid, the name of a synset, or a word.
        vocabulary: where it is looked up.
        among: candidates that are known; of a word's synsets these decide.

    >>> from graphzsl.hierarchy.vocabulary import WordNetVocabulary
    >>> words = WordNetVocabulary()
    >>> [settled(text, words) for text in ("dog", "tench")], len(settled("kite", words))
    ([['n02084071'], ['n01440764']], 4)
    >>> settled("mouse", words), settled("mouse", words, among={"n03793489"})
    (['n02330245'], ['n03793489'])
    """
    return _settle(text, tagged_senses(text, vocabulary), among)


def _settle(text: str, counts: Mapping[str, int], among: Collection[str]) -> list[str]:
    """The wnid of ``counts``, as ``settled`` chooses it, or all of them."""
    if len(counts) < 2 or other_id(text) is not None:
        return list(counts)
    if found := {wnid: count for wnid, count in counts.items() if wnid in among}:
        best = usual_by_far(found)
        return list(found) if best is None else [best]
    best = usual_by_far(counts)
    # a usual sense that is no class, where another sense is one, may not be what is meant
    universe = class_set(UNIVERSE)
    is_clear = best is not None and (best in universe or universe.isdisjoint(counts))
    return [best] if best is not None and is_clear else list(counts)


@cache
def class_set(name: str) -> frozenset[str]:
    """The classes of a shipped list."""
    return frozenset(shipped_classes(name))


def listed_first(wnids: Iterable[str]) -> list[str]:
    """ILSVRC's classes among wnids, then the others, each in the order given."""
    return sorted(wnids, key=lambda wnid: wnid not in class_set(CLASSES))


def nearly_all(known: int, size: int) -> bool:
    """True if nine of ten classes of a list, and more than one, are classes of one shipped list,
    which then decides for words of several synsets."""
    return size > 1 and known >= _NEARLY * size


@dataclass(frozen=True)
class SettledList:
    """The texts of one list, and what each is read as.

    Args:
        meanings: text -> its wnid, as ``settled`` reads it; several where it is open, none where it
            is unknown.
        read: words of several synsets -> the wnid that each is read as, where there is a line to be
            said about it.
        listed: how many of the names are of the shipped list that decided.
    """

    meanings: dict[str, list[str]]
    read: dict[str, str]
    listed: int = 0

    def note(self, vocabulary: Vocabulary) -> None:
        """Log what decided, and which of its synsets each word is read as."""
        if self.listed:
            log(f"{counted(self.listed, 'name')} read as words of {CLASSES}'s classes.")
        note_senses(self.read, vocabulary)


def settle_list(
    texts: Iterable[str],
    vocabulary: Vocabulary,
    among: Collection[str] = (),
    stands: Callable[[str], bool] | None = None,
    usual: bool = False,
) -> SettledList:
    """Settle the texts of one list: candidates decide for a word of several synsets, then ILSVRC's
    classes where nearly all of the list are some of them, and then ``settled``.

    Args:
        texts: as they are written.
        vocabulary: where they are looked up.
        among: candidates that are known.
        stands: whether a text is taken as it is written, and not looked up.
        usual: read a word that is still open as the synset whose sense is tagged most often in
            text, unless its senses are tagged alike, or nowhere.
    """
    senses = {
        text: {text: 0} if stands and stands(text) else tagged_senses(text, vocabulary)
        for text in texts
    }
    own, known = class_set(CLASSES), 0
    if any(len(counts) > 1 for counts in senses.values()):
        known = sum(not own.isdisjoint(counts) for counts in senses.values())
    is_listed = nearly_all(known, len(senses))
    read: dict[str, str] = {}
    meanings: dict[str, list[str]] = {}
    for text, counts in senses.items():
        candidates = [wnid for wnid in counts if wnid in among]
        alone = _settle(text, counts, among)
        is_by_list = is_listed and not candidates and not own.isdisjoint(counts)
        found = _settle(text, counts, own) if is_by_list else alone
        if is_by_list and len(found) > 1:
            found = list(counts)
        if usual and len(found) > 1 and (best := most_tagged(counts)) is not None:
            found = [best]
        is_plain = found == candidates or (is_by_list and found == alone)
        if len(found) == 1 < len(counts) and not is_plain:
            read[text] = found[0]
        meanings[text] = found
    words = sum(1 for text in senses if not WNID.match(text) and not own.isdisjoint(senses[text]))
    return SettledList(meanings, read, words * is_listed)


def tagged_senses(text: str, vocabulary: Vocabulary) -> Mapping[str, int]:
    """wnid of each synset that a text may mean -> how often that sense is tagged."""
    text = class_of_text(text)
    if vocabulary.has(text):
        return {text: 0}
    if WNID.match(text) or is_like_wnid(text) or NUMBER.fullmatch(text):
        return {}
    if (other := other_id(text)) is not None:
        return dict.fromkeys(other.wnids, 0)
    if (name := synset_name(text)) and (wnid := vocabulary.named(name)):
        return {wnid: 0}
    if wnid := vocabulary.named(text):
        return {wnid: 0}
    every = (text, *readings(text))
    if any(word_key(each).replace(".", "") in NO_CLASSES for each in every):
        return {}
    for reading in every:
        if reading and (found := vocabulary.of_word(reading)):
            return found
    several = parts_of(text)
    if len(several) < 2:
        return {}
    first, *others = (vocabulary.of_word(part) for part in several)
    return {wnid: count for wnid, count in first.items() if all(wnid in other for other in others)}


def note_senses(read: Mapping[str, str], vocabulary: Vocabulary) -> None:
    """Log which of its synsets each word is read as: word -> wnid."""
    if read:
        words = "A word has" if len(read) == 1 else "Words have"
        readings = [f"{text!r} as {wnid} ({vocabulary.name(wnid)})" for text, wnid in read.items()]
        log(
            f"{words} other synsets, too: {listed(readings)}. Write the wnid where another one is"
            " meant."
        )

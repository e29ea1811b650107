"""Names of ImageNet's classes as wnids: by what the user says, by the candidates, by a list that
nearly all of them are words of, and then each by itself (``graphzsl.hierarchy.meanings``)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.meanings import (
    CLASSES,
    UNIVERSE,
    class_set,
    meanings,
    nearly_all,
    note_senses,
    settled,
)
from graphzsl.hierarchy.vocabulary import WordNetVocabulary
from graphzsl.names.known_names import KnownLists, known_lists
from graphzsl.names.name_matching import NameMatcher, Names, UnclearNames

#: What names are read as words of, where ILSVRC's classes decide.
_OF_LIST = f"{CLASSES}'s classes"


@dataclass(frozen=True)
class NameResolution:
    """Names -> the classes that each may mean, and what decided.

    Args:
        meanings: name -> the wnids of the classes that it may mean.
        matcher: the matcher of names to the classes.
        by_list: the message about a list of names that decided; empty if none did.
        read_as: what the names were read as words of, for a message; empty for candidates.
        noted: words of several synsets -> the wnid that each is read as, where there is a line to
            be said about it.
    """

    meanings: dict[str, list[str]]
    matcher: NameMatcher
    by_list: str = ""
    read_as: str = ""
    noted: dict[str, str] = field(default_factory=dict)

    @property
    def ambiguous(self) -> list[str]:
        """Names without a clear meaning: unknown ones, and those of several classes."""
        return [name for name, wnids in self.meanings.items() if len(wnids) != 1]

    @property
    def wnids(self) -> list[str]:
        """The classes, of names that are all clear; the log says what decided."""
        self.note()
        return [wnids[0] for wnids in self.meanings.values()]

    def note(self) -> None:
        """Log what decided."""
        told = sum(map(self.matcher.is_given, self.meanings))
        words = [each for name, each in self.meanings.items() if not self.matcher.is_told(name)]
        if self.read_as and words:
            is_listed = self.read_as == _OF_LIST
            others = sum(map(class_set(CLASSES).isdisjoint, words)) if is_listed else 0
            of = f", {others:,} by WordNet alone" if others else ""
            of += f", and {told:,} as the list of names says" if told else ""
            number = counted(len(words) - others, "class name")
            log(f"{number} read as words of {self.read_as}{of}.")
        if self.by_list:
            log(self.by_list)
        note_senses(self.noted, WordNetVocabulary(self.matcher.lexicon))

    @property
    def resolved(self) -> dict[str, str]:
        """The class of each name with one meaning."""
        return {name: wnids[0] for name, wnids in self.meanings.items() if len(wnids) == 1}

    @property
    def message(self) -> str:
        """Message about the names that are unknown or ambiguous after lists of names have
        decided."""
        return self.matcher.unclear(self.meanings)

    @property
    def error(self) -> UnclearNames:
        """Error with ``message`` and the ambiguous names."""
        return UnclearNames(self.message, names=self.ambiguous)


def read_among(others: list[str], classes: Sequence[str], names: Names | None) -> NameResolution:
    """Resolve names by the words of candidates alone; by known lists, too, where all candidates
    are ILSVRC's."""
    matcher = NameMatcher(classes, names)
    lists = known_lists(matcher.lexicon) if class_set(CLASSES).issuperset(classes) else None
    read = match_names(others, matcher, lists)
    noted = {name: wnid for name, wnid in read.resolved.items() if matcher.is_most_usual(name)}
    noted = {name: wnid for name, wnid in noted.items() if matcher.meant(name) == [wnid]}
    return replace(read, noted={} if read.by_list else noted)


def match_names(
    others: list[str], matcher: NameMatcher, lists: KnownLists | None
) -> NameResolution:
    """Resolve names by the words of the classes, and by known lists if they are neither wnids nor
    names that the user gave.

    If most of the names are words of the classes, a list that has all of the names decides. Words
    decide if no known list gives the name to another of these classes: otherwise a word would be
    one class in one file and another class in the next (tub is the bath by WordNet's words, and the
    vat in torchvision).
    """
    meant = {name: matcher.meant(name) for name in others}
    free = [name for name in others if not matcher.is_told(name)]
    if lists is None:
        return NameResolution(meant, matcher)
    # a beach and a sink may be scenes: most names must be words of the classes
    are_classes = sum(bool(meant[name]) for name in free) > len(free) / 2
    found, classes = lists.of_all(free) if are_classes else None, matcher.classes
    new = dict(meant)
    for name in free:
        words = set(meant[name])
        listed = set(found.meant[name] & classes) if found else set()
        if len(listed) != 1 and len(words) == 1:
            listed = words | (lists.of_any(name) & classes)
        new[name] = sorted(listed or words)
    changed = [name for name in free if len(new[name]) == 1 and new[name] != meant[name]]
    if found is None or not changed:
        return NameResolution(new, matcher)
    wnid = new[changed[0]][0]
    example = f"{changed[0]!r} is {wnid} ({matcher.lexicon.names[matcher.lexicon.index[wnid]]})"
    told = "" if len(free) == len(others) else " that are not told otherwise"
    return NameResolution(
        new,
        matcher,
        f"All {counted(len(free), 'class name')}{told} are those of {found.lists[0]}: by that list"
        f" {example}{_more(len(changed) - 1)}.",
    )


def _more(others: int) -> str:
    return f", and {counted(others, 'more is', 'more are')} read by it" if others else ""


def read_as_imagenet(
    others: list[str],
    names: Names | None,
    lexicon: Lexicon,
    own: Collection[str] = (),
    beside: Collection[str] = (),
) -> NameResolution:
    """Resolve names: each as it is told; as the only one of the classes ``own`` that it may be; as
    a class of the shipped list, where nearly all that is not told is in it; or by itself
    (``settled``).

    Args:
        others: the names.
        names: the names that the classifier knew its classes by.
        lexicon: WordNet's nouns.
        own: classes that are known and decide first.
        beside: the wnids of the same list.
    """
    matcher = _matcher(UNIVERSE, names, lexicon)
    listed = NameResolution({}, matcher)
    if len(others) + len(beside) > 1:  # a name alone is no list
        listed = match_names(others, _matcher(CLASSES, names, lexicon), known_lists(lexicon))
    vocabulary = WordNetVocabulary(lexicon)
    given = [*beside, *(name for name in others if not matcher.is_given(name))]
    own_list = class_set(CLASSES)
    known = sum(not own_list.isdisjoint(listed.meanings.get(each, [each])) for each in given)
    is_listed = nearly_all(known, len(given))
    read: dict[str, list[str]] = {}
    noted: dict[str, str] = {}
    for name in others:
        if matcher.is_told(name):
            read[name] = matcher.meant(name)
            continue
        alone = settled(name, vocabulary)
        read[name] = [wnid for wnid in settled(name, vocabulary, own) if wnid in own]
        is_said = len(meanings(name, vocabulary)) > 1 and not read[name]
        if not read[name] and is_listed and (by_list := listed.meanings[name]):
            read[name] = by_list
            is_said = not listed.by_list and read[name] != alone
        read[name] = read[name] or alone or matcher.named(name)
        if is_said and len(read[name]) == 1:
            noted[name] = read[name][0]
    read_as = _OF_LIST if is_listed else "WordNet"
    return NameResolution(read, matcher, listed.by_list * is_listed, read_as, noted)


def _matcher(classes: str, names: Names | None, lexicon: Lexicon) -> NameMatcher:
    return _unnamed(classes, lexicon) if names is None else NameMatcher(classes, names, lexicon)


@lru_cache(maxsize=2)
def _unnamed(classes: str, lexicon: Lexicon) -> NameMatcher:
    """The matcher of a shipped list, made once for the nouns that the process keeps."""
    return NameMatcher(classes, None, lexicon)

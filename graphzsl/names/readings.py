"""Names of ImageNet's classes and words of lists as wnids: a list that nearly all of them are words
of decides, then what is said of each word alone (``graphzsl.hierarchy.resolver``)."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace

from graphzsl.common.class_entries import Entry
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.resolver import (
    UNIVERSE,
    meanings,
    note_senses,
    resolve_entries,
    settled,
    tagged_senses,
)
from graphzsl.hierarchy.spelling import most_tagged, synset_name
from graphzsl.hierarchy.vocabulary import Vocabulary, WordNetVocabulary
from graphzsl.names.known_names import CLASSES, KnownLists, known_lists
from graphzsl.names.name_matching import NameMatcher, Names, UnclearNames
from graphzsl.sources.imagenet import Classes, class_entries
from graphzsl.sources.tables import WNID

#: Share of names that a list of classes may lack where nearly all names fit it.
_NEARLY = 0.1


@dataclass(frozen=True)
class NameResolution:
    """Names -> the classes of a set that each may mean, and the message about a list that decided.

    Args:
        meanings: name -> the wnids of the classes that it may mean.
        matcher: the matcher of names to the classes of the set.
        by_list: the message about a list of names that decided; empty if none did.
        set_name: the name of the set, if it has one.
    """

    meanings: dict[str, list[str]]
    matcher: NameMatcher
    by_list: str = ""
    set_name: str = ""

    @property
    def ambiguous(self) -> list[str]:
        """Names without a clear meaning: unknown ones, and those of several classes."""
        return [name for name, wnids in self.meanings.items() if len(wnids) != 1]

    @property
    def fits(self) -> bool:
        """True if nearly all names are known."""
        unknown = sum(not wnids for wnids in self.meanings.values())
        return unknown <= _NEARLY * len(self.meanings)

    @property
    def wnids(self) -> list[str]:
        """The classes, of names that are all clear; the log says what decided."""
        self.note()
        return [wnids[0] for wnids in self.meanings.values()]

    def note(self, names: Collection[str] | None = None) -> None:
        """Log the list that decided, and which words (of ``names``) with other senses were read in
        which one."""
        if self.by_list:
            log(self.by_list)
            return
        vocabulary = WordNetVocabulary(self.matcher.lexicon)
        read = {
            name: wnid
            for name, wnid in self.resolved.items()
            if (names is None or name in names) and not self.matcher.is_told(name)
        }
        if self.set_name == CLASSES:
            read = {n: wnid for n, wnid in read.items() if settled(n, vocabulary) != [wnid]}
        elif self.set_name == UNIVERSE:
            read = {n: wnid for n, wnid in read.items() if len(meanings(n, vocabulary)) > 1}
        else:
            read = {n: wnid for n, wnid in read.items() if self._is_most_usual(n)}
        note_senses(read, vocabulary)

    def _is_most_usual(self, name: str) -> bool:
        """True if the most usual sense of a word decided which of the candidates it is, and no list
        of names did."""
        return self.matcher.is_most_usual(name) and self.meanings[name] == self.matcher.meant(name)

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
    own: list[str],
    lexicon: Lexicon,
    alone: bool = False,
) -> NameResolution:
    """Resolve names by the first that fits: the classes ``own``; the shipped list that nearly all
    names are words of, unless one name is ``alone``, which is no list; or each by itself, as a
    class of Fall 2011 (``settled``). What the list leaves unknown is read so, too."""
    left: list[NameResolution] = []
    if own:
        left.append(match_names(others, NameMatcher(own, names, lexicon), None))
    if not alone and not (left and not left[0].ambiguous):
        left.append(_by_list(others, names, lexicon))
    for read in left:
        if not read.ambiguous:
            return read
    everywhere = NameMatcher(UNIVERSE, names, lexicon)
    fitting = [read for read in left if read.fits]
    best = fitting[-1] if fitting else NameResolution({}, everywhere, set_name=UNIVERSE)
    wnids = {name: best.meanings.get(name) or _alone(name, everywhere) for name in others}
    matcher = left[0].matcher if own else everywhere
    return NameResolution(wnids, matcher, best.by_list, best.set_name)


def _by_list(others: list[str], names: Names | None, lexicon: Lexicon) -> NameResolution:
    """Resolve names by the shipped list, whether or not they fit it."""
    read = match_names(others, NameMatcher(CLASSES, names, lexicon), known_lists(lexicon))
    return replace(read, set_name=CLASSES)


def _alone(name: str, matcher: NameMatcher) -> list[str]:
    """The class of the set that a name means, whatever others there are; all its synsets where it
    is open and a class is one of them."""
    if matcher.is_told(name):
        return matcher.meant(name)
    found = settled(name, WordNetVocabulary(matcher.lexicon))
    return matcher.named(name) if matcher.classes.isdisjoint(found) else found


def settle_words(
    entries: Sequence[Entry],
    vocabulary: Vocabulary | None = None,
    keep: Collection[str] = (),
    usual: bool = False,
) -> list[Entry]:
    """The classes of a list, with wnids for the words of several synsets that a shipped list
    settles; others stay as they are, for ``resolve_entries``.

    Args:
        entries: as they are written.
        vocabulary: where they are looked up (default: WordNet's nouns).
        keep: texts that stay as they are.
        usual: read a word that is still open as the synset whose sense is tagged most often in
            text, unless its senses are tagged alike, or nowhere.
    """
    names = {
        text: None
        for text, _, _ in entries
        if isinstance(text, str)
        and text not in keep
        and not WNID.match(text)
        and not synset_name(text)
    }
    if not names:
        return list(entries)
    vocabulary = vocabulary or WordNetVocabulary()
    vocabulary.prepare(list(names))
    several = [name for name in names if len(meanings(name, vocabulary)) > 1]
    if not several:
        return list(entries)
    wnids: dict[str, str] = {}
    # a word alone is no list; a database has WordNet, and there may be no files of it here
    with suppress(DataError):
        if len(entries) > 1 and (read := _by_list(list(names), None, Lexicon.load())).fits:
            clear = read.resolved
            wnids = {name: clear[name] for name in several if name in clear}
            if wnids:
                log(f"{counted(len(names), 'name')} read as words of {CLASSES}'s classes.")
                read.note(wnids)
    if usual:
        tagged = {
            name: wnid
            for name in several
            if name not in wnids
            and len(settled(name, vocabulary)) > 1
            and (wnid := most_tagged(tagged_senses(name, vocabulary))) is not None
        }
        note_senses(tagged, vocabulary)
        wnids |= tagged
    return [each._replace(text=wnids.get(each.text, each.text)) for each in entries]


def resolve_all(
    given: Classes, vocabulary: Vocabulary | None = None, argument: str | None = None
) -> list[str]:
    """The wnids of a file, of a shipped list by its name, or of classes, in their order.

    Args:
        given: a path, a name such as ``ilsvrc2012``, or the classes: wnids, names of synsets or
            words. A line of a file is one class; behind a wnid or the name of a synset the rest of
            the line is a comment.
        vocabulary: where they are looked up (default: WordNet's nouns).
        argument: the caller's argument that the list came by, for messages.

    Raises:
        DataError: names file and line (or the number of a class, from 0) of what is unknown, may
            mean several synsets, or is there twice; there is no such list.

    >>> from graphzsl.names.readings import resolve_all
    >>> resolve_all(["n02084071", "cat.n.01", "German shepherd"])
    ['n02084071', 'n02121620', 'n02106662']
    """
    entries = settle_words(class_entries(given, argument), vocabulary)
    return resolve_entries(entries, vocabulary, argument=argument)


def wnids_where_named(
    given: Classes,
    keep: Collection[str] = (),
    vocabulary: Vocabulary | None = None,
    argument: str | None = None,
    among: Collection[str] = (),
) -> list[str]:
    """The classes of a list of any classes, each once: wnids and texts of ``keep`` as they stand,
    others resolved; nothing is looked up where there are no others.

    Args:
        given: see ``resolve_all``.
        keep: classes that are known by these texts, such as those of a data set that has names of
            its own.
        vocabulary: where they are looked up (default: WordNet's nouns).
        argument: the caller's argument that the list came by, for messages.
        among: candidates that are known, which decide what words of several synsets mean.

    Raises:
        DataError: as ``resolve_all``.
    """
    known, entries = set(keep), class_entries(given, argument)
    return resolve_entries(
        entries if among else settle_words(entries, vocabulary, known),
        vocabulary,
        lambda text: bool(WNID.match(text)) or text in known,
        argument,
        among=frozenset(among),
    )

"""Classes of predictions as wnids, and whether they seem to be in another order than they say."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from graphzsl.common.class_entries import (
    Entry,
    as_texts,
    check_once,
    check_ordered,
    refusal,
    repeated,
)
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.wording import counted, listed
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.resolver import check_nodes, meanings, wnids_where_named
from graphzsl.hierarchy.vocabulary import WordNetVocabulary
from graphzsl.names.known_names import CLASSES, KnownLists, known_lists
from graphzsl.names.name_matching import NameMatcher, Names, UnclearNames, given_names
from graphzsl.sources.imagenet import Classes, class_entries, listed_classes
from graphzsl.sources.tables import WNID

#: The sets in which names are looked up where nobody says what the classifier chose from.
SETS = ("ilsvrc2012", "imagenet-fall11")
#: Share of names that such a set may lack where nearly all names fit it.
_NEARLY = 0.1


def as_wnids(
    classes: Sequence[str] | None, names: Names | None = None, later: bool = False
) -> AsWnids:
    """Build the function that turns the names of a file into wnids.

    Names mean what ``names`` says. Other names are looked up among the words of ``classes``, or,
    without ``classes``, of the first set of ``SETS`` that has all of them (see ``NameMatcher``). If
    a list that ImageNet's names are known by has every name that is left, it decides
    (``KnownLists``). A name is ambiguous if such a list gives it to another class than its words
    do, and no list decides. Without ``names``, names that stand in ``classes`` stay names, and so
    do all names if no set has all of them.

    Args:
        classes: the candidates: wnids, or names.
        names: the names that the classifier knew its classes by.
        later: do not log why names stay names: ``check_true_classes`` does, unless it raises.
    """
    return AsWnids(classes, names, later)


class AsWnids:
    """Function that turns names into wnids (``as_wnids``), with a record of how it read them.

    Args:
        classes: the candidates: wnids, or names.
        names: the names that the classifier knew its classes by.
        later: keep the reason why names stay names in ``said`` instead of logging it.

    ``looked_up`` are the names that were not classes already. ``unknown`` is name -> the name with
    near spellings, of names without a meaning among others that have one. ``read`` is what names
    were read as. ``open`` are the names that are not clear, for whose sake all names stay names,
    if most are clear.
    """

    def __init__(self, classes: Sequence[str] | None, names: Names | None, later: bool = False):
        self._classes, self._names, self._later = classes, names, later
        self._known = set(classes or ())
        self._are_wnids = classes is not None and all(WNID.match(str(each)) for each in classes)
        self.looked_up: list[str] = []
        self.unknown: dict[str, str] = {}
        self.no_words: list[str] = []
        self.read: dict[str, str] = {}
        self.open: list[str] = []
        self.said = ""

    def keep(self, left: NameResolution) -> None:
        """Keep all names unresolved if one of them is ambiguous, and record or log the reason."""
        list_said = f"{left.by_list} " * bool(left.by_list)
        said = f"{list_said}Names stay names, and there is no hierarchy: {left.message}"
        if self._later:
            self.said = said
        else:
            log(said)
        self.unknown = {name: left.matcher.with_near(name) for name in _no_words(left)}
        self.read |= left.resolved
        self.open += left.ambiguous

    def __call__(self, given: list[str]) -> list[str]:
        """The class of each name, in their order."""
        others = [name for name in given if not WNID.match(name) and name not in self._known]
        if not others:
            return given
        self.looked_up += others
        if self._are_wnids and all(name.isdecimal() for name in others):
            raise DataError(
                f"The classes are numbers, such as {others[0]}: say that they are positions in the"
                " candidates.",
                argument="numbered",
                value=True,
            )
        wnids: list[str] | None
        if self._are_wnids:
            wnids = _among(others, self._classes or (), self._names)
        elif self._names is not None:
            wnids = _looked_up(others, self._names)
        else:
            wnids = None if self._known else _looked_up(others, None, self)
        new = dict(zip(others, wnids or others, strict=True))
        self.read |= new if wnids else {}
        return [new.get(name, name) for name in given]


def _among(others: list[str], classes: Sequence[str], names: Names | None) -> list[str]:
    """wnids of the candidates that names mean; DataError if a name is not clear."""
    matcher = NameMatcher(classes, names)
    lists = known_lists(matcher.lexicon) if set(classes) <= set(listed_classes(CLASSES)) else None
    read = _read(others, matcher, lists)
    if read.ambiguous:
        raise read.error
    return read.wnids


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
    def wnids(self) -> list[str]:
        """The classes, of names that are all clear."""
        if self.by_list:
            log(self.by_list)
        usual = [name for name in self.meanings if self._is_most_usual(name)]
        if usual:
            words = "A word" if len(usual) == 1 else "Words"
            log(
                f"{words} of several classes, read in the most usual sense: {self.senses(usual)}. A"
                " list of names decides otherwise."
            )
        rare = [
            name for name in self.meanings if name not in usual and self._has_other_senses(name)
        ]
        if rare:
            words = "A word" if len(rare) == 1 else "Words"
            log(
                f"{words} with other senses in WordNet, read as the only class of the word in"
                f" {self.set_name}: {self.senses(rare)}. A list of names decides otherwise."
            )
        return [wnids[0] for wnids in self.meanings.values()]

    def _has_other_senses(self, name: str) -> bool:
        """True if a name means a class of the default universe, which nobody gave, and WordNet has
        other senses of it of which the class's is not by far the most usual."""
        if self.set_name != SETS[-1] or self.matcher.is_told(name):
            return False
        lexicon = self.matcher.lexicon
        usual = lexicon.usual_by_far(name)
        is_usual = usual is not None and [lexicon.wnids[usual]] == self.meanings[name]
        return len(lexicon.synsets_of(name)) > 1 and not is_usual

    def _is_most_usual(self, name: str) -> bool:
        """True if the most usual sense of a word decided what a name means, and no list of names
        did."""
        return self.matcher.is_most_usual(name) and self.meanings[name] == self.matcher.meant(name)

    def senses(self, names: Sequence[str]) -> str:
        """Which class each of some clear names is read as, in words."""
        lexicon = self.matcher.lexicon
        wnids = [self.meanings[name][0] for name in names]
        called = [f"{wnid} ({lexicon.names[lexicon.index[wnid]]})" for wnid in wnids]
        return listed([f"{name!r} as {of}" for name, of in zip(names, called, strict=True)])

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


def _read(others: list[str], matcher: NameMatcher, lists: KnownLists | None) -> NameResolution:
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


def _looked_up(
    others: list[str], names: Names | None = None, asked: AsWnids | None = None
) -> list[str] | None:
    """wnids of names of ImageNet's classes; None if not all names are clear. With ``names``,
    DataError says which are not. ``asked`` records the names that mean nothing."""
    lexicon = Lexicon.load()
    listed = None if names is None else given_names(names)
    if listed is not None and not listed.has_wnids:
        raise DataError(
            f"{listed.path} holds names and no wnids: give the candidates as wnids in the same"
            " order, e.g. ilsvrc2012.",
            argument="candidates",
        )
    own = [] if listed is None else list(dict.fromkeys(str(each.wnid) for each in listed.entries))
    best = read_as_imagenet(others, names, own, lexicon)
    if not best.ambiguous:
        if best.set_name:
            log(f"{counted(len(others), 'class name')} read as words of {best.set_name}'s classes.")
        return best.wnids
    if names is not None:
        raise best.error
    if asked is not None:
        # else they hardly name classes
        if sum(map(bool, best.meanings.values())) > len(others) / 2:
            asked.keep(best)
        asked.no_words = _no_words(best)
    return None


def read_as_imagenet(
    others: list[str], names: Names | None, own: list[str], lexicon: Lexicon
) -> NameResolution:
    """Resolve names by the first set of classes, ``own`` or one of ``SETS``, that has all of them;
    else by the set that leaves the fewest ambiguous."""
    left: list[NameResolution] = []
    doubts: dict[str, list[str]] = {}
    for classes in (*([own] if own else []), *SETS):
        lists = known_lists(lexicon) if classes == CLASSES else None
        read = _read(others, NameMatcher(classes, names, lexicon), lists)
        read = replace(read, set_name=classes if isinstance(classes, str) else "")
        if classes == SETS[-1]:
            _doubt_rare_senses(read)
        for name, wnids in doubts.items():
            # a larger set of classes cannot settle what is open between two that are in both
            if set(read.meanings[name]) <= set(wnids):
                read.meanings[name] = wnids
        if classes == CLASSES:
            doubts = {name: wnids for name, wnids in read.meanings.items() if len(wnids) > 1}
        if not read.ambiguous:
            return read
        left.append(read)

    def unfit(read: NameResolution) -> tuple[bool, int]:
        unknown = sum(not wnids for wnids in read.meanings.values())
        return unknown > _NEARLY * len(others), len(read.ambiguous)

    return min(left, key=unfit)


def _doubt_rare_senses(read: NameResolution) -> None:
    """Leave words open that mean a class of the default universe, which nobody gave, in another
    sense than the most usual one: boy is no son, face no face of a clock, plate no home plate."""
    lexicon = read.matcher.lexicon
    for name, wnids in read.meanings.items():
        if len(wnids) != 1 or read.matcher.is_told(name):
            continue
        own = lexicon.index[wnids[0]]
        if (usual := lexicon.more_usual(name, own)) is not None:
            read.meanings[name] = [lexicon.wnids[usual], *wnids]


def in_usual_senses(entries: Sequence[Entry]) -> list[Entry]:
    """The classes of a list, with words replaced by the wnids that predictions of the same names
    would be read as, and where those leave them open by the synset whose sense is tagged most often
    in text; a word whose senses are tagged alike, or nowhere, stays. The chosen sense of a word
    with several synsets is logged."""
    names = [
        each.text
        for each in entries
        if isinstance(each.text, str) and not WNID.match(each.text) and not each.text.isdecimal()
    ]
    if not names:
        return list(entries)
    lexicon = Lexicon.load()
    read = read_as_imagenet(list(dict.fromkeys(names)), None, [], lexicon)
    vocabulary = WordNetVocabulary(lexicon)
    usual = {name: lexicon.most_tagged(name) for name in read.ambiguous}
    for name, position in usual.items():
        if position is not None:
            read.meanings[name] = [lexicon.wnids[position]]
    clear = read.resolved
    several = [name for name in clear if len(meanings(name, vocabulary)) > 1]
    if several:
        words = "A word" if len(several) == 1 else "Words"
        log(f"{words} of several synsets, read as in predictions: {read.senses(several)}.")
    return [each._replace(text=clear.get(each.text, each.text)) for each in entries]


def _no_words(read: NameResolution) -> list[str]:
    """Names that mean nothing, by the classes and by all of WordNet."""
    vocabulary = WordNetVocabulary(read.matcher.lexicon)
    none = [name for name, wnids in read.meanings.items() if not wnids]
    return [name for name in none if not meanings(name, vocabulary)]


@dataclass(frozen=True)
class Training:
    """Training classes before it is known whether predictions are of wnids or of names.

    Args:
        entries: the classes as they are given.
        wnids: the wnids that they mean; empty if one is not clear, or if none is looked up.
        unclear: the error for the names that are not clear.
    """

    entries: list[Entry]
    wnids: list[str]
    unclear: DataError | None = None

    @property
    def texts(self) -> list[str]:
        """The classes as they are given."""
        return [entry.text for entry in self.entries]

    @property
    def names(self) -> list[str]:
        """All names that candidates may use for the classes."""
        return list(dict.fromkeys([*self.texts, *self.wnids]))

    def check(self, hierarchy: Hierarchy | None) -> None:
        """DataError names the places of the classes that are not nodes of a hierarchy, where hops
        are counted in it: in a whole one."""
        if hierarchy is not None and hierarchy.whole and self.wnids:
            check_nodes(self.entries, self.wnids, hierarchy, "train")

    def among(self, known: Collection[str]) -> list[str]:
        """Name the training classes as predictions do: by the text where it is among their classes
        (names without a clear wnid stay), else by the wnid.

        Args:
            known: the candidates and the true classes of the predictions.

        Raises:
            DataError: texts are not clear, and not all of them are classes of the predictions.
        """
        known = set(known)
        if self.unclear is not None and not known.issuperset(self.texts):
            raise self.unclear
        if not self.wnids:
            return self.texts
        called: list[str] = []
        for text, wnid in zip(self.texts, self.wnids, strict=True):
            # both are there where some names of one class became its wnid and others stay
            called += [each for each in (text, wnid) if each in known] or [wnid]
        return list(dict.fromkeys(called))


def training_classes(train: Classes, as_named: bool = False) -> Training:
    """The training classes of a file, a list by name, or texts.

    Args:
        train: wnids, names of synsets, words, or names as the predictions have them.
        as_named: look nothing up.

    Raises:
        DataError: there is no such file or list, a class is there twice, or a wnid stands among
            texts that are not clear.
    """
    entries = as_texts(class_entries(train, "train"), "train")
    if as_named:
        check_once(entries, argument="train")
        return Training(entries, [])
    texts = {entry.text for entry in entries}
    try:
        return Training(entries, wnids_where_named(entries, argument="train"))
    except DataError as error:
        if len(texts) < len(entries) or any(map(WNID.match, texts)):
            raise
        return Training(entries, [], error)


@dataclass(frozen=True)
class Candidates:
    """Classes that a classifier chooses from.

    Args:
        entries: the classes as they are given.
        classes: [N] the classes, as wnids if all of them are clear, else as they are given.
        no_words: names that are no words of WordNet's, if names stay names.
        read: what names were read as.
        open: names that are not clear, for whose sake all names stay names, if most are clear.
    """

    entries: list[Entry]
    classes: list[str]
    no_words: list[str] = field(default_factory=list)
    read: dict[str, str] = field(default_factory=dict)
    open: list[str] = field(default_factory=list)

    def check(self, hierarchy: Hierarchy | None) -> None:
        """DataError names the places of the classes that are not nodes of a hierarchy."""
        if hierarchy is not None:
            check_nodes(self.entries, self.classes, hierarchy, "candidates")


def candidates_of(given: Classes, names: Names | None = None, as_named: bool = False) -> Candidates:
    """The candidates of a file, a list by name, or classes, as wnids where all of them are clear.

    Args:
        given: wnids, names of synsets, words, or names as the predictions have them.
        names: the names that the classifier knew its classes by.
        as_named: look nothing up.

    Raises:
        DataError: there is no such file or list, or a class is there twice.
    """
    check_ordered(given, "candidates")
    entries = class_entries(given, "candidates")
    check_once(entries, argument="candidates")
    classes, rename = [entry.text for entry in entries], as_wnids(None, names)
    if not as_named and all(isinstance(each, str) for each in classes):  # numbers have no names
        classes = rename(classes)
    if twice := repeated(entries, classes):
        raise refusal(entries, twice, "candidates")
    return Candidates(entries, classes, rename.no_words, rename.read, rename.open)

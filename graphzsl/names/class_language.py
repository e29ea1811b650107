"""Classes of predictions as wnids, and whether they seem to be in another order than they say."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

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
from graphzsl.common.wording import counted, listed, some
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.meanings import UNIVERSE, class_set, meanings
from graphzsl.hierarchy.resolver import check_nodes, wnids_where_named
from graphzsl.hierarchy.vocabulary import WordNetVocabulary
from graphzsl.names.name_matching import Names, given_names
from graphzsl.names.readings import (
    NameResolution,
    read_among,
    read_as_imagenet,
)
from graphzsl.sources.imagenet import Classes, class_entries
from graphzsl.sources.tables import WNID


class AsWnids:
    """Function that turns the names of a file into wnids, with a record of how it read them.

    Names mean what ``names`` says. Other names are looked up among the words of ``classes``, or,
    without ``classes``, as ``read_as_imagenet`` says. If a list that ImageNet's names are known by
    has every name that is left, it decides (``KnownLists``). A name is ambiguous if such a list
    gives it to another class than its words do, and no list decides. Without ``names``, names that
    stand in ``classes`` stay names, and so do all names if one of them is not clear.

    Args:
        classes: the candidates: wnids, or names.
        names: the names that the classifier knew its classes by.
        later: keep the reason why names stay names in ``said`` instead of logging it:
            ``check_true_classes`` does, unless it raises.
        once: do not log which names mean one class: the caller refuses them.

    ``looked_up`` are the names that were not classes already. ``unknown`` is name -> the name with
    near spellings, of names without a meaning among others that have one. ``read`` is what names
    were read as. ``open`` are the names that are not clear, for whose sake all names stay names,
    if most are clear.
    """

    def __init__(
        self,
        classes: Sequence[str] | None,
        names: Names | None = None,
        later: bool = False,
        once: bool = False,
    ):
        self._classes, self._names, self._later, self._once = classes, names, later, once
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
        others = list(
            dict.fromkeys(
                name for name in given if not WNID.match(name) and name not in self._known
            )
        )
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
            among = read_among(others, self._classes or (), self._names)
            if among.ambiguous:
                raise among.error
            wnids = among.wnids
        elif self._names is None and self._known:
            wnids = None
        else:
            wnids = _looked_up(others, given, self._names, self)
        new = dict(zip(others, wnids or others, strict=True))
        if not self._once:
            _note_one_class({name: new.get(name, name) for name in given})
        self.read |= new if wnids else {}
        return [new.get(name, name) for name in given]


def _note_one_class(read: Mapping[str, str]) -> None:
    """Log which classes are there by several names or wnids: text -> its class."""
    names_of: dict[str, list[str]] = {}
    for name, wnid in read.items():
        names_of.setdefault(wnid, []).append(name)
    several = [
        f"{' and '.join(map(repr, names))} ({wnid})"
        for wnid, names in names_of.items()
        if len(names) > 1
    ]
    if several:
        log(f"Several names of one class: {listed(several)}. They are counted as that class.")


def _looked_up(
    others: list[str],
    given: Sequence[str],
    names: Names | None,
    asked: AsWnids,
) -> list[str] | None:
    """wnids of the names among what is given; None if not all names are clear. With ``names``,
    DataError says which are not. ``asked`` records the names that mean nothing."""
    lexicon = Lexicon.load()
    listed = None if names is None else given_names(names)
    if listed is not None and not listed.has_wnids:
        raise DataError(
            f"{listed.path} holds names and no wnids: give the candidates as wnids in the same"
            " order, e.g. ilsvrc2012.",
            argument="candidates",
        )
    best = read_as_imagenet(others, names, lexicon, beside=[*filter(WNID.match, given)])
    if not best.ambiguous:
        return best.wnids
    if listed is not None:
        if not all(map(best.matcher.has_no_synset, best.ambiguous)):
            raise best.error
        have = "has" if len(best.ambiguous) == 1 else "have"
        log(
            f"Names stay names, and there is no hierarchy: {len(best.ambiguous):,} of"
            f" {counted(len(others), 'name')} {have} no synset by {listed.path.name}:"
            f" {some(best.ambiguous)}."
        )
        asked.read |= best.resolved
        asked.open += best.ambiguous
        return None
    # else they hardly name classes
    of_imagenet = [not class_set(UNIVERSE).isdisjoint(each) for each in best.meanings.values()]
    if sum(of_imagenet) > len(others) / 2:
        asked.keep(best)
    asked.no_words = _no_words(best)
    return None


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


def training_classes(
    train: Classes, as_named: bool = False, candidates: Collection[str] = ()
) -> Training:
    """The training classes of a file, a list by name, or texts.

    Args:
        train: wnids, names of synsets, words, or names as the predictions have them.
        as_named: look nothing up.
        candidates: what the classifier chooses from, which decides what words of several synsets
            mean.

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
        return Training(entries, _wnids_of_training(entries, candidates))
    except DataError as error:
        if len(texts) < len(entries) or any(map(WNID.match, texts)):
            raise
        return Training(entries, [], error)


def _wnids_of_training(entries: Sequence[Entry], candidates: Collection[str]) -> list[str]:
    """The wnids of training classes, of which the names are read as those of predictions are."""
    texts = [entry.text for entry in entries]
    others = list(dict.fromkeys(text for text in texts if not WNID.match(text)))
    own = {each for each in candidates if WNID.match(str(each))}
    if others:
        beside = [*filter(WNID.match, texts)]
        read = read_as_imagenet(others, None, Lexicon.load(), own, beside)
        if not read.ambiguous:
            wnids = [read.resolved.get(text, text) for text in texts]
            if twice := repeated(entries, wnids):
                raise refusal(entries, twice, "train")
            read.note()
            return wnids
    return wnids_where_named(entries, argument="train", among=own)


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
    classes, rename = [entry.text for entry in entries], AsWnids(None, names, once=True)
    if not as_named and all(isinstance(each, str) for each in classes):  # numbers have no names
        classes = rename(classes)
    if twice := repeated(entries, classes):
        raise refusal(entries, twice, "candidates")
    return Candidates(entries, classes, rename.no_words, rename.read, rename.open)

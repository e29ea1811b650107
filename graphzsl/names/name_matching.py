"""Class names that other people wrote, as wnids."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path

from graphzsl.common.class_entries import SHOWN, Entry, refusal
from graphzsl.common.errors import DataError
from graphzsl.common.wording import counted, near
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.meanings import NO_CLASSES, meanings, settled
from graphzsl.hierarchy.resolver import resolve_entries, resolve_positions, unclear
from graphzsl.hierarchy.spelling import synset_name, word_key
from graphzsl.hierarchy.vocabulary import WordNetVocabulary
from graphzsl.names.class_naming import class_names
from graphzsl.names.name_lists import checked_name, read_name_list
from graphzsl.sources.listed_classes import NO_SYNSET, ClassFile, Listed
from graphzsl.sources.published import named_sets
from graphzsl.sources.tables import WNID

#: Classes of a name that an error lists.
_SHOWN = 3
#: Names of several classes that an error lists with their classes.
_SEVERAL = 5
#: The names that a classifier knew its classes by: a file of them, wnid -> name, name -> wnid, or
#: names in the order of the classes.
Names = str | Path | Mapping[str, str] | Sequence[str]


class UnclearNames(DataError):
    """Names that no class has, or that several have; ``names`` are those."""

    def __init__(
        self,
        *args: object,
        names: Sequence[str] = (),
        argument: str | None = "names",
        value: object = None,
    ):
        super().__init__(*args, argument=argument, value=value)
        self.names = list(names)


class NameMatcher:
    """Matcher of names to the classes of a set.

    A name means the class that ``names`` gives it to; else, as a wnid, the name of a synset
    (dog.n.01) or a word, the class of the set that it is read as where these classes decide
    (``graphzsl.hierarchy.meanings.settled``); or the class that ``class_names`` would call so.

    Args:
        classes: the set: a shipped list, a file, or the wnids.
        names: the names that the classifier knew the classes by: a file in a format of
            ``read_name_list``, with wnids (of all classes or of some) or in the order of
            ``classes``; wnid -> name; or name -> wnid.
        lexicon: WordNet's nouns; by default those of the package.

    Raises:
        DataError: ``names`` cannot be read, or does not fit the classes.
    """

    def __init__(
        self,
        classes: str | Path | Iterable[str] = "ilsvrc2012",
        names: Names | None = None,
        lexicon: Lexicon | None = None,
    ):
        self.lexicon = lexicon or Lexicon.load()
        self._vocabulary = WordNetVocabulary(self.lexicon)
        self._positions = resolve_positions(classes, self.lexicon)
        self.classes = frozenset(self.lexicon.wnids[position] for position in self._positions)
        self._given: dict[str, set[str]] = {}
        if names is not None:
            self._read(names)

    @cached_property
    def _words(self) -> dict[str, str]:
        """Key of each word of the classes -> a class that has it."""
        lexicon = self.lexicon
        return {
            word_key(word): lexicon.wnids[position]
            for position in self._positions
            for word in lexicon.words_of(position)
        }

    @cached_property
    def _qualified(self) -> dict[str, str]:
        """Key of each name that ``class_names`` makes for a class whose words alone are ambiguous
        -> that class."""
        wnids = [self.lexicon.wnids[position] for position in self._positions]
        found = class_names(wnids, lexicon=self.lexicon)
        rows = zip(found.names, found.added, wnids, strict=True)
        return {word_key(name): wnid for name, added, wnid in rows if added}

    def _read(self, names: Names) -> None:
        listed = check_names(names, len(self._positions), self._vocabulary)
        wnids = [self.lexicon.wnids[position] for position in self._positions]
        if listed.has_wnids:
            wnids = [str(entry.wnid) for entry in listed.entries]
        for entry, wnid in zip(listed.entries, wnids, strict=True):
            name = str(entry.name)
            for key in _spelt(name):
                self._given.setdefault(key, set()).add(wnid)
        for name in listed.without:
            for key in _spelt(name):
                self._given.setdefault(key, set())

    def _told(self, name: str) -> set[str] | None:
        """The classes that ``names``, or the spelling of a wnid or a synset's name, gives a text
        to; None where neither has it."""
        for key in _spelt(name):
            if key in self._given:
                return self._given[key]
        if WNID.match(name):
            return {name}
        synset = synset_name(name)
        wnid = None if synset is None else self._vocabulary.named(synset)
        return None if wnid is None else {wnid}

    def is_given(self, name: str) -> bool:
        """True if ``names`` has a name."""
        return not self._given.keys().isdisjoint(_spelt(name))

    def is_told(self, name: str) -> bool:
        """True if a name needs no look-up among words: ``names`` has it, or it is a wnid or a
        synset's name."""
        return self._told(name) is not None

    def has_no_synset(self, name: str) -> bool:
        """True if ``names`` says that a name has no synset."""
        return self._told(name) == set()

    def is_most_usual(self, name: str) -> bool:
        """True if a name is a word of several classes and is read as the one whose sense is by far
        the most usual."""
        if self.is_told(name) or len(self.meant(name)) != 1:
            return False
        return len(self.classes.intersection(meanings(name, self._vocabulary))) > 1

    def meant(self, name: str) -> list[str]:
        """The classes that a name may mean: one where it is clear, none where it is unknown."""
        told = self._told(name)
        if told is not None:
            return sorted(told)
        found = settled(name, self._vocabulary, self.classes)
        found = sorted(wnid for wnid in found if wnid in self.classes)
        return found if len(found) == 1 else self.named(name) or found

    def named(self, name: str) -> list[str]:
        """The class that ``class_names`` would call so."""
        wnid = self._qualified.get(word_key(name))
        return [] if wnid is None else [wnid]

    def wnids(self, names: Sequence[str]) -> list[str]:
        """The wnid of each name; several names may mean one class.

        Raises:
            DataError: names that no class has, with near ones, or names that several classes have.
        """
        meant = {name: self.meant(name) for name in names}
        if all(len(wnids) == 1 for wnids in meant.values()):
            return [meant[name][0] for name in names]
        raise UnclearNames(
            self.unclear(meant), names=[name for name in names if len(meant[name]) != 1]
        )

    def unclear(self, meant: Mapping[str, Sequence[str]]) -> str:
        """Message about names that are unknown or ambiguous; ``meant`` is name -> the classes that
        it may mean."""
        unknown = [name for name, wnids in meant.items() if not wnids]
        several = [name for name, wnids in meant.items() if len(wnids) > 1]
        said = []
        if unknown:
            listed = ", ".join(map(self.with_near, unknown[:SHOWN]))
            more = f", and {len(unknown) - SHOWN:,} more" if len(unknown) > SHOWN else ""
            are = "is" if len(unknown) == 1 else "are"
            said.append(
                f"{len(unknown):,} of {counted(len(meant), 'class name')} {are} unknown among the"
                f" {counted(len(self._positions), 'class', 'classes')}: {listed}{more}"
            )
        for name in several[:_SEVERAL]:
            classes = ", ".join(map(self._called, meant[name][:_SHOWN]))
            said.append(f"{name!r} may mean {classes}{' …' * (len(meant[name]) > _SHOWN)}")
        if len(several) > _SEVERAL:
            rest = ", ".join(map(repr, several[_SEVERAL : 4 * _SEVERAL]))
            more = " …" if len(several) > 4 * _SEVERAL else ""
            said.append(f"{len(several):,} names may mean several classes, also {rest}{more}")
        shipped = shipped_set_of(meant)
        known = f" All are names of {shipped}: the list of names {shipped!r} has their classes."
        name = [*several, *unknown][0]
        wnid = next(iter(meant[name]), "n00000000")
        settle = (
            "Say what these names mean, in a file of these names alone with a wnid, a tab and the"
            f" name per line, such as `{wnid}<tab>{name}`; or predict wnids or class numbers."
        )
        return f"{'; '.join(said)}.{known if shipped else ''} {settle}"

    def _called(self, wnid: str) -> str:
        return f"{wnid} ({self.lexicon.names[self.lexicon.index[wnid]]})"

    def with_near(self, name: str) -> str:
        """An unknown name, and what is near it or it means outside the set."""
        if self.has_no_synset(name):
            return f"{name!r} (it has no synset, by the list of names)"
        if word_key(name) in NO_CLASSES:
            return f"{name!r} (it stands for whatever is no class)"
        if found := meanings(name, self._vocabulary):
            return f"{name!r} ({self._related(found)})"
        close = near(word_key(name), self._words, 1)
        said = f" (near {close[0]!r}: {self._called(self._words[close[0]])})" if close else ""
        return f"{name!r}{said}"

    def _related(self, wnids: Sequence[str]) -> str:
        """Message about a word of WordNet that no class has: its relation to a class above or below
        it."""
        index, is_above = self.lexicon.index, self.lexicon.is_above
        for wnid in wnids:
            below = [each for each in self._positions if is_above(index[wnid], each)]
            if below:
                count = counted(len(below), "class is", "classes are")
                example = self._called(self.lexicon.wnids[below[0]])
                return f"{self._called(wnid)} is none of them, and {count} below it, e.g. {example}"
            above = [each for each in self._positions if is_above(each, index[wnid])]
            if above:
                example = self._called(self.lexicon.wnids[above[0]])
                return f"{self._called(wnid)} is none of them; {example} is above it"
        return f"{self._called(wnids[0])} is none of them"


def _spelt(name: str) -> tuple[str, str]:
    """Keys of a name: the exact spelling first, for torchvision has a Cardigan and a cardigan."""
    return name, f"{word_key(name)}\n"


def shipped_set_of(names: Collection[str]) -> str | None:
    """The data set of ``named_sets`` that has all of the names; None for few, or for others."""
    wanted = set(map(word_key, names))
    for title, shipped in named_sets().items() if len(wanted) > _SEVERAL else ():
        listed = read_name_list(shipped.path)
        own = {word_key(str(each.name)) for each in listed.entries}
        if wanted <= own | set(map(word_key, listed.without)):
            return title
    return None


def check_names(
    names: Names, size: int | None = None, vocabulary: WordNetVocabulary | None = None
) -> ClassFile:
    """``given_names``, checked: their wnids are WordNet's, or their number is ``size``.

    Raises:
        DataError: as ``given_names``; an entry has no name; names a wnid that is none of WordNet's;
            or names without wnids do not fit the classes.
    """
    listed = given_names(names, size)
    if listed.has_wnids:
        # a class may have several names
        entries: dict[str, Entry] = {}
        for at in listed.entries:
            wnid = str(at.wnid)
            entries.setdefault(wnid, Entry(wnid, f"{listed.path}: {at.place}", at.place))
        resolve_entries(list(entries.values()), vocabulary, argument="names")
    elif size is not None and len(listed.entries) != size:
        raise DataError(
            f"{listed.path} holds {counted(len(listed.entries), 'name')} and no wnids, and there"
            f" {'is' if size == 1 else 'are'} {counted(size, 'class', 'classes')}.",
            argument="names",
        )
    for entry in listed.entries:
        if entry.name is None:
            raise DataError(f"{listed.path}: {entry.place} has no name.", argument="names")
    return listed


def given_names(names: Names, size: int | None = None) -> ClassFile:
    """The list of names that a file, a mapping or a sequence holds.

    Args:
        names: a file that ``read_name_list`` takes; a data set of ``named_sets``; wnid -> name, or
            name -> wnid; or names in the order of the classes.
        size: how many names are expected.

    Raises:
        DataError: a file is wrong, or neither the keys nor the values of a mapping are wnids.
    """
    if isinstance(names, str) and names in named_sets() and not Path(names).exists():
        return read_name_list(named_sets()[names].path)
    if isinstance(names, str | Path):
        return read_name_list(names, size=size)
    given = Path("names")
    if isinstance(names, bytes) or not isinstance(names, Mapping | Iterable):
        raise DataError(
            "names is a file, class -> name, name -> class, or names in the order of the classes,"
            f" not {names!r}.",
            argument="names",
        )
    if not isinstance(names, Mapping):
        rows = [(f"name {at}", None, name) for at, name in enumerate(names)]
        return ClassFile(given, _with_texts(rows))
    without = tuple(
        str(name) for name, wnid in names.items() if wnid == NO_SYNSET and not _is_class(name)
    )
    pairs = [(key, value) for key, value in names.items() if key not in without]
    if all(_is_class(key) for key, _ in pairs):
        wnids = _synsets([key for key, _ in pairs])
        names_of = [name for _, name in pairs]
    elif all(_is_class(value) for _, value in pairs):
        wnids = _synsets([value for _, value in pairs])
        names_of = [name for name, _ in pairs]
    else:
        wrong = next(
            (key for key, value in pairs if not (_is_class(key) or _is_class(value))), pairs[0][0]
        )
        raise DataError(
            "names: expected class -> name, or name -> class, where a class is a wnid or the name"
            f" of a synset (dog.n.01); {wrong!r} -> {names[wrong]!r} is neither.",
            argument="names",
        )
    named = [
        (repr(key), wnid, name) for (key, _), wnid, name in zip(pairs, wnids, names_of, strict=True)
    ]
    return ClassFile(given, _with_texts(named), without=without)


def _with_texts(rows: Sequence[tuple[str, str | None, object]]) -> list[Listed]:
    """(place, wnid, name) as entries; DataError names all whose name is not a text, or empty."""
    entries: list[Listed] = []
    wrong: dict[int, str] = {}
    for at, (place, wnid, name) in enumerate(rows):
        try:
            entries.append(Listed(place, wnid, checked_name(name, "")))
        except DataError as error:
            wrong[at] = error.message.removeprefix(": ")
    if not rows:
        raise DataError(
            "names is empty; expected class -> name, name -> class, or names.", argument="names"
        )
    if wrong:
        places = [Entry(str(name), f"names, {place}", place) for place, _, name in rows]
        raise refusal(places, wrong, "names", "name", "names")
    return entries


def _is_class(text: object) -> bool:
    """True if a text can only be a class: a wnid, or the name of a synset."""
    return bool(WNID.match(str(text)) or synset_name(str(text)))


def _synsets(texts: Sequence[str]) -> list[str]:
    """The wnids of texts that are wnids or names of synsets, of which several may be one class."""
    vocabulary = WordNetVocabulary()
    wnids = [
        text if WNID.match(text) else vocabulary.named(synset_name(text) or "") for text in texts
    ]
    if unknown := {place: texts[place] for place, wnid in enumerate(wnids) if wnid is None}:
        entries = [Entry(text, f"names, {text!r}", repr(text)) for text in texts]
        wrong = {place: partial(unclear, text, [], vocabulary) for place, text in unknown.items()}
        raise refusal(entries, wrong, "names")
    return [str(wnid) for wnid in wnids]

"""Check of a list of class names: names that stand for several classes, wrong or missing wnids,
another order, and names that WordNet gives to another synset. ``name_findings`` has the kinds of
findings.

Senses that are single things (John Jay) and not classes of the set count only where a name has no
others.

A name that is no word of WordNet's says nothing about synsets and is not a finding; it is listed
apart, with the word of its class that is spelt nearly so. Of a name with
commas ("tench, Tinca tinca") each part is read, and one that fits is enough. Of a name with a
qualifier in brackets ("kite (bird of prey)") the word before them is read, and any sense that fits
is enough.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.wording import counted, near
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.resolver import resolve_positions
from graphzsl.hierarchy.spelling import QUALIFIER, parts_of, word_key
from graphzsl.names.class_naming import (
    DEFAULT_RULE,
    class_names,
    qualified_names,
    shared_names,
)
from graphzsl.names.name_findings import KINDS, Finding, NameCheck, UnknownName
from graphzsl.names.name_lists import checked_name, read_name_list
from graphzsl.names.name_order import Orders
from graphzsl.sources.imagenet import shipped_classes
from graphzsl.sources.listed_classes import ClassFile, Listed
from graphzsl.sources.published import class_lists

#: Number of names that WordNet lacks, and share, above which they are a finding.
_FEW_UNKNOWN, _MANY_UNKNOWN = 4, 0.2
#: The rule of suggestions where the default one's names are not free, and where best-known senses
#: count: words that mean no other class.
_TELLING = "meaning+word+parent+gloss"
#: The set of a list that says none.
_DEFAULT = "ilsvrc2012"
#: What a check calls the set of its caller.
GIVEN = "the given set"
#: Synsets that a finding names.
_SHOWN = 4


def check_names(
    names: str | Path | ClassFile | Mapping[str, str] | Sequence[str],
    classes: str | Path | Iterable[str] | None = None,
    *,
    key: str | None = None,
    ignore_others: bool = False,
    first_senses: bool = False,
    lexicon: Lexicon | None = None,
) -> NameCheck:
    """Compare a list of class names with a set of classes and WordNet.

    Args:
        names: a file in a format of ``graphzsl.names.name_lists``, wnid -> name, or one name per
            class in the order of the classes.
        classes: a shipped list, a file, or the classes themselves. Default: the shipped list that
            the names were written for, or their own wnids, of which none can be missing. Names are
            compared with "ilsvrc2012" if they have neither, if most of their wnids are ILSVRC
            2012's and they have most of those, or if others are ignored.
        key: which list of a file that holds several.
        ignore_others: leave out what the list says of classes that are not in the set.
        first_senses: names are findings, too, whose best-known sense is a synset that is not in the
            set.
        lexicon: WordNet's nouns; by default those of the package.

    Returns:
        The findings; ``findings`` is empty if nothing is wrong.

    Raises:
        DataError: the list cannot be read, or has neither wnids nor one name per class.

    >>> found = gz.check_names(["crane", "crane"], ["n02012849", "n03126707"])
    >>> found.counts["duplicate"], found.findings[0].suggestion
    (2, 'crane (wading bird)')
    """
    lexicon = lexicon or Lexicon.load()
    positions = [] if classes is None else resolve_positions(classes, lexicon)
    if classes is not None and not positions:
        raise DataError("There is no class to compare with.")
    listed = _listed(names, key, len(positions) or len(shipped_classes(_DEFAULT)))
    against = GIVEN
    if classes is None:
        against, positions = _own_set(listed, lexicon, ignore_others)
    return _Check(lexicon, positions, listed, ignore_others, first_senses, against).run()


def _own_set(listed: ClassFile, lexicon: Lexicon, ignore_others: bool) -> tuple[str, list[int]]:
    """The classes that a list is for, in words and as positions."""
    name = listed.class_set if listed.class_set in class_lists() else _DEFAULT
    default = shipped_classes(name)
    own = [entry.wnid for entry in listed.entries if entry.wnid in lexicon.index]
    common = len({*own} & {*default})
    alike = 2 * common > max(len(own), len(default))
    if listed.class_set == name or not own or ignore_others or alike:
        return name, resolve_positions(default, lexicon)
    counts = counted(len(own), "class", "classes")
    return f"the list's own {counts}", [lexicon.index[wnid] for wnid in own if wnid]


def _listed(names: Any, key: str | None, size: int) -> ClassFile:
    if isinstance(names, ClassFile):
        return names
    if isinstance(names, str | Path):
        return read_name_list(names, key, size)
    if isinstance(names, Mapping):
        entries = [Listed(wnid, wnid, name) for wnid, name in names.items()]
    else:
        entries = [Listed(f"entry {at}", None, name) for at, name in enumerate(names, 1)]
    for entry in entries:
        checked_name(entry.name, entry.place)
    if not entries:
        raise DataError("The list is empty; expected one name per class.")
    return ClassFile(Path("list"), entries)


def common_form(names: Sequence[str]) -> str:
    """Form that unknown names have in common, as the end of a sentence; empty where none shows."""
    signs = {name[:1] for name in names}
    if all(sign.isdigit() for sign in signs):
        return ": all begin with a number"
    if len(signs) == 1 and len(names) > 1 and not min(signs).isalpha():
        return f": all begin with {min(signs)!r}"
    if 2 * sum(not name.isascii() for name in names) > len(names):
        return ": most have letters beyond a to z, as names in other languages"
    return ""


class _Check:
    """One list against one set."""

    def __init__(
        self,
        lexicon: Lexicon,
        positions: Sequence[int],
        listed: ClassFile,
        ignore_others: bool,
        first_senses: bool,
        against: str,
    ):
        self.lexicon, self.positions, self.listed = lexicon, list(positions), listed
        self.wnids = [lexicon.wnids[each] for each in positions]
        self.in_set = set(self.positions)
        self.ignore_others, self.first_senses = ignore_others, first_senses
        self.findings: list[Finding] = []
        self.unknown: list[UnknownName] = []
        self.against = against

    @cached_property
    def suggested(self) -> dict[str, str]:
        """wnid -> a name that is unique in the set, by the rule ``_TELLING`` or the default
        rule."""
        rule = _TELLING if self.first_senses else DEFAULT_RULE
        return class_names(self.wnids, rule, self.lexicon).of_class

    @cached_property
    def telling(self) -> dict[str, str]:
        """wnid -> its name by the rule ``_TELLING``, without names that are suggested for another
        class."""
        if self.first_senses:
            return {}
        owner = {word_key(name): wnid for wnid, name in self.suggested.items()}
        names = class_names(self.wnids, _TELLING, self.lexicon).of_class.items()
        return {wnid: name for wnid, name in names if owner.get(word_key(name), wnid) == wnid}

    def run(self) -> NameCheck:
        pairs = self.with_wnids() if self.listed.has_wnids else self.in_order()
        named = [(entry, position) for entry, position in pairs if entry.name is not None]
        self.duplicates(named)
        if not self.other_order(named):
            for entry, position in named:
                self.synsets(entry, position)
        if not named and self.listed.has_wnids:
            raise DataError(
                f"{self.listed.path} holds wnids and no names (numbers are none), so there is no"
                " name to check."
            )
        if len(self.unknown) > max(_FEW_UNKNOWN, _MANY_UNKNOWN * len(named)):
            share = f"{len(self.unknown):,} of {counted(len(named), 'name')}"
            common = common_form([each.name for each in self.unknown])
            self.add("not in WordNet", f"{share} are no words of WordNet's{common}")
        order = {kind: at for at, kind in enumerate(KINDS)}
        self.findings.sort(key=lambda each: order[each.finding])
        self.unknown.sort(key=lambda each: each.near is None)
        return NameCheck(self.findings, len(self.wnids), self.unknown, self.against)

    def add(
        self,
        finding: str,
        why: str,
        entry: Listed | None = None,
        wnid: str | None = None,
        others: Sequence[str] = (),
        suggestion: str | None = None,
    ) -> None:
        place, name = (entry.place, entry.name) if entry else (None, None)
        self.findings.append(Finding(finding, place, wnid, name, list(others), suggestion, why))

    # which class an entry is for

    def with_wnids(self) -> list[tuple[Listed, int]]:
        pairs: list[tuple[Listed, int]] = []
        index = self.lexicon.index
        for entry in self.listed.entries:
            assert entry.wnid is not None
            position = index.get(entry.wnid)
            if position in self.in_set and position is not None:
                pairs.append((entry, position))
            elif not self.ignore_others:
                kind = "unknown wnid" if position is None else "not in the set"
                why = "WordNet 3.0 has no such noun synset" if position is None else "not a class"
                self.add(kind, f"{entry.wnid}: {why}", entry, entry.wnid)
        if not pairs and self.against == GIVEN:
            own = counted(len(self.listed.entries), "class", "classes")
            theirs = counted(len(self.wnids), "class", "classes")
            raise DataError(
                f"{self.listed.path} names another set: none of its {own} is in the given set of"
                f" {theirs}. Give the set that it names.",
                argument="classes",
            )
        there = {position for _, position in pairs}
        for position, wnid in zip(self.positions, self.wnids, strict=True):
            if position not in there:
                said = "the list has no such wnid"
                self.add("missing", said, None, wnid, suggestion=self.suggested[wnid])
        self.order_of_wnids([entry for entry, _ in pairs], [position for _, position in pairs])
        return pairs

    def order_of_wnids(self, entries: Sequence[Listed], given: list[int]) -> None:
        found = self.orders.of_positions(given)
        if found is not None:
            at, why = found
            self.add("order", why, entries[at], self.lexicon.wnids[given[at]])

    @cached_property
    def orders(self) -> Orders:
        """The orders that the set is known in."""
        return Orders(self.lexicon, self.positions, self.suggested)

    def in_order(self) -> list[tuple[Listed, int]]:
        entries, size = self.listed.entries, len(self.positions)
        if not self.listed.ordered:
            raise DataError(
                f"{self.listed.path} has {counted(len(entries), 'name')} as keys, which say"
                f" neither wnids nor an order ({size:,} classes). A key holds one name once, so"
                " classes that share a name share what is said of it."
            )
        if len(entries) != size:
            names, classes = counted(len(entries), "name"), counted(size, "class", "classes")
            remedy = (
                "or give the set that the list names"
                if self.against == GIVEN
                else "or say which set it names"
            )
            raise DataError(
                f"{self.listed.path} has {names} without wnids, and {self.against} has {classes}. A"
                " list without wnids has one name per class, in the order of the set."
                f" Write a wnid before each name, {remedy}.",
                argument="classes",
            )
        return list(zip(entries, self.positions, strict=True))

    # names

    def duplicates(self, named: Sequence[tuple[Listed, int]]) -> None:
        wnids = [self.lexicon.wnids[position] for _, position in named]
        entry_of = {wnid: entry for wnid, (entry, _) in zip(wnids, named, strict=True)}
        shared = shared_names(wnids, [entry.name or "" for entry, _ in named])
        for group in shared.values():
            for wnid in group:
                others = [each for each in group if each != wnid]
                self.add(
                    "duplicate",
                    f"the name of {counted(len(group), 'class', 'classes')}",
                    entry_of[wnid],
                    wnid,
                    others[:_SHOWN],
                    self.better(self.lexicon.index[wnid]),
                )

    def other_order(self, named: Sequence[tuple[Listed, int]]) -> bool:
        """True if a list without wnids is in another order, by the meanings of its names."""
        if self.listed.has_wnids:
            return False
        meant = [
            {each for part in parts_of(entry.name or "") for each in self.senses(part)}
            for entry, _ in named
        ]
        found = self.orders.of_meanings([position for _, position in named], meant)
        if found is not None:
            at, why = found
            self.add("order", why, named[at][0])
        return found is not None

    def senses(self, name: str) -> list[int]:
        """The synsets that a name may be read as, the best known first."""
        every = self.lexicon.synsets_of(QUALIFIER.sub("", name))
        single = self.lexicon.instances
        return [each for each in every if each in self.in_set or not single[each]] or every

    def synsets(self, entry: Listed, position: int) -> None:
        """Record a finding if WordNet gives the name to another synset; list the name as unknown if
        WordNet lacks it."""
        read = [
            (part, senses) for part in parts_of(entry.name or "") if (senses := self.senses(part))
        ]
        if not read:
            self.no_word(entry, position)
            return
        wrong = [self.other_synset(part, senses, position) for part, senses in read]
        if None in wrong:
            return
        found = wrong[0]
        assert found is not None
        kind, others = found
        wnid = self.lexicon.wnids[position]
        said = ", ".join(self.lexicon.names[each] for each in others[:_SHOWN])
        why = {
            "another class": f"WordNet has it for {said}, of the set",
            "another synset": f"WordNet has it for {said}",
            "first sense": f"best known for {said}",
        }[kind]
        self.add(
            kind,
            why,
            entry,
            wnid,
            [self.lexicon.wnids[each] for each in others[:_SHOWN]],
            self.better(position),
        )

    def no_word(self, entry: Listed, position: int) -> None:
        """A name that WordNet lacks, and the nearest word of its class."""
        name = entry.name or ""
        words = self.lexicon.words_of(position)
        close = next((each for part in parts_of(name) for each in near(part, words, 1)), None)
        self.unknown.append(UnknownName(entry.place, self.lexicon.wnids[position], name, close))

    def other_synset(
        self, name: str, senses: Sequence[int], position: int
    ) -> tuple[str, list[int]] | None:
        """The kind of finding and the synsets that the name is read as; None if the name fits."""
        fitting = name.endswith(")") or self.lexicon.related(position, senses[0])
        first = None
        if not fitting and (self.first_senses or senses[0] in self.in_set):
            first = ("first sense", [senses[0]])
        if position in senses:
            return first
        classes = [each for each in senses if each in self.in_set]
        if classes:
            return "another class", classes
        related = [each for each in senses if self.lexicon.related(position, each)]
        if not related:
            return "another synset", list(senses)
        return first

    def better(self, position: int) -> str:
        """A name that is unique in the set, and none of the list's."""
        wnid = self.lexicon.wnids[position]
        if word_key(self.suggested[wnid]) not in self.given:
            return self.suggested[wnid]
        telling = [self.telling[wnid]] if wnid in self.telling else []
        others = [*telling, *qualified_names(self.lexicon, position)]
        return next(each for each in others if word_key(each) not in self.given)

    @cached_property
    def given(self) -> set[str]:
        """The names of the list."""
        return {word_key(entry.name) for entry in self.listed.entries if entry.name is not None}

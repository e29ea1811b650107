"""What is wrong with a list of class names: names that stand for several classes, wrong or missing
wnids, another order, and names that WordNet gives to another synset.

Findings, by kind:

* ``duplicate``: several classes of the list have the name. Case, hyphens and underscores do not
  tell names apart.
* ``missing``: a class of the set is not in the list. ``not in the set``: a wnid of the list is not
  in the set. ``unknown wnid``: WordNet 3.0 has no such noun.
* ``order``: the list has the set's classes in another order. A list without wnids is one where
  more names are words of other classes of the set than of their own; it is not searched for other
  synsets then.
* ``another class``: no sense of the name is the class, and one is another class of the set.
* ``another synset``: no sense of the name in WordNet is the class, its ancestor or its descendant.
* ``first sense``: the name has a sense that fits, and the best-known one is another class of the
  set, which is neither an ancestor nor a descendant of the class. With ``first_senses`` any other
  synset counts: WordNet knows the boxer as a fighter before it knows the dog, and so do texts.

Senses that are single things (John Jay) and not classes of the set count only where a name has no
others.

A name that is no word of WordNet's says nothing about synsets and is not a finding. Of a name with
commas ("tench, Tinca tinca") each part is read, and one that fits is enough. Of a name with a
qualifier in brackets ("kite (bird of prey)") the word before them is read, and any sense that fits
is enough.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from graphzsl.data.class_naming import class_names, qualified_name, shared_names
from graphzsl.data.name_lists import Listed, NameList, checked_name, read_name_list
from graphzsl.errors import DataError
from graphzsl.frames import Tabular
from graphzsl.hierarchy.lexicon import Lexicon, word_key
from graphzsl.sources.imagenet import listed_classes, named_classes
from graphzsl.sources.published import class_lists
from graphzsl.wording import counted

#: Every kind of finding, the worst first.
KINDS = (
    "unknown wnid",
    "not in the set",
    "missing",
    "order",
    "duplicate",
    "another class",
    "another synset",
    "first sense",
)
#: A qualifier at the end of a name: "kite (bird of prey)".
QUALIFIER = re.compile(r"\s*\(([^()]*)\)\s*$")
#: The rule of suggestions: words that mean no other class.
_TELLING = "meaning+word+parent+gloss"
#: Synsets that a finding names.
_SHOWN = 4


@dataclass(frozen=True)
class Finding:
    """One thing that is wrong: where it stands, the class and its name in the list, the other
    classes or synsets that it concerns, a name that would do, and the reason in words."""

    finding: str
    place: str | None
    wnid: str | None
    name: str | None
    others: list[str]
    suggestion: str | None
    why: str

    def to_dict(self) -> dict[str, Any]:
        """The finding as a row."""
        return {**vars(self)}


@dataclass(frozen=True, eq=False)
class NameCheck(Tabular):
    """What ``check_names`` found. ``unread`` counts names that are no words of WordNet's."""

    findings: list[Finding]
    classes: int
    unread: int

    def __repr__(self) -> str:
        said = ", ".join(f"{times:,} {kind}" for kind, times in self.counts.items() if times)
        return f"<NameCheck of {self.classes:,} classes: {said or 'clean'}>"

    @cached_property
    def counts(self) -> dict[str, int]:
        """Kind of finding -> how many there are, of every kind."""
        found = Counter(each.finding for each in self.findings)
        return {kind: found[kind] for kind in KINDS}

    def rows(self) -> list[dict[str, Any]]:
        """One row per finding."""
        return [each.to_dict() for each in self.findings]


def check_names(
    names: str | Path | NameList | Mapping[str, str] | Sequence[str],
    classes: str | Path | Iterable[str] = "ilsvrc2012",
    *,
    key: str | None = None,
    ignore_others: bool = False,
    first_senses: bool = False,
    lexicon: Lexicon | None = None,
) -> NameCheck:
    """Hold a list of class names against a set of classes and WordNet.

    Args:
        names: a file in a format of ``graphzsl.data.name_lists``, wnid -> name, or one name per
            class in the order of the classes.
        classes: a shipped list, a file, or the classes themselves.
        key: which list of a file that holds several.
        ignore_others: leave out what the list says of classes that are not in the set.
        first_senses: names are findings, too, whose best-known sense is a synset that is not in the
            set.
        lexicon: WordNet's nouns; by default the cached ones.

    Returns:
        What was found; ``findings`` is empty where nothing is wrong.

    Raises:
        DataError: the list cannot be read, or has neither wnids nor one name per class.

    >>> found = gz.check_names(["crane", "crane"], ["n02012849", "n03126707"])
    >>> found.counts["duplicate"], found.findings[0].suggestion
    (2, 'crane (wading bird)')
    """
    lexicon = lexicon or Lexicon.load()
    positions = lexicon.resolve(listed_classes(classes))
    if not positions:
        raise DataError("There is no class to compare with.")
    listed = _listed(names, key, len(positions))
    return _Check(lexicon, positions, listed, ignore_others, first_senses).run()


def _listed(names: Any, key: str | None, size: int) -> NameList:
    if isinstance(names, NameList):
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
    return NameList(Path("list"), entries)


class _Check:
    """One list against one set."""

    def __init__(
        self,
        lexicon: Lexicon,
        positions: Sequence[int],
        listed: NameList,
        ignore_others: bool,
        first_senses: bool,
    ):
        self.lexicon, self.positions, self.listed = lexicon, list(positions), listed
        self.wnids = [lexicon.wnids[each] for each in positions]
        self.in_set = set(self.positions)
        self.ignore_others, self.first_senses = ignore_others, first_senses
        self.findings: list[Finding] = []
        self.unread = 0

    @cached_property
    def suggested(self) -> dict[str, str]:
        """wnid -> a name that is unique in the set."""
        return class_names(self.wnids, _TELLING, self.lexicon).of_class

    def run(self) -> NameCheck:
        pairs = self.with_wnids() if self.listed.has_wnids else self.in_order()
        named = [(entry, position) for entry, position in pairs if entry.name is not None]
        self.duplicates(named)
        if not self.other_order(named):
            for entry, position in named:
                self.synsets(entry, position)
        order = {kind: at for at, kind in enumerate(KINDS)}
        self.findings.sort(key=lambda each: order[each.finding])
        return NameCheck(self.findings, len(self.wnids), self.unread)

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
        there = {position for _, position in pairs}
        for position, wnid in zip(self.positions, self.wnids, strict=True):
            if position not in there:
                said = "the list has no such wnid"
                self.add("missing", said, None, wnid, suggestion=self.suggested[wnid])
        self.order_of_wnids([entry for entry, _ in pairs], [position for _, position in pairs])
        return pairs

    def order_of_wnids(self, entries: Sequence[Listed], given: list[int]) -> None:
        there = set(given)
        expected = [each for each in self.positions if each in there]
        if given == expected:
            return
        at = next(
            at for at, pair in enumerate(zip(given, expected, strict=True)) if len({*pair}) > 1
        )
        wnids = self.lexicon.wnids
        self.add(
            "order",
            f"{sum(a != b for a, b in zip(given, expected, strict=True)):,} of"
            f" {len(given):,} classes stand elsewhere; the first is {wnids[given[at]]} where the"
            f" set has {wnids[expected[at]]}{self.known_order(given)}",
            entries[at],
            wnids[given[at]],
        )

    def known_order(self, given: list[int]) -> str:
        """What the order of a list is, in words, where it is a known one."""
        there = set(given)
        for said, order in self.orders():
            if [each for each in order if each in there] == given:
                return f". It is {said}"
        return ""

    def orders(self) -> Iterable[tuple[str, list[int]]]:
        """Other orders that these classes are known in."""
        yield "the order of the wnids", sorted(self.positions)
        yield "the reverse of the set's order", self.positions[::-1]
        names = {
            position: self.suggested[wnid]
            for position, wnid in zip(self.positions, self.wnids, strict=True)
        }
        yield (
            "the alphabet's order of names",
            sorted(self.positions, key=lambda each: (names[each].casefold(), each)),
        )
        for name, data in class_lists().items():
            if data.rows >= len(self.positions):
                order = [self.lexicon.index.get(each) for each in named_classes(name)]
                if self.in_set <= {*order}:
                    kept = [each for each in order if each is not None and each in self.in_set]
                    yield f"the order of the list {name}", kept

    def in_order(self) -> list[tuple[Listed, int]]:
        entries, size = self.listed.entries, len(self.positions)
        if not self.listed.ordered:
            raise DataError(
                f"{self.listed.path} has {counted(len(entries), 'name')} as keys, which say"
                f" neither wnids nor an order ({size:,} classes). A key holds one name once, so"
                " classes that share a name share what is said of it."
            )
        if len(entries) != size:
            raise DataError(
                f"{self.listed.path} has {counted(len(entries), 'name')} without wnids; the set has"
                f" {counted(size, 'class', 'classes')}. A list without wnids has one name per"
                " class, in the order of the set."
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
                    self.suggested[wnid],
                )

    def other_order(self, named: Sequence[tuple[Listed, int]]) -> bool:
        """Whether a list without wnids is in another order, by what its names mean."""
        if self.listed.has_wnids:
            return False
        own, elsewhere, first = 0, 0, None
        meant = []
        for entry, position in named:
            senses = {each for part in _parts(entry.name) for each in self.senses(part)}
            meant.append(senses)
            if position in senses:
                own += 1
            elif senses & self.in_set:
                elsewhere += 1
                first = first or entry
        if elsewhere <= own or first is None:
            return False
        fits = {
            said: sum(each in senses for each, senses in zip(order, meant, strict=True))
            for said, order in self.orders()
            if len(order) == len(meant)
        }
        best = max(fits, key=lambda said: fits[said])
        other = f"; {fits[best]:,} fit {best}" if fits[best] > own else ""
        self.add(
            "order",
            f"{own:,} of {len(named):,} names are words of the class at their place, and"
            f" {elsewhere:,} are words of another class of the set{other}",
            first,
        )
        return True

    def senses(self, name: str) -> list[int]:
        """The synsets that a name may be read as, the best known first."""
        every = self.lexicon.synsets_of(QUALIFIER.sub("", name))
        single = self.lexicon.instances
        return [each for each in every if each in self.in_set or not single[each]] or every

    def synsets(self, entry: Listed, position: int) -> None:
        """What WordNet gives the name to."""
        read = [(part, senses) for part in _parts(entry.name) if (senses := self.senses(part))]
        if not read:
            self.unread += 1
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
            self.better(entry, position),
        )

    def other_synset(
        self, name: str, senses: Sequence[int], position: int
    ) -> tuple[str, list[int]] | None:
        """The kind of finding and the synsets that the name is read as; None where it fits."""
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

    def better(self, entry: Listed, position: int) -> str:
        """A name that is unique in the set, and another one than the list's."""
        name = self.suggested[self.lexicon.wnids[position]]
        if word_key(name) == word_key(entry.name or ""):
            return qualified_name(self.lexicon, position)
        return name


def _parts(name: str | None) -> list[str]:
    """The words of a name: what stands between commas outside brackets."""
    return [part for part in map(str.strip, re.split(r",(?![^(]*\))", name or "")) if part]

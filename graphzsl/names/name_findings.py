"""Findings about a list of class names.

Kinds of findings:

* ``duplicate``: several classes of the list have the name. Case, hyphens and underscores do not
  tell names apart.
* ``missing``: a class of the set is not in the list. ``not in the set``: a wnid of the list is not
  in the set. ``unknown wnid``: WordNet 3.0 has no such noun.
* ``order``: the list has the set's classes in another order. A list without wnids is one where
  more names are words of other classes of the set than of their own; it is not searched for other
  synsets then.
* ``another class``: no sense of the name is the class, and one is another class of the set.
* ``another synset``: no sense of the name in WordNet is the class, its ancestor or its descendant.
* ``not in WordNet``: more than a fifth of the names are no words of WordNet's; what they have in
  common says why: a number before each, another language.
* ``first sense``: the name has a sense that fits, and the best-known one is another class of the
  set, which is neither an ancestor nor a descendant of the class. With ``first_senses`` any other
  synset counts: WordNet knows the boxer as a fighter before it knows the dog, and so do texts.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from graphzsl.common.frames import Tabular

#: Every kind of finding, the worst first.
KINDS = (
    "unknown wnid",
    "not in the set",
    "missing",
    "order",
    "duplicate",
    "another class",
    "another synset",
    "not in WordNet",
    "first sense",
)


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


@dataclass(frozen=True)
class UnknownName:
    """A name that is no word of WordNet's: where it stands, its class, the name, and the word of
    the class that is spelt nearly so, where there is one: most likely a slip."""

    place: str
    wnid: str
    name: str
    near: str | None

    def __str__(self) -> str:
        return f"{self.place}: {self.name!r}{f' (near {self.near!r})' if self.near else ''}"


@dataclass(frozen=True, eq=False)
class NameCheck(Tabular):
    """Findings of ``check_names``. ``unknown`` are the names that are no words of WordNet's, those
    near a word of their class first; many of them are one finding. ``against`` is the set in
    words."""

    findings: list[Finding]
    classes: int
    unknown: list[UnknownName]
    against: str

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
        return [{**vars(each)} for each in self.findings]

"""Names for the classes of a set: words of WordNet, unique in the set, in the order of the wnids.

A rule picks one word per synset, and says how names are told apart that would be mistaken: several
classes of the set share them, or WordNet gives the word first to another class of the set, which is
neither an ancestor nor a descendant ("lark": the meadowlark before the larks).

* ``first``: the first word of the synset.
* ``meaning``: the word of which the synset is the best-known sense: the lowest sense number, then
  the highest tagged count, then WordNet's order.
* ``+word``: another word of the synset in its place, the best-known one that no other class of the
  set has among its words: "vat" and "bathtub" for two tubs.
* ``+parent``: the same word of the direct hypernym, "crane (wading bird)".
* ``+gloss``: the head of the definition, as long as it takes to tell the classes apart.

This is tried in the order of the rule. Classes that share a name even then have their wnid added,
so every rule with a ``+`` makes unique names. All classes that share a name are treated alike: a
name depends on its synset and on the classes of the set that have one of its words, not on
the order of the classes. A class that has no other word is qualified although the others gave its
name up.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.frames import Tabular
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.resolver import resolve_positions
from graphzsl.hierarchy.spelling import word_key

#: How a word is picked, and what may be added to it.
WORDS, ADDED = ("first", "meaning"), ("word", "parent", "gloss")
#: A rule whose names are unique, for every set.
DEFAULT_RULE = "first+word+parent+gloss"
#: A definition begins behind these.
_HEAD = frozenset({*("a", "an", "the", "any", "one", "some", "of", "several", "various", "either")})
#: Before these a definition may be cut, behind two words or more.
_BREAKS = frozenset(
    {
        *("and", "as", "at", "by", "containing", "for", "from", "having", "in", "into", "is", "of"),
        *("on", "or", "resembling", "that", "to", "used", "where", "which", "who", "whose", "with"),
    }
)


@dataclass(frozen=True, eq=False)
class ClassNames(Tabular):
    """One name per class. ``added`` is what made each name unique: nothing (an empty text), another
    ``word``, the ``parent``, the ``gloss`` or the ``wnid``."""

    wnids: list[str]
    names: list[str]
    added: list[str]
    rule: str

    def __repr__(self) -> str:
        shared = sum(map(len, self.shared.values()))
        said = f"{shared:,} share a name" if shared else "all unique"
        return f"<ClassNames {self.rule}: {len(self.names):,} classes, {said}>"

    def __len__(self) -> int:
        return len(self.wnids)

    @cached_property
    def of_class(self) -> dict[str, str]:
        """wnid -> name, in the order of the classes."""
        return dict(zip(self.wnids, self.names, strict=True))

    @cached_property
    def shared(self) -> dict[str, list[str]]:
        """Name -> its classes, of names that are not unique; case, hyphens and underscores do not
        tell names apart."""
        return shared_names(self.wnids, self.names)

    def rows(self) -> list[dict[str, Any]]:
        """One row per class: ``wnid``, ``name``, ``added``."""
        return [
            {"wnid": wnid, "name": name, "added": added}
            for wnid, name, added in zip(self.wnids, self.names, self.added, strict=True)
        ]


def class_names(
    classes: str | Path | Iterable[str],
    rule: str = DEFAULT_RULE,
    lexicon: Lexicon | None = None,
) -> ClassNames:
    """Name classes by their words in WordNet.

    Args:
        classes: a shipped list (``ilsvrc2012``), a file, or the classes themselves: wnids, names
            of synsets (``dog.n.01``), or words that name one synset.
        rule: ``first`` or ``meaning``, and what is done to names that classes share: ``+word``,
            ``+parent``, ``+gloss``, or several of them. Without a ``+`` shared names stay.
        lexicon: WordNet's nouns; by default those of the package.

    Returns:
        The names, in the order of the classes.

    Raises:
        DataError: an unknown list, class or rule, or a class that is there twice.

    Reference:
        Fellbaum (ed.) 1998, WordNet: an electronic lexical database; sense numbers are those of
        WordNet 3.0's ``index.sense``.

    >>> gz.class_names(["n02012849", "n03126707", "n02084071"]).names
    ['crane (wading bird)', 'crane (lifting device)', 'dog']
    >>> gz.class_names(["n02012849", "n03126707"], "first").shared
    {'crane': ['n02012849', 'n03126707']}
    """
    word, added = read_rule(rule)
    lexicon = lexicon or Lexicon.load()
    positions = resolve_positions(classes, lexicon)
    naming = _Naming(_Namer(lexicon, word), positions)
    naming.run(added)
    wnids = [lexicon.wnids[each] for each in positions]
    return ClassNames(wnids, naming.names, naming.how, rule)


def read_rule(rule: str) -> tuple[str, list[str]]:
    """The word that a rule picks, and what it adds; DataError names the known parts."""
    word, *added = [part.strip() for part in rule.split("+")]
    if word not in WORDS or not set(added) <= set(ADDED) or len(set(added)) < len(added):
        raise DataError(
            f"There is no rule {rule!r}: a rule is {' or '.join(WORDS)}, then any of +word, +parent"
            " and +gloss, e.g. meaning+parent.",
            argument="rule",
        )
    return word, added


def every_rule() -> list[str]:
    """The rules that are counted side by side, the plain ones first."""
    ends = ("", "+parent", "+gloss", "+parent+gloss", "+word+parent+gloss")
    return [word + end for end in ends for word in WORDS]


def shared_names(wnids: Sequence[str], names: Sequence[str]) -> dict[str, list[str]]:
    """Name -> its classes, of names that several classes have; spelt as the first of them is."""
    groups: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(names):
        groups[word_key(name)].append(at)
    return {
        names[group[0]]: [wnids[at] for at in group] for group in groups.values() if len(group) > 1
    }


def qualified_names(lexicon: Lexicon, position: int, word: str = "meaning") -> Iterator[str]:
    """The name of one synset with its parent behind it, with its definition, ever longer, and with
    its wnid, as far as it has these."""
    namer = _Namer(lexicon, word)
    if (name := namer.by_parent(position)) is not None:
        yield name
    cut = 0
    while (name := namer.by_gloss(position, cut)) is not None:
        yield name
        cut += 1
    yield namer.by_wnid(position)


def rule_rows(
    classes: str | Path | Iterable[str], lexicon: Lexicon | None = None
) -> list[dict[str, Any]]:
    """One row per naming rule for a set of classes: how many names are shared, by how many classes,
    how many names got which addition, and the longest name."""
    lexicon = lexicon or Lexicon.load()
    wnids = [lexicon.wnids[each] for each in resolve_positions(classes, lexicon)]
    rows = []
    for rule in every_rule():
        named = class_names(wnids, rule, lexicon)
        added = Counter(named.added)
        longest = max(named.names, key=len)
        rows.append(
            {
                "rule": rule,
                "classes": len(named),
                "shared_names": len(named.shared),
                "classes_that_share": sum(map(len, named.shared.values())),
                "other_word": added["word"],
                "with_parent": added["parent"],
                "with_gloss": added["gloss"],
                "with_wnid": added["wnid"],
                "longest": longest,
            }
        )
    return rows


class _Namer:
    """The names of single synsets under one way to pick a word."""

    def __init__(self, lexicon: Lexicon, word: str):
        self.lexicon = lexicon
        self.picked = lexicon.words[1][:-1] if word == "first" else lexicon.best_words

    def word(self, position: int) -> str:
        return self.lexicon.words[0][int(self.picked[position])]

    def by_word(self, position: int, owners: Mapping[str, int]) -> str | None:
        """Another word, of those that ``owners`` gives to no other class."""
        own = word_key(self.word(position))
        free = [
            each
            for each in self.lexicon.senses_of(position)
            if word_key(each.text) != own and owners[word_key(each.text)] == 1
        ]
        # min() keeps the first of equals: WordNet's order
        return min(free, key=lambda each: (each.number, -each.count)).text if free else None

    def by_parent(self, position: int) -> str | None:
        """With the nearest ancestor that has another name, by first parents; None for a root."""
        own, above = self.word(position), position
        while parents := self.lexicon.hypernyms(above):
            others = [self.word(each) for each in parents]
            for other in others:
                if word_key(other) != word_key(own):
                    return f"{own} ({other})"
            above = parents[0]
        return None

    def by_gloss(self, position: int, cut: int) -> str | None:
        """With the definition up to that cut; None where it has no such cut."""
        heads = _heads(self.lexicon.gloss(position))
        return f"{self.word(position)} ({heads[cut]})" if cut < len(heads) else None

    def by_wnid(self, position: int) -> str:
        return f"{self.word(position)} ({self.lexicon.wnids[position]})"


class _Naming:
    """The names of the classes of one set, while shared ones are told apart."""

    def __init__(self, namer: _Namer, positions: Sequence[int]):
        self.namer, self.positions = namer, positions
        self.names = [namer.word(each) for each in positions]
        self.how = [""] * len(positions)
        self.keys = [word_key(name) for name in self.names]

    def shared(self) -> list[int]:
        """Places of names that are not unique."""
        times = Counter(self.keys)
        return [at for at, key in enumerate(self.keys) if times[key] > 1]

    def set(self, at: int, name: str | None, how: str) -> bool:
        if name is not None:
            self.names[at], self.keys[at], self.how[at] = name, word_key(name), how
        return name is not None

    def outranked(self) -> list[int]:
        """Places of names by which another class of the set is better known, unless it is above or
        below the class."""
        lexicon = self.namer.lexicon
        best: dict[str, tuple[tuple[int, int, int], int]] = {}
        for position in self.positions:
            for sense in lexicon.senses_of(position):
                found = ((sense.number, -sense.count, position), position)
                key = word_key(sense.text)
                best[key] = min(best.get(key, found), found)
        return [
            at
            for at, (key, position) in enumerate(zip(self.keys, self.positions, strict=True))
            if not lexicon.related(best[key][1], position)
        ]

    def run(self, added: Sequence[str]) -> None:
        if not added:
            return
        left = sorted({*self.shared(), *self.outranked()})
        for kind in [*added, "wnid"]:
            left = self.step(kind, left)

    def step(self, kind: str, left: list[int]) -> list[int]:
        """Tell the names at these places apart; the places where that did not do."""
        place, namer = self.positions, self.namer
        if kind == "word":
            owners = self.owners()
            unset = [
                at for at in left if not self.set(at, namer.by_word(place[at], owners), "word")
            ]
            return sorted({*unset, *self.shared()})
        if kind == "gloss":
            cut = 0
            while left:
                longer = [
                    at for at in left if self.set(at, namer.by_gloss(place[at], cut), "gloss")
                ]
                left, cut = self.shared(), cut + 1
                if not longer:
                    break
            return left
        for at in left:
            name = namer.by_parent(place[at]) if kind == "parent" else namer.by_wnid(place[at])
            self.set(at, name, kind)
        return self.shared()

    def owners(self) -> Counter[str]:
        """Word -> how many classes have it among their words."""
        words_of = self.namer.lexicon.words_of
        return Counter(
            key for each in self.positions for key in {word_key(word) for word in words_of(each)}
        )


def _heads(gloss: str) -> list[str]:
    """Beginnings of a definition, each longer than the one before: up to a word that a clause
    begins with or a comma, and the whole of it.

    What stands in brackets, quotations, and what follows a semicolon are left out.
    """
    text = re.sub(r"\([^)]*\)?|\"[^\"]*\"?|[\[\]{}`]", " ", gloss)
    words = re.split(r";|\. ", text.strip(" ;,:"))[0].split()
    while words and words[0].lower() in _HEAD:
        words.pop(0)
    cuts = [
        at
        for at in range(2, len(words))
        if words[at].lower() in _BREAKS and words[at - 1].lower() not in _BREAKS | _HEAD
    ]
    heads = [" ".join(words[:at]).strip(" ,:") for at in [*cuts, len(words)]]
    return [head for head in dict.fromkeys(heads) if head]

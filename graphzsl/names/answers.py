"""Classes that answers in words name, each by a chain of steps that is written down.

The phrases of an answer (``graphzsl.names.free_text``) are looked up one name after the other, from
the whole phrase to its last word: among names that are given and the candidates' words, then the
words of what is above the candidates, then WordNet's. Plural, hyphens and British and American
spelling do not count. What WordNet lacks falls to a word of the phrase that is below its last one
(Samoyed dog), a common name that is known, a candidate's word that is spelt nearly so, or its last
word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache
from typing import NamedTuple

from graphzsl.common.wording import listed
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.hierarchy.meanings import tagged_senses
from graphzsl.hierarchy.spelling import key, usual_by_far, word_key
from graphzsl.hierarchy.vocabulary import WordNetVocabulary
from graphzsl.names.free_text import read_answer
from graphzsl.names.known_names import known_lists

#: How a class was found, the surest first.
STEPS = ("given name", "candidate", "above", "WordNet", "spelling", "modifier", "head noun", "")
#: Common names that WordNet lacks, looked at by hand: name -> wnid.
COMMON_NAMES = {
    "clownfish": "n02607072",
    "clown fish": "n02607072",
    "european goldfinch": "n01531178",
    "smartphone": "n02992529",
    "yorkie": "n02094433",
    "frenchie": "n02108915",
    "westie": "n02098286",
    "soccer ball": "n04254680",
    "pug dog": "n02110958",
    "husky dog": "n02110185",
    "gazelle thomson": "n02423022",
    "sportscar": "n04285008",
    "pickup": "n03930630",
    "tabby": "n02123045",
    "lynx cat": "n02127052",
    "house finch": "n01532829",
    "emperor penguin": "n02055803",
    "men": "n10287213",
}
#: What is no part of the next word: a red bird is no redbird, a ram no Aram, "to me" no tome.
_APART = re.compile(r"(?:black|white|brown|gr[ae]y|red|orange|yellow|green|blue|dark|the|\w\w?) ")
#: Words that WordNet has as nouns too: IT, helium, Maine.
_PRONOUNS = re.compile(r"i|it|its|he|his|she|we|us|you|they|me")
_ANIMAL, _OF_BODY = "n00015388", "noun.body"
#: Person, people and hand, which hold what a picture shows.
_HOLDERS = ("n00007846", "n07942152", "n05564590")
_EGGS = ("egg", "eggs")
#: Ages and sexes of animals, which say no kind.
_AGES = re.compile(
    r"puppy|pup|cub|kitten|calf|chick|foal|lamb|hatchling|juvenile|male|female|adult"
)
#: WordNet's endings of plurals, and what stands in their place.
_PLURALS = (
    ("ches", "ch"),
    ("shes", "sh"),
    ("sses", "ss"),
    ("xes", "x"),
    ("zes", "z"),
    ("ves", "f"),
    ("ves", "fe"),
    ("ies", "y"),
    ("men", "man"),
    ("mice", "mouse"),
    ("geese", "goose"),
    ("feet", "foot"),
    ("teeth", "tooth"),
    ("children", "child"),
    ("oxen", "ox"),
    ("s", ""),
    ("es", ""),
)
#: Parts of words as they are spelt in Britain and in America, each for the other.
_SPELT = (
    ("grey", "gray"),
    ("colour", "color"),
    ("sulphur", "sulfur"),
    ("aluminium", "aluminum"),
    ("tyre", "tire"),
    ("plough", "plow"),
    ("moustache", "mustache"),
    ("centre", "center"),
    ("theatre", "theater"),
    ("pyjama", "pajama"),
    ("doughnut", "donut"),
    ("licence", "license"),
    ("axe", "ax"),
    ("kerb", "curb"),
    ("armour", "armor"),
    ("harbour", "harbor"),
    ("fibre", "fiber"),
    ("woollen", "woolen"),
)
#: Tags of a noun that is also a participle, above which it is one.
_NOUN = 4
#: How alike a word must be that is taken for a slip.
_SLIP = 0.87


@dataclass(frozen=True)
class MappedAnswer:
    """An answer and what it names.

    Args:
        answer: as it was given.
        wnids: what it names: one synset; several that it leaves open; none where it names nothing.
        name: the words of the answer that were looked up.
        step: how the class was found, one of ``STEPS``; of several the least sure.
        why: the steps in words.
        others: synsets, candidates or above some, that a word of it may mean as well.
    """

    answer: str
    wnids: tuple[str, ...]
    name: str = ""
    step: str = ""
    why: str = ""
    others: tuple[str, ...] = ()


class _Reading(NamedTuple):
    """A synset, the step by which it was found, and others that its word may mean as well."""

    wnid: str
    step: str
    others: tuple[str, ...] = ()


class AnswerMapper:
    """Finder of the classes that answers name.

    Args:
        candidates: [C] wnids that there are, whose senses decide.
        names: name -> wnid, of names that are known besides WordNet's words.
        lexicon: WordNet's nouns; by default those of the package.

    >>> from graphzsl.names.answers import AnswerMapper
    >>> mapper = AnswerMapper(["n02088364", "n02123394"])
    >>> mapper("The image shows a beagle next to a chair.").wnids
    ('n02088364',)
    >>> mapper("a fluffy dog").step, mapper("I'm not sure.").wnids
    ('above', ())
    """

    def __init__(
        self,
        candidates: Sequence[str],
        names: Mapping[str, str] | None = None,
        lexicon: Lexicon | None = None,
    ):
        self.lexicon = lexicon or Lexicon.load()
        self._vocabulary = WordNetVocabulary(self.lexicon)
        self.candidates = frozenset(candidates)
        given = COMMON_NAMES | dict(names or {})
        self._given = {word_key(name): wnid for name, wnid in given.items()}
        self._find = lru_cache(maxsize=None)(self._uncached)
        self._map = lru_cache(maxsize=None)(self._mapped)

    @cached_property
    def _above(self) -> frozenset[str]:
        index, wnids = self.lexicon.index, self.lexicon.wnids
        return frozenset(
            wnids[each]
            for wnid in self.candidates
            if wnid in index
            for each in self.lexicon.ancestors(index[wnid])
        )

    @cached_property
    def _keys(self) -> frozenset[str]:
        return frozenset(self.lexicon.keys)

    @cached_property
    def _words(self) -> dict[tuple[str, int], list[str]]:
        """(first letter, number of words) -> the candidates' words, for slips of spelling."""
        found: dict[tuple[str, int], list[str]] = {}
        for wnid in sorted(self.candidates & self.lexicon.index.keys()):
            for word in self.lexicon.words_of(self.lexicon.index[wnid]):
                text = word_key(word)
                found.setdefault((text[0], text.count(" ")), []).append(text)
        return found

    def __call__(self, answer: str) -> MappedAnswer:
        """Map an answer; equal ones are mapped once."""
        return self._map(answer)

    def _mapped(self, answer: str) -> MappedAnswer:
        said = read_answer(answer, self._is_name)
        found = [best for names in said.things if (best := self._best(names)) is not None]
        if not found:
            why = "no word of it is known" if said.things else "it names nothing"
            return MappedAnswer(answer, (), why=why)
        holders = found
        if all(map(self._is_holder, (each for each, _ in found))):
            found = self._held(said.held, found) or found
        wnids = list(dict.fromkeys(each.wnid for each, _ in found))
        if said.is_list and (narrowest := self._narrowest(wnids)) is not None:
            wnids = [narrowest]
        step = max((each.step for each, _ in found), key=STEPS.index)
        why = "; ".join(self._why(each, name) for each, name in found)
        why += "" if found is holders else f", in place of {holders[0][1]!r}"
        named = "; ".join(dict.fromkeys(name for _, name in found))
        others = tuple(wnid for each, _ in found for wnid in each.others)
        return MappedAnswer(answer, tuple(wnids), named, step, why, others)

    def _is_holder(self, found: _Reading) -> bool:
        """True for a person or a hand that is no candidate."""
        wnid = found.wnid
        among = any(wnid == each or self._is_above(each, wnid) for each in _HOLDERS)
        return among and wnid not in self.candidates

    def _held(
        self, phrases: Sequence[Sequence[str]], holders: Sequence[tuple[_Reading, str]]
    ) -> list[tuple[_Reading, str]]:
        """The first thing of several that is of the candidates' kinds, and no person or part of
        one; no word for both, such as object, says what it is."""
        senses = self.lexicon.synsets_of
        for best in filter(None, map(self._best, phrases)):
            wnid, last = best[0].wnid, best[1].split()[-1].casefold()
            is_kind = wnid in self.candidates | self._above or self._is_below_any(wnid)
            is_wide = any(self._is_above(wnid, each.wnid) for each, _ in holders)
            first = [found[0] for each in _spellings(last) if (found := senses(each))]
            is_body = _OF_BODY in map(self.lexicon.lexname, first)
            if is_kind and not (is_wide or is_body or self._is_holder(best[0])):
                return [best]
        return []

    def _why(self, found: _Reading, name: str) -> str:
        names, index = self.lexicon.names, self.lexicon.index
        taken, *others = (names[index[each]] for each in (found.wnid, *found.others))
        as_well = f", read as {taken}, not {listed(others)}" if others else ""
        return f"{name!r} by {found.step}{as_well}"

    def _is_name(self, text: str) -> bool:
        """True for a name; for a word such as building or standing where it is a usual noun."""
        text = word_key(text)
        found = self._find(text)
        if found is None or " " in text or not text.endswith(("ing", "ed")):
            return found is not None
        tags = max(self.lexicon.tags_of(text).values(), default=0)
        return found[1] == "candidate" or (found[1] == "above" and tags > _NOUN)

    def _narrowest(self, wnids: Sequence[str]) -> str | None:
        """The one of several that all others are above; None if they are of different kinds."""
        for wnid in wnids:
            if all(each == wnid or self._is_above(each, wnid) for each in wnids):
                return wnid
        return None

    def _is_above(self, wnid: str, other: str) -> bool:
        index = self.lexicon.index
        return wnid in index and other in index and self.lexicon.is_above(index[wnid], index[other])

    def _best(self, names: Sequence[str]) -> tuple[_Reading, str] | None:
        """The reading by the surest of several names of one thing, and that name."""
        found = [(each, name) for name in names if (each := self._of_phrase(name)) is not None]
        return min(
            found,
            key=lambda pair: (pair[0].wnid not in self.candidates, STEPS.index(pair[0].step)),
            default=None,
        )

    def _of_phrase(self, phrase: str) -> _Reading | None:
        """Read a noun phrase."""
        words = word_key(re.sub(r"['’]s\b", "", phrase)).split()
        if (kind := self._without_last(words)) is not None:
            return kind
        size = len(words)
        for start in range(size):
            text = " ".join(words[start:])
            if (found := self._find(text)) is not None:
                if start == 0:
                    return found
                step = found.step if found.step in STEPS[:3] else "head noun"
                return self._below(words, start, found.wnid) or found._replace(step=step)
            is_asked = start < size - 1 or size == 1
            if is_asked and (slip := self._slip(text)) is not None:
                return _Reading(slip, "spelling")
        return None

    def _without_last(self, words: Sequence[str]) -> _Reading | None:
        """Read the animal whose age or sex the last word says, or the candidate whose part of the
        body it is, which an egg is not; None where the words before it name none."""
        is_age = any(map(_AGES.fullmatch, _spellings(words[-1]))) if words else False
        if len(words) < 2 or not (is_age or self._is_part(words)):
            return None
        found = self._of_phrase(" ".join(words[:-1]))
        if found is None or not self._is_above(_ANIMAL, found[0]):
            return None
        is_whole = is_age or (found[0] in self.candidates and words[-1] not in _EGGS)
        return found if is_whole else None

    def _is_part(self, words: Sequence[str]) -> bool:
        """True if the last of some words is a part of a body, and together they are no name."""
        owned = self.lexicon.synsets_of(words[-1])
        is_part = any(self.lexicon.lexname(each) == _OF_BODY for each in owned)
        return is_part and self._find(" ".join(words)) is None

    def _below(self, words: Sequence[str], start: int, head: str) -> _Reading | None:
        """A part of a phrase that names something below its last words: Samoyed of Samoyed dog."""
        spans = sorted(
            ((at, end) for at in range(start) for end in range(at + 1, len(words))),
            key=lambda span: span[0] - span[1],
        )
        for at, end in spans:
            found = self._find(" ".join(words[at:end]), head)
            if found is not None and self._is_above(head, found[0]):
                return _Reading(found[0], "modifier")
        return None

    def _slip(self, text: str) -> str | None:
        """The candidate whose word is spelt nearly as a text."""
        if len(text) < 5:
            return None
        matcher = SequenceMatcher(None, "", text)
        best, ratio = None, _SLIP
        for word in self._words.get((text[0], text.count(" ")), ()):
            if abs(len(word) - len(text)) > 2:
                continue
            matcher.set_seq1(word)
            if matcher.quick_ratio() > ratio and (alike := matcher.ratio()) > ratio:
                best, ratio = word, alike
        found = None if best is None else self._find(best)
        return None if found is None else found[0]

    def _uncached(self, text: str, below: str = "") -> _Reading | None:
        """Read a name by its spellings; None for what is no name."""
        spellings = [each for each in _spellings(text) if not _PRONOUNS.fullmatch(each)]
        for spelling in spellings:
            if wnid := self._given.get(spelling):
                return _Reading(wnid, "given name")
        found = [each for one in spellings if (each := self._of_spelling(one, below)) is not None]
        return min(found, key=lambda each: STEPS.index(each.step), default=None)

    def _of_spelling(self, spelling: str, below: str) -> _Reading | None:
        """Read one spelling of a name."""
        is_word = spelling in self._keys or (
            not _APART.match(spelling) and key(spelling) in self.lexicon.of_squeezed
        )
        counts = tagged_senses(spelling, self._vocabulary) if is_word else {}
        if below:
            counts = {each: tags for each, tags in counts.items() if self._is_above(below, each)}
        if counts:
            return self._chosen(counts)
        known = known_lists(self.lexicon).of_key(spelling) & self.candidates
        return _Reading(next(iter(known)), "candidate") if len(known) == 1 else None

    def _chosen(self, counts: Mapping[str, int]) -> _Reading:
        """A synset of a word: a candidate, what is above one, below one, or the most usual."""
        for step, classes in (("candidate", self.candidates), ("above", self._above)):
            among = {wnid: tags for wnid, tags in counts.items() if wnid in classes}
            if among:
                best = max(among, key=among.__getitem__)
                is_clear = usual_by_far(among) is not None
                others = () if is_clear else tuple(wnid for wnid in among if wnid != best)
                return _Reading(best, step, others)
        below = {wnid: tags for wnid, tags in counts.items() if self._is_below_any(wnid)}
        return _Reading(max(below or counts, key=(below or counts).__getitem__), "WordNet")

    def _is_below_any(self, wnid: str) -> bool:
        index, wnids = self.lexicon.index, self.lexicon.wnids
        return any(wnids[each] in self.candidates for each in self.lexicon.ancestors(index[wnid]))


def _spellings(text: str) -> Iterator[str]:
    """A name, its singular, and both as they are spelt elsewhere."""
    singular = [text]
    for ending, other in _PLURALS:
        is_word = text == ending and not ending.endswith("s")  # geese
        if is_word or (text.endswith(ending) and len(text) > len(ending) + 1):
            singular.append(text[: -len(ending)] + other)
    for each in singular:
        yield each
    for each in singular:
        for one, other in _SPELT:
            for old, new in ((one, other), (other, one)):
                if old in each:
                    yield each.replace(old, new)

"""Spellings of classes: wnids, names of synsets, words, and names as data sets write them.

Names come as ``grizzly+bear`` (AWA), ``diningtable`` (aPY), ``001.Black_footed_Albatross`` (CUB),
``/i/ice_skating_rink/outdoor`` (SUN), ``tench, Tinca tinca`` and ``kite (bird of prey)``.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from typing import TypeVar

from graphzsl.sources.tables import WNID

#: A qualifier at the end of a name: "kite (bird of prey)".
QUALIFIER = re.compile(r"\s*\(([^()]*)\)\s*$")
#: A name of WordNet: its word, and which of the word's noun synsets it is.
_NAME = re.compile(r"(.+)\.n\.([0-9]{1,3})")
_LIKE_WNID = re.compile(r"[nN](\d+|\d{8}\w)")
#: Digits of a wnid, and what a digit may be.
_DIGITS, _ALL = 8, "0123456789"
#: A wnid as other tools write it: 2084071, 02084071-n, wn:02084071n, n02084071_123.JPEG.
_OFFSET = re.compile(r"(?:wn:)?[nN]?([0-9]{7,8})(?:-?n|\.n\.[0-9]+|_[0-9]+(?:\.\w+)?)?")
#: Letters that are read as digits.
_LETTERS = str.maketrans("OolI", "0011")
#: What two spellings of one word may differ in.
_APART = str.maketrans("_-", "  ")

#: A sense is by far the most usual one where it was tagged so often, and so many times as often as
#: all others.
_USUAL = 5
T = TypeVar("T")


def most_tagged(counts: Mapping[T, int]) -> T | None:
    """The sense that is tagged more often in text than each other; None where there is none.

    Args:
        counts: sense of a word -> how often it is tagged.
    """
    best = max(counts, key=counts.__getitem__, default=None)
    is_first = best is not None and [*counts.values()].count(counts[best]) == 1
    return best if is_first else None


def usual_by_far(counts: Mapping[T, int]) -> T | None:
    """``most_tagged`` where it is the only sense, or is tagged five times or more, and five times
    as often as all others together; else None.

    >>> usual_by_far({"pet": 42, "cad": 0}), usual_by_far({"bird": 0, "machine": 0})
    ('pet', None)
    """
    best = most_tagged(counts)
    if best is None or len(counts) == 1:
        return best
    others = sum(counts.values()) - counts[best]
    return best if counts[best] >= _USUAL * max(1, others) else None


def word_key(text: str) -> str:
    """A word without its case, and with one space where spaces, hyphens or underscores are.

    >>> word_key("Jack-o'-lantern"), word_key("ice_cream")
    ("jack o' lantern", 'ice cream')
    """
    key = text.casefold()
    if "-" in key or "_" in key:
        key = key.translate(_APART)
    return " ".join(key.split())


def qualifies(qualifier: str, above: Iterable[str], gloss: str) -> bool:
    """True if a qualifier is one of the words of a synset's ancestors, or stands in its gloss.

    >>> qualifies("wading-bird", ["bird", "wading bird"], ""), qualifies("boom", [], "a long boom")
    (True, True)
    """
    wanted = word_key(qualifier)
    return wanted in map(word_key, above) or f" {wanted} " in f" {word_key(gloss)} "


def key(name: str) -> str:
    """A name in lower case without spaces, hyphens, full stops and 's: what the query
    ``synsets_of_names`` compares."""
    return re.sub(r"'s|[\s.-]", "", name.lower())


def synset_name(text: str) -> str | None:
    """Name of the synset that a text spells, such as ``dog.n.01``; None if it spells none.

    Case is ignored, spaces are underscores, and ``dog.n.1`` is ``dog.n.01``.
    """
    name = _NAME.fullmatch(text.strip().lower().replace(" ", "_"))
    return f"{name[1]}.n.{int(name[2]):02d}" if name else None


def is_like_wnid(text: str) -> bool:
    """True if a text looks like a wnid and is not one. No word label looks so: it is a misspelt
    wnid, not an unknown name."""
    return looks_like_wnid(text) and not WNID.match(text)


def looks_like_wnid(text: str) -> bool:
    """True if a text is an n with digits, or eight digits and a letter: a wnid, or a misspelt
    one."""
    return bool(_LIKE_WNID.fullmatch(text))


def slips_of_wnid(text: str) -> list[str]:
    """The wnids that one slip makes such a text of: a capital N, a digit other, lacking or too
    many, or two neighbours exchanged; the slips that stand last first. One in two hundred is a
    synset's. Of a wnid with a letter behind it: the wnid, and those that one more slip makes.

    >>> slips_of_wnid("n020840711")[:2]
    ['n02084071', 'n02084011']
    """
    if len(text) == _DIGITS + 2 and not text[-1].isdecimal():
        return [f"n{text[1:-1]}", *slips_of_wnid(f"n{text[1:-1]}")]
    digits, found = text[1:], list[str]()
    places = range(len(digits) - 1, -1, -1)
    if len(digits) == _DIGITS:
        for at in places[1:]:
            found.append(digits[:at] + digits[at + 1] + digits[at] + digits[at + 2 :])
        found += [digits[:at] + each + digits[at + 1 :] for at in places for each in _ALL]
    elif len(digits) == _DIGITS - 1:
        for at in (len(digits), *places):
            found += [digits[:at] + each + digits[at:] for each in _ALL]
    elif len(digits) == _DIGITS + 1:
        found += [digits[:at] + digits[at + 1 :] for at in places]
    same = [digits] if text[0] == "N" and len(digits) == _DIGITS else []
    return [f"n{each}" for each in (*same, *dict.fromkeys(found)) if each != digits or same]


def offset_as_wnid(text: str) -> str | None:
    """The wnid that a text spells in another form (``02084071-n``), or with letters for digits
    (``02084O71``); None if it spells none."""
    text = text.strip()
    found = _OFFSET.fullmatch(text) or _OFFSET.fullmatch(text[:1] + text[1:].translate(_LETTERS))
    return f"n{found[1]:0>8}" if found else None


def readings(name: str) -> list[str]:
    """The word labels that a class name may stand for, the closest to it first.

    A leading number is dropped, underscores and plus signs are spaces, and letters may lose their
    accents (WordNet's have none: crème brûlée is its creme brulee). Of a path (SUN) the first
    part is a letter; the last may qualify the scene: ``/i/ice_skating_rink/outdoor`` is "ice
    skating rink outdoor", "outdoor ice skating rink", or "ice skating rink".
    """
    name = re.sub(r"^\s*(\d+[\s.]+)+", "", name)
    if not name.isascii():
        name = unicodedata.normalize("NFKD", name)
        name = "".join(each for each in name if not unicodedata.combining(each))
    parts = [re.sub(r"[\s_+]+", " ", part).strip() for part in name.split("/") if part.strip()]
    if name.startswith("/") and len(parts) > 1 and len(parts[0]) == 1:
        parts = parts[1:]
    if len(parts) < 2:
        return parts
    return [" ".join(parts), " ".join([parts[-1], *parts[:-1]]), " ".join(parts[:-1])]


def parts_of(name: str) -> list[str]:
    """The names between commas outside brackets: "tench, Tinca tinca" are two."""
    return [part for part in map(str.strip, re.split(r",(?![^(]*\))", name)) if part]

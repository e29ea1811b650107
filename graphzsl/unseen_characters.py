"""What people cannot see of a text, and when two texts look alike.

Characters without a shape of their own make two texts of what people see as one. Three kinds stay,
where scripts need them: joiners (U+200C, U+200D) in Persian, in scripts of India and in emoji,
variation selectors behind the character whose look they choose, and the tags in the flag of a
region (England, Scotland, Wales).

Letters of Latin, Greek and Cyrillic look alike too. Names in one script stay, and so does one that
mixes them (Ω-Shape), where no other name looks like it.

Reference: Unicode 15.0, Default_Ignorable_Code_Point, chapter 23.2 (joiners), UTS 51 (emoji); RFC
5892, appendix A.1 and A.2 (a joiner behind a virama); UTS 39, confusables.txt and mixed scripts.
"""

from __future__ import annotations

import re
import unicodedata

#: Control characters, ends of lines, marks of direction, byte order marks, halves of characters.
_CONTROLS = (
    "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
)
_CONTROL = re.compile(f"[{_CONTROLS}]")
_JOINERS = "\u200c\u200d"
#: Those of all scripts, and of Mongolian, with its vowel separator.
_SELECTORS = "\ufe00-\ufe0f\U000e0100-\U000e01ef\u180b-\u180f"
#: Whatever has no shape: soft hyphen, fillers of Hangul, spaces without width, tags, …; joiners
#: and selectors are judged by where they stand.
_SHAPELESS = re.compile(
    f"[{_CONTROLS}\u00ad\u034f\u115f\u1160\u17b4\u17b5\u200b\u2060-\u206f\u3164\uffa0\ufff0-\ufffb"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff"
    f"{_JOINERS}{_SELECTORS}]"
)
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f")
#: From Hebrew on: Latin, Greek, Cyrillic and Armenian letters never join.
_FIRST_THAT_JOINS = "\u0590"
_VIRAMA = 9  #: canonical combining class
#: What changes no look: selectors, and a joiner behind a letter that joins nothing after it.
_WITHOUT_LOOK = re.compile(
    f"[{_SELECTORS}]|(?<=[\x00-\u058f\u0622-\u0625\u0627\u0629\u062f-\u0632\u0648\u0671-\u0673"
    f"\u0688-\u0699\u06c0\u06c3-\u06cb])[{_JOINERS}]"
)
#: Letters of Greek and Cyrillic that look like one of ASCII -> that one. Greek small letters that
#: names of science have beside Latin ones (α-helix, σ-bond) are not among them.
_LIKE_LATIN = str.maketrans(
    "ΑΒϹΕϜΗΙͿΚΜϺΝΟΡΤΥΧΖϲιϳοАВСЕԌНІЈКМОРЅТѴԜХУҮӀасԁеҽһіјорԛгѕѵԝѡхуүӏ",
    "ABCEFHIJKMMNOPTYXZcijoABCEGHIJKMOPSTVWXYYIacdeehijopqrsvwwxyyl",
)
#: The letters of each.
_SCRIPTS = (
    re.compile("[A-Za-z\u00c0-\u024f\u1e00-\u1eff]"),
    re.compile("[\u0370-\u03ff\u1f00-\u1fff]"),
    re.compile("[\u0400-\u052f\u1c80-\u1c8f\ua640-\ua69f]"),
)


def control_character(text: str) -> str | None:
    """The first character that breaks a line or turns its direction; None where there is none."""
    found = _CONTROL.search(text)
    return found[0] if found else None


def unseen_character(text: str) -> str | None:
    """The first character that nobody sees and no script needs where it stands; None where there
    is none."""
    if _SHAPELESS.search(text) is None:
        return None
    text = _FLAG.sub("\U0001f3f4", text)
    return next(
        (found[0] for found in _SHAPELESS.finditer(text) if not _is_needed(text, found.start())),
        None,
    )


def _is_needed(text: str, place: int) -> bool:
    """Whether the character at this place is a joiner or a selector that does something there."""
    sign, before, after = text[place], text[place - 1 : place], text[place + 1 : place + 2]
    if not before or _is_blank(before):
        return False
    if sign in _JOINERS:
        if unicodedata.combining(before) == _VIRAMA:
            return True
        return bool(after) and not _is_blank(after) and (_joins(before) or _joins(after))
    return _is_selector(sign) and (before >= _FIRST_THAT_JOINS or not before.isalpha())


def _is_selector(sign: str) -> bool:
    return sign <= "\u180f" or "\ufe00" <= sign <= "\ufe0f" or "\U000e0100" <= sign <= "\U000e01ef"


def _is_blank(sign: str) -> bool:
    """A space, or a character without a shape that is no selector: 👁️‍🗨️ has selectors before
    joiners."""
    return sign.isspace() or (_SHAPELESS.match(sign) is not None and not _is_selector(sign))


def _joins(sign: str) -> bool:
    """A letter, mark, number or picture of a script whose characters join."""
    # what Unicode has no category for yet is a new emoji
    category = unicodedata.category(sign)
    return sign >= _FIRST_THAT_JOINS and (category[0] in "LMNS" or category == "Cn")


def look(text: str) -> str:
    """What people see of a text: equal for texts that they cannot tell apart by spaces, by the
    composition of their letters (NFC) or by characters without a look.

    >>> from graphzsl.unseen_characters import look
    >>> look("Co\u0302te\u00a0d'Ivoire") == look("C\u00f4te d'Ivoire")
    True
    """
    if text.isascii():
        return " ".join(text.split()) if "  " in text else text
    return " ".join(unicodedata.normalize("NFC", _WITHOUT_LOOK.sub("", text)).split())


def mixes_scripts(text: str) -> bool:
    """Whether letters of two or more of Latin, Greek and Cyrillic stand in a text."""
    return not text.isascii() and sum(bool(each.search(text)) for each in _SCRIPTS) > 1


def latin_look(text: str) -> str:
    """A text with the letters of Greek and Cyrillic that look like one of Latin as that one, with
    whatever accent: equal for texts that differ in the scripts of such letters alone.

    >>> from graphzsl.unseen_characters import latin_look
    >>> latin_look("\u0441\u0430t"), latin_look("\u043a\u043e\u0442") == "\u043ao\u0442"
    ('cat', True)
    """
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFD", text).translate(_LIKE_LATIN)
    return unicodedata.normalize("NFC", letters)

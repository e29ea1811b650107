"""Characters of a text that nobody sees, and texts that look alike.

Characters without a shape of their own make two texts of what people see as one. Those that a
script needs where they stand stay: joiners (U+200C, U+200D) in cursive scripts, beside a virama and
in emoji, selectors of the look of a picture, an ideograph or a Mongolian letter, and the tags in
the flag of a region (England, Scotland, Wales).

Letters of Latin, Greek and Cyrillic look alike too. Names in one script stay, and so does one that
mixes them (Ω-Shape), where no other name looks like it.

Reference: Unicode 15.0, Default_Ignorable_Code_Point, ArabicShaping.txt, UTS 51 (emoji), UTS 37
(variants of ideographs); RFC 5892, appendix A.1 and A.2 (a joiner behind a virama); UTS 39,
confusables.txt and mixed scripts.
"""

from __future__ import annotations

import re
import unicodedata

#: Control characters, ends of lines, marks of direction, byte order marks, halves of characters.
_CONTROLS = (
    "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
)
_CONTROL = re.compile(f"[{_CONTROLS}]")
#: The same without what free texts may hold: tabs, ends of lines, and marks that turn no direction
#: but their own, as texts in Arabic and Hebrew have them.
_ACTING = re.compile(f"(?![\t\n\r\u061c\u200e\u200f\u2028\u2029\ufeff])[{_CONTROLS}]")
#: Characters without a shape: soft hyphen, fillers, spaces without width, joiners, selectors, tags,
#: the blank of Braille, controls of hieroglyphs, …
_SHAPELESS = re.compile(
    f"[{_CONTROLS}\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3"
    "\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
#: Letters and marks of cursive scripts: Arabic, Syriac, N'Ko, Mandaic, Mongolian, Phags-pa,
#: Rohingya and Adlam.
_CURSIVE = (
    "\u0610-\u061a\u0620-\u065f\u066e-\u06d3\u06d5-\u06dc\u06df-\u06e8\u06ea-\u06ef\u06fa-\u06fc"
    "\u06ff\u0710-\u077f\u07ca-\u07f5\u07fa\u0840-\u085b\u0860-\u088e\u0898-\u08ff\u1820-\u18aa"
    "\ua840-\ua872\U00010d00-\U00010d27\U0001e900-\U0001e94b"
)
#: Characters of the canonical combining class 9.
_VIRAMAS = (
    "\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84"
    "\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c"
    "\ua8c4\ua953\ua9c0\uaaf6\uabed\U00010a3f\U00011046\U00011070\U0001107f\U000110b9"
    "\U00011133\U00011134\U000111c0\U00011235\U000112ea\U0001134d\U00011442\U000114c2\U000115bf"
    "\U0001163f\U000116b6\U0001172b\U00011839\U0001193d\U0001193e\U000119e0\U00011a34\U00011a47"
    "\U00011a99\U00011c3f\U00011d44\U00011d45\U00011d97"
)
_PICTURES = (
    "©®\u203c\u2049\u2122\u2139\u2190-\u21ff\u2300-\u27ff\u2900-\u2bff\u3030\u303d\u3297\u3299"
    "\U0001f000-\U0001faff"
)
_IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U000323af"
#: Characters without a shape where a script needs them.
_NEEDED = re.compile(
    f"(?<=[{_CURSIVE}])[\u200c\u200d](?=[{_CURSIVE}])"
    f"|(?<=[{_VIRAMAS}])[\u200c\u200d]|[\u200c\u200d](?=[{_VIRAMAS}])"
    f"|(?<=[{_PICTURES}\ufe0f])\u200d(?=[{_PICTURES}])"
    f"|(?<=[{_PICTURES}])[\ufe0e\ufe0f]|[0-9#*]\ufe0f\u20e3"
    f"|(?<=[{_IDEOGRAPHS}])[\ufe00-\ufe02\U000e0100-\U000e01ef]"
    "|(?<=[\u1820-\u18aa])[\u180b-\u180f]"
    "|\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"
)
#: Characters that change no look: selectors, and a joiner behind a letter that joins nothing after
#: it.
_WITHOUT_LOOK = re.compile(
    "[\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]|(?<=[\u0622-\u0625\u0627\u0629\u062f-\u0632"
    "\u0648\u0671-\u0673\u0688-\u0699\u06c0\u06c3-\u06cb])[\u200c\u200d]"
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


def acting_character(text: str) -> str | None:
    """The first character of a free text (a sentence, a description, a reason) that acts on what
    stands around it: a control character other than a tab or the end of a line, or one that turns
    the direction of writing; None where there is none."""
    found = _ACTING.search(text)
    return found[0] if found else None


def without_acting(text: str) -> str:
    """A text with a space in place of each such character.

    >>> from graphzsl.common.unseen_characters import without_acting
    >>> without_acting("a \x1b[31mred\u202e dog")
    'a  [31mred  dog'
    """
    return _ACTING.sub(" ", text)


def unseen_character(text: str) -> str | None:
    """The first character that nobody sees and no script needs where it stands; None where there
    is none."""
    found = _SHAPELESS.search(_NEEDED.sub("", text))
    return found[0] if found else None


def look(text: str) -> str:
    """What people see of a text: equal for texts that they cannot tell apart by spaces, by the
    composition of their letters (NFC) or by characters without a look.

    >>> from graphzsl.common.unseen_characters import look
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

    >>> from graphzsl.common.unseen_characters import latin_look
    >>> latin_look("\u0441\u0430t"), latin_look("\u043a\u043e\u0442") == "\u043ao\u0442"
    ('cat', True)
    """
    if text.isascii():
        return text
    letters = unicodedata.normalize("NFD", text).translate(_LIKE_LATIN)
    return unicodedata.normalize("NFC", letters)

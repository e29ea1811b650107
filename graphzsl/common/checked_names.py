"""The one check of names: of classes, class sets, splits, models and runs.

A name is a text that people can tell from others by looking: not empty, without spaces around it,
without characters that nobody sees or that change the direction of writing, with a small n and
ASCII digits where it is a wnid; and no two names of a list differ in spaces, in the composition of
letters (NFC), in joiners or in selectors of variants alone.

Characters without a shape of their own make two texts of what people see as one, and are refused.
Joiners (U+200C, U+200D) and selectors of variants stay behind a character that is not ASCII, where
scripts and emoji need them, and tell no two names of a list apart. The signs of keys (U+20E3) and
of the flags of regions (England, Scotland, Wales) stay, too.

Reference: Unicode 15.0, Default_Ignorable_Code_Point, emoji-sequences.txt.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from graphzsl.common.class_entries import check_once
from graphzsl.common.errors import DataError, GraphZSLError

#: Letters of a class's name, and of the name of a set, a split, a model or a run.
LONGEST_CLASS, LONGEST = 1000, 200
#: Letters of what others chose, above all the path of an image: the most that Linux has.
_LONGEST_TEXT = 4096
_ANY_DIGITS = re.compile(r"n\d{8}")
_CAPITAL = re.compile(r"N[0-9]{8}")
#: Letters of a text that a message repeats.
_SHOWN = 80
#: Control characters, ends of lines, marks of direction, byte order marks, halves of characters.
_CONTROLS = (
    "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff"
)
_CONTROL = re.compile(f"[{_CONTROLS}]")
#: Those that free texts may not hold: all but tabs, ends of lines, and marks that turn no direction
#: but their own, as texts in Arabic and Hebrew have them.
_ACTING = re.compile(f"(?![\t\n\r\u061c\u200e\u200f\u2028\u2029\ufeff])[{_CONTROLS}]")
#: Characters without a shape: soft hyphen, fillers, spaces without width, joiners, selectors, tags,
#: the blank of Braille, controls of hieroglyphs, …
_SHAPELESS = re.compile(
    f"[{_CONTROLS}\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200d\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\uffa0\ufff0-\ufffb\U00013430-\U0001343f\U00016fe4\U0001bca0-\U0001bca3"
    "\U0001d159\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
#: Joiners, and selectors of a variant of the character before them.
_JOINING = "\u180b-\u180f\u200c\u200d\ufe00-\ufe0f\U000e0100-\U000e01ef"
#: Characters without a shape where a script may need them.
_NEEDED = re.compile(
    f"(?<=[^\x00-\x7f])[{_JOINING}]|[0-9#*]\ufe0f\u20e3"
    "|\U0001f3f4[\U000e0020-\U000e007e]+\U000e007f"
)
#: Characters that tell no two names apart.
_WITHOUT_LOOK = re.compile(f"[{_JOINING}]")


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

    >>> from graphzsl.common.checked_names import without_acting
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
    """Normalise a text to how people see it: spaces, the composition of letters (NFC),
    joiners and selectors of variants tell no texts apart.

    >>> from graphzsl.common.checked_names import look
    >>> look("Co\u0302te\u00a0d'Ivoire") == look("C\u00f4te d'Ivoire")
    True
    """
    if text.isascii():
        return " ".join(text.split()) if "  " in text else text
    return " ".join(unicodedata.normalize("NFC", _WITHOUT_LOOK.sub("", text)).split())


def shown(value: object) -> str:
    """Write a value for a message: its beginning where it is long."""
    return _cut(repr(value[: _SHOWN + 1] if isinstance(value, str | bytes) else value))


def _spelt(text: str) -> str:
    """Write a text for a message, with everything in it that is not ASCII written out."""
    return _cut(ascii(text[: _SHOWN + 1]))


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN + 8 else f"{text[:_SHOWN]} …"


def text_problem(text: object, longest: int = _LONGEST_TEXT) -> str | None:
    """End of a sentence about a name that others chose (of an image, a team or a column) and that
    is no text, empty, too long, or breaks or turns its line; None for any other."""
    if not isinstance(text, str):
        return f"is {shown(text)}, and a name is a text"
    if not text.strip():
        return "is empty"
    if found := control_character(text):
        return _holds(text, found)
    if len(text) > longest:
        return f"{shown(text)} has {len(text):,} letters; {longest:,} are the most"
    return None


def free_text_problem(text: str) -> str | None:
    """End of a sentence about a free text in which a character acts on what stands around it;
    None where none does."""
    return _holds(text, found) if (found := acting_character(text)) else None


def unusable_text(
    value: Any, at: tuple[str | int, ...] = ()
) -> tuple[str, tuple[str | int, ...]] | None:
    """End of a sentence about the first text or key of a document in which a character acts on
    what stands around it, and the keys that lead to it; None where none does. The sentence does not
    repeat the text, which may be a password."""
    if isinstance(value, str):
        found = acting_character(value)
        return (holding(found), at) if found else None
    if not isinstance(value, dict | list):
        return None
    for key, each in value.items() if isinstance(value, dict) else enumerate(value):
        within = (*at, key)
        if isinstance(key, str) and (sign := acting_character(key)):
            return holding(sign), within
        if (inner := unusable_text(each, within)) is not None:
            return inner
    return None


def name_problem(name: object, longest: int = LONGEST_CLASS) -> str | None:
    """End of a sentence about a text that is no name of a class; None where it is one.

    >>> from graphzsl.common.checked_names import name_problem
    >>> name_problem("dog"), name_problem(""), name_problem(None)
    (None, 'is empty', 'is None, and a name is a text')
    """
    if (problem := text_problem(name, longest)) or not isinstance(name, str):
        return problem
    if name != name.strip():
        return f"{shown(name)} begins or ends in a space; take it away"
    if _CAPITAL.fullmatch(name):
        return f"{shown(name)} is a wnid with a capital N; write {name.lower()}"
    if name.isascii():
        return None
    if found := unseen_character(name):
        return _holds(name, found)
    if _ANY_DIGITS.fullmatch(name):
        return f"{shown(name)} is a wnid in digits other than 0 to 9"
    return None


def _holds(text: str, sign: str) -> str:
    return f"{shown(text)} {holding(sign)}"


def holding(sign: str) -> str:
    """End of a sentence about a text that holds a character which nobody sees."""
    return f"holds the invisible character U+{ord(sign):04X}"


class Looks:
    """Names that were met, and how they look: what no reader can hold against all others at once
    goes through ``problem`` one by one."""

    def __init__(self) -> None:
        self._right: set[str] = set()
        self._of: dict[str, str] = {}

    def problem(self, name: str) -> str | None:
        """Return ``name_problem``, or that the name looks like another that was met; None again
        for what was met itself."""
        if name in self._right:
            return None
        if (problem := name_problem(name)) is not None:
            return problem
        other = self._of.setdefault(look(name), name)
        if other != name:
            return (
                f"{_spelt(name)} looks like {_spelt(other)}, and is another text. Write both in one"
                " way (Unicode NFC, single spaces, the same joiners), or take one away"
            )
        self._right.add(name)
        return None


def check_classes(names: Any, what: str = "wnids", *, argument: str | None = None) -> None:
    """DataError for what is no list of classes: another kind of thing, an entry that is no name,
    or a class that is there twice; ``what`` they are called."""
    if isinstance(names, str | bytes | dict | set | frozenset) or not isinstance(names, Sequence):
        kind = type(names).__name__
        raise DataError(f"{what} must be a list of classes, not {kind}.", argument=argument)
    check_class_names(names, what, argument=argument)
    check_once(names, what, argument)


def check_class_names(
    names: Iterable[Any], what: str = "wnids", *, argument: str | None = None
) -> None:
    """DataError for the first entry that is no name of a class, or looks like another; a class may
    be there several times."""
    check_lists_of_classes([(what, names)], argument=argument)


def check_lists_of_classes(
    lists: Iterable[tuple[str, Iterable[Any]]], *, argument: str | None = None
) -> None:
    """Check several lists, of which no class may look like one of another; an error says which
    list it is, and the place in it from 0.

    Args:
        lists: (what messages call a list, its classes).
        argument: the caller's argument that the lists came by.
    """
    held = [(what, list(names)) for what, names in lists]
    every = list(chain.from_iterable(names for _, names in held))
    if set(map(type, every)) <= {str} and _are_plain(set(every)):
        return
    looks = Looks()
    for what, names in held:
        for place, name in enumerate(names):
            if problem := looks.problem(name) if isinstance(name, str) else name_problem(name):
                raise DataError(f"{what}: entry {place} {problem}.", argument=argument)


def check_synset_names(names: Mapping[str, str], what: str) -> None:
    """DataError for the first of the names by which people know nodes (node -> dog.n.01) that is
    none; they may be there several times, and an empty one is not known."""
    texts = names.values()
    if set(map(type, texts)) <= {str} and _are_plain(set(texts) - {""}):
        return
    for node, text in names.items():
        is_unknown = isinstance(text, str) and not text
        if problem := None if is_unknown else text_problem(text, LONGEST_CLASS):
            raise DataError(f"{what}: that of {shown(node)} {problem}.")


def wrong_names(names: Collection[str]) -> dict[str, str]:
    """Text -> what is wrong with it as the name of a class, of those of which something is; of two
    that look alike it is the later."""
    if _are_plain(names):
        return {}
    looks = Looks()
    return {name: problem for name in names if (problem := looks.problem(name))}


def _are_plain(names: Collection[str]) -> bool:
    """Return True for names that are right at a glance, as nearly all are: visible ASCII, single
    spaces."""
    every = "".join(names)
    if not every.isascii() or not every.isprintable() or "  " in every:
        return False
    stripped = list(map(str.strip, names))
    return (
        all(stripped)
        and stripped == list(names)
        and max(map(len, stripped), default=0) <= LONGEST_CLASS
        and not any(map(_CAPITAL.fullmatch, names))
    )


def check_name(
    name: object,
    what: str,
    *,
    kind: type[GraphZSLError] = DataError,
    argument: str | None = None,
) -> None:
    """An error for what cannot name a set, a split, a model or a run; ``what`` it names."""
    if problem := name_problem(name, LONGEST):
        raise kind(f"The name of {what} {problem}.", argument=argument)


def check_kind(values: Any, what: str, argument: str | None = None) -> None:
    """DataError for an array of durations, dates, complex numbers or records, which numpy turns
    into numbers or texts."""
    if getattr(getattr(values, "dtype", None), "kind", "") in ("c", "m", "M", "V"):
        raise DataError(
            f"{what} are {values.dtype}, and neither names nor numbers.", argument=argument
        )


def names_of_array(values: Any, what: str) -> list[str]:
    """The names that an array, or a list of a file, holds: texts, bytes of UTF-8, and whole numbers
    as they are written.

    Raises:
        DataError: it has more than one axis, or an entry is something else.
    """
    is_one = isinstance(values, str | bytes | dict | set | frozenset)
    if is_one or getattr(values, "ndim", 1) != 1 or not hasattr(values, "__iter__"):
        raise DataError(f"{what} must be a list of classes, not {type(values).__name__}.")
    check_kind(values, what)
    listed = values.tolist() if hasattr(values, "tolist") else list(values)
    if set(map(type, listed)) == {str}:
        return list(listed)
    return [_name(value, what, place) for place, value in enumerate(listed)]


def _name(value: Any, what: str, place: int) -> str:
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            raise DataError(f"{what}: entry {place} is not UTF-8 text.") from None
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    raise DataError(f"{what}: entry {place} is {shown(value)}, and a class is a text.")


def named_twice(names: Iterable[str]) -> str | None:
    """The name that is there most often, of several the first; None where each is there once.

    >>> named_twice(["a", "b", "b"])
    'b'
    """
    most = Counter(names).most_common(1)
    return most[0][0] if most and most[0][1] > 1 else None

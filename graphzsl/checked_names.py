"""The one check of names: of classes, class sets, splits, models and runs.

A name is a text that people can tell from others by looking: not empty, without control characters
and characters that change the direction of writing, and with ASCII digits where it is a wnid.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from graphzsl.class_entries import check_once
from graphzsl.errors import DataError, GraphZSLError

#: Letters of a class's name, and of the name of a set, a split, a model or a run.
LONGEST_CLASS, LONGEST = 1000, 200
#: Control characters, ends of lines, marks of direction, and halves of characters.
_INVISIBLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)
_ANY_DIGITS = re.compile(r"n\d{8}")
#: Letters of a text that a message repeats.
_SHOWN = 80


def shown(value: object) -> str:
    """A value for a message: its beginning where it is long."""
    text = repr(value[: _SHOWN + 1] if isinstance(value, str | bytes) else value)
    return text if len(text) <= _SHOWN + 8 else f"{text[:_SHOWN]} …"


def name_problem(name: object, longest: int = LONGEST_CLASS) -> str | None:
    """What is wrong with a name, as the end of a sentence about it; None where it is one.

    >>> from graphzsl.checked_names import name_problem
    >>> name_problem("dog"), name_problem(""), name_problem(None)
    (None, 'is empty', 'is None, and a name is a text')
    """
    if not isinstance(name, str):
        return f"is {shown(name)}, and a name is a text"
    if not name.strip():
        return "is empty"
    if found := _INVISIBLE.search(name):
        return f"{shown(name)} holds the invisible character U+{ord(found[0]):04X}"
    if len(name) > longest:
        return f"{shown(name)} has {len(name):,} letters; {longest:,} are the most"
    if not name.isascii() and _ANY_DIGITS.fullmatch(name):
        return f"{shown(name)} is a wnid in digits other than 0 to 9"
    return None


def check_classes(
    names: Any, what: str = "wnids", *, once: bool = True, argument: str | None = None
) -> None:
    """DataError for what is no list of classes: another kind of thing, an entry that is no name,
    or (with ``once``) a class that is there twice; ``what`` they are called."""
    if isinstance(names, str | bytes | dict | set | frozenset) or not isinstance(names, Sequence):
        kind = type(names).__name__
        raise DataError(f"{what} must be a list of classes, not {kind}.", argument=argument)
    check_class_names(names, what, argument=argument)
    if once:
        check_once(names, what, argument)


def check_class_names(
    names: Iterable[Any], what: str = "wnids", *, argument: str | None = None
) -> None:
    """DataError for the first entry that is no name of a class."""
    listed = list(names)
    if set(map(type, listed)) <= {str} and not wrong_names(set(listed)):
        return
    for place, name in enumerate(listed):
        if problem := name_problem(name):
            raise DataError(f"{what}: entry {place} {problem}.", argument=argument)


def wrong_names(names: Collection[str]) -> dict[str, str]:
    """Text -> what is wrong with it as the name of a class, of those of which something is."""
    every = "".join(names)
    plain = every.isascii() and not _INVISIBLE.search(every)
    if plain and all(map(str.strip, names)) and max(map(len, names), default=0) <= LONGEST_CLASS:
        return {}
    return {name: problem for name in names if (problem := name_problem(name))}


def check_name(
    name: object,
    what: str,
    *,
    kind: type[GraphZSLError] = DataError,
    argument: str | None = None,
) -> None:
    """An error for what cannot name a set, a split, a model or a run: what is no name, and one
    that begins or ends in a space, which nobody sees; ``what`` it names."""
    problem = name_problem(name, LONGEST)
    if problem is None and isinstance(name, str) and name != name.strip():
        problem = f"{shown(name)} begins or ends in a space"
    if problem:
        raise kind(f"The name of {what} {problem}.", argument=argument)


def names_of_array(values: Any, what: str) -> list[str]:
    """The names that an array, or a list of a file, holds: texts, bytes of UTF-8, and whole numbers
    as they are written.

    Raises:
        DataError: it has more than one axis, or an entry is something else.
    """
    is_one = isinstance(values, str | bytes | dict | set | frozenset)
    if is_one or getattr(values, "ndim", 1) != 1 or not hasattr(values, "__iter__"):
        raise DataError(f"{what} must be a list of classes, not {type(values).__name__}.")
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

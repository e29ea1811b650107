"""Entries of a file of classes, and texts that can only be classes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from graphzsl.common.checked_names import shown

#: Way out for a file that is no list.
SAVE = "Save the list as text, one class per line, or as JSON"
#: A wnid's place for a name without a synset.
NO_SYNSET = "none"
#: A name of a synset.
SYNSET = re.compile(r"[^\s,;]+\.n\.[0-9]{1,3}\Z")
#: A wnid as listings of folders and archives have it, and in a capital letter.
_LISTED = re.compile(r"(?:\./)?[nN]([0-9]{8})(?:/|\.tar(?:\.gz)?|\.tgz|\.zip)?\Z")
#: A text that was to be a wnid.
LIKE_WNID = re.compile(r"[nN][0-9]{5,}\Z")


@dataclass(frozen=True)
class Listed:
    """One entry of a list: a name, a wnid, or both. ``place`` is where it stands: ``line 3``,
    ``entry 3``, or the key of a dictionary."""

    place: str
    wnid: str | None
    name: str | None


@dataclass(frozen=True, eq=False)
class ClassFile:
    """The entries of a file of classes in its order.

    Args:
        path: the file.
        entries: wnids, names, or both of each class.
        ordered: False where places mean nothing: of name -> descriptions.
        class_set: the set that the file says it names, where it says one.
        blank: the empty lines between others.
        wrong: place from 0 -> what is wrong with an entry.
        notes: what was taken for what.
        without: names that have no synset: their wnid is written as ``NO_SYNSET``.
    """

    path: Path
    entries: list[Listed]
    ordered: bool = True
    class_set: str | None = None
    blank: Sequence[int] = ()
    wrong: dict[int, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    without: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.path.name}: {len(self.entries):,} entries>"

    @property
    def has_wnids(self) -> bool:
        """True if the list gives the wnid of each name."""
        return self.entries[0].wnid is not None


def where(path: Path | str, place: str) -> str:
    """A place of a file, for the beginning of a message."""
    line = place.removeprefix("line ")
    return f"{path}:{line}" if line != place else f"{path}: {place}"


def as_wnid(text: str) -> str | None:
    """The wnid that a text is, as it is or as a listing of folders or archives has it
    (``./n02084071``, ``n02084071/``, ``n02084071.tar``, ``N02084071``); None for another text."""
    found = _LISTED.match(text)
    return f"n{found[1]}" if found else None


def class_of_text(text: str) -> str:
    """A class that is given by itself: without spaces around it, a wnid in small letters."""
    text = text.strip()
    return as_wnid(text) or text


def is_class(token: str) -> bool:
    """True if a token can only be a class: a wnid, a text that was to be one, a synset's name."""
    return bool(as_wnid(token) or LIKE_WNID.match(token) or SYNSET.match(token))


def called(value: object) -> str:
    """Description of a value that is no text, as its file spells it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f'the number {value}. Where that is the name, write it as a text, "{value}"'
    return repr(str(value)[:60])


def some(keys: Iterable[str]) -> str:
    """The first of some keys, for a message."""
    known = list(keys)
    return ", ".join(map(shown, known[:8])) + (" …" if len(known) > 8 else "")

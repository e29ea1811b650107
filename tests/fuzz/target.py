"""What one target of the fuzz suite is: valid files, their reader, and what must hold for what it
accepts."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.fuzz.damage import change_of
from tests.fuzz.damage.raw import Change

#: Categories of characters that nobody sees: controls, halves of characters, ends of lines.
_UNSEEN = ("Cc", "Cs", "Zl", "Zp")
#: Soft hyphen, zero-width space, word joiner, byte order mark.
_ZERO_WIDTH = {"\u00ad", "\u200b", "\u2060", "\ufeff"}
#: Classes of characters that change the direction of writing.
_TURNING = ("LRE", "RLE", "PDF", "LRO", "RLO", "LRI", "RLI", "FSI", "PDI")


class Nonsense(Exception):
    """A reader accepted what makes no sense."""


def must(holds: object, what: str) -> None:
    """Nonsense where it does not hold."""
    if not holds:
        raise Nonsense(what)


@dataclass(frozen=True, eq=False)
class Target:
    """A reader and its files.

    Args:
        name: of the format.
        make: writes valid files into a folder.
        read: reads them.
        check: Nonsense for what should not have been accepted.
        weight: how often it is chosen.
        changes: file -> how it is damaged; default: by suffix.
        fix: makes the folder whole after a file was damaged: its checksums.
    """

    name: str
    make: Callable[[Path], None]
    read: Callable[[Path], Any]
    check: Callable[[Any], None] = lambda value: None
    weight: float = 1.0
    changes: dict[str, Change] = field(default_factory=dict)
    fix: Callable[[Path], None] | None = None

    def change(self, path: Path) -> Change:
        """Find how one of its files is damaged."""
        return self.changes.get(path.name, change_of(path))


def names(values: Iterable[Any], what: str, once: bool = True) -> None:
    """Texts that can be told apart by looking."""
    listed = list(values)
    must(all(isinstance(each, str) and each.strip() for each in listed), f"{what}: no text")
    letters = set("".join(set(listed)))
    must(not any(unicodedata.category(each) in _UNSEEN for each in letters), f"{what}: invisible")
    must(
        not any(unicodedata.bidirectional(each) in _TURNING for each in letters), f"{what}: turned"
    )
    must(all(each == each.strip() for each in listed), f"{what}: spaces around")
    must(not letters & _ZERO_WIDTH, f"{what}: no width")
    composed = {unicodedata.normalize("NFC", each) for each in listed}
    must(len(composed) == len(set(listed)), f"{what}: look alike")
    must(not once or len(set(listed)) == len(listed), f"{what}: there twice")

"""Numbers as texts have them: in ASCII digits, and no longer than a number is.

Python's ``int`` and ``float`` also read ``1_0`` and the digits of every script, which other
programs refuse, and megabytes of digits.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

#: Letters of a number. The longest float that is written out has 1,077.
LONGEST = 1100
#: A number in digits. Every part keeps what it has matched: a cell of a megabyte is read once.
DECIMAL = re.compile(r"[+-]?+(?:[0-9]++(?:\.[0-9]*+)?+|\.[0-9]++)(?:[eE][+-]?+[0-9]++)?+")
#: One that is not whole.
FRACTION = re.compile(r"[+-]?+(?:[0-9]*+\.0*+[1-9][0-9]*+|[0-9]++(?:\.[0-9]*+)?+[eE]-[0-9]++)")
_WHOLE = re.compile(r"[+-]?+[0-9]++")


def whole(text: str) -> int | None:
    """Whole number that a text spells, with or without a sign; None if it spells none.

    >>> whole("+12"), whole("1_0"), whole("1.0")
    (12, None, None)
    """
    return int(text) if len(text) <= LONGEST and _WHOLE.fullmatch(text) else None


def unsigned(text: str) -> int | None:
    """Whole number that a text of digits alone spells, as counts and positions are written; None if
    it spells none.

    >>> unsigned("12"), unsigned("+12"), unsigned("٣")
    (12, None, None)
    """
    return whole(text) if text[:1].isalnum() else None


def decimal(text: str) -> float | None:
    """Number that a text spells, also ``nan`` and ``inf``, with white space around it or not; None
    if it spells none.

    >>> decimal("1e3"), decimal(".5"), decimal("1_0"), decimal("x")
    (1000.0, 0.5, None, None)
    """
    if not is_plain(text):
        return None
    try:
        return float(text)
    except ValueError:
        return None


def number_of(cell: Any) -> float | None:
    """Number in a cell of a table; texts are read by ``decimal``. None if the cell holds none;
    bytes hold none, although ``float`` reads them.

    >>> number_of(1), number_of("1e3"), number_of(b"1"), number_of("1_0"), number_of([])
    (1.0, 1000.0, None, None, None)
    """
    if isinstance(cell, str):
        return decimal(cell)
    try:
        return None if isinstance(cell, bytes) else float(cell)
    except (TypeError, ValueError, OverflowError):
        return None


def is_plain(text: str) -> bool:
    """True if a text has nothing that ``float`` reads and ``decimal`` does not: it is ASCII, has no
    underscore, and is not too long."""
    return text.isascii() and "_" not in text and len(text) <= LONGEST


def are_ascii(cells: Sequence[str]) -> bool:
    """True if ``is_plain`` holds for all texts."""
    joined = "".join(cells)
    return joined.isascii() and "_" not in joined and max(map(len, cells), default=0) <= LONGEST

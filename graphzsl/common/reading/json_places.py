"""Places of values in the text of a JSON document."""

from __future__ import annotations

import json
import re
from pathlib import Path

_SPACE = re.compile(r"[ \t\n\r]*")


def line_of_value(path: Path, *keys: str | int) -> int:
    """The line of a JSON file, from 1, on which a value begins; where it is not there, that of
    what is around it.

    Args:
        path: a file of valid JSON.
        keys: keys of objects and places (from 0) in lists, from the outside to the value.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeError:  # UTF-16, which the reader of texts knows
        return 1
    return text.count("\n", 0, _start(text, keys)) + 1


def _start(text: str, keys: tuple[str | int, ...]) -> int:
    at = _after_space(text, 0)
    for key in keys:
        found = _member(text, at, key)
        if found is None:
            return at
        at = found
    return at


def _member(text: str, at: int, key: str | int) -> int | None:
    """Place where the member of an object or list begins that opens at a place."""
    is_object, decode = text[at] == "{", json.JSONDecoder().raw_decode
    if isinstance(key, str) is not is_object or text[at] not in "{[":
        return None
    at, place = _after_space(text, at + 1), 0
    while text[at] not in "}]":
        name: str | int = place
        if is_object:
            name, at = decode(text, at)
            at = _after_space(text, _after_space(text, at) + 1)
        if name == key:
            return at
        at = _after_space(text, decode(text, at)[1])
        at, place = _after_space(text, at + (text[at] == ",")), place + 1
    return None


def _after_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at

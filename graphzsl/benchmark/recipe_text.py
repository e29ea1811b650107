"""The text of a recipe: where a key of a TOML document stands, and a document as text again."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

#: A key that needs no quotation marks.
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def line_of_key(text: str, *path: str | int) -> int:
    """The line, from 1, on which the value of a key begins; 1 where there is no such key.

    Args:
        text: a TOML document.
        path: a key, the keys of the tables around it before it, and places (from 0) in lists of
            tables.

    >>> line_of_key('name = "mine"\\n\\n[card]\\n# who\\n"creator" = "me"\\n', "card", "creator")
    5
    """
    lines, first = text.splitlines(), 0
    # a statement ends with the first line up to which the document is whole
    for end in range(1, len(lines) + 1):
        try:
            given = tomllib.loads("\n".join(lines[:end]))
        except tomllib.TOMLDecodeError:
            continue
        if _holds(given, path):
            own = (at for at in range(first, end) if not _is_blank(lines[at]))
            return next(own, first) + 1
        first = end
    return 1


def line_of_entry(text: str, entry: str, first: int = 1) -> int:
    """The line of an entry of a list that begins at the line ``first``: the next one that holds
    it outside a comment, and else the first."""
    spelled = (entry, json.dumps(entry, ensure_ascii=False)[1:-1])
    for number, line in enumerate(text.splitlines()[first - 1 :], first):
        if not _is_blank(line) and any(each in line for each in spelled):
            return number
    return first


def toml_text(document: Mapping[str, Any]) -> str:
    """A document of texts, numbers, truth values, dates, lists, tables and lists of tables as
    TOML; tables come last, all else stays in its order. Comments are no part of a document."""
    parts = [_pairs({key: value for key, value in document.items() if not _is_table(value)})]
    for key, value in document.items():
        if isinstance(value, Mapping):
            parts.append(f"[{_key(key)}]\n{_pairs(value)}")
        elif _is_table(value):
            parts += [f"[[{_key(key)}]]\n{_pairs(each)}" for each in value]
    return "\n".join(part for part in parts if part)


def _holds(given: Any, path: Sequence[str | int]) -> bool:
    for key in path:
        if isinstance(key, int):
            if not isinstance(given, list) or len(given) <= key:
                return False
        elif not isinstance(given, dict) or key not in given:
            return False
        given = given[key]
    return True


def _is_blank(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")


def _is_table(value: Any) -> bool:
    listed = isinstance(value, list | tuple) and len(value) > 0
    return isinstance(value, Mapping) or (
        listed and all(isinstance(each, Mapping) for each in value)
    )


def _pairs(table: Mapping[str, Any]) -> str:
    return "".join(f"{_key(key)} = {_value(value)}\n" for key, value in table.items())


def _key(key: str) -> str:
    return key if _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, Mapping):
        inside = ", ".join(f"{_key(key)} = {_value(each)}" for key, each in value.items())
        return f"{{{inside}}}"
    if isinstance(value, list | tuple):
        if len(value) < 2:
            return f"[{''.join(map(_value, value))}]"
        return "[\n" + "".join(f"  {_value(each)},\n" for each in value) + "]"
    return repr(value)


def _text(text: str) -> str:
    # the escapes of JSON are those of TOML, which also wants one for the delete character
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")

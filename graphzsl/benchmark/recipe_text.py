"""A recipe as text again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from datetime import date
from typing import Any

#: A key that needs no quotation marks.
_BARE = re.compile(r"[A-Za-z0-9_-]+")


def toml_text(document: Mapping[str, Any]) -> str:
    """A document of texts, numbers, truth values, dates, lists, tables and lists of tables as
    TOML; tables come last, all else stays in its order. Comments are no part of a document."""
    plain, tables = {}, []
    for key, value in document.items():
        is_list = isinstance(value, list | tuple) and len(value) > 0
        if isinstance(value, Mapping):
            tables.append(f"[{_key(key)}]\n{_pairs(value)}")
        elif is_list and all(isinstance(each, Mapping) for each in value):
            tables += [f"[[{_key(key)}]]\n{_pairs(each)}" for each in value]
        else:
            plain[key] = value
    return "\n".join(part for part in (_pairs(plain), *tables) if part)


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

"""The schemas of what graphzsl writes as JSON, and the check of a document against one.

The files in ``schemas/`` are JSON Schema (2020-12) of a few words: type, const, enum, required,
properties, additionalProperties, items, minItems, maxItems, minimum, maximum, minLength, pattern
and $ref to $defs. Whoever has a validator of JSON Schema gets the same answers.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import shown, unusable_text
from graphzsl.common.errors import DataError
from graphzsl.common.reading.json_places import line_of_value

#: The version of every schema; a document without one is of version 1.
VERSION = 1
VERSION_KEY = "schema_version"
_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "object": (lambda value: isinstance(value, dict), "an object"),
    "array": (lambda value: isinstance(value, list), "a list"),
    "string": (lambda value: isinstance(value, str), "a text"),
    "boolean": (lambda value: isinstance(value, bool), "true or false"),
    "null": (lambda value: value is None, "null"),
    "integer": (lambda value: type(value) is int, "a whole number"),
    "number": (lambda value: type(value) in (int, float) and math.isfinite(value), "a number"),
}


#: Keys of objects and places in lists that lead to a value.
Keys = tuple[str | int, ...]
#: Where, and what is wrong there: ``is missing``.
Problem = tuple[Keys, str]


@cache
def schema_of(kind: str) -> dict[str, Any]:
    """The schema of a kind of document, which is what its key ``kind`` says."""
    name = f"{kind.replace(' ', '-')}.schema.json"
    text = (files("graphzsl") / "schemas" / name).read_text(encoding="utf-8")
    found: dict[str, Any] = json.loads(text)
    return found


def check_document(document: Any, kind: str, path: Path, noun: str, remedy: str) -> dict[str, Any]:
    """The document, when it is one of its kind.

    Args:
        document: what a JSON file holds.
        kind: what it must be.
        path: the file.
        noun: what messages call it: ``run``.
        remedy: what to do with another one, a sentence.

    Raises:
        DataError: names the file, and the place of what is missing, of another kind, or a text
            with what no free text may hold; or it was written by a newer version of graphzsl.
    """
    if not isinstance(document, dict):
        raise DataError(f"{path}: an object was expected. {remedy}")
    version = document.get(VERSION_KEY, 1)
    if type(version) is int and version > VERSION:
        raise DataError(
            f"{path} was written by a newer version of graphzsl ({shown(document.get('graphzsl'))},"
            f" format {shown(version)}; this one reads format {VERSION}). Install that version, or"
            " write the file with this one."
        )
    found = problem(document, schema_of(kind))
    if found is None and (unusable := unusable_text(document)):
        found = unusable[::-1]
    if found:
        keys, what = found
        line = f":{line_of_value(path, *keys)}" if path.suffix == ".json" else ""
        at = shown("/".join(map(str, keys)))
        raise DataError(f"{path}{line}: {at} {what} in this {noun}. {remedy}")
    return document


def problem(value: Any, schema: dict[str, Any]) -> Problem | None:
    """First problem of a document that its schema does not allow; None if it is valid."""
    return next(_problems(value, schema, schema.get("$defs", {}), ()), None)


def _problems(
    value: Any, schema: dict[str, Any], parts: dict[str, Any], at: Keys
) -> Iterator[Problem]:
    if "$ref" in schema:
        schema = parts[schema["$ref"].rpartition("/")[2]]
    if wrong := _wrong_kind(value, schema) or _wrong_value(value, schema):
        yield at, f"is {shown(value)}, not {wrong}"
    elif isinstance(value, dict):
        for name in schema.get("required", ()):
            if name not in value:
                yield (*at, name), "is missing"
        known, others = schema.get("properties", {}), schema.get("additionalProperties", {})
        for name, each in value.items():
            yield from _problems(each, known.get(name, others), parts, (*at, name))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from _problems(each, schema.get("items", {}), parts, (*at, place))


def _wrong_kind(value: Any, schema: dict[str, Any]) -> str | None:
    """Expected kind of a value; None if the value is of that kind."""
    wanted = schema.get("type", [])
    kinds = [wanted] if isinstance(wanted, str) else wanted
    if kinds and not any(_KINDS[each][0](value) for each in kinds):
        return _KINDS[kinds[0]][1]
    return None


def _wrong_value(value: Any, schema: dict[str, Any]) -> str | None:
    """Expected value, in words; None if a value of the right kind is allowed."""
    if "const" in schema and value != schema["const"]:
        return repr(schema["const"])
    if "enum" in schema and value not in schema["enum"]:
        return f"one of {', '.join(schema['enum'])}"
    if type(value) in (int, float) and value < schema.get("minimum", value):
        return f"at least {schema['minimum']}"
    if type(value) in (int, float) and value > schema.get("maximum", value):
        return f"at most {schema['maximum']}"
    if isinstance(value, str) and len(value) < schema.get("minLength", 0):
        return "a text of a letter or more"
    if isinstance(value, str) and not re.search(schema.get("pattern", ""), value):
        return "a SHA-256 of 64 hexadecimal digits"
    if isinstance(value, list):
        least, most = schema.get("minItems", 0), schema.get("maxItems", len(value))
        if not least <= len(value) <= most:
            return f"a list of {least if least == most else f'{least} or more'}"
    return None

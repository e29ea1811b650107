"""JSON: one document, of a text that is valid, not too deep, and says everything once."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import MOST_DIGITS, check_depth, too_deep

_MANY_DIGITS = re.compile(rf"(?<!\d)\d{{{MOST_DIGITS}}}")
#: Python reads 1e400 as infinity, which JSON does not have.
_LARGE_EXPONENT = re.compile(r"\d[eE]\+?\d{3}")
_TENTH_OF_MANY = re.compile(rf"\d{{{MOST_DIGITS // 10}}}")
_SURROGATE = re.compile(r"\\u[dD][89a-fA-F]")
#: An escape in a text; two of them may be a character of more than 16 bits.
_ESCAPE = re.compile(
    r"\\(?:u[dD][89abAB]..\\u[dD][c-fC-F]..|(?P<half>u[dD][89a-fA-F]..)|.)", re.DOTALL
)


def parsed_json(
    text: str, source: str, *, constants: bool = False, in_64_bits: bool = False
) -> Any:
    """The document of a JSON text.

    Args:
        text: the text.
        source: what messages begin with.
        constants: whether NaN and Infinity, which Python writes and JSON does not have, are read.
        in_64_bits: whether whole numbers must fit 64 bits, as those of a database do.

    Raises:
        DataError: it is not valid JSON, an object has a key twice, lists or objects are more than
            ``bounds.DEEPEST`` deep in each other, a number has thousands of digits or is too
            large, or an escape is half a character.
    """
    hooks: dict[str, Any] = {"object_pairs_hook": unique_keys(source)}
    if not constants:
        hooks["parse_constant"] = _refuse_constant(source)
    many = has_many_digits(text)
    if in_64_bits or many:
        hooks["parse_int"] = _short_number(source, in_64_bits)
    if many or _LARGE_EXPONENT.search(text):
        hooks["parse_float"] = _finite(source)
    try:
        found = json.loads(text, **hooks)
    except ValueError as error:
        raise DataError(f"{source}: not valid JSON: {error}.") from error
    except RecursionError:
        raise too_deep(source) from None
    check_depth(found, source)
    _check_whole_characters(text, source)
    return found


def _check_whole_characters(text: str, source: str) -> None:
    """DataError for half a character, which Python reads from an escape and no file can hold."""
    if not _SURROGATE.search(text):
        return
    half = next((each for each in _ESCAPE.finditer(text) if each["half"]), None)
    if half is not None:
        line = text.count("\n", 0, half.start()) + 1
        raise DataError(
            f"{source}: {half[0]} on line {line} is half a character. Write the whole one, or leave"
            " it out."
        )


def has_many_digits(text: str) -> bool:
    """True if a number has ``MOST_DIGITS`` digits; every tenth character is searched first."""
    return bool(_TENTH_OF_MANY.search(text[::10]) and _MANY_DIGITS.search(text))


def unique_keys(source: str) -> Callable[[list[tuple[str, Any]]], dict[str, Any]]:
    """An ``object_pairs_hook`` of json that refuses a key that an object has twice, of which json
    alone keeps the last."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = Counter(keys).most_common(1)[0][0]
            raise DataError(
                f"{source}: an object has the key {twice[:80]!r} twice, and readers of JSON keep"
                " one of the two. Remove one, or put both values under one key."
            )
        return found

    return unique


def _refuse_constant(source: str) -> Callable[[str], Any]:
    def refuse(constant: str) -> Any:
        raise DataError(
            f"{source}: {constant} is no number of JSON. Write null where there is none."
        )

    return refuse


def _finite(source: str) -> Callable[[str], float]:
    def number(text: str) -> float:
        found = float(text)
        if math.isinf(found):
            raise DataError(f"{source}: {text[:80]} is larger than a number can be.")
        return found

    return number


def _short_number(source: str, in_64_bits: bool) -> Callable[[str], int]:
    def number(digits: str) -> int:
        if len(digits) > MOST_DIGITS:
            raise DataError(f"{source}: a number of {len(digits):,} digits; the file is damaged.")
        found = int(digits)
        if in_64_bits and not -(1 << 63) <= found < 1 << 63:
            raise DataError(f"{source}: {digits} does not fit 64 bits.")
        return found

    return number

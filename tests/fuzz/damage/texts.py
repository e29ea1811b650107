"""Damage of texts: the values of JSON and TOML, lines and cells."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from typing import Any

from tests.fuzz.damage.raw import TOKENS, Random, bytes_
from tests.fuzz.repeated import many, unknown_keys, unknown_lines

#: Values that a reader may not expect in the place of another.
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 1.5, 1e308, -1e308, 10**12, 2**63, -(2**63) - 1, 10**40),
    *("", " ", "x", "NaN", "-1", "1_000", "²", "n٠٠٠٠١٠٠٠", "n02084071", "../../x", "/etc/passwd"),
    *(
        "a\nb",
        "a\0b",
        "\u202eabc",
        "x" * 5000,
        "9" * 5000,
        "$\\frac{$",
        "<script>",
        "{{7*7}}",
        "\ud800",
        "é",
    ),
    "9" * 5000,
    *([], {}, [[]], [None], ["x", "x"], [1, 2], {"": None}, {"x": {"x": []}}, [[[[[[[]]]]]]]),
)


def places(tree: Any) -> list[tuple[Any, Any]]:
    """(container, key) of every value in a tree."""
    found, waiting = [], [tree]
    while waiting and len(found) < 5000:
        each = waiting.pop()
        keys = list(each) if isinstance(each, dict) else range(len(each))
        for key in keys:
            found.append((each, key))
            if isinstance(each[key], dict | list):
                waiting.append(each[key])
    return found


def tree(document: Any, rng: Random) -> Any:
    """One to three changes of values, keys and places in a tree."""
    if not isinstance(document, dict | list) or rng.random() < 0.02:
        return _value(rng)
    for _ in range(rng.choice((1, 1, 2, 3))):
        found = places(document)
        if not found:
            return _value(rng)
        holder, key = rng.choice(found)
        kind = rng.randrange(6)
        if kind == 0:
            del holder[key]
        elif kind == 1:
            other, there = rng.choice(found)
            if (isinstance(other, dict) and there in other) or (
                isinstance(other, list) and there < len(other)
            ):
                # a copy, as a tree has no loops
                holder[key] = deepcopy(other[there])
        elif kind == 2 and isinstance(holder, dict):
            holder[str(rng.choice(VALUES))] = holder.pop(key)
        elif kind == 3 and isinstance(holder, list):
            holder.insert(rng.randrange(len(holder) + 1), deepcopy(holder[key]))
        else:
            holder[key] = _value(rng)
    return document


def _value(rng: Random) -> Any:
    """One of ``VALUES``; a copy, which the next change may change."""
    return deepcopy(rng.choice(VALUES))


def _dumped(document: Any, rng: Random) -> bytes:
    if rng.random() < 0.02 and isinstance(document, dict | list):
        unknown_keys([each for each, _ in places(document)], _value(rng), rng)
    text = json.dumps(document, ensure_ascii=rng.random() < 0.5)
    if rng.random() < 0.03:
        depth = rng.choice((90, 110, 2000, 100_000))
        text = "[" * depth + text + "]" * depth
    return text.encode("utf-8", "surrogatepass")


def json_(data: bytes, rng: Random) -> bytes:
    """A JSON document with other values."""
    if rng.random() < 0.3:
        return bytes_(data, rng)
    try:
        return _dumped(tree(json.loads(data), rng), rng)
    except (ValueError, RecursionError):
        return bytes_(data, rng)


def json_lines(data: bytes, rng: Random) -> bytes:
    """JSON lines with other values in some."""
    lines = data.split(b"\n")
    at = rng.randrange(len(lines))
    lines[at] = json_(lines[at], rng)
    return lines_(b"\n".join(lines), rng) if rng.random() < 0.3 else b"\n".join(lines)


def lines_(data: bytes, rng: Random) -> bytes:
    """Lines away, again, in another order, or cells of a table with other values."""
    lines = data.split(b"\n")
    for _ in range(rng.choice((1, 1, 2, 3))):
        at, other = rng.randrange(len(lines)), rng.randrange(len(lines))
        kind = rng.randrange(5)
        if kind == 0 and len(lines) > 1:
            del lines[at]
        elif kind == 1:
            lines.insert(other, lines[at])
        elif kind == 2:
            lines[at], lines[other] = lines[other], lines[at]
        else:
            mark = next(
                (each for each in (b"\t", b",", b";", b" = ", b" ") if each in lines[at]), b","
            )
            cells = lines[at].split(mark)
            text = str(rng.choice(VALUES)).encode("utf-8", "surrogatepass")
            cells[rng.randrange(len(cells))] = rng.choice((text, b"", rng.choice(TOKENS)))
            if rng.random() < 0.05:
                cells[rng.randrange(len(cells))] = many(b"", rng)
            lines[at] = mark.join(cells)
    return b"\n".join(lines)


def text(data: bytes, rng: Random) -> bytes:
    """Lines of a text, or its bytes."""
    return lines_(data, rng) if rng.random() < 0.6 else bytes_(data, rng)


def toml(data: bytes, rng: Random) -> bytes:
    """A value of a TOML document as another one."""
    if rng.random() < 0.04:
        return unknown_lines(data, rng)
    found = list(re.finditer(rb"(?m)^[^\n=#\[]+= *([^\n]*)$", data))
    if not found or rng.random() < 0.4:
        return text(data, rng)
    chosen = rng.choice(found)
    value = rng.choice(VALUES)
    written = (
        {None: "nan", True: "true", False: "false"}.get(value)
        if not isinstance(value, dict | list)
        else None
    )
    said = written or (
        "{ " + ", ".join(f'"{key}" = 1' for key in value) + " }"
        if isinstance(value, dict)
        else json.dumps(value).replace("null", "1")
    )
    said = rng.choice((said, "inf", "1979-05-27", "[1, 'x']", "{ a = 1 }", "[" * 500, "0x10"))
    return data[: chosen.start(1)] + said.encode() + data[chosen.end(1) :]

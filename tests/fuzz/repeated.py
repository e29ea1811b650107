"""Damage by repetition: small things so often that what is not linear does not come to an end."""

from __future__ import annotations

import random
from typing import Any

Random = random.Random

#: What is written again and again: where each is looked for up to the end, the time grows with the
#: square of it.
REPEATED = (
    *(
        b'"',
        b"'",
        b'\\"',
        b"\\'",
        b'"\\',
        b"'\\",
        b"\\",
        b"9",
        b"1.",
        b"0",
        b" ",
        b"\t",
        b"\n",
        b",",
    ),
    *(
        b"x",
        b"-",
        b"[",
        b"(",
        b"{",
        b"]",
        b"[]",
        b"{}",
        b"[[",
        b"{{",
        b"{|",
        b"<a",
        b"<a ",
        b"<!--",
    ),
    *(b"<!--", b"&lt;math ", b"&amp;lt;ref ", b"&lt;!--", b"&#60;", b"&amp;", b"[http://a ", b"a="),
    *(b'"""', b"#", b"a.", b"(1,", b'{"a":', b"n02084071 ", "\u00e9".encode(), b"_", b"|-", b"://"),
)
_TIMES = (1000, 20_000, 200_000)


def many(data: bytes, rng: Random) -> bytes:
    """One token very often, with an end of its own or without, in the place of a few bytes."""
    start = rng.randrange(len(data) + 1)
    end = start + rng.randrange(8)
    block = rng.choice(REPEATED) * rng.choice(_TIMES) + rng.choice((b"", b"x", b'"', b"]"))
    return data[:start] + block + data[rng.choice((start, end)) :]


def unknown_keys(holders: list[Any], value: Any, rng: Random) -> None:
    """Thousands of keys more for one of some lists and objects."""
    found = [holder for holder in holders if isinstance(holder, dict)]
    if found:
        keys = range(rng.choice((1000, 20_000)))
        rng.choice(found).update((f"k{number}", value) for number in keys)


def unknown_lines(data: bytes, rng: Random) -> bytes:
    """Thousands of keys more for a TOML document."""
    width, count = rng.choice((1, 100)), rng.choice((1000, 1990, 20_000))
    more = "".join(f'k{number} = "{"x" * width}"\n' for number in range(count)).encode()
    at = data.find(b"\n", rng.randrange(len(data) + 1)) + 1
    return data[:at] + more + data[at:]


def nested_pickle(data: bytes, rng: Random) -> bytes:
    """A pickle with values in each other: 2^60 steps for whoever follows them."""
    start, step = rng.choice(
        ((b"K\x01\x85q\x00", b"0h%ch%c\x86q%c"), (b"]q\x00", b"0](h%ch%ceq%c"))
    )
    value = start + b"".join(step % (at, at, at + 1) for at in range(60))
    ordered, made = b"ccollections\nOrderedDict\n", b"cbuiltins\nset\n"
    inside = rng.choice(
        (
            b"}" + value + b"K\x02s",
            ordered + b")R" + value + b"K\x02s",
            ordered + b"]" + value + b"K\x02\x86a\x85R",
            ordered + b")R]" + value + b"K\x02\x86ab",
            made + b"]" + value + b"a\x85R",
            b"(X\x07\x00\x00\x00storage" + value + b"h\x00K\x02K\x01tQ",
            value + value + b"\x93",
            b"}X\x01\x00\x00\x00a" + value + b"s",
            value,
        )
    )
    # in the place of the pickle, or as a key or a value of it, which is a dictionary at most times
    if rng.random() < 0.5 or not data.endswith(b"."):
        return b"\x80\x02" + inside + b"."
    if rng.random() < 0.5:
        return data[:-1] + inside + b"K\x02s."
    return data[:-1] + b"X\x01\x00\x00\x00b" + inside + b"s."

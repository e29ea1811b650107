"""Damage of the bytes of a file, whatever its format is."""

from __future__ import annotations

import random
import re
import struct
from collections.abc import Callable

from tests.fuzz.repeated import many

Random = random.Random
Change = Callable[[bytes, Random], bytes]

#: Larger files than this are cut: a case is about what they say, not about their size.
LARGEST = 4 << 20
_NUMBERS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
_LARGE = (*_NUMBERS, 1 << 40, (1 << 63) - 1, (1 << 64) - 1, 10**6, 10**9)
#: Bytes that mean something in some format.
TOKENS = (
    *(b"\0", b"\xff", b"\n", b"\r\n", b",", b";", b"\t", b'"', b"'", b"[", b"]", b"{", b"}", b":"),
    *(b"nan", b"inf", b"-inf", b"1e999", b"-1", b"99999999999999999999", b"\xef\xbb\xbf", b"#"),
    *(b"n02084071", b"null", b"true", b"1_0", "²".encode(), "\u202e".encode(), b"<", b">", b"&x;"),
    *(b"<!DOCTYPE x [<!ENTITY x 'x'>]>", b"[[", b"{|", b"]]", b"=", b"\xed\xa0\x80", b"9" * 5000),
    *(b"[" * 3000, b"\x80\x04", b"(((((", b"\x2e", b"../../x", b"%00", b"a.a.a.a = 1\n"),
)


def flip(data: bytes, rng: Random) -> bytes:
    """One bit."""
    if not data:
        return b"\x80"
    at = rng.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << rng.randrange(8))]) + data[at + 1 :]


def number(data: bytes, rng: Random) -> bytes:
    """A number of 1 to 8 bytes, of either order, over what is there."""
    size, order = rng.choice((1, 2, 4, 8)), rng.choice("<>")
    value = rng.choice(_LARGE) % (1 << 8 * size)
    packed = struct.pack(order + {1: "B", 2: "H", 4: "I", 8: "Q"}[size], value)
    # sizes stand at the beginning and at the end
    near = min(len(data), 256)
    at = rng.choice((rng.randrange(len(data) + 1), rng.randrange(near + 1), len(data) - near))
    return data[:at] + packed + data[at + size :]


def _span(data: bytes, rng: Random, most: int = 4096) -> tuple[int, int]:
    start = rng.randrange(len(data) + 1)
    return start, min(len(data), start + int(rng.paretovariate(0.6)) % most)


def cut(data: bytes, rng: Random) -> bytes:
    """Some bytes fewer, or all from a place on."""
    start, end = _span(data, rng)
    return data[:start] if rng.random() < 0.4 else data[:start] + data[end:]


def double(data: bytes, rng: Random) -> bytes:
    """A part of it again, once or often, there or elsewhere."""
    start, end = _span(data, rng)
    block = data[start:end] * rng.choice((1, 1, 2, 30, 1000))
    at = rng.choice((end, rng.randrange(len(data) + 1)))
    return data[:at] + block + data[at:]


def exchange(data: bytes, rng: Random) -> bytes:
    """Two parts change places."""
    (a, b), (c, d) = sorted((_span(data, rng, 512), _span(data, rng, 512)))
    return data[:a] + data[c:d] + data[min(b, c) : c] + data[a : min(b, c)] + data[d:]


def insert(data: bytes, rng: Random) -> bytes:
    """A token that means something in some format."""
    start, end = _span(data, rng, 8)
    token = rng.choice(TOKENS) if rng.random() < 0.9 else rng.randbytes(rng.randrange(1, 64))
    return data[:start] + token + data[rng.choice((start, end)) :]


def zeros(data: bytes, rng: Random) -> bytes:
    """A part of it as zeros or ones."""
    start, end = _span(data, rng)
    return data[:start] + rng.choice((b"\0", b"\xff")) * (end - start) + data[end:]


def digits(data: bytes, rng: Random) -> bytes:
    """Another number in the place of one in digits."""
    found = list(re.finditer(rb"-?\d+(\.\d+)?", data[:100_000]))
    if not found:
        return insert(data, rng)
    chosen = rng.choice(found)
    value = rng.choice(
        (b"0", b"-1", b"1e400", b"nan", b"4294967296", b"9" * 400, b"9" * 5000, b"1.5", b"")
    )
    return data[: chosen.start()] + value + data[chosen.end() :]


_BYTES: tuple[Change, ...] = (
    *(flip, flip, flip, flip, number, number, cut, cut, double, double, exchange, exchange),
    *(insert, insert, zeros, zeros, digits, digits, many),
)


def bytes_(data: bytes, rng: Random) -> bytes:
    """One to six changes of bytes."""
    for _ in range(rng.choice((1, 1, 1, 2, 3, 6))):
        data = rng.choice(_BYTES)(data, rng)[:LARGEST]
    return data

"""How a valid file is damaged: bytes anywhere, and values where the format has some."""

from __future__ import annotations

import io
import json
import random
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

from tests.fuzz.repeated import many, nested_pickle, unknown_keys, unknown_lines

Random = random.Random
Change = Callable[[bytes, Random], bytes]

#: Larger files than this are cut: a case is about what they say, not about their size.
LARGEST = 4 << 20
_NUMBERS = (0, 1, 2, 0x7F, 0x80, 0xFF, 0x7FFF, 0xFFFF, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF)
_LARGE = (*_NUMBERS, 1 << 40, (1 << 63) - 1, (1 << 64) - 1, 10**6, 10**9)
#: Values that a reader may not expect in the place of another.
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, 1, -1, 2, 1.5, 1e308, -1e308, 10**12, 2**63, -(2**63) - 1, 10**40),
    *("", " ", "x", "NaN", "-1", "1_000", "²", "n٠٠٠٠١٠٠٠", "n02084071", "../../x", "/etc/passwd"),
    *("a\nb", "a\0b", "\u202eabc", "x" * 5000, "$\\frac{$", "<script>", "{{7*7}}", "\ud800", "é"),
    *([], {}, [[]], [None], ["x", "x"], [1, 2], {"": None}, {"x": {"x": []}}, [[[[[[[]]]]]]]),
)
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
    value = rng.choice((b"0", b"-1", b"1e400", b"nan", b"4294967296", b"9" * 400, b"1.5", b""))
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


def npy(data: bytes, rng: Random) -> bytes:
    """An array whose header asks for another shape, kind or order."""
    found = re.search(rb"\{'descr'[^}]*\}", data[:4096])
    if not found or rng.random() < 0.3:
        return bytes_(data, rng)
    shape = rng.choice(
        ("(10000000000000,)", "()", "(0,)", "(-1,)", "(2, 3)", "(1.5,)", "('x',)", "(3, 1000000)")
    )
    descr = rng.choice(
        ("'<f8'", "'|O'", "'<U5'", "'|S3'", "'<f4'", "'>i2'", "[('a', '<f8')]", "'<M8[s]'", "'|V9'")
    )
    order = rng.choice(("False", "True", "None", "1"))
    header = found[0].decode()
    for part, value in (("shape", shape), ("descr", descr), ("fortran_order", order)):
        if rng.random() < 0.5:
            header = re.sub(rf"'{part}': (\([^)]*\)|'[^']*'|\w+)", f"'{part}': {value}", header)
    written = header.encode()
    room = len(found[0])
    written = written.ljust(room) if len(written) <= room else written
    return data[: found.start()] + written + data[found.end() :]


def zipped(inside: Callable[[str], Change], method: int | None = None) -> Change:
    """A zip archive whose members are changed by what fits their names, or as bytes."""

    def change(data: bytes, rng: Random) -> bytes:
        if rng.random() < 0.35:
            return bytes_(data, rng)
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = [(info.filename, archive.read(info)) for info in archive.infolist()]
        at = rng.randrange(len(members))
        name, content = members[at]
        kind = rng.randrange(10)
        if kind == 0:
            del members[at]
        elif kind == 1:
            members.append((name, content))
        elif kind == 2:
            members[at] = (rng.choice(("x.npy", "../x.npy", name + "x", "a" * 3000)), content)
        elif kind == 3:
            members[at] = (name, b"\0" * rng.choice((10**6, 30 * 10**6)))
        elif kind == 4:
            other = rng.choice(members)
            members[at] = (name, other[1])
        else:
            members[at] = (name, inside(name)(content, rng))
        packed = io.BytesIO()
        methods = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA)
        with warnings.catch_warnings(), zipfile.ZipFile(packed, "w") as archive:
            warnings.simplefilter("ignore")
            for name, content in members:
                chosen = rng.choice(methods[:2]) if rng.random() < 0.9 else rng.choice(methods)
                archive.writestr(name, content, method if method is not None else chosen)
        return packed.getvalue()

    return change


def pickled(data: bytes, rng: Random) -> bytes:
    """A pickle, or one whose values are in each other."""
    return bytes_(data, rng) if rng.random() < 0.8 else nested_pickle(data, rng)


npz = zipped(lambda name: npy)
torch_file = zipped(
    lambda name: pickled if name.endswith("data.pkl") else bytes_, zipfile.ZIP_STORED
)


def safetensors(data: bytes, rng: Random) -> bytes:
    """A safetensors file whose header says something else."""
    if rng.random() < 0.3:
        return bytes_(data, rng)
    size = struct.unpack("<Q", data[:8])[0]
    header, rest = json.loads(data[8 : 8 + size]), data[8 + size :]
    metadata = header.get("__metadata__", {})
    if metadata and rng.random() < 0.7:
        key = rng.choice(list(metadata))
        metadata[key] = json_(metadata[key].encode(), rng).decode("utf-8", "replace")
        if rng.random() < 0.1:
            del metadata[key]
    elif rng.random() < 0.5:
        # numbers as they are, other ones in the tensors
        at = rng.randrange(max(1, len(rest) - 4))
        value = rng.choice((float("nan"), float("inf"), 1e38, 0.0))
        rest = rest[:at] + struct.pack("<f", value) + rest[at + 4 :]
    else:
        header = tree(header, rng)
    packed = json.dumps(header).encode()
    packed += b" " * (-len(packed) % 8)
    return struct.pack("<Q", len(packed)) + packed + rest


def packed(
    inside: Change, pack: Callable[[bytes], bytes], unpack: Callable[[bytes], bytes]
) -> Change:
    """A packed text: the text changed, or what it is packed in."""

    def change(data: bytes, rng: Random) -> bytes:
        if rng.random() < 0.5:
            return bytes_(data, rng)
        return pack(inside(unpack(data), rng))

    return change


def mat5(data: bytes, rng: Random) -> bytes:
    """A MATLAB v5 file, of which compressed elements are unpacked, changed and packed again."""
    if rng.random() < 0.5:
        return bytes_(data, rng)
    start = 128
    while start + 8 <= len(data):
        kind, size = struct.unpack("<II", data[start : start + 8])
        if kind == 15 and rng.random() < 0.6:
            try:
                inside = zlib.decompress(data[start + 8 : start + 8 + size])
            except zlib.error:
                break
            again = zlib.compress(bytes_(inside, rng))
            head = struct.pack("<II", 15, len(again))
            return data[:start] + head + again + data[start + 8 + size :]
        start += 8 + size
    return bytes_(data, rng)


def parquet(data: bytes, rng: Random) -> bytes:
    """A table with other values, kinds of columns or names, written again; or its bytes."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if rng.random() < 0.5:
        return bytes_(data, rng)
    table = pq.read_table(io.BytesIO(data))
    names = list(table.column_names)
    at = rng.randrange(len(names))
    column = table.column(at).to_pylist()
    for _ in range(rng.choice((1, 1, 2, len(column) or 1))):
        if not column:
            break
        place = rng.randrange(len(column))
        value = rng.choice(
            (*VALUES, float("nan"), float("inf"), b"n00001000", column[-1], [1.0, None])
        )
        column[place] = value
    try:
        changed = pa.array(column)
    except (pa.ArrowException, ValueError, TypeError, OverflowError):
        changed = pa.array([str(each).encode("utf-8", "replace") for each in column])
    kind = rng.randrange(8)
    if kind == 0:
        table = table.remove_column(at)
    elif kind == 1:
        table = table.rename_columns([*names[:at], rng.choice(("x", names[0])), *names[at + 1 :]])
    elif kind == 2:
        table = table.slice(rng.randrange(table.num_rows + 1), rng.randrange(3))
    elif kind == 3:
        table = pa.concat_tables([table] * rng.choice((2, 50)))
    else:
        table = table.set_column(at, names[at], changed)
    written = io.BytesIO()
    try:
        pq.write_table(table, written, compression=rng.choice(("snappy", "none", "gzip", "zstd")))
    except (pa.ArrowException, ValueError):
        return bytes_(data, rng)
    return written.getvalue()


#: Suffix of a file -> how it is changed.
BY_SUFFIX: dict[str, Change] = {
    ".json": json_,
    ".jsonl": json_lines,
    ".toml": toml,
    ".csv": text,
    ".tsv": text,
    ".txt": text,
    ".xml": text,
    ".npy": npy,
    ".npz": npz,
    ".parquet": parquet,
    ".safetensors": safetensors,
    ".pt": torch_file,
    ".pred": torch_file,
    ".pkl": pickled,
    ".mat": mat5,
}


def change_of(path: Path) -> Change:
    """How a file of this name is changed."""
    return BY_SUFFIX.get(path.suffix, bytes_)

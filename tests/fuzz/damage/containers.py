"""Damage of files that hold arrays, tables or other files: what is in them, and what they say
of it."""

from __future__ import annotations

import io
import json
import re
import struct
import warnings
import zipfile
import zlib
from collections.abc import Callable

from tests.fuzz.damage.raw import Change, Random, bytes_
from tests.fuzz.damage.texts import VALUES, json_, tree
from tests.fuzz.repeated import nested_pickle


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

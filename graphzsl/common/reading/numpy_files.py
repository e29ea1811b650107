"""NumPy's files: one array (.npy), or named ones (.npz). Arrays of Python objects are never
unpickled."""

from __future__ import annotations

import io
import math
import sys
import zipfile
from pathlib import Path
from tokenize import TokenError
from typing import Any, BinaryIO

from graphzsl.common.errors import DataError, GraphZSLError
from graphzsl.common.reading import compressed
from graphzsl.common.reading.bounds import (
    check_memory,
    check_promise,
    checked_size,
    first_line,
    memory_error_or,
)

#: Texts of no letters that an array may have.
_MOST_EMPTY = 1 << 20
#: What numpy ends in over a damaged .npy or .npz: no byte (EOFError), archives that are cut,
#: encrypted (RuntimeError) or compressed otherwise (NotImplementedError), headers, which it reads
#: as Python's words (SyntaxError, TokenError), and arrays of petabytes (MemoryError).
_UNREADABLE = (
    *compressed.UNREADABLE,
    *(TypeError, OverflowError, SyntaxError, TokenError, RuntimeError, NotImplementedError),
    *(zipfile.BadZipFile, KeyError, IndexError, AttributeError, UnicodeError),
)
#: Bytes of the longest header of an array; numpy reads no longer one.
_HEADER = 10_000 + 64


def read_npz(path: Path, *names: str, expected: str) -> list[Any]:
    """Arrays of an ``.npz`` by name (``a|b``: whichever is there; ``a?``: None where it is absent),
    never unpickled; DataError names file and key, and what was expected."""
    path = Path(path)
    with _archive(path, expected) as archive:
        held = {name.removesuffix(".npy"): name for name in archive.namelist()}
        if len(held) < len(archive.namelist()):
            raise DataError(f"{path}: two arrays of the archive have one name. Write it again.")
        return [_member(path, archive, held, name, expected) for name in names]


def check_npz_rows(path: Path, first: str, second: str, expected: str) -> None:
    """DataError where two arrays of an ``.npz``, by name as for ``read_npz``, have not as many rows
    as each other, which their headers say: nothing is unpacked for it.

    An array that is not there, or has no rows, is left to who reads it.
    """
    path, rows = Path(path), []
    with _archive(path, expected) as archive:
        held = {name.removesuffix(".npy"): name for name in archive.namelist()}
        for names in (first, second):
            key = next((each for each in names.split("|") if each in held), None)
            shape = () if key is None else _shape(path, archive, held[key], key, expected)
            if not shape:
                return
            rows.append((key, shape))
    (key, shape), (other, others) = rows
    if shape[0] != others[0]:
        raise DataError(
            f"{path}: {others[0]:,} {other} do not fit {key} of shape {shape}: give one for each"
            " row."
        )


def _shape(
    path: Path, archive: zipfile.ZipFile, member: str, key: str, expected: str
) -> tuple[int, ...]:
    """The shape that the header of an array says."""
    try:
        with archive.open(member) as file:
            return _promise(file)[2]
    except _UNREADABLE as error:
        raise _refusal(str(path), key, error, expected) from None


def npz_keys(path: Path) -> str:
    """The keys of an ``.npz`` that ``read_npz`` has read, in words: the first eight."""
    with _archive(Path(path), "named arrays") as archive:
        return _keys([name.removesuffix(".npy") for name in archive.namelist()])


def read_npy(path: Path, expected: str, *, mapped: bool = False) -> Any:
    """The array of an ``.npy``.

    Args:
        path: the file.
        expected: what it should hold, for messages.
        mapped: leave its numbers on the disk until they are used.

    Raises:
        DataError: names the file, and says what it is instead.
    """
    import numpy as np

    path = Path(path)
    try:
        checked_size(path)
        with path.open("rb") as file:
            size = file.seek(0, io.SEEK_END)
            file.seek(0)
            if file.read(6) != b"\x93NUMPY":
                raise DataError(f"{path}: {_not_numpy(path, '.npy')}. Expected {expected}.")
            file.seek(0)
            promised, start, _ = _promise(file)
            _check_stored(promised, size - start, str(path))
            if not mapped:
                check_memory(promised, str(path))
                file.seek(0)
                return _checked(np.lib.format.read_array(file, allow_pickle=False))
        return _checked(np.load(path, mmap_mode="r", allow_pickle=False))
    except FileNotFoundError:
        raise DataError(f"{path} does not exist. Expected an .npy: {expected}.") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder. Expected an .npy: {expected}.") from None
    except _UNREADABLE as error:
        raise _refusal(str(path), "the array", error, expected) from None


def npy_of_bytes(content: bytes, source: str, expected: str) -> Any:
    """The array that the bytes of an ``.npy`` hold; ``source`` is what messages begin with."""
    import numpy as np

    file = io.BytesIO(content)
    try:
        promised, start, _ = _promise(file)
        _check_stored(promised, len(content) - start, source)
        file.seek(0)
        return _checked(np.lib.format.read_array(file, allow_pickle=False))
    except _UNREADABLE as error:
        raise _refusal(source, "the array", error, expected) from None


def _archive(path: Path, expected: str) -> zipfile.ZipFile:
    try:
        checked_size(path)
        return zipfile.ZipFile(path)
    except FileNotFoundError:
        raise DataError(f"{path} does not exist. Expected an .npz with {expected}.") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder. Expected an .npz with {expected}.") from None
    except _UNREADABLE as error:
        damage = f"{path}: {_not_numpy(path, '.npz', error)}. Expected {expected}."
        raise memory_error_or(DataError(damage), error, str(path)) from None


def _member(
    path: Path, archive: zipfile.ZipFile, held: dict[str, str], name: str, expected: str
) -> Any:
    import numpy as np

    names = name.removesuffix("?").split("|")
    key = next((each for each in names if each in held), None)
    if key is None and name.endswith("?"):
        return None
    if key is None:
        raise DataError(
            f"{path}: {' or '.join(names)} is not in the archive, which holds {_keys([*held])}."
            f" Expected {expected}."
        )
    try:
        info = archive.getinfo(held[key])
        with archive.open(info) as file:
            if file.read(6) != b"\x93NUMPY":
                raise DataError(f"{path}: {key} is not an array of numpy. Expected {expected}.")
        with archive.open(info) as file:
            promised, start, _ = _promise(file)
        _check_stored(promised, info.file_size - start, f"{path}: {key}")
        check_promise(promised, min(info.compress_size, path.stat().st_size), f"{path}: {key}")
        with archive.open(info) as file:
            return _checked(np.lib.format.read_array(file, allow_pickle=False))
    except _UNREADABLE as error:
        raise _refusal(str(path), key, error, expected) from None


def _promise(file: BinaryIO | Any) -> tuple[int, int, tuple[int, ...]]:
    """(bytes that an array's header asks for, where its numbers begin, its shape)."""
    from numpy.lib import format as layout

    version = layout.read_magic(file)
    read = layout.read_array_header_1_0 if version == (1, 0) else layout.read_array_header_2_0
    shape, _, dtype = read(file, max_header_size=_HEADER)
    if dtype.hasobject:
        raise ValueError("Object arrays cannot be loaded")
    if any(type(size) is not int or size < 0 for size in shape):
        raise ValueError(f"the shape {shape}")
    count = math.prod(shape)
    if not dtype.itemsize and count > _MOST_EMPTY:  # no byte of the file stands for them
        raise ValueError(f"{count:,} values of no size")
    return count * dtype.itemsize, file.tell(), shape


def _checked(array: Any) -> Any:
    """The array; ValueError if one of texts holds numbers that are no characters, over which Python
    fails wherever they are used."""
    import numpy as np

    if array.dtype.kind == "U" and array.size and array.dtype.itemsize:
        codes = np.ascontiguousarray(array).reshape(-1).view("u4")
        if array.dtype.byteorder == (">" if sys.byteorder == "little" else "<"):
            codes = codes.byteswap()
        if (codes > sys.maxunicode).any():
            raise ValueError("a text holds what is no character")
    return array


def _check_stored(promised: int, stored: int, what: str) -> None:
    if promised > stored:
        raise ValueError(f"{promised:,} bytes are promised and {max(stored, 0):,} are there")


def _refusal(source: str, key: str, error: BaseException, expected: str) -> GraphZSLError:
    if "pickle" in str(error) or "Object arrays" in str(error):
        return DataError(
            f"{source}: {key} is an array of Python objects, which only pickle can read, and"
            " pickles run code: it is not read. Save it as numbers, or as text"
            f" (numpy.array(values, dtype=str)). Expected {expected}."
        )
    damage = DataError(
        f"{source}: {key} cannot be read, the archive is damaged ({first_line(error)}). Write or"
        " copy it again."
    )
    return memory_error_or(damage, error, f"{source}: {key}")


def _keys(names: list[str]) -> str:
    return ", ".join(name[:80] for name in names[:8]) + " …" * (len(names) > 8) or "nothing"


def _not_numpy(path: Path, wanted: str, error: Exception | None = None) -> str:
    """Reason why numpy cannot read a file, in words."""
    with path.open("rb") as file:
        start = file.read(6)
        file.seek(max(0, file.seek(0, io.SEEK_END) - 1))
        last = file.read(1)
    if not start:
        return "the file is empty"
    if start[:2] == b"PK":
        if error is None:
            return "this is an archive of named arrays (.npz) and not one array"
        return f"the archive is damaged ({first_line(error)}). Write or copy it again"
    if start == b"\x93NUMPY":
        return (
            "this is one array of numpy (.npy) and no archive of named ones, which numpy.savez"
            " writes"
        )
    if start[:1] == b"\x80" and start[1:2] <= b"\x05" and last == b".":
        return "this is a pickle, which runs code and is never read"
    return f"not an {wanted} of plain arrays"

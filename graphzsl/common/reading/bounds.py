"""Bounds of what a file holds: how large, how deep and how long it may be."""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError, GraphZSLError, NotEnoughMemoryError
from graphzsl.common.memory import asked_for, lacks_memory, of_gpu

#: Lists and objects in each other. Nothing that the field writes comes near it, and code that
#: follows them by recursion still does.
DEEPEST = 100
#: Digits of a number: a float has at most 309 before its point.
MOST_DIGITS = 300
#: Deflate packs at most 1,032 bytes into one; a larger promise is not backed by the file. Small
#: ones do no harm.
LARGEST_RATIO, HARMLESS = 1100, 64 << 20
_CONTAINERS = (dict, list, tuple, set)
_SMALLER = "Read it on a larger machine, or split it."


def check_promise(promised: int, stored: int, what: str) -> None:
    """DataError where ``what`` needs memory that the bytes stored for it cannot fill;
    NotEnoughMemoryError where this machine does not have it.

    Args:
        promised: bytes that a header asks for.
        stored: bytes that the file has for them, packed or not.
        what: the file, and what in it, for the beginning of the message.
    """
    if promised > max(HARMLESS, LARGEST_RATIO * stored):
        raise DataError(
            f"{what} promises {promised:,} bytes and stores {stored:,}; the file is damaged. Write"
            " or copy it again."
        )
    check_memory(promised, what)


def checked_size(path: Path | str) -> int:
    """Bytes of a file. DataError for a device, which ends nowhere or waits for somebody, and for a
    pipe, of which what is read is gone when it is looked at again.

    Raises:
        OSError: it cannot be found.
    """
    found = os.stat(path)
    if stat.S_ISCHR(found.st_mode) or stat.S_ISBLK(found.st_mode):
        raise DataError(f"{path} is a device; a file was expected.")
    if stat.S_ISFIFO(found.st_mode) or stat.S_ISSOCK(found.st_mode):
        raise DataError(
            f"{path} is a pipe or a socket, and files are read more than once; write it to a file,"
            " and give that."
        )
    return found.st_size


def open_file(path: Path | str, encoding: str | None = None, **text: Any) -> Any:
    """Open a file to read its bytes, or its text in an encoding and what else ``open`` takes for
    texts; DataError for a device and for a pipe, which would be waited for.

    Raises:
        OSError: it cannot be opened.
    """
    checked_size(path)
    return open(path, "r" if encoding else "rb", encoding=encoding, **text)


def is_file(path: Path | str) -> bool:
    """True if the file exists and can be looked up; False for a text too long to be a file name.
    DataError for a device or a pipe."""
    try:
        checked_size(path)
    except (OSError, ValueError):
        return False
    return Path(path).is_file()


def check_memory(size: int, what: str) -> None:
    """NotEnoughMemoryError where ``what`` needs more bytes than this machine has free."""
    if size <= HARMLESS:
        return
    import psutil

    if size > (free := psutil.virtual_memory().available):
        raise NotEnoughMemoryError(
            f"{what} needs {size:,} bytes of memory, and {free:,} are free. {_SMALLER}"
        )


def unreadable(path: Path, what: str, error: BaseException, expected: str) -> GraphZSLError:
    """The error for a file that is not ``what`` it should be, as a library found."""
    said = f"{path}: not {what} ({first_line(error)}). Expected {expected}."
    return memory_error_or(DataError(said), error, str(path))


def memory_error_or(damage: DataError, error: BaseException, what: str) -> GraphZSLError:
    """The error for ``what`` that cannot be read: ``damage``, or NotEnoughMemoryError if ``error``
    is a lack of memory, which says nothing against the file."""
    if not lacks_memory(error):
        return damage
    asked = f" ({wanted} at once)" if (wanted := asked_for(error)) else ""
    whose = "of the GPU " if of_gpu(error) else ""
    return NotEnoughMemoryError(f"{what} needs more memory {whose}than is free{asked}. {_SMALLER}")


def check_depth(value: Any, source: str) -> None:
    """DataError where lists and objects are more than ``DEEPEST`` deep in each other."""
    level = [value] if isinstance(value, _CONTAINERS) else []
    for _ in range(DEEPEST):
        inside = (each.values() if isinstance(each, dict) else each for each in level)
        level = [each for members in inside for each in members if isinstance(each, _CONTAINERS)]
        if not level:
            return
    raise too_deep(source)


def too_deep(source: str) -> DataError:
    """The error for lists and objects that are too deep in each other."""
    return DataError(
        f"{source}: lists or objects more than {DEEPEST} deep in each other, which nothing that"
        " graphzsl reads has. The file is damaged."
    )


def first_line(error: BaseException) -> str:
    """The first line of an error of a library, without its full stop, and not without end."""
    lines = str(error).strip().splitlines()
    return lines[0][:300].rstrip(" .") if lines and lines[0].strip() else type(error).__name__

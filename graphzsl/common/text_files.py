"""Text that people write, read from files: UTF-8, with or without the mark that editors of Windows
put before it, and TOML in it.

Every reader of such files takes its text from here, so that what is no UTF-8 is called the same
everywhere.
"""

from __future__ import annotations

import codecs
import io
import math
import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, TextIO

from graphzsl.common.checked_names import shown, unusable_text
from graphzsl.common.errors import DataError, SettingsError
from graphzsl.common.reading.bounds import (
    MOST_DIGITS,
    check_depth,
    check_memory,
    checked_size,
    first_line,
    memory_error_or,
    open_file,
)
from graphzsl.common.reading.compressed import UNREADABLE, unpacked
from graphzsl.common.toml_problems import line_of_key

#: The beginning of a key of so many parts, which takes tomllib a time with the square of them.
_LONG_KEY = re.compile(r"^[ \t\[]*(?:[\w-]+[ \t]*\.[ \t]*){100}", re.MULTILINE)
#: Marks of other encodings at the beginning of a file. That of UTF-32 begins as that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
#: So many bytes tell UTF-16 without a mark: every second one is 0 in what is written in Latin
#: letters.
_HEAD = 256
#: Beginning of a page of HTML.
HTML = re.compile(
    r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype\s+html|html|head|body|table)\b", re.IGNORECASE
)


def read_text(path: Path | str) -> str:
    r"""The text of a file in UTF-8, with ``\n`` at the ends of its lines.

    Raises:
        DataError: there is no such file, it is a folder, a device or a pipe, or not UTF-8 text.
    """
    return _with_plain_ends(decoded(_content(path), str(path)))


def read_packed_text(path: Path | str) -> str:
    """Text of a file that its suffix says is packed by gzip, bzip2 or xz, as ``read_text`` has it.

    Raises:
        DataError: it cannot be unpacked, or not UTF-8 text.
    """
    try:
        with open_file(path) as packed, unpacked(packed, str(path)) as file:
            content = file.read()
    except UNREADABLE as error:
        damage = DataError(f"{path} cannot be unpacked: {first_line(error)}.")
        raise memory_error_or(damage, error, str(path)) from None
    return _with_plain_ends(decoded(content, str(path)))


def open_text(path: Path | str) -> TextIO:
    """The text of a file in UTF-8 as csv reads it: lines end as they are written.

    Raises:
        DataError: it is not UTF-8 text, a device or a pipe.
        OSError: it cannot be read.
    """
    with open_file(path) as file:
        return io.StringIO(decoded(file.read(), str(path)), newline="")


def decoded(content: bytes, source: str) -> str:
    """The text of the bytes of a file; ``source`` is what messages begin with.

    Raises:
        DataError: UTF-16, a NUL byte, or other bytes that are not UTF-8; names the line.
    """
    other = next((name for mark, name in _MARKS if content.startswith(mark)), None)
    if other is None and _is_utf16(content[:_HEAD]):
        other = "UTF-16"
    if other is not None:
        raise DataError(f"{source} is {other}; save it as UTF-8.")
    if (at := content.find(0)) >= 0:
        raise DataError(
            f"{_line(source, content, at)}: a NUL byte (byte {at:,}), which no text has: the file"
            " is damaged, or not text. Write or copy it again, as UTF-8."
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        # the codec counts from behind the mark
        at = error.start + len(codecs.BOM_UTF8) * content.startswith(codecs.BOM_UTF8)
        raise DataError(
            f"{_line(source, content, at)}: not UTF-8 text ({error.reason} at byte {at:,}). Save"
            " it as UTF-8."
        ) from None


class TomlFile(NamedTuple):
    """A file of TOML: where it is, its text, and what that says."""

    path: Path
    text: str
    given: dict[str, Any]


def read_toml(path: Path | str) -> TomlFile:
    """A configuration file.

    Raises:
        DataError: there is no such file, or it is a folder, a device or a pipe.
        SettingsError: it is not UTF-8 text, or not TOML; names the line.
    """
    content = _content(path)
    try:
        text = _with_plain_ends(decoded(content, str(path)))
    except DataError as error:
        raise SettingsError(str(error)) from None
    return TomlFile(Path(path), text, parsed_toml(text, lambda line: f"{path}:{line}"))


def parsed_toml(text: str, place: Callable[[int], str]) -> dict[str, Any]:
    """The document of a text of TOML; ``place`` names one of its lines, from 1.

    Raises:
        SettingsError: it is not TOML, a number is not finite or has more than ``MOST_DIGITS``
            digits, or a text holds what no free text may; names the line.
    """
    if found := _LONG_KEY.search(text):
        line = text.count("\n", 0, found.start()) + 1
        raise SettingsError(
            f"{place(line)}: not valid TOML: a key of more than 100 parts, so"
            " tables more than 100 deep in each other."
        )
    try:
        given = tomllib.loads(text)
        check_depth(given, place(1))
    except DataError as error:
        raise SettingsError(str(error)) from None
    except ValueError as error:  # a number of thousands of digits is one too
        told = re.search(r" \(at (?:line (\d+), column (\d+)|end of document)\)$", str(error))
        # at the end of a document tomllib counts no line
        line = int(told[1]) if told and told[1] else max(1, len(text.splitlines()))
        raise SettingsError(f"{place(line)}: not valid TOML: {error}.") from None
    except RecursionError:
        raise SettingsError(
            f"{place(1)}: not valid TOML: lists or tables too deep in each other."
        ) from None
    if (unusable := _unusable_number(given) or _unusable_text(given)) is not None:
        said, at = unusable
        while isinstance(at[-1], int):  # places in a list have no line of their own
            at = at[:-1]
        raise SettingsError(f"{place(line_of_key(text, *at))}: {said}.")
    return given


def _unusable_number(
    value: Any, at: tuple[str | int, ...] = ()
) -> tuple[str, tuple[str | int, ...]] | None:
    """A number that no setting can be, in words, and where it is: inf, nan, and a whole number that
    Python does not write out, of which it reads any in hexadecimal digits."""
    if isinstance(value, float):
        return None if math.isfinite(value) else (f"the number {value}, which is not finite", at)
    if isinstance(value, int):
        is_long = value.bit_length() > 3.33 * MOST_DIGITS
        return (f"a number of more than {MOST_DIGITS} digits", at) if is_long else None
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    found = (
        _unusable_number(each, (*at, key))
        for key, each in inner
        if isinstance(each, int | float | dict | list)
    )
    return next((each for each in found if each is not None), None)


def _unusable_text(given: dict[str, Any]) -> tuple[str, tuple[str | int, ...]] | None:
    """``unusable_text`` of a document, with the name of the key in its sentence."""
    if (found := unusable_text(given)) is None:
        return None
    said, at = found
    return f"{shown(next(key for key in at[::-1] if isinstance(key, str)))} {said}", at


def _content(path: Path | str) -> bytes:
    try:
        check_memory(checked_size(path), str(path))
        return Path(path).read_bytes()
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder; a file was expected.") from None
    except (OSError, ValueError) as error:  # a name with a NUL byte is a ValueError
        said = error.strerror if isinstance(error, OSError) else None
        raise DataError(f"{str(path)[:200]} cannot be read: {said or error}.") from None


def _with_plain_ends(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _is_utf16(head: bytes) -> bool:
    """True if the beginning of a file is UTF-16 of Latin letters without a byte order mark."""
    half = len(head) // 2
    zeros = [head[first::2].count(0) for first in (0, 1)]
    return half > 1 and max(zeros) > 0.8 * half and min(zeros) == 0


def _line(source: str, content: bytes, at: int) -> str:
    number = content.count(b"\n", 0, at) + 1
    return f"{source}:{number}"

"""Elements of the lists of a JSON file, one by one: the file is never in memory as a whole."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import MOST_DIGITS, check_depth, checked_size
from graphzsl.common.reading.json_text import has_many_digits, unique_keys

#: Characters that are read at once, and the longest element.
CHUNK, LONGEST = 1 << 20, 64 << 20
#: What may stand behind the digits of a number that goes on; nothing, too.
_IN_NUMBERS = "0123456789.eE+-"
_SPACE = re.compile(r"[ \t\r\n]*")


def parts(path: Path) -> Iterator[tuple[str, int, Any]]:
    """(key, number, element) of every list of a JSON object, in the order of the file; of a file
    that is one list, the key is empty. Other values of an object are (key, -1, value).

    Numbers count from 0 in each list.

    Raises:
        DataError: it is not valid JSON, or neither an object nor a list; names the element.
    """
    with _opened(path) as file:
        text = _Text(path, file)
        first = text.peek()
        if first == "[":
            yield from _elements(text, "")
        elif first == "{":
            yield from _members(text)
        else:
            raise DataError(f"{path} is JSON, but neither a list nor an object of lists.")
        if text.peek():
            raise text.wrong("more text behind the end of the document")


def _opened(path: Path) -> Any:
    try:
        checked_size(path)
        return Path(path).open(encoding="utf-8-sig")
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror or error}.") from None


class _Text:
    """A text that is read as far as it takes to decode its next value."""

    def __init__(self, path: Path, file: Any):
        self.path, self._file = path, file
        self._buffer, self._at, self._ended = "", 0, False
        self.inside = ""
        #: Lines before the buffer.
        self._lines = 0
        self._decoder = json.JSONDecoder(
            object_pairs_hook=self._unique, parse_constant=self._constant
        )

    @property
    def place(self) -> str:
        """The element that is read, for the beginning of a message."""
        return f"{self.path}{self.inside}"

    def peek(self) -> str:
        """The next character that is no space, which stays; empty at the end."""
        while True:
            self._at = _SPACE.match(self._buffer, self._at).end()  # type: ignore[union-attr]
            if self._at < len(self._buffer) or not self._more():
                return self._buffer[self._at : self._at + 1]

    def take(self, expected: str) -> str:
        """The next character; DataError where it is none of the expected ones."""
        found = self.peek()
        if not found or found not in expected:
            said = repr(found) if found else "the end of the file"
            raise self.wrong(f"expected {' or '.join(expected)}, not {said}")
        self._at += 1
        return found

    def value(self) -> Any:
        """The next value, whole."""
        self.peek()
        while True:
            try:
                found, end = self._decoder.raw_decode(self._buffer, self._at)
            except ValueError as error:
                behind = getattr(error, "pos", self._at) - self._at
                if not self._more():
                    # the line that it says is one of the buffer
                    said = error.msg if isinstance(error, json.JSONDecodeError) else str(error)
                    raise self.wrong(said, self._at + behind) from None
                continue
            except RecursionError:
                raise self.wrong("lists or objects too deep in each other") from None
            # a number may go on behind what has been read, and be cut before its fraction
            cut = isinstance(found, int | float) and self._buffer[end : end + 1] in _IN_NUMBERS
            if not cut or not self._more():
                check_depth(found, self.place)
                if has_many_digits(self._buffer[self._at : end]):
                    raise self.wrong(f"a number of more than {MOST_DIGITS} digits")
                self._at = end
                return found

    def wrong(self, said: str, at: int | None = None) -> DataError:
        """The error about what stands here, or at a place in the buffer."""
        line = self._lines + self._buffer.count("\n", 0, self._at if at is None else at) + 1
        return DataError(f"{self.path}:{line}{self.inside}: not valid JSON: {said}.")

    def _more(self) -> bool:
        if len(self._buffer) - self._at > LONGEST:
            raise self.wrong(f"a value is longer than {LONGEST:,} characters")
        try:
            # twice as much every time, or a long value would be decoded from its begin too often
            read = self._file.read(max(CHUNK, len(self._buffer) - self._at))
        except UnicodeDecodeError as error:
            raise DataError(
                f"{self.path}: not UTF-8 text ({error.reason}). Save it as UTF-8."
            ) from None
        self._lines += self._buffer.count("\n", 0, self._at)
        self._buffer, self._at = self._buffer[self._at :] + read, 0
        return bool(read)

    def _unique(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        return found if len(found) == len(pairs) else unique_keys(self.place)(pairs)

    def _constant(self, name: str) -> float:
        raise DataError(
            f"{self.place}: {name} is not a number of JSON. Leave out what has no value."
        )


def _members(text: _Text) -> Iterator[tuple[str, int, Any]]:
    text.take("{")
    seen: set[str] = set()
    more = text.peek() != "}"
    while more:
        key = text.value()
        if not isinstance(key, str):
            raise text.wrong(f"a key must be a text, not {key!r}")
        if key in seen:
            raise text.wrong(f"the key {key!r} is there twice")
        seen.add(key)
        text.take(":")
        if text.peek() == "[":
            yield from _elements(text, key)
        else:
            yield key, -1, text.value()
        more = text.take(",}") == ","
    if not seen:
        text.take("}")


def _elements(text: _Text, key: str) -> Iterator[tuple[str, int, Any]]:
    text.take("[")
    number = 0
    if text.peek() == "]":
        text.take("]")
        return
    while True:
        text.inside = f": {key}[{number}]"
        yield key, number, text.value()
        number += 1
        if text.take(",]") == "]":
            text.inside = ""
            return

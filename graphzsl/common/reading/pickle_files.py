"""Pickle files by their opcodes: nothing is imported and no code can run.

Dictionaries, lists, tuples, sets, texts and numbers are understood, which is what GCNZ's graphs and
GOZ's class lists are made of. Every other opcode (a class, a function, an object) is refused.
"""

from __future__ import annotations

import pickletools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import MOST_DIGITS, check_depth, checked_size, first_line

_MARK = object()
_VALUES = {
    "INT",
    "BININT",
    "BININT1",
    "BININT2",
    "LONG",
    "LONG1",
    "LONG4",
    "FLOAT",
    "BINFLOAT",
    "UNICODE",
    "BINUNICODE",
    "SHORT_BINUNICODE",
    "BINUNICODE8",
    "STRING",
    "BINSTRING",
    "SHORT_BINSTRING",
    "BINBYTES",
    "SHORT_BINBYTES",
}
_CONSTANTS = {"NONE": None, "NEWTRUE": True, "NEWFALSE": False}
_EMPTY = {"EMPTY_DICT": dict, "EMPTY_LIST": list, "EMPTY_TUPLE": tuple, "EMPTY_SET": set}
_PLAIN = (str, bytes, int, float, type(None))
_CONTAINERS = (dict, list, tuple, set)
#: Values of lists that a pickle has once and names several times: so many, and so many for each of
#: its bytes.
_SHARED, _SHARED_PER_BYTE = 1 << 18, 16
#: What a sequence of opcodes that fits nothing ends in; MemoryError: a text of petabytes.
_BROKEN = (ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError, MemoryError)


def read_plain_pickle(path: Path) -> Any:
    """The one value in a pickle of plain data.

    Raises:
        DataError: names the file, and the opcode that is not plain data; or its keys are
            containers, which take for ever to compare, or it is too deep.
    """
    try:
        checked_size(path)
        content = Path(path).read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        raise DataError(f"{path} does not exist, or is not a file.") from None
    machine = _Machine(str(path), _SHARED + _SHARED_PER_BYTE * len(content))
    return machine.run(content)


@dataclass(eq=False)
class _Machine:
    source: str
    left: int
    stack: list[Any] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)
    #: ids of what the memo has given: it stays as it is
    given: set[int] = field(default_factory=set)

    def run(self, content: bytes) -> Any:
        try:
            for opcode, argument, position in pickletools.genops(content):
                name = opcode.name
                if name == "STOP":
                    return self._result()
                if name in _VALUES:
                    self.stack.append(self._value(argument))
                elif not (self._step(name, argument) or self._collect(name)):
                    raise DataError(
                        f"{self.source}: the pickle holds more than plain data ({name} at byte"
                        f" {position}). It is not loaded: that could run code."
                    )
        except _BROKEN as error:
            raise DataError(
                f"{self.source}: not a pickle of plain data ({first_line(error)})."
            ) from None
        raise DataError(f"{self.source}: the pickle ends early.")

    def _result(self) -> Any:
        if len(self.stack) != 1 or self.stack[0] is _MARK:
            raise DataError(f"{self.source}: not a pickle of one value.")
        check_depth(self.stack[0], self.source)
        return self.stack[0]

    def _value(self, argument: Any) -> Any:
        if isinstance(argument, int) and argument.bit_length() > 3.4 * MOST_DIGITS:
            raise DataError(f"{self.source}: a number of thousands of digits; it is damaged.")
        return argument

    def _step(self, name: str, argument: Any) -> bool:
        """One opcode that builds plain data; False where it is another one."""
        stack, memo = self.stack, self.memo
        if name in ("PROTO", "FRAME"):
            return True
        if name == "MARK":
            stack.append(_MARK)
        elif name in _CONSTANTS:
            stack.append(_CONSTANTS[name])
        elif name in _EMPTY:
            stack.append(_EMPTY[name]())
        elif name in ("PUT", "BINPUT", "LONG_BINPUT"):
            memo[int(argument)] = stack[-1]
        elif name == "MEMOIZE":
            memo[len(memo)] = stack[-1]
        elif name in ("GET", "BINGET", "LONG_BINGET"):
            stack.append(self._again(memo[int(argument)]))
        elif name == "POP":
            stack.pop()
        else:
            return False
        return True

    def _again(self, value: Any) -> Any:
        """A value that the pickle names again: containers in each other would be a value that is
        exponentially larger than the file, or has itself inside."""
        if isinstance(value, _PLAIN):
            return value
        if value is _MARK or any(isinstance(each, _CONTAINERS) for each in value):
            raise ValueError("a list of lists is there twice")
        if isinstance(value, dict) and any(isinstance(v, _CONTAINERS) for v in value.values()):
            raise ValueError("a dictionary of lists is there twice")
        self.left -= len(value)
        if self.left < 0:
            raise ValueError("its values are much larger than the file")
        self.given.add(id(value))
        return value

    def _collect(self, name: str) -> bool:
        """Opcodes that put values into containers."""
        stack = self.stack
        if name in ("APPEND", "SETITEM"):
            items = [stack.pop() for _ in range(1 if name == "APPEND" else 2)][::-1]
        elif name in ("APPENDS", "SETITEMS", "ADDITEMS", "LIST", "TUPLE", "DICT", "FROZENSET"):
            items = self._since_mark()
        elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
            count = int(name[-1])
            items = stack[-count:]
            if len(items) < count:
                raise ValueError("a value is missing")
            del stack[-count:]
            name = "TUPLE"
        else:
            return False
        if any(item is _MARK for item in items):
            raise ValueError("a mark in the place of a value")
        if name in ("LIST", "TUPLE", "DICT", "FROZENSET"):
            made: Any = {"LIST": list, "TUPLE": tuple, "DICT": dict, "FROZENSET": set}[name]()
            stack.append(tuple(items) if name == "TUPLE" else made)
            if name == "TUPLE":
                return True
        self._put(stack[-1], items)
        return True

    def _put(self, target: Any, items: list[Any]) -> None:
        if id(target) in self.given:
            raise ValueError("a list changes after it was used")
        if isinstance(target, list):
            target.extend(items)
            return
        keys = items[::2] if isinstance(target, dict) else items
        # the hash of tuples in each other takes for ever
        if not all(isinstance(key, _PLAIN) for key in keys):
            raise ValueError("a key is neither text nor number")
        if isinstance(target, dict):
            target.update(zip(keys, items[1::2], strict=True))
        elif isinstance(target, set):
            target.update(keys)
        else:
            raise ValueError("values are put into what is no list")

    def _since_mark(self) -> list[Any]:
        start = len(self.stack) - 1
        while start >= 0 and self.stack[start] is not _MARK:
            start -= 1
        if start < 0:
            raise ValueError("a mark is missing")
        items = self.stack[start + 1 :]
        del self.stack[start:]
        return items

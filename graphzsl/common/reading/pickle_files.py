"""Pickle files by their opcodes: nothing is imported and no code can run.

Dictionaries, lists, tuples, sets, texts and numbers are understood, which is what GCNZ's graphs and
GOZ's class lists are made of. Every other opcode (a class, a function, an object) is refused, or,
where a file of torch is looked at before torch reads it, kept as a note of what it would make.
"""

from __future__ import annotations

import pickletools
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO

from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import (
    DEEPEST,
    MOST_DIGITS,
    check_depth,
    checked_size,
    first_line,
    too_deep,
)

_MARK = object()
#: Letters of a text in a file of torch.
_LONGEST_TEXT = 20_000
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
#: Values of a tuple that is a key, which another library than this one may read.
_LONGEST_KEY = 16
#: What a sequence of opcodes that fits nothing ends in; MemoryError: a text of petabytes.
_BROKEN = (ValueError, IndexError, KeyError, TypeError, AttributeError, OverflowError, MemoryError)


@dataclass(frozen=True, eq=False)
class Made:
    """An object that an opcode would make, other than plain data: ``how`` (a global name, or
    ``persistent`` for an object kept outside the pickle), ``of`` its arguments, and what is ``put``
    into it."""

    how: str
    of: Any = None
    put: list[Any] = field(default_factory=list)


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


def objects_of_pickle(file: BinaryIO, source: str) -> list[Made]:
    """Objects other than plain data that a pickle would make, in order; for a pickle that another
    library reads. Leaves the file behind the pickle.

    Raises:
        DataError: names the source: it is damaged, a key is neither text nor number, or its values,
            each as often as it is named, are too deep or much larger than the file.
    """
    machine = _Machine(source, 0, objects=[])
    machine.run(file)
    assert machine.objects is not None
    return machine.objects


_FOLLOWED = (*_CONTAINERS, Made)
#: A tensor has a tuple of what it is made of, with a tuple for its storage.
_DEEPEST_MADE = 2 * DEEPEST


@dataclass(eq=False)
class _Machine:
    source: str
    left: int
    objects: list[Made] | None = None
    stack: list[Any] = field(default_factory=list)
    memo: dict[int, Any] = field(default_factory=dict)
    #: ids of what the memo has given: it stays as it is
    given: set[int] = field(default_factory=set)

    def run(self, content: bytes | BinaryIO) -> Any:
        try:
            for opcode, argument, position in pickletools.genops(content):
                name = opcode.name
                if name == "STOP":
                    if self.objects is not None:
                        self._check_unfolded([*self.stack, *self.objects], position or 0)
                    return self._result()
                if name in _VALUES:
                    self.stack.append(self._value(argument))
                elif not any(step(name, argument) for step in self._steps):
                    raise DataError(
                        f"{self.source}: the pickle holds more than plain data ({name} at byte"
                        f" {position}). It is not loaded: that could run code."
                    )
        except _BROKEN as error:
            raise DataError(
                f"{self.source}: not a pickle of plain data ({first_line(error)})."
            ) from None
        raise DataError(f"{self.source}: the pickle ends early.")

    @property
    def _steps(self) -> tuple[Callable[[str, Any], bool], ...]:
        return self._step, self._collect, self._make

    def _result(self) -> Any:
        if len(self.stack) != 1 or self.stack[0] is _MARK:
            raise DataError(f"{self.source}: not a pickle of one value.")
        if self.objects is None:
            check_depth(self.stack[0], self.source)
        return self.stack[0]

    def _value(self, argument: Any) -> Any:
        # torch looks for words in the texts that it refuses, in a time that grows as their square
        is_text = isinstance(argument, str | bytes)
        if self.objects is not None and is_text and len(argument) > _LONGEST_TEXT:
            raise DataError(
                f"{self.source}: a text of {len(argument):,} letters; files of torch have tensors"
                f" and their names, and {_LONGEST_TEXT:,} letters are the most."
            )
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
        if self.objects is not None or isinstance(value, _PLAIN):
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

    def _collect(self, name: str, _: Any) -> bool:
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
        if isinstance(target, Made):
            target.put.extend(items)
            return
        if id(target) in self.given:
            raise ValueError("a list changes after it was used")
        if isinstance(target, list):
            target.extend(items)
            return
        keys = items[::2] if isinstance(target, dict) else items
        self._check_keys(keys)
        if isinstance(target, dict):
            target.update(zip(keys, items[1::2], strict=True))
        elif isinstance(target, set):
            target.update(keys)
        else:
            raise ValueError("values are put into what is no list")

    def _check_keys(self, keys: Iterable[Any]) -> None:
        """ValueError for keys whose hash takes long: of tuples in each other it takes for ever."""
        for key in keys:
            short = isinstance(key, tuple) and len(key) <= _LONGEST_KEY and self.objects is not None
            parts = key if short else (key,)
            made = self.objects is not None and isinstance(key, Made)
            if not made and not all(isinstance(part, _PLAIN) for part in parts):
                raise ValueError("a key is neither text nor number")

    def _check_unfolded(self, roots: list[Any], size: int) -> None:
        """DataError where values are too deep in each other, or, each as often as it is named, much
        more than the pickle has bytes: who hashes or follows them would not come to an end."""
        unfolded: dict[int, tuple[int, int]] = {}

        def measure(value: Any, above: int) -> tuple[int, int]:
            """(values in a container, how deep they are)."""
            if (known := unfolded.get(id(value))) is None:
                if above > _DEEPEST_MADE:  # what has itself inside, too
                    raise too_deep(self.source)
                count, depth = 1, 0
                for each in _inside(value):
                    if isinstance(each, _FOLLOWED):
                        more, deep = measure(each, above + 1)
                        count, depth = count + more, max(depth, deep)
                    else:
                        count += 1
                known = unfolded[id(value)] = count, depth + 1
            if known[1] > _DEEPEST_MADE:
                raise too_deep(self.source)
            return known

        if measure(roots, 0)[0] > _SHARED + _SHARED_PER_BYTE * size:
            raise ValueError("its values are much larger than the file")

    def _make(self, name: str, argument: Any) -> bool:
        """Run an opcode that would make an object other than plain data: record the object if they
        are collected, else return False."""
        if self.objects is None:
            return False
        stack = self.stack
        if name == "GLOBAL":
            self._value(argument)
            stack.append(Made(str(argument).replace(" ", ".")))
            return True
        if name == "BINPERSID":
            made = Made("persistent", stack.pop())
        elif name in ("REDUCE", "NEWOBJ", "STACK_GLOBAL"):
            of, how = stack.pop(), stack.pop()
            if name == "STACK_GLOBAL":
                if not isinstance(how, str) or not isinstance(of, str):
                    raise ValueError("a name is no text")
                stack.append(Made(f"{how}.{of}"))
                return True
            made = Made(how.how, of)
        elif name == "BUILD":
            state = stack.pop()
            if isinstance(stack[-1], Made):
                stack[-1].put.append(state)
            return True
        else:
            return False
        self.objects.append(made)
        stack.append(made)
        return True

    def _since_mark(self) -> list[Any]:
        start = len(self.stack) - 1
        while start >= 0 and self.stack[start] is not _MARK:
            start -= 1
        if start < 0:
            raise ValueError("a mark is missing")
        items = self.stack[start + 1 :]
        del self.stack[start:]
        return items


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, Made):
        return (value.of, *value.put)
    return value.values() if isinstance(value, dict) else value

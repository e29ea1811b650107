"""Plain data out of pickle files, by reading their opcodes: nothing is imported and no code can
run.

Dictionaries, lists, tuples, sets, texts and numbers are understood, which is what GCNZ's graphs and
GOZ's class lists are made of. Every other opcode (a class, a function, an object) is refused.
"""

from __future__ import annotations

import pickletools
from pathlib import Path
from typing import Any

from graphzsl.errors import DataError

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


def read_plain_pickle(path: Path) -> Any:
    """The one value in a pickle of plain data; DataError names the file and the opcode that is not
    plain data."""
    try:
        content = Path(path).read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        raise DataError(f"{path} does not exist, or is not a file.") from None
    stack: list[Any] = []
    memo: dict[int, Any] = {}
    try:
        for opcode, argument, position in pickletools.genops(content):
            name = opcode.name
            if name == "STOP":
                if len(stack) != 1:
                    raise DataError(f"{path}: not a pickle of one value.")
                return stack[0]
            if name in _VALUES:
                stack.append(argument)
            elif not _step(name, argument, stack, memo):
                raise DataError(
                    f"{path}: the pickle holds more than plain data ({name} at byte {position}). It"
                    " is not loaded: that could run code."
                )
    except (
        ValueError,
        IndexError,
        KeyError,
        TypeError,
        AttributeError,
        UnicodeDecodeError,
    ) as error:
        raise DataError(f"{path}: not a pickle of plain data ({error}).") from None
    raise DataError(f"{path}: the pickle ends early.")


def _step(name: str, argument: Any, stack: list[Any], memo: dict[int, Any]) -> bool:
    """One opcode that builds plain data; False where it is another one."""
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
        stack.append(memo[int(argument)])
    elif name == "POP":
        stack.pop()
    else:
        return _collect(name, stack)
    return True


def _collect(name: str, stack: list[Any]) -> bool:
    """Opcodes that put values into containers."""
    if name == "APPEND":
        value = stack.pop()
        stack[-1].append(value)
    elif name == "APPENDS":
        items = _since_mark(stack)
        stack[-1].extend(items)
    elif name == "SETITEM":
        value, key = stack.pop(), stack.pop()
        stack[-1][key] = value
    elif name == "SETITEMS":
        items = _since_mark(stack)
        stack[-1].update(zip(items[::2], items[1::2], strict=True))
    elif name == "ADDITEMS":
        items = _since_mark(stack)
        stack[-1].update(items)
    elif name in ("LIST", "TUPLE"):
        items = _since_mark(stack)
        stack.append(items if name == "LIST" else tuple(items))
    elif name == "DICT":
        items = _since_mark(stack)
        stack.append(dict(zip(items[::2], items[1::2], strict=True)))
    elif name in ("TUPLE1", "TUPLE2", "TUPLE3"):
        count = int(name[-1])
        items = stack[-count:]
        del stack[-count:]
        stack.append(tuple(items))
    else:
        return False
    return True


def _since_mark(stack: list[Any]) -> list[Any]:
    start = len(stack) - 1
    while stack[start] is not _MARK:
        start -= 1
        if start < 0:
            raise ValueError("a mark is missing")
    items = stack[start + 1 :]
    del stack[start:]
    return items

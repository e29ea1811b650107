"""Safetensors: named arrays, and texts in a header. The library checks all sizes against the
file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open

from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import is_file, unreadable

_KIND = "a safetensors file that can be read"
_UNREADABLE = (
    *(SafetensorError, OSError, KeyError, ValueError, TypeError, AttributeError, OverflowError),
    *(MemoryError, RuntimeError),
)


def read_safetensors(
    path: Path, names: tuple[str, ...] | None = None, *, expected: str
) -> tuple[dict[str, str], dict[str, Any]]:
    """(texts of the header, arrays by name).

    Args:
        path: the file.
        names: the arrays to read; None: all.
        expected: what the file should hold, for messages.

    Raises:
        DataError: names the file, which is absent, damaged, or lacks an array.
    """
    path = Path(path)
    if not is_file(path):
        raise DataError(
            f"{path} does not exist, is not a file, or may not be read. Expected {expected}."
        )
    try:
        with safe_open(path, framework="numpy") as file:
            held = list(file.keys())
            missing = [name for name in names or () if name not in held]
            if missing:
                raise DataError(f"{path}: there is no array {missing[0]!r}. Expected {expected}.")
            header = dict(file.metadata() or {})
            return header, {name: file.get_tensor(name) for name in names or held}
    except _UNREADABLE as error:
        raise unreadable(path, _KIND, error, expected) from None


def names_in_safetensors(path: Path) -> list[str]:
    """The names of the arrays; their numbers are not read."""
    try:
        with safe_open(path, framework="numpy") as file:
            return list(file.keys())
    except _UNREADABLE as error:
        raise unreadable(path, _KIND, error, "tensors") from None


def tensors_of_safetensors(path: Path, expected: str) -> dict[str, Any]:
    """All arrays as tensors of torch, which has kinds of numbers that numpy has not."""
    from safetensors.torch import load_file

    try:
        found: dict[str, Any] = load_file(path)
    except _UNREADABLE as error:
        raise unreadable(path, _KIND, error, expected) from None
    return found

"""Arrays and names from files of others, checked on the way in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.class_entries import check_once
from graphzsl.errors import DataError


def key(arrays: dict[str, Any], name: str, path: Path, expected: str) -> Any:
    """A value of a file, or DataError naming file, key and what was expected."""
    if name not in arrays:
        raise DataError(
            f"{path}: {name} is missing; expected {expected}. The file has"
            f" {', '.join(sorted(arrays)) or 'nothing'}."
        )
    return arrays[name]


def matrix(value: Any, name: str, path: Path, shape: tuple[int | None, int | None]) -> np.ndarray:
    """[rows, columns] float32, all finite; None in ``shape`` is any size."""
    wanted = " × ".join("any" if size is None else f"{size:,}" for size in shape)
    if not isinstance(value, np.ndarray) or value.ndim != 2 or value.dtype.kind not in "fiu":
        raise DataError(f"{path}: {name} must be a matrix of numbers, {wanted}.")
    if any(
        size is not None and size != have for size, have in zip(shape, value.shape, strict=True)
    ):
        raise DataError(
            f"{path}: {name} is {value.shape[0]:,} × {value.shape[1]:,}; expected {wanted}."
        )
    bad = np.argwhere(~np.isfinite(value))
    if len(bad):
        raise DataError(f"{path}: {name} is not finite in row {bad[0][0]}, column {bad[0][1]}.")
    return value.astype(np.float32)


def numbers_from_one(value: Any, name: str, path: Path, largest: int, what: str) -> np.ndarray:
    """MATLAB's 1-based indices [n] -> 0-based int64; each must be a whole number from 1 to
    ``largest``."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu" or array.size != max(array.shape, default=0):
        raise DataError(f"{path}: {name} must be a list of numbers.")
    flat = array.ravel()
    whole = flat.astype(np.int64)
    bad = np.flatnonzero((whole != flat) | (whole < 1) | (whole > largest))
    if len(bad):
        raise DataError(
            f"{path}: {name} holds {flat[bad[0]]} at position {bad[0] + 1}; expected {what} from 1"
            f" to {largest:,}."
        )
    return whole - 1


def distinct(names: Sequence[str], key_name: str, path: Path) -> list[str]:
    """Class names, each once."""
    distinct_names = [name.strip() for name in names]
    if "" in distinct_names:
        raise DataError(f"{path}: {key_name} holds an empty name.")
    check_once(distinct_names, f"{path}: {key_name}")
    return distinct_names

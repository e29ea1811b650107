"""Arrays and names from files of others, checked on the way in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.checked_names import check_classes, names_of_array
from graphzsl.common.errors import DataError


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
    with np.errstate(over="ignore"):
        single = value.astype(np.float32)
    bad = np.argwhere(~np.isfinite(single))
    if len(bad):
        row, column = bad[0]
        what = "does not fit 32 bits" if np.isfinite(value[row, column]) else "is not finite"
        raise DataError(f"{path}: {name} {what} in row {row}, column {column}.")
    return single


def numbers_from_one(value: Any, name: str, path: Path, largest: int, what: str) -> np.ndarray:
    """MATLAB's 1-based indices [n] -> 0-based int64; each must be a whole number from 1 to
    ``largest``."""
    array = np.asarray(value)
    if array.dtype.kind not in "fiu" or array.size != max(array.shape, default=0):
        raise DataError(f"{path}: {name} must be a list of numbers.")
    flat = array.ravel()
    with np.errstate(invalid="ignore"):
        whole = flat.astype(np.int64)
    bad = np.flatnonzero((whole != flat) | (whole < 1) | (whole > largest))
    if len(bad):
        raise DataError(
            f"{path}: {name} holds {flat[bad[0]]} at position {bad[0] + 1}; expected {what} from 1"
            f" to {largest:,}."
        )
    return whole - 1


def listed(value: Any, key_name: str, path: Path) -> list[str]:
    """The class names of a list or an array of a file."""
    return names_of_array(value, f"{path}: {key_name}")


def distinct(names: Any, key_name: str, path: Path) -> list[str]:
    """Class names, each once."""
    distinct_names = [name.strip() for name in listed(names, key_name, path)]
    check_classes(distinct_names, f"{path}: {key_name}")
    return distinct_names

"""Files of torch (.pt, .pth): tensors, lists and dictionaries, and never code.

torch trusts what such a file says of sizes: it would read behind a storage that is smaller than its
tensors, and take memory that no byte of the file fills. Both are checked before torch reads it.
"""

from __future__ import annotations

import pickle
import struct
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.reading import compressed
from graphzsl.common.reading.bounds import (
    check_memory,
    check_promise,
    checked_size,
    unreadable,
)
from graphzsl.common.reading.pickle_files import Made, objects_of_pickle

if TYPE_CHECKING:
    import numpy as np

#: Kind of a storage -> bytes of a value.
_BYTES = {
    **dict.fromkeys(("Untyped", "Byte", "Char", "Bool", "QInt8", "QUInt8"), 1),
    **dict.fromkeys(("Short", "Half", "BFloat16"), 2),
    **dict.fromkeys(("Int", "Float", "QInt32"), 4),
    **dict.fromkeys(("Long", "Double", "ComplexFloat"), 8),
    "ComplexDouble": 16,
}
#: Pickles before the one of the content in files of torch before 1.6.
_BEFORE = 3
_KIND = "a file of tensors and lists alone"
#: What torch and zipfile end in over a damaged file.
_UNREADABLE = (
    *(RuntimeError, KeyError, IndexError, TypeError, AttributeError, AssertionError),
    *(OverflowError, NotImplementedError, ImportError),
    *(pickle.UnpicklingError, struct.error, zipfile.BadZipFile, *compressed.UNREADABLE),
)


def read_torch(path: Path, expected: str, device: Any = "cpu") -> Any:
    """Content of a file of ``torch.save``: tensors, lists, dictionaries, texts and numbers.

    Args:
        path: the file.
        expected: what it should hold, for messages.
        device: where tensors go.

    Raises:
        DataError: names the file: absent, damaged, other objects in it, sizes that its bytes do
            not fill.
    """
    require("torch")
    import torch

    path = Path(path)
    try:
        _check(path)
        return torch.load(path, map_location=device, weights_only=True)
    except FileNotFoundError:
        raise DataError(f"{path} does not exist. Expected {expected}.") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder. Expected {expected}.") from None
    except pickle.UnpicklingError:
        raise DataError(
            f"{path}: not {_KIND} (other objects could run code, and are"
            f" not read). Expected {expected}."
        ) from None
    except _UNREADABLE as error:
        raise unreadable(path, _KIND, error, expected) from None


def as_array(value: Any, name: str, path: Path) -> np.ndarray:
    """The numbers of a tensor that ``read_torch`` gave; floats of any size as float32.

    Raises:
        DataError: it is not a dense tensor of real numbers, or larger than its file.
    """
    import torch

    if not isinstance(value, torch.Tensor):
        raise DataError(f"{path}: {name} must be a tensor, not {type(value).__name__}.")
    if value.layout != torch.strided or value.is_complex() or value.is_quantized:
        raise DataError(f"{path}: {name} must be a dense tensor of real numbers.")
    if value.numel() * value.element_size() > path.stat().st_size:
        raise DataError(f"{path}: {name} is larger than the file: its numbers are repeated.")
    check_memory(4 * value.numel(), f"{path}: {name}")
    dense = value.detach().cpu()
    found: np.ndarray = (dense.float() if dense.is_floating_point() else dense).numpy()
    return found


def check_torch(path: Path) -> None:
    """DataError for a file whose sizes its bytes do not fill, or that is no file of torch; for
    libraries that read it themselves."""
    try:
        _check(path)
    except _UNREADABLE as error:
        raise unreadable(path, _KIND, error, "tensors") from None


def _check(path: Path) -> None:
    checked_size(path)
    with path.open("rb") as file:
        start = file.read(4)
        if not start:
            raise ValueError("it is empty")
        if start[:2] == b"PK":
            _check_archive(path)
        elif start[:1] == b"\x80":
            file.seek(0)
            _check_pickles(path, file)
        else:
            raise ValueError("it does not begin as torch.save writes it")


def _check_archive(path: Path) -> None:
    size = path.stat().st_size
    with zipfile.ZipFile(path) as archive:
        records = {info.filename.partition("/")[2]: info for info in archive.infolist()}
        if len(records) < len(archive.infolist()):
            raise ValueError("two records have one name")
        for name, info in records.items():
            check_promise(info.file_size, min(info.compress_size, size), f"{path}: {name}")
        with archive.open(records["data.pkl"]) as file:
            objects = objects_of_pickle(file, str(path))  # type: ignore[arg-type]
    stored = {name.removeprefix("data/"): info.file_size for name, info in records.items()}
    _check_objects(objects, lambda key: stored[key])


def _check_pickles(path: Path, file: BinaryIO) -> None:
    for _ in range(_BEFORE):
        objects_of_pickle(file, str(path))
    objects = objects_of_pickle(file, str(path))
    left = path.stat().st_size - file.tell()
    kept = {key: _size(each) for each in objects if (key := _key(each)) is not None}
    if sum(kept.values()) > left:
        raise ValueError(f"storages of {sum(kept.values()):,} bytes in {left:,}")
    _check_objects(objects, lambda key: kept[key])


def _key(each: Made) -> str | None:
    return str(each.of[2]) if each.how == "persistent" else None


def _size(storage: Made) -> int:
    """The bytes that a storage is said to have."""
    mark, kind, _, _, count = storage.of[:5]
    if mark != "storage" or type(count) is not int or count < 0:
        raise ValueError("a storage without a size")
    name = kind.how.rpartition(".")[2].removesuffix("Storage")
    return int(count) * _BYTES[name]


def _check_objects(objects: list[Made], stored: Any) -> None:
    """ValueError for storages larger than what is stored, and tensors larger than their storage."""
    for each in objects:
        if each.how == "persistent":
            if _size(each) > stored(_key(each)):
                raise ValueError(f"storage {_key(each)} is smaller than its tensors")
        elif "_rebuild" in each.how:
            _check_tensor(each)


def _check_tensor(made: Made) -> None:
    parts = made.of
    while isinstance(parts, tuple) and parts and isinstance(parts[0], Made):
        if parts[0].how == "persistent":
            break
        parts = parts[0].of  # a Parameter around a tensor
    if not (isinstance(parts, tuple) and len(parts) >= 4 and isinstance(parts[0], Made)):
        return  # torch refuses what is none of these
    storage, offset, shape, strides = parts[:4]
    if type(offset) is not int or not isinstance(shape, tuple) or not isinstance(strides, tuple):
        return
    numbers = [offset, *shape, *strides]
    if len(shape) != len(strides) or not all(type(n) is int and n >= 0 for n in numbers):
        raise ValueError("a tensor of no shape")
    if 0 in shape:
        return
    last = offset + sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True))
    if last >= storage.of[4]:
        raise ValueError("a tensor is larger than its storage")

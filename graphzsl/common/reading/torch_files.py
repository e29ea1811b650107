"""Files of torch (.pt, .pth): tensors, lists and dictionaries, and never code.

torch 2.10 and later refuse a file whose tensors are larger than what is stored.
"""

from __future__ import annotations

import pickle
import struct
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.reading import compressed
from graphzsl.common.reading.bounds import (
    check_memory,
    check_promise,
    checked_size,
    unreadable,
)

if TYPE_CHECKING:
    import numpy as np

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


def _check(path: Path) -> None:
    size = checked_size(path)
    with path.open("rb") as file:
        start = file.read(2)
    if start == b"PK":
        with zipfile.ZipFile(path) as archive:
            for info in archive.infolist():
                stored = min(info.compress_size, size)
                check_promise(info.file_size, stored, f"{path}: {info.filename}")
    elif start[:1] != b"\x80":
        raise ValueError("it does not begin as torch.save writes it" if start else "it is empty")

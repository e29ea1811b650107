"""HDF5 files from elsewhere: only values that the file itself holds are read.

HDF5 can keep values in other files (external storage, virtual data sets) and link into them. A file
that was downloaded could so name any file of the machine, and its content would end in what is
written here. Such objects are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.errors import DataError
from graphzsl.extras import require

#: Soft links followed one after another.
MOST_LINKS = 16
#: Deflate packs at most 1,032 bytes into one; a larger promise is not backed by the file. Small
#: ones do no harm.
LARGEST_RATIO, HARMLESS = 1100, 64 << 20


@contextmanager
def open_hdf5(path: Path) -> Iterator[Any]:
    """The file, open to read. DataError when it is absent, not HDF5, or damaged, also where that
    shows while it is read."""
    require("h5py")
    import h5py

    if not Path(path).is_file():
        raise DataError(f"{path} does not exist.")
    if not h5py.is_hdf5(path):
        raise DataError(f"{path}: not an HDF5 file.")
    try:
        with h5py.File(path, "r") as file:
            yield file
    except (
        OSError,
        RuntimeError,
        KeyError,
        ValueError,
        TypeError,
        OverflowError,
        MemoryError,
    ) as error:
        text = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise DataError(f"{path}: the HDF5 file is damaged ({text}). Fetch it again.") from None


def find(file: Any, name: str, path: Path) -> Any:
    """The group or data set ``name`` ("images/n02084071") of an open file, or None; DataError when
    a link leaves the file."""
    import h5py
    from h5py import h5l

    left = MOST_LINKS
    node, parts = file, name.strip("/").split("/")
    while parts:
        part = parts.pop(0).encode()
        if not isinstance(node, h5py.Group) or not node.id.links.exists(part):
            return None
        kind = node.id.links.get_info(part).type
        if kind == h5l.TYPE_SOFT:
            target = node.id.links.get_val(part).decode()
            node = file if target.startswith("/") else node
            parts = [text for text in target.split("/") if text not in ("", ".")] + parts
            left -= 1
            if not left:
                raise DataError(f"{path}: {name} is a chain of more than {MOST_LINKS - 1} links.")
        elif kind == h5l.TYPE_HARD:
            node = node[part]
        else:
            raise DataError(
                f"{path}: {name} is a link into another file. Copy the values into this file first"
                " (h5copy)."
            )
    return node


def values(node: Any, name: str, path: Path, rows: int | None = None) -> np.ndarray:
    """The values of a data set, or its first ``rows`` rows; DataError when they are not in the file
    itself."""
    import h5py

    if not isinstance(node, h5py.Dataset):
        raise DataError(f"{path}: {name} must be a data set of values, not a group.")
    if node.is_virtual or node.external:
        raise DataError(
            f"{path}: {name} keeps its values in another file. Copy them into this file first"
            " (h5repack)."
        )
    if node.nbytes > max(HARMLESS, LARGEST_RATIO * node.id.get_storage_size()):
        raise DataError(
            f"{path}: {name} promises {node.nbytes:,} bytes and stores"
            f" {node.id.get_storage_size():,}; the file is damaged."
        )
    return np.asarray(node[:rows] if node.ndim else node[()])

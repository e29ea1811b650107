"""MATLAB files: v5 in a process of its own (``matlab_child.py``), v7.3 as the HDF5 that it is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.reading.bounds import is_file
from graphzsl.common.reading.child import reading_child
from graphzsl.common.reading.hdf5_files import Hdf5, is_hdf5, open_hdf5

CHILD = Path(__file__).with_name("matlab_child.py")


def read_mat(path: Path) -> dict[str, Any]:
    """Name -> value of a MATLAB file: arrays in MATLAB's orientation, cells of text as lists of
    str, None for anything else.

    DataError names the file: absent, damaged, or (v7.3) with values that are kept in other files.
    """
    require("h5py")
    path = Path(path)
    if not is_file(path):
        raise DataError(f"{path} does not exist, or may not be read.")
    if not is_hdf5(path):
        return read_v5(path)
    with open_hdf5(path) as file:
        names = file.names() or []
        return {name: _v73(file, name) for name in names if file.shape(name) is not None}


def read_v5(path: Path, seconds: float | None = None, memory: int | None = None) -> dict[str, Any]:
    """Name -> value of a v5 file as in ``read_mat``, read by a child process that may crash, within
    ``seconds`` and ``memory`` bytes (default: by file size)."""
    fault = "not a MATLAB file of arrays"
    with reading_child(CHILD, path, fault, seconds, memory) as child:
        found: dict[str, Any] = {}
        for name, said in child.ask(name=None)[0]["values"].items():
            found[name] = said.get("texts")
            if "dtype" in said:
                content = child.ask(name=name)[1]
                found[name] = np.frombuffer(content, said["dtype"]).reshape(said["shape"])
        return found


def _v73(file: Hdf5, name: str) -> Any:
    """MATLAB 7.3 stores arrays transposed, texts as UTF-16 codes, and cells as references."""
    if file.is_text(name):
        return file.texts(name)
    array = file.values(name)
    return None if array is None else array.T

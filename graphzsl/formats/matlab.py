"""MATLAB files: v5 in a process of its own (``matlab_child.py``), v7.3 as the HDF5 that it is."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.errors import DataError
from graphzsl.extras import require
from graphzsl.formats.hdf5 import find, open_hdf5, values

CHILD = Path(__file__).with_name("matlab_child.py")
#: What a v5 file may take: a fixed part for the interpreter, and a part for each byte of the file
#: (the largest published ones are packed 1:4).
SECONDS, SECONDS_PER_BYTE = 120.0, 1e-6
MEMORY, MEMORY_PER_BYTE = 2 << 30, 32


def read_mat(path: Path) -> dict[str, Any]:
    """Name -> value of a MATLAB file: arrays in MATLAB's orientation, cells of text as lists of
    str, None for anything else.

    DataError names the file: absent, damaged, or (v7.3) with values that are kept in other files.
    """
    require("h5py")
    import h5py

    path = Path(path)
    if not path.is_file():
        raise DataError(f"{path} does not exist.")
    if not h5py.is_hdf5(path):
        return read_v5(path)
    with open_hdf5(path) as file:
        nodes = {name: find(file, name, path) for name in file}
        return {
            name: _v73(file, node, name, path)
            for name, node in nodes.items()
            if isinstance(node, h5py.Dataset)
        }


def read_v5(path: Path, seconds: float | None = None, memory: int | None = None) -> dict[str, Any]:
    """The same of a v5 file, read by a child process that may crash, within ``seconds`` and
    ``memory`` bytes (default: by file size)."""
    size = path.stat().st_size
    seconds = SECONDS + SECONDS_PER_BYTE * size if seconds is None else seconds
    memory = MEMORY + MEMORY_PER_BYTE * size if memory is None else memory
    with tempfile.TemporaryDirectory(prefix="graphzsl-mat-") as folder:
        command = [sys.executable, "-P", str(CHILD), str(path), folder, str(memory)]
        # One thread: each would reserve address space of its own.
        environment = os.environ | {
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
            "MKL_NUM_THREADS": "1",
        }
        try:
            done = subprocess.run(
                command,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            raise DataError(
                f"{path}: not a MATLAB file of arrays (reading it took longer than {seconds:g}"
                " seconds)."
            ) from None
        if done.returncode:
            raise DataError(f"{path}: not a MATLAB file of arrays ({_reason(done, memory)}).")
        listed = json.loads((Path(folder) / "values.json").read_text(encoding="utf-8"))
        return {
            name: (
                np.load(Path(folder) / f"{value}.npy", allow_pickle=False)
                if isinstance(value, int)
                else value
            )
            for name, value in listed.items()
        }


def _reason(done: subprocess.CompletedProcess[bytes], memory: int) -> str:
    if done.returncode < 0:
        return f"it is damaged: reading it ended by signal {-done.returncode}"
    lines = done.stderr.decode(errors="replace").strip().splitlines()
    last = lines[-1] if lines else f"exit status {done.returncode}"
    return f"it needs more than {memory:,} bytes of memory" if "MemoryError" in last else last


def _v73(file: Any, node: Any, name: str, path: Path) -> Any:
    """MATLAB 7.3 stores arrays transposed, texts as UTF-16 codes, and cells as references."""
    import h5py

    array = values(node, name, path)
    if node.dtype == h5py.ref_dtype:
        return [
            "".join(map(chr, values(file[ref], name, path).ravel().astype(int)))
            for ref in array.ravel()
        ]
    return array.T if array.dtype.kind in "fiub" else None

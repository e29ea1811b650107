"""Run by ``matlab.py`` in a process of its own: FILE FOLDER BYTES. Writes each value of a MATLAB v5
file into FOLDER.

scipy trusts the sizes in a file, so a damaged one can end the process that reads it by a signal.
This process may end so. It imports nothing of graphzsl, and an error is its traceback, whose last
line the caller reads.
"""

from __future__ import annotations

import json
import resource
import sys
from pathlib import Path
from typing import Any

import numpy as np
from scipy.io import loadmat


def texts(value: Any) -> list[str] | None:
    """A cell array [C, 1] of texts as a list; None where it is something else."""
    items = list(value.ravel())
    if not all(isinstance(item, np.ndarray) and item.dtype.kind == "U" for item in items):
        return None
    return [str(item.ravel()[0]) if item.size else "" for item in items]


def main(file: str, folder: Path, limit: int) -> None:
    """values.json: name -> list of texts, number of an .npy file, or null for what is neither."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))
    described: dict[str, Any] = {}
    for number, (name, value) in enumerate(loadmat(file, squeeze_me=False).items()):
        if name.startswith("__"):
            continue
        described[name] = None
        if isinstance(value, np.ndarray) and value.dtype == object:
            described[name] = texts(value)
        elif isinstance(value, np.ndarray) and value.dtype.kind in "fiubU":
            np.save(folder / f"{number}.npy", value, allow_pickle=False)
            described[name] = number
    (folder / "values.json").write_text(json.dumps(described), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]))

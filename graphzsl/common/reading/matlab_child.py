"""Run by ``matlab_files.py`` in a process of its own: FILE BYTES SECONDS. Answers what the
values of a MATLAB v5 file are.

scipy trusts the sizes in a file, so a damaged one can end the process that reads it by a signal.
This process may end so. It imports nothing of graphzsl.
"""

from __future__ import annotations

import json
import resource
import sys
import zlib
from typing import Any

import numpy as np
from scipy.io import loadmat
from scipy.io.matlab import MatReadError

#: What scipy raises over a damaged file.
_DAMAGED = (
    *(OSError, RuntimeError, KeyError, ValueError, TypeError, OverflowError, MemoryError),
    *(AttributeError, IndexError, NotImplementedError, zlib.error, MatReadError, EOFError),
    *(UnboundLocalError, AssertionError, ZeroDivisionError),
)


def texts(value: Any) -> list[str] | None:
    """A cell array [C, 1] of texts as a list; None where it is something else."""
    items = list(value.ravel())
    if not all(isinstance(item, np.ndarray) and item.dtype.kind == "U" for item in items):
        return None
    return [str(item.ravel()[0]) if item.size else "" for item in items]


def described(value: Any) -> dict[str, Any]:
    """A value without its numbers: texts, a shape, or nothing where it is neither."""
    if isinstance(value, np.ndarray) and value.dtype == object:
        return {"texts": texts(value)}
    if isinstance(value, np.ndarray) and value.dtype.kind in "fiubU":
        return {"dtype": value.dtype.newbyteorder("=").str, "shape": list(value.shape)}
    return {}


def limit(memory: int, seconds: int) -> None:
    """Bytes of memory and seconds of the processor that this process may take."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds)):
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, hard))


def serve(path: str, requests: Any, answers: Any) -> None:
    """Answer every line of the requests."""
    held: dict[str, Any] = {}
    for line in requests:
        content: bytes | memoryview = b""
        try:
            name = json.loads(line)["name"]
            if name is None:
                held = {
                    key: value
                    for key, value in loadmat(path, squeeze_me=False).items()
                    if not key.startswith("__")
                }
                told: dict[str, Any] = {
                    "values": {key: described(value) for key, value in held.items()}
                }
            else:
                array = np.ascontiguousarray(held[name], held[name].dtype.newbyteorder("="))
                content = array.reshape(-1).view(np.uint8).data
                told = {"bytes": array.nbytes}
        except _DAMAGED as error:
            kind = type(error)
            where = "" if kind.__module__ == "builtins" else f"{kind.__module__}."
            told = {"damaged": f"{where}{kind.__name__}: {error}"[:300].splitlines()[0]}
        answers.write(json.dumps(told).encode() + b"\n")
        answers.write(content)
        answers.flush()


if __name__ == "__main__":
    limit(int(sys.argv[2]), int(sys.argv[3]))
    serve(sys.argv[1], sys.stdin.buffer, sys.stdout.buffer)

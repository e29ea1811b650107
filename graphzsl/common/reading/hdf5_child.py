"""Run by ``hdf5_files.py`` in a process of its own: FILE BYTES SECONDS. Answers what it
is asked of an HDF5 file.

Damaged files crash the HDF5 library or keep it for ever; this process may end so. It imports
nothing of graphzsl. Values that are kept in other files, and links into them, are refused: a file
that was downloaded could so name any file of the machine.
"""

from __future__ import annotations

import json
import resource
import sys
from typing import Any

import h5py
import numpy as np
from h5py import h5l

#: Soft links followed one after another.
MOST_LINKS = 16
#: As in ``bounds.py``.
LARGEST_RATIO, HARMLESS = 1100, 64 << 20
#: What the library raises over a damaged file.
_DAMAGED = (
    *(OSError, RuntimeError, KeyError, ValueError, TypeError, OverflowError, MemoryError),
    *(AttributeError, IndexError, NotImplementedError, SystemError),
)


class Refused(Exception):
    """Raised for content that is refused in a file that can be read."""


def find(file: Any, name: str) -> Any:
    """The group or data set ``name`` of an open file, or None."""
    left = MOST_LINKS
    node, parts = file, [part for part in name.split("/") if part]
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
                raise Refused(f"{name} is a chain of more than {MOST_LINKS - 1} links.")
        elif kind == h5l.TYPE_HARD:
            node = node[part]
        else:
            raise Refused(
                f"{name} is a link into another file. Copy the values into this file first"
                " (h5copy)."
            )
    return node


def described(node: Any) -> dict[str, Any]:
    """Description of a node: nothing, a group with its names, or a data set with its shape."""
    if node is None:
        return {"is": "nothing"}
    if isinstance(node, h5py.Group):
        return {"is": "group", "names": sorted(node)}
    if not isinstance(node, h5py.Dataset):
        return {"is": "nothing"}
    if node.shape is None:
        raise Refused(f"{node.name} is a data set without values.")
    return {"is": "values", "shape": list(node.shape), "is_text": node.dtype == h5py.ref_dtype}


def values(node: Any, name: str, rows: int | None = None) -> np.ndarray:
    """The values of a data set, or its first ``rows`` rows."""
    if not isinstance(node, h5py.Dataset):
        raise Refused(f"{name} must be a data set of values, not a group.")
    if node.is_virtual or node.external:
        raise Refused(
            f"{name} keeps its values in another file. Copy them into this file first (h5repack)."
        )
    stored = node.id.get_storage_size()
    if node.nbytes > max(HARMLESS, LARGEST_RATIO * stored):
        raise Refused(
            f"{name} promises {node.nbytes:,} bytes and stores {stored:,}; the file is damaged."
        )
    return np.asarray(node[:rows] if node.ndim else node[()])


def texts(file: Any, node: Any, name: str) -> list[str]:
    """Texts that the references of MATLAB's cells lead to, stored as UTF-16 codes."""
    found = []
    for ref in values(node, name).ravel():
        if not ref:
            raise Refused(f"{name} has a cell that leads nowhere.")
        codes = values(file[ref], name).ravel().astype(int)
        found.append("".join(map(chr, codes)))
    return found


def answer(file: Any, request: dict[str, Any]) -> tuple[dict[str, Any], bytes | memoryview]:
    """(answer, bytes behind it)."""
    name = request["name"]
    node = find(file, name)
    if request["do"] == "describe":
        return described(node), b""
    if request["do"] == "texts":
        return {"texts": texts(file, node, name)}, b""
    array = np.ascontiguousarray(values(node, name, request["rows"]))
    if array.dtype.kind not in "fiub":
        return {"dtype": None, "shape": list(array.shape)}, b""
    array = array.astype(array.dtype.newbyteorder("="), copy=False)
    head = {"dtype": array.dtype.str, "shape": list(array.shape), "bytes": array.nbytes}
    return head, array.reshape(-1).view(np.uint8).data


def limit(memory: int, seconds: int) -> None:
    """Bytes of memory and seconds of the processor that this process may take."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    for kind, most in ((resource.RLIMIT_AS, memory), (resource.RLIMIT_CPU, seconds)):
        hard = resource.getrlimit(kind)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (least, hard))


def serve(path: str, requests: Any, answers: Any) -> None:
    """Answer every line of the requests."""
    file = None
    for line in requests:
        content: bytes | memoryview = b""
        try:
            file = file or h5py.File(path, "r")
            told, content = answer(file, json.loads(line))
        except Refused as error:
            told = {"refuse": str(error)}
        except _DAMAGED as error:
            lines = str(error).splitlines() or [type(error).__name__]
            lack = "MemoryError: " if isinstance(error, MemoryError) else ""
            told = {"damaged": f"{lack}{lines[0]}"[:300]}
        answers.write(json.dumps(told).encode() + b"\n")
        answers.write(content)
        answers.flush()


if __name__ == "__main__":
    limit(int(sys.argv[2]), int(sys.argv[3]))
    serve(sys.argv[1], sys.stdin.buffer, sys.stdout.buffer)

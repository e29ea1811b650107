"""HDF5: groups and values that the file itself holds, read by a process of its own
(``hdf5_child.py``).

HDF5 can keep values in other files (external storage, virtual data sets) and link into them. A file
that was downloaded could so name any file of the machine, and its content would end in what is
written here. Such objects are refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.reading.bounds import is_file
from graphzsl.common.reading.child import Child, reading_child

CHILD = Path(__file__).with_name("hdf5_child.py")
#: Where the first bytes of an HDF5 file may stand: at 0, 512, 1024, …
_SIGNATURE = b"\x89HDF\r\n\x1a\n"


@dataclass(frozen=True)
class Hdf5:
    """An open file. Names lead from its root: ``images/n02084071``."""

    path: Path
    child: Child

    def names(self, group: str = "") -> list[str] | None:
        """Names in a group, sorted; None if there is no such group."""
        found: list[str] | None = self._described(group).get("names")
        return found

    def shape(self, name: str) -> tuple[int, ...] | None:
        """The shape of a data set; None where there is none of this name."""
        found = self._described(name)
        return tuple(found["shape"]) if found["is"] == "values" else None

    def is_text(self, name: str) -> bool:
        """True if a data set holds references, as MATLAB's cells of text do."""
        return bool(self._described(name).get("is_text"))

    def values(self, name: str, rows: int | None = None) -> Any:
        """The numbers of a data set, or its first ``rows`` rows; None where it holds others.

        Raises:
            DataError: it is not there or a group, or its values are not in the file itself.
        """
        answer, content = self.child.ask(do="values", name=name, rows=rows)
        if answer["dtype"] is None:
            return None
        return np.frombuffer(content, answer["dtype"]).reshape(answer["shape"])

    def texts(self, name: str) -> list[str]:
        """The texts of MATLAB's cells."""
        found: list[str] = self.child.ask(do="texts", name=name)[0]["texts"]
        return found

    def _described(self, name: str) -> dict[str, Any]:
        return self.child.ask(do="describe", name=name)[0]


def is_hdf5(path: Path) -> bool:
    """True if a file has the signature of HDF5, at its beginning or behind a block of the user's
    own."""
    size, at = path.stat().st_size, 0
    with path.open("rb") as file:
        while at < size:
            file.seek(at)
            if file.read(len(_SIGNATURE)) == _SIGNATURE:
                return True
            at = 2 * at or 512
    return False


@contextmanager
def open_hdf5(path: Path) -> Iterator[Hdf5]:
    """The file, open to read. DataError when it is absent, not HDF5, or damaged, also where that
    shows while it is read."""
    require("h5py")
    path = Path(path)
    if not is_file(path):
        raise DataError(f"{path} does not exist, or may not be read.")
    if not is_hdf5(path):
        raise DataError(f"{path}: not an HDF5 file.")
    with reading_child(CHILD, path, "the HDF5 file is damaged") as child:
        yield Hdf5(path, child)

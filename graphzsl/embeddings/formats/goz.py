"""GOZ's feature store: HDF5 with ``/images/<wnid>`` [n, D] float32 and ``/idx/<wnid>`` [n], and its
class lists (plain pickles)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.files import sha256
from graphzsl.common.reading.hdf5_files import open_hdf5
from graphzsl.common.reading.pickle_files import read_plain_pickle
from graphzsl.data.samples import Samples
from graphzsl.embeddings.formats.arrays import distinct, matrix


def read_goz(
    path: Path, classes: Sequence[str] | None = None, per_class: int | None = None
) -> Samples:
    """Features of some classes (default: all of the file), the first ``per_class`` of each where
    that is given."""
    path = Path(path)
    blocks: list[np.ndarray] = []
    labels: list[str] = []
    with open_hdf5(path) as file:
        images = file.names("images")
        if not images:
            raise DataError(f"{path}: /images is missing or empty; expected /images/<wnid> [n, D].")
        for wnid in classes if classes is not None else images:
            name = f"images/{wnid}"
            shape = file.shape(name)
            if shape is None:
                if wnid not in images:
                    raise DataError(f"{path}: there is no /images/{wnid}.")
                raise DataError(f"{path}: {name} is a group, not a data set of values.")
            wanted = blocks[0].shape[1] if blocks else None
            block = matrix(file.values(name, per_class), name, path, (None, wanted))
            numbers = file.shape(f"idx/{wnid}")
            if numbers is not None and numbers != shape[:1]:
                raise DataError(
                    f"{path}: /idx/{wnid} has the shape {list(numbers)} for {shape[0]:,} images."
                )
            blocks.append(block)
            labels += [wnid] * len(block)
    return Samples(
        np.concatenate(blocks),
        labels,
        {"features": Path(path).name, "sha256": sha256(path), "per_class": per_class},
    )


def read_goz_classes(path: Path) -> list[str]:
    """A class list of GOZ: a pickle of a plain list of wnids, parsed by opcode."""
    wnids = read_plain_pickle(path)
    if not isinstance(wnids, list) or not all(isinstance(wnid, str) for wnid in wnids):
        raise DataError(f"{path}: expected a list of wnids.")
    return distinct(wnids, "the list", path)

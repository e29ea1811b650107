"""ImageNet of "the good, the bad and the ugly": features in HDF5, word vectors and splits in MATLAB
files.

HDF5: ``features`` [N, D], ``labels`` [N], ``features_val``, ``labels_val`` (the validation images
of the training classes); ``w2v`` is S × C in MATLAB; the splits hold 1-based class numbers: hops2,
hops3, all, mp500 … lp5000 (hops under their published names, one too far). Training classes are
those with labels in ``labels``, without those of a split.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.files import manifest, sha256
from graphzsl.common.reading.hdf5_files import open_hdf5
from graphzsl.common.reading.matlab_files import read_mat
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix
from graphzsl.data.dataset import TEST_SEEN, TEST_UNSEEN, TRAIN, ZeroShotDataset
from graphzsl.data.samples import Samples
from graphzsl.embeddings.formats.arrays import distinct, key, matrix, numbers_from_one

SPLITS = ("hops2", "hops3", "all", "mp500", "mp1000", "mp5000", "lp500", "lp1000", "lp5000")


def read_gbu_imagenet(
    features: Path, vectors: Path, splits: Path, wnids: list[str] | None = None
) -> ZeroShotDataset:
    """The data set; ``wnids`` [C] names the classes where the vectors' file does not (key
    ``wnids``)."""
    arrays, lists = read_mat(vectors), read_mat(splits)
    table = matrix(key(arrays, "w2v", vectors, "word vectors S × C"), "w2v", vectors, (None, None))
    names = wnids or arrays.get("wnids")
    if not isinstance(names, list):
        raise DataError(
            f"{vectors}: wnids is missing; give the list of classes in the order of w2v."
        )
    names = distinct(names, "wnids", vectors)
    if len(names) not in table.shape:
        raise DataError(
            f"{vectors}: w2v is {table.shape[0]:,} × {table.shape[1]:,}; expected one column for"
            f" each of {len(names):,} wnids."
        )
    table = table if table.shape[0] == len(names) else table.T
    blocks, labels, parts = _samples(Path(features), names)
    tests = {
        name: [
            names[number]
            for number in numbers_from_one(lists[name], name, splits, len(names), "class numbers")
        ]
        for name in SPLITS
        if name in lists
    }
    if not tests:
        raise DataError(f"{splits}: none of {', '.join(SPLITS)} is there.")
    usable = np.abs(table).sum(axis=1) > 0
    known = {name for name, use in zip(names, usable, strict=True) if use}
    unseen = {wnid for members in tests.values() for wnid in members}
    where = np.array(
        [
            TEST_UNSEEN if label in unseen else part
            for label, part in zip(labels, parts, strict=True)
        ],
        dtype="U16",
    )
    where[[label not in known for label in labels]] = ""
    seen = set(np.array(labels)[where == TRAIN].tolist())
    train = [name for name in names if name in seen]
    metadata = {
        "features": Path(features).name,
        "files": {Path(p).name: sha256(p) for p in (features, vectors, splits)},
        "without_vector": len(names) - len(known),
    }
    semantics = ClassMatrix(
        [n for n in names if n in known],
        table[usable],
        manifest(EMBEDDINGS, semantics="w2v", file=Path(vectors).name),
    )
    tests = {name: [wnid for wnid in members if wnid in known] for name, members in tests.items()}
    return ZeroShotDataset(
        Samples(np.concatenate(blocks), labels, metadata),
        where,
        semantics,
        train,
        tests,
        [],
        metadata,
    )


def _samples(path: Path, names: list[str]) -> tuple[list[np.ndarray], list[str], list[str]]:
    """(blocks [n, D], labels, parts) of the features' file; samples of ``features_val`` are held
    out."""
    blocks: list[np.ndarray] = []
    labels: list[str] = []
    parts: list[str] = []
    with open_hdf5(path) as file:
        present = set(file.names() or ())
        for suffix, part in (("", TRAIN), ("_val", TEST_SEEN)):
            if suffix and f"features{suffix}" not in present:
                continue
            tables = []
            for name in (f"features{suffix}", f"labels{suffix}"):
                if name not in present:
                    raise DataError(
                        f"{path}: {name} is missing; expected features [N, D] and labels [N]."
                    )
                tables.append(file.values(name))
            block, numbers = (
                tables[0],
                numbers_from_one(tables[1], f"labels{suffix}", path, len(names), "class numbers"),
            )
            block = block if len(block) == len(numbers) else block.T
            width = blocks[0].shape[1] if blocks else None
            blocks.append(matrix(block, f"features{suffix}", path, (len(numbers), width)))
            labels += [names[number] for number in numbers]
            parts += [part] * len(numbers)
    return blocks, labels, parts

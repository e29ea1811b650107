"""The attribute data sets of Xian et al. (2017): a folder with res101.mat and att_splits.mat (AWA1,
AWA2, CUB, SUN, aPY, FLO).

Indices are 1-based. ``trainval_loc``, ``test_seen_loc`` and ``test_unseen_loc`` make the parts.
Validation classes come from ``valclasses1.txt`` … where they are, else from ``val_loc``; the
published train_loc and val_loc contain every test_seen image, so only their classes are used and
the samples are those of trainval: tuning never sees a test sample. Releases without both still
load, without validation classes of their own.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.files import manifest, read_lines, sha256
from graphzsl.common.reading.matlab_files import read_mat
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix
from graphzsl.data.dataset import TEST_SEEN, TEST_UNSEEN, TRAIN, ZeroShotDataset
from graphzsl.data.samples import Samples
from graphzsl.embeddings.formats.arrays import distinct, key, matrix, numbers_from_one


def read_xlsa17(
    folder: Path | str,
    semantics: str = "att",
    splits: str = "att_splits.mat",
    names: Sequence[str] | None = None,
) -> ZeroShotDataset:
    """Read an attribute data set of Xian et al. (2017): AWA1, AWA2, CUB, SUN, aPY or FLO.

    Args:
        folder: the folder of one data set, with res101.mat and the file of ``splits``.
        semantics: the key of the class embeddings: att (unit columns) or original_att.
        splits: the file of splits; att_splits.mat has the proposed ones.
        names: what the classes are called, in the file's order (default: its allclasses_names).

    Returns:
        The data set with its published parts and validation classes.

    Raises:
        DataError: a file or key is missing, shapes do not fit, or parts overlap.

    Reference:
        Xian et al. 2017, "Zero-shot learning: the good, the bad and the ugly".

    >>> gz.read_xlsa17("xlsa17/data/AWA2")
    <ZeroShotDataset: 60 samples of 8 dimensions, 4 training and 2 unseen classes>
    """
    folder = Path(folder)
    features_path, splits_path = folder / "res101.mat", folder / splits
    missing = [path.name for path in (features_path, splits_path) if not path.is_file()]
    if missing:
        raise DataError(
            f"{folder} has no {' and no '.join(missing)}. Expected a folder of one data set of Xian"
            f" et al. (2017), such as xlsa17/data/AWA2, with res101.mat and {splits}; `graphzsl"
            " convert` lists the other formats."
        )
    images, split = read_mat(features_path), read_mat(splits_path)
    features = matrix(
        key(images, "features", features_path, "features D × N"),
        "features",
        features_path,
        (None, None),
    ).T
    attributes = matrix(
        key(split, semantics, splits_path, "attributes A × C"), semantics, splits_path, (None, None)
    ).T
    own = split.get("allclasses_names")
    classes = (
        distinct(own, "allclasses_names", splits_path)
        if isinstance(own, list)
        else [f"class {c + 1}" for c in range(len(attributes))]
    )
    if len(classes) != len(attributes):
        raise DataError(
            f"{splits_path}: {len(classes)} allclasses_names do not fit {len(attributes)} columns"
            f" of {semantics}."
        )
    if names is not None and len(names) != len(classes):
        raise DataError(
            f"{len(names):,} names do not fit the {len(classes):,} classes of {splits_path}, the"
            f" first of which is {classes[0]!r}.",
            argument="wnids",
        )
    labels = numbers_from_one(
        key(images, "labels", features_path, "labels N × 1"),
        "labels",
        features_path,
        len(classes),
        "class numbers",
    )
    if len(labels) != len(features):
        raise DataError(
            f"{features_path}: {len(labels):,} labels do not fit {len(features):,} columns of"
            " features."
        )
    parts = np.full(len(labels), "", dtype="U16")
    for name, part in (
        ("trainval_loc", TRAIN),
        ("test_seen_loc", TEST_SEEN),
        ("test_unseen_loc", TEST_UNSEEN),
    ):
        where = numbers_from_one(
            key(split, name, splits_path, "1-based sample numbers"),
            name,
            splits_path,
            len(labels),
            "sample numbers",
        )
        if (parts[where] != "").any() or len(np.unique(where)) < len(where):
            raise DataError(
                f"{splits_path}: {name} holds a sample that another part or it itself holds"
                " already."
            )
        parts[where] = part
    train = sorted({int(c) for c in labels[parts == TRAIN]})
    test = sorted({int(c) for c in labels[parts == TEST_UNSEEN]})
    for wrong, text in (
        (set(train) & set(test), "has samples in trainval_loc and in test_unseen_loc"),
        (
            {int(c) for c in labels[parts == TEST_SEEN]} - set(train),
            "has samples in test_seen_loc but none in trainval_loc",
        ),
    ):
        if wrong:
            raise DataError(f"{splits_path}: class {classes[min(wrong)]} {text}.")
    unknown = (
        int((split["original_att"] == -1).sum())
        if isinstance(split.get("original_att"), np.ndarray)
        else None
    )
    metadata: dict[str, Any] = {
        "features": features_path.name,
        "data_set": folder.name,
        "files": {path.name: sha256(path) for path in (features_path, splits_path)},
    }
    matrix_metadata = manifest(
        EMBEDDINGS, semantics=semantics, data_set=folder.name, unknown_entries=unknown
    )
    validation = _validation(
        folder, split, splits_path, labels, classes, [classes[c] for c in train]
    )
    called = list(names or classes)
    name_of = dict(zip(classes, called, strict=True))
    return ZeroShotDataset(
        Samples(features, [called[c] for c in labels], metadata),
        parts,
        ClassMatrix(called, attributes, matrix_metadata),
        [called[c] for c in train],
        {"test": [called[c] for c in test]},
        [[name_of[name] for name in held] for held in validation],
        metadata,
    )


def _validation(
    folder: Path,
    split: dict[str, Any],
    path: Path,
    labels: np.ndarray,
    classes: list[str],
    train: list[str],
) -> list[list[str]]:
    """Validation class lists, each a part of the training classes."""
    lists, seen = [], set(train)
    for number in (1, 2, 3):
        file = folder / f"valclasses{number}.txt"
        if not file.exists():
            continue
        names = [text for _, text in read_lines(file)]
        stray = [name for name in names if name not in seen]
        if stray:
            raise DataError(f"{file}: {stray[0]} is not a training class of {path}.")
        lists.append(names)
    if not lists and "val_loc" in split:
        where = numbers_from_one(split["val_loc"], "val_loc", path, len(labels), "sample numbers")
        names = sorted({classes[c] for c in labels[where]})
        stray = [name for name in names if name not in seen]
        if stray:
            raise DataError(
                f"{path}: val_loc holds samples of {stray[0]}, which is not a training class."
            )
        lists.append(names)
    return lists

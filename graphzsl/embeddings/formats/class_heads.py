"""CLIP-style class matrices [D, C], in and out: what open_clip's ``build_zero_shot_classifier``
returns, with the names of its columns."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.files import atomic_write, manifest, sha256
from graphzsl.common.reading.numpy_files import read_npy, read_npz
from graphzsl.common.reading.torch_files import as_array, read_torch
from graphzsl.data.class_matrix import CLASSIFIERS, ClassMatrix
from graphzsl.embeddings.formats.arrays import distinct, listed, matrix
from graphzsl.sources.imagenet import read_entries


def read_class_head(path: Path, names: Path | None = None) -> ClassMatrix:
    """[C, D+1] rows, bias 0, of a [D, C] matrix: ``.npy``, ``.npz`` or ``.pt`` (read with
    ``weights_only``).

    Column names come from ``classes`` in an ``.npz``, or from ``names``, a file of classes.
    """
    values, classes, given_bias = _load(Path(path))
    if names is not None:
        classes = [entry.text for entry in read_entries(names)]
    if classes is None:
        raise DataError(
            f"{path} does not name its columns: give a file with one class per line (`graphzsl"
            " convert class-head` takes one)."
        )
    classes = distinct(classes, "classes", names or path)
    _check_upright(values, len(classes), path)
    table = matrix(values, "the matrix", path, (None, len(classes))).T
    bias = np.zeros((len(table), 1), np.float32)
    if given_bias is not None:
        column = np.asarray(given_bias)
        column = column[:, None] if column.ndim == 1 else column
        bias = matrix(column, "bias", path, (len(table), 1))
    rows = np.concatenate([table, bias], axis=1)
    return ClassMatrix(
        classes,
        rows,
        manifest(
            CLASSIFIERS,
            network=Path(path).stem,
            file=Path(path).name,
            sha256=sha256(path),
        ),
    )


def _check_upright(values: Any, classes: int, path: Path) -> None:
    """DataError for a matrix [C, D] in place of [D, C]; where both are equal, for one whose rows
    have length 1 and whose columns do not: a CLIP head's columns do."""
    if not isinstance(values, np.ndarray) or values.ndim != 2 or values.dtype.kind not in "fiu":
        return
    height, width = values.shape
    turned = height == classes != width
    if height == width == classes > 1:
        lengths = [np.linalg.norm(values.astype(np.float64), axis=axis) for axis in (0, 1)]
        columns, rows = (bool(np.allclose(each, 1, atol=1e-2)) for each in lengths)
        turned = rows and not columns
    if turned:
        raise DataError(
            f"{path}: the matrix is {height:,} × {width:,} for {classes:,} classes, one row per"
            " class; expected one column per class [D, C]. Transpose it."
        )


def write_class_head(classifiers: ClassMatrix, path: Path) -> None:
    """An ``.npz`` with ``classifier`` [D, C], ``bias`` [C] and ``classes`` [C]: in place of a CLIP
    head, features @ classifier + bias."""
    if path.suffix != ".npz":
        raise DataError(
            f"{path}: a class head is written as .npz (classifier [D, C], bias [C], classes [C])."
        )
    with atomic_write(path) as partial, partial.open("wb") as file:
        np.savez(
            file,
            classifier=classifiers.values[:, :-1].T,
            bias=classifiers.values[:, -1],
            classes=np.array(classifiers.wnids),
        )


def _load(path: Path) -> tuple[Any, Any, Any]:
    """(the matrix, the names of its columns, their biases); None for what is not there."""
    expected = "a matrix classifier [D, C]"
    if path.suffix == ".npz":
        matrices = "classifier|weights|zeroshot_weights"
        found, classes, bias = read_npz(path, matrices, "classes?", "bias?", expected=expected)
        return found, None if classes is None else listed(classes, "classes", path), bias
    if path.suffix == ".npy":
        return read_npy(path, expected), None, None
    return as_array(read_torch(path, expected), "the matrix", path), None, None

"""CLIP-style class matrices [D, C], in and out: what open_clip's ``build_zero_shot_classifier``
returns, with the names of its columns."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.data.class_matrix import CLASSIFIERS, ClassMatrix
from graphzsl.errors import DataError
from graphzsl.extras import require
from graphzsl.files import atomic_write, manifest, read_lines, sha256
from graphzsl.formats.arrays import distinct, matrix


def read_class_head(path: Path, names: Path | None = None, network: str = "") -> ClassMatrix:
    """[C, D+1] rows, bias 0, of a [D, C] matrix: ``.npy``, ``.npz`` or ``.pt`` (read with
    ``weights_only``).

    Column names come from ``classes`` in an ``.npz``, or from ``names``, a text file with one class
    per line.
    """
    values, classes, given_bias = _load(Path(path))
    if names is not None:
        classes = [text for _, text in read_lines(names)]
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
            network=network or Path(path).stem,
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


def _load(path: Path) -> tuple[Any, list[str] | None, Any]:
    """(the matrix, the names of its columns, their biases); None for what is not there."""
    import pickle

    try:
        if path.suffix == ".npz":
            with np.load(path, allow_pickle=False) as file:
                name = next(
                    (n for n in ("classifier", "weights", "zeroshot_weights") if n in file), None
                )
                if name is None:
                    raise DataError(
                        f"{path}: classifier [D, C] is missing; the file has"
                        f" {', '.join(file.files)}."
                    )
                classes = [str(c) for c in file["classes"]] if "classes" in file else None
                return file[name], classes, file.get("bias")
        if path.suffix == ".npy":
            return np.load(path, allow_pickle=False), None, None
        require("torch")
        import torch

        tensor = torch.load(path, map_location="cpu", weights_only=True)
        if not isinstance(tensor, torch.Tensor):
            raise DataError(f"{path}: expected one tensor [D, C].")
        return tensor.float().numpy(), None, None
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.") from None
    except (
        ValueError,
        OSError,
        EOFError,
        RuntimeError,
        zipfile.BadZipFile,
        pickle.UnpicklingError,
    ) as error:
        if "pickle" in str(error):  # numpy advises to unpickle what it does not know
            raise DataError(
                f"{path} holds Python objects, which are never unpickled. Save plain arrays, the"
                " classes as an array of text."
            ) from None
        raise DataError(f"{path}: not a matrix ({str(error).splitlines()[0]}).") from None

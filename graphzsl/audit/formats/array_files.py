"""Files of arrays: ``.npz``, ``.pt`` of tensors, and a single ``.npy``."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.formats.array_samples import samples_of_arrays, scores_follow_list_order
from graphzsl.audit.formats.arrays import Kind
from graphzsl.audit.formats.build import Reading, predictions_of_samples
from graphzsl.audit.formats.samples import TrueClasses
from graphzsl.audit.formats.truth import given_labels
from graphzsl.audit.predictions import Predictions
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.reading.numpy_files import check_npz_rows, npz_keys, read_npz
from graphzsl.common.reading.torch_files import as_array, read_torch
from graphzsl.common.wording import counted, some

_SCORES = "scores|logits|probs|probabilities|similarities"
_LISTS = "y_pred|predictions|preds|predicted|pred"
_LABELS = "labels|y_true|targets|target"
#: Names of scores, lists by a name that says so, other predictions, true classes and classes.
_KEYS = (_SCORES, "topk", _LISTS, _LABELS, "classes|class_names|wnids")
_EXPECTED = "scores [N, C], classes [C] and labels [N]; or topk [N, K] and labels [N]"
_INTEGER = re.compile(r"-?[0-9]{1,9}")
#: Samples of a confusion matrix, each of which becomes a row.
_MOST = 20_000_000


@dataclass(frozen=True, eq=False)
class ArrayFile:
    """The arrays of a file by what they are; ``keys`` are what it holds, in words."""

    path: Path
    keys: str
    scores: Any = None
    topk: Any = None
    lists: Any = None
    labels: Any = None
    classes: Any = None

    @property
    def has_predictions(self) -> bool:
        """True if it holds scores or lists."""
        return any(each is not None for each in (self.scores, self.topk, self.lists))


def read_npz_arrays(path: Path, needs_labels: bool) -> ArrayFile:
    """The arrays of an ``.npz``.

    Raises:
        DataError: it cannot be read, or has no predictions, or no labels where it must.
    """
    if needs_labels:
        check_npz_rows(path, f"topk|{_LISTS}|{_SCORES}", _LABELS, _EXPECTED)
    wanted = [f"{names}?" for names in _KEYS]
    file = ArrayFile(path, npz_keys(path), *read_npz(path, *wanted, expected=_EXPECTED))
    if not file.has_predictions:
        raise DataError(
            f"{path}: neither scores nor topk is in the archive, which holds {file.keys}."
            f" Expected {_EXPECTED}."
        )
    if needs_labels and file.labels is None:
        read_npz(path, _LABELS, expected=_EXPECTED)  # says what it holds instead
    return file


def read_torch_arrays(path: Path, reading: Reading) -> ArrayFile | npt.NDArray[Any]:
    """The tensors of a ``.pt``: a dictionary as of ``read_npz_arrays``, a pair of scores and
    labels, or one tensor, as of ``one_array``; no code in it is run.

    Raises:
        DataError: it cannot be read, holds no predictions, or no labels where it must.
    """
    found = read_torch(path, f"a dictionary of tensors: {_EXPECTED}")
    if isinstance(found, list | tuple) and len(found) == 2:
        found = dict(zip(("scores", "labels"), found, strict=True))
    elif hasattr(found, "layout"):
        return one_array(path, as_array(found, "the tensor", path), reading)
    held = found if isinstance(found, Mapping) else {}
    keys = some([str(key) for key in held])

    def chosen(names: str) -> Any:
        key = next((key for key in names.split("|") if key in held), None)
        value = None if key is None else held[key]
        if value is None or isinstance(value, list | tuple):
            return value
        return as_array(value, str(key), path)

    file = ArrayFile(path, keys, *map(chosen, _KEYS))
    if not file.has_predictions:
        what = f"holds {keys}" if held else "is no dictionary"
        raise DataError(
            f"{path}: no predictions of samples are in it: it {what}, and weights of a network are"
            f" none. Expected torch.save of a dictionary with {_EXPECTED}."
        )
    if reading.labels is None and file.labels is None:
        raise DataError(
            f"{path}: labels are not in it: it holds {keys}. Expected {_EXPECTED}; or give a file"
            " of the true classes.",
            argument="labels",
        )
    return file


def one_array(
    path: Path, values: npt.NDArray[Any], reading: Reading
) -> ArrayFile | npt.NDArray[Any]:
    """The single array of an ``.npy`` or a ``.pt``, by its values: floats are scores, whole numbers
    classes, best first; without labels, a square matrix of counts, which is returned alone.

    Raises:
        DataError: it may be either, or nothing says what is true.
    """
    said = f"{path}: an array {list(values.shape)} of {values.dtype}"
    if reading.labels is None:
        is_square = values.ndim == 2 and values.shape[0] == values.shape[1]
        if is_square and values.dtype.kind in "iuf" and (values == np.trunc(values)).all():
            return np.asarray(values)
        raise DataError(
            f"{said}, and nothing says what is true. Give the true classes: a file of them, .npy or"
            " text.",
            argument="labels",
        )
    if values.ndim == 2 and values.dtype.kind == "f":
        return ArrayFile(path, "one array", scores=values)
    if values.ndim not in (1, 2):
        raise DataError(f"{said}; expected scores [N, C], lists [N, K] or classes [N].")
    width = None if reading.classes is None else len(reading.classes)
    if values.ndim == 2 and values.shape[1] == width:
        raise DataError(
            f"{said}, one number per candidate: scores, or lists of classes, best first? Save it"
            " under its name: numpy.savez(…, scores=…, labels=…), or topk=…."
        )
    return ArrayFile(path, "one array", topk=values)


def predictions_of_file(file: ArrayFile, reading: Reading, metadata: dict[str, Any]) -> Predictions:
    """Predictions of the arrays of a file.

    Raises:
        DataError: names the file, and the key or the sample.
    """
    if reading.numbered == "devkit":
        raise DataError(
            f"{file.path} holds positions in its own classes. Numbers of ILSVRC's ground truth are"
            " read from a table.",
            argument="numbered",
        )
    lists = file.lists if file.topk is None else file.topk
    true, own, scores = file.labels, file.classes, file.scores
    if reading.labels is not None:
        count = len(scores if lists is None else lists)
        true, found = given_labels(
            reading.labels, count, None, lambda row: f"{file.path}: sample {row}"
        )
        own_names = [] if own is None else np.asarray(own).tolist()
        texts = [each for each in own_names if isinstance(each, str)]
        true = _positions(true, {*map(str, reading.classes or ()), *texts})
        metadata = {**metadata, **found}
    classes = reading.classes if own is None else own
    has_both = scores is not None and lists is not None
    if has_both and not scores_follow_list_order(scores, lists, classes):
        lists = None  # the scores of all classes say more
    kind: Kind = "scores" if lists is None else "ranked"
    is_matrix = getattr(lists, "ndim", 0) == 2 and lists.dtype.kind == "f"
    if file.topk is None and is_matrix and scores is None:
        kind = "scores"  # under a name that says neither
    samples = samples_of_arrays(
        true,
        scores if lists is None else lists,
        kind,
        classes,
        beside=own is not None,
        y_scores=scores if lists is not None else None,
        source=str(file.path),
    )
    return predictions_of_samples(samples, reading, metadata)


def _positions(true: TrueClasses, names: set[str]) -> Any:
    """True classes of a file as whole numbers where all are such, and not ``names`` of classes."""
    distinct = {name for each in true for name in ([each] if isinstance(each, str) else each)}
    if not all(map(_INTEGER.fullmatch, distinct)) or names.issuperset(distinct):
        return true
    return [int(each) if isinstance(each, str) else [*map(int, each)] for each in true]


def predictions_of_confusions(
    counts: npt.NDArray[Any],
    names: list[str] | None,
    source: str,
    reading: Reading,
    metadata: dict[str, Any],
) -> Predictions:
    """Predictions that a confusion matrix counts, one of each sample.

    Args:
        counts: [C, C] samples of each true class (rows) that were taken for each class.
        names: [C] the classes; None where the candidates are these.
        source: what messages call it.
        reading: how it is read.
        metadata: of the file.

    Raises:
        DataError: it is not square, holds other numbers than counts, or has no names.
    """
    given_elsewhere = reading.labels is not None or reading.truth or reading.columns.every
    if given_elsewhere:
        raise DataError(
            f"{source}: this is a confusion matrix, which says by itself what is true and what is"
            " predicted: labels and columns have no effect.",
            argument="labels" if reading.labels is not None else None,
        )
    size = len(counts)
    counted_from_0 = names == [str(place) for place in range(size)]
    if counted_from_0 and reading.classes is not None and names != [*reading.classes]:
        names = None  # positions in the candidates
    known = names or (None if reading.classes is None else list(reading.classes))
    if known is None or len(known) != size:
        have = "none are given" if known is None else f"there are {len(known):,}"
        raise DataError(
            f"{source}: a confusion matrix of {size:,} classes needs {size:,} candidates in the"
            f" order of its rows; {have}.",
            argument="candidates",
        )
    total = counts.sum()
    if (counts < 0).any() or (counts != np.trunc(counts)).any() or not 0 < total < _MOST:
        raise DataError(
            f"{source}: a confusion matrix holds how many samples of each class were taken for"
            " each: whole numbers from 0. Shares do not say how many."
        )
    cells = np.repeat(np.arange(size * size), counts.astype(np.int64).ravel())
    rows, columns = np.divmod(cells, size)
    log(
        f"{source}: read as a confusion matrix of {counted(len(cells), 'sample')}, rows are true"
        " classes and columns predicted ones: one prediction of each sample is known."
    )
    called = np.array(known)
    samples = samples_of_arrays(
        called[rows],
        called[columns],
        "predicted",
        known,
        beside=names is not None,
        source=source,
    )
    return predictions_of_samples(samples, reading, {**metadata, "confusion_matrix": True})

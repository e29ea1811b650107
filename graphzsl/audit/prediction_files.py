"""Predictions from outside: files, frames and arrays of any classifier. docs/predictions.md has an
example of every form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.audit.class_names import Rename
from graphzsl.audit.formats.array_files import (
    one_array,
    predictions_of_confusions,
    predictions_of_file,
    read_npz_arrays,
    read_torch_arrays,
)
from graphzsl.audit.formats.array_samples import samples_of_arrays, with_columns
from graphzsl.audit.formats.arrays import Kind
from graphzsl.audit.formats.build import (
    Numbered,
    Reading,
    Truth,
    predictions_of_samples,
    predictions_of_table,
)
from graphzsl.audit.formats.columns import ColumnNames
from graphzsl.audit.formats.confusion_tables import confusion_frame, read_confusions
from graphzsl.audit.formats.frames import FRAME, read_parquet_table, table_of_frame
from graphzsl.audit.formats.json_tables import read_json_table
from graphzsl.audit.formats.other_files import check_kind, check_no_metrics
from graphzsl.audit.formats.table import Table, read_text_table
from graphzsl.audit.formats.truth import Labels
from graphzsl.audit.predictions import Predictions
from graphzsl.common.class_entries import check_ordered
from graphzsl.common.errors import DataError
from graphzsl.common.files import sha256
from graphzsl.common.frames import in_order_of, named_columns
from graphzsl.common.reading.bounds import open_file
from graphzsl.common.reading.numpy_files import read_npy
from graphzsl.sources.imagenet import Classes, listed_classes

SAMPLE_PREDICTIONS = Path(__file__).with_name("sample_predictions.csv")
_JSON = (".json", ".jsonl", ".ndjson")
_TEXT = (".csv", ".tsv", ".txt", ".tab")
_TORCH = (".pt", ".pth")


def read_predictions(
    source: Any,
    candidates: Classes | None = None,
    seen: Sequence[str] = (),
    numbered: Numbered = False,
    missing: str = "error",
    labels: Labels | None = None,
    *,
    truth: Truth | None = None,
    label_column: str | None = None,
    pred_column: str | Iterable[str] = (),
    score_column: str | None = None,
    rename: Rename | None = None,
    keep_scores: bool = False,
) -> Predictions:
    """Predictions from outside: scores or ranked lists of any classifier.

    Arrays (``.npz``, and ``.pt`` of tensors): ``scores`` (or logits, probs, …) [N, C] and
    ``classes`` [C], or ``topk`` (y_pred, predictions) [N, K]; with ``labels`` (y_true, targets)
    [N]: names, or positions in ``classes``; never unpickled. One array (``.npy``) is scores [N, C],
    lists of positions [N, K] or positions [N], with ``labels``; without, a square matrix of counts
    is a confusion matrix, whose rows are true classes, as one in a table is.

    Anything else is a table (comma, tab; Parquet; JSON or JSON lines; a DataFrame of pandas or
    polars, an Arrow table, or any object with Arrow's C stream, whose rows count from 0), with one
    row per sample or one per prediction and its score or rank; ``columns_of_table`` says which
    columns count.

    Scores of all candidates can tie; lists cannot: they are sorted by score where they have some,
    and equal scores keep the order of the file. A cell with a list of true classes says that all of
    them are true.

    Args:
        source: the file, or the frame.
        candidates: what the classifier chose from, for a file that does not hold it (default: every
            name in it); some of its own classes, for one that does.
        seen: the training classes, for the generalized setting.
        numbered: classes in a table are positions from 0 in ``candidates``; with "devkit" the true
            ones are numbers of ILSVRC's ground truth, from 1 in an order of its own.
        missing: what to do if a true class is not a candidate: 'error' raises, 'miss' counts its
            samples as wrong.
        labels: the true classes, where the file does not hold them: a file with one class per line
            or with the columns file and class, names in the order of the samples, or file -> name;
            lists of them (of JSON, too) where several are true. "real" is ImageNet-ReaL: the lists
            of the 50,000 images of ILSVRC's validation set, as timm has them.
        truth: "column", or "folder": the true class is the folder of the sample's file (default: a
            column, or else the wnid that is the folder of each file or begins its name).
        label_column: the column of true classes, where its name does not say so.
        pred_column: the column of predictions, or several, best first.
        score_column: the column of their scores.
        rename: called once with the distinct names in the file; gives the class of each, in their
            order. ``candidates`` and positions are not renamed.
        keep_scores: keep scores of all candidates in memory, to be decoded.

    Returns:
        The predictions, with the file's name and checksum.

    Raises:
        DataError: names the file, and its line, row or key; or says what the file is instead.

    >>> _ = Path("clip.csv").write_text("cat,cat,dog\\ndog,cat,dog\\n")
    >>> gz.read_predictions("clip.csv")
    <Predictions: 2 samples of 2 classes, 2 candidates, lists of 2>
    """
    check_ordered(candidates, "candidates")
    is_path = isinstance(source, str | Path)
    if not is_path:
        labels = in_order_of(source, labels, ("the frame", "labels"))
    reading = Reading(
        None if candidates is None else listed_classes(candidates),
        seen,
        numbered,
        missing,
        labels,
        truth,
        rename,
        ColumnNames(
            label_column,
            [pred_column] if isinstance(pred_column, str) else [*pred_column],
            score_column,
        ),
        keep_scores,
    )
    if not is_path:
        facts = {"predictions": "a DataFrame"}
        if (found := confusion_frame(source, FRAME)) is not None:
            return predictions_of_confusions(*found, FRAME, reading, facts)
        return predictions_of_table(table_of_frame(source), reading, facts)
    return _of_file(Path(source), reading)


def _of_file(path: Path, reading: Reading) -> Predictions:
    check_kind(path)
    facts = {"predictions": path.name, "sha256": sha256(path)} if path.is_file() else {}
    suffix = path.suffix.lower()
    arrays: Any = None
    if suffix in _TORCH:
        arrays = read_torch_arrays(path, reading)
    elif suffix == ".npy":
        values = read_npy(path, "scores [N, C] or predicted classes", mapped=True)
        arrays = one_array(path, values, reading)
    elif suffix == ".npz" or _starts(path, b"PK"):
        arrays = read_npz_arrays(path, reading.labels is None)
    if isinstance(arrays, np.ndarray):
        return predictions_of_confusions(arrays, None, str(path), reading, facts)
    if arrays is not None:
        if reading.truth or reading.columns.every:
            raise DataError(f"{path} holds arrays, which have no columns and no folders of files.")
        return predictions_of_file(arrays, reading, facts)
    if (found := read_confusions(path)) is not None:
        return predictions_of_confusions(*found, str(path), reading, facts)
    table = _read_table(path, reading)
    check_no_metrics(path, table.names())
    return predictions_of_table(table, reading, facts)


def predictions_of_arrays(
    y_true: Any,
    values: Any,
    kind: Kind,
    candidates: Classes | None = None,
    seen: Sequence[str] = (),
    missing: str = "error",
    *,
    rename: Rename | None = None,
    keep_scores: bool = False,
) -> Predictions:
    """Predictions of arrays of numpy or torch (on any device), series or lists. Where both are of
    pandas, their indices say which rows belong together.

    Args:
        y_true: [N] the true classes, or lists of them (``samples_of_arrays``).
        values: what is predicted, by ``kind``; scores are of the classes that the columns of a
            DataFrame are called by.
        kind: what ``values`` are.
        candidates, seen, missing, rename, keep_scores: as of ``read_predictions``.

    Raises:
        DataError: shapes or indices do not fit, scores come without classes, or names the sample
            of a score that is not a number, a class that is no candidate or one that is predicted
            twice.

    >>> from graphzsl.audit.prediction_files import predictions_of_arrays
    >>> predictions_of_arrays([0, 1], [[0.9, 0.1], [0.4, 0.6]], "scores", ["cat", "dog"])
    <Predictions: 2 samples of 2 classes, 2 candidates>
    """
    check_ordered(candidates, "candidates")
    names = None if candidates is None else listed_classes(candidates)
    reading = Reading(names, seen, missing=missing, rename=rename, keep_scores=keep_scores)
    values = in_order_of(y_true, values, ("y_true", "predictions"))
    samples = samples_of_arrays(y_true, values, kind, names)
    if kind == "scores" and (own := named_columns(values)) is not None:
        samples = with_columns(samples, own, names)
    return predictions_of_samples(samples, reading, {"predictions": "arrays"})


def _starts(path: Path, magic: bytes) -> bool:
    if not path.is_file():
        return False
    with open_file(path) as file:
        return bool(file.read(len(magic)) == magic)


def _read_table(path: Path, reading: Reading) -> Table:
    suffix = path.suffix.lower()
    if suffix == ".parquet" or (suffix not in _TEXT and _starts(path, b"PAR1")):
        return read_parquet_table(path)
    brackets = any(_starts(path, mark) for mark in (b"{", b"["))
    if suffix in _JSON or (suffix not in _TEXT and brackets):
        return read_json_table(path)
    renames = reading.rename is not None
    columns = reading.columns.every
    return read_text_table(path, reading.classes, bool(reading.numbered), renames, columns)

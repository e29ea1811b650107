"""Predictions from outside: files, frames and arrays of any classifier. docs/predictions.md has an
example of every form."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.audit.formats.array_predictions import predictions_of, with_columns
from graphzsl.audit.formats.arrays import (
    columns_as_classes,
    given_arrays,
    scores_follow_list_order,
)
from graphzsl.audit.formats.build import Numbered, Reading, Truth, predictions_of_table
from graphzsl.audit.formats.frames import read_parquet_table, table_of_frame
from graphzsl.audit.formats.json_tables import read_json_table
from graphzsl.audit.formats.other_files import check_kind, check_no_metrics
from graphzsl.audit.formats.table import Table, read_text_table
from graphzsl.audit.formats.truth import Labels, given_labels
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.ranked_lists import Rename
from graphzsl.common.class_entries import check_ordered
from graphzsl.common.errors import DataError
from graphzsl.common.files import sha256
from graphzsl.common.frames import in_order_of
from graphzsl.common.reading.bounds import open_file
from graphzsl.common.reading.numpy_files import check_npz_rows, npz_keys, read_npz
from graphzsl.sources.imagenet import listed_classes

#: Candidates: their names, a file of them, or the name of an ImageNet list.
Classes = str | Path | Iterable[str]

SAMPLE_PREDICTIONS = Path(__file__).with_name("sample_predictions.csv")
_SCORES = "scores|logits|probs|probabilities|similarities"
_LISTS = "y_pred|predictions|preds|predicted|pred"
_LABELS = "labels|y_true|targets|target"
_JSON = (".json", ".jsonl", ".ndjson")
_TEXT = (".csv", ".tsv", ".txt", ".tab")


def read_predictions(
    path: Path | str,
    candidates: Classes | None = None,
    seen: Sequence[str] = (),
    numbered: Numbered = False,
    missing: str = "error",
    labels: Labels | None = None,
    *,
    truth: Truth | None = None,
    rename: Rename | None = None,
) -> Predictions:
    """Predictions from outside: scores or ranked lists of any classifier.

    ``.npz``: ``scores`` (or logits, probs, …) [N, C] and ``classes`` [C], or ``topk`` (y_pred,
    predictions) [N, K]; with ``labels`` (y_true, targets) [N]: names, or positions in ``classes``;
    never unpickled. Other files are tables (comma, tab), Parquet, JSON or JSON lines, with one row
    per sample or one per prediction and its score or rank; ``columns_of_table`` says which columns
    count.

    Scores of all candidates can tie; lists cannot: they are sorted by score where they have some,
    and equal scores keep the order of the file.

    Args:
        path: the file.
        candidates: what the classifier chose from, for a file that does not hold it (default: every
            name in it); some of its own classes, for one that does.
        seen: the training classes, for the generalized setting.
        numbered: classes in a table are positions from 0 in ``candidates``; with "devkit" the true
            ones are numbers of ILSVRC's ground truth, from 1 in an order of its own.
        missing: what to do if a true class is not a candidate: 'error' raises, 'miss' counts its
            samples as wrong.
        labels: the true classes, where the file does not hold them: a file with one class per line
            or with the columns file and class, names in the order of the samples, or file -> name.
        truth: "column", or "folder": the true class is the folder of the sample's file (default: a
            column, or else the wnid that is the folder of each file or begins its name).
        rename: called once with the distinct names in the file; gives the class of each, in their
            order. ``candidates`` and positions are not renamed.

    Returns:
        The predictions, with the file's name and checksum.

    Raises:
        DataError: names the file, and its line, row or key; or says what the file is instead.

    >>> _ = Path("clip.csv").write_text("cat,cat,dog\\ndog,cat,dog\\n")
    >>> gz.read_predictions("clip.csv")
    <Predictions: 2 samples of 2 classes, 2 candidates, lists of 2>
    """
    path = Path(path)
    check_kind(path)
    reading = _reading(candidates, seen, numbered, missing, labels, truth, rename)
    if path.suffix == ".npz" or _starts(path, b"PK"):
        if numbered == "devkit":
            raise DataError(
                f"{path} holds positions in its own classes. Numbers of ILSVRC's ground truth are"
                " read from a table.",
                argument="numbered",
            )
        return _read_npz(path, reading)
    table = _read_table(path, reading)
    check_no_metrics(path, table.names())
    metadata = {"predictions": path.name, "sha256": sha256(path)}
    return predictions_of_table(table, reading, metadata)


def predictions_of_frame(
    frame: Any,
    candidates: Classes | None = None,
    seen: Sequence[str] = (),
    numbered: Numbered = False,
    missing: str = "error",
    labels: Labels | None = None,
    *,
    truth: Truth | None = None,
    rename: Rename | None = None,
) -> Predictions:
    """Predictions of a DataFrame of pandas or polars, an Arrow table, or any object with Arrow's C
    stream. Columns are those of a table with a header; if pandas columns have no names, the first
    is the true class. Messages count rows from 0. Arguments are those of ``read_predictions``."""
    labels = in_order_of(frame, labels, ("the frame", "labels"))
    reading = _reading(candidates, seen, numbered, missing, labels, truth, rename)
    return predictions_of_table(table_of_frame(frame), reading, {"predictions": "a DataFrame"})


def predictions_of_arrays(
    y_true: Any,
    y_pred_or_scores: Any,
    candidates: Classes | None = None,
    seen: Sequence[str] = (),
    missing: str = "error",
    *,
    rename: Rename | None = None,
) -> Predictions:
    """Predictions of arrays of numpy or torch (on any device), series or lists.

    Args:
        y_true: [N] the true classes: names, or positions in ``candidates``. Where both arrays are
            of pandas, their indices say which rows belong together.
        y_pred_or_scores: [N] the predicted classes; [N, K] names or integers, best first (lists of
            different lengths too, which None and nan end); or [N, C] floats, which are scores, of
            the classes that the columns of a DataFrame are called by. Integers [N, C] are scores
            where they cannot be lists; stderr says how they are read.
        candidates: [C] what was chosen from, in the order of the scores, or a list by name such as
            "ilsvrc2012" (default: every name in the arrays). Whole numbers (1 and 1.0 alike) are
            positions in them, or, where they are numbers too or there are none, names.
        seen: the training classes, for the generalized setting.
        missing: what to do if a true class is not a candidate: 'error' raises, 'miss' counts its
            samples as wrong.
        rename: called once with the distinct names in ``y_true`` and the lists; ``candidates`` and
            positions are not renamed.

    Returns:
        The predictions; equal scores tie, lists do not.

    Raises:
        DataError: shapes or indices do not fit, scores come without classes, or names the sample
            of a score that is not a number, a class that is no candidate or one that is predicted
            twice.

    >>> from graphzsl.audit.prediction_files import predictions_of_arrays
    >>> predictions_of_arrays([0, 1, 1], [[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]], ["cat", "dog"])
    <Predictions: 3 samples of 2 classes, 2 candidates>
    >>> predictions_of_arrays(["cat", "dog"], ["cat", "cat"])
    <Predictions: 2 samples of 2 classes, 2 candidates, lists of 1>
    """
    reading = _reading(None, seen, False, missing, None, None, rename)
    check_ordered(candidates, "candidates")
    names = None if candidates is None else listed_classes(candidates)
    y_pred_or_scores = in_order_of(y_true, y_pred_or_scores, ("y_true", "predictions"))
    if (own := columns_as_classes(y_pred_or_scores, names)) is not None:
        given = given_arrays(y_true, y_pred_or_scores, names, are_scores=True)
        given = with_columns(given, own, names)
    else:
        given = given_arrays(y_true, y_pred_or_scores, names)
    return predictions_of(given, reading, {"predictions": "arrays"})


def _reading(
    classes: Classes | None,
    seen: Sequence[str],
    numbered: Numbered,
    missing: str,
    labels: Labels | None,
    truth: Truth | None,
    rename: Rename | None,
) -> Reading:
    check_ordered(classes, "candidates")
    names = None if classes is None else listed_classes(classes)
    return Reading(names, seen, numbered, missing, labels, truth, rename)


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
    return read_text_table(path, reading.classes, bool(reading.numbered), renames)


def _read_npz(path: Path, reading: Reading) -> Predictions:
    expected = "scores [N, C], classes [C] and labels [N]; or topk [N, K] and labels [N]"
    wanted = f"{_LABELS}{'?' if reading.labels is not None else ''}"
    source = f"{path}: "
    if reading.labels is None:
        check_npz_rows(path, f"topk|{_LISTS}|{_SCORES}", _LABELS, expected)
    scores, topk, lists = read_npz(path, f"{_SCORES}?", "topk?", f"{_LISTS}?", expected=expected)
    lists = lists if topk is None else topk
    if scores is None and lists is None:
        raise DataError(
            f"{path}: neither scores nor topk is in the archive, which holds {npz_keys(path)}."
            f" Expected {expected}."
        )
    true, own = read_npz(path, wanted, "classes|class_names|wnids?", expected=expected)
    if own is None and reading.classes is None and scores is not None and lists is None:
        shape = np.shape(scores)
        is_usual = len(shape) == 2 and shape[1] == len(listed_classes("ilsvrc2012"))
        usual = ", e.g. ilsvrc2012" * is_usual
        raise DataError(
            f"{path}: classes is not in the archive, which holds {npz_keys(path)}. Expected"
            f" {expected}; or give the candidates in the order of the scores{usual}.",
            argument="candidates",
        )
    metadata: dict[str, Any] = {"predictions": path.name, "sha256": sha256(path)}
    if reading.labels is not None:
        count = len(scores if lists is None else lists)
        true, found = given_labels(reading.labels, count, None, lambda row: f"{source}sample {row}")
        metadata |= found
    classes = reading.classes if own is None else own
    has_both = lists is not None and scores is not None
    if has_both and not scores_follow_list_order(scores, lists, classes):
        lists = None  # the scores of all classes say more
    given = given_arrays(
        true,
        scores if lists is None else lists,
        classes,
        are_scores=True if lists is None else False if topk is not None else None,
        y_scores=scores if lists is not None else None,
        source=source,
    )
    if own is not None:
        candidates = None if reading.classes is None else list(reading.classes)
        given = replace(given, own_classes=True, wanted=candidates)
    return predictions_of(given, reading, metadata)

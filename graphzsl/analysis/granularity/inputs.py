"""Inputs for levels of granularity: scores of any classifier, and descriptions of samples."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.checked_names import (
    check_classes,
    check_lists_of_classes,
    names_of_array,
    shown,
)
from graphzsl.common.errors import DataError
from graphzsl.common.files import read_lines
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.number_texts import number_of
from graphzsl.common.reading.numpy_files import check_npz_rows, read_npz
from graphzsl.common.wording import counted


def read_scores(path: Path) -> tuple[Any, list[str], list[str]]:
    """(scores [N, C], classes [C], labels [N] or none) of an ``.npz``; DataError for other shapes
    or numbers that are not finite."""
    expected = "scores [N, C] and classes [C]"
    check_npz_rows(path, "scores", "labels", expected)
    scores, classes, labels = read_npz(path, "scores", "classes", "labels?", expected=expected)
    names = names_of_array(classes, f"{path}: classes")
    check_classes(names, f"{path}: classes")
    found = names_of_array(labels, f"{path}: labels") if labels is not None else []
    # a label that looks like a class is another one, which nobody sees
    check_lists_of_classes([(f"{path}: classes", names), (f"{path}: labels", found)])
    size = counted(len(names), "class", "classes")
    if scores.dtype.kind not in "fiu" or scores.ndim != 2 or scores.shape[1] != len(names):
        raise DataError(
            f"{path}: expected scores [N, C] for {size}, got {scores.dtype} of shape"
            f" {scores.shape}."
        )
    if not np.isfinite(scores).all():
        raise DataError(f"{path}: a score is not finite.")
    return scores.astype(float), names, found


def read_relevance(path: Path, count: int) -> list[dict[str, float]]:
    """One object of word: relevance per line, for ``count`` samples; DataError names a wrong
    line."""
    rows = []
    for number, line in read_lines(path):
        document = parsed_json(line, f"{path}:{number}")
        if not isinstance(document, dict):
            raise DataError(f"{path}:{number}: expected an object of word: relevance.")
        row = {}
        for word, value in document.items():
            relevance = None if isinstance(value, bool) else number_of(value)
            if relevance is None or not 0 <= relevance < math.inf:
                raise DataError(
                    f"{path}:{number}: the relevance of {shown(word)} is {shown(value)}; expected a"
                    " number from 0 on."
                )
            row[word] = relevance
        rows.append(row)
    if len(rows) != count:
        raise DataError(f"{path}: {len(rows)} lines for {count} samples.")
    return rows

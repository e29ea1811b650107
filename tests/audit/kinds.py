"""Arrays of predictions that tests write without saying what they are: floats [N, C] are scores,
single classes predicted, and anything else ranked lists."""

from __future__ import annotations

from typing import Any

import numpy as np

import graphzsl as gz
from graphzsl.audit import Predictions
from graphzsl.audit.formats.arrays import Kind
from graphzsl.audit.prediction_files import predictions_of_arrays


def kind_of(values: Any) -> Kind:
    """The kind of an array of a test."""
    shape = getattr(values, "shape", ())
    if len(shape) > 2:
        return "scores"
    if len(shape) == 2:
        kinds = getattr(values, "dtypes", None)
        kind = getattr(values, "dtype", None) if kinds is None else next(iter(kinds))
        if kind is None:  # a table of Arrow
            kind = values.schema.types[0]
        if str(kind) == "object":
            return "scores" if all(isinstance(each, float) for each in values.ravel()) else "ranked"
        is_float = any(word in str(kind).lower() for word in ("float", "double", "f8"))
        return "scores" if is_float else "ranked"
    if isinstance(values, str):
        return "predicted"
    rows = values.to_pylist() if hasattr(values, "to_pylist") else [*values]
    if not all(isinstance(each, list | tuple | np.ndarray) or _is_row(each) for each in rows):
        return "predicted"
    cells = [each for row in rows for each in row]
    is_float = any(isinstance(each, float | np.floating) or _is_row(rows[0]) for each in cells)
    are_numbers = not any(isinstance(each, str) or each is None for each in cells)
    is_even = len({len(row) for row in rows}) == 1
    return "scores" if are_numbers and is_float and is_even else "ranked"


def _is_row(value: Any) -> bool:
    """True for a tensor of one dimension."""
    return type(value).__name__ == "Tensor" and value.ndim == 1


def of_arrays(true: Any, values: Any, *more: Any, **options: Any) -> Predictions:
    """``predictions_of_arrays`` of the kind that the values are."""
    return predictions_of_arrays(true, values, kind_of(values), *more, **options)


def ranked(lists: Any, labels: Any, candidates: Any = None, **options: Any) -> Predictions:
    """``predictions_of_arrays`` of ranked lists."""
    return predictions_of_arrays(labels, lists, "ranked", candidates, **options)


def evaluated(true: Any, values: Any = None, **options: Any) -> gz.audit.Evaluation:
    """``gz.evaluate`` of arrays of the kind that the values are, or of a file or a frame."""
    if values is None:
        return gz.evaluate(true, **options)
    kinds: dict[str, Any] = {kind_of(values): values}
    return gz.evaluate(true, **kinds, **options)

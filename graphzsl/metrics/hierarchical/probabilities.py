"""Scores of classes as probabilities, checked, some samples after the other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.frames import named_columns
from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.metrics.hierarchical.labels import ClassTree, nodes_of

Floats = npt.NDArray[np.float64]
BLOCK = 1 << 22  #: probabilities of nodes that are held at once
_OFF = 1e-3  #: by which the probabilities of a sample may miss 1


def checked_scores(scores: npt.ArrayLike, tree: ClassTree) -> npt.NDArray[Any]:
    """[N, C] scores as an array, those of a frame whose columns have names in the order of the
    classes; DataError for another shape, no samples, no numbers, or columns of other classes."""
    classes = tree.classes or ()
    try:
        given = np.asarray(scores)
    except (TypeError, ValueError):
        raise DataError("scores must be [N, C]; its rows differ in length.") from None
    if given.ndim != 2 or given.shape[1] != len(classes) or not len(given):
        raise DataError(
            f"scores of shape {list(given.shape)} do not fit"
            f" {counted(len(classes), 'class', 'classes')}: they must be [N, C], N at least 1.",
            argument="scores",
        )
    if given.dtype.kind not in "fiub":
        raise DataError(f"scores must be numbers, not {given.dtype}.", argument="scores")
    names = named_columns(scores)
    return given if names is None else given[:, _places(names, tree)]


def _places(names: list[str], tree: ClassTree) -> list[int]:
    """The columns of the classes, by their names; stderr says where they are in another order."""
    classes = list(tree.classes or ())
    if names == classes:
        return list(range(len(classes)))
    remedy = (
        "Name the columns as the classes; or, where they are in the order of classes, give"
        " scores.to_numpy()."
    )
    try:
        found = nodes_of(tree.whole or tree.hierarchy, names, "scores")
    except DataError as error:
        said = f"The columns of scores are no classes. {error.message}"
        separator = "\n" if "\n" in said else " "
        raise DataError(f"{said}{separator}{remedy}", argument="scores") from None
    place = {wnid: number for number, wnid in enumerate(found)}
    lacking = next((wnid for wnid in classes if wnid not in place), None)
    if lacking is not None:
        raise DataError(f"scores has no column of {lacking}. {remedy}", argument="scores")
    if found != classes:
        log("The columns of scores are put in the order of classes, by their names.")
    return [place[wnid] for wnid in classes]


def sum_to_one(scores: npt.NDArray[Any]) -> bool:
    """True if [N, C] scores are probabilities: none is negative, and each row sums to 1."""
    if scores.min() < 0:
        return False
    return bool((np.abs(scores.sum(axis=1, dtype=np.float64) - 1) <= _OFF).all())


def probability_blocks(
    given: npt.NDArray[Any], nodes: int, softmax: bool, classes: Sequence[str]
) -> Iterator[Floats]:
    """Probabilities of some samples after the other; DataError names row and class of a wrong
    one."""
    size = max(1, BLOCK // nodes)
    for start in range(0, len(given), size):
        block = given[start : start + size].astype(np.float64)
        wrong = ~np.isfinite(block) | ((block < 0) & (not softmax))
        if wrong.any():
            row, column = np.argwhere(wrong)[0]
            holds = (
                f"Row {start + row} of scores holds {block[row, column]:g} for {classes[column]}:"
            )
            if not np.isfinite(block[row, column]):
                raise DataError(f"{holds} scores must be finite.", argument="scores")
            raise DataError(
                f"{holds} probabilities are between 0 and 1. Make some of scores of any size.",
                argument="softmax",
                value=True,
            )
        if softmax:
            block = np.exp(block - block.max(axis=1, keepdims=True))
            block /= block.sum(axis=1, keepdims=True)
        off = np.flatnonzero(np.abs(block.sum(axis=1) - 1) > _OFF)
        if len(off):
            raise DataError(
                f"Row {start + off[0]} of scores sums to {block[off[0]].sum():g}, not to 1: they"
                " are not probabilities. Make some of scores of any size.",
                argument="softmax",
                value=True,
            )
        yield block

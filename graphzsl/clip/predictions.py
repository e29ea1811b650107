"""Predictions of a class head for features, scored block by block and written as they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl import metrics
from graphzsl.audit.predictions import Predictions, predictions_of_blocks
from graphzsl.audit.scored_blocks import DEPTH, ScoredBlocks, block_size
from graphzsl.audit.sides import seen_first
from graphzsl.clip.features import Block
from graphzsl.clip.labels import LabelReader
from graphzsl.common.errors import DataError
from graphzsl.common.files import atomic_write, checked_suffix
from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.data.class_matrix import ClassMatrix, unit_rows
from graphzsl.metrics.ranking import Ranked

#: What a class is whose samples are there, and which is no candidate.
MISSING = ("error", "miss")


def predict_classes(
    head: ClassMatrix,
    blocks: Iterable[Block],
    out: Path,
    *,
    labels: LabelReader | None = None,
    seen: Iterable[str] = (),
    top: int = DEPTH,
    missing: str = "error",
    normalize: bool = True,
    metadata: dict[str, Any] | None = None,
) -> Predictions:
    """Classify features by a class head, and write the lists.

    ``out`` (.parquet) has one row per sample: ``file``, ``label``, ``predictions`` (classes, best
    first) and their ``scores``, which are cosine similarities for a CLIP head. Of equal scores the
    true class comes last: ties count against the model. ``gz.read_predictions`` and ``graphzsl
    audit`` read it.

    Args:
        head: classifiers [C, D+1]; the candidates are its classes.
        blocks: features [n, D] of the samples.
        out: the file to write.
        labels: what the labels of the blocks mean (default: as ``LabelReader`` reads them).
        seen: the training classes, for the generalized setting.
        top: length of the lists in the file.
        missing: what to do if a true class is not a candidate: 'error' raises, 'miss' counts its
            samples as wrong.
        normalize: whether features are brought to length 1 first, as those of CLIP are.
        metadata: what was classified.

    Returns:
        The predictions with ranks and ties of all candidates.

    Raises:
        DataError: features of another width than the head or of zeros alone, a class that is no
            candidate, a score that is not a number, or no sample.
    """
    checked_suffix(out, (".parquet",))
    if missing not in MISSING:
        raise DataError(f"missing is {' or '.join(MISSING)}, not {missing!r}.", argument="missing")
    seen_here, candidates = seen_first(head.wnids, list(seen))
    rows = head.rows(candidates)
    weights, bias = np.ascontiguousarray(rows[:, :-1].T), rows[:, -1]
    labels = labels or LabelReader(head.wnids)
    column = {name: at for at, name in enumerate(candidates)}
    found = ScoredBlocks(candidates, seen_here)
    true: list[str] = []
    with _writer(out) as write:
        for block in _small(blocks, block_size(len(candidates))):
            if block.features.shape[1] != len(weights):
                raise DataError(
                    f"{labels.place}: features have {block.features.shape[1]:,} dimensions; the"
                    f" head's columns have {len(weights):,}. They are of two models."
                )
            _check_directions(block, labels)
            own = [labels.of(label) for label in block.labels]
            if missing == "error":
                _check_known(own, block, column, labels)
            truth = np.array([column.get(each, -1) for each in own], dtype=np.int64)
            features = unit_rows(block.features) if normalize else block.features
            scores = features.astype(np.float32, copy=False) @ weights + bias
            try:
                ranked = found.add(scores, truth)
            except ValueError as error:
                raise DataError(
                    f"{labels.place}: {error} from {block.names[0]} to {block.names[-1]}."
                ) from None
            true += own
            lists, values = _lists(scores, truth, ranked, top)
            write(block.names, own, [[candidates[at] for at in row] for row in lists], values)
        if not true:
            raise DataError(f"{labels.place}: there is no sample.")
    _say_absent(true, candidates)
    return predictions_of_blocks(found, true, dict(metadata or {}))


def _check_directions(block: Block, labels: LabelReader) -> None:
    """Raise DataError for features that are all zeros: every class would have the same score."""
    zero = np.flatnonzero(~block.features.any(axis=1))
    if len(zero):
        raise DataError(
            f"{labels.place}: the features of {block.names[zero[0]]}, of class"
            f" {block.labels[zero[0]]}, are all zeros. Compute them again, or leave the sample out."
        )


def _check_known(own: list[str], block: Block, column: dict[str, int], labels: LabelReader) -> None:
    stray = next((row for row, each in enumerate(own) if each not in column), None)
    if stray is not None:
        raise DataError(
            f"{labels.place}: {block.names[stray]} is of class {own[stray]}, which is none of the"
            f" {len(column):,} candidates. Leave its class out, give candidates that hold it, or"
            " count such samples as missed.",
            argument="missing",
            value="miss",
        )


def _small(blocks: Iterable[Block], size: int) -> Iterator[Block]:
    """The blocks, none larger than ``size``."""
    for block in blocks:
        for start in range(0, len(block.labels), size):
            rows = slice(start, start + size)
            yield Block(block.features[rows], block.labels[rows], block.names[rows])


def _lists(
    scores: npt.NDArray[np.float32], truth: npt.NDArray[np.int64], found: Ranked, top: int
) -> tuple[list[list[int]], npt.NDArray[np.float32]]:
    """([n, K] columns best first, the true one behind its equals; their scores)."""
    best = found.top
    tied = np.flatnonzero((truth >= 0) & (found.rank - found.better > 1))
    if top > best.shape[1] or len(tied):
        worst = scores.copy()
        at = tied, truth[tied]
        worst[at] = np.nextafter(worst[at], np.float32(-np.inf))
        best = metrics.ranked(worst, truth, top).top
    best = best[:, :top]
    return best.tolist(), np.take_along_axis(scores, best, axis=1)


@contextmanager
def _writer(path: Path) -> Iterator[Any]:
    """A function that adds rows to the file of predictions, which is there when the block ends."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema(
        {
            "file": pa.string(),
            "label": pa.string(),
            "predictions": pa.list_(pa.string()),
            "scores": pa.list_(pa.float32()),
        }
    )
    with atomic_write(path) as partial, pq.ParquetWriter(partial, schema) as writer:

        def write(names: Any, labels: Any, lists: Any, scores: Any) -> None:
            rows = [names, labels, lists, list(scores)]
            writer.write_table(pa.table(dict(zip(schema.names, rows, strict=True)), schema))

        yield write


def _say_absent(true: Iterable[str], candidates: list[str]) -> None:
    """Candidates that no sample is of count in no mean over classes."""
    known = set(true)
    absent = [name for name in candidates if name not in known]
    if absent:
        log(
            f"No sample of {counted(len(absent), 'candidate')} of {len(candidates):,}, e.g."
            f" {absent[0]}: means over classes are of the others."
        )

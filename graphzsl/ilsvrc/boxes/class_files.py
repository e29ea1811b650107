"""Matched detections by class, on disk, and their average precision in bounded memory."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.ilsvrc.boxes.metrics.overlap import rows_by_label
from graphzsl.ilsvrc.boxes.metrics.precision import (
    INTERPOLATIONS,
    STEPS,
    StepCounts,
    Weights,
    average_precision,
    curve_counts,
    precision_recall,
    resampled_precision,
)
from graphzsl.metrics.ranking import Floats, Ints

#: Detections of a class that are in memory at once.
MOST = 1_000_000
#: Scores by which more are told apart.
_SAMPLE = 100_000
#: A matched detection on disk.
DETECTION = np.dtype([("score", "<f8"), ("hit", "?"), ("group", "<u2")])

Records = npt.NDArray[Any]
#: Scores, hits and groups of detections.
Detections = tuple[Floats, npt.NDArray[np.bool_], Ints]


class ClassFiles:
    """One file per entry and class in a folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def add(self, entry: int, labels: Ints, records: Records) -> None:
        """Detections of several classes."""
        for label, rows in rows_by_label(labels):
            with self._path(entry, label).open("ab") as file:
                records[rows].tofile(file)

    def precision(
        self, entry: int, label: int, positives: Ints, weights: Weights | None, interpolation: str
    ) -> tuple[float, int, npt.NDArray[np.float64] | None]:
        """(average precision, hits, [B] average precision in each round) of a class."""
        path = self._path(entry, label)
        rows = path.stat().st_size // DETECTION.itemsize if path.exists() else 0
        if rows > MOST:
            parts, hits = self._by_score(path, rows)
            found, drawn = streamed_precision(
                map(_columns, parts), rows, hits, positives, weights, interpolation
            )
            return found, hits, drawn
        score, hit, group = _columns(path if rows else None)
        curve = precision_recall(score, hit, float(positives.sum()))
        exact = float(average_precision(*curve, interpolation))
        drawn = (
            None
            if weights is None
            else resampled_precision(score, hit, group, positives, weights, interpolation)
        )
        return exact, int(hit.sum()), drawn

    def _path(self, entry: int, label: int) -> Path:
        return self.folder / f"{entry}-{label}"

    def _by_score(self, path: Path, rows: int) -> tuple[list[Path], int]:
        """(files of about ``MOST`` / 2 detections, lowest scores first; hits)."""
        scores = np.concatenate([part["score"][:: 1 + rows // _SAMPLE] for part in _blocks(path)])
        count = 2 * -(-rows // MOST)
        edges = np.unique(np.quantile(scores, np.arange(1, count) / count))
        parts = [path.with_name(f"{path.name}-{at}") for at in range(len(edges) + 1)]
        hits = 0
        for block in _blocks(path):
            hits += int(block["hit"].sum())
            # equal scores are on one side of an edge
            part_of = np.searchsorted(edges, block["score"], "right")
            for at, part in enumerate(parts):
                with part.open("ab") as file:
                    block[part_of == at].tofile(file)
        path.unlink()
        return parts, hits


def _blocks(path: Path) -> Iterator[Records]:
    with path.open("rb") as file:
        while len(block := np.fromfile(file, DETECTION, MOST // 2)):
            yield block


def _columns(path: Path | None) -> Detections:
    record = np.empty(0, DETECTION) if path is None else np.fromfile(path, DETECTION)
    return record["score"], record["hit"], record["group"].astype(np.int64)


def streamed_precision(
    parts: Iterable[Detections],
    rows: int,
    hits: int,
    positives: Ints,
    weights: Weights | None = None,
    interpolation: str = "all",
) -> tuple[float, npt.NDArray[np.float64] | None]:
    """(average precision, [B] that of each round) of a class, as ``average_precision`` and
    ``resampled_precision`` compute them of all detections at once.

    Args:
        parts: detections, the lowest scores first; no score is in two parts.
        rows: detections in all parts.
        hits: hits in all parts.
        positives: [G] objects of the class by group.
        weights: [G, B]; None for no rounds.
        interpolation: see ``average_precision``.
    """
    total, above, found_above = float(positives.sum()), rows, hits
    levels = INTERPOLATIONS[interpolation]
    area, best = 0.0, 0.0
    best_at = np.zeros(0 if levels is None else len(levels))
    steps = StepCounts(len(positives), STEPS)
    for scores, hit, groups in parts:
        if not len(scores):
            continue
        above -= len(scores)
        found_above -= int(hit.sum())
        found, seen = curve_counts(scores, hit)
        found, seen = found + found_above, seen + above
        recall, precision = found / total, found / seen
        if interpolation != "none":
            # precision at a recall is the largest at that recall or above it
            precision = np.maximum.accumulate(precision[::-1])[::-1]
            precision = np.maximum(precision, best)
            best = float(precision[0])
        if levels is None:
            area += float((np.diff(recall, prepend=found_above / total) * precision).sum())
        else:
            at = np.searchsorted(recall, levels, "left")
            inside = at < len(recall)
            best_at[inside] = np.maximum(best_at[inside], precision[at[inside]])
        if weights is not None:
            # the step of a score, by how many detections are above it
            _, inverse, counts = np.unique(-scores, return_inverse=True, return_counts=True)
            before = above + np.cumsum(counts) - counts
            steps.add((before * STEPS // rows)[inverse], hit, groups)
    exact = area if levels is None else float(best_at.mean())
    if weights is None:
        return exact, None
    return exact, steps.drawn(positives, weights, exact, interpolation)

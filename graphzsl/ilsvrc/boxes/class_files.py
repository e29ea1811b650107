"""Matched detections by class, on disk, and their average precision in bounded memory."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.ilsvrc.boxes.metrics.precision import average_precision, precision_recall
from graphzsl.ilsvrc.boxes.metrics.resampling import Weights, resampled_precision
from graphzsl.ilsvrc.boxes.metrics.streaming import Detections, streamed_precision
from graphzsl.metrics.ranking import Floats, Ints

#: Detections of a class that are in memory at once.
MOST = 1_000_000
#: Scores by which more are told apart.
_SAMPLE = 100_000
#: A matched detection on disk.
DETECTION = np.dtype([("score", "<f8"), ("hit", "?"), ("group", "<u2")])

Records = npt.NDArray[Any]


class ClassFiles:
    """One file per entry and class in a folder."""

    def __init__(self, folder: Path):
        self.folder = folder

    def add(self, entry: int, labels: Ints, records: Records) -> None:
        """Detections of several classes."""
        if not len(labels):
            return
        order = np.argsort(labels, kind="stable")
        labels, records = labels[order], records[order]
        begins = np.flatnonzero(np.append(True, labels[1:] != labels[:-1]))
        for begin, end in zip(begins, [*begins[1:], len(labels)], strict=True):
            with self._path(entry, int(labels[begin])).open("ab") as file:
                records[begin:end].tofile(file)

    def precision(
        self,
        entry: int,
        label: int,
        positives: Ints,
        weights: Weights | None,
        interpolation: str,
    ) -> tuple[float, int, npt.NDArray[np.float64] | None]:
        """(average precision, hits, [B] average precision in each round) of a class."""
        path = self._path(entry, label)
        rows = path.stat().st_size // DETECTION.itemsize if path.exists() else 0
        if rows > MOST:
            parts, hits = self._by_score(path, rows)
            found, drawn = streamed_precision(
                _read(parts), rows, hits, positives, weights, interpolation
            )
            return found, hits, drawn
        record = np.fromfile(path, DETECTION) if rows else np.empty(0, DETECTION)
        score, hit, group = _columns(record)
        curve = precision_recall(score, hit, float(positives.sum()))
        exact = float(average_precision(*curve, interpolation))
        if weights is None:
            return exact, int(hit.sum()), None
        drawn = resampled_precision(score, hit, group, positives, weights, interpolation)
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


def _read(parts: Sequence[Path]) -> Iterator[Detections]:
    for path in parts:
        record = np.fromfile(path, DETECTION)
        if len(record):
            yield _columns(record)


def _columns(record: Records) -> tuple[Floats, npt.NDArray[np.bool_], Ints]:
    return record["score"], record["hit"], record["group"].astype(np.int64)

"""Predictions of any classifier for samples: the ranked candidates and the rank of the true
class."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from graphzsl import metrics
from graphzsl.audit.class_names import columns_of, whole_numbers
from graphzsl.audit.formats.arrays import as_array, check_are_scores
from graphzsl.audit.prediction_checks import (
    check_labels,
    check_scored,
    check_shape,
    checked_seen,
    named_labels,
)
from graphzsl.audit.run_files import CANDIDATES, TRAIN
from graphzsl.audit.scored_blocks import ScoredBlocks
from graphzsl.audit.sides import Sides, seen_first
from graphzsl.common.errors import DataError
from graphzsl.common.files import atomic_write, checked_suffix
from graphzsl.common.frames import in_order_of, places_of_columns
from graphzsl.common.wording import counted
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.relations import OUTCOMES
from graphzsl.metrics.ties import Ties


@dataclass(frozen=True, eq=False)
class Predictions:
    """Predictions of a classifier for N samples, among C candidates.

    ``Predictions.from_scores`` makes them of scores, ``read_predictions`` of a file, and
    ``graphzsl.evaluate`` of ranked lists.

    Args:
        candidates: [C] the classes that are chosen from.
        labels: [N] the true classes.
        top: [N, K] columns of the best candidates, best first, -1 where a list ends early.
        rank: [N] the true class's rank from 1, ties against the model; where only lists are known
            it is K + 1 for a class that is not in its list. A true class that is not a candidate
            has rank C + 1.
        complete: whether all scores were known, and not lists alone.
        seen: the training classes among the candidates.
        sides: what calibrated stacking needs of each sample.
        ties: the candidates of equal score; None where only lists are known: they hold no scores.
        metadata: what was classified.
        source: what predicted: the manifest of a trained model.
        true_classes: [N] all true classes of each sample, where some have several; ``labels`` and
            ``rank`` are of one of them then (``several_labels``).
        true_ranks: [N] the rank of each of these, as ``rank`` would have it alone.
        scores: [N, C] of the candidates, where they are kept, for ``decoded``.

    >>> scores = [[0.9, 0.1], [0.4, 0.6], [0.7, 0.3]]
    >>> gz.Predictions.from_scores(scores, ["cat", "dog"], ["cat", "dog", "dog"])
    <Predictions: 3 samples of 2 classes, 2 candidates>
    """

    candidates: list[str]
    labels: list[str]
    top: npt.NDArray[np.int64]
    rank: npt.NDArray[np.int64]
    complete: bool = True
    seen: list[str] = field(default_factory=list)
    sides: Sides | None = None
    ties: Ties | None = None
    metadata: dict[str, Any] = field(default_factory=dict)
    source: dict[str, Any] = field(default_factory=dict)
    true_classes: list[tuple[str, ...]] | None = None
    true_ranks: list[tuple[int, ...]] | None = None
    scores: npt.NDArray[Any] | None = None

    def __repr__(self) -> str:
        lists = "" if self.complete else f", lists of {self.top.shape[1]}"
        return (
            f"<Predictions: {counted(len(self.labels), 'sample')} of"
            f" {counted(len(set(self.labels)), 'class', 'classes')},"
            f" {counted(len(self.candidates), 'candidate')}{lists}>"
        )

    @classmethod
    def from_scores(
        cls,
        scores: npt.ArrayLike,
        candidates: Sequence[str],
        labels: Sequence[str] | Sequence[int],
        *,
        seen: Iterable[str] = (),
        missing: str = "error",
        metadata: dict[str, Any] | None = None,
        keep_scores: bool = False,
    ) -> Predictions:
        """Predictions of the scores of any classifier.

        Args:
            scores: [N, C] larger is better. Where they are a frame whose columns are called by the
                candidates, columns go by their names, else by their places.
            candidates: [C] the class of each column.
            labels: [N] the true classes: names, or whole numbers (1.0 is 1), which are columns
                where the candidates are texts, and classes where they are numbers.
            seen: the training classes, in any order, for the generalized setting.
            missing: what to do if a true class is not a candidate: 'error' raises, 'miss' counts
                its samples as wrong.
            metadata: what was classified.
            keep_scores: keep them in memory, to be decoded.

        Returns:
            The predictions; equal scores tie.

        Raises:
            DataError: shapes do not fit, a score is not a number, a true class is not a candidate,
                or a frame has columns for some of the candidates alone.
        """
        values = as_array(in_order_of(labels, scores, ("labels", "scores")), "scores")
        check_are_scores(values)
        given = whole_numbers(as_array(candidates, "candidates"), lambda row: f"candidate {row}")
        names = [str(name) for name in given.tolist()]
        # shapes first: labels beyond the classes are what too few classes look like
        check_shape(values, len(labels), len(names))
        places = places_of_columns(scores, names, "candidates")
        if places is not None:
            values = values[:, places]
        numbers = whole_numbers(
            as_array(labels, "labels"), lambda row: f"sample {row}: the true class"
        )
        if numbers.ndim != 1:
            raise DataError(f"labels must be one class per sample [N]; they are {numbers.shape}.")
        true = [str(label) for label in numbers.tolist()]
        if numbers.dtype.kind in "iu" and given.dtype.kind not in "iu":
            true = named_labels(true, names)
        check_scored(values, true, names)
        if missing == "error":
            check_labels(true, names, lambda number: f"sample {number}")
        return scored(values, names, true, seen, metadata or {}, keep_scores)

    @property
    def class_ids(self) -> npt.NDArray[np.int64]:
        """[N] a number per true class, in the order of their names."""
        return self._classes[1]

    @cached_property
    def rows_by_label(self) -> list[tuple[str, npt.NDArray[np.int64]]]:
        """(true class, its rows), by name."""
        names, numbers = self._classes
        ends = np.cumsum(np.bincount(numbers))[:-1]
        rows = np.split(np.argsort(numbers, kind="stable"), ends)
        return list(zip(names, rows, strict=True))

    @cached_property
    def _classes(self) -> tuple[list[str], npt.NDArray[np.int64]]:
        """(true classes by name, [N] which of them each sample is of)."""
        names = sorted(set(self.labels))
        return names, columns_of(self.labels, names)

    def predicted(self, hierarchy: Hierarchy | None = None) -> list[str | None]:
        """[N] the first candidate of each list; where it ties with others, one of them that is
        wrong.

        With ``hierarchy`` that is the first by position of the worst outcome among the tied, so
        that shares of outcomes can be counted from it; without, the first by position. It is the
        true class exactly where the rank is 1. None for an empty list.
        """
        lists = [
            self.candidates[column] if column >= 0 else None for column in self.top[:, 0].tolist()
        ]
        known: dict[tuple[tuple[str, ...], bytes], str] = {}
        # a structural baseline ties the same candidates for many samples
        for row, tied in self.tied_first.items():
            label = self.labels[row]
            true = (label, *(self.true_classes[row] if self.true_classes is not None else ()))
            key = true, tied.tobytes()
            if key not in known:
                names = [self.candidates[column] for column in tied.tolist()]
                known[key] = _worst([name for name in names if name not in true], label, hierarchy)
            lists[row] = known[key]
        return lists

    @cached_property
    def tied_first(self) -> dict[int, npt.NDArray[Any]]:
        """Row -> columns of the candidates that share its first place, of the rows where several
        do."""
        return {} if self.ties is None else {row: tied for row, _, tied in self.ties.crossing(1)}

    @property
    def of_lists_alone(self) -> bool:
        """True if the candidates are only the classes in the lists and the true classes."""
        return not self.complete and set(self.candidates) == {*self._predicted, *self.labels}

    @property
    def never_predicted(self) -> set[str]:
        """The true classes that no list holds."""
        return set(self.labels) - self._predicted

    @cached_property
    def _predicted(self) -> set[str]:
        """The classes in the lists."""
        return {self.candidates[column] for column in np.unique(self.top).tolist() if column >= 0}

    def reaches(self, k: int) -> bool:
        """True if the first k places are known: always with scores, else if the lists have k
        places."""
        return self.complete or k <= self.top.shape[1]

    def hits(self, k: int) -> npt.NDArray[np.float64]:
        """[N] 1 where the true class is among the first k; a class that is not a candidate never
        is, however large k.

        DataError for a k that lists are too short for: what stands behind their end is not known.
        """
        k = min(k, len(self.candidates))
        if not self.reaches(k):
            raise DataError(
                f"hit@{k} needs longer lists: the predictions hold"
                f" {counted(self.top.shape[1], 'place')} of each sample.",
                argument="k",
            )
        return metrics.hits(self.rank, k)

    def expected_hits(self, k: int) -> npt.NDArray[np.float64] | None:
        """[N] chance of a hit at k under random order of tied candidates; None if no scores are
        known."""
        if self.ties is None:
            return None
        return metrics.expected_hits(self.ties.better, self.rank, min(k, len(self.candidates)))

    def subset(self, rows: npt.NDArray[np.bool_]) -> Predictions:
        """The predictions for some samples, for metrics: without the scores that are kept."""
        kept = np.flatnonzero(rows).tolist()
        true, ranks = self.true_classes, self.true_ranks
        return replace(
            self,
            labels=[self.labels[row] for row in kept],
            top=self.top[rows],
            rank=self.rank[rows],
            sides=None,
            ties=self.ties.subset(rows) if self.ties else None,
            true_classes=None if true is None else [true[row] for row in kept],
            true_ranks=None if ranks is None else [ranks[row] for row in kept],
            scores=None,
        )

    def part(self, rows: npt.NDArray[np.bool_]) -> Predictions:
        """The predictions for some samples, with their scores and what calibrated stacking needs
        of them."""
        sides = self.sides and Sides(*(each[rows] for each in vars(self.sides).values()))
        scores = None if self.scores is None else self.scores[rows]
        return replace(self.subset(rows), sides=sides, scores=scores)

    def save(self, path: Path, hierarchy: Hierarchy | None = None) -> None:
        """Parquet: label, predicted (see ``predicted`` for ties), rank; its metadata hold the
        candidates as JSON, among which heights are. What ``graphzsl evaluate compare``
        reads."""
        checked_suffix(path, (".parquet",))
        with atomic_write(path) as partial:
            self.write(partial, hierarchy)

    def write(
        self, partial: Path, hierarchy: Hierarchy | None = None, train: Sequence[str] = ()
    ) -> None:
        """Write the table of ``save`` into a temporary file that later replaces another; the
        training classes of a run are kept beside its candidates."""
        predicted = pa.array(self.predicted(hierarchy), pa.string())
        columns = {"label": self.labels, "predicted": predicted, "rank": self.rank}
        held = {CANDIDATES: json.dumps([*self.candidates])}
        if train:
            held[TRAIN] = json.dumps([*train])
        pq.write_table(pa.table(columns).replace_schema_metadata(held), partial)


def _worst(wrong: Sequence[str], label: str, hierarchy: Hierarchy | None) -> str:
    """The first of some wrong candidates; with a hierarchy the first of the worst outcome."""
    if hierarchy is None:
        return wrong[0]
    return max(wrong, key=lambda name: OUTCOMES.index(hierarchy.outcome(label, name)))


def predictions_of_blocks(
    blocks: ScoredBlocks, labels: list[str], metadata: dict[str, Any]
) -> Predictions:
    """Predictions of all blocks of scores."""
    return Predictions(
        blocks.candidates,
        labels,
        blocks.top(),
        blocks.rank(),
        True,
        blocks.seen,
        blocks.sides(),
        blocks.ties(),
        metadata,
    )


def scored(
    scores: npt.NDArray[Any],
    candidates: Sequence[str],
    labels: list[str],
    seen: Iterable[str],
    metadata: dict[str, Any],
    keep_scores: bool = False,
) -> Predictions:
    """Predictions of scores [N, C] that are checked (``check_scored``), in whatever order the
    candidates are; arguments are those of ``Predictions.from_scores``."""
    seen_here, ordered = seen_first(candidates, checked_seen(seen, candidates))
    if ordered != candidates:
        scores = np.take(scores, columns_of(ordered, candidates), axis=1)
    blocks = ScoredBlocks(ordered, seen_here)
    blocks.add(scores, columns_of(labels, ordered))
    found = predictions_of_blocks(blocks, labels, dict(metadata))
    return replace(found, scores=scores) if keep_scores else found

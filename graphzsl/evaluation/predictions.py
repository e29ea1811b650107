"""What a classifier says of samples, whichever classifier it is: the ranked candidates and the rank
of the true class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.parquet as pq

from graphzsl import metrics
from graphzsl.data.samples import Samples
from graphzsl.errors import DataError, ModelError
from graphzsl.evaluation.prediction_tables import RankedRow, ranked_of_frame, read_ranked
from graphzsl.files import atomic_write, checked_suffix, read_npz, sha256
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.relations import OUTCOMES
from graphzsl.metrics.ties import TieCollector, Ties
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.progress import progress

#: Length of the lists that are kept.
DEPTH = 20
#: Bytes of one block of scores: memory does not grow with samples × candidates.
_BLOCK_BYTES = 64 * 2**20


@dataclass(frozen=True, eq=False)
class Predictions:
    """What a classifier says of N samples against C candidates.

    ``Predictions.from_scores`` and ``Predictions.from_ranked`` make them of arrays and lists,
    ``read_predictions`` of a file.

    Args:
        candidates: [C] the classes that are chosen from.
        labels: [N] the true classes.
        top: [N, K] columns of the best candidates, best first, -1 where a list ends early.
        rank: [N] the true class's rank from 1, ties against the model; where only lists are known
            it is K + 1 for a class that is not in its list. A true class that is no candidate has
            rank C + 1.
        complete: whether all scores were known, and not lists alone.
        seen: the training classes among the candidates.
        sides: what calibrated stacking needs of each sample.
        ties: the candidates of equal score; None where only lists are known: they hold no scores.
        metadata: what was classified.
        source: what predicted: the manifest of a trained model.

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

    def __repr__(self) -> str:
        lists = "" if self.complete else f", lists of {self.top.shape[1]}"
        return (
            f"<Predictions: {len(self.labels):,} samples of {len(set(self.labels)):,} classes,"
            f" {len(self.candidates):,} candidates{lists}>"
        )

    @classmethod
    def from_scores(
        cls,
        scores: npt.ArrayLike,
        candidates: Sequence[str],
        labels: Sequence[str] | Sequence[int],
        *,
        seen: Sequence[str] = (),
        missing: str = "error",
        metadata: dict[str, Any] | None = None,
    ) -> Predictions:
        """Predictions of the scores of any classifier.

        Args:
            scores: [N, C] larger is better.
            candidates: [C] the class of each column.
            labels: [N] the true classes, or their columns.
            seen: the training classes, for the generalized setting.
            missing: what a true class is that is no candidate: error, or miss (its samples count,
                as missed).
            metadata: what was classified.

        Raises:
            DataError: shapes do not fit, a score is not a number, or a true class is no candidate.
        """
        try:
            values = np.asarray(scores)
            if not np.issubdtype(values.dtype, np.number):
                raise ValueError(f"they are {values.dtype}")
        except ValueError as error:
            raise DataError(f"scores must be numbers [N, C]: {error}.") from None
        given = np.asarray(candidates)
        names = [str(name) for name in candidates]
        true = _named_labels(np.asarray(labels), given)
        if values.ndim != 2 or values.shape != (len(true), len(names)):
            raise DataError(
                f"scores {values.shape} do not fit {len(true)} labels and {len(names)} classes."
            )
        if len(set(names)) < len(names):
            raise DataError(f"classes holds {next(c for c in names if names.count(c) > 1)} twice.")
        if not len(true):
            raise DataError("there is no sample.")
        bad = np.flatnonzero(np.isnan(values).any(axis=1))
        if len(bad):
            raise DataError(f"a score of sample {bad[0]} ({true[bad[0]]}) is not a number.")
        if missing == "error":
            _check_labels(true, names, [f"sample {number}" for number in range(len(true))])
        seen_here, ordered = _seen_first(names, seen)
        values = values[:, _columns(ordered, names)]
        truth = _columns(true, ordered)
        top, rank = metrics.top_candidates(values, DEPTH), metrics.ranks(values, truth)
        ties = TieCollector()
        ties.add(values, top, truth)
        both = 0 < len(seen_here) < len(ordered)
        sides = Sides.from_scores(values, truth, len(seen_here)) if both else None
        return cls(
            ordered, true, top, rank, True, seen_here, sides, ties.ties(), dict(metadata or {})
        )

    @classmethod
    def from_ranked(
        cls,
        lists: Sequence[Sequence[str]],
        labels: Sequence[str],
        candidates: Sequence[str] | None = None,
        *,
        seen: Sequence[str] = (),
        missing: str = "error",
    ) -> Predictions:
        """Predictions of ranked lists, best first.

        Args:
            lists: [N] the predicted classes of each sample; at most 20 of each are kept.
            labels: [N] the true classes.
            candidates: what the classifier chose from (default: every class in lists and labels).
            seen: the training classes, for the generalized setting.
            missing: what a true class is that is no candidate: error, or miss.

        Raises:
            DataError: an empty list, a class that is no candidate or is predicted twice, or
                lists that do not fit the labels.
        """
        rows = [
            RankedRow(number, str(label), [str(name) for name in names])
            for number, (label, names) in enumerate(zip(labels, lists, strict=False))
        ]
        if len(lists) != len(labels) or not rows:
            raise DataError(f"{len(lists)} lists do not fit {len(labels)} labels.")
        known = None if candidates is None else set(candidates)
        for row in rows:
            stray = [name for name in row.predicted if known is not None and name not in known]
            if not row.predicted or len(set(row.predicted)) < len(row.predicted) or stray:
                raise DataError(
                    f"sample {row.line}: expected candidates, each once; got {row.predicted[:5]}."
                )
        return _of_rows(rows, candidates, "sample ", seen, missing, {"predictions": "given lists"})

    @property
    def class_ids(self) -> npt.NDArray[np.int64]:
        """[N] a number a true class, in the order of their names."""
        return np.asarray(np.unique(self.labels, return_inverse=True)[1], dtype=np.int64)

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
        known: dict[
            tuple[str, bytes], str
        ] = {}  # a structural baseline ties the same candidates for many samples
        for row, _, tied in self.ties.crossing(1) if self.ties is not None else ():
            key = self.labels[row], tied.tobytes()
            if key not in known:
                known[key] = self._wrong(self.labels[row], tied.tolist(), hierarchy)
            lists[row] = known[key]
        return lists

    def _wrong(self, label: str, tied: list[int], hierarchy: Hierarchy | None) -> str:
        wrong = [name for column in tied if (name := self.candidates[column]) != label]
        if hierarchy is None:
            return wrong[0]
        return max(wrong, key=lambda name: OUTCOMES.index(hierarchy.outcome(label, name)))

    def hits(self, k: int) -> npt.NDArray[np.float64]:
        """[N] 1 where the true class is among the first k; a class that is no candidate never is,
        however large k."""
        return metrics.hits(self.rank, min(k, len(self.candidates)))

    def expected_hits(self, k: int) -> npt.NDArray[np.float64] | None:
        """[N] the same under random order of tied candidates; None where no scores are known."""
        if self.ties is None:
            return None
        return metrics.expected_hits(self.ties.better, self.rank, min(k, len(self.candidates)))

    def subset(self, rows: npt.NDArray[np.bool_]) -> Predictions:
        """The predictions for some samples."""
        labels = [label for label, wanted in zip(self.labels, rows, strict=True) if wanted]
        ties = self.ties.subset(rows) if self.ties else None
        return replace(
            self, labels=labels, top=self.top[rows], rank=self.rank[rows], sides=None, ties=ties
        )

    def save(self, path: Path, hierarchy: Hierarchy | None = None) -> None:
        """Parquet: label, predicted (see ``predicted`` for ties), rank. What ``graphzsl evaluate
        compare`` reads."""
        checked_suffix(path, (".parquet",))
        predicted = pa.array(self.predicted(hierarchy), pa.string())
        columns = {"label": self.labels, "predicted": predicted, "rank": self.rank}
        with atomic_write(path) as partial:
            pq.write_table(pa.table(columns), partial)


@dataclass(frozen=True, eq=False)
class Sides:
    """The best seen and the best unseen candidate of each sample.

    ``margin`` [N] is the difference of their scores. ``seen_share`` and ``unseen_share`` [N] are
    the chance that the side's best candidate is the true class: 1 / g where it shares the largest
    score of its side with g - 1 others. Ties count against the model: a side is right only where
    the true class has that score alone.
    """

    margin: npt.NDArray[np.float64]
    seen_share: npt.NDArray[np.float64]
    unseen_share: npt.NDArray[np.float64]

    @property
    def seen_hit(self) -> npt.NDArray[np.bool_]:
        """[N] whether the seen side is right."""
        return np.asarray(self.seen_share == 1)

    @property
    def unseen_hit(self) -> npt.NDArray[np.bool_]:
        """[N] whether the unseen side is right."""
        return np.asarray(self.unseen_share == 1)

    @classmethod
    def from_scores(
        cls, scores: npt.NDArray[Any], truth: npt.NDArray[np.int64], seen: int
    ) -> Sides:
        """From [N, C] scores whose first ``seen`` columns are the seen candidates."""
        best, seen_share = _best_of_side(scores[:, :seen], truth)
        other, unseen_share = _best_of_side(scores[:, seen:], truth - seen)
        return cls(best.astype(np.float64) - other, seen_share, unseen_share)

    @classmethod
    def join(cls, parts: Sequence[Sides]) -> Sides | None:
        """The sides of all blocks of samples; None for none."""
        if not parts:
            return None
        columns = ("margin", "seen_share", "unseen_share")
        return cls(
            *(np.concatenate([getattr(part, column) for part in parts]) for column in columns)
        )


def _best_of_side(
    scores: npt.NDArray[Any], truth: npt.NDArray[np.int64]
) -> tuple[npt.NDArray[Any], npt.NDArray[np.float64]]:
    """([N] largest score, [N] chance that the true class is drawn from those that have it);
    ``truth`` outside [0, C): 0."""
    best = scores.max(axis=1)
    inside = (truth >= 0) & (truth < scores.shape[1])
    has_it = inside & (scores[np.arange(len(scores)), np.where(inside, truth, 0)] == best)
    return best, has_it / np.count_nonzero(scores == best[:, None], axis=1)


def predict(
    model: ZeroShotModel,
    samples: Samples,
    seen: Sequence[str] = (),
    *,
    depth: int = DEPTH,
    missing: str = "error",
) -> Predictions:
    """Score samples in blocks. ``seen`` are the training classes, for the generalized setting.

    ``missing`` says what a sample means whose class is no candidate: error, or miss (it counts, as
    a miss). Raises ModelError for such a sample, or a score that is not a number.
    """
    seen_here, candidates = _seen_first(model.wnids, seen)
    if seen_here:
        model = model.select(candidates)
    stray = sorted(set(samples.labels) - set(candidates))
    if stray and missing == "error":
        raise ModelError(
            f"{stray[0]} has samples but is no candidate of the model ({len(stray)} such classes). "
            "Evaluate other classes, or count them as missed (missing: miss)."
        )
    truth = _columns(samples.labels, candidates)
    top = np.empty((len(truth), min(depth, len(candidates))), np.int64)
    rank = np.empty(len(truth), np.int64)
    sides: list[Sides] = []
    ties = TieCollector()
    size = max(1, _BLOCK_BYTES // (4 * len(candidates)))
    for start in progress(range(0, len(truth), size), "scoring", total=-(-len(truth) // size)):
        block = slice(start, start + size)
        scores = model.scores(samples.features[block])
        try:
            rank[block] = metrics.ranks(scores, truth[block])
        except ValueError as error:
            last = start + len(scores) - 1
            raise ModelError(
                f"The model cannot be evaluated: {error} in samples {start} to {last}."
            ) from None
        top[block] = metrics.top_candidates(scores, depth)
        ties.add(scores, top[block], truth[block])
        if 0 < len(seen_here) < len(candidates):
            sides.append(Sides.from_scores(scores, truth[block], len(seen_here)))
    return Predictions(
        candidates,
        samples.labels,
        top,
        rank,
        True,
        seen_here,
        Sides.join(sides),
        ties.ties(),
        samples.metadata,
    )


def _seen_first(names: Sequence[str], seen: Sequence[str]) -> tuple[list[str], list[str]]:
    """(seen classes among the candidates, all candidates with those first), so that both sides are
    slices of the scores."""
    known, among = set(names), set(seen)
    seen_here = [name for name in seen if name in known]
    return seen_here, [*seen_here, *(name for name in names if name not in among)]


def _columns(labels: Sequence[str], candidates: Sequence[str]) -> npt.NDArray[np.int64]:
    """[N] column of each true class, -1 where it is no candidate."""
    index = {name: column for column, name in enumerate(candidates)}
    return np.array([index.get(label, -1) for label in labels], dtype=np.int64)


def read_predictions(
    path: Path | str,
    classes: Sequence[str] | None = None,
    seen: Sequence[str] = (),
    numbered: bool = False,
    missing: str = "error",
) -> Predictions:
    """Predictions from outside: scores or ranked lists of any classifier.

    ``.npz``: ``scores`` [N, C], ``classes`` [C] and ``labels`` [N], names or positions in
    ``classes``; never unpickled. Other files are tables (``read_ranked`` says which columns count),
    comma or tab; an empty cell ends a list. Scores can tie; lists cannot.

    Args:
        path: the file.
        classes: the candidates of a table (default: every name in it).
        seen: the training classes, for the generalized setting.
        numbered: cells of a table are positions from 0 in ``classes``.
        missing: what a true class is that is no candidate: error, or miss (its samples count, as
            missed).

    Raises:
        DataError: names the file, and its line or key.

    >>> _ = Path("clip.csv").write_text("cat,cat,dog\\ndog,cat,dog\\n")
    >>> gz.read_predictions("clip.csv")
    <Predictions: 2 samples of 2 classes, 2 candidates, lists of 2>
    """
    path = Path(path)
    if path.suffix == ".npz":
        return _read_scores(path, seen, missing)
    rows = read_ranked(path, classes, numbered)
    metadata = {"predictions": path.name, "sha256": sha256(path)}
    return _of_rows(rows, classes, f"{path}:", seen, missing, metadata)


def predictions_of_frame(
    frame: Any,
    classes: Sequence[str] | None = None,
    seen: Sequence[str] = (),
    numbered: bool = False,
    missing: str = "error",
) -> Predictions:
    """The same of a pandas DataFrame: columns as in a table with a header, or, where they have no
    names, the true class first."""
    rows = ranked_of_frame(frame, classes, numbered)
    metadata = {"predictions": "a DataFrame"}
    return _of_rows(rows, classes, "DataFrame:", seen, missing, metadata)


def _read_scores(path: Path, seen: Sequence[str], missing: str) -> Predictions:
    expected = "scores [N, C], classes [C] and labels [N]"
    scores, names, labels = read_npz(path, "scores", "classes", "labels", expected=expected)
    metadata = {"predictions": path.name, "sha256": sha256(path)}
    try:
        return Predictions.from_scores(
            scores, names, labels, seen=seen, missing=missing, metadata=metadata
        )
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def _named_labels(labels: npt.NDArray[Any], names: npt.NDArray[Any]) -> list[str]:
    """Labels as classes: integers beside named classes are positions from 0."""
    if not np.issubdtype(labels.dtype, np.integer) or np.issubdtype(names.dtype, np.integer):
        return [str(label) for label in labels]
    outside = np.flatnonzero((labels < 0) | (labels >= len(names)))
    if len(outside):
        raise DataError(
            f"label {labels[outside[0]]} of sample {outside[0]} is no position from 0 to"
            f" {len(names) - 1:,} in classes."
        )
    return [str(name) for name in names[labels]]


def _check_labels(labels: Sequence[str], candidates: Sequence[str], where: Sequence[str]) -> None:
    """DataError names the first sample whose class is no candidate."""
    known = set(candidates)
    stray = [number for number, label in enumerate(labels) if label not in known]
    if stray:
        raise DataError(
            f"{where[stray[0]]}: the true class {labels[stray[0]]} is none of the {len(known):,}"
            f" candidates ({len(stray):,} such samples). Give candidates that hold it, or count"
            " them as missed (missing: miss)."
        )


def _of_rows(
    rows: Sequence[RankedRow],
    classes: Sequence[str] | None,
    where: str,
    seen: Sequence[str],
    missing: str,
    metadata: dict[str, Any],
) -> Predictions:
    """Ranked rows as predictions; messages name a row by ``where`` and its line."""
    labels, lists = [row.label for row in rows], [row.predicted[:DEPTH] for row in rows]
    if classes is not None and missing == "error":
        _check_labels(labels, classes, [f"{where}{row.line}" for row in rows])
    candidates = (
        list(classes)
        if classes is not None
        else sorted({*labels, *(name for row in lists for name in row)})
    )
    predictions = from_lists(lists, labels, candidates, max(len(row) for row in lists), metadata)
    known = set(candidates)
    return replace(predictions, seen=[name for name in seen if name in known])


def from_lists(
    lists: Sequence[Sequence[str]],
    labels: Sequence[str],
    candidates: Sequence[str],
    depth: int,
    metadata: dict[str, Any],
) -> Predictions:
    """Ranked lists of at most ``depth`` candidates, best first, as predictions."""
    top = np.full((len(labels), depth), -1, np.int64)
    rank = np.full(len(labels), depth + 1, np.int64)
    index = {name: column for column, name in enumerate(candidates)}
    for line, (label, names) in enumerate(zip(labels, lists, strict=True)):
        top[line, : len(names)] = [index[name] for name in names]
        if label in names:
            rank[line] = list(names).index(label) + 1
    return Predictions(list(candidates), list(labels), top, rank, False, metadata=metadata)

"""The value of every metric for every sample, with ties against the model and under random order of
tied candidates."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl import metrics
from graphzsl.audit.predictions import Predictions
from graphzsl.audit.several_labels import variable_top_k
from graphzsl.common.errors import DataError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.relations import OUTCOMES, LcaHeights, ToCandidates

#: The k of hit@k and hp@k where nothing else is said.
KS = (1, 2, 5, 10, 20)
#: Those of heights, of which shorter lists have the first alone.
HEIGHT_KS = (1, 5)

Floats = npt.NDArray[np.float64]
#: k -> class -> members of its hCorrectSet.
Sets = Mapping[int, Mapping[str, list[str]]]


@dataclass(frozen=True, eq=False)
class Measure:
    """[N] values of a metric: ``worst`` with ties against the model, ``expected`` as the mean over
    all orders of tied candidates (None where only lists are known)."""

    worst: Floats
    expected: Floats | None

    def subset(self, rows: npt.NDArray[np.bool_]) -> Measure:
        """The values of some samples."""
        return Measure(self.worst[rows], None if self.expected is None else self.expected[rows])

    def within(self, rows: npt.NDArray[np.bool_]) -> Measure:
        """The values at their places among more samples, which have none (nan)."""

        def spread(values: Floats) -> Floats:
            placed = np.full(len(rows), np.nan)
            placed[rows] = values
            return placed

        return Measure(spread(self.worst), None if self.expected is None else spread(self.expected))


def measure(
    predictions: Predictions,
    hcorrect: Sets,
    hierarchy: Hierarchy | None,
    ks: Sequence[int] = KS,
) -> dict[str, Measure]:
    """Metric -> its values: hit@k for ``ks``, hp@k for the k of ``hcorrect``, mean rank, and with
    ``hierarchy`` outcomes and heights."""
    measures = hit_measures(predictions, ks) | precision_measures(predictions, hcorrect)
    if predictions.complete:
        rank = predictions.rank.astype(np.float64)
        ties = predictions.ties
        measures["mean_rank"] = Measure(
            rank, None if ties is None else (ties.better + 1 + rank) / 2
        )
    if (shares := variable_top_k(predictions)) is not None:
        measures["variable_top_k"] = Measure(shares, None)
    if hierarchy is not None:
        hierarchy.check_classes({*predictions.labels, *predictions.candidates})
        measures |= _relational(predictions, hierarchy)
    return measures


def with_expected(
    function: Callable[[Sequence[dict[str, Any]]], dict[str, Any]],
    summaries: Sequence[dict[str, Any]],
) -> dict[str, Any]:
    """A function of summaries of metrics, and of their expected values where a tie decides one."""
    result = function(summaries)
    if any(metrics.EXPECTED in each for each in summaries):
        expected = [each.get(metrics.EXPECTED, each) for each in summaries]
        result[metrics.EXPECTED] = function(expected)
    return result


def hit_measures(predictions: Predictions, ks: Sequence[int] = KS) -> dict[str, Measure]:
    """hit@k for every one of ``ks`` that the lists are long enough for."""
    return {
        f"hit@{k}": Measure(predictions.hits(k), predictions.expected_hits(k))
        for k in ks
        if predictions.reaches(k)
    }


def precision_measures(predictions: Predictions, hcorrect: Sets) -> dict[str, Measure]:
    """hp@k for every k of ``hcorrect`` that the lists are long enough for."""
    depth = min(predictions.top.shape[1], len(predictions.candidates))
    return {
        f"hp@{k}": precisions(predictions, sets, k)
        for k, sets in sorted(hcorrect.items())
        if k <= depth
    }


def precisions(predictions: Predictions, sets: Mapping[str, list[str]], k: int) -> Measure:
    """hp@k = |top-k ∩ hCorrectSet(true class, k)| / k (Frome et al. 2013, appendix A.3, equation
    1).

    Correct labels that are not candidates lie in no list: with a valid set larger than the
    candidates hp@k cannot reach 1.
    """
    index = {name: column for column, name in enumerate(predictions.candidates)}

    def correct(label: str) -> npt.NDArray[np.bool_]:
        marks = np.zeros(len(index) + 1, dtype=bool)
        marks[[index[name] for name in sets[label] if name in index]] = 1
        return marks

    def tied(before: Floats, values: Floats, free: int) -> tuple[float, float]:
        return metrics.tied_precision(int(before.sum()), int(values.sum()), len(values), free, k)

    return _listed(predictions, k, correct, lambda block: block.mean(axis=1), tied)


def _relational(predictions: Predictions, hierarchy: Hierarchy) -> dict[str, Measure]:
    to_candidates = ToCandidates(hierarchy, predictions.candidates)
    measures = outcome_shares(predictions, to_candidates)
    trimmed = hierarchy.heights_among({*predictions.labels, *predictions.candidates})
    measures |= {
        f"lca_height@{k}": _lca(predictions, to_candidates, trimmed, k)
        for k in HEIGHT_KS
        if k <= max(1, predictions.top.shape[1])
    }
    if hierarchy.whole:
        measures["lca_height_wordnet@1"] = _lca(
            predictions, to_candidates, hierarchy.heights_among(), 1
        )
    return measures


def outcome_shares(predictions: Predictions, to_candidates: ToCandidates) -> dict[str, Measure]:
    """Outcome of the first prediction as 0/1, by name.

    From best to worst: correct, parent, child, unrelated. Where several candidates share the
    largest score the outcome is their worst, so a sample is correct only where the true class has
    it alone. Expected: the shares among them.
    """
    outcomes = np.empty(len(predictions.labels), np.int64)
    shares = np.zeros((len(outcomes), len(OUTCOMES)))
    tied = predictions.tied_first
    for label, rows in predictions.rows_by_label:
        values = to_candidates.outcomes(label)
        outcomes[rows] = values[predictions.top[rows, 0]]
        shares[rows, outcomes[rows]] = 1
        for row in tied.keys() & set(rows.tolist()):
            members = values[tied[row]]
            outcomes[row] = members.max()
            shares[row] = np.bincount(members, minlength=len(OUTCOMES)) / len(members)
    return {
        name: Measure(
            (outcomes == number).astype(np.float64), shares[:, number] if predictions.ties else None
        )
        for number, name in enumerate(OUTCOMES)
    }


def _lca(
    predictions: Predictions, to_candidates: ToCandidates, heights: dict[str, int], k: int
) -> Measure:
    """Smallest height of a lowest common ancestor over the first k predictions (Russakovsky et al.
    2015, section 4.1); that of the root where there is no prediction."""
    highest = max(heights.values())
    return _listed(
        predictions,
        k,
        LcaHeights(to_candidates, heights),
        lambda block: np.minimum(block.min(axis=1), highest),
        lambda before, values, free: metrics.tied_minimum(
            float(before.min(initial=np.inf)), values, free
        ),
    )


def _listed(
    predictions: Predictions,
    k: int,
    values_of: Callable[[str], npt.NDArray[Any]],
    settled: Callable[[Floats], Floats],
    tied: Callable[[Floats, Floats, int], tuple[float, float]],
) -> Measure:
    """A metric of the first k candidates.

    ``values_of`` gives a class's value of each column, with one more entry for the places of a list
    that ended early. ``settled`` makes a metric [n] of the values [n, k] of lists; ``tied`` (worst,
    expected) of those before a tie that crosses the border, those in it, and the number of places
    left.
    """
    k = min(k, predictions.top.shape[1])
    lists = np.empty((len(predictions.labels), k))
    ties = predictions.ties.crossing(k) if predictions.ties else ()
    crossing = {row: (begin, columns) for row, begin, columns in ties}
    decided: dict[int, tuple[float, float]] = {}
    for label, rows in predictions.rows_by_label:
        values = values_of(label)
        lists[rows] = values[predictions.top[rows, :k]]
        for row in crossing.keys() & set(rows.tolist()):
            begin, columns = crossing[row]
            _check(label, values[columns], columns, predictions)
            decided[row] = tied(lists[row, :begin], values[columns], k - begin)
    for row in np.flatnonzero(np.isinf(lists).any(axis=1)).tolist():
        _check(predictions.labels[row], lists[row], predictions.top[row, :k], predictions)
    worst = settled(lists)
    mean = worst.copy()
    for row, (least, expected) in decided.items():
        worst[row], mean[row] = least, expected
    return Measure(worst, mean if predictions.ties else None)


def _check(
    label: str, values: Floats, columns: npt.NDArray[np.int64], predictions: Predictions
) -> None:
    """DataError where a candidate has no value: it shares no ancestor with the class."""
    stray = columns[np.isinf(values) & (columns >= 0)]
    if len(stray):
        other = predictions.candidates[stray[0]]
        raise DataError(
            f"{label} and {other} have no common ancestor in the hierarchy that was exported."
        )

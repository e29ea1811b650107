"""Mistakes of a classifier: how far from the truth, and which classes it takes for which."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphzsl.audit.measures import Measure
from graphzsl.audit.predictions import Predictions
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.relations import LcaHeights, ToCandidates


@dataclass(frozen=True)
class Mistakes:
    """The first predictions that are wrong, and how far they are from the true class.

    Far is the height of the lowest common ancestor in the hierarchy of the classes and their
    ancestors, as in lca_height@1: 1 for siblings that are leaves.

    Args:
        samples: number of all samples.
        count: number of the wrong ones.
        related: share of them that name a class above or below the true one; None where there is
            no mistake.
        mean_height: mean height over them; None where there is no mistake.
        random_height: what it would be on average if a wrong candidate were drawn at random for
            every one of the samples; None where there is no wrong candidate.
        heights: height -> share of the mistakes.
    """

    samples: int
    count: int
    related: float | None
    mean_height: float | None
    random_height: float | None
    heights: dict[int, float]


def mistakes_of(
    predictions: Predictions, measures: Mapping[str, Measure], hierarchy: Hierarchy
) -> Mistakes:
    """The mistakes of first predictions; a tie for the first place counts as its worst candidate
    does. ``measures`` are those of ``measures_of`` with the same hierarchy.

    Reference:
        Bertinetto et al. 2020, section 2 (severity of mistakes); Russakovsky et al. 2015, section
        4.1 (height of the lowest common ancestor).
    """
    wrong = measures["correct"].worst == 0
    related = (measures["parent"].worst + measures["child"].worst)[wrong]
    far = measures["lca_height@1"].worst[wrong]
    distinct, counts = np.unique(far, return_counts=True)
    return Mistakes(
        len(wrong),
        int(wrong.sum()),
        float(related.mean()) if len(far) else None,
        float(far.mean()) if len(far) else None,
        _random_height(predictions, hierarchy),
        dict(zip(distinct.astype(int).tolist(), (counts / len(far)).tolist(), strict=True)),
    )


def _random_height(predictions: Predictions, hierarchy: Hierarchy) -> float | None:
    """Mean height over the samples, each with a wrong candidate drawn at random; one that shares no
    ancestor with the class is not drawn."""
    to_candidates = ToCandidates(hierarchy, predictions.candidates)
    among = hierarchy.heights_among({*predictions.labels, *predictions.candidates})
    heights_of, total, samples = LcaHeights(to_candidates, among), 0.0, 0
    for label, rows in predictions.rows_by_label:
        others = np.delete(heights_of(label)[:-1], to_candidates.index.get(label, []))
        others = others[np.isfinite(others)]
        if len(others):
            total, samples = total + len(rows) * float(others.mean()), samples + len(rows)
    return total / samples if samples else None


def confusions(
    predictions: Predictions, hierarchy: Hierarchy | None = None, most: int = 10
) -> list[dict[str, Any]]:
    """The classes that are most often taken for another, the most frequent pairs first.

    One row per pair: true, predicted, samples, and ``share`` of the true class's samples. With a
    hierarchy the names of both, ``common``, their lowest common ancestor, with its name, and its
    ``height`` (see ``Mistakes``). Pairs of equal frequency come by share, then by height, the
    farthest first, then by name; of several lowest common ancestors the smallest wnid is shown. A
    tie for the first place counts as ``Predictions.predicted`` says.
    """
    wrong = Counter(
        (label, name)
        for label, name in zip(predictions.labels, predictions.predicted(hierarchy), strict=True)
        if name is not None and name != label
    )
    size = {label: len(rows) for label, rows in predictions.rows_by_label}
    classes = {*predictions.labels, *predictions.candidates}
    return ranked_confusions(wrong, size, classes, hierarchy, most)


def ranked_confusions(
    wrong: Mapping[tuple[str, str], int],
    size: Mapping[str, int],
    classes: Collection[str],
    hierarchy: Hierarchy | None = None,
    most: int = 10,
) -> list[dict[str, Any]]:
    """The rows of ``confusions`` from the number of samples of each (true, predicted) pair.

    Args:
        wrong: (true, predicted) -> samples.
        size: true class -> all of its samples.
        classes: among which heights are.
        hierarchy: that they are in.
        most: rows.
    """

    def frequency(pair: tuple[str, str]) -> tuple[int, float]:
        return -wrong[pair], -wrong[pair] / size[pair[0]]

    def row(pair: tuple[str, str]) -> dict[str, Any]:
        count, share = frequency(pair)
        return {"true": pair[0], "predicted": pair[1], "samples": -count, "share": -share}

    first = heapq.nsmallest(most, wrong, key=lambda pair: (frequency(pair), pair))
    if hierarchy is None or not first:
        return list(map(row, first))
    # those that are as frequent as the last one shown may come before it
    least = frequency(first[-1])
    heights = hierarchy.heights_among(classes)
    shown = [
        _with_ancestor(row(pair), hierarchy, heights)
        for pair in sorted(pair for pair in wrong if frequency(pair) <= least)
    ]

    def order(row: Mapping[str, Any]) -> tuple[int, float, float]:
        nearness = -np.inf if row["height"] is None else -row["height"]
        return -row["samples"], -row["share"], nearness

    return sorted(shown, key=order)[:most]


def _with_ancestor(
    row: dict[str, Any], hierarchy: Hierarchy, heights: Mapping[str, int]
) -> dict[str, Any]:
    common = hierarchy.lowest_common_ancestor(row["true"], row["predicted"], heights)
    return {
        "true": row["true"],
        "true_name": hierarchy.names.get(row["true"]),
        "predicted": row["predicted"],
        "predicted_name": hierarchy.names.get(row["predicted"]),
        "samples": row["samples"],
        "share": row["share"],
        "common": common,
        "common_name": hierarchy.names.get(common or ""),
        "height": None if common is None else heights[common],
    }

"""Samples of which several classes are true: right where any of them is predicted, and elsewhere
of the one that is nearest to the first prediction.

Reference:
    Beyer et al. 2020 (ReaL: any of an image's labels counts, images without one do not); Anzaku et
    al. 2024 (as many predictions as an image has labels).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.predictions import Predictions
from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.relations import LcaHeights, ToCandidates
from graphzsl.metrics.hierarchical.cuts import in_subtree
from graphzsl.metrics.ties import Ties

Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
#: The rule, as a run says it.
RULE = (
    "right where any true class is predicted; of the true classes the one nearest to the first"
    " prediction is the sample's class"
)


def one_per_sample(rows: Predictions, sample_of: Ints, samples: int) -> Predictions:
    """Predictions of samples, from one row for each true class of each.

    A sample's rank is the best of its true classes', and its class the one of that rank, the first
    of several. True classes that share the best score count as one place.

    Args:
        rows: with the same predictions for all rows of a sample.
        sample_of: [E] the sample of each row, in order.
        samples: how many there are; those without a row have no true class, and are left out.
    """
    rows_of: dict[int, dict[str, int]] = {}
    for row, (sample, label) in enumerate(zip(sample_of.tolist(), rows.labels, strict=True)):
        rows_of.setdefault(sample, {}).setdefault(label, row)
    true = [tuple(own) for own in rows_of.values()]
    kept = [[*own.values()] for own in rows_of.values()]
    ranks = [tuple(rows.rank[own].tolist()) for own in kept]
    first = [own[each.index(min(each))] for own, each in zip(kept, ranks, strict=True)]
    best, alike = np.array([(min(each), each.count(min(each))) for each in ranks]).T
    if rows.complete:
        best = np.where(best <= len(rows.candidates), best - alike + 1, best)
    wanted = np.zeros(len(sample_of), dtype=bool)
    wanted[first] = True
    found = rows.part(wanted)
    labels = [
        found.candidates[found.top[row, 0]] if best[row] == 1 else label
        for row, label in enumerate(found.labels)
    ]
    facts: dict[str, Any] = {
        "several": sum(len(each) > 1 for each in true),
        "left_out": samples - len(true),
        "rule": RULE,
    }
    log(
        f"{counted(facts['several'], 'sample has', 'samples have')} several true classes:"
        f" {RULE}. Left out: {counted(facts['left_out'], 'sample')} without a true class."
    )
    return replace(
        found,
        labels=labels,
        rank=best,
        true_classes=true,
        true_ranks=ranks,
        ties=found.ties and _without_true_ties(found.ties, best == 1),
        metadata={**rows.metadata, "true_classes_of_samples": facts},
    )


def _without_true_ties(ties: Ties, are_right: npt.NDArray[np.bool_]) -> Ties:
    """Ties without those for the first place of samples that are right: all of them are true."""
    place = np.arange(ties.start.shape[1])
    tied = are_right[:, None] & (ties.start == 0)
    goes_on = tied[:, -1] & (ties.longer >= 0)
    return replace(
        ties,
        start=np.where(tied, place, ties.start),
        longer=np.where(goes_on, -1, ties.longer),
    )


def with_nearest(predictions: Predictions, hierarchy: Hierarchy | None) -> Predictions:
    """Predictions whose class, where it is not predicted, is the true class that is nearest to the
    first prediction: by the height of the lowest common ancestor, the first of several."""
    true = predictions.true_classes
    if hierarchy is None or true is None:
        return predictions
    classes = {*predictions.candidates, *(name for each in true for name in each)}
    hierarchy.check_classes(classes)
    heights_of = LcaHeights(
        ToCandidates(hierarchy, predictions.candidates), hierarchy.heights_among(classes)
    )
    known: dict[str, npt.NDArray[Any]] = {}

    def height(label: str, column: int) -> float:
        if label not in known:
            known[label] = heights_of(label)
        return float(known[label][column])

    labels = list(predictions.labels)
    for row in np.flatnonzero(predictions.rank > 1).tolist():
        if len(true[row]) > 1:
            column = int(predictions.top[row, 0])
            labels[row] = min(true[row], key=lambda label: height(label, column))
    return replace(predictions, labels=labels)


def variable_top_k(predictions: Predictions) -> npt.NDArray[np.float64] | None:
    """[N] share of a sample's k true classes among its first k predictions, where k is their
    number, ties against the model; None where lists are too short for it.

    Reference:
        Anzaku et al. 2024, variable top-k.
    """
    ranks: Sequence[tuple[int, ...]] | None = predictions.true_ranks
    if ranks is None or not predictions.reaches(max(map(len, ranks), default=1)):
        return None
    return np.array([np.mean(np.array(each) <= len(each)) for each in ranks])


def true_below(predictions: Predictions, hierarchy: Hierarchy, nodes: Sequence[str]) -> Bools:
    """[N] samples whose true class, or whose true classes all, are one of the nodes or below
    one."""
    true = predictions.true_classes
    if true is None:
        return in_subtree(hierarchy, predictions.labels, nodes)
    distinct = list(dict.fromkeys(name for each in true for name in each))
    is_below = dict(zip(distinct, in_subtree(hierarchy, distinct, nodes).tolist(), strict=True))
    return np.array([all(is_below[name] for name in each) for each in true])

"""Answers of the best expected metric beside the most probable classes, with the difference of each
sample."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl import metrics
from graphzsl.audit.evaluate import evaluated_samples
from graphzsl.audit.evaluation_options import EvaluationOptions
from graphzsl.audit.predictions import Predictions
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.metrics.hierarchical.decoding import DecodedMetric, Decoder
from graphzsl.metrics.hierarchical.probabilities import sum_to_one

#: What a decoded metric is called in a result.
TITLES = {"hf1": "hF", "information": "information", "lca": "lca_height"}


def check_decoded(
    predictions: Predictions, hierarchy: Hierarchy | None, metric: DecodedMetric
) -> None:
    """DataError where predictions cannot be decoded, before anything is computed."""
    if metric not in TITLES:
        raise DataError(f"decode is {', '.join(TITLES)}, not {metric!r}.", argument="decode")
    if hierarchy is None:
        raise DataError("There is no hierarchy to decode in.", argument="decode")
    if predictions.scores is None:
        raise DataError(
            "Only scores of all candidates can be decoded; these predictions are lists.",
            argument="decode",
        )
    if predictions.true_classes is not None:
        raise DataError(
            "Answers are decoded where one class is true of each sample.", argument="decode"
        )


def decoded(
    predictions: Predictions, against: EvaluationOptions, metric: DecodedMetric
) -> dict[str, Any]:
    """The metric of the most probable classes (of equal ones the first candidate) and of the
    answers of ``gz.hierarchical.decode``, of the samples that metrics are of.

    Returns:
        metric, title, ``before``, ``after`` and their ``difference``, each with its means and
        intervals (``metrics.summary``; those of the difference are paired), the shares of samples
        whose answer is another (``changed``), and is no class but above some (``above``), and
        where the probabilities are from.

    Raises:
        DataError: there is no hierarchy, or no scores of all candidates; scores are no
            probabilities and too small to be logits; a sample's true class is no candidate, or it
            has several.
    """
    check_decoded(predictions, against.hierarchy, metric)
    assert against.hierarchy is not None
    assert predictions.scores is not None
    column = {name: number for number, name in enumerate(predictions.candidates)}
    rows = evaluated_samples(predictions)
    part, scores = predictions.subset(rows), predictions.scores[rows]
    stray = next((label for label in part.labels if label not in column), None)
    if stray is not None:
        raise DataError(
            f"Answers are decoded where all true classes are candidates; {stray} is none.",
            argument="decode",
        )
    is_logits = not _are_probabilities(scores)
    decoder = Decoder.of(against.hierarchy, predictions.candidates, metric)
    best, first = decoder.best(scores, is_logits), decoder.answers_of(part.top[:, 0])
    true = np.array([column[label] for label in part.labels])
    sign = -1 if metric == "lca" else 1
    before, after = (sign * decoder.worth[true, answers] for answers in (first, best))
    classes = np.isin(decoder.nodes[best], decoder.tree.positions)
    source = "softmax of the scores" if is_logits else "the scores"
    log(f"Decoded by {TITLES[metric]}: probabilities are {source}.")
    return {
        "metric": metric,
        "title": TITLES[metric],
        "probabilities": source,
        **{
            name: metrics.summary(values, part.class_ids, against.interval)
            for name, values in (
                ("before", before),
                ("after", after),
                ("difference", after - before),
            )
        },
        "changed": float((best != first).mean()),
        "above": float((~classes).mean()),
    }


def _are_probabilities(scores: npt.NDArray[Any]) -> bool:
    """True for probabilities, False for logits; DataError for what is neither."""
    if sum_to_one(scores):
        return True
    sums = scores.sum(axis=1, dtype=np.float64)
    if scores.min() >= 0 and np.ptp(sums) <= 1e-3 * sums.max():
        raise DataError(
            f"The scores of each sample sum to {sums[0]:.4g}: probabilities in other units. Divide"
            " them by it.",
            argument="decode",
        )
    if scores.min() >= -1 and scores.max() <= 1:
        raise DataError(
            "The scores are between -1 and 1, and do not sum to 1 for each sample: cosines, or"
            " chances of each class by itself. Decode probabilities, or logits: cosines times the"
            " scale of their model (100 for CLIP).",
            argument="decode",
        )
    return False

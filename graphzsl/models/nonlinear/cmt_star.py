"""CMT* (Socher et al. 2013): CMT with a detector that sends a sample to the seen or to the unseen
classes.

``detector`` threshold: a Gaussian N(s_y, σ_y² I) around each seen class's embedding, σ_y² from that
class's mapped samples; novel where every seen class's density is below its threshold, the
``quantile`` of its own samples' densities. outlier: P(unseen|x) is the local outlier probability
among the mapped training samples, and weighs both sides. Seen classes are told apart by a softmax
classifier. Without seen candidates it is CMT.

The network's width and epochs are chosen as CMT's are. Where seen classes are candidates, the
detector is then chosen by the harmonic mean of seen and unseen accuracy: on each fold a fifth of
the samples of every class that is learned from is held out beside the held-out classes, and all of
these classes are candidates.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from graphzsl import metrics
from graphzsl.data.class_matrix import Matrix
from graphzsl.data.samples import Samples
from graphzsl.models.base.encoders import TanhNetwork
from graphzsl.models.base.generalized_folds import generalized_folds
from graphzsl.models.base.novelty import (
    NoveltyDetector,
    OutlierProbability,
    Threshold,
    log_densities,
    loop_distances,
)
from graphzsl.models.base.options import option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model
from graphzsl.models.compatibility.bilinear import Callback
from graphzsl.models.nonlinear import cmt

GRID = cmt.GRID
#: What the detector is chosen from.
DETECTORS: list[dict[str, Any]] = [
    *({"detector": "threshold", "quantile": quantile} for quantile in (0.01, 0.05, 0.1, 0.25, 0.5)),
    *({"detector": "outlier", "strength": strength} for strength in (1.0, 3.0, 10.0)),
]


@dataclass(frozen=True)
class Options(cmt.Options):
    """Hyper-parameters."""

    detector: str = option("threshold", "How novel samples are found.", ("threshold", "outlier"))
    quantile: float = option(
        0.1, "Share of a seen class's own samples below its threshold.", least=0, most=1
    )
    neighbours: int = option(20, "Training samples around a sample (outlier).", least=1)
    strength: float = option(3.0, "λ of the outlier probability.", above=0)
    ridge: float = option(
        1e-4, "L2 penalty of the softmax classifier of the seen classes.", least=0
    )


def fit(task: Task, options: Options, callback: Callback | None = None) -> ZeroShotModel:
    """CMT's model with a gate."""
    if (
        callback is not None
        # the candidates of those folds are all held out: the gate has no seen class to choose
        # between
    ):
        return cmt.fit(task, options, callback)
    return _gated(task, options, cmt.fit_network(task, options, "cmt-star"))


def tune_detector(
    task: Task, given: dict[str, Any], folds: Sequence[tuple[list[str], list[str]]]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """(the best of DETECTORS, trials); nothing where no seen class is a candidate or where there
    are no samples to hold out."""
    points = [
        point
        for point in DETECTORS
        if all(given.get(key, value) == value for key, value in point.items())
    ]
    if len(points) < 2 or task.samples is None or not set(task.train) & set(task.candidates):
        return {}, []
    scores = np.zeros((len(points), len(folds)))
    for column, fold in enumerate(generalized_folds(task, folds)):
        options = Options(**given)
        network = cmt.fit_network(fold.task, options, "cmt-star")
        for row, point in enumerate(points):
            model = _gated(fold.task, replace(options, **point), network)
            sides = (_accuracy(model, fold.seen), _accuracy(model, fold.unseen))
            scores[row, column] = metrics.harmonic_mean(*sides)
    trials = [
        {**point, "harmonic_mean": float(each.mean()), "spread": float(each.std())}
        for point, each in zip(points, scores, strict=True)
    ]
    return points[int(scores.mean(axis=1).argmax())], trials


def _accuracy(model: ZeroShotModel, samples: Samples) -> float:
    """Per-class hit@1."""
    truth = metrics.columns_of(
        samples.labels, {wnid: column for column, wnid in enumerate(model.wnids)}
    )
    return float(
        metrics.per_class(
            metrics.hits(metrics.ranks(model.scores(samples.features), truth), 1), truth
        ).mean()
    )


def _gated(task: Task, options: Options, network: TanhNetwork) -> ZeroShotModel:
    rows, bias = cmt.nearest_rows(task.candidate_semantics)
    return example_model(
        task, rows, bias=bias, model="cmt-star", encoder=network, gate=_gate(task, options, network)
    )


def _gate(task: Task, options: Options, network: TanhNetwork) -> NoveltyDetector:
    examples = task.examples
    mapped = network(examples.x).astype(np.float32)
    seen_rows, seen_bias = task.softmax_classifier(options.ridge)
    squared = ((mapped - examples.s[examples.y]) ** 2).sum(axis=1)
    if options.detector == "outlier":
        distances, normaliser = loop_distances(mapped, options.neighbours, options.strength)
        variance = float(squared.mean() / mapped.shape[1])
        return OutlierProbability(
            list(task.train),
            seen_rows,
            seen_bias,
            mapped,
            distances,
            normaliser,
            variance,
            options.neighbours,
            options.strength,
        )
    variances, thresholds = thresholds_of(mapped, examples.s, examples.y, options.quantile)
    return Threshold(list(task.train), seen_rows, seen_bias, examples.s, variances, thresholds)


def thresholds_of(
    mapped: Matrix, s: Matrix, y: np.ndarray, quantile: float
) -> tuple[Matrix, Matrix]:
    """([T] σ_y², [T] thresholds): the mean squared distance per dimension of each class's own
    samples, not of all."""
    squared = ((mapped - s[y]) ** 2).sum(axis=1)
    counts = np.bincount(y, minlength=len(s))
    variances = np.maximum(
        np.bincount(y, squared, minlength=len(s)) / (counts * mapped.shape[1]), 1e-8
    )
    own = log_densities(mapped, s, variances)[np.arange(len(y)), y]
    thresholds = np.array([np.quantile(own[y == row], quantile) for row in range(len(s))])
    return variances.astype(np.float32), thresholds.astype(np.float32)

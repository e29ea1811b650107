"""CMT* (Socher et al. 2013): CMT with a detector that sends a sample to the seen or to the unseen classes.

``detector`` threshold: a Gaussian N(s_y, σ_y² I) around each seen class's embedding, σ_y² from that class's mapped samples;
novel where every seen class's density is below its threshold, the ``quantile`` of its own samples' densities.
outlier: P(unseen|x) is the local outlier probability among the mapped training samples, and weighs both sides.
Seen classes are told apart by a softmax classifier. Without seen candidates it is CMT.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.class_matrix import Matrix
from graphzsl.models import cmt
from graphzsl.models.compatibility import Watch
from graphzsl.models.encoders import TanhNetwork
from graphzsl.models.head import Head, example_head
from graphzsl.models.novelty import Gate, OutlierProbability, Threshold, log_densities, loop_distances
from graphzsl.models.options import option
from graphzsl.models.task import Task

FAMILY = "non-linear"
GRID = cmt.GRID


@dataclass(frozen=True)
class Options(cmt.Options):
    """Hyper-parameters."""

    detector: str = option("threshold", "How novel samples are found.", ("threshold", "outlier"))
    quantile: float = option(0.1, "Share of a seen class's own samples below its threshold.")
    neighbours: int = option(20, "Training samples around a sample (outlier).")
    strength: float = option(3.0, "λ of the outlier probability.")
    ridge: float = option(1e-4, "L2 penalty of the softmax classifier of the seen classes.")


def fit(task: Task, options: Options, watch: Watch | None = None) -> Head:
    """CMT's head with a gate."""
    rows, bias = cmt.nearest_rows(task.candidate_semantics)
    if watch is not None:  # validation candidates are all held out: the gate has no seen class to choose between
        return cmt.fit(task, options, watch)
    network = cmt.fit_network(task, options, "cmt-star")
    return example_head(task, rows, bias=bias, model="cmt-star", encoder=network, gate=_gate(task, options, network))


def _gate(task: Task, options: Options, network: TanhNetwork) -> Gate:
    examples = task.examples
    mapped = network(examples.x).astype(np.float32)
    seen_rows, seen_bias = examples.softmax_classifier(options.ridge, task.where)
    squared = ((mapped - examples.s[examples.y]) ** 2).sum(axis=1)
    if options.detector == "outlier":
        distances, normaliser = loop_distances(mapped, options.neighbours, options.strength)
        variance = float(squared.mean() / mapped.shape[1])
        return OutlierProbability(list(task.train), seen_rows, seen_bias, mapped, distances, normaliser, variance,
                                  options.neighbours, options.strength)  # fmt: skip
    variances, thresholds = thresholds_of(mapped, examples.s, examples.y, options.quantile)
    return Threshold(list(task.train), seen_rows, seen_bias, examples.s, variances, thresholds)


def thresholds_of(mapped: Matrix, s: Matrix, y: np.ndarray, quantile: float) -> tuple[Matrix, Matrix]:
    """([T] σ_y², [T] thresholds): the mean squared distance per dimension of each class's own samples, not of all."""
    squared = ((mapped - s[y]) ** 2).sum(axis=1)
    counts = np.bincount(y, minlength=len(s))
    variances = np.maximum(np.bincount(y, squared, minlength=len(s)) / (counts * mapped.shape[1]), 1e-8)
    own = log_densities(mapped, s, variances)[np.arange(len(y)), y]
    thresholds = np.array([np.quantile(own[y == row], quantile) for row in range(len(s))])
    return variances.astype(np.float32), thresholds.astype(np.float32)

"""The closest-training-class solution: what the hierarchy's structure alone gives away.

The classifier of an unseen class is that of its closest training classes, with all ties averaged,
the first wnid or a seeded random one (Hascoet et al. 2019, appendix E; ties are ours). Distances
are hops in the exported subgraph. From samples a class's classifier is the mean of its samples.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.common.errors import ModelError
from graphzsl.data.class_matrix import Matrix, distinct_rows, unit_rows
from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model

NEEDS = ("graph",)
GRID: list[dict[str, object]] = [{}]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    ties: str = option(
        "average",
        "Which of several equally close training classes count.",
        ("average", "first", "random"),
    )


def fit(task: Task, options: Options) -> ZeroShotModel:
    """[C, D+1] unit rows, and biases; ModelError names a candidate that no training class reaches.

    Candidates that share their closest training classes get equal rows, so they tie: ties count
    against the model.
    """
    # Equal shares must give equal rows, and a matrix product rounds by position: every distinct row
    # of shares once.
    shares = memberships(task, task.candidates, options.ties)
    first, which = distinct_rows(shares)
    shares = shares[first]
    rows, own = (shares @ task.examples.class_means)[which], biases(task, shares)
    bias = None if own is None else own[which]
    return example_model(task, unit_rows(rows), model="closest", bias=bias)


def biases(task: Task, shares: Matrix) -> Matrix | None:
    """[C] the closest training classes' biases, averaged: the structure alone decides here too.
    None without classifier rows."""
    return None if task.samples is not None else shares @ task.biases()


def memberships(task: Task, wnids: list[str], ties: str) -> Matrix:
    """[len(wnids), T] shares of the closest training classes; a training class is its own."""
    from graphzsl.hierarchy.closest import closest_classes

    column = {wnid: row for row, wnid in enumerate(task.train)}
    close = {
        row.wnid: row.closest for row in closest_classes(task.subgraph.hierarchy, task.train, wnids)
    }
    random = np.random.default_rng(task.seed)
    shares = np.zeros((len(wnids), len(task.train)), np.float32)
    for row, wnid in enumerate(wnids):
        if wnid not in close:
            raise ModelError(
                f"No training class is reachable from candidate {wnid} in the subgraph."
            )
        chosen = close[wnid]
        if ties != "average":
            chosen = chosen[:1] if ties == "first" else random.choice(chosen, 1).tolist()
        shares[row, [column[each] for each in chosen]] = 1 / len(chosen)
    return shares

"""ESZSL on the closest training classes as semantics: the trivial solution of Hascoet et al.
(2019), appendix E, equation 9.

The embedding of a training class is its one-hot vector, that of an unseen class the one-hot (or,
with ties averaged, the mean of the one-hots) of its closest training classes, plus Gaussian noise
of standard deviation σ for the unseen ones. What a model gains over this, it did not get from the
hierarchy's structure alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.models.base.options import option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model
from graphzsl.models.compatibility import eszsl
from graphzsl.models.structural import closest

NEEDS = ("graph",)
GRID = eszsl.GRID


@dataclass(frozen=True)
class Options(eszsl.Options):
    """Hyper-parameters."""

    ties: str = option(
        "average",
        "Which of several equally close training classes count.",
        ("average", "first", "random"),
    )
    sigma: float = option(
        1e-3, "Standard deviation of the noise that tells equal embeddings apart.", least=0
    )


def fit(task: Task, options: Options) -> ZeroShotModel:
    """[C, D+1] classifiers of ESZSL on structural embeddings."""
    shares = task.once(
        f"closest, {options.ties}", lambda: closest.memberships(task, task.candidates, options.ties)
    )
    noise = np.random.default_rng(task.seed).normal(scale=1.0, size=shares.shape)
    train = set(task.train)
    unseen = np.array([wnid not in train for wnid in task.candidates])
    candidates = shares + options.sigma * noise * unseen[:, None]
    one_hot = np.eye(len(task.train), dtype=np.float32)
    solver = task.once(
        f"eszsl on one-hot vectors, {options.labels}",
        lambda: eszsl.Solver.from_examples(task.examples, one_hot, options.labels),
    )
    rows = solver.classifiers(candidates.astype(np.float32), options.gamma, options.ridge)
    return example_model(task, rows, model="closest-eszsl", bias=closest.biases(task, shares))

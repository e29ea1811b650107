"""The random-embedding control (DeViSE, appendix): ESZSL with Gaussian vectors in place of the class embeddings.

It sees the samples but no meaning: what it scores above chance is not knowledge of the unseen classes.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.class_matrix import unit_rows
from graphzsl.models import eszsl
from graphzsl.models.head import Head, example_head
from graphzsl.models.options import option
from graphzsl.models.task import Task

FAMILY = "structural"
GRID: list[dict[str, object]] = [{}]


@dataclass(frozen=True)
class Options(eszsl.Options):
    """Hyper-parameters."""

    dimensions: int = option(300, "Dimensions of the random vectors.")


def fit(task: Task, options: Options) -> Head:
    """[C, D+1] classifiers; a class that is both seen and candidate has one vector."""
    wnids = sorted({*task.train, *task.candidates})
    random = np.random.default_rng(task.seed)
    vectors = unit_rows(random.normal(size=(len(wnids), max(1, options.dimensions)))).astype(np.float32)
    row = {wnid: position for position, wnid in enumerate(wnids)}
    s, candidates = (vectors[[row[wnid] for wnid in part]] for part in (task.train, task.candidates))
    rows = eszsl.classifiers(task.examples, candidates, options, s)
    return example_head(
        task, rows, model="random-embedding", bias=0.0
    )  # predicted ones would come from real embeddings

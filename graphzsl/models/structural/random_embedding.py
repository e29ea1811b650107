"""The random-embedding control (DeViSE, appendix): DeViSE trained on Gaussian unit vectors in place
of the class embeddings.

It sees the samples but no meaning: what it scores above chance is not knowledge of the unseen
classes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from graphzsl.common.files import manifest
from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix, unit_rows
from graphzsl.models.base.options import option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.compatibility import devise
from graphzsl.models.compatibility.bilinear import Callback

GRID = devise.GRID


@dataclass(frozen=True)
class Options(devise.Options):
    """Hyper-parameters."""

    dimensions: int = option(500, "Dimensions of the random vectors (the paper: 500).", least=1)


def fit(task: Task, options: Options, callback: Callback | None = None) -> ZeroShotModel:
    """[C, D+1] classifiers; a class that is both seen and candidate has one vector."""
    wnids = sorted({*task.train, *task.candidates})
    random = np.random.default_rng(task.seed)
    vectors = unit_rows(random.normal(size=(len(wnids), max(1, options.dimensions)))).astype(
        np.float32
    )
    drawn = ClassMatrix(wnids, vectors, manifest(EMBEDDINGS, model="random"))

    def without_embedding(model: ZeroShotModel) -> ZeroShotModel:
        """A sample's place among random vectors is not a place among the class embeddings."""
        return replace(model, embedding=None, semantic_scaling=None)

    def callback_without_embedding(epoch: int, model: ZeroShotModel) -> None:
        if callback:
            callback(epoch, without_embedding(model))

    problem = replace(task, semantics=drawn, semantic_scaling="none")
    return without_embedding(
        devise.fit(problem, options, callback_without_embedding, "random-embedding")
    )

"""DAP, direct attribute prediction (Lampert et al. 2009, 2014): a probabilistic classifier an
attribute, then Bayes' rule.

f(x) = argmax_c Π_m p(a_m^c | x) / p(a_m^c), in logarithms. p(a_m = 1 | x) is a logistic regression
on the training samples; the prior p(a_m) is the mean over the training classes (0.5 where it is 0
or 1). Embeddings that are not binary are cut at their mean over the training classes, all entries
together (global) or dimension by dimension.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.data.class_matrix import Matrix
from graphzsl.models.base.encoders import AttributeClassifiers
from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.regression import logistic_regression
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model

GRID = [
    {"ridge": ridge, "cut": cut} for ridge in (1e-4, 1e-3, 1e-2) for cut in ("global", "dimension")
]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    ridge: float = option(1e-3, "L2 penalty of the attribute classifiers.", least=0)
    cut: str = option("global", "At which mean embeddings become 0 or 1.", ("global", "dimension"))


def fit(task: Task, options: Options) -> ZeroShotModel:
    """The attribute classifiers as encoder; a candidate's row holds its attributes, its bias the
    prior's part."""
    train, candidates = attributes(task, options.cut)
    examples = task.examples
    weight, bias = logistic_regression(examples.x, train[examples.y], options.ridge, task.where)
    return attribute_model(task, AttributeClassifiers(weight, bias), train, candidates, "dap")


def attributes(task: Task, cut: str) -> tuple[Matrix, Matrix]:
    """([T, M], [C, M]) in {0, 1}: whether an entry is above the mean of the training classes."""
    train, candidates = task.semantics.rows(task.train), task.semantics.rows(task.candidates)
    border = train.mean(axis=0) if cut == "dimension" else train.mean()
    return (train > border).astype(np.float32), (candidates > border).astype(np.float32)


def attribute_model(
    task: Task, encoder: object, train: Matrix, candidates: Matrix, model: str
) -> ZeroShotModel:
    """score = Σ_m log p(a_m^c|x) - Σ_m log p(a_m^c) with the encoder's [log p, log (1 - p)]."""
    prior = train.mean(axis=0).astype(np.float64)
    prior[(prior == 0) | (prior == 1)] = 0.5
    both = np.concatenate([candidates, 1 - candidates], axis=1)
    bias = -(both @ np.concatenate([np.log(prior), np.log(1 - prior)]))
    return example_model(task, both, bias=bias, model=model, encoder=encoder)  # type: ignore[arg-type]

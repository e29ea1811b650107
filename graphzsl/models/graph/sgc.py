"""SGC, simple graph convolution (Wu et al. 2019), for classifiers: B maps Â^K E to the training
classes' rows, linearly.

B = (XᵀX + λI)⁻¹ XᵀT with X the rows of Â^K E, centred on the training classes and L2-normalised, T
the directions of classifier rows, Â = D⁻¹(A + I). No hidden layer and one closed form: what a graph
network adds to it is its non-linearity.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.graph import graph_linear

NEEDS = ("graph", "classifiers")
GRID = [{"ridge": ridge, "steps": steps} for ridge in graph_linear.RIDGES for steps in (1, 2, 3)]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    ridge: float = option(3.0, "λ of the ridge regression.", least=0)
    steps: int = option(
        2, "K: how often embeddings are averaged over their neighbours.", least=0, most=10
    )


def fit(task: Task, options: Options) -> ZeroShotModel:
    """Closed form; [C, D+1] classifiers for the candidates: unit directions of centred weights, and
    predicted biases."""
    return graph_linear.ridge_model(task, options.ridge, (options.steps,), "sgc")

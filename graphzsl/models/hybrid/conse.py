"""ConSE (Norouzi et al. 2014): the seen classifier's own probabilities, averaged in the space of
class embeddings.

f(x) = Σ_t p_t s_t / Σ_t p_t over the ``top`` likeliest seen classes, p_t = p(y_t | x); candidates
are ranked by cosine (Xian et al. 2017, equations 13 and 14). From samples p is that of a softmax
regression on them. From classifier rows nothing is trained: p is the network's own where images are
classified; where rows are, it is the softmax over xᵀ row of centred unit rows, because the network
gives no probabilities of a row. A ``scale`` other than 1 is this project's own: it sharpens p to
softmax(scale · logits), and validation does not try it.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphzsl.data.class_matrix import unit_rows
from graphzsl.models.base.encoders import ConvexCombination
from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model

GRID = [{"top": top} for top in (1, 2, 3, 5, 10, 20, 50, 100, 200)]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    top: int = option(10, "T: number of seen classes that enter.", least=1)
    scale: float = option(
        1.0,
        "Inverse temperature of the softmax over seen classes; the paper has none, which is 1.",
        above=0,
    )
    ridge: float = option(
        1e-4, "L2 penalty of the softmax regression, where there are samples.", least=0
    )


def fit(task: Task, options: Options) -> ZeroShotModel:
    """An encoder of the seen classifier and its classes' embeddings, and the candidates'
    embeddings."""
    seen = task.seen_classifier(options.ridge)
    encoder = ConvexCombination(
        seen.weights, task.examples.s, max(1, options.top), options.scale, seen.directions
    )
    return example_model(task, unit_rows(task.candidate_semantics), model="conse", encoder=encoder)

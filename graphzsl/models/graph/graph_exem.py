"""EXEM on graph-smoothed embeddings: the kernel regression of exem-ridge from [E, ÂE, Â²E], which
is this project's own combination.

Class means (or classifier rows) are predicted from a class's own embedding and from those of its
neighbourhood in the hierarchy, Â = D⁻¹(A + I); a sample is of the class whose predicted mean is
nearest. The length of a predicted mean tells how much the training classes around a class agree:
comparing by distance uses it, comparing by cosine does not.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphzsl.models.base.options import option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.graph.graph_linear import smoothed_inputs
from graphzsl.models.hybrid import exem, exem_ridge

NEEDS = ("graph",)
GRID = [
    {"gamma": gamma, "penalty": penalty, "distance": distance}
    for gamma in (0.5, 1.0, 2.0, 4.0, 8.0)
    for penalty in (0.1, 0.3, 1.0, 3.0, 10.0, 30.0)
    for distance in ("euclidean", "cosine")
]


@dataclass(frozen=True)
class Options(exem_ridge.Options):
    """Hyper-parameters."""

    gamma: float = option(
        2.0,
        "γ of the RBF kernel, in units of 1 / median squared distance between training classes.",
        above=0,
    )
    powers: tuple[int, ...] = option(
        (0, 1, 2), "Powers of Â whose smoothings of E are joined.", least=0, most=10, distinct=True
    )


def fit(task: Task, options: Options) -> ZeroShotModel:
    """The principal components as encoder, [2 m_c, -‖m_c‖²] of the predicted means as rows."""
    return exem.exemplar_model(task, options, *smoothed_inputs(task, options.powers), "graph-exem")

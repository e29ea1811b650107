"""EXEM with kernel ridge regression in place of the ν-SVRs, which is this project's own variant of
it.

All components are predicted by one closed form, M_c = K_c (K + I / C)⁻¹ M with K the RBF kernel on
class embeddings, so that it costs a second where one ν-SVR per component costs minutes. Everything
else is `exem`; samples and predicted means are also compared by cosine.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphzsl.models.base.options import option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.hybrid import exem

GRID = [
    {"gamma": gamma, "penalty": penalty, "distance": distance}
    for gamma in (0.5, 1.0, 2.0, 4.0, 8.0)
    for penalty in (0.3, 1.0, 3.0, 10.0, 30.0, 100.0)
    for distance in ("euclidean", "cosine")
]


@dataclass(frozen=True)
class Options(exem.Options):
    """Hyper-parameters."""

    regressor: str = option(
        "ridge", "How class means are predicted; svr is the model exem.", ("ridge", "svr")
    )
    penalty: float = option(
        3.0, "C of the regression: larger fits the training classes closer.", above=0
    )


def fit(task: Task, options: Options) -> ZeroShotModel:
    """The principal components as encoder, [2 m_c, -‖m_c‖²] of the predicted means as rows."""
    return exem.exemplar_model(
        task, options, task.examples.s, task.candidate_semantics, "exem-ridge"
    )

"""EXEM, predicted exemplars (Changpinyo et al. 2017): the mean of a class's samples is predicted from its embedding.

Samples are projected on their first principal components; one kernel regression (RBF on class embeddings) a component predicts
the mean of each class; a sample is of the class whose predicted mean is nearest. ``regressor`` svr is the paper's ν-SVR,
one a component; ridge is kernel ridge regression, all components in one closed form. ``distance`` standard divides each
component by its spread within classes; cosine compares directions alone, for samples that are not of the means' scale.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.spatial.distance import cdist, pdist

from graphzsl.class_matrix import Matrix, unit_rows
from graphzsl.models.cmt import nearest_rows
from graphzsl.models.encoders import Projection
from graphzsl.models.head import Head, example_head
from graphzsl.models.options import Hyperparameters, option
from graphzsl.models.task import Examples, Task
from graphzsl.progress import progress

FAMILY = "hybrid"
GRID = [
    {"gamma": gamma, "penalty": penalty, "distance": distance}
    for gamma in (1.0, 2.0)
    for penalty in (1.0, 3.0, 10.0)
    for distance in ("euclidean", "cosine")
]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    regressor: str = option("ridge", "How class means are predicted.", ("ridge", "svr"))
    components: int = option(500, "Principal components at most (the paper: 500).")
    gamma: float = option(1.0, "γ of the RBF kernel, in units of 1 / median squared distance between training classes.")
    penalty: float = option(3.0, "C of the regression: larger fits the training classes closer.")
    nu: float = option(0.5, "ν of the ν-SVR.")
    distance: str = option("euclidean", "How samples and means are compared.", ("euclidean", "standard", "cosine"))


def fit(task: Task, options: Options) -> Head:
    """The principal components as encoder, [2 m_c, -‖m_c‖²] of the predicted means as rows."""
    return exemplar_head(task, options, task.examples.s, task.candidate_semantics, "exem")


def exemplar_head(task: Task, options: Options, s: Matrix, s_candidates: Matrix, model: str) -> Head:
    """EXEM from inputs ``s`` [T, S] of the training classes and ``s_candidates`` [C, S] of the candidates."""
    examples = task.examples
    axes = components(examples, options)
    means = examples.class_means @ axes
    median = float(np.median(pdist(s, "sqeuclidean"))) if len(s) > 1 else 1.0
    kernel, kernel_candidates = (
        np.exp(-options.gamma / median * cdist(values, s, "sqeuclidean")) for values in (s, s_candidates)
    )
    center = means.mean(axis=0)
    predict = _svr if options.regressor == "svr" else _ridge
    predicted = center + predict(kernel, kernel_candidates, means - center, options)
    rows, bias = _rows(predicted.astype(np.float32), options.distance)
    return example_head(task, rows, bias=bias, model=model, encoder=Projection(axes))


def _rows(predicted: Matrix, distance: str) -> tuple[Matrix, Matrix]:
    if distance == "cosine":
        return unit_rows(predicted), np.zeros(len(predicted), np.float32)
    return nearest_rows(predicted)


def components(examples: Examples, options: Options) -> Matrix:
    """[D, P] principal axes of the samples, divided by the spread within classes where that is asked for."""
    axes = examples.principal_axes[:, : max(1, options.components)]
    if options.distance == "standard":
        within = (examples.x - examples.class_means[examples.y]) @ axes
        spread = within.std(axis=0)
        axes = np.asarray(axes / np.where(spread > 1e-6, spread, 1), dtype=np.float32)
    return np.ascontiguousarray(axes, dtype=np.float32)


def _ridge(kernel: Matrix, candidates: Matrix, means: Matrix, options: Options) -> Matrix:
    return np.asarray(candidates @ np.linalg.solve(kernel + np.eye(len(kernel)) / options.penalty, means))


def _svr(kernel: Matrix, candidates: Matrix, means: Matrix, options: Options) -> Matrix:
    from sklearn.svm import NuSVR

    found = np.empty((len(candidates), means.shape[1]), np.float32)
    spread = means.std(axis=0)
    for column in progress(range(means.shape[1]), "regressing class means", total=means.shape[1]):
        scale = spread[column] or 1.0
        machine = NuSVR(kernel="precomputed", C=options.penalty, nu=options.nu)
        found[:, column] = scale * machine.fit(kernel, means[:, column] / scale).predict(candidates)
    return found

"""EXEM, predicted exemplars (Changpinyo et al. 2017): the mean of a class's samples is predicted
from its embedding.

Samples are projected on their first principal components. One ν-SVR per component, with an RBF
kernel on class embeddings, predicts the mean of each class; a sample is of the class whose
predicted mean is nearest. ``distance`` standard divides each component by its standard deviation
within a class, averaged over the training classes. From classifier rows a class has one sample and
no spread, so that standard is euclidean there.

Two things are this project's own and in no default: ``regressor`` ridge, which is the model
exem-ridge, and ``distance`` cosine, which compares directions alone, for samples that are not of
the means' scale.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from graphzsl.common.progress import progress_bar
from graphzsl.data.class_matrix import Matrix, unit_rows
from graphzsl.models.base.encoders import Projection
from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.task import Examples, Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model
from graphzsl.models.nonlinear.cmt import nearest_rows

#: A part of the paper's grid, γ in 2^[-4, 4], C in 2^[-3, 3], ν in 2^[-8, 0]; distance varies
#: fastest, so that it costs no regression.
GRID = [
    {"gamma": gamma, "penalty": penalty, "nu": nu, "distance": distance}
    for gamma in (0.5, 2.0)
    for penalty in (0.25, 2.0)
    for nu in (0.125, 0.5)
    for distance in ("euclidean", "standard")
]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    regressor: str = option(
        "svr", "How class means are predicted; ridge is the model exem-ridge.", ("svr", "ridge")
    )
    components: int = option(500, "Principal components at most (the paper: 500).", least=1)
    gamma: float = option(
        1.0,
        "γ of the RBF kernel, in units of 1 / median squared distance between training classes.",
        above=0,
    )
    penalty: float = option(
        1.0, "C of the regression: larger fits the training classes closer.", above=0
    )
    nu: float = option(0.5, "ν of the ν-SVR.", above=0, most=1)
    distance: str = option(
        "euclidean", "How samples and means are compared.", ("euclidean", "standard", "cosine")
    )


def fit(task: Task, options: Options) -> ZeroShotModel:
    """The principal components as encoder, [2 m_c, -‖m_c‖²] of the predicted means as rows."""
    return exemplar_model(task, options, task.examples.s, task.candidate_semantics, "exem")


def exemplar_model(
    task: Task, options: Options, s: Matrix, s_candidates: Matrix, model: str
) -> ZeroShotModel:
    """EXEM from inputs ``s`` [T, S] of the training classes and ``s_candidates`` [C, S] of the
    candidates."""
    examples = task.examples
    axes, means = task.once(
        f"projected class means, {options.components}", lambda: _projected(examples, options)
    )
    # `s` is kept by `_predicted`, so that its id names it
    regression = (
        model,
        id(s),
        options.regressor,
        axes.shape[1],
        options.gamma,
        options.penalty,
        options.nu,
    )
    predicted = task.once(
        f"exemplars {regression}",
        lambda: _predicted(task, means, s, s_candidates, options),
    )
    if options.distance == "standard":
        spread = spread_within_classes(examples, axes)
        axes, predicted = axes / spread, predicted / spread
    rows, bias = _rows(predicted, options.distance)
    return example_model(task, rows, bias=bias, model=model, encoder=Projection(axes))


def _predicted(
    task: Task, means: Matrix, s: Matrix, s_candidates: Matrix, options: Options
) -> Matrix:
    """[C, P] the candidates' means from those of the training classes [T, P]."""
    # `s` is kept in what is kept, so that its id names it
    _, *squared = task.once(
        f"distances from inputs {id(s)}", lambda: (s, *relative_distances(s, s_candidates))
    )
    center = means.mean(axis=0)
    kernel, kernel_candidates = task.once(
        f"kernels {id(s)} {options.gamma}",
        lambda: tuple(np.exp(-options.gamma * each) for each in squared),
    )
    if options.regressor == "svr":
        predicted = _svr(kernel, kernel_candidates, means - center, options)
    else:
        left, values, right = task.once(
            f"ridge {id(s)} {options.gamma} {means.shape[1]}",
            lambda: _decomposed(kernel, kernel_candidates, means - center),
        )
        predicted = left / (values + 1 / options.penalty) @ right
    return np.asarray(center + predicted, dtype=np.float32)


def relative_distances(s: Matrix, s_candidates: Matrix) -> tuple[Matrix, Matrix]:
    """([T, T], [C, T]) squared distances to training classes, in units of the median among
    these."""
    among, across = squared_distances(s, s), squared_distances(s_candidates, s)
    np.fill_diagonal(among, 0)
    pairs = among[np.triu_indices(len(s), 1)]
    median = float(np.median(pairs)) if len(pairs) else 1.0
    return among / median, across / median


def squared_distances(one: Matrix, other: Matrix) -> Matrix:
    """[N, M] ‖a - b‖² = ‖a‖² + ‖b‖² - 2 a·b in 64 bits: a product of matrices, where differences
    would be taken pair by pair."""
    center = other.mean(axis=0, dtype=np.float64)  # smaller norms, less cancellation
    a, b = one - center, other - center
    squares = -2 * (a @ b.T)
    squares += (a**2).sum(axis=1)[:, None]
    squares += (b**2).sum(axis=1)
    return np.asarray(np.maximum(squares, 0, out=squares))


def _rows(predicted: Matrix, distance: str) -> tuple[Matrix, Matrix]:
    if distance == "cosine":
        return unit_rows(predicted), np.zeros(len(predicted), np.float32)
    return nearest_rows(predicted)


def _projected(examples: Examples, options: Options) -> tuple[Matrix, Matrix]:
    """(principal axes [D, P], class means on them [T, P])."""
    axes = principal_axes(examples, options)
    return axes, examples.class_means @ axes


def principal_axes(examples: Examples, options: Options) -> Matrix:
    """[D, P] the first principal axes of the samples."""
    return np.ascontiguousarray(
        examples.principal_axes[:, : max(1, options.components)], dtype=np.float32
    )


def spread_within_classes(examples: Examples, axes: Matrix) -> Matrix:
    """[P] the mean over classes of each component's standard deviation within the class; 1 where
    nothing spreads."""
    within = ((examples.x - examples.class_means[examples.y]) @ axes).astype(np.float64)
    classes = len(examples.class_means)
    counts = np.bincount(examples.y, minlength=classes)
    squares = np.stack(
        [np.bincount(examples.y, column**2, minlength=classes) for column in within.T], axis=1
    )
    spread = np.sqrt(squares / counts[:, None]).mean(axis=0)
    return np.asarray(np.where(spread > 1e-6, spread, 1), dtype=np.float32)


def _decomposed(kernel: Matrix, candidates: Matrix, means: Matrix) -> tuple[Matrix, Matrix, Matrix]:
    """k V [C, T], the eigenvalues of K [T, T], and Vᵀ M [T, P]: k (K + I / C)⁻¹ M is a product of
    them for every C."""
    values, vectors = np.linalg.eigh(kernel)
    return candidates @ vectors, values, vectors.T @ means


def _svr(kernel: Matrix, candidates: Matrix, means: Matrix, options: Options) -> Matrix:
    """One ν-SVR per component, on every core: libsvm computes without Python's lock."""
    from sklearn.svm import NuSVR

    def column(target: Matrix) -> Matrix:
        machine = NuSVR(
            kernel="precomputed", C=options.penalty, nu=options.nu, tol=1e-3 * (target.std() or 1.0)
        )
        return np.asarray(machine.fit(kernel, target).predict(candidates))

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        regressed = pool.map(column, means.T.astype(np.float64))
        return np.stack(
            list(progress_bar(regressed, "regressing class means", total=means.shape[1])), axis=1
        )

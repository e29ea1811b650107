"""SYNC, synthesised classifiers (Changpinyo et al. 2016): classifiers as mixtures of phantom
classes' classifiers.

w_c = Σ_r s_cr v_r with s_cr ∝ exp(-‖a_c - b_r‖² / σ²), the phantom classes b_r being the training
classes. min over v of the seen classifiers' loss + λ/2 Σ_c ‖w_c‖², with ``loss``

one-vs-other: (1/NT) Σ_n Σ_c max(0, 1 - I_nc w_c·x_n)², I in {-1, 1};

crammer-singer: (1/N) Σ_n max(0, max_{c≠y} (1 + w_c·x_n) - w_y·x_n);

structured: the same with ‖a_c - a_y‖ in place of 1.

``fast`` trains the w_c themselves and takes v = S⁺ W: the same optimum where S [T, T] is
invertible. By L-BFGS.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphzsl.common.compute import array
from graphzsl.data.class_matrix import Matrix
from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.regression import minimise
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model

if TYPE_CHECKING:
    from torch import Tensor

GRID = [
    {"sigma": sigma, "ridge": ridge}
    for sigma in (0.3, 0.5, 0.8, 1.2, 2.0)
    for ridge in (1e-4, 1e-3, 1e-2)
]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    loss: str = option(
        "one-vs-other",
        "Loss of the seen classifiers.",
        ("one-vs-other", "crammer-singer", "structured"),
    )
    fast: bool = option(
        True, "Train the seen classifiers themselves, then solve for the phantom ones."
    )
    sigma: float = option(
        0.5, "σ, in units of the median distance between training classes.", above=0
    )
    ridge: float = option(1e-3, "λ.", least=0)


def fit(task: Task, options: Options) -> ZeroShotModel:
    """[C, D+1] synthesised classifiers."""
    import torch
    from scipy.spatial.distance import cdist, pdist

    examples = task.examples
    median = float(np.median(pdist(examples.s))) if len(examples.s) > 1 else 1.0
    s, s_candidates = examples.s / median, task.candidate_semantics / median
    mix, mix_candidates = (
        similarities(s, s, options.sigma),
        similarities(s_candidates, s, options.sigma),
    )
    where = task.where
    x, y = where.tensor(examples.x), where.tensor(examples.y)
    loss = loss_of(options.loss, x, y, where.tensor(cdist(s, s)))
    zeros = torch.zeros(len(s), x.shape[1], device=x.device)

    def penalised(w: Tensor) -> Tensor:
        return loss(w) + options.ridge / 2 * (w**2).sum()

    if options.fast:
        key = f"sync: seen classifiers, {options.loss}, {options.ridge}"  # they do not depend on σ
        w = task.once(key, lambda: array(minimise(lambda parts: penalised(parts[0]), [zeros])[0]))
        phantom = np.linalg.pinv(mix) @ w
    else:
        m = where.tensor(mix)
        (v,) = minimise(lambda parts: penalised(m @ parts[0]), [zeros])
        phantom = array(v)
    rows = mix_candidates @ phantom
    return example_model(task, rows, model="sync")


def similarities(a: Matrix, b: Matrix, sigma: float) -> Matrix:
    """[C, R] rows of exp(-‖a - b‖² / σ²) that sum to 1."""
    from scipy.spatial.distance import cdist

    squared = cdist(a, b, "sqeuclidean") / sigma**2
    weights = np.exp(-(squared - squared.min(axis=1, keepdims=True)))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True), dtype=np.float32)


def loss_of(kind: str, x: Tensor, y: Tensor, distances: Tensor) -> Callable[[Tensor], Tensor]:
    """Classifiers [T, D] -> loss on the samples."""
    import torch

    signs = torch.full((len(y), len(distances)), -1.0, device=x.device).scatter(1, y[:, None], 1.0)

    def one_vs_other(w: Tensor) -> Tensor:
        return ((1 - signs * (x @ w.T)).clamp(min=0) ** 2).mean()

    def multiclass(w: Tensor) -> Tensor:
        scores = x @ w.T
        margin = distances[y] if kind == "structured" else (signs < 0).float()
        true = scores.gather(1, y[:, None])
        return (margin + scores - true).amax(dim=1).clamp(min=0).mean()

    return one_vs_other if kind == "one-vs-other" else multiclass

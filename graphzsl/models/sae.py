"""SAE (Kodirov et al. 2017): a semantic autoencoder, one map W for encoding and Wᵀ for decoding.

min_W ‖X - S W‖² + λ‖X Wᵀ - S‖² with X [N, D] samples and S [N, E] their classes' embeddings (rows) is the Sylvester
equation (SᵀS) W + W (λXᵀX) = (1 + λ) SᵀX, W [E, D]. Both matrices on its left are symmetric, so it is solved by their
eigenvectors: W = U [(Uᵀ C V) / (a_i + b_j)] Vᵀ. ``direction`` semantic compares W x with s_c, visual compares x with Wᵀ s_c,
both by cosine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.class_matrix import Matrix, unit_rows
from graphzsl.models.head import Head, example_head
from graphzsl.models.options import Hyperparameters, option
from graphzsl.models.task import Task

FAMILY = "compatibility"
GRID = [{"ridge": ridge} for ridge in (0.01, 0.1, 1.0, 10.0, 100.0)]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    ridge: float = option(1.0, "λ, the weight of encoding against decoding.")
    direction: str = option("visual", "Where samples and classes are compared.", ("semantic", "visual"))


def fit(task: Task, options: Options) -> Head:
    """[C, D+1] classifiers: the norm of W x does not change the order of the candidates, so both directions are linear."""
    examples = task.examples
    weight = encoder(examples.x, examples.s[examples.y], options.ridge)
    decoded = task.candidate_semantics @ weight
    rows = unit_rows(decoded) if options.direction == "visual" else unit_rows(task.candidate_semantics) @ weight
    return example_head(task, rows, model="sae")


def encoder(x: Matrix, s: Matrix, ridge: float) -> Matrix:
    """W [E, D] of the Sylvester equation; directions that neither side fixes are 0."""
    x64, s64 = x.astype(np.float64), s.astype(np.float64)
    a, u = np.linalg.eigh(s64.T @ s64)
    b, v = np.linalg.eigh(ridge * (x64.T @ x64))
    sums = np.maximum(a, 0)[:, None] + np.maximum(b, 0)[None, :]
    right = u.T @ ((1 + ridge) * (s64.T @ x64)) @ v
    floor = 1e-10 * max(float(sums.max()), 1e-30)
    return np.asarray(u @ np.where(sums > floor, right / np.maximum(sums, floor), 0) @ v.T, dtype=np.float32)

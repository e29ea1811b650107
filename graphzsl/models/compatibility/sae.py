"""SAE (Kodirov et al. 2017): a semantic autoencoder, one map W for encoding and Wᵀ for decoding.

min_W ‖X - S W‖² + λ‖X Wᵀ - S‖² with X [N, D] samples and S [N, E] their classes' embeddings (rows)
is the Sylvester equation (SᵀS) W + W (λXᵀX) = (1 + λ) SᵀX, W [E, D]. Both matrices on its left are
symmetric, so it is solved by their eigenvectors: W = U [(Uᵀ C V) / (a_i + b_j)] Vᵀ. ``direction``
semantic compares W x with s_c, visual compares x with Wᵀ s_c, both by cosine.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.data.class_matrix import Matrix, unit_rows
from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.ridge import Doubles, Spectrum
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model

GRID = [{"ridge": ridge} for ridge in (0.001, 0.01, 0.1, 0.3, 1.0, 3.0, 10.0, 100.0, 1000.0)]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    ridge: float = option(1.0, "λ, the weight of encoding against decoding.", above=0)
    direction: str = option(
        "visual", "Where samples and classes are compared.", ("semantic", "visual")
    )


def fit(task: Task, options: Options) -> ZeroShotModel:
    """[C, D+1] classifiers: the norm of W x does not change the order of the candidates, so both
    directions are linear."""
    examples = task.examples
    solver = task.once(
        "sae", lambda: Sylvester.from_samples(examples.spectrum, examples.x, examples.s[examples.y])
    )
    weight = solver.encoder(options.ridge)
    decoded = task.candidate_semantics @ weight
    rows = (
        unit_rows(decoded)
        if options.direction == "visual"
        else unit_rows(task.candidate_semantics) @ weight
    )
    return example_model(task, rows, model="sae")


@dataclass(frozen=True, eq=False)
class Sylvester:
    """(SᵀS) W + W (λXᵀX) = (1 + λ) SᵀX in the eigenvectors of both sides; ``right`` [Q, R] =
    UᵀSᵀXV."""

    visual: Spectrum
    semantic: Spectrum
    right: Doubles

    @classmethod
    def from_samples(cls, visual: Spectrum, x: Matrix, s: Matrix) -> Sylvester:
        """For samples x [N, D] with their spectrum, and their classes' embeddings s [N, E]."""
        semantic = Spectrum.from_rows(s)
        return cls(visual, semantic, (s @ semantic.vectors).T @ (x @ visual.vectors))

    def encoder(self, ridge: float) -> Matrix:
        """W [E, D]; directions that neither side fixes are 0."""
        sums = self.semantic.values[:, None] + ridge * self.visual.values[None, :]
        inner = (1 + ridge) * self.right / sums
        return np.asarray(self.semantic.vectors @ inner @ self.visual.vectors.T, dtype=np.float32)


def encoder(x: Matrix, s: Matrix, ridge: float) -> Matrix:
    """W [E, D] of the Sylvester equation for samples x [N, D] and their classes' embeddings s [N,
    E]."""
    return Sylvester.from_samples(Spectrum.from_rows(x), x, s).encoder(ridge)

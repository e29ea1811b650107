"""ESZSL (Romera-Paredes & Torr 2015): a bilinear compatibility in closed form.

W = (XᵀX + γI)⁻¹ XᵀY S (SᵀS + λI)⁻¹ with X [N, D] samples, Y [N, T] one-hot, S [T, S] class
embeddings; score(x, c) = xᵀ W s_c, so the classifier of c is W s_c. It is the minimum of ‖XWSᵀ -
Y‖² + γ‖WSᵀ‖² + λ‖XW‖² + γλ‖W‖². ``labels`` binary takes Y in {0, 1}, as every public implementation
does; signed takes {-1, 1}, as the paper writes. With XᵀX = V diag(a) Vᵀ and SᵀS = U diag(b) Uᵀ it
is W = V [VᵀXᵀYSU / ((a_i + γ)(b_j + λ))] Uᵀ: one decomposition of each side serves every γ and λ.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from graphzsl.data.class_matrix import Matrix
from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.ridge import Doubles, Spectrum
from graphzsl.models.base.task import Examples, Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model

#: the range of the paper, 10^-3 to 10^3
PENALTIES = tuple(10.0**power for power in range(-3, 4))
GRID = [{"gamma": gamma, "ridge": ridge} for gamma in PENALTIES for ridge in PENALTIES]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    gamma: float = option(1.0, "γ, on the visual side.", least=0)
    ridge: float = option(1.0, "λ, on the semantic side.", least=0)
    labels: str = option("binary", "Y in {0, 1} or in {-1, 1}.", ("binary", "signed"))


def fit(task: Task, options: Options) -> ZeroShotModel:
    """[C, D+1] classifiers; those of classifier rows are L2-normalised, as the directions that they
    stand for are."""
    solver = task.once(
        f"eszsl {options.labels}",
        lambda: Solver.from_examples(task.examples, task.examples.s, options.labels),
    )
    inner = task.once(
        f"eszsl {options.labels}, candidates, {options.ridge}",
        lambda: solver.semantic_side(task.candidate_semantics, options.ridge),
    )
    outer = task.once(
        f"eszsl {options.labels}, visual, {options.gamma}",
        lambda: solver.visual_side(options.gamma),
    )
    return example_model(task, inner @ outer, model="eszsl")


@dataclass(frozen=True, eq=False)
class Solver:
    """Both decompositions and ``core`` [R, Q] = VᵀXᵀYSU: what all penalties share."""

    visual: Spectrum
    semantic: Spectrum
    core: Doubles

    @classmethod
    def from_examples(cls, examples: Examples, s: Matrix, labels: str) -> Solver:
        """For training classes' embeddings ``s`` [T, S]; samples enter through XᵀX and sums over
        classes alone."""
        s64 = s.astype(np.float64)
        counts = np.bincount(examples.y, minlength=len(s))
        sums = examples.class_means.astype(np.float64) * counts[:, None]
        visual = examples.spectrum
        semantic = examples.semantic_spectrum if s is examples.s else Spectrum.from_rows(s64)
        left, right = sums @ visual.vectors, s64 @ semantic.vectors
        core = left.T @ right
        if labels == "signed":
            core = 2 * core - np.outer(left.sum(axis=0), right.sum(axis=0))
        return cls(visual, semantic, core)

    def classifiers(self, candidates: Matrix, gamma: float, ridge: float) -> Matrix:
        """[C, D] rows W s_c of candidates' embeddings [C, S]."""
        return np.asarray(self.semantic_side(candidates, ridge) @ self.visual_side(gamma))

    def semantic_side(self, candidates: Matrix, ridge: float) -> Matrix:
        """[C, Q] candidates' embeddings [C, S] in the eigenvectors of SᵀS, shrunk by λ: the same
        for every γ."""
        inner = (candidates @ self.semantic.vectors) / (self.semantic.values + ridge)
        return np.asarray(inner, dtype=np.float32)

    def visual_side(self, gamma: float) -> Matrix:
        """[Q, D] from there to features: the same for every λ and all candidates."""
        scaled = self.core.T / (self.visual.values + gamma)
        return np.asarray(scaled.astype(np.float32) @ self._back)

    @cached_property
    def _back(self) -> Matrix:
        """[R, D] from the eigenvectors of the visual side to features."""
        return self.visual.vectors.T.astype(np.float32)


def classifiers(
    examples: Examples, candidates: Matrix, options: Options, s: Matrix | None = None
) -> Matrix:
    """[C, D] rows W s_c; ``s`` [T, S] takes the place of the training classes' embeddings."""
    solver = Solver.from_examples(examples, examples.s if s is None else s, options.labels)
    return solver.classifiers(candidates, options.gamma, options.ridge)

"""ESZSL (Romera-Paredes & Torr 2015): a bilinear compatibility in closed form.

W = (XᵀX + γI)⁻¹ XᵀY S (SᵀS + λI)⁻¹ with X [N, D] samples, Y [N, T] one-hot, S [T, S] class embeddings; score(x, c) =
xᵀ W s_c, so the classifier of c is W s_c. It is the minimum of ‖XWSᵀ - Y‖² + γ‖WSᵀ‖² + λ‖XW‖² + γλ‖W‖².
``labels`` binary takes Y in {0, 1}, as every public implementation does; signed takes {-1, 1}, as the paper writes.
Only XᵀX and the class sums XᵀY enter, so samples are passed once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.class_matrix import Matrix
from graphzsl.models.head import Head, example_head
from graphzsl.models.options import Hyperparameters, option
from graphzsl.models.task import Examples, Task

FAMILY = "compatibility"
GRID = [{"gamma": gamma, "ridge": ridge} for gamma in (0.1, 1.0, 10.0, 100.0) for ridge in (0.1, 1.0, 10.0)]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    gamma: float = option(1.0, "γ, on the visual side.")
    ridge: float = option(1.0, "λ, on the semantic side.")
    labels: str = option("binary", "Y in {0, 1} or in {-1, 1}.", ("binary", "signed"))


def fit(task: Task, options: Options) -> Head:
    """[C, D+1] classifiers; those of classifier rows are L2-normalised, as the rows that they stand for are."""
    rows = classifiers(task.examples, task.candidate_semantics, options)
    return example_head(task, rows, model="eszsl")


def classifiers(examples: Examples, candidates: Matrix, options: Options, s: Matrix | None = None) -> Matrix:
    """[C, D] rows W s_c; ``s`` [T, S] takes the place of the training classes' embeddings."""
    x, y = examples.x.astype(np.float64), examples.y
    s = (examples.s if s is None else s).astype(np.float64)
    labels_s = s[y]  # [N, S] = Y S
    if options.labels == "signed":
        labels_s = 2 * labels_s - s.sum(axis=0)
    if len(x) < x.shape[1]:  # (XᵀX + γI)⁻¹ Xᵀ = Xᵀ (XXᵀ + γI)⁻¹: the smaller system
        visual = x.T @ np.linalg.solve(x @ x.T + options.gamma * np.eye(len(x)), labels_s)
    else:
        visual = np.linalg.solve(x.T @ x + options.gamma * np.eye(x.shape[1]), x.T @ labels_s)
    if len(s) < s.shape[1] and options.ridge > 0:  # A (SᵀS + λI)⁻¹ s_c, with A = B S: the same the other way round
        gram = s @ s.T + options.ridge * np.eye(len(s))
        inner = (candidates - candidates @ s.T @ np.linalg.solve(gram, s)) / options.ridge
        return np.asarray(inner @ visual.T, dtype=np.float32)
    weight = np.linalg.solve(s.T @ s + options.ridge * np.eye(s.shape[1]), visual.T).T
    return np.asarray(candidates @ weight.T, dtype=np.float32)

"""ESZSL (Romera-Paredes & Torr 2015): a bilinear compatibility in closed form.

V = (XᵀX + γI)⁻¹ XᵀY S (SᵀS + λI)⁻¹ with X [N, D+1] samples, Y [N, T] one-hot in {0, 1}, S [T, S] class embeddings;
score(x, c) = xᵀ V s_c, so the classifier of c is V s_c. Here a training class is one sample: its centred unit
classifier row, which makes XᵀY = Xᵀ.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from graphzsl.class_matrix import CLASSIFIERS, ClassMatrix, unit_rows
from graphzsl.files import manifest
from graphzsl.models.head import LinearHead
from graphzsl.models.task import Task, centred_unit

GRID = [{"gamma": gamma, "ridge": ridge} for gamma in (0.1, 1.0, 10.0) for ridge in (0.1, 1.0, 10.0)]


@dataclass(frozen=True)
class Options:
    """Hyper-parameters."""

    gamma: float = field(default=1.0, metadata={"help": "γ, on the visual side."})
    ridge: float = field(default=1.0, metadata={"help": "λ, on the semantic side."})


def fit(task: Task, options: Options) -> LinearHead:
    """[C, D+1] classifiers, L2-normalised."""
    training = task.semantics.rows(task.train)
    s = centred_unit(training, training).astype(np.float64)
    s_candidates = centred_unit(task.semantics.rows(task.candidates), training).astype(np.float64)
    x = task.targets().transform(task.classifiers.rows(task.train)).astype(np.float64)
    # (XᵀX + γI)⁻¹ Xᵀ = Xᵀ (XXᵀ + γI)⁻¹: T × T instead of D × D
    visual = x.T @ np.linalg.solve(x @ x.T + options.gamma * np.eye(len(x)), s)
    compatibility = np.linalg.solve(s.T @ s + options.ridge * np.eye(s.shape[1]), visual.T).T
    rows = unit_rows(s_candidates @ compatibility.T).astype(np.float32)
    return LinearHead(ClassMatrix(task.candidates, rows, manifest(CLASSIFIERS, model="eszsl")))

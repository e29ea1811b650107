"""SJE (Akata et al. 2015): a structured support vector machine, so only the worst violation counts.

Loss of a sample: max(0, max_{c≠y} (Δ + F(x, c)) - F(x, y)), F(x, c) = xᵀ W s_c (Xian et al. 2017,
equation 7).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.compatibility.bilinear import Callback, fit_bilinear, violations
from graphzsl.models.compatibility.bilinear import Options as Options

if TYPE_CHECKING:
    from torch import Tensor

GRID = [{"margin": margin} for margin in (0.1, 0.3, 1.0, 3.0)]


def fit(task: Task, options: Options, callback: Callback | None = None) -> ZeroShotModel:
    """[C, D+1] classifiers W s_c."""
    return fit_bilinear(task, options, loss, "sje", callback)


def loss(scores: Tensor, truth: Tensor, margin: float) -> Tensor:
    """[B] of scores [B, T] and true columns [B]."""
    return violations(scores, truth, margin).amax(dim=1)

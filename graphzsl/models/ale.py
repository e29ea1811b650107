"""ALE (Akata et al. 2013, 2016): violations weighted by the rank of the true class.

Loss of a sample: (l_r / r) Σ_{c≠y} max(0, Δ + F(x, c) - F(x, y)), r the number of violating classes, l_r = Σ_{i≤r} 1/i,
F(x, c) = xᵀ W s_c (Xian et al. 2017, equations 5 and 6: the exact form of what the WARP sampler of the paper estimates).
"""

from __future__ import annotations

import torch
from torch import Tensor

from graphzsl.models.compatibility import Options as Options
from graphzsl.models.compatibility import Watch, fit_bilinear, violations
from graphzsl.models.head import Head
from graphzsl.models.task import Task

FAMILY = "compatibility"
GRID = [{"margin": margin} for margin in (0.1, 0.3, 1.0)]


def fit(task: Task, options: Options, watch: Watch | None = None) -> Head:
    """[C, D+1] classifiers W s_c."""
    return fit_bilinear(task, options, loss, "ale", watch)


def loss(scores: Tensor, truth: Tensor, margin: float) -> Tensor:
    """[B] of scores [B, T] and true columns [B]; 0 where nothing violates."""
    found = violations(scores, truth, margin)
    rank = (found > 0).sum(dim=1)
    harmonic = torch.cat([rank.new_zeros(1), 1 / torch.arange(1, scores.shape[1] + 1, device=rank.device)]).cumsum(0)
    return harmonic[rank] / rank.clamp(min=1) * found.sum(dim=1)

"""DeViSE (Frome et al. 2013): every class that comes within the margin of the true one counts.

Loss of a sample: Σ_{c≠y} max(0, Δ + F(x, c) - F(x, y)), F(x, c) = xᵀ W s_c over the training classes (Xian et al. 2017,
equation 4). The paper stops at the first violating class in random order, which has this gradient's direction on
average. Inputs: samples [N, D], class embeddings [T, S]; W [D, S].
"""

from __future__ import annotations

from torch import Tensor

from graphzsl.models.compatibility import Options as Options
from graphzsl.models.compatibility import Watch, fit_bilinear, violations
from graphzsl.models.head import Head
from graphzsl.models.task import Task

FAMILY = "compatibility"
GRID = [{"margin": margin} for margin in (0.1, 0.3, 1.0)]


def fit(task: Task, options: Options, watch: Watch | None = None) -> Head:
    """[C, D+1] classifiers W s_c."""
    return fit_bilinear(task, options, loss, "devise", watch)


def loss(scores: Tensor, truth: Tensor, margin: float) -> Tensor:
    """[B] of scores [B, T] and true columns [B]."""
    return violations(scores, truth, margin).sum(dim=1)

"""DeViSE (Frome et al. 2013): every class that comes within the margin of the true one counts.

Loss of a sample: Σ_{c≠y} max(0, Δ + F(x, c) - F(x, y)), F(x, c) = xᵀ W s_c over the training
classes (Xian et al. 2017, equation 4). ``violators`` one is the paper's own step: the first
violating class in random order, which is a random one of them. Inputs: samples [N, D], class
embeddings [T, S]; W [D, S].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphzsl.models.base.options import option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.compatibility import bilinear as compatibility
from graphzsl.models.compatibility.bilinear import Callback, fit_bilinear, violations

if TYPE_CHECKING:
    from torch import Generator, Tensor

GRID = [{"margin": margin} for margin in (0.1, 0.3, 1.0, 3.0)]


@dataclass(frozen=True)
class Options(compatibility.Options):
    """Hyper-parameters."""

    violators: str = option("all", "Violating classes that count in a step.", ("all", "one"))


def fit(
    task: Task, options: Options, callback: Callback | None = None, model: str = "devise"
) -> ZeroShotModel:
    """[C, D+1] classifiers W s_c; ``model`` is the name that the result carries."""
    import torch

    generator = torch.Generator().manual_seed(task.seed)

    def one(scores: Tensor, truth: Tensor, margin: float) -> Tensor:
        return one_violator(scores, truth, margin, generator)

    return fit_bilinear(task, options, loss if options.violators == "all" else one, model, callback)


def loss(scores: Tensor, truth: Tensor, margin: float) -> Tensor:
    """[B] of scores [B, T] and true columns [B]."""
    return violations(scores, truth, margin).sum(dim=1)


def one_violator(scores: Tensor, truth: Tensor, margin: float, generator: Generator) -> Tensor:
    """[B] the violation of a random violating class; 0 for a row without one."""
    import torch

    violation = violations(scores, truth, margin)
    order = torch.rand(violation.shape, generator=generator).to(violation.device) * (violation > 0)
    return violation.gather(1, order.argmax(dim=1, keepdim=True))[:, 0]

"""LATEM (Xian et al. 2016): several bilinear maps, the best of which counts for each sample and
class.

F(x, c) = max_{1≤i≤K} xᵀ W_i s_c; loss of a sample Σ_{c≠y} max(0, Δ + F(x, c) - F(x, y)) (Xian et
al. 2017, equation 9). The gradient flows through the chosen maps alone, as in the paper's update.
``negatives`` = one draws one class c ≠ y a sample, which is the paper's stochastic step; all sums
over every class.
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
    from torch import Tensor

GRID = [{"maps": maps} for maps in (1, 2, 4)]


@dataclass(frozen=True)
class Options(compatibility.Options):
    """Hyper-parameters."""

    maps: int = option(
        4, "K: number of latent maps (the paper: 2 to 10, chosen on validation classes).", least=1
    )
    negatives: str = option(
        "all", "Classes that a sample is compared with in a step.", ("all", "one")
    )


def fit(task: Task, options: Options, callback: Callback | None = None) -> ZeroShotModel:
    """K classifiers per candidate; the model takes the maximum of their scores."""
    import torch

    generator = torch.Generator().manual_seed(task.seed)

    def loss(scores: Tensor, truth: Tensor, margin: float) -> Tensor:
        violation = violations(scores, truth, margin)
        if options.negatives == "all":
            return violation.sum(dim=1)
        other = torch.randint(1, scores.shape[1], (len(truth),), generator=generator).to(
            truth.device
        )
        return violation.gather(1, ((truth + other) % scores.shape[1])[:, None])[:, 0]

    return fit_bilinear(task, options, loss, "latem", callback, max(1, options.maps))

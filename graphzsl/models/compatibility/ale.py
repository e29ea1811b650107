"""ALE (Akata et al. 2013, 2016): violations weighted by the rank of the true class.

Loss of a sample: (l_r / r) Σ_{c≠y} max(0, Δ + F(x, c) - F(x, y)), l_r = Σ_{i≤r} 1/i, F(x, c) = xᵀ W
s_c. ``rank`` exact: r = #{c: F(x, c) + Δ(y, c) ≥ F(x, y)} over all training classes, Δ(y, y) = 0,
so that the true class counts itself and one violating class weighs l_2 / 2 = 0.75 (Xian et al.
2017, equations 5 and 6). violators: r counts the violating classes alone, so that one weighs 1.
sampled is the WARP step of the original paper, which estimates that rank: classes are drawn without
replacement until one violates, after n draws; its violation counts l_k times, k = ⌊(T - 1) / n⌋.
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

    rank: str = option(
        "exact",
        "The true class's rank: counted with itself, without, or estimated by draws.",
        ("exact", "violators", "sampled"),
    )


def fit(task: Task, options: Options, callback: Callback | None = None) -> ZeroShotModel:
    """[C, D+1] classifiers W s_c."""
    import torch

    generator = torch.Generator().manual_seed(task.seed)

    def sampled(scores: Tensor, truth: Tensor, margin: float) -> Tensor:
        return sampled_rank(scores, truth, margin, generator)

    losses = {"exact": loss, "violators": violator_rank, "sampled": sampled}
    return fit_bilinear(task, options, losses[options.rank], "ale", callback)


def loss(scores: Tensor, truth: Tensor, margin: float) -> Tensor:
    """[B] of scores [B, T] and true columns [B]; a class that reaches the true one exactly is in
    the rank."""
    true = scores.gather(1, truth[:, None])
    reached = (scores + margin >= true).scatter(1, truth[:, None], True)
    return _weighted(violations(scores, truth, margin), reached.sum(dim=1))


def violator_rank(scores: Tensor, truth: Tensor, margin: float) -> Tensor:
    """[B] with the violating classes alone in the rank; 0 where nothing violates."""
    violation = violations(scores, truth, margin)
    return _weighted(violation, (violation > 0).sum(dim=1))


def sampled_rank(scores: Tensor, truth: Tensor, margin: float, generator: Generator) -> Tensor:
    """[B] by WARP: the first violating class of a random order, weighted by the rank that its place
    suggests."""
    import torch

    violation = violations(scores, truth, margin)
    order = (
        torch.rand(violation.shape, generator=generator)
        .to(violation.device)
        .scatter(1, truth[:, None], 2.0)
    )
    first, column = order.masked_fill(violation <= 0, 3.0).min(dim=1)
    draws = (order <= first[:, None]).sum(dim=1).clamp(max=scores.shape[1] - 1)
    rank = (scores.shape[1] - 1) // draws.clamp(min=1)
    return _harmonic(scores)[rank] * violation.gather(1, column[:, None])[:, 0]


def _weighted(violation: Tensor, rank: Tensor) -> Tensor:
    """[B] (l_r / r) times the sum of the violations [B, T]."""
    return _harmonic(violation)[rank] / rank.clamp(min=1) * violation.sum(dim=1)


def _harmonic(scores: Tensor) -> Tensor:
    """[T + 1] l_k = Σ_{i≤k} 1/i."""
    import torch

    ranks = torch.arange(1, scores.shape[1] + 1, device=scores.device)
    return torch.cat([scores.new_zeros(1), 1 / ranks]).cumsum(0)

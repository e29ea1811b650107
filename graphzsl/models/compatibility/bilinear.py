"""Bilinear compatibility F(x, c) = xᵀ W s_c trained by mini-batches: what DeViSE, ALE, SJE and
LATEM share.

A batch is three matrix products, whatever the loss: all classes are scored at once, and no sample
has its own loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from graphzsl.common.compute import array
from graphzsl.common.errors import ModelError
from graphzsl.common.progress import progress_bar
from graphzsl.data.class_matrix import ClassMatrix
from graphzsl.models.base.encoders import Projection
from graphzsl.models.base.options import Iterative, option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model

if TYPE_CHECKING:
    from torch import Generator, Tensor
    from torch.optim import Optimizer

    #: scores [B, T], true columns [B], margin -> loss of each sample [B]
    Loss = Callable[[Tensor, Tensor, float], Tensor]
#: (epoch, model) at every validation epoch
Callback = Callable[[int, ZeroShotModel], None]


@dataclass(frozen=True)
class Options(Iterative):
    """Hyper-parameters of a ranking loss on F(x, c) = xᵀ W s_c."""

    epochs: int = option(
        60, "Passes over the samples at most; chosen on validation classes unless given.", least=1
    )
    lr: float = option(1e-3, "Learning rate of Adam.", above=0)
    margin: float = option(
        0.3,
        "Δ(y, c) for c ≠ y. Features and embeddings are unit rows, so F is a scaled cosine.",
        least=0,
    )
    start: float = option(
        0.01, "Scale of the random start of W: 1 makes xᵀW about as long as x.", above=0
    )


def fit_bilinear(
    task: Task,
    options: Options,
    loss: Loss,
    model: str,
    callback: Callback | None = None,
    maps: int = 1,
) -> ZeroShotModel:
    """W [D, S] (``maps`` of them: F is their maximum) minimising the mean loss; classifiers of the
    candidates."""
    import torch

    examples, where = task.examples, task.where
    x, s, y = where.tensor(examples.x), where.tensor(examples.s), where.tensor(examples.y)
    generator = torch.Generator().manual_seed(task.seed)
    start = (
        options.start
        * torch.randn(maps, x.shape[1], s.shape[1], generator=generator)
        / np.sqrt(x.shape[1])
    )
    weight = start.to(x.device).requires_grad_()
    optimizer = torch.optim.Adam([weight], options.lr, weight_decay=options.weight_decay)

    def learned() -> ZeroShotModel:
        weights = array(weight)
        models = [
            example_model(task, task.candidate_semantics @ part.T, model=model) for part in weights
        ]
        if maps == 1:
            return replace(models[0], embedding=Projection(weights[0]))
        joined = np.concatenate([each.classifiers.values for each in models], axis=1)
        metadata = models[0].classifiers.metadata
        return replace(
            models[0], classifiers=ClassMatrix(list(task.candidates), joined, metadata), maps=maps
        )

    for epoch in epochs(options, generator, len(y), model):
        for batch in epoch.batches:
            with where.autocast():
                scores = best_scores(x[batch], weight, s)
            value = loss(scores.float(), y[batch], options.margin).mean()
            step(optimizer, value, epoch.number)
        if callback and epoch.is_validation_epoch:
            callback(epoch.number, learned())
    return learned()


def best_scores(x: Tensor, weight: Tensor, s: Tensor) -> Tensor:
    """[B, T] F(x, c) = max_i xᵀ W_i s_c of samples [B, D], maps [K, D, S] and classes [T, S]; the
    gradient is the best map's."""
    import torch

    return (torch.einsum("bd,kds->kbs", x, weight) @ s.T).amax(dim=0)


def step(optimizer: Optimizer, loss: Tensor, epoch: int) -> None:
    """One step down; ModelError when the loss is not finite."""
    import torch

    if not torch.isfinite(loss):
        raise ModelError(f"The loss is not finite in epoch {epoch}. Lower lr.")
    optimizer.zero_grad()
    loss.backward()  # type: ignore[no-untyped-call]
    optimizer.step()


@dataclass(frozen=True)
class Epoch:
    """A pass over the samples in a seeded random order."""

    number: int
    batches: tuple[Tensor, ...]
    is_validation_epoch: bool


def epochs(options: Any, generator: Generator, samples: int, model: str) -> Iterator[Epoch]:
    """Epochs 1 … ``options.epochs`` of shuffled batches, with a progress bar."""
    import torch

    for number in progress_bar(
        range(1, options.epochs + 1), f"training {model}", total=options.epochs
    ):
        order = torch.randperm(samples, generator=generator)
        last = number == options.epochs
        yield Epoch(
            number,
            torch.split(order, options.batch),
            last or number % max(1, options.check_every) == 0,
        )


def violations(scores: Tensor, truth: Tensor, margin: float) -> Tensor:
    """[B, T] max(0, Δ + F(x, c) - F(x, y)), 0 at c = y."""
    true = scores.gather(1, truth[:, None])
    return (margin + scores - true).clamp(min=0).scatter(1, truth[:, None], 0.0)

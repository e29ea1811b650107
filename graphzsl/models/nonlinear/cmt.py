"""CMT (Socher et al. 2013): a two-layer network maps samples to the embeddings of their classes.

min Σ_i ‖s_{y_i} - (W₂ tanh(W₁ x_i + b₁) + b₂)‖² + weight decay; a sample is of the class whose
embedding is nearest. -‖e - s_c‖² is ordered as 2 e·s_c - ‖s_c‖², so the candidates' rows are [2
s_c, -‖s_c‖²].
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from graphzsl.common.compute import array
from graphzsl.data.class_matrix import Matrix
from graphzsl.models.base.encoders import TanhNetwork
from graphzsl.models.base.options import Iterative, option
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, example_model
from graphzsl.models.compatibility.bilinear import Callback, epochs, step

if TYPE_CHECKING:
    from torch import nn

GRID = [{"hidden": hidden} for hidden in (200, 800)]


@dataclass(frozen=True)
class Options(Iterative):
    """Hyper-parameters."""

    lr: float = option(1e-3, "Learning rate of Adam.", above=0)
    hidden: int = option(200, "Width of the tanh layer (the paper: 200).", least=1)


def fit(task: Task, options: Options, callback: Callback | None = None) -> ZeroShotModel:
    """A network as encoder, embeddings of the candidates as rows."""

    def from_network(network: TanhNetwork) -> ZeroShotModel:
        rows, bias = nearest_rows(task.candidate_semantics)
        return example_model(task, rows, bias=bias, model="cmt", encoder=network)

    return from_network(
        fit_network(
            task,
            options,
            "cmt",
            (lambda epoch, net: callback(epoch, from_network(net))) if callback else None,
        )
    )


def fit_network(
    task: Task,
    options: Options,
    model: str,
    callback: Callable[[int, TanhNetwork], None] | None = None,
) -> TanhNetwork:
    """The trained network; ``callback(epoch, network)`` is called at every validation epoch."""
    import torch
    from torch import nn

    examples, where = task.examples, task.where
    x, goal = where.tensor(examples.x), where.tensor(examples.s[examples.y])
    generator = torch.Generator().manual_seed(task.seed)
    network = nn.Sequential(
        nn.Linear(x.shape[1], options.hidden), nn.Tanh(), nn.Linear(options.hidden, goal.shape[1])
    )
    for part in network.parameters():
        with torch.no_grad():
            part.copy_(
                torch.randn(part.shape, generator=generator) / part.shape[-1] ** 0.5
                if part.dim() > 1
                else 0 * part
            )
    network.to(x.device)
    optimizer = torch.optim.Adam(
        network.parameters(), options.lr, weight_decay=options.weight_decay
    )
    for epoch in epochs(options, generator, len(x), model):
        for batch in epoch.batches:
            with where.autocast():
                mapped = network(x[batch])
            step(optimizer, ((mapped.float() - goal[batch]) ** 2).sum(dim=1).mean(), epoch.number)
        if callback and epoch.is_validation_epoch:
            callback(epoch.number, _encoder(network))
    return _encoder(network)


def nearest_rows(semantics: Matrix) -> tuple[Matrix, Matrix]:
    """([C, E] 2 s_c, [C] -‖s_c‖²): a linear score ordered as the negative squared distance."""
    return 2 * semantics, -(semantics**2).sum(axis=1)


def _encoder(network: nn.Sequential) -> TanhNetwork:
    first, second = cast("nn.Linear", network[0]), cast("nn.Linear", network[2])
    return TanhNetwork(
        *(array(each) for each in (first.weight.T, first.bias, second.weight.T, second.bias))
    )

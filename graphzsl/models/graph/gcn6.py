"""GCN-6, or GCNZ (Wang et al. 2018): six graph convolutions, symmetric normalisation.

H ← LeakyReLU(Â H W) six times, the last L2-normalised in place of the activation; Â = D^-½ (A + I)
D^-½, widths 2048, 2048, 1024, 1024, 512, D+1, no biases, dropout 0.5 on the inputs of the last two
layers. The paper scales its data term by (V/n)², about 1000, against a weight decay of 5e-4, which
leaves the decay without effect: here the loss is that of the family and the decay 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphzsl.models.base.options import GraphOptions, option, output_width

if TYPE_CHECKING:
    from graphzsl.models.base.task import Task
    from graphzsl.models.graph.propagation import Layer

NEEDS = ("graph", "classifiers")
GRID: list[dict[str, object]] = [{}]


@dataclass(frozen=True)
class Options(GraphOptions):
    """Hyper-parameters."""

    weight_decay: float = option(0.0, "L2 penalty in the gradient.", least=0)
    widths: tuple[int, ...] = option(
        (2048, 2048, 1024, 1024, 512), "Widths of the hidden layers.", above=0
    )


def layers(task: Task, options: Options) -> list[Layer]:
    """The network for the task's graph and its classifier rows [C, D+1]."""
    from graphzsl.models.graph.propagation import Layer, symmetric

    width = output_width(task, options)
    operators = (symmetric(task.subgraph),)
    count = len(options.widths) + 1
    return [
        Layer(operators, size, options.dropout if index >= count - 2 else 0.0, bias="none")
        for index, size in enumerate([*options.widths, width])
    ]

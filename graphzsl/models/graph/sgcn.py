"""SGCN (Kampffmeyer et al. 2019), also called GCN-2: two graph convolutions from class embeddings
to classifiers.

Ŷ = unit(Â LeakyReLU(Â X W₁ + b₁) W₂ + b₂), Â = D⁻¹(A + I) over both directions of every hypernym
edge, X [V, S] the L2-normalised class embeddings, dropout 0.5 on both layers' inputs, Adam, 3000
epochs.
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

    hidden: int = option(2048, "Width of the hidden layer.", least=1)


def layers(task: Task, options: Options) -> list[Layer]:
    """The network for the task's graph and its classifier rows [C, D+1]."""
    from graphzsl.models.graph.propagation import Layer, random_walk

    width = output_width(task, options)
    operators = (random_walk(task.subgraph),)
    return [
        Layer(operators, options.hidden, options.dropout),
        Layer(operators, width, options.dropout),
    ]

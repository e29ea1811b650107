"""DGP, dense graph propagation, or ADGPM (Kampffmeyer et al. 2019): ancestors and descendants,
weighted by their distance.

H = LeakyReLU(Σ_k α_k D̂_k (X W₁ + b₁)) over a node's descendants at distance k, Ŷ = unit(Σ_k β_k
Â_k (H W₂ + b₂)) over its ancestors; k = 0 (the node), 1, …, K, the last group holding all farther
ones (K = 4: five groups); α and β are softmax attention, learned, one number per group. A node
without a relative at some distance loses that share, as in the published code.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphzsl.models.base.options import GraphOptions, option, output_width

if TYPE_CHECKING:
    from graphzsl.data.subgraph import Subgraph
    from graphzsl.models.base.task import Task
    from graphzsl.models.graph.propagation import Layer, Operator

NEEDS = ("graph", "classifiers")
GRID: list[dict[str, object]] = [{}]


@dataclass(frozen=True)
class Options(GraphOptions):
    """Hyper-parameters."""

    hidden: int = option(2048, "Width of the hidden layer.", least=1)
    distances: int = option(4, "K: relatives at distance K or more share one weight.", least=1)


def layers(task: Task, options: Options) -> list[Layer]:
    """The network for the task's graph and its classifier rows [C, D+1]."""
    return two_phases(task, options, options.hidden, options.distances)


def two_phases(
    task: Task, options: GraphOptions, hidden: int, distances: int | None
) -> list[Layer]:
    """Down to a node from its descendants, up from its ancestors; by distance with attention, or
    (None) all of them alike."""
    from graphzsl.models.graph.propagation import Layer

    ancestors, descendants = relatives(task.subgraph, distances)
    attention = distances is not None
    return [
        Layer(descendants, hidden, options.dropout, bias="before", attention=attention),
        Layer(
            ancestors,
            output_width(task, options),
            options.dropout,
            bias="before",
            attention=attention,
        ),
    ]


def relatives(
    graph: Subgraph, distances: int | None
) -> tuple[tuple[Operator, ...], tuple[Operator, ...]]:
    """(ancestor operators, descendant operators) by distance, rows normalised."""
    from scipy import sparse

    from graphzsl.models.graph.propagation import ancestors_by_distance, row_normalised

    groups = ancestors_by_distance(graph, distances)
    up = tuple(row_normalised(group) for group in groups)
    down = tuple(row_normalised(sparse.csr_array(group.T)) for group in groups)
    return up, down

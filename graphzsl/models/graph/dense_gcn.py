"""Dense GCN (Kampffmeyer et al. 2019): DGP without distances, every ancestor and descendant counts
the same.

H = LeakyReLU(D̂ (X W₁ + b₁)) averages a node with all its descendants, Ŷ = unit(Â (H W₂ + b₂)) with
all its ancestors.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphzsl.models.base.options import GraphOptions, option
from graphzsl.models.graph.dgp import two_phases

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
    return two_phases(task, options, options.hidden, distances=None)

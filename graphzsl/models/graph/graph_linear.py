"""A linear map from graph-smoothed class embeddings to classifiers (ridge regression, closed form).

With Â the row-normalised adjacency with self loops, both directions, the input of class c is its
row of [E, ÂE, Â²E, …], centred on the training classes and L2-normalised; B = (XᵀX + λI)⁻¹ XᵀT maps
it to the directions T of classifier rows: centred unit weights. It is SGC (Wu et al. 2019) on
several powers at once, with a regression head; with one power (``sgc``) it is SGC itself.
"""

from __future__ import annotations

from dataclasses import dataclass

from graphzsl.data.class_matrix import Matrix, unit_rows
from graphzsl.models.base.options import Hyperparameters, option
from graphzsl.models.base.ridge import Ridge
from graphzsl.models.base.targets import centred_unit
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, direction_model

NEEDS = ("graph", "classifiers")
#: λ to choose from: wide enough that no network is at its ends
RIDGES = (0.1, 0.3, 1.0, 2.0, 3.0, 5.0, 8.0, 12.0, 20.0, 30.0, 100.0)
GRID = [{"ridge": ridge} for ridge in RIDGES]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    ridge: float = option(8.0, "λ of the ridge regression.", least=0)
    powers: tuple[int, ...] = option(
        (0, 1, 2), "Powers of Â whose smoothings of E are joined.", least=0, most=10, distinct=True
    )


def fit(task: Task, options: Options) -> ZeroShotModel:
    """Closed form; [C, D+1] classifiers for the candidates: unit directions of centred weights, and
    predicted biases."""
    return ridge_model(task, options.ridge, options.powers, "graph-linear")


def ridge_model(task: Task, ridge: float, powers: tuple[int, ...], model: str) -> ZeroShotModel:
    """The regression from [E, ÂE, …] to directions of classifier rows; one decomposition serves
    every ``ridge``."""
    x, x_candidates = smoothed_inputs(task, powers)
    targets = task.targets().transform(task.rows.rows(task.train))
    regression = task.once(f"ridge on powers {powers}", lambda: Ridge(x, targets))
    rows = unit_rows(regression.predict(x_candidates, ridge))
    return direction_model(task, rows, model)


def smoothed_inputs(task: Task, powers: tuple[int, ...]) -> tuple[Matrix, Matrix]:
    """[T, S] and [C, S] inputs of training classes and candidates: smoothed embeddings, centred on
    the training classes, unit rows."""
    from graphzsl.models.graph.propagation import smoothed

    def inputs() -> tuple[Matrix, Matrix]:
        values = smoothed(task.subgraph, task.semantics, powers, [*task.train, *task.candidates])
        train, candidates = values[: len(task.train)], values[len(task.train) :]
        return centred_unit(train, train), centred_unit(candidates, train)

    return task.once(f"smoothed by powers {powers}", inputs)

"""A linear map from graph-smoothed class embeddings to classifiers (ridge regression, closed form).

With Â the row-normalised adjacency with self loops, both directions, the input of class c is its row of
[E, ÂE, Â²E, …], centred on the training classes and L2-normalised; B = (XᵀX + λI)⁻¹ XᵀT maps it to the centred unit
classifier rows T. It is SGC (Wu et al. 2019) on several powers at once, with a regression head; with one power (``sgc``) it
is SGC itself.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.class_matrix import Matrix, unit_rows
from graphzsl.errors import ModelError
from graphzsl.models.head import Head, row_head
from graphzsl.models.options import Hyperparameters, option
from graphzsl.models.propagation import smoothed
from graphzsl.models.task import Task, centred_unit

FAMILY = "graph"
NEEDS = ("graph", "classifiers")
GRID = [{"ridge": ridge} for ridge in (1.0, 3.0, 5.0, 8.0, 12.0)]


@dataclass(frozen=True)
class Options(Hyperparameters):
    """Hyper-parameters."""

    ridge: float = option(8.0, "λ of the ridge regression.")
    powers: str = option("0,1,2", "Powers of Â whose smoothings of E are joined.")


def fit(task: Task, options: Options) -> Head:
    """Closed form; [C, D+1] classifiers for the candidates, centred unit rows."""
    x, x_candidates = smoothed_inputs(task, options.powers)
    targets = task.targets().transform(task.rows.rows(task.train))
    rows = unit_rows(x_candidates @ ridge_map(x, targets, options.ridge))
    return row_head(task.candidates, rows, "graph-linear")


def smoothed_inputs(task: Task, powers: str) -> tuple[Matrix, Matrix]:
    """[T, S] and [C, S] inputs of training classes and candidates: smoothed embeddings, centred on the training classes, unit rows."""
    inputs = smoothed(task.hierarchy, task.semantics, powers_of(powers), [*task.train, *task.candidates])
    train, candidates = inputs[: len(task.train)], inputs[len(task.train) :]
    return centred_unit(train, train), centred_unit(candidates, train)


def powers_of(text: str) -> list[int]:
    """Different whole numbers from 0 to 10, separated by commas."""
    parts = [part.strip() for part in text.split(",")]
    if not all(part.isdigit() and int(part) <= 10 for part in parts) or len(set(parts)) < len(parts):
        raise ModelError(f"powers are different whole numbers from 0 to 10, separated by commas, not {text!r}.")
    return [int(part) for part in parts]


def ridge_map(x: Matrix, targets: Matrix, ridge: float) -> Matrix:
    """[S, D] = (XᵀX + λI)⁻¹ XᵀT, solved in the smaller of the two dual forms, in float64."""
    x64, t64 = x.astype(np.float64), targets.astype(np.float64)
    if len(x) < x.shape[1]:
        return np.asarray(x64.T @ np.linalg.solve(x64 @ x64.T + ridge * np.eye(len(x)), t64), dtype=np.float32)
    return np.asarray(np.linalg.solve(x64.T @ x64 + ridge * np.eye(x.shape[1]), x64.T @ t64), dtype=np.float32)

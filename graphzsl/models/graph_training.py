"""Training a graph network: full-batch steps on the receptive field, early stopping, checkpoints, classifiers.

Loss: Σ‖ŷ - y‖² / 2n over the n training rows, ŷ the L2-normalised output, y the direction of the class's
weights less the mean training weights (without ``center``: its L2-normalised row, the bias among the weights, as the papers have it).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from graphzsl.class_matrix import unit_rows
from graphzsl.errors import ModelError
from graphzsl.files import replacing
from graphzsl.models import model_module
from graphzsl.models.graph_network import Field, GraphNetwork, Layer, predict, receptive_field
from graphzsl.models.head import Head, direction_head, row_head
from graphzsl.models.options import Hyperparameters, option
from graphzsl.models.propagation import node_embeddings
from graphzsl.models.task import Task
from graphzsl.progress import progress

#: Rows of a layer computed at once when predicting.
_PREDICT_ROWS = 4096


@dataclass(frozen=True)
class GraphOptions(Hyperparameters):
    """What the whole family takes; the defaults are those of SGCN's paper, except that targets are centred."""

    epochs: int = option(3000, "Full-batch steps at most (the papers: 3000).")
    lr: float = option(1e-3, "Adam's learning rate.")
    weight_decay: float = option(5e-4, "L2 penalty in the gradient, biases included.")
    dropout: float = option(0.5, "On the layers' inputs.")
    center: bool = option(True, "Centre the targets on the training classes before normalising.")
    check_every: int = option(20, "Epochs between two looks at the validation classes.")
    patience: int = option(5, "Looks without a better validation loss before stopping.")


def output_width(task: Task, options: GraphOptions) -> int:
    """D where directions of weights are learned; D+1 where whole rows are, as in the papers."""
    return task.rows.values.shape[1] - int(options.center)


def trainer(name: str, task: Task, options: GraphOptions, checkpoint: Path | None = None) -> Trainer:
    """A training run of a graph network by name, to be run: its module's ``layers`` make the network."""
    return Trainer(name, task, options, model_module(name).layers(task, options), checkpoint)


def fit(name: str, task: Task, options: GraphOptions, checkpoint: Path | None = None) -> Head:
    """[C, D+1] classifiers for the candidates: unit directions of centred weights, and predicted biases.

    With validation classes in the task it stops early and keeps the weights of the best look. With ``checkpoint`` it saves its
    state at every look and goes on from there when called again with the same task and options.
    """
    run = trainer(name, task, options, checkpoint)
    run.run()
    return run.head()


class Trainer:
    """The state of one training run. ``layers`` is the network for this task's graph."""

    def __init__(
        self, name: str, task: Task, options: GraphOptions, layers: list[Layer], checkpoint: Path | None = None
    ):
        torch.manual_seed(task.seed)
        self.name, self.task, self.options, self.checkpoint = name, task, options, checkpoint
        self.layers, self.device = layers, task.where.torch_device
        self.targets = task.targets()
        self.field = receptive_field(layers, task.hierarchy.positions(task.train), self.device)
        self.x = self._embeddings(self.field.rows[0])
        self.y = self._target(task.train)
        self.model = GraphNetwork(self.x.shape[1], layers).to(self.device)
        self.optimizer = torch.optim.Adam(self.model.parameters(), options.lr, weight_decay=options.weight_decay)
        self.epoch, self.best_epoch, self.best_loss = 0, 0, float("inf")
        self.best = _copy(self.model)
        if task.validation:
            held = receptive_field(layers, task.hierarchy.positions(task.validation), self.device)
            self.validation = held, self._embeddings(held.rows[0]), self._target(list(task.validation))
        if checkpoint and checkpoint.exists():
            self._resume(checkpoint)

    def run(self, watch: Callable[[int, float], None] | None = None) -> None:
        """Train to the end, or until validation stops it."""
        last = self.options.epochs
        title = f"training {self.name} (at most {last} epochs)"
        for _ in progress(range(self.epoch, last), title, total=last - self.epoch):
            if self._is_over():
                break
            loss = self.step()
            if self.epoch % max(1, self.options.check_every) == 0 or self.epoch == last:
                self._look()
                if watch:
                    watch(self.epoch, loss)
        if not self.task.validation:
            self.best, self.best_epoch = _copy(self.model), self.epoch

    def step(self) -> float:
        """One full-batch step; returns the training loss."""
        self.model.train()
        self.optimizer.zero_grad()
        loss = self.loss(self.field, self.x, self.y)
        if not torch.isfinite(loss):
            raise ModelError(f"The loss is not finite at epoch {self.epoch}. Lower --lr.")
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.epoch += 1
        return float(loss.detach())

    def loss(self, field: Field, x: Tensor, y: Tensor) -> Tensor:
        """Σ‖ŷ - y‖² / 2n."""
        with self.task.where.autocast():
            predicted = self.model(x, field)
        return ((predicted - y) ** 2).sum() / (2 * len(y))

    def head(self) -> Head:
        """Classifiers of the candidates with the best weights of the network."""
        self.model.load_state_dict(self.best)
        rows = self.task.hierarchy.positions(self.task.candidates)
        values = predict(self.model, self._embeddings, rows, _PREDICT_ROWS, self.device).numpy()
        if self.options.center:
            return direction_head(self.task, values, self.name)
        values = unit_rows(values - self.y.mean(dim=0).cpu().numpy()).astype(np.float32)
        return row_head(self.task.candidates, values, self.name)

    @torch.no_grad()
    def validation_loss(self) -> float:
        """The loss on the validation classes, dropout off."""
        self.model.eval()
        return float(self.loss(*self.validation))

    def _look(self) -> None:
        if self.task.validation:
            loss = self.validation_loss()
            if loss < self.best_loss:
                self.best_loss, self.best_epoch, self.best = loss, self.epoch, _copy(self.model)
        if self.checkpoint:
            self._save(self.checkpoint)

    def _is_over(self) -> bool:
        waited, allowed = self.epoch - self.best_epoch, self.options.patience * self.options.check_every
        return bool(self.task.validation) and waited >= allowed > 0 and self.epoch > 0

    def _embeddings(self, positions: np.ndarray) -> Tensor:
        return self.task.where.tensor(unit_rows(node_embeddings(self.task.hierarchy, self.task.semantics, positions)))

    def _target(self, wnids: list[str]) -> Tensor:
        rows = self.task.rows.rows(wnids)
        return self.task.where.tensor(self.targets.transform(rows) if self.options.center else unit_rows(rows))

    def _identity(self) -> dict[str, Any]:
        return {
            "model": self.name,
            "options": self.options.facts(),
            "train": self.task.train,
            "seed": self.task.seed,
            "validation": list(self.task.validation),
        }

    def _save(self, path: Path) -> None:
        state = {
            "identity": self._identity(), "epoch": self.epoch, "best_epoch": self.best_epoch, "best_loss": self.best_loss,
            "best": self.best, "model": self.model.state_dict(), "optimizer": self.optimizer.state_dict(),
            "random": torch.get_rng_state(),
        }  # fmt: skip
        with replacing(path) as partial:
            torch.save(state, partial)

    def _resume(self, path: Path) -> None:
        state = torch.load(path, map_location=self.device, weights_only=True)
        if state["identity"] != self._identity():
            raise ModelError(
                f"{path} is of a run with other classes or options. Delete it, or write to another folder."
            )
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"].cpu())
        self.epoch, self.best_epoch, self.best_loss = state["epoch"], state["best_epoch"], state["best_loss"]
        self.best = state["best"]


def _copy(model: torch.nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in model.state_dict().items()}

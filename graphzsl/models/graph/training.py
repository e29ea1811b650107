"""Training a graph network: full-batch steps on the receptive field, scores of validation classes,
checkpoints, classifiers.

Loss: Σ‖ŷ - y‖² / 2n over the n training rows, ŷ the L2-normalised output, y the L2-normalised
weights of the class, as the papers have them. Two options change the targets: with ``center`` they
are weights less the mean training weights, and with ``bias_column`` the bias is one more of the
coordinates, which is the papers' letter; else it is predicted apart, as for all models.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from graphzsl.common.errors import DataError, ModelError
from graphzsl.common.files import atomic_write
from graphzsl.common.progress import progress_bar
from graphzsl.common.reading.torch_files import read_torch
from graphzsl.common.version import __version__
from graphzsl.data.class_matrix import unit_rows
from graphzsl.data.samples import Samples
from graphzsl.models.base.options import GraphOptions
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel, direction_model, row_model
from graphzsl.models.graph.network import (
    GraphNetwork,
    ReceptiveField,
    predict,
    receptive_field,
)
from graphzsl.models.graph.propagation import Layer, node_embeddings
from graphzsl.models.registry import model_module

#: Rows of a layer computed at once when predicting.
_PREDICT_ROWS = 4096

#: (model, samples of validation classes) -> their score; larger is better
Score = Callable[[ZeroShotModel, Samples], float]


def trainer(
    name: str,
    task: Task,
    options: GraphOptions,
    checkpoint: Path | None = None,
    validation: Samples | None = None,
) -> Trainer:
    """A training run of a graph network by name, to be run: its module's ``layers`` make the
    network."""
    return Trainer(
        name, task, options, model_module(name).layers(task, options), checkpoint, validation
    )


def fit(
    name: str,
    task: Task,
    options: GraphOptions,
    checkpoint: Path | None = None,
    title: str = "training",
) -> ZeroShotModel:
    """[C, D+1] classifiers for the candidates after exactly ``options.epochs`` steps.

    They are the network's unit outputs, and biases that are predicted apart; with ``bias_column``
    the outputs as they come.

    With ``checkpoint`` it saves its state at every validation epoch and goes on from there when
    called again; ModelError when anything that the result depends on has changed since. ``title``
    is what a bar calls it.
    """
    run = trainer(name, task, options, checkpoint)
    run.run(title=title)
    return run.zero_shot_model()


def validation_curves(trainers: Sequence[Trainer], score: Score) -> list[dict[int, float]]:
    """For each trainer (one per fold) epoch -> score of its validation samples, at the same epochs
    for all.

    The folds are trained side by side, from one validation epoch to the next, and stop together:
    when the best mean score is ``patience`` validation epochs old (``patience`` 0: never), or after
    ``epochs``. The first of equal scores is the best.
    """
    options = trainers[0].options
    validation_epochs = [
        *range(options.check_every, options.epochs, options.check_every),
        options.epochs,
    ]
    means: list[float] = []
    title = (
        f"{trainers[0].name}: validation (at most {options.epochs} epochs, {len(trainers)} folds)"
    )
    for epoch in progress_bar(validation_epochs, title, total=len(validation_epochs)):
        means.append(float(np.mean([each.validate(epoch, score) for each in trainers])))
        waited = len(means) - 1 - int(np.argmax(means))
        if waited >= options.patience > 0:
            break
    return [
        {epoch: each.curve[epoch] for epoch in validation_epochs[: len(means)]} for each in trainers
    ]


class Trainer:
    """The state of one training run. ``layers`` is the network for this task's graph,
    ``validation`` what validation scores."""

    def __init__(
        self,
        name: str,
        task: Task,
        options: GraphOptions,
        layers: list[Layer],
        checkpoint: Path | None = None,
        validation: Samples | None = None,
    ):
        self.name, self.task, self.options, self.checkpoint = name, task, options, checkpoint
        self.layers, self.device, self.validation = layers, task.where.torch_device, validation
        self.field = receptive_field(layers, task.subgraph.positions(task.train), self.device)
        self.x = self._embeddings(self.field.rows[0])
        self.y = self._targets()
        # The run owns its random numbers, so that folds trained side by side are the folds trained
        # alone.
        random = torch.Generator(self.device).manual_seed(task.seed)
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(task.seed)
            self.model = GraphNetwork(self.x.shape[1], layers, random).to(self.device)
        self.random = random
        self.optimizer = torch.optim.Adam(
            self.model.parameters(), options.lr, weight_decay=options.weight_decay
        )
        self.epoch = 0
        self.curve: dict[int, float] = {}
        if checkpoint and checkpoint.exists():
            self._resume(checkpoint)

    def run(
        self, callback: Callable[[int, float], None] | None = None, title: str = "training"
    ) -> None:
        """Train to the end; ``callback(epoch, training loss)`` is called every ``check_every``
        epochs, after saving."""
        last = self.options.epochs
        for _ in progress_bar(
            range(self.epoch, last),
            f"{self.name}: {title} ({last} epochs)",
            total=last - self.epoch,
        ):
            loss = self.step()
            if self.epoch % self.options.check_every == 0 or self.epoch == last:
                self._save()
                if callback:
                    callback(self.epoch, loss)

    def validate(self, epoch: int, score: Score) -> float:
        """The score of the validation samples after ``epoch`` steps; computed once, also over a
        resumed run."""
        if epoch not in self.curve:
            if self.validation is None:
                raise ModelError("A run without validation samples has no score.")
            while self.epoch < epoch:
                self.step()
            self.curve[epoch] = score(self.zero_shot_model(), self.validation)
            self._save()
        return self.curve[epoch]

    def step(self) -> float:
        """One full-batch step; returns the training loss."""
        self.model.train()
        self.optimizer.zero_grad()
        loss = self.loss(self.field, self.x, self.y)
        if not torch.isfinite(loss):
            raise ModelError(f"The loss is not finite at epoch {self.epoch}. Lower lr.")
        loss.backward()  # type: ignore[no-untyped-call]
        self.optimizer.step()
        self.epoch += 1
        return float(loss.detach())

    def loss(self, field: ReceptiveField, x: Tensor, y: Tensor) -> Tensor:
        """Σ‖ŷ - y‖² / 2n."""
        with self.task.where.autocast():
            predicted = self.model(x, field)
        half: Tensor = ((predicted - y) ** 2).sum() / (2 * len(y))
        return half

    def zero_shot_model(self) -> ZeroShotModel:
        """Classifiers of the candidates with the weights of now."""
        rows = self.task.subgraph.positions(self.task.candidates)
        values = predict(self.model, self._embeddings, rows, _PREDICT_ROWS, self.device).numpy()
        if self.options.bias_column:
            return row_model(self.task, values, self.name)
        return direction_model(self.task, values, self.name, center=self.options.center)

    def _embeddings(self, positions: np.ndarray) -> Tensor:
        return self.task.where.tensor(
            unit_rows(node_embeddings(self.task.subgraph, self.task.semantics, positions))
        )

    def _targets(self) -> Tensor:
        """[T, D] unit weights of the training classes; [T, D+1] unit rows with ``bias_column``."""
        rows, targets = (
            self.task.rows.rows(self.task.train),
            self.task.targets(center=self.options.center),
        )
        whole = self.options.bias_column
        return self.task.where.tensor(
            unit_rows(rows - targets.mean) if whole else targets.transform(rows)
        )

    def _identity(self) -> dict[str, Any]:
        """All that the state of a run depends on, under the name that an error gives it."""
        task, held = self.task, self.validation
        return {
            "model": self.name,
            "version of graphzsl": __version__,
            "options": self.options.as_dict(),
            "seed": task.seed,
            "device": self.device,
            "precision": task.where.precision,
            "training classes": _checksum(task.train),
            "graph": _checksum(task.subgraph.wnids, task.subgraph.edge_index),
            "class embeddings": _checksum(task.semantics.wnids, task.semantics.values),
            "classifier rows": _checksum(task.rows.rows(task.train)),
            "scaling": [task.feature_scaling, task.semantic_scaling],
            "validation samples": (
                _checksum(task.candidates, held.labels, held.features) if held else ""
            ),
        }

    def _save(self) -> None:
        if self.checkpoint is None:
            return
        state = {
            "identity": self._identity(),
            "epoch": self.epoch,
            "curve": self.curve,
            "model": self.model.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "random": self.random.get_state(),
        }
        with atomic_write(self.checkpoint) as partial, partial.open("wb") as file:
            torch.save(state, file)

    def _resume(self, path: Path) -> None:
        try:
            state = read_torch(path, "a checkpoint", self.device)
            identity = dict(state["identity"])
        except (DataError, KeyError, TypeError, ValueError):
            raise ModelError(
                f"{path} is not a checkpoint of graphzsl. Delete it, and the run starts anew."
            ) from None
        own = self._identity()
        changed = [key for key in own if identity.get(key) != own[key]]
        if changed:
            raise ModelError(
                f"{path} is of a run with another value of: {', '.join(changed)}. Delete it to"
                " start anew, or write to another folder."
            )
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.random.set_state(state["random"].cpu())
        self.epoch, self.curve = state["epoch"], state["curve"]


def _checksum(*parts: Sequence[str] | np.ndarray) -> str:
    """SHA-256 of lists of names and of arrays, their shapes and kinds included."""
    digest = hashlib.sha256()
    for part in parts:
        if isinstance(part, np.ndarray):
            digest.update(f"{part.dtype.str}{part.shape}".encode())
            digest.update(np.ascontiguousarray(part).data)
        else:
            digest.update("\n".join([str(len(part)), *part, ""]).encode())
    return digest.hexdigest()

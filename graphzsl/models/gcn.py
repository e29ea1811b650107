"""SGCN (Kampffmeyer et al. 2019): a two-layer graph convolutional network that predicts classifiers.

Ŷ = unit(Â LeakyReLU(Â X W₁ + b₁) W₂ + b₂), Â = D⁻¹(A + I) over both directions of every hypernym edge, X the
L2-normalised class embeddings, dropout 0.5 on both layers' inputs. Loss: Σ‖ŷ − y‖² / 2n over the n training rows.

Only the part of the graph that the loss can see is computed: the training classes, the hidden rows that they aggregate,
and the input rows that those aggregate. And because Â(HW) = (ÂH)W, a layer aggregates first: the second weight product
has as many rows as there are training classes. Both are the same mathematics as the full graph (tested).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from graphzsl.class_matrix import CLASSIFIERS, ClassMatrix, unit_rows
from graphzsl.errors import ModelError
from graphzsl.files import manifest, replacing
from graphzsl.models.head import LinearHead
from graphzsl.models.smoothing import node_embeddings, random_walk
from graphzsl.models.task import Task
from graphzsl.progress import progress

GRID: list[dict[str, object]] = [{}]
with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # torch_geometric still scripts functions with torch.jit
    from torch_geometric.nn import Linear, SimpleConv

#: Rows of the output computed at once when predicting.
_PREDICT_ROWS = 4096


@dataclass(frozen=True)
class Options:
    """Hyper-parameters; the defaults are those of the paper, except that targets are centred."""

    hidden: int = field(default=2048, metadata={"help": "Width of the hidden layer."})
    epochs: int = field(default=3000, metadata={"help": "Full-batch steps at most (the paper: 3000)."})
    lr: float = field(default=1e-3, metadata={"help": "Adam's learning rate."})
    weight_decay: float = field(default=5e-4, metadata={"help": "L2 penalty in the gradient, biases included."})
    dropout: float = field(default=0.5, metadata={"help": "On the inputs of both layers."})
    center: bool = field(
        default=True, metadata={"help": "Centre the targets on the training classes before normalising."}
    )
    check_every: int = field(default=20, metadata={"help": "Epochs between two looks at the validation classes."})
    patience: int = field(default=5, metadata={"help": "Looks without a better validation loss before stopping."})


@dataclass(frozen=True)
class Field:
    """The receptive field of some output rows: [outputs ← hidden] and [hidden ← inputs] parts of Â, and the input rows."""

    first: Tensor  #: sparse CSR [hidden, inputs]
    second: Tensor  #: sparse CSR [outputs, hidden]
    inputs: np.ndarray  #: positions of the input rows


class SGCN(nn.Module):
    """Two graph convolutions; sizes S -> hidden -> D+1."""

    def __init__(self, inputs: int, hidden: int, outputs: int, dropout: float):
        super().__init__()
        self.aggregate = SimpleConv(aggr="sum")
        self.first = Linear(inputs, hidden, weight_initializer="glorot", bias_initializer="zeros")
        self.second = Linear(hidden, outputs, weight_initializer="glorot", bias_initializer="zeros")
        self.dropout = dropout

    def forward(self, x: Tensor, first: Tensor, second: Tensor) -> Tensor:
        """[outputs, D+1] unit rows from inputs [I, S] through Â parts [H, I] and [outputs, H]."""
        return functional.normalize(self.output(self.hidden(x, first), second))

    def hidden(self, x: Tensor, first: Tensor) -> Tensor:
        """[H, hidden] activations."""
        return functional.leaky_relu(self.first(self._propagated(x, first)), 0.2)

    def output(self, hidden: Tensor, second: Tensor) -> Tensor:
        """[outputs, D+1] before normalisation."""
        return self.second(self._propagated(hidden, second))

    def _propagated(self, x: Tensor, part: Tensor) -> Tensor:
        x = functional.dropout(x, self.dropout, self.training)
        return self.aggregate((x, None), part)  # type: ignore[no-any-return]


def receptive_field(walk: Any, outputs: np.ndarray) -> Field:
    """The rows of Â that the output rows depend on through two layers."""
    hidden = np.unique(walk[outputs].indices)
    inputs = np.unique(walk[hidden].indices)
    return Field(_csr(walk[hidden][:, inputs]), _csr(walk[outputs][:, hidden]), inputs)


def fit(
    task: Task,
    options: Options,
    checkpoint: Path | None = None,
    watch: Callable[[int, float], None] | None = None,
) -> LinearHead:
    """[C, D+1] classifiers for the candidates: centred unit rows.

    With validation classes in the task it stops early and keeps the weights of the best look. With ``checkpoint`` it
    saves its state at every look and goes on from there when called again with the same task and options.
    """
    trainer = Trainer(task, options, checkpoint)
    trainer.run(watch)
    return trainer.head()


class Trainer:
    """The state of one training run."""

    def __init__(self, task: Task, options: Options, checkpoint: Path | None = None):
        torch.manual_seed(task.seed)
        self.task, self.options, self.checkpoint = task, options, checkpoint
        self.walk = random_walk(task.graph)
        self.targets = task.targets()
        self.train_rows = task.graph.positions(task.train)
        self.field = receptive_field(self.walk, self.train_rows)
        self.x = self._inputs(self.field)
        self.y = self._target(task.train)
        self.model = SGCN(self.x.shape[1], options.hidden, self.y.shape[1], options.dropout)
        self.optimizer = torch.optim.Adam(self.model.parameters(), options.lr, weight_decay=options.weight_decay)
        self.epoch, self.best_epoch, self.best_loss = 0, 0, float("inf")
        self.best = _copy(self.model)
        if task.validation:
            held = task.graph.positions(task.validation)
            self.validation = receptive_field(self.walk, held), self._target(list(task.validation))
        if checkpoint and checkpoint.exists():
            self._resume(checkpoint)

    def run(self, watch: Callable[[int, float], None] | None = None) -> None:
        """Train to the end, or until validation stops it."""
        last = self.options.epochs
        for _ in progress(range(self.epoch, last), f"training gcn (at most {last} epochs)", total=last - self.epoch):
            if self._is_over():
                break
            loss = self.step()
            if self.epoch % self.options.check_every == 0 or self.epoch == last:
                self._look()
                if watch:
                    watch(self.epoch, loss)
        if not self.task.validation:
            self.best, self.best_epoch = _copy(self.model), self.epoch

    def step(self) -> float:
        """One full-batch step; returns the training loss."""
        self.model.train()
        self.optimizer.zero_grad()
        predicted = self.model(self.x, self.field.first, self.field.second)
        loss = ((predicted - self.y) ** 2).sum() / (2 * len(self.y))
        if not torch.isfinite(loss):
            raise ModelError(f"The loss is not finite at epoch {self.epoch}. Lower --lr.")
        loss.backward()
        self.optimizer.step()
        self.epoch += 1
        return float(loss.detach())

    @torch.no_grad()
    def head(self) -> LinearHead:
        """Classifiers of the candidates with the best weights, computed in blocks of rows."""
        self.model.load_state_dict(self.best)
        self.model.eval()
        rows = self.task.graph.positions(self.task.candidates)
        hidden_rows = np.unique(self.walk[rows].indices)
        blocks = []
        for start in range(0, len(hidden_rows), _PREDICT_ROWS):
            part = hidden_rows[start : start + _PREDICT_ROWS]
            inputs = np.unique(self.walk[part].indices)
            x = torch.from_numpy(self._embeddings(inputs))
            blocks.append(self.model.hidden(x, _csr(self.walk[part][:, inputs])))
        hidden = torch.cat(blocks)
        second = self.walk[rows][:, hidden_rows]
        outputs = [
            self.model.output(hidden, _csr(second[start : start + _PREDICT_ROWS]))
            for start in range(0, len(rows), _PREDICT_ROWS)
        ]
        values = functional.normalize(torch.cat(outputs)).numpy()
        if not self.options.center:
            values = unit_rows(values - self.y.mean(dim=0).numpy()).astype(np.float32)
        return LinearHead(ClassMatrix(self.task.candidates, values, manifest(CLASSIFIERS, model="gcn")))

    @torch.no_grad()
    def validation_loss(self) -> float:
        """The loss on the validation classes, dropout off."""
        part, y = self.validation
        self.model.eval()
        predicted = self.model(self._inputs(part), part.first, part.second)
        return float(((predicted - y) ** 2).sum() / (2 * len(y)))

    def _look(self) -> None:
        if self.task.validation:
            loss = self.validation_loss()
            if loss < self.best_loss:
                self.best_loss, self.best_epoch, self.best = loss, self.epoch, _copy(self.model)
        if self.checkpoint:
            self._save(self.checkpoint)

    def _is_over(self) -> bool:
        waited = self.epoch - self.best_epoch
        return (
            bool(self.task.validation)
            and waited >= self.options.patience * self.options.check_every > 0
            and self.epoch > 0
        )

    def _embeddings(self, positions: np.ndarray) -> np.ndarray:
        return unit_rows(node_embeddings(self.task.graph, self.task.semantics, positions)).astype(np.float32)

    def _inputs(self, part: Field) -> Tensor:
        return torch.from_numpy(self._embeddings(part.inputs))

    def _target(self, wnids: list[str]) -> Tensor:
        rows = self.task.classifiers.rows(wnids)
        values = self.targets.transform(rows) if self.options.center else unit_rows(rows)
        return torch.from_numpy(np.asarray(values, dtype=np.float32))

    def _identity(self) -> dict[str, Any]:
        return {
            "options": asdict(self.options),
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
        state = torch.load(path, map_location="cpu", weights_only=True)
        if state["identity"] != self._identity():
            raise ModelError(
                f"{path} is of a run with other classes or options. Delete it, or write to another folder."
            )
        self.model.load_state_dict(state["model"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["random"])
        self.epoch, self.best_epoch, self.best_loss = state["epoch"], state["best_epoch"], state["best_loss"]
        self.best = state["best"]


def _copy(model: nn.Module) -> dict[str, Tensor]:
    return {name: value.detach().clone() for name, value in model.state_dict().items()}


def _csr(part: Any) -> Tensor:
    part = part.tocsr()
    part.sort_indices()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta")
        return _sparse(part)


def _sparse(part: Any) -> Tensor:
    return torch.sparse_csr_tensor(
        torch.from_numpy(part.indptr.astype(np.int64)),
        torch.from_numpy(part.indices.astype(np.int64)),
        torch.from_numpy(part.data.astype(np.float32)),
        size=part.shape,
        check_invariants=True,
    )

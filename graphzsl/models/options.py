"""Hyper-parameters of a model: a frozen dataclass whose fields carry their help."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, fields
from typing import TYPE_CHECKING, Any

from graphzsl.errors import ModelError

if TYPE_CHECKING:
    from graphzsl.models.task import Task


def option(default: Any, text: str, choices: Sequence[str] = ()) -> Any:
    """A hyper-parameter with its default, one line of help and, where it is a word, the words allowed."""
    return field(default=default, metadata={"help": text, "choices": tuple(choices)})


@dataclass(frozen=True)
class Hyperparameters:
    """Base of every model's ``Options``: a value outside its choices is an error when the object is made."""

    def __post_init__(self) -> None:
        for each in fields(self):
            choices, value = each.metadata.get("choices"), getattr(self, each.name)
            if choices and value not in choices:
                raise ModelError(f"{each.name} is one of {', '.join(choices)}, not {value!r}.")
            if isinstance(each.default, bool):
                continue
            if isinstance(each.default, int | float) and (not isinstance(value, int | float) or value != value):
                raise ModelError(f"{each.name} is a number, not {value!r}.")
            if isinstance(each.default, int) and not (isinstance(value, int) and value >= 0):
                raise ModelError(f"{each.name} is a whole number of at least 0, not {value!r}.")

    def facts(self) -> dict[str, Any]:
        """name -> value."""
        return asdict(self)


@dataclass(frozen=True)
class Iterative(Hyperparameters):
    """What every model that is trained by mini-batches takes."""

    epochs: int = option(60, "Passes over the samples at most; chosen on validation classes unless given.")
    lr: float = option(1e-2, "Learning rate of Adam.")
    weight_decay: float = option(0.0, "L2 penalty in the gradient.")
    batch: int = option(128, "Samples a step.")
    check_every: int = option(5, "Epochs between two looks at the validation classes.")


@dataclass(frozen=True)
class GraphOptions(Hyperparameters):
    """What every graph network takes; the defaults are those of SGCN's paper, except that targets are centred."""

    epochs: int = option(3000, "Full-batch steps at most (the papers: 3000); how many is chosen on validation classes.")
    lr: float = option(1e-3, "Adam's learning rate.")
    weight_decay: float = option(5e-4, "L2 penalty in the gradient, biases included.")
    dropout: float = option(0.5, "On the layers' inputs.")
    center: bool = option(
        True, "Centre the targets on the training classes; without it the papers' L2-normalised rows."
    )
    check_every: int = option(20, "Epochs between two looks at the validation classes.")
    patience: int = option(5, "Looks without a better validation score before stopping; 0: never stop.")


def output_width(task: Task, options: GraphOptions) -> int:
    """D where directions of weights are learned; D+1 where whole rows are, as in the papers."""
    return int(task.rows.values.shape[1]) - int(options.center)

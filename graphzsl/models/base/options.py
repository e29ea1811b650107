"""Hyper-parameters of a model: a frozen dataclass whose fields carry their help."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from operator import index
from typing import TYPE_CHECKING, Any

from graphzsl.common.checked_names import shown
from graphzsl.common.errors import ModelError
from graphzsl.common.reading.number_texts import unsigned

if TYPE_CHECKING:
    from graphzsl.models.base.task import Task


@dataclass(frozen=True)
class Range:
    """The numbers that an option may be: ``least`` and ``most`` are allowed themselves, ``above``
    and ``below`` are not."""

    least: float | None = None
    above: float | None = None
    most: float | None = None
    below: float | None = None

    def __contains__(self, value: float) -> bool:
        return (
            (self.least is None or value >= self.least)
            and (self.above is None or value > self.above)
            and (self.most is None or value <= self.most)
            and (self.below is None or value < self.below)
        )

    def __str__(self) -> str:
        named = {
            "at least": self.least,
            "above": self.above,
            "at most": self.most,
            "below": self.below,
        }
        return " and ".join(
            f"{name} {bound:g}" for name, bound in named.items() if bound is not None
        )


def option(
    default: Any,
    text: str,
    choices: Sequence[str] = (),
    *,
    least: float | None = None,
    above: float | None = None,
    most: float | None = None,
    below: float | None = None,
    distinct: bool = False,
) -> Any:
    """A hyper-parameter with its default, one line of help, the words allowed where it is a word,
    or a number's range.

    A whole number is at least 0 unless a bound says otherwise. With a tuple as default the option
    is several whole numbers, each in the range, and all different with ``distinct``.
    """
    if type(default) is int and least is None and above is None:
        least = 0
    allowed = Range(least, above, most, below)
    described = {
        "help": text,
        "choices": tuple(choices),
        "range": allowed,
        "distinct": distinct,
    }
    return field(default=default, metadata=described)


def whole_numbers(value: object, allowed: Range, *, distinct: bool) -> tuple[int, ...]:
    """The whole numbers of a sequence, or of a text such as "0,1,2"; ModelError says what is wanted
    in their place."""
    found = _numbers(value)
    different = not distinct or len(set(found)) == len(found)
    if not found or not different or not all(number in allowed for number in found):
        kind = "different whole numbers" if distinct else "whole numbers"
        raise ModelError(f"{kind}, each {allowed}, not {shown(value)}.")
    return found


def _numbers(value: object) -> tuple[int, ...]:
    """Empty where the value is something else than whole numbers."""
    if isinstance(value, str):
        numbers = [unsigned(part.strip()) for part in value.split(",")]
        found = tuple(number for number in numbers if number is not None)
        return found if len(found) == len(numbers) else ()
    if not isinstance(value, Iterable):
        return ()
    given = tuple(value)
    try:
        return () if any(isinstance(part, bool) for part in given) else tuple(map(index, given))
    except TypeError:
        return ()


def text_of(value: object) -> object:
    """A tuple as the text that files and help hold, "0,1,2"; anything else as it is."""
    return ",".join(map(str, value)) if isinstance(value, tuple) else value


@dataclass(frozen=True)
class Hyperparameters:
    """Base of every model's ``Options``: ModelError for a value outside its choices or its range
    when the object is made.

    An option that is several whole numbers takes any sequence of them, and the text that files hold
    ("0,1,2"); it is a tuple here.
    """

    def __post_init__(self) -> None:
        for each in fields(self):
            choices, value = each.metadata.get("choices"), getattr(self, each.name)
            if choices and value not in choices:
                raise ModelError(f"{each.name} is one of {', '.join(choices)}, not {value!r}.")
            if isinstance(each.default, tuple):
                allowed, distinct = each.metadata["range"], each.metadata["distinct"]
                try:
                    found = whole_numbers(value, allowed, distinct=distinct)
                except ModelError as error:
                    raise ModelError(f"{each.name} are {error}") from None
                object.__setattr__(self, each.name, found)
                continue
            if isinstance(each.default, bool):
                if not isinstance(value, bool):
                    raise ModelError(f"{each.name} is true or false, not {value!r}.")
                continue
            if not isinstance(each.default, int | float):
                continue
            if (
                isinstance(value, bool)
                or not isinstance(value, int | float)
                or not math.isfinite(value)
            ):
                raise ModelError(f"{each.name} is a number, not {value!r}.")
            if isinstance(each.default, int) and not isinstance(value, int):
                raise ModelError(f"{each.name} is a whole number, not {value!r}.")
            allowed = each.metadata["range"]
            if value not in allowed:
                raise ModelError(f"{each.name} is {allowed}, not {value!r}.")

    def as_dict(self) -> dict[str, Any]:
        """name -> value, as files hold it: several numbers are a text such as "0,1,2"."""
        return {name: text_of(value) for name, value in asdict(self).items()}

    @classmethod
    def written(cls, given: Mapping[str, Any]) -> dict[str, Any]:
        """Given values as files hold them: a sequence of numbers is a text; what is a text already,
        or wrong, stays as it is."""
        several = {each.name for each in fields(cls) if isinstance(each.default, tuple)}
        return {
            name: text_of(_numbers(value) or value)
            if name in several and not isinstance(value, str)
            else value
            for name, value in given.items()
        }

    @classmethod
    def typed(cls, written: Mapping[str, Any]) -> dict[str, Any]:
        """Convert values of a file to Python's types: the inverse of ``written``."""
        several = {each.name for each in fields(cls) if isinstance(each.default, tuple)}
        return {
            name: _numbers(value) or value if name in several else value
            for name, value in written.items()
        }


@dataclass(frozen=True)
class Iterative(Hyperparameters):
    """Options of every model that is trained by mini-batches."""

    epochs: int = option(
        60, "Passes over the samples at most; chosen on validation classes unless given.", least=1
    )
    lr: float = option(1e-2, "Learning rate of Adam.", above=0)
    weight_decay: float = option(0.0, "L2 penalty in the gradient.", least=0)
    batch: int = option(128, "Samples per step.", least=1)
    check_every: int = option(5, "Epochs between two validations.", least=1)


@dataclass(frozen=True)
class GraphOptions(Hyperparameters):
    """Options of every graph network; the defaults are those of SGCN's paper, but for the bias."""

    epochs: int = option(
        3000,
        "Full-batch steps at most (the papers: 3000); every check_every of them validation"
        " classes say how many.",
        least=1,
    )
    lr: float = option(1e-3, "Adam's learning rate.", above=0)
    weight_decay: float = option(5e-4, "L2 penalty in the gradient, biases included.", least=0)
    dropout: float = option(0.5, "On the layers' inputs.", least=0, below=1)
    center: bool = option(False, "Centre the targets on the training classes; the papers do not.")
    bias_column: bool = option(
        False,
        "Learn the bias as one more coordinate of a row, as the papers do; without it biases are"
        " predicted apart.",
    )
    check_every: int = option(
        20, "Epochs between two validations; not below epochs: these are not chosen.", least=1
    )
    patience: int = option(
        5, "Validations without a better score before stopping; 0: never stop.", least=0
    )


def output_width(task: Task, options: GraphOptions) -> int:
    """D where directions of weights are learned; D+1 where the bias is a coordinate."""
    return int(task.rows.values.shape[1]) - int(not options.bias_column)

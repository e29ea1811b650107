"""The groups ``graphzsl study ilsvrc`` and ``graphzsl study ilsvrc labelling``, to which the other
files of this folder add their commands, and options that several of these take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.groups import Group
from graphzsl.cli.options import option
from graphzsl.cli.types import Real

F = TypeVar("F", bound=Callable[..., Any])


def class_set_option(text: str, default: str | None, is_eager: bool = False) -> Callable[[F], F]:
    """--set: a class set."""
    complete = {"shell_complete": NAMED_CLASSES, "is_eager": is_eager}
    return option("--set class_set", None, default, text, **complete)


#: --set of commands on the database; it is read before the synsets of `bins`.
SET = class_set_option("Class set.", "ilsvrc2012", is_eager=True)


def error_rates_option(default: float, yes: str, no: str) -> Callable[[F], F]:
    """--false-yes and --false-no: how often simulated people err."""
    first = option("--false-yes", Real(0, 1), default, yes)
    second = option("--false-no", Real(0, 1), default, no)
    return lambda function: first(second(function))


def flag(names: str, text: str) -> Callable[[F], F]:
    """Declare an option without a value by its names and its help."""
    return click.option(*names.split(), is_flag=True, help=text)


def entry_paths(paths: Sequence[Path], ending: str = "") -> dict[str, Path]:
    """Entry -> its file, whose name it has without suffix and ``ending``, or its path where two
    names are the same."""
    names = [path.stem.removesuffix(ending) for path in paths]
    distinct = len(set(names)) == len(names)
    return dict(zip(names if distinct else map(str, paths), paths, strict=True))


@click.group("ilsvrc", cls=Group)
def command() -> None:
    """Analyses of Russakovsky et al. (2015): localization and detection on boxes, how labels are
    made and checked, trimmed hierarchy, properties and accuracy of classes, annotation cost.

    \b
    graphzsl study ilsvrc trim --edges --save edges.csv
    graphzsl study ilsvrc accuracy linear.classes.parquet --extremes 5
    graphzsl study ilsvrc detection instances.json results.json
    graphzsl study ilsvrc labelling merge --each
    """


@command.group("labelling")
def labelling() -> None:
    """Make and check ImageNet's labels: votes, audits, judgements, costs, merged classes.

    No command needs a database. What people say comes from your tables; simulated people and what
    follows from them are called simulated in every row (`graphzsl study ilsvrc annotate` simulates
    a walk down a hierarchy of questions).

    \b
    graphzsl study ilsvrc labelling consensus votes.csv
    graphzsl study ilsvrc labelling audit mammal.n.01 vehicle.n.01 \\
      --save audit.csv
    graphzsl study ilsvrc labelling merge --each
    """

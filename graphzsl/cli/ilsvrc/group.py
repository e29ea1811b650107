"""The groups ``graphzsl study ilsvrc`` and ``graphzsl study ilsvrc labelling``, to which the other
files of this folder add their commands, and options that several of these take."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from graphzsl.cli.groups import Group
from graphzsl.cli.options import STORED, set_option, shared
from graphzsl.cli.types import Real

F = TypeVar("F", bound=Callable[..., Any])


#: --set of commands on the database; it is read before the synsets of `bins`.
SET = set_option(STORED, "ilsvrc2012", is_eager=True)
false_yes_option = shared("--false-yes", "Rate of wrong yes answers", Real(0, 1))
false_no_option = shared("--false-no", "Rate of wrong no answers", Real(0, 1))


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

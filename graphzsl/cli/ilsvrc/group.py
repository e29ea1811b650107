"""The group ``graphzsl study ilsvrc``: the other files of this folder add their commands to it."""

from __future__ import annotations

import click

from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.groups import Group

SET = click.option(
    "--set",
    "class_set",
    shell_complete=NAMED_CLASSES,
    default="ilsvrc2012",
    show_default=True,
    is_eager=True,  # before the synsets of `bins`
    help="Class set.",
)


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

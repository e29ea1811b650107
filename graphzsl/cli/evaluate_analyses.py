"""``graphzsl evaluate attribute``: what a run says once it is joined with what is known about its samples and classes."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.common import INPUT, emit, output_options
from graphzsl.cli.evaluate import command


@command.command()
@click.argument("table", type=INPUT)
@output_options
def attribute(table: Path, output_format: str | None) -> None:
    """Which flaw of a benchmark costs how much, from accuracies with every flaw switched on and off.

    TABLE is a CSV: a column a factor (0: flawed, 1: good) and last the accuracy, with a row for each of the 2^n configurations; Hascoet et al.
    (2019, section 4.4) use sample, semantic, structural. `impact` is the mean gain from a factor, `share` the impacts scaled to the
    whole gain.
    """
    from graphzsl.benchmark.attribution import attribute as attributed
    from graphzsl.benchmark.attribution import read_configurations

    emit(attributed(*read_configurations(table)), output_format)

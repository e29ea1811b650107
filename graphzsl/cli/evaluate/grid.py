"""``graphzsl evaluate grid``: models × splits × semantics × seeds."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl import models
from graphzsl.cli.evaluate.group import command
from graphzsl.cli.options import force_option, output_options, scheduler_option
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import INPUT


@command.command()
@click.argument("config", type=INPUT)
@force_option("run again what is done, after a change of the code itself, which a run cannot know")
@scheduler_option
@output_options
def grid(config: Path, force: bool, scheduler: str | None, output_format: str) -> None:
    """Run models × splits × semantics × seeds from a CONFIG file (TOML); runs that are done are
    skipped.

    \b
    out = "runs/hidden"
    graph = "graph"
    classifiers = "classifiers.safetensors"
    seeds = [0, 1, 2]
    [semantics]
    glosses = "glosses.safetensors"
    [splits.hidden]
    of = "ilsvrc2012"
    hide = 0.2
    [models.eszsl]
    [models.sgcn]
    hidden = 384

    One JSON per run, table.csv with means and standard deviations over seeds, and ranks.csv with
    mean ranks in every metric go to `out`. Interrupt it when you like: the next call goes on.
    branches = 1.0 in a split hides whole branches of the hierarchy in place of single classes, so
    that looking up a sibling answers nothing; the run has the split's structural ratio. With data =
    "folder" in place of classifiers the runs are those of a data set. validation_seeds = [0,
    1, 2] chooses every run's hyper-parameters on other held-out classes too. keep_samples = true
    leaves the samples and the table of classes beside each JSON, as `evaluate model` does. With
    --scheduler every run is a task of a process of Dask.

    \b
    graphzsl evaluate grid hidden.toml
    graphzsl evaluate grid hidden.toml --scheduler local:4
    """
    done, failed = models.run_grid(config, force=force, scheduler=scheduler)
    emit(models.table(models.results(done)), output_format)
    note(
        f"{done.out}: one JSON per run, table.csv; `graphzsl report {done.out}` makes a page of it."
    )
    if failed:
        note(f"{len(failed)} runs failed, e.g. {next(iter(failed))}: {next(iter(failed.values()))}")
        click.get_current_context().exit(1)

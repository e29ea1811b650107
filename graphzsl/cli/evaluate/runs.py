"""``graphzsl evaluate compare`` and ``agreement``: runs against each other."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl import audit
from graphzsl.cli.evaluate.group import command
from graphzsl.cli.options import (
    bootstrap_options,
    length_option,
    option,
    option_requires,
    output_options,
)
from graphzsl.cli.output import emit, note, note_thin_tails
from graphzsl.cli.types import INPUT


@command.command()
@click.argument("runs", type=INPUT, nargs=-1, required=True)
@length_option("right means among the first k", 1)
@click.option(
    "--unpaired",
    is_flag=True,
    help="The runs are of different samples: two-proportion z-test instead.",
)
@bootstrap_options(20_000)
@output_options
def compare(
    runs: tuple[Path, ...],
    k: int,
    unpaired: bool,
    rounds: int,
    level: float,
    seed: int,
    output_format: str,
) -> None:
    """McNemar's test and a paired bootstrap of two RUNS on the same samples; of more runs, every
    two.

    A run is its JSON or its .samples.parquet. `separate` says that the intervals of the two error
    rates do not overlap: ILSVRC's rule with --confidence 0.999. Overlap proves nothing, the paired
    interval of the difference is the sharper test.

    \b
    graphzsl evaluate compare linear.json closest.json
    graphzsl evaluate compare 2013.json 2014.json --unpaired --confidence 0.999
    """
    if len(runs) < 2:
        raise click.UsageError("Give two runs or more.")
    rows, generalized = audit.compare_runs(
        runs, k, unpaired=unpaired, rounds=rounds, level=level, seed=seed
    )
    if generalized:
        note(
            "The runs have samples of seen and of unseen classes: the error rates are of all of"
            " them together, where hit@k of a run is of the unseen ones."
        )
    emit(rows, output_format)
    note_thin_tails(rounds, level)


@command.command()
@click.argument("runs", type=INPUT, nargs=-1, required=True)
@option(
    "--by",
    click.Choice(["per_class", "per_sample"]),
    "per_class",
    "Which mean of a metric orders the runs.",
)
@click.option(
    "--effects", is_flag=True, help="Instead: effect sizes of every two runs under each metric."
)
@output_options
def agreement(runs: tuple[Path, ...], by: str, effects: bool, output_format: str) -> None:
    """Do metrics agree? Rank correlations between the orders in which hit@k, hp@k, mean rank and
    heights put RUNS.

    RUNS are three or more JSON files of the same task; heights and ranks count as good where they
    are small. One Parquet table is compared over its rows: a run's RUN.classes.parquet says whether
    metrics order its classes alike. With --effects: of every two runs the gain of the first under
    each metric, relative and in standard deviations of samples (Cohen's d).

    \b
    graphzsl evaluate agreement eszsl.json devise.json closest.json
    graphzsl evaluate agreement eszsl.classes.parquet
    graphzsl evaluate agreement devise.json softmax.json --effects
    """
    is_table = len(runs) == 1 and runs[0].suffix == ".parquet"
    option_requires("by", "effects", when=not is_table, needs="runs, not a table of classes")
    option_requires("by", when=not effects, needs="rank correlations, without --effects")
    emit(audit.metric_agreement(runs, by, effects=effects), output_format)

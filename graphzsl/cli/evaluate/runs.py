"""``graphzsl evaluate compare`` and ``agreement``: runs against each other."""

from __future__ import annotations

from itertools import combinations
from pathlib import Path
from typing import Any

import click

from graphzsl.cli.evaluate.group import command
from graphzsl.cli.options import bootstrap_options, option, option_requires, output_options
from graphzsl.cli.output import emit, note, note_thin_tails
from graphzsl.cli.types import INPUT, Whole


@command.command()
@click.argument("runs", type=INPUT, nargs=-1, required=True)
@option("-k", Whole(min=1), 1, "Right means: among the first k.")
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
    from graphzsl.metrics import compare_paired, compare_unpaired

    if len(runs) < 2:
        raise click.UsageError("Give two runs or more.")
    results = _check_tasks(runs, unpaired)
    samples = {path: _samples(path) for path in runs}
    right = {path: table["rank"].to_numpy() <= k for path, table in samples.items()}
    rows = []
    for first, second in combinations(runs, 2):
        names = {"first": first.name, "second": second.name}
        if unpaired:
            comparison = compare_unpaired(right[first], right[second], rounds, level, seed)
        else:
            _check_pairs(first, second, samples)
            comparison = compare_paired(right[first], right[second], rounds, level, seed)
        rows.append(names | comparison)
    if any(result.get("generalized") for result in results):
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
    from graphzsl.audit import (
        check_same_task,
        common_values,
        effect_sizes,
        orders,
        rank_correlations,
        read_run,
    )

    is_table = len(runs) == 1 and runs[0].suffix == ".parquet"
    option_requires("by", "effects", when=not is_table, needs="runs, not a table of classes")
    option_requires("by", when=not effects, needs="rank correlations, without --effects")
    if is_table:
        table = _table(runs[0])
        names = [name for name in table.column_names if orders(name)]
        emit(rank_correlations({name: table[name].to_numpy() for name in names}), output_format)
        return
    results = {path.name: read_run(path, deviations=effects) for path in runs}
    check_same_task(results)
    if not effects:
        emit(rank_correlations(common_values(list(results.values()), by)), output_format)
        return
    rows: list[dict[str, Any]] = []
    for (first, one), (second, other) in combinations(results.items(), 2):
        rows += [{"better": first, "than": second} | row for row in effect_sizes(one, other)]
    emit(rows, output_format)


def _samples(path: Path) -> Any:
    """Label and rank of each sample, from a run's JSON or its .samples.parquet."""
    from graphzsl.audit import check_samples, samples_of_run

    if path.suffix != ".json":
        return _table(path, ["label", "rank"])
    result, samples = samples_of_run(path)
    table = _table(samples, ["label", "rank"])
    check_samples(path, result, samples)
    return table


def _check_tasks(runs: tuple[Path, ...], unpaired: bool) -> list[dict[str, Any]]:
    """The results of the runs that are JSON; DataError where two of them say that they are
    different tasks."""
    from graphzsl.audit import check_same_task, read_run

    results = {path.name: read_run(path) for path in runs if path.suffix == ".json"}
    if len(results) > 1 and not unpaired:
        check_same_task(results)
    return list(results.values())


def _table(path: Path, columns: list[str] | None = None) -> Any:

    from graphzsl.common import DataError, read_parquet

    if not path.is_file():
        raise DataError(
            f"{path} does not exist, or is not a file. Expected a run's JSON with its"
            " .samples.parquet beside it."
        )
    try:
        return read_parquet(path, columns or ())
    except DataError:
        wanted = f" with columns {' and '.join(columns)}" if columns else ""
        raise DataError(
            f"{path} is not a Parquet table{wanted}. Expected RUN.json or RUN.samples.parquet."
        ) from None


def _check_pairs(first: Path, second: Path, samples: dict[Path, Any]) -> None:
    from graphzsl.common import DataError

    if samples[first]["label"] != samples[second]["label"]:
        raise DataError(
            f"{first} and {second} are of different samples: they cannot be paired. Compare them"
            " with --unpaired."
        )

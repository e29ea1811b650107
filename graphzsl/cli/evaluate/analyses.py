"""``graphzsl evaluate attribute | relative``: what runs say once they are joined with what is known
about their samples."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphzsl import audit, benchmark, hierarchy
from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.evaluate.group import command
from graphzsl.cli.options import (
    bootstrap_options,
    each_option,
    length_option,
    option,
    option_requires,
    output_options,
    wordnet_option,
)
from graphzsl.cli.output import emit, note, note_thin_tails
from graphzsl.cli.types import INPUT, Written
from graphzsl.sources import write_table


@command.command()
@click.argument("source", type=INPUT)
@click.option(
    "--good-samples",
    type=INPUT,
    help="With a run: `split samples select --flags` of its samples (a CSV with wnid and good).",
)
@click.option(
    "--good-classes",
    shell_complete=NAMED_CLASSES,
    help="With a run: classes with good semantics, a file or a list by name.",
)
@wordnet_option(", with a run")
@option(
    "--per",
    click.Choice(["class", "sample"]),
    "class",
    "With a run: accuracies per class, or per sample as in the paper.",
)
@click.option(
    "--configurations",
    type=Written(".csv"),
    help="With a run: also write its eight accuracies to this file (.csv).",
)
@output_options
def attribute(
    source: Path,
    good_samples: Path | None,
    good_classes: str | None,
    wordnet: Path | str,
    per: str,
    configurations: Path | None,
    output_format: str,
) -> None:
    """Attribute the cost of the flaws of a benchmark, from accuracies with every flaw switched on
    and off.

    SOURCE is a run of `evaluate model` or `audit` (its JSON or .samples.parquet): with
    --good-samples and --good-classes it gives the eight accuracies of Hascoet et al. (2019, section
    4.4). sample: only good samples are asked. semantic: only samples of classes with
    good semantics are. structural: a prediction above or below the true class counts as right. The
    candidates stay the same.

    Or SOURCE is a CSV: one column per factor (0: flawed, 1: good) and last the accuracy, with
    a row for each of the 2^n configurations. `impact` is the mean gain from a factor, `share` the
    impacts scaled to the whole gain.

    \b
    graphzsl evaluate attribute runs/linear.json --good-samples flags.csv \\
      --good-classes primary.txt
    """
    options = (good_samples, good_classes)
    if source.suffix not in (".json", ".parquet"):
        if any(options):
            raise click.UsageError(
                "--good-samples and --good-classes belong to a run, not to a table."
            )
        option_requires("per", "configurations", "wordnet", when=False, needs="a run, not a table")
        emit(benchmark.attribute(*benchmark.read_configurations(source)), output_format)
        return
    if good_samples is None or good_classes is None:
        raise click.UsageError("A run needs --good-samples and --good-classes.")
    rows = _configurations(source, good_samples, good_classes, wordnet, per)
    if configurations:
        columns = (*benchmark.FACTORS, "accuracy")
        write_table(configurations, columns, [[row[name] for name in columns] for row in rows])
        note(f"The eight accuracies are in {configurations}.")
    emit(benchmark.attribute(benchmark.accuracies_of(rows)), output_format)
    good = next(row for row in rows if row["sample"] and row["semantic"])
    note(
        f"{rows[0]['samples']:,} samples, {good['samples']:,} of them good ones of classes with"
        f" good semantics ({good['classes']:,} classes)."
    )


def _configurations(
    run: Path, flags: Path, classes: str, wordnet: Path | str, per: str
) -> list[dict[str, Any]]:
    samples = audit.read_run_samples(run)
    labels = set(samples.labels)
    good = hierarchy.wnids_where_named(classes, labels, argument="classes", among=labels)
    kinds = audit.outcomes(samples.labels, samples.predicted, audit.load_hierarchy(wordnet))
    return benchmark.configurations(
        samples.labels, kinds, benchmark.read_flags(flags, samples.labels), good, per
    )


@command.command()
@click.argument("zero_shot", type=INPUT)
@click.argument("supervised", type=INPUT)
@length_option("right means among the first k", 1)
@each_option()
@bootstrap_options(2000)
@output_options
def relative(
    zero_shot: Path,
    supervised: Path,
    k: int,
    each: bool,
    rounds: int,
    level: float,
    seed: int,
    output_format: str,
) -> None:
    """Accuracy of a ZERO_SHOT run relative to that of a SUPERVISED one on the same samples.

    Both are runs of `evaluate model` or `audit` (their JSON, or .samples.parquet). A sample that a
    supervised model gets wrong says little about zero-shot recognition (Hascoet et al. 2019,
    section 4.3.2). `ratio of means` divides the per-class accuracies; `mean of ratios` leaves out
    classes in which the supervised model is never right. Intervals are from resampled classes; with
    --each, from resampled samples.

    \b
    graphzsl evaluate relative runs/linear.json runs/resnet50.json
    """
    first, second = audit.paired_samples(zero_shot, supervised)
    rows = audit.relative_rows(first.labels, first.rank <= k, second.rank <= k, rounds, level, seed)
    emit(rows if each else audit.relative_means(rows, rounds, level, seed), output_format)
    note_thin_tails(rounds, level)
    lost = sum(row["relative"] is None for row in rows)
    if lost:
        note(
            f"The supervised model is never right in {lost:,} of {len(rows):,} classes: they have"
            " no ratio of their own."
        )

"""``split samples``: which samples are worth asking for, balanced test sets, and samples to tune
on."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl import audit, benchmark
from graphzsl.cli.groups import Group
from graphzsl.cli.options import (
    option,
    out_option,
    output_options,
    per_class_option,
    seed_option,
    wordnet_option,
)
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import INPUT, Folder, Real, Whole, Written
from graphzsl.common import counted


@click.group("samples", cls=Group)
def command() -> None:
    """Select test samples that a supervised model recognises, balance them over classes, split them
    to tune and report.

    \b
    graphzsl split samples select features.npz --out good.npz --flags flags.csv
    graphzsl split samples balance good.npz --per-class 100 --out balanced.npz
    """


@command.command()
@click.argument("features", type=INPUT)
@wordnet_option(", to draw disjoint classes")
@out_option(Written(".npz"), "Features of the kept samples to write (.npz).")
@option("--classes-per-round", Whole(2), 1000, "Disjoint classes per round: none above another.")
@option("--training", Whole(1), 250, "Training samples per class.")
@option("--max-rounds", Whole(1), 50, "Rounds at most.")
@seed_option()
@click.option(
    "--flags",
    type=Written(".csv"),
    help="Also write whether each sample of FEATURES is good, for `evaluate attribute` (.csv).",
)
@output_options
def select(
    features: Path,
    wordnet: Path | str,
    out: Path,
    classes_per_round: int,
    training: int,
    max_rounds: int,
    seed: int,
    flags: Path | None,
    output_format: str,
) -> None:
    """Keep the samples that a linear probe gets right (Hascoet et al. 2019, algorithm 1).

    FEATURES is .npz or .parquet with features [N, D] and a class each; `graphzsl convert` makes it
    from images and published formats. What is done is kept in OUT.state: the same command goes on
    there. Samples never asked (in classes with too few) are dropped and counted.

    \b
    graphzsl split samples select features.npz --out good.npz --flags flags.csv
    """
    row = benchmark.select_samples(
        features,
        out,
        audit.load_hierarchy(wordnet),
        classes_per_round=classes_per_round,
        training=training,
        max_rounds=max_rounds,
        flags=flags,
        seed=seed,
    )
    emit([row], output_format)
    note(f"{row['kept']:,} samples in {out}.")


@command.command()
@click.argument("features", type=INPUT)
@out_option(Written(".npz"), "Features to write (.npz).")
@per_class_option(default=100)
@seed_option()
@output_options
def balance(features: Path, out: Path, per_class: int, seed: int, output_format: str) -> None:
    """Draw the same number of samples for every class at random; classes with fewer are left out
    and named.

    \b
    graphzsl split samples balance features.npz --per-class 100 --out balanced.npz
    """
    row = benchmark.balance_samples(features, out, per_class, seed)
    emit([row], output_format)
    note(f"{row['samples']:,} samples in {out}.")


@command.command()
@click.argument("file", type=INPUT)
@option(
    "--share", Real(0, 1, min_open=True, max_open=True), 0.1, "Share of the samples to tune on."
)
@seed_option()
@out_option(Folder("samples split"), "Folder to write: tuning, report and a manifest.")
@output_options
def split(file: Path, share: float, seed: int, out: Path, output_format: str) -> None:
    """A part of labelled samples to tune on, the rest to report on: seeded, the same share of every
    class.

    FILE is features (.npz, .parquet) or a table of image,wnid lines; the parts have the same form.
    Both parts have the same classes, where these have samples enough, as DeViSE splits the ILSVRC
    validation images 10/90: right for a classifier of those classes, not for choosing a zero-shot
    model.

    \b
    graphzsl split samples split val.npz --share 0.1 --seed 0 --out val-parts
    """
    parts = benchmark.split_samples(file, out, share, seed)
    total = sum(part["samples"] for part in parts.values())
    rows = [
        {"part": name, **part, "share": part["samples"] / total, "seed": seed}
        for name, part in parts.items()
    ]
    emit(rows, output_format)
    without = parts["report"]["classes"] - parts["tuning"]["classes"]
    if without > 0:
        few = counted(without, "class has", "classes have")
        note(f"{few} too few samples for one to tune on: no sample of it is in that part.")
    note(f"The parts are in {out}.")

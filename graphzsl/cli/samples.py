"""``split samples``: which samples are worth asking for, balanced test sets, and samples to tune
on."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.groups import Group
from graphzsl.cli.options import option, out_option, output_options, seed_option, wordnet_option
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
@wordnet_option("The hierarchy, to draw disjoint classes")
@out_option(Written(".npz"), "Features of the kept samples to write (.npz).")
@option("--classes-per-round", Whole(2), 1000, "Disjoint classes per round: none above another.")
@option("--training", Whole(1), 250, "Training samples per class.")
@option("--max-rounds", Whole(1), 50, "Rounds at most.")
@seed_option("Seed of the draws.")
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
    import numpy as np

    from graphzsl.audit import load_hierarchy
    from graphzsl.benchmark import probe_samples, write_flags
    from graphzsl.data import load_samples, save_samples

    hierarchy = load_hierarchy(wordnet)
    samples, state = load_samples(features), out.with_name(out.name + ".state")
    selection = probe_samples(
        samples,
        hierarchy,
        classes_per_round=classes_per_round,
        training=training,
        max_rounds=max_rounds,
        seed=seed,
        state=state,
    )
    rows = np.flatnonzero(selection.good)
    save_samples(samples.rows(rows), out)
    if flags:
        write_flags(flags, samples.labels, selection)
    state.unlink(missing_ok=True)
    kept = {samples.labels[row] for row in rows}
    emit(
        [
            {
                "samples": len(samples.labels),
                "asked": int((selection.probed > 0).sum()),
                "kept": len(rows),
                "classes": len(set(samples.labels)),
                "classes_kept": len(kept),
                "rounds": selection.rounds,
                "never_asked": int((selection.probed == 0).sum()),
                "seed": seed,
            }
        ],
        output_format,
    )
    note(f"{len(rows):,} samples in {out}.")


@command.command()
@click.argument("features", type=INPUT)
@out_option(Written(".npz"), "Features to write (.npz).")
@option("--per-class", Whole(1), 100, "Samples per class.")
@seed_option("Seed of the draw.")
@output_options
def balance(features: Path, out: Path, per_class: int, seed: int, output_format: str) -> None:
    """Draw the same number of samples for every class at random; classes with fewer are left out
    and named.

    \b
    graphzsl split samples balance features.npz --per-class 100 --out balanced.npz
    """
    from graphzsl.benchmark import balanced
    from graphzsl.common import DataError
    from graphzsl.data import load_samples, save_samples

    samples = load_samples(features)
    rows, short = balanced(samples.labels, per_class, seed)
    if not len(rows):
        raise DataError(f"{features}: no class has {per_class} samples.")
    save_samples(samples.rows(rows), out)
    emit(
        [
            {
                "classes": len(rows) // per_class,
                "samples": len(rows),
                "classes_left_out": len(short),
                "left_out": short,
                "seed": seed,
            }
        ],
        output_format,
    )
    note(f"{len(rows):,} samples in {out}.")


@command.command()
@click.argument("file", type=INPUT)
@option(
    "--share", Real(0, 1, min_open=True, max_open=True), 0.1, "Share of the samples to tune on."
)
@seed_option("Seed of the draw.")
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
    from graphzsl.benchmark import split_samples

    parts = split_samples(file, out, share, seed)
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

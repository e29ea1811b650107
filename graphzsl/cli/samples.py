"""``graphzsl samples``: which samples are worth asking for, and balanced test sets."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.common import INPUT, OUTPUT, emit, note, output_options


@click.group()
def command() -> None:
    """Select test samples that a supervised model recognises, and balance them over classes."""


@command.command()
@click.argument("features", type=INPUT)
@click.option("--hierarchy", type=INPUT, required=True, help="Folder of `graphzsl export subgraph --whole`.")
@click.option("--out", type=OUTPUT, required=True, help="Features of the kept samples to write (.npz).")
@click.option(
    "--classes",
    "classes_per_round",
    type=click.IntRange(2),
    default=1000,
    show_default=True,
    help="Unrelated classes of a round.",
)
@click.option("--training", type=click.IntRange(1), default=250, show_default=True, help="Training samples a class.")
@click.option("--max-rounds", type=click.IntRange(1), default=50, show_default=True, help="Rounds at most.")
@click.option("--seed", default=0, show_default=True, help="Seed of the draws.")
@output_options
def select(
    features: Path,
    hierarchy: Path,
    out: Path,
    classes_per_round: int,
    training: int,
    max_rounds: int,
    seed: int,
    output_format: str | None,
) -> None:
    """Keep the samples that a linear probe gets right (Hascoet et al. 2019, algorithm 1).

    FEATURES is .npz or .parquet with features [N, D] and a class each; `graphzsl convert` makes it from images and published formats. What is
    done is kept in OUT.state: the same command goes on there. Samples never asked (in classes with too few) are dropped and counted.
    """
    import numpy as np

    from graphzsl.benchmark.samples import judge_samples
    from graphzsl.features.samples import Samples, load_samples, save_samples
    from graphzsl.subgraph import Subgraph

    dag = Subgraph.load(hierarchy).dag
    samples, state = load_samples(features), out.with_name(out.name + ".state")
    found = judge_samples(
        samples,
        dag,
        classes_per_round=classes_per_round,
        training=training,
        max_rounds=max_rounds,
        seed=seed,
        state=state,
    )
    rows = np.flatnonzero(found.good)
    save_samples(Samples(samples.features[rows], [samples.labels[row] for row in rows], samples.facts), out)
    state.unlink(missing_ok=True)
    kept = {samples.labels[row] for row in rows}
    emit(
        [{"samples": len(samples.labels), "asked": int((found.asked > 0).sum()), "kept": len(rows), "classes": len(set(samples.labels)),
          "classes_kept": len(kept), "rounds": found.rounds, "never_asked": int((found.asked == 0).sum()), "seed": seed}],
        output_format,
    )  # fmt: skip
    note(f"{len(rows):,} samples in {out}.")


@command.command()
@click.argument("features", type=INPUT)
@click.option("--out", type=OUTPUT, required=True, help="Features to write (.npz).")
@click.option("--per-class", type=click.IntRange(1), default=100, show_default=True, help="Samples a class.")
@click.option("--seed", default=0, show_default=True, help="Seed of the draw.")
@output_options
def balance(features: Path, out: Path, per_class: int, seed: int, output_format: str | None) -> None:
    """The same number of samples for every class, drawn at random; classes with fewer are left out and named."""
    from graphzsl.benchmark.samples import balanced
    from graphzsl.errors import DataError
    from graphzsl.features.samples import Samples, load_samples, save_samples

    samples = load_samples(features)
    rows, short = balanced(samples.labels, per_class, seed)
    if not len(rows):
        raise DataError(f"{features}: no class has {per_class} samples.")
    save_samples(Samples(samples.features[rows], [samples.labels[row] for row in rows], samples.facts), out)
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

"""``graphzsl evaluate``: one JSON a run."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.common import INPUT, OUTPUT, emit, note, output_options


@click.command()
@click.argument("model", type=INPUT)
@click.option("--features", type=INPUT, help="Samples: .npz with features [N, D] and wnids [N].")
@click.option(
    "--center-features", is_flag=True, help="Subtract the mean of the training classes' samples in that file."
)
@click.option(
    "--classifiers", type=INPUT, help="Instead: ask for each class with its true classifier row in this file."
)
@click.option(
    "--classes", type=INPUT, help="File of wnids: only samples of these classes, and only they are candidates."
)
@click.option("--hcorrect", type=INPUT, help="Folder of `graphzsl export hcorrect`: adds hp@k.")
@click.option("--rounds", default=2000, show_default=True, help="Bootstrap rounds.")
@click.option("--level", default=0.95, show_default=True, help="Level of the intervals.")
@click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap.")
@click.option("--out", type=OUTPUT, required=True, help="The JSON file to write.")
@output_options
def command(
    model: Path, features: Path | None, center_features: bool, classifiers: Path | None, classes: Path | None,
    hcorrect: Path | None, rounds: int, level: float, seed: int, out: Path, output_format: str | None,
) -> None:  # fmt: skip
    """Score MODEL: a folder of `graphzsl train`, or a file of classifiers.

    hit@k counts ties against the model; per-class means are the headline. Scores are computed in blocks.
    """
    from graphzsl.class_matrix import CLASSIFIERS, ClassMatrix
    from graphzsl.evaluation import evaluate, load_hcorrect
    from graphzsl.features.samples import class_samples, load_samples
    from graphzsl.files import sha256_text, write_json
    from graphzsl.models.head import load_head
    from graphzsl.models.task import Targets
    from graphzsl.sources.imagenet import read_class_list

    if (features is None) == (classifiers is None):
        raise click.UsageError("Give either --features or --classifiers.")
    head, facts = load_head(model)
    wanted = [wnid for _, wnid in read_class_list(classes)] if classes else None
    if wanted:
        head = head.select(wanted)
    if classifiers:
        rows = ClassMatrix.load(classifiers, CLASSIFIERS)
        samples = class_samples(rows, wanted or head.wnids, Targets.of(rows.rows(facts["train"])))
    else:
        assert features
        samples = load_samples(features)
        if center_features:
            samples = samples.centred_on(facts["train"])
        samples = samples.of(wanted or [wnid for wnid in head.wnids if wnid in set(samples.labels)])
    sets, hcorrect_facts = load_hcorrect(hcorrect) if hcorrect else ({}, {})
    provenance = {key: facts.get(key) for key in ("model", "options", "seed", "semantics", "classifiers", "graph")}
    for key in ("train", "candidates"):
        wnids = facts.get(key) or head.wnids
        provenance[key] = {"classes": len(wnids), "sha256": sha256_text("\n".join(wnids))}
    provenance["hcorrect"] = {key: hcorrect_facts.get(key) for key in ("valid", "hierarchy", "queries")}
    result = evaluate(head, samples, sets, rounds=rounds, level=level, seed=seed, provenance=provenance, run=out.stem)
    write_json(out, result)
    emit(
        ({"metric": name, **{key: value[key] for key in ("per_class", "per_sample")}, "interval": value["per_class_interval"]}
         for name, value in result["metrics"].items()),
        output_format,
    )  # fmt: skip
    note(
        f"{result['samples']:,} samples of {result['classes']:,} classes, {result['candidates']:,} candidates; in {out}."
    )

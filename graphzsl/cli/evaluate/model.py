"""``graphzsl evaluate model | words``: what a trained model predicts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl import audit, models
from graphzsl.cli.evaluate.group import command
from graphzsl.cli.evaluate.options import (
    check_valid_set,
    evaluated,
    evaluation_options,
    sample_options,
    simulated_option,
)
from graphzsl.cli.evaluate.part import evaluated_when_merged, save_shard, shard_option
from graphzsl.cli.options import (
    classes_option,
    data_option,
    features_option,
    generalized_option,
    graph_option,
    missing_option,
    option,
    option_requires,
    scheduler_option,
    test_option,
    vectors_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import INPUT
from graphzsl.common import ModelError

if TYPE_CHECKING:
    from graphzsl.audit import Part


@command.command()
@click.argument("model", type=INPUT)
@sample_options
@data_option("its test samples are scored, in place of --features and --classifiers")
@test_option("which list of the data set (default: the first)", shell_complete=None)
@generalized_option("with --data, whose samples of seen classes count then")
@classes_option("only their samples count, and only they are candidates")
@missing_option(
    "samples whose class is not a candidate are an error, or misses; those of a --features file are"
    " left out, which stderr says, unless they are misses"
)
@simulated_option
@shard_option
@scheduler_option
@evaluation_options()
def model(
    model: Path,
    features: Path | None,
    center_features: bool,
    classifiers: Path | None,
    data: Path | None,
    test: str | None,
    generalized: bool,
    classes: Path | None,
    missing: str,
    simulated: bool,
    shard: Part | None,
    scheduler: str | None,
    out: Path,
    output_format: str,
    **against: Any,
) -> None:
    """Score MODEL: a folder of `graphzsl train`, or a file of classifiers.

    With --classifiers the candidates must be unseen classes: the row of a training class was
    trained on, so it is not a test sample. With --shard 2/8 a second eighth of the samples is
    scored, here or on another machine; `evaluate merge` makes the run of all eight. With
    --scheduler processes of Dask score the parts.

    \b
    graphzsl evaluate model linear --classifiers classifiers.safetensors \\
      --out runs/linear.json
    graphzsl evaluate model eszsl --data awa2 --generalized --out runs/awa2.json
    """
    if sum(each is not None for each in (features, classifiers, data)) != 1:
        raise click.UsageError("Give one of --features, --classifiers and --data.")
    option_requires("center_features", when=features, needs="--features")
    option_requires("test", "generalized", when=data, needs="--data")
    evaluated_when_merged(shard)
    option_requires("scheduler", when=shard is None, needs="the command without --shard")
    check_valid_set(against)
    scoring = models.Scoring(
        model,
        features,
        classifiers,
        data,
        test,
        generalized,
        classes,
        missing,
        center_features,
        simulated,
    )
    loaded = scoring.load(shard, nothing=scheduler is not None)
    if center_features and loaded.model.takes_raw_features:
        note("--center-features changes nothing: the model takes features as they are.")
    if shard is not None:
        save_shard(loaded.shard(shard), out, output_format)
        return
    predictions = (
        loaded.predictions() if scheduler is None else models.by_scheduler(loaded, scheduler)
    )
    evaluated(predictions, loaded.manifest, loaded.train, out, output_format, **against)


@command.command()
@click.argument("model", type=INPUT)
@features_option(required=True)
@vectors_option("those that the model's class embeddings were made of", required=True)
@graph_option("the words of the candidates", required=True)
@option(
    "--expand",
    click.Choice(["all", "one"]),
    "all",
    "Every synset of a word, or a seeded random one.",
)
@click.option(
    "--strict",
    is_flag=True,
    help=(
        "Retrieve four times as many words as a list is long, and no more, even where fewer synsets"
        " come of them."
    ),
)
@evaluation_options()
def words(
    model: Path,
    features: Path,
    vectors: Path,
    graph: Path,
    expand: str,
    strict: bool,
    out: Path,
    output_format: str,
    **against: Any,
) -> None:
    """DeViSE's retrieval: MODEL maps samples to word vectors, the nearest words are expanded to
    their synsets. A list is as long as the largest -k (default: 20), and four times as many words
    are retrieved.

    The samples are those of the model's candidates in the file. Samples that it learned from, or
    was chosen with, are refused.

    \b
    graphzsl evaluate words devise --features test.npz --vectors vectors.bin \\
      --graph graph --out runs/words.json
    """
    from graphzsl.data import Subgraph, load_test_samples, read_vectors

    check_valid_set(against)
    trained, manifest = models.load_model(model)
    train = manifest.get("train") or []
    samples = load_test_samples(features, manifest, train, trained.wnids)
    terms = audit.Terms.from_graph(Subgraph.load(graph), read_vectors(vectors), trained.wnids)
    if trained.semantic_scaling is None:
        raise ModelError(
            f"{model} holds classifiers alone: it does not map samples to class embeddings."
        )
    scaled = audit.Terms(terms.words, trained.semantic_scaling(terms.vectors), terms.synsets)
    length = max(against["k"] or (20,))
    lists = audit.retrieve(
        trained.embed(trained.features(samples)),
        scaled,
        length,
        expand=expand,
        strict=strict,
        seed=against["seed"],
    )
    predictions = audit.as_predictions(lists, samples.labels, trained.wnids, length, train)
    evaluated(predictions, manifest, train, out, output_format, **against)

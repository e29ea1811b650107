"""``graphzsl evaluate``: one model, predictions from outside, a grid of runs, or two runs against
each other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from graphzsl.cli.common import INPUT, effective, emit, note, output_options
from graphzsl.cli.evaluate.group import command
from graphzsl.cli.intervals import bootstrap_options, note_thin_tails
from graphzsl.cli.paths import Written, wordnet_option


def _judging(function: Callable[..., None]) -> Callable[..., None]:
    """Options that every judged run takes."""
    for option in reversed(
        [
            wordnet_option(
                "For parents and children, lowest common ancestors, hp@k, groups by hops and"
                " population",
                default=None,
            ),
            click.option(
                "--hcorrect",
                type=INPUT,
                help="Folder of `graphzsl export hcorrect`: its hCorrectSets for hp@k.",
            ),
            click.option(
                "--valid",
                help=(
                    "Valid set of hp@k: a file of classes, or devise: candidates and training"
                    " classes (default: the candidates)."
                ),
            ),
            bootstrap_options(2000),
            click.option(
                "--out",
                type=Written(".json", kind="evaluation"),
                required=True,
                help=(
                    "The JSON file to write; RUN.samples.parquet and RUN.classes.parquet go"
                    " beside it."
                ),
            ),
            click.option(
                "--classes-table",
                type=Written(".parquet", ".csv"),
                help=(
                    "Where the table of classes goes instead of RUN.classes.parquet (.parquet or"
                    " .csv)."
                ),
            ),
            output_options,
        ]
    ):
        function = option(function)
    return function


def asking(function: Callable[..., Any]) -> Callable[..., Any]:
    """The options that say what models are asked with."""
    for option in reversed(
        [
            click.option(
                "--features",
                type=INPUT,
                help="Samples: .npz or .parquet with features [N, D] and wnids [N].",
            ),
            click.option(
                "--center-features",
                is_flag=True,
                help="Subtract the mean of the training classes' samples in that file.",
            ),
            click.option(
                "--classifiers",
                type=INPUT,
                help="Instead: ask for each class with its true classifier row in this file.",
            ),
        ]
    ):
        function = option(function)
    return function


@command.command()
@click.argument("model", type=INPUT)
@asking
@click.option(
    "--data", type=INPUT, help="Instead: the test samples of a data set (see `graphzsl convert`)."
)
@click.option("--test", help="Which test classes of the data set.")
@click.option(
    "--generalized",
    "--generalised",
    "generalized",
    is_flag=True,
    help="With --data: samples of seen classes too, all classes as candidates.",
)
@click.option(
    "--classes",
    type=INPUT,
    help="File of classes: only their samples, and only they are candidates.",
)
@click.option(
    "--missing",
    type=click.Choice(["error", "miss"]),
    default="error",
    show_default=True,
    help="A sample whose class is no candidate.",
)
@_judging
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
    out: Path,
    output_format: str | None,
    **against: Any,
) -> None:
    """Score MODEL: a folder of `graphzsl train`, or a file of classifiers.

    With --classifiers the candidates must be unseen classes: the row of a training class was
    trained on, so it is no test sample.

    \b
    graphzsl evaluate model linear --classifiers classifiers.safetensors \\
      --wordnet wordnet --out runs/linear.json
    graphzsl evaluate model eszsl --data awa2 --generalized --out runs/awa2.json
    """
    from graphzsl.data.dataset import ZeroShotDataset
    from graphzsl.data.samples import load_test_samples
    from graphzsl.evaluation.predict import predict
    from graphzsl.models.base.class_samples import class_row_samples
    from graphzsl.models.base.zero_shot_model import load_model
    from graphzsl.sources.imagenet import read_names

    if sum(each is not None for each in (features, classifiers, data)) != 1:
        raise click.UsageError("Give one of --features, --classifiers and --data.")
    effective("center_features", when=features, needs="--features")
    effective("test", "generalized", when=data, needs="--data")
    _check_valid(against)
    head, facts = load_model(model)
    train = facts.get("train") or []
    wanted = read_names(classes) if classes else None
    if wanted:
        head = head.select(wanted)
    if classifiers:
        _refuse_trained(head.wnids, train)
        samples = class_row_samples(classifiers, train, head.wnids)
    elif data:
        samples = ZeroShotDataset.load(data).test_samples(test, generalized)
    else:
        assert features
        is_miss = missing == "miss"
        samples = load_test_samples(
            features, facts, train, None if is_miss else head.wnids, centred=center_features
        )
        if wanted and not is_miss:
            samples = samples.select(wanted)
    predictions = predict(head, samples, train, missing=missing)
    _judged(predictions, facts, train, out, output_format, **against)


@command.command()
@click.argument("predictions", type=INPUT)
@click.option(
    "--candidates",
    help=(
        "What the classifier chooses from: a file of classes, or a list by name, e.g. ilsvrc2012"
        " (default: the names in a table)."
    ),
)
@click.option(
    "--numbered",
    is_flag=True,
    help="Classes in a table are positions from 0 in the candidates, as networks number them.",
)
@click.option(
    "--train",
    help=(
        "Training classes, a file or a list by name: for groups by hops, and the generalized"
        " setting."
    ),
)
@click.option("--name", help="What to call the classifier (default: the file's name).")
@click.option(
    "--simulated", is_flag=True, help="Say in the result that the predictions are simulated."
)
@click.option(
    "--missing",
    type=click.Choice(["error", "miss"]),
    default="error",
    show_default=True,
    help="A sample whose class is no candidate.",
)
@_judging
def audit(
    predictions: Path,
    candidates: str | None,
    numbered: bool,
    train: str | None,
    name: str | None,
    simulated: bool,
    missing: str,
    out: Path,
    output_format: str | None,
    **against: Any,
) -> None:
    """Evaluate any classifier by its PREDICTIONS: a CLIP model, a softmax network, anything.

    \b
    .npz     scores [N, C], classes [C], labels [N]: names, or positions of them
    a table  the true class, then the predicted ones, best first; comma or tab
    a table with a header (none of its cells is a class)
             columns label (or true, truth, target, wnid) and top1, top2, …
             (or prediction, pred, first, second, …); others are skipped

    \b
    graphzsl evaluate audit clip.csv --wordnet wordnet --train ilsvrc2012 \\
      --out clip.json
    """
    from dataclasses import replace

    from graphzsl.evaluation.prediction_files import read_predictions
    from graphzsl.sources.imagenet import named_classes

    if numbered and not candidates:
        raise click.UsageError("--numbered needs --candidates: what the numbers count.")
    effective("numbered", when=predictions.suffix != ".npz", needs="a table of predictions")
    _check_valid(against)
    seen = named_classes(train) if train else []
    found = read_predictions(
        predictions, named_classes(candidates) if candidates else None, seen, numbered, missing
    )
    found = replace(found, metadata={**found.metadata, "simulated": simulated})
    _judged(found, {"model": name or predictions.stem}, seen, out, output_format, **against)


@command.command()
@click.argument("model", type=INPUT)
@click.option(
    "--features",
    type=INPUT,
    required=True,
    help="Samples: .npz or .parquet with features [N, D] and wnids [N].",
)
@click.option(
    "--vectors",
    type=INPUT,
    required=True,
    help="Word vectors that the model's class embeddings were made of.",
)
@click.option(
    "--graph",
    type=INPUT,
    required=True,
    help="Folder of `graphzsl export subgraph`: the words of the candidates.",
)
@click.option(
    "-k",
    type=click.IntRange(min=1),
    default=20,
    show_default=True,
    help="Synsets in a list; N = 4k words are retrieved.",
)
@click.option(
    "--expand",
    type=click.Choice(["all", "one"]),
    default="all",
    show_default=True,
    help="Every synset of a word, or a seeded random one.",
)
@click.option(
    "--strict", is_flag=True, help="Keep N = 4k even where fewer than k synsets come of it."
)
@_judging
def words(
    model: Path,
    features: Path,
    vectors: Path,
    graph: Path,
    k: int,
    expand: str,
    strict: bool,
    out: Path,
    output_format: str | None,
    **against: Any,
) -> None:
    """DeViSE's retrieval: MODEL maps samples to word vectors, the nearest words are expanded to
    their synsets.

    The samples are those of the model's candidates in the file. Samples that it learned from, or
    was chosen with, are refused.

    \b
    graphzsl evaluate words devise --features test.npz --vectors vectors.bin \\
      --graph graph --out runs/words.json
    """
    from graphzsl.data.samples import load_test_samples
    from graphzsl.data.subgraph import Subgraph
    from graphzsl.errors import ModelError
    from graphzsl.evaluation.retrieval import Terms, as_predictions, retrieve
    from graphzsl.models.base.zero_shot_model import load_model
    from graphzsl.semantics.vectors import read_vectors

    _check_valid(against)
    head, facts = load_model(model)
    train = facts.get("train") or []
    samples = load_test_samples(features, facts, train, head.wnids)
    terms = Terms.from_graph(Subgraph.load(graph), read_vectors(vectors), head.wnids)
    if head.semantic_scaling is None:
        raise ModelError(
            f"{model} holds classifiers alone: it does not map samples to class embeddings."
        )
    scaled = Terms(terms.words, head.semantic_scaling(terms.vectors), terms.synsets)
    lists = retrieve(
        head.embed(samples.features), scaled, k, expand=expand, strict=strict, seed=against["seed"]
    )
    found = as_predictions(lists, samples.labels, head.wnids, k, train)
    _judged(found, facts, train, out, output_format, **against)


@command.command()
@click.argument("config", type=INPUT)
@click.option("--force", is_flag=True, help="Run again what is done.")
@output_options
def grid(config: Path, force: bool, output_format: str | None) -> None:
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

    One JSON per run, table.csv with means and standard deviations over seeds, and friedman.csv with
    mean ranks of every metric go to `out`. Interrupt it when you like: the next call goes on. With
    data = "folder" in place of classifiers the runs are those of a data set. validation_seeds = [0,
    1, 2] chooses every run's hyper-parameters on other held-out classes too. keep_samples = true
    leaves the samples and the table of classes beside each JSON, as `evaluate model` does.

    \b
    graphzsl evaluate grid hidden.toml
    """
    from graphzsl.evaluation.grid import results, run_grid
    from graphzsl.evaluation.grid_tables import table

    found, failed = run_grid(config, force=force)
    emit(table(results(found)), output_format)
    note(
        f"{found.out}: one JSON a run, table.csv; `graphzsl report {found.out}` makes a page of it."
    )
    if failed:
        note(f"{len(failed)} runs failed, e.g. {next(iter(failed))}: {next(iter(failed.values()))}")
        click.get_current_context().exit(1)


def _check_valid(against: dict[str, Any], train: list[str] | None = None) -> None:
    """The library's check of the valid set, with the name of the option."""
    from graphzsl.errors import DataError
    from graphzsl.evaluation.evaluated_run import check_valid_set

    try:
        check_valid_set(against["valid"], against["wordnet"], against["hcorrect"], train)
    except DataError as error:
        raise click.UsageError(f"--valid: {error}") from None


def _refuse_trained(candidates: list[str], train: list[str]) -> None:
    from graphzsl.errors import ModelError

    trained = sorted(set(train).intersection(candidates))
    if trained:
        raise ModelError(
            f"{trained[0]} is a training class and a candidate ({len(trained):,} such classes): the"
            " model was trained on its classifier row, which is no test sample. Give --features"
            " with held-out samples, or --classes FILE with unseen classes only."
        )


def _judged(
    predictions: Any,
    facts: dict[str, Any],
    train: list[str],
    out: Path,
    output_format: str | None,
    *,
    wordnet: Path | str | None,
    hcorrect: Path | None,
    valid: str | None,
    rounds: int,
    level: float,
    seed: int,
    classes_table: Path | None = None,
) -> None:
    from graphzsl.evaluation.evaluated_run import DEVISE, evaluate_run, load_hierarchy
    from graphzsl.sources.imagenet import read_names

    graph = load_hierarchy(wordnet) if wordnet else None
    _check_valid({"valid": valid, "wordnet": graph, "hcorrect": hcorrect}, train)
    judged = evaluate_run(
        predictions,
        facts,
        train,
        hierarchy=graph,
        hcorrect=hcorrect,
        valid=read_names(Path(valid)) if valid and valid != DEVISE else valid,
        rounds=rounds,
        level=level,
        seed=seed,
    )
    judged.write(out, classes_table)
    result = judged.result
    rows = _rows(result)
    tied = any("expected" in row for row in rows)
    ties = ["expected", "tied"] if tied else []
    emit(rows, output_format, ["metric", "per_class", "per_sample", "interval", *ties])
    if tied:
        note(
            f"{result['ties'].capitalize()}. `expected` is the per-class mean under random order,"
            " `tied` the share of samples it changes."
        )
    note_thin_tails(rounds, level)
    note(
        f"{result['samples']:,} samples of {result['classes']:,} classes, {result['candidates']:,}"
        f" candidates; in {out}."
    )


def _rows(result: dict[str, Any]) -> list[dict[str, Any]]:
    from graphzsl.metrics.ranking import EXPECTED

    rows = [_row(name, value) for name, value in result["metrics"].items()]
    if "semantic_interval" in result:
        ends = {"from": 0, "to": 1}
        rows += [
            _row(f"semantic accuracy {end}", result["semantic_interval"], at)
            for end, at in ends.items()
        ]
    generalized = result.get("generalized", {})
    if "hit@1" in generalized:
        rows += [
            _row(f"generalized {name}", generalized["hit@1"], name) for name in ("ts", "tr", "h")
        ]
    if "ausuc" in generalized:
        row = {"metric": "generalized ausuc", "per_class": generalized["ausuc"]}
        rows.append(
            row | ({"expected": generalized[EXPECTED]["ausuc"]} if EXPECTED in generalized else {})
        )
    for kind, groups in result.get("groups", {}).items():
        unit = "hops" if kind == "hops" else ""
        for group in groups:
            row = {"metric": f"hit@1, {group['group']} {unit}".strip(), "per_class": group["hit@1"]}
            expected = group.get(EXPECTED, {})
            rows.append(row | ({"expected": expected["hit@1"]} if "hit@1" in expected else {}))
    return rows


def _row(name: str, value: dict[str, Any], part: int | str | None = None) -> dict[str, Any]:
    """A metric, or a ``part`` of its values; `expected` and `tied` where ties decide it."""
    from graphzsl.metrics.ranking import EXPECTED

    def picked(each: dict[str, Any], kind: str) -> Any:
        return each[kind] if part is None else each[kind][part]

    row = {"metric": name} | {kind: picked(value, kind) for kind in ("per_class", "per_sample")}
    if "per_class_interval" in value:
        row["interval"] = value["per_class_interval"]
    if EXPECTED in value:
        row["expected"] = picked(value[EXPECTED], "per_class")
    if "tied_samples" in value.get(EXPECTED, {}):
        row["tied"] = value[EXPECTED]["tied_samples"]
    return row

"""``graphzsl evaluate``: one model, predictions from outside, a grid of runs, or two runs against each other."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from graphzsl.cli.common import INPUT, OUTPUT, emit, note, output_options


@click.group()
def command() -> None:
    """Score a model, predictions from outside, or a grid of runs; compare two runs.

    One evaluation for all of them: hit@k (ties count against the model), hp@k, parents and children, lowest common ancestors, groups by
    hops and population, and ts, tr, H and the seen-unseen curve where training classes are candidates. Per-class means are the headline.
    """


def _judging(function: Callable[..., None]) -> Callable[..., None]:
    """Options that every judged run takes."""
    for option in reversed(
        [
            click.option(
                "--hierarchy",
                type=INPUT,
                help="Folder of `graphzsl export subgraph --whole`: parents and children, lowest common ancestors, hp@k, groups by hops and population.",
            ),
            click.option(
                "--hcorrect", type=INPUT, help="Folder of `graphzsl export hcorrect`: its hCorrectSets for hp@k."
            ),
            click.option(
                "--valid",
                help="Valid set of hp@k: a file of classes, or devise: candidates and training classes (default: the candidates).",
            ),
            click.option("--rounds", default=2000, show_default=True, help="Bootstrap rounds."),
            click.option("--level", default=0.95, show_default=True, help="Level of the intervals."),
            click.option("--seed", default=0, show_default=True, help="Seed of the bootstrap."),
            click.option(
                "--out",
                type=OUTPUT,
                required=True,
                help="The JSON file to write; RUN.samples.parquet and RUN.classes.parquet go beside it.",
            ),
            click.option(
                "--classes-table",
                type=OUTPUT,
                help="Where the table of classes goes instead of RUN.classes.parquet (.parquet or .csv).",
            ),
            output_options,
        ]
    ):
        function = option(function)
    return function


@command.command()
@click.argument("model", type=INPUT)
@click.option("--features", type=INPUT, help="Samples: .npz or .parquet with features [N, D] and wnids [N].")
@click.option(
    "--center-features", is_flag=True, help="Subtract the mean of the training classes' samples in that file."
)
@click.option(
    "--classifiers", type=INPUT, help="Instead: ask for each class with its true classifier row in this file."
)
@click.option("--data", type=INPUT, help="Instead: the test samples of a data set (see `graphzsl convert`).")
@click.option("--test", help="Which test classes of the data set.")
@click.option(
    "--generalised", is_flag=True, help="With --data: samples of seen classes too, all classes as candidates."
)
@click.option("--classes", type=INPUT, help="File of classes: only their samples, and only they are candidates.")
@click.option(
    "--missing",
    type=click.Choice(["error", "miss"]),
    default="error",
    show_default=True,
    help="A sample whose class is no candidate.",
)
@_judging
def model(
    model: Path, features: Path | None, center_features: bool, classifiers: Path | None, data: Path | None, test: str | None,
    generalised: bool, classes: Path | None, missing: str, out: Path, output_format: str | None, **against: Any,
) -> None:  # fmt: skip
    """Score MODEL: a folder of `graphzsl train`, or a file of classifiers."""
    from graphzsl.class_matrix import CLASSIFIERS, ClassMatrix
    from graphzsl.features.dataset import Dataset
    from graphzsl.features.samples import class_samples, load_samples
    from graphzsl.models.head import load_head
    from graphzsl.models.task import Targets
    from graphzsl.predictions import predict
    from graphzsl.sources.imagenet import read_names

    if sum(each is not None for each in (features, classifiers, data)) != 1:
        raise click.UsageError("Give one of --features, --classifiers and --data.")
    head, facts = load_head(model)
    train = facts.get("train") or []
    wanted = read_names(classes) if classes else None
    if wanted:
        head = head.select(wanted)
    if classifiers:
        rows = ClassMatrix.load(classifiers, CLASSIFIERS)
        samples = class_samples(rows, wanted or head.wnids, Targets.of(rows.rows(train)))
    elif data:
        samples = Dataset.load(data).asked(test, generalised)
    else:
        assert features
        samples = load_samples(features)
        samples = samples.centred_on(train) if center_features else samples
        if missing == "error":
            samples = samples.of(wanted or [name for name in head.wnids if name in set(samples.labels)])
    predictions = predict(head, samples, train, missing=missing)
    _judged(predictions, facts, train, out, output_format, **against)


@command.command()
@click.argument("predictions", type=INPUT)
@click.option(
    "--candidates",
    help="What the classifier chooses from: a file of classes, or a list by name, e.g. ilsvrc2012 (default: the names in a table).",
)
@click.option(
    "--numbered",
    is_flag=True,
    help="Classes in a table are positions from 0 in the candidates, as networks number them.",
)
@click.option(
    "--train", help="Training classes, a file or a list by name: for groups by hops, and the generalised setting."
)
@click.option("--name", help="What to call the classifier (default: the file's name).")
@click.option("--simulated", is_flag=True, help="Say in the result that the predictions are simulated.")
@_judging
def audit(
    predictions: Path, candidates: str | None, numbered: bool, train: str | None, name: str | None, simulated: bool, out: Path,
    output_format: str | None, **against: Any,
) -> None:  # fmt: skip
    """Judge any classifier by its PREDICTIONS: a CLIP model, a softmax network, anything.

    \b
    .npz      scores [N, C], classes [C], labels [N]
    a table   the true class, then the predicted ones, best first; comma or tab; a header that starts with `label` is skipped

    \b
    graphzsl export subgraph --whole --out wordnet
    graphzsl evaluate audit clip.csv --hierarchy wordnet --train ilsvrc2012 --out clip.json
    """
    from dataclasses import replace

    from graphzsl.predictions import read_predictions
    from graphzsl.sources.imagenet import named_classes

    if numbered and not candidates:
        raise click.UsageError("--numbered needs --candidates: what the numbers count.")
    seen = named_classes(train) if train else []
    found = read_predictions(predictions, named_classes(candidates) if candidates else None, seen, numbered)
    found = replace(found, facts={**found.facts, "simulated": simulated})
    _judged(found, {"model": name or predictions.stem}, seen, out, output_format, **against)


@command.command()
@click.argument("model", type=INPUT)
@click.option(
    "--features", type=INPUT, required=True, help="Samples: .npz or .parquet with features [N, D] and wnids [N]."
)
@click.option(
    "--vectors", type=INPUT, required=True, help="Word vectors that the model's class embeddings were made of."
)
@click.option(
    "--graph", type=INPUT, required=True, help="Folder of `graphzsl export subgraph`: the words of the candidates."
)
@click.option("-k", default=20, show_default=True, help="Synsets in a list; N = 4k words are retrieved.")
@click.option(
    "--expand",
    type=click.Choice(["all", "one"]),
    default="all",
    show_default=True,
    help="Every synset of a word, or a seeded random one.",
)
@click.option("--strict", is_flag=True, help="Keep N = 4k even where fewer than k synsets come of it.")
@_judging
def words(
    model: Path, features: Path, vectors: Path, graph: Path, k: int, expand: str, strict: bool, out: Path, output_format: str | None,
    **against: Any,
) -> None:  # fmt: skip
    """DeViSE's retrieval: MODEL maps samples to word vectors, the nearest words are expanded to their synsets."""
    from graphzsl.errors import ModelError
    from graphzsl.features.samples import load_samples
    from graphzsl.models.head import load_head
    from graphzsl.retrieval import Terms, as_predictions, retrieve
    from graphzsl.semantics.vectors import read_vectors
    from graphzsl.subgraph import Subgraph

    head, facts = load_head(model)
    samples = load_samples(features)
    samples = samples.of([name for name in head.wnids if name in set(samples.labels)])
    terms = Terms.of(Subgraph.load(graph), read_vectors(vectors), head.wnids)
    if head.semantic_scaling is None:
        raise ModelError(f"{model} holds classifiers alone: it does not map samples to class embeddings.")
    scaled = Terms(terms.words, head.semantic_scaling(terms.vectors), terms.synsets)
    lists = retrieve(head.embed(samples.features), scaled, k, expand=expand, strict=strict, seed=against["seed"])
    found = as_predictions(lists, samples.labels, head.wnids, k)
    _judged(found, facts, facts.get("train") or [], out, output_format, **against)


@command.command()
@click.argument("config", type=INPUT)
@click.option("--force", is_flag=True, help="Run again what is done.")
@output_options
def grid(config: Path, force: bool, output_format: str | None) -> None:
    """Run models × splits × semantics × seeds from a CONFIG file (TOML); runs that are done are skipped.

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

    One JSON per run, table.csv with means and standard deviations over seeds, and friedman.csv with mean ranks of every metric go
    to `out`. Interrupt it when you like: the next call goes on. With data = "folder" in place of classifiers the runs are those of a
    data set. validation_seeds = [0, 1, 2] chooses every run's hyper-parameters on other held-out classes too.
    """
    from graphzsl.experiment_tables import table
    from graphzsl.experiments import results, run_grid

    found, failed = run_grid(config, force=force)
    emit(table(results(found)), output_format)
    note(f"{found.out}: one JSON a run, table.csv; `graphzsl report {found.out}` makes a page of it.")
    if failed:
        note(f"{len(failed)} runs failed, e.g. {next(iter(failed))}: {next(iter(failed.values()))}")
        click.get_current_context().exit(1)


@command.command()
@click.argument("first", type=INPUT)
@click.argument("second", type=INPUT)
@click.option("-k", default=1, show_default=True, help="Right means: among the first k.")
@output_options
def compare(first: Path, second: Path, k: int, output_format: str | None) -> None:
    """McNemar's test and a paired bootstrap of two runs on the same samples: FIRST and SECOND are their .samples.parquet files."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    from graphzsl.errors import DataError
    from graphzsl.significance import Paired, paired_bootstrap

    tables = []
    for path in (first, second):
        try:
            tables.append(pq.read_table(path, columns=["label", "rank"]))
        except (pa.ArrowInvalid, KeyError, OSError) as error:
            raise DataError(
                f"{path}: not the samples of a run ({str(error).splitlines()[0]}). Expected RUN.samples.parquet."
            ) from None
    if tables[0]["label"] != tables[1]["label"]:
        raise DataError(f"{first} and {second} are of different samples: they cannot be paired.")
    right = [np.asarray(table["rank"]) <= k for table in tables]
    low, high = paired_bootstrap(right[0].astype(np.float64), right[1].astype(np.float64))
    row = {
        "first": first.name,
        "second": second.name,
        **Paired.of(*right).facts(),
        "difference_low": low,
        "difference_high": high,
    }
    emit([row], output_format)


def _judged(
    predictions: Any, facts: dict[str, Any], train: list[str], out: Path, output_format: str | None, *, hierarchy: Path | None,
    hcorrect: Path | None, valid: str | None, rounds: int, level: float, seed: int, classes_table: Path | None = None,
) -> None:  # fmt: skip
    from graphzsl.class_table import class_rows, save_class_table
    from graphzsl.evaluation import Judge, judge, load_hcorrect, provenance_of
    from graphzsl.files import write_json
    from graphzsl.relations import Relations
    from graphzsl.sources.imagenet import read_names
    from graphzsl.subgraph import Subgraph

    sets, hcorrect_facts = load_hcorrect(hcorrect) if hcorrect else ({}, {})
    relations = Relations(Subgraph.load(hierarchy)) if hierarchy else None
    names, valid_name = None, "given"
    if valid == "devise":
        if not train:
            raise click.UsageError("--valid devise needs the training classes: give --train.")
        names, valid_name = (
            sorted({*predictions.candidates, *predictions.labels, *train}),
            "devise: test and training classes",
        )
    elif valid:
        names = read_names(Path(valid))
    provenance = provenance_of(facts, train, predictions.candidates)
    provenance["hcorrect"] = {key: hcorrect_facts.get(key) for key in ("valid", "hierarchy", "queries")}
    against = Judge(relations, sets, names, valid_name, train, rounds, level, seed)
    result = judge(predictions, against, provenance=provenance, run=out.stem)
    predictions.save(out.with_suffix(".samples.parquet"))
    table = class_rows(predictions, relations, train, level)
    result["class_table"] = save_class_table(table, classes_table or out.with_suffix(".classes.parquet"), level)
    write_json(out, result)
    emit(_rows(result), output_format, ["metric", "per_class", "per_sample", "interval"])
    note(
        f"{result['samples']:,} samples of {result['classes']:,} classes, {result['candidates']:,} candidates; in {out}."
    )


def _rows(result: dict[str, Any]) -> list[dict[str, Any]]:
    rows = [
        {
            "metric": name,
            "per_class": value["per_class"],
            "per_sample": value["per_sample"],
            "interval": value["per_class_interval"],
        }
        for name, value in result["metrics"].items()
    ]
    interval = result.get("semantic_interval")
    if interval:
        rows.append(
            {
                "metric": "semantic accuracy from",
                "per_class": interval["per_class"][0],
                "per_sample": interval["per_sample"][0],
            }
        )
        rows.append(
            {
                "metric": "semantic accuracy to",
                "per_class": interval["per_class"][1],
                "per_sample": interval["per_sample"][1],
            }
        )
    generalised = result.get("generalised", {})
    for name in ("ts", "tr", "h"):
        if "hit@1" in generalised:
            found = generalised["hit@1"]
            rows.append(
                {
                    "metric": f"generalised {name}",
                    "per_class": found["per_class"][name],
                    "per_sample": found["per_sample"][name],
                }
            )
    if "ausuc" in generalised:
        rows.append({"metric": "generalised ausuc", "per_class": generalised["ausuc"]})
    for kind, groups in result.get("groups", {}).items():
        unit = "hops" if kind == "hops" else ""
        rows += [{"metric": f"hit@1, {group['group']} {unit}".strip(), "per_class": group["hit@1"]} for group in groups]
    return rows


from graphzsl.cli import evaluate_analyses  # noqa: E402, F401  (it adds its commands to the group)

"""The zero-shot part of the demo: hide classes, train every model, score it; then predict all unseen classes."""

from __future__ import annotations

import shutil
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
import numpy as np

from graphzsl.class_matrix import EMBEDDINGS, ClassMatrix
from graphzsl.database.client import Database
from graphzsl.database.queries import query
from graphzsl.errors import DataError
from graphzsl.evaluation import evaluate, headline, load_hcorrect
from graphzsl.exports import export_hcorrect
from graphzsl.features.samples import Samples, class_samples, load_samples
from graphzsl.files import now, write_json
from graphzsl.ingest import put_class_set
from graphzsl.models import training
from graphzsl.models.task import Task, held_out
from graphzsl.report import write_report
from graphzsl.subgraph import Subgraph, export_subgraph

if TYPE_CHECKING:
    from graphzsl.demo import Scale

HIDDEN_SHARE = 0.2
#: One or two of each family; `graphzsl evaluate grid` runs them all.
DEMO_MODELS = ("graph-exem", "exem", "sgcn", "graph-linear", "eszsl", "conse", "closest")
#: Measured earlier with ridge maps (λ = 3) on MiniLM embeddings, mean of 10 random splits: hit@1, 2, 5, 10, 20.
REFERENCE = {
    "ridge on [E, ÂE, Â²E]": (64.9, 80.5, 93.0, 97.8, 99.4),
    "ridge on E, no graph": (58.8, 76.4, 90.2, 95.6, 98.6),
}
IMAGE_REFERENCE = {"ridge on [E, ÂE, Â²E]": (26.5, 64.2, 90.3), "ridge on Â²E": (25.8, 61.8, 88.3)}
_KS = ("hit@1", "hit@2", "hit@5", "hit@10", "hit@20")
_IMAGE_KS = ("hit@1", "hit@5", "hit@20")


def export_graph(database: Database, out: Path) -> Subgraph:
    """The training classes, the universe, the splits and all ancestors, as files; read back from them."""
    export_subgraph(database, ["ilsvrc2012", "imagenet-fall11", "hops-1", "hops-2", "all"], out / "graph")
    return Subgraph.load(out / "graph")


def run(database: Database, graph: Subgraph, out: Path, scale: Scale, image_features: Path | None) -> None:
    """Everything below the database, except the hCorrectSets of the hidden classes."""
    from graphzsl.demo import step

    encoder = (
        "all-MiniLM-L6-v2 on words and glosses"
        if scale.semantics == "text"
        else "latent semantic indexing of the glosses"
    )
    with step(f"Class embeddings: {encoder}"):
        semantics = _embeddings(graph, out / "class_embeddings.safetensors", scale.semantics)
    with step("Classifiers: the last layer of EfficientNet-Lite0"):
        from graphzsl.features.classifiers import packaged_classifiers

        classifiers = packaged_classifiers()
        classifiers.save(out / "seen_classifiers.safetensors")
    classes = graph.classes("ilsvrc2012")
    click.echo(f"    {len(classifiers.wnids):,} classifiers of {classifiers.values.shape[1] - 1:,} weights and a bias")
    whole = Task(graph, semantics, classifiers, classes, classes)
    epochs = _hidden_classes(database, whole, out, scale)
    if image_features:
        _images(whole, out, scale, image_features)
    _predict_unseen(whole, out, scale, epochs)
    write_report(
        sorted((out / "runs").rglob("*.json")), out / "report.html", "graphzsl demo: hidden classes of ILSVRC 2012"
    )


def _embeddings(graph: Subgraph, path: Path, kind: str) -> ClassMatrix:
    """Of every node, kept from an earlier run where nothing changed; a node that glosses cannot embed is an error later."""
    from graphzsl.semantics.glosses import embed_glosses
    from graphzsl.semantics.text import embed_text

    if path.exists():
        found = ClassMatrix.load(path, EMBEDDINGS)
        same = found.wnids == graph.wnids and found.facts.get("semantics") == kind
        if same and found.facts.get("sources") == graph.facts.get("sources"):
            click.echo("    kept from an earlier run")
            return found
    matrix = embed_text(graph) if kind == "text" else embed_glosses(graph)[0]
    matrix.save(path)
    click.echo(f"    {len(matrix.wnids):,} nodes, {matrix.values.shape[1]} dimensions")
    return matrix


def _hidden_classes(database: Database, whole: Task, out: Path, scale: Scale) -> int:
    """Every model on every seed; returns the median of the epochs at which validation stopped the GCN."""
    from graphzsl.demo import step

    count = round(HIDDEN_SHARE * len(whole.train))
    click.echo(
        f"\nHidden classes: {count} of the {len(whole.train):,} are hidden ({scale.seeds} seeds), models learn from the other "
        f"{len(whole.train) - count}.\nAsked for each hidden class: whose predicted classifier, of the {count}, is nearest to its true one?"
    )
    shutil.rmtree(out / "runs", ignore_errors=True)
    scores: dict[str, list[dict[str, float]]] = defaultdict(list)
    epochs = []
    for seed in range(scale.seeds):
        kept, hidden = held_out(whole.train, HIDDEN_SHARE, seed)
        sets = _hcorrect(database, hidden, seed, out)
        for name in DEMO_MODELS:
            with step(f"seed {seed}: {name}"):
                result = _one_run(name, whole.with_lists(kept, hidden), seed, sets, scale)
                write_json(out / "runs" / "hidden-classes" / f"{name}-{seed}.json", result)
            scores[name].append(headline(result, (*_KS, "hp@5")))
            if name == "sgcn":
                epochs.append(result["provenance"]["options"]["epochs"])
    _print_scores(scores, (*_KS, "hp@5"), REFERENCE, scale)
    return int(np.median(epochs))


def _hcorrect(database: Database, hidden: list[str], seed: int, out: Path) -> dict[int, dict[str, list[str]]]:
    """hCorrectSets with the hidden classes as valid labels: a class set in the database, exported as a file."""
    name = f"demo-hidden-{seed}"
    put_class_set(database, name, hidden, {"kind": "list", "source": f"demo, seed {seed}", "created_at": now()})
    export_hcorrect(database, name, [2, 5, 10, 20], out / "hcorrect" / name)
    database.write((query("delete_class_set"), {"name": name}))
    return load_hcorrect(out / "hcorrect" / name)[0]


def _one_run(
    name: str,
    task: Task,
    seed: int,
    sets: dict[int, dict[str, list[str]]],
    scale: Scale,
    samples: Samples | None = None,
) -> dict[str, Any]:
    from dataclasses import replace

    head, facts = training.train(name, replace(task, seed=seed), _options(name, scale))
    samples = samples or class_samples(task.rows, task.candidates, task.targets())
    provenance = {
        key: facts[key]
        for key in ("model", "options", "chosen_on_validation", "seed", "semantics", "classifiers", "graph")
    }
    label = scale.label if name == "sgcn" else ""
    split = f"{len(task.candidates)} of {len(task.train) + len(task.candidates)} classes hidden, seed {seed}"
    result = evaluate(
        head, samples, sets, rounds=1000, provenance=provenance, run=f"{name}-{seed}", split=split, label=label
    )
    click.echo(f"    {'  '.join(f'{key} {value:.1f}' for key, value in headline(result, _KS).items())}")
    return result


def _options(name: str, scale: Scale) -> dict[str, Any]:
    return {"hidden": scale.gcn_hidden, "epochs": scale.gcn_epochs} if name == "sgcn" else {}


def _images(whole: Task, out: Path, scale: Scale, path: Path) -> None:
    from graphzsl.demo import step

    samples, classifiers = load_samples(path), _image_classifiers(path)
    click.echo(
        f"\nReal images: {len(samples.labels):,} of them, {path.name}; features and classifier of the same network."
    )
    scores: dict[str, list[dict[str, float]]] = defaultdict(list)
    for seed in range(scale.seeds):
        kept, hidden = held_out(whole.train, HIDDEN_SHARE, seed)
        task = Task(whole.graph, whole.semantics, classifiers, kept, hidden)
        images = samples.centred_on(kept).of(hidden)
        for name in DEMO_MODELS:
            with step(f"images, seed {seed}: {name}"):
                result = _one_run(name, task, seed, {}, scale, images)
                write_json(out / "runs" / "images" / f"{name}-{seed}.json", result)
            scores[name].append(headline(result, _IMAGE_KS))
    _print_scores(scores, _IMAGE_KS, IMAGE_REFERENCE, scale)


def _image_classifiers(path: Path) -> ClassMatrix:
    from graphzsl.class_matrix import CLASSIFIERS
    from graphzsl.files import manifest

    with np.load(path, allow_pickle=False) as file:
        if "classifier" not in file:
            raise DataError(f"{path}: classifier [C, D+1] is missing beside wnids and features.")
        wnids, values = [str(wnid) for wnid in file["wnids"]], file["classifier"].astype(np.float32)
    return ClassMatrix(wnids, values, manifest(CLASSIFIERS, network=path.stem))


def _predict_unseen(whole: Task, out: Path, scale: Scale, epochs: int) -> None:
    """The hidden classes are training classes now, so what their validation chose for the GCN holds."""
    from graphzsl.demo import step

    unseen = whole.hierarchy.classes("all")
    click.echo(
        f"\nAll {len(whole.train):,} classes are training classes now; candidates are the {len(unseen):,} unseen classes."
    )
    for name in DEMO_MODELS:
        with step(f"{name}: train on all, predict {len(unseen):,} classes"):
            options = {**_options(name, scale), "epochs": epochs} if name == "sgcn" else {}
            task = whole.with_lists(whole.train, unseen)
            head, facts = training.train(name, task, options, choose=name != "sgcn")
            training.save(out / "models" / name, head, facts)
        kind = (
            "classifiers.safetensors"
            if facts["encoder"] is None
            else f"classifiers behind an encoder ({facts['encoder']})"
        )
        click.echo(f"    {out / 'models' / name}: {kind}")


def _print_scores(
    scores: dict[str, list[dict[str, float]]],
    names: tuple[str, ...],
    reference: Mapping[str, tuple[float, ...]],
    scale: Scale,
) -> None:
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("model", no_wrap=True)
    for name in names:
        table.add_column(name, justify="right", no_wrap=True)
    for model, runs in sorted(scores.items(), key=lambda item: -np.mean([run["hit@1"] for run in item[1]])):
        cells = []
        for name in names:
            values = np.array([run[name] for run in runs if name in run])
            cells.append(
                f"{values.mean():.1f} ± {values.std(ddof=1):.1f}" if len(values) > 1 else f"{values.mean():.1f}"
            )
        table.add_row(model + ("*" if model == "sgcn" and scale.label else ""), *cells)
    for model, figures in reference.items():
        table.add_row(f"(reference: {model})", *(f"{figure:.1f}" for figure in figures))
    console = Console(width=120, highlight=False)
    console.print(table)
    if scale.label:
        click.echo(f"* {scale.label}; `graphzsl demo --full` runs the full setting.")
    click.echo("Per-class hit@k and hp@k in %, mean ± standard deviation over seeds; ties count against the model.")

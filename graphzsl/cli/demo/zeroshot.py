"""The zero-shot part of the demo: hide classes, one by one and as whole branches, train models on
the others and score them as a grid; then predict unseen classes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click
import numpy as np

from graphzsl import data
from graphzsl.cli.demo.steps import Scale, step
from graphzsl.cli.tables import table_lines
from graphzsl.common import DataError, counted, manifest, read_npz, write_text
from graphzsl.data import CLASSIFIERS, EMBEDDINGS, ClassMatrix, Subgraph
from graphzsl.database import Database, export_subgraph
from graphzsl.models import Grid, Task, model_module, needs, results, run_grid, training
from graphzsl.reports import command_of, model_rows, questions_of, read_runs, report_of

#: Splits of the grids -> the share of the hidden classes that go as whole branches.
SPLITS = {"random": 0.0, "branches": 1.0}
#: Edges that the models look from a class: two layers, or powers of Â.
REACH = 2


def export_graph(database: Database, out: Path) -> Subgraph:
    """The classes with all their ancestors, for models, and the whole of WordNet, for evaluation,
    as files; the first is read back."""
    sets = ["ilsvrc2012", "imagenet-fall11", "hops-1", "hops-2", "all"]
    export_subgraph(database, sets, out / "graph")
    export_subgraph(database, sets, out / "wordnet", whole=True)
    return Subgraph.load(out / "graph")


def run(graph: Subgraph, out: Path, scale: Scale, image_features: Path | None) -> None:
    """Everything below the database."""
    from graphzsl.embeddings import packaged_classifiers

    classes = graph.classes("ilsvrc2012")
    embeddings = out / "class_embeddings.safetensors"
    has_graph = any("graph" in needs(model_module(name)) for name in scale.predicted)
    seen = [*classes, *graph.classes(scale.unseen)] if has_graph else classes
    semantics = _class_embeddings(graph, seen, embeddings, scale)
    with step("Classifiers: the last layer of EfficientNet-Lite0"):
        classifiers = packaged_classifiers()
        classifiers.save(out / "seen_classifiers.safetensors")
    click.echo(
        f"    {len(classifiers.wnids):,} classifiers of {classifiers.values.shape[1] - 1:,} weights"
        " and a bias"
    )
    hidden = _hidden_classes(len(classes), embeddings, scale)
    grids = [hidden]
    if image_features:
        grids.append(_images(embeddings, scale, image_features))
    _predict_unseen(Task(graph, semantics, classifiers, classes, classes), out, scale, hidden)
    page, title = out / "report.html", "graphzsl demo: hidden classes of ILSVRC 2012"
    runs = sorted(grid.file(run) for grid in grids for run in grid.runs())
    wordnet = out / "wordnet"
    command = command_of(runs, page, title, wordnet)
    report_of(read_runs(runs), title, wordnet, command).save(page)


def _class_embeddings(graph: Subgraph, classes: list[str], path: Path, scale: Scale) -> ClassMatrix:
    """Class embeddings of the nodes that the models see; those of an earlier run where nothing
    changed."""
    from graphzsl.embeddings import embed_glosses, embed_text

    if scale.semantics == "text":
        hops = graph.hierarchy.hops_from(classes)
        wnids = [wnid for wnid in graph.wnids if hops.get(wnid, REACH + 1) <= REACH]
        title = (
            f"all-MiniLM-L6-v2 on words and glosses, of the nodes within {REACH} edges of the"
            f" {len(classes):,} classes"
        )
    else:
        wnids, title = graph.wnids, "latent semantic indexing of the glosses"
    with step(f"Class embeddings: {title}"):
        if path.exists():
            kept = ClassMatrix.load(path, EMBEDDINGS)
            same = kept.wnids == wnids and kept.metadata.get("semantics") == scale.semantics
            if same and kept.metadata.get("sources") == graph.manifest.get("sources"):
                click.echo("    kept from an earlier run")
                return kept
        # a node that glosses cannot embed is an error later
        is_text = scale.semantics == "text"
        matrix = embed_text(graph, wnids) if is_text else embed_glosses(graph)[0]
        matrix.save(path)
        click.echo(f"    {len(matrix.wnids):,} nodes, {matrix.values.shape[1]} dimensions")
        return matrix


def _hidden_classes(count: int, embeddings: Path, scale: Scale) -> Grid:
    """The grid of hidden classes, run."""
    hidden = round(0.2 * count)
    seeds = counted(scale.seeds, "seed")
    told = (
        f"Hidden classes: {hidden} of the {count:,} are hidden ({seeds}), one by one (random) or as"
        f" whole branches of the hierarchy (branches); models learn from the other"
        f" {count - hidden}. Asked for each hidden class: whose predicted classifier, of the"
        f" {hidden}, is nearest to its true one?"
    )
    click.echo("\n" + click.wrap_text(told, get_terminal_size().columns))
    grid = _grid(
        embeddings, "hidden-classes", scale, 'classifiers = "seen_classifiers.safetensors"'
    )
    _print_scores(grid, scale)
    return grid


def _images(embeddings: Path, scale: Scale, path: Path) -> Grid:
    """The grid of real images, run."""
    image_classifiers(path).save(embeddings.parent / "image_classifiers.safetensors")
    count = len(data.load_samples(path).labels)
    click.echo(
        f"\nReal images: {count:,} of them, {path.name}; features and classifier of the same"
        " network."
    )
    given = f'classifiers = "image_classifiers.safetensors"\nfeatures = "{path.resolve()}"'
    grid = _grid(embeddings, "images", scale, given)
    _print_scores(grid, scale)
    return grid


def _grid(embeddings: Path, name: str, scale: Scale, inputs: str) -> Grid:
    """Write the grid's configuration beside the class embeddings and the rest that it reads, and
    run it; what is done from an earlier run is kept."""
    out = embeddings.parent
    splits = "".join(
        f'[splits.{split}]\nof = "ilsvrc2012"\nhide = 0.2\nbranches = {branches}\n\n'
        for split, branches in SPLITS.items()
    )
    models = "".join(
        f"[models.{model}]\n{_toml(_described(model, scale))}" for model in scale.models
    )
    text = (
        f'out = "runs/{name}"\ngraph = "graph"\nwordnet = "wordnet"\n{inputs}\nseeds ='
        f" {list(range(scale.seeds))}\nkeep_samples = true\n\n[semantics]\n{scale.semantics} ="
        f' "{embeddings.name}"\n\n{splits}{models}'
    )
    write_text(out / f"{name}.toml", text)
    grid, failed = run_grid(out / f"{name}.toml")
    if failed:
        raise DataError(next(iter(failed.values())))
    return grid


def _toml(options: Mapping[str, Any]) -> str:
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in options.items())


def _described(name: str, scale: Scale) -> dict[str, Any]:
    """A model's options and, where it is not the paper's, a note that says so."""
    if name != "sgcn":
        return {}
    return {**scale.gcn, **({"note": scale.label} if scale.label else {})}


def image_classifiers(path: Path) -> ClassMatrix:
    """The classifier rows [C, D+1] that lie beside the image features of a network."""
    wnids, values = read_npz(
        path, "wnids", "classifier", expected="wnids [C], features [C, D] and classifier [C, D+1]"
    )
    return ClassMatrix(
        [str(wnid) for wnid in wnids],
        values.astype(np.float32),
        manifest(CLASSIFIERS, network=path.stem),
    )


def _predict_unseen(whole: Task, out: Path, scale: Scale, hidden: Grid) -> None:
    """Train on all classes and predict unseen ones. The hidden classes are training classes here,
    so the median of the epochs at which their validation stopped the GCN holds."""
    unseen = whole.subgraph.classes(scale.unseen)
    click.echo(
        f"\nAll {len(whole.train):,} classes are training classes now; candidates are the"
        f" {len(unseen):,} unseen classes of {scale.unseen}."
    )
    stopped = [
        run["provenance"]["options"]["epochs"]
        for run in results(hidden)
        if run["model_label"] == "sgcn"
    ]
    for name in scale.predicted:
        with step(f"{name}: train on all, predict {len(unseen):,} classes"):
            is_gcn = name == "sgcn"
            options = {**scale.gcn, "epochs": int(np.median(stopped))} if is_gcn else {}
            task = whole.with_lists(whole.train, unseen)
            trained, manifest = training.train(name, task, options, tune=not is_gcn)
            training.save(out / "models" / name, trained, manifest)
        kind = (
            "classifiers.safetensors"
            if manifest["encoder"] is None
            else f"classifiers behind an encoder ({manifest['encoder']})"
        )
        click.echo(f"    {out / 'models' / name}: {kind}")


def _print_scores(grid: Grid, scale: Scale) -> None:
    """The scores of both splits, side by side."""
    runs = results(grid)
    rows: dict[str, dict[str, str]] = {}
    for task, headline in questions_of(read_runs([grid.file(run) for run in grid.runs()])):
        split = task.entries[0].documents[0]["split_definition"]["name"]
        for row in model_rows(task, headline):
            low, high = row["hit@1 interval"]
            mark = "*" if row["model"] == "sgcn" and scale.label else ""
            cells = rows.setdefault(row["model"], {"model": row["model"] + mark})
            hit, hp = (f"{100 * row[name]:.1f}" for name in ("hit@1", "hp@5"))
            cells[f"{split} hit@1"] = f"{hit} [{100 * low:.0f}, {100 * high:.0f}]"
            cells[f"{split} hp@5"] = hp
    width = get_terminal_size().columns
    columns = ("model", *(f"{split} {name}" for split in SPLITS for name in ("hit@1", "hp@5")))
    for line in table_lines([*rows.values()], columns, width):
        click.echo(line)
    ratios = {
        split: np.mean([run["structural_ratio"] for run in runs if run["split"].startswith(split)])
        for split in SPLITS
    }
    told = [
        f"Per-class hit@1 and hp@5 in % of {runs[0]['candidates']} candidates, means of"
        f" {counted(scale.seeds, 'seed')}; ties count against the model. In brackets: 95 %"
        " bootstrap intervals over the distinct hidden classes, those of a branch as one.",
        "Structural ratio (hops to the nearest training class over hops to the nearest hidden"
        " one): " + ", ".join(f"{split} {ratio:.2f}" for split, ratio in ratios.items()) + ".",
    ]
    if scale.label:
        told.insert(0, f"* sgcn is {scale.label}; `graphzsl demo --full` runs the full setting.")
    for each in told:
        click.echo(click.wrap_text(each, width))

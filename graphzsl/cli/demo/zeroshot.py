"""The zero-shot part of the demo: hide classes, train models and score them as a grid; then predict
all unseen classes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from shutil import get_terminal_size
from typing import Any

import click
import numpy as np

from graphzsl.cli.demo.steps import Scale, step
from graphzsl.cli.tables import table_lines
from graphzsl.common import DataError, counted, manifest, read_npz, write_text
from graphzsl.data import CLASSIFIERS, EMBEDDINGS, ClassMatrix, Subgraph
from graphzsl.database import Database, export_subgraph
from graphzsl.models import Grid, Task, results, run_grid, table, training
from graphzsl.reports import command_of, read_runs, report_of

#: Measured earlier with ridge maps (λ = 3) on MiniLM embeddings, mean of 10 random splits: hit@1,
#: 2, 5, 10, 20.
REFERENCE = {
    "ridge on [E, ÂE, Â²E]": (64.9, 80.5, 93.0, 97.8, 99.4),
    "ridge on E, no graph": (58.8, 76.4, 90.2, 95.6, 98.6),
}
IMAGE_REFERENCE = {"ridge on [E, ÂE, Â²E]": (26.5, 64.2, 90.3), "ridge on Â²E": (25.8, 61.8, 88.3)}
#: Class embeddings of the nodes that the models of the hidden classes see, and of all nodes.
NEAR, WHOLE = "near_class_embeddings.safetensors", "class_embeddings.safetensors"
_KS = ("hit@1", "hit@2", "hit@5", "hit@10", "hit@20")
_IMAGE_KS = ("hit@1", "hit@5", "hit@20")


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
    if scale.semantics == "text":
        # first what the models of the hidden classes see: two layers, or powers of Â
        hops = graph.hierarchy.hops_from(classes)
        near = [wnid for wnid in graph.wnids if hops.get(wnid, 3) <= 2]
        embeddings = out / NEAR
        with step(
            "Class embeddings: all-MiniLM-L6-v2 on words and glosses, first of the nodes within 2"
            f" edges of the {len(classes):,} classes"
        ):
            semantics = _sentences(graph, near, embeddings)
    else:
        embeddings = out / WHOLE
        with step("Class embeddings: latent semantic indexing of the glosses"):
            semantics = _glosses(graph, embeddings)
    with step("Classifiers: the last layer of EfficientNet-Lite0"):
        classifiers = packaged_classifiers()
        classifiers.save(out / "seen_classifiers.safetensors")
    click.echo(
        f"    {len(classifiers.wnids):,} classifiers of {classifiers.values.shape[1] - 1:,} weights"
        " and a bias"
    )
    epochs = _hidden_classes(len(classes), embeddings, scale)
    if image_features:
        _images(embeddings, scale, image_features)
    if scale.semantics == "text":
        with step("Class embeddings: of the other nodes"):
            semantics = _sentences(graph, graph.wnids, out / WHOLE, semantics)
    _predict_unseen(Task(graph, semantics, classifiers, classes, classes), out, scale, epochs)
    runs, page = sorted((out / "runs").rglob("*-hidden-*.json")), out / "report.html"
    title, wordnet = "graphzsl demo: hidden classes of ILSVRC 2012", out / "wordnet"
    command = command_of(runs, page, title, wordnet)
    report_of(read_runs(runs), title, wordnet, command).save(page)


def _sentences(
    graph: Subgraph, wnids: list[str], path: Path, known: ClassMatrix | None = None
) -> ClassMatrix:
    """Sentence embeddings of some nodes; those of ``known`` are taken over."""
    from graphzsl.embeddings import embed_text

    if kept := _kept(graph, wnids, path, "text"):
        return kept
    others = [wnid for wnid in wnids if known is None or wnid not in known.index]
    if known and not others:
        return _save(known, path)
    matrix = embed_text(graph, others)
    if known:
        rows = dict(zip(known.wnids, known.values, strict=True))
        rows |= zip(matrix.wnids, matrix.values, strict=True)
        matrix = ClassMatrix.from_rows({wnid: rows[wnid] for wnid in wnids}, matrix.metadata)
    return _save(matrix, path)


def _glosses(graph: Subgraph, path: Path) -> ClassMatrix:
    """Gloss embeddings of every node; a node that glosses cannot embed is an error later."""
    from graphzsl.embeddings import embed_glosses

    return _kept(graph, graph.wnids, path, "glosses") or _save(embed_glosses(graph)[0], path)


def _kept(graph: Subgraph, wnids: list[str], path: Path, semantics: str) -> ClassMatrix | None:
    """The class embeddings of an earlier run, where nothing changed."""
    if path.exists():
        kept = ClassMatrix.load(path, EMBEDDINGS)
        same = kept.wnids == wnids and kept.metadata.get("semantics") == semantics
        if same and kept.metadata.get("sources") == graph.manifest.get("sources"):
            click.echo("    kept from an earlier run")
            return kept
    return None


def _save(matrix: ClassMatrix, path: Path) -> ClassMatrix:
    matrix.save(path)
    click.echo(f"    {len(matrix.wnids):,} nodes, {matrix.values.shape[1]} dimensions")
    return matrix


def _hidden_classes(count: int, embeddings: Path, scale: Scale) -> int:
    """The grid of hidden classes; returns the median of the epochs at which validation stopped the
    GCN."""
    hidden = round(0.2 * count)
    seeds = counted(scale.seeds, "seed")
    click.echo(
        f"\nHidden classes: {hidden} of the {count:,} are hidden ({seeds}), models"
        f" learn from the other {count - hidden}.\nAsked for each hidden class: whose predicted"
        f" classifier, of the {hidden}, is nearest to its true one?"
    )
    grid = _grid(
        embeddings, "hidden-classes", scale, 'classifiers = "seen_classifiers.safetensors"'
    )
    reference = REFERENCE if scale.semantics == "text" else {}
    _print_scores(grid, (*_KS, "hp@5"), reference, scale)
    stopped = [
        run["provenance"]["options"]["epochs"]
        for run in results(grid)
        if run["model_label"] == "sgcn"
    ]
    return int(np.median(stopped))


def _images(embeddings: Path, scale: Scale, path: Path) -> None:
    from graphzsl.data import load_samples

    image_classifiers(path).save(embeddings.parent / "image_classifiers.safetensors")
    count = len(load_samples(path).labels)
    click.echo(
        f"\nReal images: {count:,} of them, {path.name}; features and classifier of the same"
        " network."
    )
    given = f'classifiers = "image_classifiers.safetensors"\nfeatures = "{path.resolve()}"'
    reference = IMAGE_REFERENCE if scale.semantics == "text" else {}
    _print_scores(_grid(embeddings, "images", scale, given), _IMAGE_KS, reference, scale)


def _grid(embeddings: Path, name: str, scale: Scale, inputs: str) -> Grid:
    """Write the grid's configuration beside the class embeddings and the rest that it reads, and
    run it; what is done from an earlier run is kept."""
    out = embeddings.parent
    models = "".join(
        f"[models.{model}]\n{_toml(_described(model, scale))}" for model in scale.models
    )
    text = (
        f'out = "runs/{name}"\ngraph = "graph"\nwordnet = "wordnet"\n{inputs}\nseeds ='
        f" {list(range(scale.seeds))}\nkeep_samples = true\n\n[semantics]\n{scale.semantics} ="
        f' "{embeddings.name}"\n\n[splits.hidden]\nof = "ilsvrc2012"\nhide ='
        f" 0.2\n\n{models}"
    )
    write_text(out / f"{name}.toml", text)
    grid, failed = run_grid(out / f"{name}.toml")
    if failed:
        raise DataError(next(iter(failed.values())))
    return grid


def _toml(options: dict[str, Any]) -> str:
    return "".join(f"{key} = {json.dumps(value)}\n" for key, value in options.items())


def _described(name: str, scale: Scale) -> dict[str, Any]:
    """A model's options and, where it is not the paper's, a note that says so."""
    note = {"note": scale.label} if name == "sgcn" and scale.label else {}
    return {**_options(name, scale), **note}


def _options(name: str, scale: Scale) -> dict[str, Any]:
    return {"hidden": scale.gcn_hidden, "epochs": scale.gcn_epochs} if name == "sgcn" else {}


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


def _predict_unseen(whole: Task, out: Path, scale: Scale, epochs: int) -> None:
    """Train on all classes and predict the unseen ones. The hidden classes are training classes
    here, so the choice that their validation made for the GCN holds."""

    unseen = whole.subgraph.classes("all")
    click.echo(
        f"\nAll {len(whole.train):,} classes are training classes now; candidates are the"
        f" {len(unseen):,} unseen classes."
    )
    for name in scale.models:
        with step(f"{name}: train on all, predict {len(unseen):,} classes"):
            options = {**_options(name, scale), "epochs": epochs} if name == "sgcn" else {}
            task = whole.with_lists(whole.train, unseen)
            trained, manifest = training.train(name, task, options, tune=name != "sgcn")
            training.save(out / "models" / name, trained, manifest)
        kind = (
            "classifiers.safetensors"
            if manifest["encoder"] is None
            else f"classifiers behind an encoder ({manifest['encoder']})"
        )
        click.echo(f"    {out / 'models' / name}: {kind}")


def _print_scores(
    grid: Grid, names: tuple[str, ...], reference: Mapping[str, tuple[float, ...]], scale: Scale
) -> None:
    rows = []
    for row in table(results(grid)):
        cells = {"model": row["model"] + ("*" if row["note"] else "")}
        for name in names:
            spread = row[f"{name} sd"]
            cells[name] = f"{100 * row[name]:.1f}" + (
                f"±{100 * spread:.1f}" if spread is not None else ""
            )
        rows.append(cells)
    for model, figures in reference.items():
        shown = (f"{figure:.1f}" for figure in figures)
        rows.append({"model": f"(reference: {model})", **dict(zip(names, shown, strict=False))})
    width = get_terminal_size().columns
    for line in table_lines(rows, ("model", *names), width):
        click.echo(line)
    spread = ", mean ± standard deviation over seeds" if scale.seeds > 1 else " of one seed"
    told = [f"Per-class hit@k and hp@k in %{spread}; ties count against the model."]
    if scale.label:
        told.insert(0, f"* sgcn is {scale.label}; `graphzsl demo --full` runs the full setting.")
    if reference:
        told.append(
            "Reference: measured once with the same class embeddings, over 10 other splits."
        )
    for each in told:
        click.echo(click.wrap_text(each, width))

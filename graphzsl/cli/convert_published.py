"""``graphzsl convert published``: graphs, features and classifiers as projects publish them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click
from click.shell_completion import CompletionItem

from graphzsl import embeddings, hierarchy
from graphzsl.cli.groups import Command
from graphzsl.cli.options import (
    classes_option,
    option_requires,
    out_option,
    per_class_option,
    splits_option,
    vectors_option,
    wnids_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import INPUT, Folder, Written


def _dgp(file: Path, out: Path, splits: Path | None, vectors_out: Path | None) -> str:
    from graphzsl.data import save_subgraph

    subgraph, vectors, missing = embeddings.read_dgp_graph(file)
    sets = embeddings.read_dgp_split(splits) if splits else {}
    save_subgraph(replace(subgraph, class_sets=sets), out)
    if vectors_out:
        vectors.save(vectors_out)
    return (
        f"{len(subgraph.wnids):,} nodes, {subgraph.edge_index.shape[1]:,} edges in {out};"
        f" {len(missing):,} nodes have no vector."
    )


def _dgp_classifiers(file: Path, out: Path) -> str:
    classifiers = embeddings.read_dgp_classifiers(file)
    classifiers.save(out)
    return (
        f"{len(classifiers.wnids):,} classifiers of {classifiers.values.shape[1] - 1:,} weights"
        f" and a bias in {out}."
    )


def _gbu_imagenet(file: Path, out: Path, vectors: Path, splits: Path, wnids: Path | None) -> str:
    classes = hierarchy.wnids_where_named(wnids, argument="wnids") if wnids else None
    data = embeddings.read_gbu_imagenet(file, vectors, splits, classes)
    data.save(out)
    return f"{data.summary()}; in {out}."


def _gcnz(file: Path, out: Path, nodes: Path, words: Path | None, classes: Path | None) -> str:
    from graphzsl.data import save_subgraph

    subgraph = embeddings.read_gcnz_graph(file, nodes, words)
    if classes:
        train, unseen = embeddings.read_gcnz_unseen(classes, subgraph.wnids)
        subgraph = replace(subgraph, class_sets={"train": train, "unseen": unseen})
    save_subgraph(subgraph, out)
    edges = subgraph.edge_index.shape[1]
    return f"{len(subgraph.wnids):,} nodes, {edges:,} distinct edges in {out}."


def _goz(file: Path, out: Path, classes: Path | None, per_class: int | None) -> str:
    from graphzsl.data import save_samples

    names = None
    if classes:
        text = classes.suffix in (".txt", ".tsv", ".csv")
        names = (
            hierarchy.wnids_where_named(classes, argument="classes")
            if text
            else embeddings.read_goz_classes(classes)
        )
    samples = embeddings.read_goz(file, names, per_class)
    save_samples(samples, out)
    return f"{len(samples.labels):,} samples of {len(set(samples.labels)):,} classes in {out}."


class _Format(NamedTuple):
    """A format: what makes plain files of it, what these are, and the options that it takes and
    needs."""

    convert: Callable[..., str]
    made: click.Path
    takes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


FORMATS = {
    "dgp": _Format(_dgp, Folder("subgraph"), ("splits", "vectors_out")),
    "dgp-classifiers": _Format(_dgp_classifiers, Written(".safetensors")),
    "gbu-imagenet": _Format(
        _gbu_imagenet, Folder("dataset"), ("vectors", "splits", "wnids"), ("vectors", "splits")
    ),
    "gcnz": _Format(_gcnz, Folder("subgraph"), ("nodes", "words", "classes"), ("nodes",)),
    "goz": _Format(_goz, Written(".npz"), ("classes", "per_class")),
}


class _Made(Written):
    """The folder or file to write, as the format of the command is."""

    name = "FILE|FOLDER"

    def __init__(self) -> None:
        super().__init__(".npz", ".safetensors")

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        assert ctx is not None
        return FORMATS[ctx.params["name"]].made.convert(value, param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Files, or folders where the format is one that is written as a folder."""
        chosen = FORMATS.get(ctx.params.get("name") or "")
        if chosen is None:
            return super().shell_complete(ctx, param, incomplete)
        return chosen.made.shell_complete(ctx, param, incomplete)


@click.command(cls=Command)
@click.argument("name", type=click.Choice(list(FORMATS)), is_eager=True, metavar="NAME")
@click.argument("file", type=INPUT)
@splits_option(
    "of gbu-imagenet ImageNet_splits.mat; of dgp imagenet-split.json or imagenet-testsets.json,"
    " whose lists become class sets of the graph",
    kind=INPUT,
)
@vectors_option("of gbu-imagenet, ImageNet_w2v.mat")
@wnids_option("of gbu-imagenet, where the file of the vectors names none")
@click.option("--nodes", type=INPUT, help="gcnz: invdict_wordn.json, node number -> wnid.")
@click.option("--words", type=INPUT, help="gcnz: invdict_wordntext.json, node number -> words.")
@classes_option(
    "of gcnz corresp-*.json, whose training and unseen classes become class sets; of goz their"
    " pickle of plain data or a text file"
)
@per_class_option("of goz, the first so many images")
@click.option(
    "--vectors-out", type=Written(".safetensors"), help="dgp: also write the node vectors here."
)
@out_option(
    _Made(), "The folder of a graph or a data set, .npz of features, .safetensors of classifiers."
)
def published(name: str, file: Path, out: Path, **given: Any) -> None:
    """A FILE that a project has published, by the NAME of its format.

    \b
    dgp              induced graph of DGP: JSON of wnids, vectors and edges
    dgp-classifiers  classifiers of DGP: wnids and pred, read with weights_only
    gbu-imagenet     ImageNet of Xian et al. 2017: features in HDF5
    gcnz             graph of GCNZ: a pickle of plain data, parsed, never loaded;
                     its edges have no direction
    goz              feature store of GOZ: HDF5 with /images/<wnid>

    \b
    graphzsl convert published dgp graph.json --splits imagenet-split.json \\
      --out graph
    graphzsl convert published gcnz graph.pkl --nodes invdict_wordn.json \\
      --out graph
    graphzsl convert published gbu-imagenet features.h5 \\
      --vectors ImageNet_w2v.mat --splits ImageNet_splits.mat --out imagenet
    graphzsl convert published goz features.h5 --per-class 100 \\
      --out samples.npz
    """
    chosen = FORMATS[name]
    for option in given:
        takers = [each for each, known in FORMATS.items() if option in known.takes]
        option_requires(option, when=name in takers, needs=" or ".join(takers))
    lacking = [each for each in chosen.needs if given[each] is None]
    if lacking:
        raise click.UsageError(f"{name} needs {' and '.join(f'--{each}' for each in lacking)}.")
    note(chosen.convert(file, out, **{option: given[option] for option in chosen.takes}))

"""``graphzsl convert``: published formats into plain files, checked."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli import classifiers
from graphzsl.cli.common import INPUT, Whole, note, option_requires
from graphzsl.cli.convert_own import dataset_option, images, said_of, samples
from graphzsl.cli.groups import Group
from graphzsl.cli.paths import Folder, Written

_samples_option = click.option(
    "--out", type=Written(".npz"), required=True, help=".npz to write: features and labels."
)
_subgraph_option = click.option(
    "--out", type=Folder("subgraph"), required=True, help="Folder of the subgraph to write."
)


@click.group(cls=Group)
def command() -> None:
    """Turn published formats into plain files: data sets, graphs, class lists, classifiers.

    A data set is a folder with samples.npz, class_embeddings.safetensors and a manifest; `train
    --data` and `evaluate` take it. Nothing is unpickled: pickles of plain data are parsed, anything
    else in them is refused.

    \b
    graphzsl convert xlsa17 xlsa17/data/AWA2 --out awa2
    graphzsl train eszsl --data awa2 --out eszsl
    """


@command.command()
@click.argument("folder", type=INPUT)
@click.option(
    "--semantics",
    default="att",
    show_default=True,
    help="Key of the class embeddings in the splits file.",
)
@click.option(
    "--splits", default="att_splits.mat", show_default=True, help="Splits file in the folder."
)
@click.option(
    "--wnids",
    type=INPUT,
    help="What to call the classes: a file with one per line, in the order of allclasses_names.",
)
@dataset_option
def xlsa17(folder: Path, semantics: str, splits: str, wnids: Path | None, out: Path) -> None:
    """An attribute data set (Xian et al. 2017): FOLDER with res101.mat and att_splits.mat (MATLAB
    v5 or v7.3).

    \b
    graphzsl convert xlsa17 xlsa17/data/AWA2 --out awa2
    """
    from graphzsl.embeddings import read_xlsa17
    from graphzsl.hierarchy import wnids_where_named

    classes = wnids_where_named(wnids, argument="wnids") if wnids else None
    data = read_xlsa17(folder, semantics, splits, classes)
    data.save(out)
    note(said_of(data, out))


@command.command("gbu-imagenet")
@click.argument("features", type=INPUT)
@click.option("--vectors", type=INPUT, required=True, help="ImageNet_w2v.mat.")
@click.option("--splits", type=INPUT, required=True, help="ImageNet_splits.mat.")
@click.option(
    "--wnids",
    type=INPUT,
    help="The classes in the order of the vectors, where their file does not name them.",
)
@dataset_option
def gbu_imagenet(
    features: Path, vectors: Path, splits: Path, wnids: Path | None, out: Path
) -> None:
    """ImageNet as published (Xian et al. 2017): FEATURES is their HDF5 file.

    \b
    graphzsl convert gbu-imagenet features.h5 --vectors ImageNet_w2v.mat \\
      --splits ImageNet_splits.mat --out imagenet
    """
    from graphzsl.embeddings import read_gbu_imagenet
    from graphzsl.hierarchy import wnids_where_named

    classes = wnids_where_named(wnids, argument="wnids") if wnids else None
    data = read_gbu_imagenet(features, vectors, splits, classes)
    data.save(out)
    note(said_of(data, out))


@command.command()
@click.argument("store", type=INPUT)
@click.option(
    "--classes", type=INPUT, help="Class list: a GOZ pickle of plain data, or a text file."
)
@click.option("--per-class", type=Whole(1), help="Keep the first so many images of each class.")
@_samples_option
def goz(store: Path, classes: Path | None, per_class: int | None, out: Path) -> None:
    """GOZ's feature store: STORE is an HDF5 file with /images/<wnid>.

    \b
    graphzsl convert goz features.h5 --per-class 100 --out samples.npz
    """
    from graphzsl.data import save_samples
    from graphzsl.embeddings import read_goz, read_goz_classes
    from graphzsl.hierarchy import wnids_where_named

    names = None
    if classes:
        text = classes.suffix in (".txt", ".tsv", ".csv")
        names = (
            wnids_where_named(classes, argument="classes") if text else read_goz_classes(classes)
        )
    samples = read_goz(store, names, per_class)
    save_samples(samples, out)
    note(f"{len(samples.labels):,} samples of {len(set(samples.labels)):,} classes in {out}.")


@command.command()
@click.argument("graph", type=INPUT)
@click.option(
    "--split",
    type=INPUT,
    help="imagenet-split.json or imagenet-testsets.json: its lists become class sets of the graph.",
)
@_subgraph_option
@click.option(
    "--semantics",
    type=Written(".safetensors"),
    help="File of the node vectors to write (.safetensors).",
)
def dgp(graph: Path, split: Path | None, out: Path, semantics: Path | None) -> None:
    """DGP's induced graph: GRAPH is a JSON file with wnids, vectors and edges.

    \b
    graphzsl convert dgp graph.json --split imagenet-split.json --out graph
    """
    from dataclasses import replace

    from graphzsl.data import save_subgraph
    from graphzsl.embeddings import read_dgp_graph, read_dgp_split

    subgraph, vectors, missing = read_dgp_graph(graph)
    sets = read_dgp_split(split) if split else {}
    save_subgraph(replace(subgraph, class_sets=sets), out)
    if semantics:
        vectors.save(semantics)
    note(
        f"{len(subgraph.wnids):,} nodes, {subgraph.edge_index.shape[1]:,} edges in {out};"
        f" {len(missing):,} nodes have no vector."
    )


@command.command("dgp-classifiers")
@click.argument("pred", type=INPUT)
@click.option(
    "--out",
    type=Written(".safetensors"),
    required=True,
    help="Classifiers to write (.safetensors).",
)
def dgp_classifiers(pred: Path, out: Path) -> None:
    """Classifiers of DGP: PRED holds wnids and pred, and is read with weights_only.

    \b
    graphzsl convert dgp-classifiers pred.pt --out classifiers.safetensors
    """
    from graphzsl.embeddings import read_dgp_classifiers

    classifiers = read_dgp_classifiers(pred)
    classifiers.save(out)
    note(
        f"{len(classifiers.wnids):,} classifiers of {classifiers.values.shape[1] - 1:,} weights"
        f" and a bias in {out}."
    )


@command.command()
@click.argument("graph", type=INPUT)
@click.option("--nodes", type=INPUT, required=True, help="invdict_wordn.json: node number -> wnid.")
@click.option("--words", type=INPUT, help="invdict_wordntext.json: node number -> words.")
@click.option(
    "--classes",
    type=INPUT,
    help="corresp-*.json: its training and unseen classes become class sets.",
)
@_subgraph_option
def gcnz(graph: Path, nodes: Path, words: Path | None, classes: Path | None, out: Path) -> None:
    """GCNZ's graph: GRAPH is a pickle of plain data, parsed and never loaded. Its edges have no
    direction.

    \b
    graphzsl convert gcnz graph.pkl --nodes invdict_wordn.json --out graph
    """
    from dataclasses import replace

    from graphzsl.data import save_subgraph
    from graphzsl.embeddings import read_gcnz_graph, read_gcnz_unseen

    subgraph = read_gcnz_graph(graph, nodes, words)
    if classes:
        train, unseen = read_gcnz_unseen(classes, subgraph.wnids)
        subgraph = replace(subgraph, class_sets={"train": train, "unseen": unseen})
    save_subgraph(subgraph, out)
    note(
        f"{len(subgraph.wnids):,} nodes, {subgraph.edge_index.shape[1]:,} distinct edges in {out}."
    )


@command.command("class-head")
@click.argument("matrix", type=INPUT)
@click.option("--names", type=INPUT, help="One class per line, in the order of the columns.")
@click.option(
    "--out",
    type=Written(".safetensors", ".npz"),
    required=True,
    help="Classifiers to write (.safetensors), or .npz for the way back.",
)
def class_head(matrix: Path, names: Path | None, out: Path) -> None:
    """A CLIP-style class matrix [D, C] (.npy, .npz, .pt) into classifiers; or classifiers into an
    .npz that takes a CLIP head's place.

    \b
    graphzsl convert class-head clip-head.npy --names names.txt \\
      --out classifiers.safetensors
    """
    from graphzsl.data import CLASSIFIERS, ClassMatrix
    from graphzsl.embeddings import read_class_head, write_class_head

    if (matrix.suffix == ".safetensors") == (out.suffix == ".safetensors"):
        raise click.UsageError(
            f"{matrix.name} -> {out.name}: one is a class head, the other ends in .safetensors."
        )
    option_requires(
        "names",
        when=matrix.suffix != ".safetensors",
        needs="a class head; classifiers have their own names",
    )
    if matrix.suffix == ".safetensors":
        classifiers = ClassMatrix.load(matrix, CLASSIFIERS)
        write_class_head(classifiers, out)
    else:
        classifiers = read_class_head(matrix, names)
        classifiers.save(out)
    note(
        f"{len(classifiers.wnids):,} classes of {classifiers.values.shape[1] - 1:,} dimensions in"
        f" {out}."
    )


command.add_command(samples)
command.add_command(images)
command.add_command(classifiers.command)

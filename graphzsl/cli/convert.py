"""``graphzsl convert``: published formats into plain files, checked."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.common import INPUT, Real, Whole, effective, note, seed_option
from graphzsl.cli.computing import (
    backbone_options,
    device_option,
    images_at_once_option,
    scheduler_option,
    workers_option,
)
from graphzsl.cli.groups import Group
from graphzsl.cli.image_options import Images, image_options, workers_effective
from graphzsl.cli.paths import FileOrFolder, Folder, Written

_dataset_option = click.option(
    "--out", type=Folder("dataset"), required=True, help="Folder to write."
)
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
@_dataset_option
def xlsa17(folder: Path, semantics: str, splits: str, out: Path) -> None:
    """An attribute data set (Xian et al. 2017): FOLDER with res101.mat and att_splits.mat (MATLAB
    v5 or v7.3).

    \b
    graphzsl convert xlsa17 xlsa17/data/AWA2 --out awa2
    """
    from graphzsl.formats.xlsa17 import read_xlsa17

    data = read_xlsa17(folder, semantics, splits)
    data.save(out)
    note(_said(data, out))


@command.command("gbu-imagenet")
@click.argument("features", type=INPUT)
@click.option("--vectors", type=INPUT, required=True, help="ImageNet_w2v.mat.")
@click.option("--splits", type=INPUT, required=True, help="ImageNet_splits.mat.")
@click.option(
    "--wnids",
    type=INPUT,
    help="The classes in the order of the vectors, where their file does not name them.",
)
@_dataset_option
def gbu_imagenet(
    features: Path, vectors: Path, splits: Path, wnids: Path | None, out: Path
) -> None:
    """ImageNet as published (Xian et al. 2017): FEATURES is their HDF5 file.

    \b
    graphzsl convert gbu-imagenet features.h5 --vectors ImageNet_w2v.mat \\
      --splits ImageNet_splits.mat --out imagenet
    """
    from graphzsl.formats.gbu_imagenet import read_gbu_imagenet
    from graphzsl.hierarchy.resolver import wnids_where_named

    classes = wnids_where_named(wnids, argument="wnids") if wnids else None
    data = read_gbu_imagenet(features, vectors, splits, classes)
    data.save(out)
    note(_said(data, out))


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
    from graphzsl.data.samples import save_samples
    from graphzsl.formats.goz import read_goz, read_goz_classes
    from graphzsl.sources.imagenet import read_class_list

    names = None
    if classes:
        text = classes.suffix in (".txt", ".tsv", ".csv")
        names = (
            [wnid for _, wnid in read_class_list(classes)] if text else read_goz_classes(classes)
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

    from graphzsl.data.subgraph import save_subgraph
    from graphzsl.formats.dgp import read_dgp_graph, read_dgp_split

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
    from graphzsl.formats.dgp import read_dgp_classifiers

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

    from graphzsl.data.subgraph import save_subgraph
    from graphzsl.formats.gcnz import read_gcnz_graph, read_gcnz_unseen

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
    from graphzsl.data.class_matrix import CLASSIFIERS, ClassMatrix
    from graphzsl.formats.class_heads import read_class_head, write_class_head

    if (matrix.suffix == ".safetensors") == (out.suffix == ".safetensors"):
        raise click.UsageError(
            f"{matrix.name} -> {out.name}: one is a class head, the other ends in .safetensors."
        )
    effective(
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


@command.command()
@click.argument("samples", type=INPUT)
@click.option("--semantics", type=INPUT, required=True, help="Class embeddings (.safetensors).")
@click.option("--train", type=INPUT, required=True, help="Training classes, one per line.")
@click.option("--test", type=INPUT, required=True, help="Unseen classes, one per line.")
@click.option(
    "--held-out",
    type=Real(0, 1, max_open=True),
    default=0.2,
    show_default=True,
    help="Share of each training class's samples kept for the test.",
)
@seed_option("Seed of that choice.")
@_dataset_option
def samples(
    samples: Path, semantics: Path, train: Path, test: Path, held_out: float, seed: int, out: Path
) -> None:
    """Your own samples (SAMPLES: .npz or .parquet with features and labels) and class embeddings
    into a data set.

    \b
    graphzsl convert samples features.npz --semantics glosses.safetensors \\
      --train seen.txt --test unseen.txt --out dataset
    """
    from graphzsl.data.class_matrix import EMBEDDINGS, ClassMatrix
    from graphzsl.data.dataset import with_parts
    from graphzsl.data.samples import load_samples
    from graphzsl.sources.imagenet import read_names

    loaded = load_samples(samples)
    lists = [read_names(path) for path in (train, test)]
    data = with_parts(
        loaded,
        ClassMatrix.load(semantics, EMBEDDINGS),
        lists[0],
        {"test": lists[1]},
        loaded.metadata,
        held_out,
        seed,
    )
    data.save(out)
    note(_said(data, out))


@command.command()
@click.argument("source", type=Images())
@image_options
@backbone_options
@images_at_once_option
@workers_option
@device_option
@click.option(
    "--part",
    type=Whole(1),
    default=4096,
    show_default=True,
    help="Images per file of a folder, in whole batches; a webdataset has a file per shard.",
)
@scheduler_option
@click.option(
    "--out",
    type=FileOrFolder(".npz"),
    required=True,
    help="What to write: .npz, which is held in memory first, or a folder of Parquet files.",
)
def images(
    source: str,
    split: str | None,
    image_key: str | None,
    label_key: str | None,
    model: str,
    checkpoint: Path | None,
    pretrained: bool,
    batch: int,
    workers: int,
    device: str,
    part: int,
    scheduler: str | None,
    out: Path,
) -> None:
    """Features of the images of SOURCE through a timm model.

    SOURCE is a folder with one folder of images per class, a .tar of such folders, a folder of
    tars, wds/FOLDER (shards of a webdataset), or hfds/NAME (a data set of Hugging Face).

    A folder as --out is written part by part, and never whole in memory. The same command goes on
    where it was stopped; with --scheduler processes of Dask write the parts. Whatever takes
    features takes the folder.

    \b
    graphzsl convert images val --model resnet50 --out features.npz
    graphzsl convert images wds/shards --model resnet50 --out features.npz
    graphzsl convert images train --model resnet50 --scheduler local:8 \\
      --out features
    """
    from graphzsl.compute import Compute
    from graphzsl.data.samples import save_samples
    from graphzsl.extras import EXTRAS, require
    from graphzsl.features.image_readers import require_reader

    require_reader(source)
    require(*EXTRAS["images"])
    from graphzsl.features.feature_parts import Extraction, extract
    from graphzsl.features.image_readers import check_source
    from graphzsl.features.images import image_features

    effective("pretrained", when=checkpoint is None, needs="the command without --checkpoint")
    effective("part", "scheduler", when=not out.suffix, needs="a folder as --out")
    effective("workers", when=scheduler is None, needs="the command without --scheduler")
    workers_effective(source)
    check_source(source, split=split, image_key=image_key, label_key=label_key)
    keys = {"split": split, "image_key": image_key, "label_key": label_key}
    if not out.suffix:
        made_of = Extraction(
            source, model, checkpoint, pretrained, batch, part, workers, device, keys
        )
        folder = extract(made_of, out, scheduler)
        note(f"{folder.borders[-1]:,} images, {folder.dimensions:,} dimensions in {out}.")
        return
    samples = image_features(
        source,
        model,
        checkpoint,
        pretrained=pretrained,
        batch=batch,
        workers=workers,
        where=Compute(device),
        **keys,
    )
    save_samples(samples, out)
    note(f"{len(samples.labels):,} images, {samples.features.shape[1]:,} dimensions in {out}.")


def _said(data, out: Path) -> str:  # type: ignore[no-untyped-def]
    parts = {
        part: int((data.parts == part).sum()) for part in ("train", "test_seen", "test_unseen")
    }
    tests = ", ".join(f"{name} {len(members):,}" for name, members in data.tests.items())
    return (
        f"{len(data.train):,} training classes, unseen: {tests}; samples: {parts['train']:,} to"
        f" train on, {parts['test_seen']:,} of seen and {parts['test_unseen']:,} of unseen classes"
        f" to test; {data.semantics.values.shape[1]:,} semantic dimensions; in {out}."
    )

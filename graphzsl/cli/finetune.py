"""``graphzsl finetune``: a timm backbone fitted to predicted classifiers."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.groups import Command
from graphzsl.cli.options import (
    backbone_options,
    batch_option,
    classifiers_option,
    compute_options,
    image_options,
    option,
    option_requires,
    out_option,
    seed_option,
    workers_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import Images, Real, Whole, Written


@click.command(cls=Command)
@click.argument("source", type=Images())
@image_options
@classifiers_option(
    "of the training classes (.safetensors), as a graph model predicts them", required=True
)
@backbone_options
@option("--epochs", Whole(1), 1, "Passes over the images.")
@option("--lr", Real(0, min_open=True), 1e-4, "Learning rate of SGD.")
@batch_option("images of a step, of all processes together", 64)
@workers_option("read and decode images", 0)
@seed_option()
@compute_options
@out_option(Written(".pt"), "Weights to write (.pt), for `convert images --checkpoint`.")
def command(
    source: str,
    split: str | None,
    image_key: str | None,
    label_key: str | None,
    classifiers: Path,
    model: str,
    checkpoint: Path | None,
    random: bool,
    epochs: int,
    lr: float,
    batch: int,
    workers: int,
    seed: int,
    device: str,
    precision: str,
    out: Path,
) -> None:
    """Fine-tune a backbone on the images of SOURCE against fixed predicted classifiers.

    SOURCE is a folder with one folder of images per class, a .tar of such folders, a folder of
    tars, or hfds/NAME (a data set of Hugging Face). The classifiers stay as a graph model predicted
    them; the trunk learns features that fit them (Kampffmeyer et al. 2019).

    \b
    graphzsl finetune train --classifiers classifiers.safetensors \\
      --model resnet50 --epochs 2 --out resnet50.pt
    """
    from graphzsl.common import EXTRAS, Compute, require
    from graphzsl.data import CLASSIFIERS, ClassMatrix
    from graphzsl.embeddings import check_source, open_images, require_reader

    require_reader(source)
    require(*EXTRAS["images"])
    from graphzsl.embeddings import backbone, fine_tune, is_first

    option_requires("random", when=checkpoint is None, needs="the command without --checkpoint")
    check_source(source, split=split, image_key=image_key, label_key=label_key)
    # what is quickly known first: to list the images can take long
    where, rows = Compute(device, precision), ClassMatrix.load(classifiers, CLASSIFIERS)
    network = backbone(model, checkpoint, not random)
    found = open_images(source, split=split, image_key=image_key, label_key=label_key)
    losses = fine_tune(
        found,
        network,
        rows,
        out,
        epochs=epochs,
        lr=lr,
        batch=batch,
        workers=workers,
        seed=seed,
        where=where,
    )
    if not is_first():
        return
    note(f"mean loss per epoch: {', '.join(f'{loss:.4f}' for loss in losses)}; weights in {out}.")

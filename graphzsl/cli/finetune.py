"""``graphzsl finetune``: a timm backbone fitted to predicted classifiers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphzsl import data, embeddings
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
from graphzsl.cli.types import IMAGES, Real, Whole, Written
from graphzsl.common import EXTRAS, require


@click.command(cls=Command)
@click.argument("source", type=IMAGES)
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
    classifiers: Path,
    model: str,
    checkpoint: Path | None,
    random: bool,
    device: str,
    precision: str,
    out: Path,
    split: str | None,
    image_key: str | None,
    label_key: str | None,
    **how: Any,
) -> None:
    """Fine-tune a backbone on the images of SOURCE against fixed predicted classifiers.

    SOURCE is a folder with one folder of images per class, a .tar of such folders, a folder of
    tars, or hfds/NAME (a data set of Hugging Face). The classifiers stay as a graph model predicted
    them; the trunk learns features that fit them (Kampffmeyer et al. 2019).

    \b
    graphzsl finetune train --classifiers classifiers.safetensors \\
      --model resnet50 --epochs 2 --out resnet50.pt
    """
    from graphzsl.common import Compute

    embeddings.require_reader(source)
    require(*EXTRAS["images"])
    option_requires("random", when=checkpoint is None, needs="the command without --checkpoint")
    keys = {"split": split, "image_key": image_key, "label_key": label_key}
    embeddings.check_source(source, **keys)
    # what is quickly known first: to list the images can take long
    where, rows = Compute(device, precision), data.ClassMatrix.load(classifiers, data.CLASSIFIERS)
    network = embeddings.backbone(model, checkpoint, not random)
    found = embeddings.open_images(source, **keys)
    losses = embeddings.fine_tune(found, network, rows, out, where=where, **how)
    if not embeddings.is_first():
        return
    note(f"mean loss per epoch: {', '.join(f'{loss:.4f}' for loss in losses)}; weights in {out}.")

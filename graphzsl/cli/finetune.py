"""``graphzsl finetune``: a timm backbone fitted to predicted classifiers."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.common import INPUT, Real, effective, note, seed_option
from graphzsl.cli.computing import backbone_options, compute_options
from graphzsl.cli.groups import Command
from graphzsl.cli.paths import Written


@click.command(cls=Command)
@click.argument("folder", type=INPUT)
@click.option(
    "--classifiers",
    type=INPUT,
    required=True,
    help="Classifiers of the training classes (.safetensors), as a graph model predicts them.",
)
@backbone_options
@click.option(
    "--epochs", type=click.IntRange(1), default=1, show_default=True, help="Passes over the images."
)
@click.option(
    "--lr",
    type=Real(0, min_open=True),
    default=1e-4,
    show_default=True,
    help="Learning rate of SGD.",
)
@click.option(
    "--batch", type=click.IntRange(1), default=64, show_default=True, help="Images per step."
)
@seed_option("Seed of order and crops.")
@compute_options
@click.option(
    "--out",
    type=Written(".pt"),
    required=True,
    help="Weights to write (.pt), for `convert images --checkpoint`.",
)
def command(
    folder: Path,
    classifiers: Path,
    model: str,
    checkpoint: Path | None,
    pretrained: bool,
    epochs: int,
    lr: float,
    batch: int,
    seed: int,
    device: str,
    precision: str,
    out: Path,
) -> None:
    """Fine-tune a backbone on FOLDER/<class>/ images against fixed predicted classifiers.

    The classifiers stay as a graph model predicted them; the trunk learns features that fit them
    (Kampffmeyer et al. 2019).

    \b
    graphzsl finetune train --classifiers classifiers.safetensors \\
      --model resnet50 --epochs 2 --out resnet50.pt
    """
    from graphzsl.compute import Compute
    from graphzsl.data.class_matrix import CLASSIFIERS, ClassMatrix
    from graphzsl.extras import EXTRAS, require

    require(*EXTRAS["images"])
    from graphzsl.features.images import backbone, fine_tune

    effective("pretrained", when=checkpoint is None, needs="the command without --checkpoint")
    losses = fine_tune(
        folder,
        backbone(model, checkpoint, pretrained),
        ClassMatrix.load(classifiers, CLASSIFIERS),
        out,
        epochs=epochs,
        lr=lr,
        batch=batch,
        seed=seed,
        where=Compute(device, precision),
    )
    note(f"mean loss per epoch: {', '.join(f'{loss:.4f}' for loss in losses)}; weights in {out}.")

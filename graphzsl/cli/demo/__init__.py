"""``graphzsl demo``: the whole way on real data."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.connection import settings
from graphzsl.cli.groups import Command
from graphzsl.cli.options import out_option, semantics_option
from graphzsl.cli.types import INPUT, Folder, Whole
from graphzsl.common import EXTRAS, require

#: A command of `graphzsl semantics` -> what files written with it call their semantics.
SEMANTICS = {"sentences": "text", "lsi": "glosses"}


@click.command(cls=Command)
@out_option(Folder(), "Folder for everything that is written.", default=Path("runs/demo"))
@click.option(
    "--full",
    is_flag=True,
    help=(
        "10 seeds, the paper's GCN (2048 hidden units, up to 3,000 epochs), and all models predict"
        " all 20,842 unseen classes: hours on 2 cores."
    ),
)
@semantics_option(
    "a sentence encoder's, or latent semantic indexing of the glosses, which is weaker and needs no"
    " encoder",
    "sentences",
    kind=click.Choice(list(SEMANTICS)),
)
@click.option("--seeds", type=Whole(1), help="Number of seeds (default 3; --full 10).")
@click.option(
    "--image-features",
    type=INPUT,
    help=(
        "An .npz with wnids [C], features [C, D] and classifier [C, D+1] of one network: a second"
        " check, on real images."
    ),
)
def command(
    out: Path, full: bool, semantics: str, seeds: int | None, image_features: Path | None
) -> None:
    """Real WordNet, real ImageNet classes, a real classifier and a real sentence encoder, end to
    end.

    Loads the graph, builds hop splits, hides 200 of the 1,000 classes, one by one and as whole
    branches of the hierarchy, and scores six models on them; then predicts classifiers for the
    1,548 unseen classes of hops-1. Minutes on 2 cores; a second run keeps what is there.

    \b
    graphzsl demo
    graphzsl demo --semantics lsi --seeds 1 --out runs/quick
    """
    from dataclasses import replace

    from graphzsl.cli.demo.steps import FULL, Scale

    encoder = EXTRAS["text"] if semantics == "sentences" else ()
    require(*EXTRAS["models"], *EXTRAS["demo"], *encoder, extra="demo")
    from graphzsl.cli.demo.tour import run_demo

    scale = replace(FULL if full else Scale(), semantics=SEMANTICS[semantics])
    run_demo(settings(), out, replace(scale, seeds=seeds) if seeds else scale, image_features)

"""``graphzsl evaluate audit``: predictions from outside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphzsl.cli.common import INPUT, effective
from graphzsl.cli.evaluate.group import command
from graphzsl.cli.evaluate.result import (
    check_valid_set,
    evaluated,
    evaluation_options,
    missing_option,
)


@command.command()
@click.argument("predictions", type=INPUT)
@click.option(
    "--candidates",
    help=(
        "What the classifier chooses from: a file of classes, or a list by name, e.g. ilsvrc2012"
        " (default: the names in a table)."
    ),
)
@click.option(
    "--numbered",
    is_flag=True,
    help="Classes in a table are positions from 0 in the candidates, as networks number them.",
)
@click.option(
    "--train",
    help=(
        "Training classes, a file or a list by name: for groups by hops, and the generalized"
        " setting."
    ),
)
@click.option("--name", help="What to call the classifier (default: the file's name).")
@click.option(
    "--simulated", is_flag=True, help="Say in the result that the predictions are simulated."
)
@missing_option
@evaluation_options
def audit(
    predictions: Path,
    candidates: str | None,
    numbered: bool,
    train: str | None,
    name: str | None,
    simulated: bool,
    missing: str,
    out: Path,
    output_format: str | None,
    **against: Any,
) -> None:
    """Evaluate any classifier by its PREDICTIONS: a CLIP model, a softmax network, anything.

    \b
    .npz     scores [N, C], classes [C], labels [N]: names, or positions of them
    a table  the true class, then the predicted ones, best first; comma or tab
    a table with a header (none of its cells is a class)
             columns label (or true, truth, target, wnid) and top1, top2, …
             (or prediction, pred, first, second, …); others are skipped

    \b
    graphzsl evaluate audit clip.csv --wordnet wordnet --train ilsvrc2012 \\
      --out clip.json
    """
    from dataclasses import replace

    from graphzsl.evaluation.prediction_files import read_predictions
    from graphzsl.sources.imagenet import named_classes

    if numbered and not candidates:
        raise click.UsageError("--numbered needs --candidates: what the numbers count.")
    effective("numbered", when=predictions.suffix != ".npz", needs="a table of predictions")
    check_valid_set(against)
    seen = named_classes(train) if train else []
    outside = read_predictions(
        predictions, named_classes(candidates) if candidates else None, seen, numbered, missing
    )
    effective(
        "train",
        when=against["wordnet"] or outside.seen,
        needs="--wordnet, for groups by hops, or training classes among the candidates",
    )
    outside = replace(outside, metadata={**outside.metadata, "simulated": simulated})
    evaluated(outside, {"model": name or predictions.stem}, seen, out, output_format, **against)

"""``graphzsl study granularity hedge``: answers that give up detail for being right."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl import analysis, metrics, reports
from graphzsl.cli.classes import read_hierarchy
from graphzsl.cli.granularity.group import command
from graphzsl.cli.options import (
    figure_option,
    hierarchy_folder_option,
    option_requires,
    out_option,
    output_options,
)
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import INPUT, Real, Written
from graphzsl.common import DataError, require, step, write_json_lines

if TYPE_CHECKING:
    from graphzsl.hierarchy import Hierarchy
    from graphzsl.metrics import HedgingCurve

#: Rows of the table, where no accuracy is asked for.
ROWS = 11


@command.command()
@click.argument("scores", type=INPUT)
@click.option(
    "--accuracy",
    type=Real(0, 1),
    multiple=True,
    help="A share of right answers to reach; repeat it (default: from what the most informative"
    f" answers reach to 1, {ROWS} of them).",
)
@click.option(
    "--validation",
    type=INPUT,
    help="Scores of other samples (.npz), from which lambda is taken (default: from SCORES).",
)
@click.option(
    "--softmax", is_flag=True, help="Make probabilities of the scores, which may be of any size."
)
@hierarchy_folder_option
@out_option(
    Written(".jsonl"),
    "JSON lines to write (.jsonl): the answer for each sample. Needs one --accuracy.",
    required=False,
)
@figure_option("the whole curve")
@output_options
def hedge(
    scores: Path,
    accuracy: tuple[float, ...],
    validation: Path | None,
    softmax: bool,
    wordnet: Path | str,
    out: Path | None,
    figure: Path | None,
    output_format: str,
) -> None:
    """The accuracy–specificity trade-off: answers as specific as they can be for a share of right
    ones (Deng et al. 2012).

    SCORES is .npz with probabilities scores [N, C], classes [C] and labels [N] of any classifier.
    An answer is a class or a node above some; it is right if it is the true class or above it, and
    then worth its information: -log2 of the share of the classes' leaves that are it or lie below.
    The answer is the node with the largest (information + lambda) x probability; lambda is the
    smallest that reaches the accuracy. It is to hold for new samples only where --validation gives
    others than SCORES.

    \b
    graphzsl study granularity hedge scores.npz --figure tradeoff.svg
    graphzsl study granularity hedge scores.npz --validation held-out.npz \\
      --accuracy 0.9 --out answers.jsonl
    """
    option_requires("out", when=len(accuracy) == 1, needs="one --accuracy")
    if figure:
        require("matplotlib")
    values, classes, labels = analysis.read_scores(scores)
    others = analysis.read_scores(validation) if validation else (values, classes, labels)
    for path, found in ((scores, labels), (validation or scores, others[2])):
        if not found:
            raise DataError(
                f"{path}: there are no labels [N], and answers are right by them. Add them."
            )
    hierarchy = read_hierarchy(wordnet)
    with step(f"answers for {len(values):,} samples"):
        curve = chosen = _curve(scores, hierarchy, (values, classes, labels), softmax)
        if validation:
            chosen = _curve(validation, hierarchy, others, softmax)
    rows = [
        _row(curve, chosen.weight_for(each), each) for each in accuracy or _even(chosen.accuracy[0])
    ]
    emit(rows, output_format)
    if out:
        answers = metrics.hedge(hierarchy, values, classes, rows[0]["lambda"], softmax=softmax)
        write_json_lines(
            out,
            ({"answer": wnid, "name": hierarchy.names.get(wnid)} for wnid in answers),
        )
        note(f"{len(answers):,} answers: {out}.")
    if figure:
        reports.draw_tradeoff(curve.accuracy, curve.information, rows, figure, scores.stem)
        note(f"The picture is {figure}.")


def _curve(
    path: Path, hierarchy: Hierarchy, read: tuple[Any, list[str], list[str]], softmax: bool
) -> HedgingCurve:
    """Compute the curve of the scores read from a file; raises DataError in the words of that
    file."""
    values, classes, labels = read
    try:
        return metrics.hedging_curve(hierarchy, labels, values, classes, softmax=softmax)
    except DataError as error:
        said = re.sub("^y_true", "labels", error.message)
        mends = error.argument == "softmax"
        raise DataError(
            f"{path}: {said}",
            argument=error.argument if mends else None,
            value=error.value if mends else None,
        ) from None


def _row(curve: HedgingCurve, weight: float, wanted: float) -> dict[str, Any]:
    return {"wanted": wanted, "lambda": weight, **curve.at(weight)._asdict()}


def _even(least: float) -> list[float]:
    """Accuracies from the least to 1, each as far from the next."""
    return [float(least + (1 - least) * place / (ROWS - 1)) for place in range(ROWS)]

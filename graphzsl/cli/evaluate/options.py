"""Options of every command that evaluates, and the evaluation of predictions that are at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl import audit
from graphzsl.cli.classes import list_entries
from graphzsl.cli.evaluation_page import show_evaluation
from graphzsl.cli.options import (
    LISTED,
    bootstrap_options,
    classifiers_option,
    features_option,
    given_hierarchy,
    lengths_option,
    out_option,
    output_options,
    together,
    valid_option,
    wordnet_where_wnids_option,
)
from graphzsl.cli.types import INPUT, NONE, Written
from graphzsl.common import DataError

if TYPE_CHECKING:
    from graphzsl.audit import Predictions


def evaluation_options(required: bool = True) -> Callable[..., Any]:
    """Options that every evaluation takes; ``required`` says whether it must write a file."""
    return together(
        wordnet_where_wnids_option(
            ", for parents and children, lowest common ancestors, hp@k, groups by"
            " hops and population"
        ),
        click.option(
            "--hcorrect",
            type=INPUT,
            help="Folder of `graphzsl export hcorrect`: its hCorrectSets for hp@k.",
        ),
        valid_option(
            f"{LISTED}, or devise: candidates and training classes (default: the candidates)"
        ),
        lengths_option(
            "of hit@k and hp@k, at most 20 and less than the candidates (default: 1,2,5,10,20, and"
            " the length of lists; of these the table shows 1, 5 and that length)",
            None,
        ),
        bootstrap_options(2000),
        out_option(
            Written(".json", kind="evaluation"),
            "The JSON file to write; RUN.samples.parquet and RUN.classes.parquet go beside it.",
            required=required,
        ),
        click.option(
            "--classes-table",
            type=Written(".parquet", ".csv"),
            help="Where the table of classes goes instead of RUN.classes.parquet (.parquet or"
            " .csv).",
        ),
        output_options,
    )


#: Options that say which samples a model scores.
sample_options = together(
    features_option(),
    click.option(
        "--center-features",
        is_flag=True,
        help="Subtract the mean of the training classes' samples in that file.",
    ),
    classifiers_option("each class's true row is scored as its sample, in place of --features"),
)
simulated_option = click.option(
    "--simulated", is_flag=True, help="Say in the result that the predictions are simulated."
)


def check_valid_set(against: dict[str, Any], train: list[str] | None = None) -> None:
    """The library's check of the valid set, with the name of the option."""
    hierarchy = given_hierarchy(against["wordnet"])
    try:
        audit.check_valid_set(against["valid"], hierarchy, against["hcorrect"], train)
    except DataError as error:
        raise click.UsageError(f"--valid: {error}") from None


def evaluated(
    predictions: Predictions,
    manifest: dict[str, Any],
    train: list[str],
    out: Path,
    output_format: str,
    *,
    wordnet: Path | str | None,
    classes_table: Path | None = None,
    hcorrect: Path | None,
    valid: str | None,
    rounds: int,
    level: float,
    seed: int,
    k: list[int] | None = None,
) -> None:
    """Evaluate predictions, write RUN.json with its tables, and print the metrics."""
    from dataclasses import replace

    prepared = audit.prepare(
        replace(predictions, source={**manifest, "train": train}),
        wordnet=given_hierarchy(wordnet),
        hcorrect=hcorrect,
        valid=list_entries(valid, "valid") if valid and valid != audit.DEVISE else valid,
    )
    given = {"valid": valid, "wordnet": prepared.hierarchy or NONE, "hcorrect": hcorrect}
    check_valid_set(given, train)
    run = prepared.evaluate(rounds=rounds, confidence=level, seed=seed, k=k)
    run.save(out, classes_table)
    show_evaluation(run, output_format, out, k)

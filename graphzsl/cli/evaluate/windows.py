"""``graphzsl evaluate windows``: accuracy within windows of classes, and its correlation with the
property that orders them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl import analysis, audit, data, hierarchy, reports
from graphzsl.cli.classes import list_entries
from graphzsl.cli.connection import database
from graphzsl.cli.evaluate.group import command
from graphzsl.cli.evaluate.options import sample_options
from graphzsl.cli.options import (
    LISTED,
    bootstrap_options,
    figure_option,
    option_requires,
    out_option,
    output_options,
    size_option,
    train_option,
    window_step_option,
    wordnet_option,
)
from graphzsl.cli.output import is_table, keep, note, note_thin_tails, show
from graphzsl.cli.types import INPUT, WORDNET, Written
from graphzsl.common import require

if TYPE_CHECKING:
    from graphzsl.data import Window
#: Columns of a table for people, as many as 80 characters hold; one model is named below it.
COLUMNS = ("model", "window", "mean", "classes", "hit@1", "low", "high", "structural_ratio")


@command.command()
@click.argument("models", nargs=-1, required=True, type=INPUT)
@sample_options
@click.option(
    "--by",
    help=(
        "What the windows are ordered by: ratio, train-distance or population (with --wordnet), or"
        " a wnid,value file such as frequencies."
    ),
)
@click.option(
    "--windows",
    "given",
    type=INPUT,
    help="Windows of `split windows --out`, or a folder of lists, one .txt file per window.",
)
@click.option(
    "--stored",
    multiple=True,
    help="Windows stored in the database by `split windows --store`: NAME-BY; repeat it.",
)
@size_option("of the windows that are cut here", 100)
@window_step_option
@wordnet_option(", for --by, and to add the windows' own structural ratio", default=None)
@train_option(f"{LISTED} (default: those of the first model)", None)
@figure_option("accuracy against the property")
@click.option(
    "--log/--linear",
    "logarithmic",
    default=None,
    help="Scale of the property (default: log for population and files).",
)
@out_option(
    Written(".json", kind="windows"),
    "The JSON file to write: windows, rows, correlations, provenance.",
)
@bootstrap_options(2000)
@output_options
def windows(
    models: tuple[Path, ...],
    given: Path | None,
    stored: tuple[str, ...],
    wordnet: Path | str | None,
    train: str | None,
    figure: Path | None,
    logarithmic: bool | None,
    out: Path,
    rounds: int,
    level: float,
    output_format: str,
    **how: Any,
) -> None:
    """Accuracy of MODELS on windows of 100 classes in the order of a property, and its correlation
    with the property.

    MODELS are folders of `graphzsl train`, or .npz files with scores [N, C], classes [C] and labels
    [N] of any classifier. The candidates of a window are its classes alone. Windows are cut here
    (--by), read (--windows) or stored (--stored). Hascoet et al. (2019): word frequency in figure 3
    (r = 0.89 linear, 0.74 GCN), population in figure 5, structural ratio in figure 9. A table shows
    the main columns; the other formats have all.

    \b
    graphzsl evaluate windows linear sgcn --features test.npz --by population \\
      --wordnet whole --figure w.svg --out w.json
    """
    from graphzsl.models import evaluate_windows

    _check_options(click.get_current_context().params)
    if figure:
        require("matplotlib")
    evaluation = evaluate_windows(
        models,
        windows=_stored(stored) if stored else data.read_windows(given) if given else None,
        hierarchy=audit.load_hierarchy(wordnet) if wordnet else None,
        train=hierarchy.wnids_where_named(list_entries(train, "train"), argument="train")
        if train
        else None,
        rounds=rounds,
        level=level,
        **how,
    )
    evaluation.save(out)
    if figure:
        reports.draw(evaluation.rows(), evaluation.document["by"], logarithmic, level, figure)
        note(f"The picture is {figure}.")
    rows = evaluation.rows()
    keep(rows)
    shown = [name for name in COLUMNS if name in rows[0] and (models[1:] or name != "model")]
    show(rows, output_format, shown if is_table(output_format) else None)
    note_thin_tails(rounds, level)
    for line in evaluation.notes():
        note(line)


def _check_options(options: Mapping[str, Any]) -> None:
    """Raise UsageError where windows or samples are not clear, or an option has no effect."""
    given, stored = options["given"] is not None, bool(options["stored"])
    if (given and stored) or not (options["by"] or given or stored):
        raise click.UsageError("Give --by to cut windows here, or one of --windows and --stored.")
    measured = options["by"] in ("ratio", "train-distance", "population")
    if measured and options["wordnet"] is None:
        raise click.UsageError(
            f"--by {options['by']} needs --wordnet: wordnet, or a folder of `graphzsl export"
            " subgraph --whole`."
        )
    if options["by"] == "population" and options["wordnet"] == WORDNET:
        raise click.UsageError(
            "--by population needs another --wordnet: WordNet's own files know no populations. Run"
            " `graphzsl load populations` and `graphzsl export subgraph --whole --out whole`, and"
            " give --wordnet whole."
        )
    folders = [path for path in options["models"] if path.suffix != ".npz"]
    option_requires(
        "features", "classifiers", when=folders, needs="a model; an .npz has its own scores"
    )
    if folders and (options["features"] is None) == (options["classifiers"] is None):
        raise click.UsageError(
            f"{folders[0]} is a model: give one of --features and --classifiers."
        )
    option_requires("center_features", when=options["features"], needs="--features")
    cut = not given and not stored
    option_requires("size", "step", when=cut, needs="windows that are cut here, with --by alone")
    option_requires("logarithmic", when=options["figure"], needs="--figure")


def _stored(names: tuple[str, ...]) -> list[Window]:
    return analysis.stored_windows(database(), names)

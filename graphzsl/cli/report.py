"""``graphzsl report``: runs as one page."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl import reports
from graphzsl.cli.groups import Command
from graphzsl.cli.options import (
    given_hierarchy,
    out_option,
    title_option,
    wordnet_where_wnids_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import INPUT, Folder, Written
from graphzsl.common import counted, require, step


@click.command(cls=Command)
@click.argument("runs", nargs=-1, required=True, type=INPUT)
@out_option(Written(".html"), "The HTML file to write.", default=Path("report.html"))
@title_option("of the page", "Zero-shot evaluation")
@click.option(
    "--figures",
    type=Folder(),
    help=(
        "Write the plots to this folder, too, and each shown model's accuracy over the hierarchy"
        " (icicle-MODEL): .svg and .png for a paper, by matplotlib."
    ),
)
@click.option(
    "--table",
    type=Written(".tex", ".csv", ".md"),
    help=(
        "Write the table of models to this file, too: mean ± deviation with the best in bold for a"
        " paper (.tex, .md), or every number (.csv)."
    ),
)
@wordnet_where_wnids_option(", of the icicle and of the ways between confused classes")
def command(
    runs: tuple[Path, ...],
    out: Path,
    title: str,
    figures: Path | None,
    table: Path | None,
    wordnet: Path | str | None,
) -> None:
    """One self-contained HTML page that explains RUNS (JSON files of `graphzsl evaluate`, or
    folders of them).

    A table with significance, curves, accuracy by hops, population and depth, the seen-unseen
    curve, accuracy over the hierarchy, classes, confusions, and every two models compared. What
    the files do not hold is left out, and stderr and the page say so: classes and confusions are
    in RUN.classes.parquet and RUN.samples.parquet, beside the JSON. Of a folder, what is not a run
    (windows, manifests) is passed over.

    \b
    graphzsl report runs --out report.html --title "Hidden classes"
    graphzsl report runs --figures figures --table table.tex
    """
    if figures is not None:
        require("matplotlib")
    files, passed = reports.runs_in(runs)
    given = given_hierarchy(wordnet)
    made_by = reports.command_of(runs, out, title, given)
    report = reports.report_of(reports.read_files(files), title, given, made_by)
    report.save(out)
    also = f" {passed:,} JSON files that are not runs were passed over." if passed else ""
    note(f"{counted(len(files), 'run')} in {out}.{also}")
    if table is not None:
        report.save_table(table)
        models = sum(len(task.entries) for task in report.tasks)
        note(f"{counted(models, 'model')} of {counted(len(report.tasks), 'question')} in {table}.")
    if figures is not None:
        with step("drawing figures"):
            written = report.write_figures(figures)
        note(f"{counted(len(written), 'figure')} in {figures}.")

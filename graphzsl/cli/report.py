"""``graphzsl report``: runs as one page."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.common import INPUT, note
from graphzsl.cli.groups import Command
from graphzsl.cli.paths import Written
from graphzsl.wording import counted


@click.command(cls=Command)
@click.argument("runs", nargs=-1, required=True, type=INPUT)
@click.option(
    "--out",
    type=Written(".html"),
    default=Path("report.html"),
    show_default=True,
    help="The HTML file to write.",
)
@click.option("--title", default="Zero-shot evaluation", show_default=True)
def command(runs: tuple[Path, ...], out: Path, title: str) -> None:
    """One self-contained HTML page with the table and plots of RUNS (JSON files of `graphzsl
    evaluate`, or folders of them).

    Of a folder, what is not a run (windows, manifests) is passed over.

    \b
    graphzsl report runs --out report.html --title "Hidden classes"
    """
    from graphzsl.extras import is_installed
    from graphzsl.reports import NO_PLOTS, is_run, write_report

    inside = [file for run in runs if run.is_dir() for file in sorted(run.rglob("*.json"))]
    results = [file for file in inside if is_run(file)]
    written = write_report([*(run for run in runs if not run.is_dir()), *results], out, title)
    passed = (
        f" {len(inside) - len(results):,} JSON files that are not runs were passed over."
        if len(results) < len(inside)
        else ""
    )
    note(f"{counted(written, 'run')} in {out}.{passed}")
    if not is_installed("matplotlib"):
        note(NO_PLOTS)

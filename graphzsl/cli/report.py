"""``graphzsl report``: runs as one page."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl.cli.common import INPUT, note
from graphzsl.cli.paths import Written


@click.command()
@click.argument("runs", nargs=-1, required=True, type=INPUT)
@click.option(
    "--out", type=Written(".html"), default=Path("report.html"), show_default=True, help="The HTML file to write."
)
@click.option("--title", default="Zero-shot evaluation", show_default=True)
def command(runs: tuple[Path, ...], out: Path, title: str) -> None:
    """One self-contained HTML page with the table and plots of RUNS (JSON files of `graphzsl evaluate`, or folders of them)."""
    from graphzsl.report import write_report

    files = [file for run in runs for file in (sorted(run.rglob("*.json")) if run.is_dir() else [run])]
    note(f"{write_report(files, out, title)} runs in {out}.")

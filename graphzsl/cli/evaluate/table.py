"""``graphzsl evaluate table``: models × metrics of finished runs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from graphzsl import reports
from graphzsl.cli.evaluate.group import command
from graphzsl.cli.options import output_options
from graphzsl.cli.output import is_table, keep, note, show
from graphzsl.cli.types import INPUT
from graphzsl.common import counted, step

#: Columns of a terminal that names of models take at most before they are wrapped.
NAME = 24


@command.command()
@click.argument("runs", nargs=-1, required=True, type=INPUT)
@output_options
def table(runs: tuple[Path, ...], output_format: str) -> None:
    """Models × metrics of RUNS: means over seeds with their spread, the best marked.

    RUNS are JSON files of `graphzsl evaluate`, or folders of them. ★ is the best of a column, ≈
    does not differ significantly from it; the lines below a table name the test. ± is the standard
    deviation over seeds; where seeds draw the classes, an interval over all of them takes its
    place. Runs of different questions stand in tables of their own. A table shows the usual
    metrics. The other formats have all metrics, shares as fractions: hit@1, behind it hit@1 sd,
    hit@1 interval (of a single run, or over the classes drawn) and hit@1 mark (best, alike,
    untested). `graphzsl report RUNS --table table.tex` writes the same numbers for a paper.

    \b
    graphzsl evaluate table runs
    graphzsl evaluate table eszsl.json sae.json --format csv
    """
    from graphzsl.cli.columns import SIGNS, formatted
    from graphzsl.cli.tables import terminal_width, wrap

    files, _ = reports.runs_in(runs)
    read = reports.read_files(files)
    with step(f"comparing {counted(len(read), 'run')}"):
        questions = reports.questions_of(read)
    rows_of = [reports.model_rows(*question) for question in questions]
    rows = [row for own in rows_of for row in own]
    keep(rows)
    if not is_table(output_format):
        show(rows, output_format)
        return
    width = terminal_width()
    for place, (task, headline) in enumerate(questions):
        metrics = [column.metric for column in reports.first_columns(headline)]
        tables = ["\n".join(lines) for lines in _tables(rows_of[place], metrics, width)]
        name, *sentences = (formatted(each).text for each in reports.remarks(task, headline, SIGNS))
        title = click.style("\n".join(wrap(name, width)), bold=True)
        click.echo(("\n" if place else "") + "\n\n".join([title, *tables]))
        note("\n" + "\n".join(line for each in sentences for line in wrap(each, width)))


def _tables(
    rows: Sequence[Mapping[str, Any]], metrics: Sequence[str], width: int
) -> list[list[str]]:
    """The lines of tables with a row per model, each of as many metrics as there is room for."""
    from graphzsl.cli.columns import DEVIATION, INTERVAL, MARK, cells
    from graphzsl.cli.tables import GAP, table_lines

    context = click.get_current_context().command_path
    names = [row["model"] for row in rows]
    parts: list[list[str]] = []
    room = 0
    for metric in metrics:
        own = [metric, *(f"{metric}{end}" for end in (DEVIATION, INTERVAL, MARK))]
        _, found = cells(rows, own, context)
        wide = GAP + max(len(metric), *(len(cell.text) for (cell,) in found))
        # one model alone stands upright, which takes no width
        if not parts or (wide > room and len(rows) > 1):
            parts.append(["model"])
            room = width - min(NAME, max(len(text) for text in ("model", *names)))
        parts[-1] += own
        room -= wide
    return [table_lines(rows, part, width, context) for part in parts]

"""Output of commands: rows as tables, JSON or CSV, files of rows, and lines for the person."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from graphzsl import metrics
from graphzsl.cli.connection import database
from graphzsl.cli.names import columns_of, with_names
from graphzsl.common import counted, no_formula, without_acting, write_text


def emit(
    rows: Iterable[dict[str, Any]], output_format: str, columns: Sequence[str] | None = None
) -> None:
    """Write rows to the file of --save and to stdout, with names beside their wnids; ``columns``
    names them where there may be no row."""
    rows, columns = with_names(rows, columns)
    keep(rows, columns)
    show(rows, output_format, columns)


def keep(rows: Iterable[dict[str, Any]], columns: Sequence[str] | None = None) -> None:
    """Write rows to the file of --save, where one was asked for."""
    path = click.get_current_context().meta.get("save")
    if path is not None:
        save_rows(path, rows, columns)


def save_rows(
    path: Path, rows: Iterable[dict[str, Any]], columns: Sequence[str] | None = None
) -> None:
    """Write rows to a file in the format of its name; no cell of a CSV is a formula."""
    plain_rows, names = _plain(rows, columns)
    write_text(path, _text(plain_rows, names, path.suffix.removeprefix(".")))
    note(f"{counted(len(plain_rows), 'row')} in {path}.")


def show(
    rows: Iterable[dict[str, Any]],
    output_format: str,
    columns: Sequence[str] | None = None,
    words: Mapping[str, str] | None = None,
) -> None:
    """Write rows to stdout in the chosen format; ``words`` are what a table calls columns and
    measures."""
    plain_rows, names = _plain(rows, columns)
    if is_table(output_format):
        _table(plain_rows, names, words)
    else:
        text = _text(plain_rows, names, output_format)
        # a terminal obeys what a program only reads
        click.echo(without_acting(text) if sys.stdout.isatty() else text, nl=False, color=True)


def is_table(output_format: str) -> bool:
    """True if rows are printed as a table, which is the default."""
    return output_format == "table"


def _known(value: Any) -> Any:
    """Replace nan by None and each infinity by its word: JSON has neither, and an empty cell means
    an unknown value."""
    if isinstance(value, float) and not math.isfinite(value):
        return None if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    if isinstance(value, list | tuple):
        return [_known(each) for each in value]
    return value


def _plain(
    rows: Iterable[dict[str, Any]], columns: Sequence[str] | None
) -> tuple[list[dict[str, Any]], list[str]]:
    found = [{key: _known(value) for key, value in row.items()} for row in rows]
    # nodes and paths are among the values only where the driver was at work
    if "neo4j" in sys.modules:
        from graphzsl.database import plain

        found = [{key: plain(value) for key, value in row.items()} for row in found]
    return found, list(columns or columns_of(found))


def _text(rows: list[dict[str, Any]], columns: Sequence[str], output_format: str) -> str:
    if output_format == "jsonl":
        return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    if output_format == "json":
        return json.dumps(rows, ensure_ascii=False, indent=2) + "\n"
    text = io.StringIO(newline=None)  # every break of a line becomes "\n", and stands in quotes
    writer = csv.writer(text)
    writer.writerow(map(_written, columns))
    writer.writerows([_written(row.get(column)) for column in columns] for row in rows)
    return text.getvalue()


def _written(value: Any) -> str:
    """A cell of a CSV file; numbers stay as they are."""
    cell = _cell(value)
    return no_formula(cell) if isinstance(value, str | list) else cell


def _table(
    rows: list[dict[str, Any]], columns: Sequence[str], words: Mapping[str, str] | None
) -> None:
    from graphzsl.cli.tables import arranged, terminal_width

    context = click.get_current_context(silent=True)
    command = context.command_path if context else ""
    lines, upright = arranged(rows, columns, terminal_width(), command, words)
    for line in lines:
        click.echo(line)
    # a line of an upright table is a column: a number of rows below it would count something else
    if not upright:
        click.echo(counted(len(rows), "row"), err=True)
    elif len(rows) > 1:
        click.echo(f"{len(rows):,} rows side by side", err=True)


def _cell(value: Any) -> str:
    if value is None:
        return ""
    if isinstance(value, float):
        return repr(float(value))
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return ", ".join(value)
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def note(message: str) -> None:
    """A line for the person, on stderr."""
    click.echo(message, err=True)


def note_thin_tails(rounds: int, level: float) -> None:
    """A line for the person where fewer than ten draws lie beyond each end of an interval, or where
    there are no rounds and no intervals."""
    if not rounds:
        note("No intervals: --rounds is 0.")
        return
    if metrics.tail_draws(rounds, level) < metrics.TAIL_DRAWS:
        note(
            f"Warning: each end of a {100 * level:g} % interval rests on"
            f" {metrics.tail_draws(rounds, level):g} of the {rounds:,} bootstrap draws. Give"
            f" --rounds {metrics.rounds_needed(level)} or more."
        )


def store_classes(name: str, wnids: Sequence[str], **provenance: Any) -> None:
    """Store the outcome of an analysis as a class set of the database, and say so."""
    from graphzsl.database import store_class_set

    store_class_set(database(), name, wnids, provenance)
    note(f"Stored as {name}.")

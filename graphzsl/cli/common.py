"""Options and output that commands share: the connection, output formats, common options."""

from __future__ import annotations

import csv
import io
import json
import math
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.names import columns_of, with_names
from graphzsl.cli.paths import Written
from graphzsl.common import (
    counted,
    decimal,
    no_formula,
    shown,
    unsigned,
    whole,
    without_acting,
    write_text,
)
from graphzsl.database import HIERARCHIES

F = TypeVar("F", bound=Callable[..., Any])
FORMATS = ("table", "json", "jsonl", "csv")


def output_options(function: F) -> F:
    """--format and --save for commands that read: a table, or what programs read."""
    function = click.option(
        "--save",
        type=Written(".csv", ".json", ".jsonl"),
        expose_value=False,
        callback=_remember,
        help="Also write the rows to this file: .csv, .json or .jsonl.",
    )(function)
    return click.option(
        "--format",
        "output_format",
        type=click.Choice(FORMATS),
        default="table",
        show_default=True,
        help="A table for people; the others for programs.",
    )(function)


def _remember(context: click.Context, parameter: click.Parameter, value: Path | None) -> None:
    context.meta["save"] = value


def option_requires(*names: str, when: object, needs: str) -> None:
    """Raise UsageError if one of these options is given although ``when`` does not hold: it would
    have no effect.

    ``names`` are the names of parameters of the current command; ``needs`` says in words what would
    give them one.
    """
    context = click.get_current_context()
    if when:
        return
    for parameter in context.command.params:
        source = context.get_parameter_source(parameter.name or "")
        if parameter.name in names and source is click.core.ParameterSource.COMMANDLINE:
            off = context.params.get(parameter.name) is False and parameter.secondary_opts
            flag = (off or parameter.opts)[0]
            raise click.UsageError(f"{flag} has no effect here: it needs {needs}.")


def hierarchy_option(function: F) -> F:
    """--hierarchy: which edges count."""
    return click.option(
        "--hierarchy",
        type=click.Choice(list(HIERARCHIES)),
        default="wordnet",
        show_default=True,
        help=(
            "Edges that count: hypernym and instance-hypernym, hypernym alone, or ImageNet's"
            " release hierarchy."
        ),
    )(function)


def train_option(function: F) -> F:
    """--train: the class set of the training classes."""
    return click.option(
        "--train",
        shell_complete=NAMED_CLASSES,
        default="ilsvrc2012",
        show_default=True,
        help="Class set of the training (seen) classes.",
    )(function)


def own_train_option(function: F) -> F:
    """--train: the class set of the training classes; None is that of the split."""
    return click.option(
        "--train",
        shell_complete=NAMED_CLASSES,
        help="Class set of the training classes (default: the split's own, else ilsvrc2012).",
    )(function)


def own_hierarchy_option(function: F) -> F:
    """--hierarchy: which edges count; None is that of the split."""
    return click.option(
        "--hierarchy",
        type=click.Choice(list(HIERARCHIES)),
        help="Edges that count (default: the split's own, else wordnet).",
    )(function)


def universe_option(function: F) -> F:
    """--universe: the class set that candidates are drawn from."""
    return click.option(
        "--universe",
        shell_complete=NAMED_CLASSES,
        default="imagenet-fall11",
        show_default=True,
        help="The universe: the class set whose classes count, training ones and unseen ones.",
    )(function)


def each_option(text: str = "One row per class.") -> Callable[[F], F]:
    """--each: rows of single classes in place of their summary."""
    return click.option("--each", is_flag=True, help=text)


#: --force of what deletes a class set or a split.
force_option = click.option(
    "--force", is_flag=True, help="Although other class sets or splits are derived from it."
)


class Whole(click.IntRange):
    """A whole number in a range, in ASCII digits as in files: click takes those of every script,
    and ``1_0``."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and whole(value.strip()) is None:
            self.fail(f"{shown(value)} is not a valid integer.", param, ctx)
        return super().convert(value, param, ctx)


class Real(click.FloatRange):
    """A number in a range, in ASCII digits; nan and the infinities, which click finds in many a
    range, are refused."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if isinstance(value, str) and decimal(value) is None:
            self.fail(f"{shown(value)} is not a valid number.", param, ctx)
        found = super().convert(value, param, ctx)
        if not math.isfinite(found):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return found


#: --step of windows of classes.
window_step_option = click.option(
    "--step",
    type=Whole(1),
    help="Classes from one window to the next (default: the size).",
)


class NewName(click.ParamType):
    """A name to store data under; --store was a flag once, so a text that looks like an option is
    refused."""

    name = "NAME"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        text = str(value)
        if not text.strip() or text.startswith("-"):
            self.fail(f"expected a name, not {text!r}", param, ctx)
        return text


def store_option(text: str) -> Callable[[F], F]:
    """--store NAME, always a name."""
    return click.option("--store", type=NewName(), help=text)


#: What every generator of random numbers can start from; gensim's takes nothing larger.
SEED = Whole(0, 2**32 - 1)


def seed_option(text: str) -> Callable[[F], F]:
    """--seed, 0 by default; ``text`` names its use."""
    return click.option("--seed", type=SEED, default=0, show_default=True, help=text)


class Numbers(click.ParamType):
    """Whole numbers of at least 1, separated by commas."""

    name = "N,N,…"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[int]:
        if isinstance(value, list):
            return value
        parts = [part.strip() for part in str(value).split(",")]
        numbers = list(map(unsigned, parts))
        found = [number for number in numbers if number]
        if len(found) < len(parts):
            wrong = next(part for part, number in zip(parts, numbers, strict=True) if not number)
            self.fail(
                f"{shown(wrong)} is not a whole number of at least 1. Write one, or several with"
                " commas between them, such as 1,5.",
                param,
                ctx,
            )
        return found


#: -k of hCorrectSets.
lengths_option = click.option(
    "-k", "ks", type=Numbers(), default="2,5,10,20", show_default=True, help="List lengths."
)


class Weights(click.ParamType):
    """Finite numbers above 0, separated by commas."""

    name = "W,W,…"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[float]:
        if isinstance(value, list):
            return value
        numbers = [decimal(part) for part in str(value).split(",")]
        found = [each for each in numbers if each is not None and math.isfinite(each) and each > 0]
        if len(found) < len(numbers):
            self.fail("expected numbers above 0, separated by commas", param, ctx)
        return found


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


#: An existing file to read.
INPUT = click.Path(exists=True, path_type=Path)

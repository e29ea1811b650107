"""``graphzsl study papers``: tables of five papers, claims about them, and where each thing is."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import Any

import click

from graphzsl import ilsvrc
from graphzsl.cli.completion import IDS, PRINTED
from graphzsl.cli.groups import Group
from graphzsl.cli.options import check_subcommand, output_options
from graphzsl.cli.output import is_table, keep, note, show

#: Columns of claims that a table for people has no room for.
_NAMES = ("claim", "table")


@click.group("papers", cls=Group, invoke_without_command=True)
@output_options
@click.pass_context
def command(ctx: click.Context, output_format: str) -> None:
    """Tables of five papers, claims with a verdict, and where each of 171 things is here.

    Without a command: the tables that are held here, with how many claims are about each. An id is
    a letter for the paper and a number: D for Frome et al. 2013 (DeViSE), G for Hascoet et al. 2019
    (GOZ), P for Wang et al. 2014, X for Xian et al. 2017 (GBU), I for Russakovsky et al. 2015
    (ILSVRC). No server is needed.

    \b
    graphzsl study papers
    graphzsl study papers show X29
    graphzsl study papers claims --unsupported
    graphzsl study papers systems --state partly
    """
    if ctx.invoked_subcommand is not None:
        check_subcommand()
        return

    rows = [
        {
            "table": each.name,
            "ids": list(each.ids),
            "paper": each.paper,
            "place": each.place,
            "claims": len(ilsvrc.claims(each.name)),
            "title": each.title,
        }
        for each in ilsvrc.tables()
    ]
    # the names of the tables say the papers
    _emit(rows, output_format, tuple(rows[0]), hidden=("paper", "place"))
    note(
        "`graphzsl study papers show TABLE` prints one, `graphzsl study papers claims` what is"
        " said of them."
    )


@command.command("show")
@click.argument("about", metavar="ID|TABLE", shell_complete=PRINTED)
@click.option("--claims", "only_claims", is_flag=True, help="The claims about it alone, as rows.")
@output_options
def show_(about: str, only_claims: bool, output_format: str) -> None:
    """Print the tables of an id (X29), or a table by its name (gbu-table-4), with what is computed
    here beside it.

    Claims follow, each with its verdict. As JSON or CSV `source` says whether a row is the paper's,
    graphzsl's or a claim; --claims has the claims alone.

    \b
    graphzsl study papers show X29
    graphzsl study papers show gbu-table-5 --claims --format jsonl
    """
    printed, listed = ilsvrc.tables_with_claims(about)
    verdicts = [claim.row() for claim in listed]
    if only_claims:
        _emit(verdicts, output_format, ilsvrc.CLAIM_COLUMNS, _NAMES)
        return
    rows = [
        {"table": each.name, "source": source, **row}
        for each in printed
        for source, part in (("paper", each.rows()), ("graphzsl", ilsvrc.ours(each)))
        for row in part
    ]
    rows += [{"table": row["table"], "source": "claim", **row} for row in verdicts]
    keep(rows)
    if not is_table(output_format):
        show(rows, output_format)
        return
    for each in printed:
        part = [f"In part: {each.in_part}."] if each.in_part else []
        _title(f"{each.name}: {each.title} ({each.paper}, {each.place})", *part)
        show(each.rows(), "table")
        if beside := ilsvrc.ours(each):
            _title("Measured here:" if each.measured else "Computed here:")
            show(beside, "table")
    if verdicts:
        _title("Claims:")
        show(verdicts, "table", [name for name in ilsvrc.CLAIM_COLUMNS if name not in _NAMES])


@command.command("claims")
@click.argument("about", required=False, metavar="[ID|TABLE]", shell_complete=PRINTED)
@click.option(
    "--unsupported",
    "only_unsupported",
    is_flag=True,
    help="Those that the printed numbers do not support.",
)
@output_options
def claims_(about: str | None, only_unsupported: bool, output_format: str) -> None:
    """Claims of the papers about their tables, each with a verdict computed from the printed
    numbers.

    `place` is where the paper says it; "a reading" is a statement of ours that the table answers.

    \b
    graphzsl study papers claims X30
    graphzsl study papers claims --unsupported
    """
    listed = ilsvrc.claims(about)
    if about is not None and not listed:
        note(f"No claim about {about.upper()} is held here.")
    found, summary = ilsvrc.unsupported(listed)
    chosen = found if only_unsupported else listed
    _emit([claim.row() for claim in chosen], output_format, ilsvrc.CLAIM_COLUMNS, _NAMES)
    if only_unsupported and found:
        note(summary)


@command.command("systems")
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=IDS)
@click.option(
    "--state",
    type=click.Choice(("here", "partly", "not here")),
    help="Only those that are computed here, in part, or not.",
)
@output_options
def systems_(ids: Sequence[str], state: str | None, output_format: str) -> None:
    """Measures, models, protocols and analyses of the papers: which are here, and where.

    `where` are commands and Python names below graphzsl, `tests` files below tests in the source.
    A letter in place of an ID is all of a paper.

    \b
    graphzsl study papers systems D09 X21
    graphzsl study papers systems G --state partly
    """
    listed = [each for text in ids for each in ilsvrc.systems_of(text)] if ids else ilsvrc.systems()
    rows = [each.row() for each in listed if state in (None, each.state)]
    _emit(rows, output_format, ilsvrc.COVERAGE_COLUMNS, hidden=("tests",))


def _emit(
    rows: list[dict[str, Any]], output_format: str, columns: Sequence[str], hidden: Sequence[str]
) -> None:
    """Write rows to the file of --save and to stdout; a table has no room for hidden columns."""
    keep(rows, columns)
    if is_table(output_format):
        columns = [name for name in columns if name not in hidden]
    show(rows, output_format, columns)


def _title(*texts: str) -> None:
    """Write the title of a table within the width of the terminal."""
    from graphzsl.cli.tables import terminal_width

    click.echo()
    for text in texts:
        click.echo(fill(text, terminal_width()))

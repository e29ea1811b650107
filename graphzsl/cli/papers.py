"""``graphzsl papers``: tables of five papers, what is claimed of them, where each thing is."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill
from typing import TYPE_CHECKING, Any

import click

from graphzsl.cli.common import is_table, keep, note, output_options, show
from graphzsl.cli.completion import IDS, PRINTED
from graphzsl.cli.groups import Group

if TYPE_CHECKING:
    from graphzsl.ilsvrc.papers import System


@click.group(cls=Group, invoke_without_command=True)
@output_options
@click.pass_context
def command(ctx: click.Context, output_format: str | None) -> None:
    """Tables of five papers, claims with a verdict, and where each of 171 things is here.

    Without a command: the tables that are held here, with how many claims are about each. An id is
    a letter for the paper and a number: D for Frome et al. 2013 (DeViSE), G for Hascoet et al. 2019
    (GOZ), P for Wang et al. 2014, X for Xian et al. 2017 (GBU), I for Russakovsky et al. 2015
    (ILSVRC). No server is needed.

    \b
    graphzsl papers
    graphzsl papers show X29
    graphzsl papers claims --unsupported
    graphzsl papers systems --state partly
    """
    if ctx.invoked_subcommand is not None:
        given = {name: ctx.get_parameter_source(name) for name in ("output_format", "save")}
        if click.core.ParameterSource.COMMANDLINE in given.values():
            raise click.UsageError(
                f"An option stands before {ctx.invoked_subcommand}, where it has no effect: options"
                f" of `papers {ctx.invoked_subcommand}` stand behind it."
            )
        return
    from graphzsl.ilsvrc.papers import claims, tables

    rows = [
        {
            "table": each.name,
            "ids": list(each.ids),
            "paper": each.paper,
            "place": each.place,
            "claims": len(claims(each.name)),
            "title": each.title,
        }
        for each in tables()
    ]
    keep(rows)
    # on a terminal the names of the tables say the papers
    short = ("table", "ids", "claims", "title") if is_table(output_format) else None
    show(rows, output_format, short)
    note("`graphzsl papers show TABLE` prints one, `graphzsl papers claims` what is said of them.")


@command.command("show")
@click.argument("about", metavar="ID|TABLE", shell_complete=PRINTED)
@click.option("--claims", "only_claims", is_flag=True, help="The claims about it alone, as rows.")
@output_options
def show_(about: str, only_claims: bool, output_format: str | None) -> None:
    """Print the tables of an id (X29), or a table by its name (gbu-table-4), with what is computed
    here beside it.

    Claims follow, each with its verdict. As JSON or CSV `source` says whether a row is the paper's,
    graphzsl's or a claim; --claims has the claims alone.

    \b
    graphzsl papers show X29
    graphzsl papers show gbu-table-5 --claims --format jsonl
    """
    from graphzsl.common.errors import DataError
    from graphzsl.ilsvrc.papers import claims, ours, systems, table, tables

    if about.upper() in {each.id for each in systems()}:
        found = tables(about)
        if not found:
            raise DataError(_no_table(about))
        names = [each.name for each in found]
        said = [claim for claim in claims() if claim.tables[0] in names]
        said.sort(key=lambda claim: claim.system != about.upper())
    else:
        found = [table(about)]
        said = claims(found[0].name)
    verdicts = [claim.row() for claim in said]
    if only_claims:
        keep(verdicts, _CLAIM_COLUMNS)
        show(verdicts, output_format, _claim_columns(output_format))
        return
    own = [ours(each) for each in found]
    rows = [
        {"table": each.name, "source": source, **row}
        for each, beside in zip(found, own, strict=True)
        for source, listed in (("paper", each.rows()), ("graphzsl", beside))
        for row in listed
    ]
    rows += [{"table": row["table"], "source": "claim", **row} for row in verdicts]
    keep(rows)
    if not is_table(output_format):
        show(rows, output_format)
        return
    for each, beside in zip(found, own, strict=True):
        title = f"{each.name}: {each.title} ({each.paper}, {each.place})"
        _titled(title, each.rows(), each.in_part)
        if beside:
            _titled("Measured here:" if each.measured else "Computed here:", beside)
    if verdicts:
        _titled("Claims:", verdicts, columns=_claim_columns("table"))


@command.command("claims")
@click.argument("about", required=False, metavar="[ID|TABLE]", shell_complete=PRINTED)
@click.option(
    "--unsupported",
    "only_unsupported",
    is_flag=True,
    help="Those that the printed numbers do not support.",
)
@output_options
def claims_(about: str | None, only_unsupported: bool, output_format: str | None) -> None:
    """What the papers say of their tables, each with a verdict computed from the printed numbers.

    `place` is where the paper says it; "a reading" is a statement of ours that the table answers.

    \b
    graphzsl papers claims X30
    graphzsl papers claims --unsupported
    """
    from graphzsl.ilsvrc.papers import claims, systems, table
    from graphzsl.ilsvrc.papers.claimed import unsupported

    if about is not None and about.upper() not in {each.id for each in systems()}:
        about = table(about).name
    listed = claims(about)
    if about is not None and not listed:
        note(f"No claim about {about.upper()} is held here.")
    said = ""
    if only_unsupported:
        listed, said = unsupported(listed)
    rows = [claim.row() for claim in listed]
    keep(rows, _CLAIM_COLUMNS)
    show(rows, output_format, _claim_columns(output_format))
    if rows and said:
        note(said)


_CLAIM_COLUMNS = ("id", "claim", "table", "place", "statement", "verdict", "found")


def _claim_columns(output_format: str | None) -> Sequence[str]:
    """A table for people has no room for the names of claims and their tables."""
    short = [name for name in _CLAIM_COLUMNS if name not in ("claim", "table")]
    return short if is_table(output_format) else _CLAIM_COLUMNS


@command.command("systems")
@click.argument("ids", nargs=-1, metavar="[ID]...", shell_complete=IDS)
@click.option(
    "--state",
    type=click.Choice(("here", "partly", "not here")),
    help="Only those that are computed here, in part, or not.",
)
@output_options
def systems_(ids: Sequence[str], state: str | None, output_format: str | None) -> None:
    """Measures, models, protocols and analyses of the papers: which are here, and where.

    `where` are commands and Python names below graphzsl, `tests` files below tests in the source.
    A letter in place of an ID is all of a paper.

    \b
    graphzsl papers systems D09 X21
    graphzsl papers systems G --state partly
    """
    from graphzsl.ilsvrc.papers import systems

    chosen = [each for one in ids for each in _of(one)] if ids else systems()
    rows = [
        {
            "id": each.id,
            "state": each.state,
            "what": each.what,
            "where": list(each.places),
            "why": each.why,
            "published": each.published,
            "ours": each.ours,
            "tests": list(each.tests),
        }
        for each in chosen
        if state in (None, each.state)
    ]
    columns = ("id", "state", "what", "where", "why", "published", "ours", "tests")
    keep(rows, columns)
    show(rows, output_format, columns[:-1] if is_table(output_format) else columns)


def _of(text: str) -> list[System]:
    """The system of an id, or all of the paper of a letter."""
    from graphzsl.common.errors import DataError
    from graphzsl.ilsvrc.papers import system, systems
    from graphzsl.ilsvrc.papers.coverage import PAPERS

    if len(text) > 1:
        return [system(text)]
    if text.upper() not in PAPERS:
        known = ", ".join(f"{letter} ({paper})" for letter, paper in PAPERS.items())
        raise DataError(f"There is no paper with the letter {text!r}. Known are {known}.")
    return [each for each in systems() if each.id[0] == text.upper()]


def _titled(
    title: str, rows: list[dict[str, Any]], part: str | None = None, columns: Sequence[str] = ()
) -> None:
    """A table under its title."""
    from graphzsl.cli.tables import terminal_width

    click.echo()
    for text in (title, *([f"In part: {part}."] if part else ())):
        click.echo(fill(text, terminal_width()))
    show(rows, "table", columns or None)


def _no_table(about: str) -> str:
    from graphzsl.ilsvrc.papers import claims, system

    found = system(about)
    where = f" It is computed by {', '.join(found.places)}." if found.where else ""
    said = f" `graphzsl papers claims {found.id}` has what is said of it." if claims(about) else ""
    return f"{found.id} ({found.what}) has no printed table here.{where}{said}"

"""``graphzsl query``: the Cypher library."""

from __future__ import annotations

import click

from graphzsl.cli.common import database, emit, output_options
from graphzsl.database.queries import library, query
from graphzsl.errors import QueryFileError


@click.group()
def command() -> None:
    """List, show and run the queries of the Cypher library."""


@command.command("list")
@click.option("--folder", help="Only one folder, e.g. splits.")
@output_options
def list_(folder: str | None, output_format: str | None) -> None:
    """All queries: what they answer and what they take."""
    rows = [
        {"name": found.name, "folder": found.folder, "mode": found.mode, "doc": found.doc}
        for found in library().values()
        if folder in (None, found.folder)
    ]
    emit(rows, output_format, ("name", "folder", "mode", "doc"))


@command.command()
@click.argument("name")
@click.option("--browser", is_flag=True, help="Print what to paste into Neo4j Browser.")
def show(name: str, browser: bool) -> None:
    """The file of a query: its contract and its statement."""
    found = query(name)
    click.echo(found.for_browser() if browser else found.path.read_text(encoding="utf-8"), nl=False)


@command.command()
@click.argument("name")
@click.option(
    "-p", "--param", "pairs", multiple=True, metavar="NAME=VALUE", help="A parameter or a vary choice; repeat it."
)
@output_options
def run(name: str, pairs: tuple[str, ...], output_format: str | None) -> None:
    """Run a reading query.

    \b
    graphzsl query run hop_split -p train=ilsvrc2012 -p universe=imagenet-fall11 -p max_hops=2 --format csv
    Values are typed as the header says; lists are a,b,c or JSON.
    """
    values = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"-p takes NAME=VALUE, not {pair!r}.")
        values[key] = value
    found = query(name)
    if found.mode != "read":
        raise QueryFileError(f"Query {name} writes; it is run by `graphzsl load` and `graphzsl split`, not by hand.")
    statement, parameters = found.parse(values)
    emit(database().rows(statement, **parameters), output_format, list(statement.returns))

"""``graphzsl query``: the Cypher library."""

from __future__ import annotations

from typing import Any

import click

from graphzsl.cli.common import database, emit, note, output_options, running_database
from graphzsl.cli.completion import QUERIES
from graphzsl.cli.groups import Group
from graphzsl.database.library import Query, library, query
from graphzsl.errors import QueryFileError

_param_option = click.option(
    "-p",
    "--param",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    help="A parameter or a vary choice; repeat it.",
)


def _values(found: Query, pairs: tuple[str, ...]) -> dict[str, str]:
    """The texts of -p by name; names of synsets, where the query takes wnids, become their
    wnids."""
    values = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"-p takes NAME=VALUE, not {pair!r}.")
        kind = found.params.get(key)
        if kind == "WNID":
            value = _wnid(value)
        elif kind == "LIST<WNID>" and not value.startswith("["):
            value = ",".join(_wnid(item.strip()) for item in value.split(",") if item.strip())
        values[key] = value
    return values


def _wnid(text: str) -> str:
    from graphzsl.database.names import resolve_wnid
    from graphzsl.sources.tables import WNID

    return text if WNID.match(text) else resolve_wnid(database(), text)


@click.group(cls=Group)
def command() -> None:
    """List, show and run the queries of the Cypher library."""


@command.command("list")
@click.option("--folder", help="Only one folder, e.g. splits.")
@output_options
def list_(folder: str | None, output_format: str | None) -> None:
    """All queries: what they answer and what they take.

    \b
    graphzsl query list --folder splits
    """
    rows = [
        {"name": found.name, "folder": found.folder, "mode": found.mode, "doc": found.doc}
        for found in library().values()
        if folder in (None, found.folder)
    ]
    emit(rows, output_format, ("name", "folder", "mode", "doc"))


@command.command()
@click.argument("name", shell_complete=QUERIES)
@click.option("--browser", is_flag=True, help="Print one statement to paste into Neo4j Browser.")
@_param_option
def show(name: str, browser: bool, pairs: tuple[str, ...]) -> None:
    """The file of a query: its contract and its statement.

    With --browser, or -p, the statement alone, its parameters written in: the header's examples
    where -p gives none.

    \b
    graphzsl query show see_hop_path --browser -p wnid=n02084071 -p max_hops=6
    """
    found = query(name)
    if not browser and not pairs:
        click.echo(found.path.read_text(encoding="utf-8"), nl=False)
        return
    statement, parameters = found.parse(_values(found, pairs), complete=False)
    _check_given(statement, parameters)
    click.echo(statement.for_browser(**parameters), nl=False)


def _check_given(statement: Query, parameters: dict[str, Any]) -> None:
    """Check the names that -p gives, and the release hierarchy, in the database where one runs."""
    from graphzsl.database.names import check_names

    if not statement.refers_to_database(parameters):
        return
    running = running_database()
    if running is None:
        note("No database is running: the names and the hierarchy given with -p were not checked.")
    else:
        check_names(running, statement, parameters)


@command.command()
@click.argument("name", shell_complete=QUERIES)
@_param_option
@output_options
def run(name: str, pairs: tuple[str, ...], output_format: str | None) -> None:
    """Run a reading query.

    \b
    graphzsl query run hop_split -p train=ilsvrc2012 -p universe=imagenet-fall11 \\
      -p max_hops=2 --format csv

    Values are typed as the header says; lists are a,b,c or JSON. A synset is a wnid or a name
    like dog.n.01.
    """
    found = query(name)
    if found.mode != "read":
        raise QueryFileError(
            f"Query {name} writes; it is run by `graphzsl load` and `graphzsl split`, not by hand."
        )
    statement, parameters = found.parse(_values(found, pairs))
    emit(database().rows(statement, **parameters), output_format, list(statement.returns))

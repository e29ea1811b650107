"""``graphzsl query``: the Cypher library."""

from __future__ import annotations

from typing import Any

import click

from graphzsl.cli.completion import QUERIES
from graphzsl.cli.connection import database, running_database
from graphzsl.cli.groups import Group
from graphzsl.cli.options import output_options
from graphzsl.cli.output import emit, keep, note
from graphzsl.cli.output import show as show_rows
from graphzsl.cli.query_values import param_option, texts, values
from graphzsl.common import QueryFileError, step
from graphzsl.database import Query, find_statement, library, parameter_values, query


@click.group(cls=Group)
def command() -> None:
    """List, show and run the queries of the Cypher library.

    \b
    graphzsl query list --folder splits
    graphzsl query show hcorrect_set --browser
    graphzsl query run ancestors -p wnid=dog.n.01
    """


@command.command("list")
@click.option("--folder", help="Only one folder, e.g. splits.")
@output_options
def list_(folder: str | None, output_format: str) -> None:
    """The queries that read, and what they answer; `query show` says what one takes. --folder lists
    those that write too.

    \b
    graphzsl query list
    graphzsl query list --folder splits
    """
    folders = sorted({entry.folder for entry in library().values()})
    if folder not in (None, *folders):
        raise click.BadParameter(
            f"{folder!r} is none of {', '.join(folders)}.", param_hint="--folder"
        )
    rows = [
        {"name": entry.name, "folder": entry.folder, "mode": entry.mode, "doc": entry.doc}
        for entry in library().values()
        if folder == entry.folder or (folder is None and entry.mode == "read")
    ]
    emit(rows, output_format, ("name", "folder", "mode", "doc"))
    if folder is None:
        writing = sorted({each.folder for each in library().values() if each.mode != "read"})
        note(f"Queries that write: --folder {', '.join(writing)}.")


@command.command()
@click.argument("name", shell_complete=QUERIES)
@click.option("--browser", is_flag=True, help="Print one statement to paste into Neo4j Browser.")
@param_option
def show(name: str, browser: bool, pairs: tuple[str, ...]) -> None:
    """The file of a query: its contract and its statement.

    With --browser, or -p, the statement alone, its parameters written in: the header's examples
    where -p gives none.

    \b
    graphzsl query show see_closest --browser -p wnid=n02084071 -p max_hops=6
    """
    entry = query(name)
    if not browser and not pairs:
        click.echo(entry.path.read_text(encoding="utf-8"), nl=False)
        return
    statement, parameters = entry.parse(values(entry, pairs), complete=False)
    _check_given(statement, parameters)
    click.echo(statement.for_browser(**parameters), nl=False)


def _check_given(statement: Query, parameters: dict[str, Any]) -> None:
    """Check the names that -p gives, and the release hierarchy, in the database where one runs."""
    from graphzsl.database import check_names

    if not statement.refers_to_database(parameters):
        return
    running = running_database()
    if running is None:
        note("No database is running: the names and the hierarchy given with -p were not checked.")
    else:
        check_names(running, statement, parameters)


@command.command()
@click.argument("statement", metavar="QUERY", shell_complete=QUERIES)
@param_option
@output_options
def run(statement: str, pairs: tuple[str, ...], output_format: str) -> None:
    """Run a reading query: one of the library by its name, or Cypher of your own.

    QUERY is a NAME of `graphzsl query list`, a FILE.cypher, - for standard input, or a statement in
    quotes. It reads the graph and does nothing else: one that writes or administers is refused.

    \b
    graphzsl query run hop_split -p train=ilsvrc2012 -p universe=imagenet-fall11 \\
      -p max_hops=2 --format csv
    graphzsl query run ancestors -p wnid="german shepherd"
    graphzsl query run -p depth=2 \\
      "MATCH (s:Synset) WHERE s.depth = \\$depth RETURN s.name"

    Values of a library query are typed as its header says; lists are a,b,c or JSON. A synset is a
    wnid, a name like dog.n.01, or a word whose synset is clear. Values of your own statement
    are JSON (7, true, [1, 2]), and texts where they are not.
    """
    entry = find_statement(statement)
    if isinstance(entry, str):
        given, db = parameter_values(entry, texts(pairs)), database()
        with step("running the statement"):
            columns, rows = db.table(entry, given)
    elif entry.mode == "read":
        chosen, parameters = entry.parse(values(entry, pairs))
        columns, db = list(chosen.returns), database()
        with step(f"running {chosen.name}"):
            rows = db.rows(chosen, **parameters)
    else:
        raise QueryFileError(
            f"Query {entry.name} writes; it is run by `graphzsl load` and `graphzsl split`, not by"
            " hand."
        )
    # a query returns the names that it wants beside its wnids
    keep(rows, columns)
    show_rows(rows, output_format, columns)

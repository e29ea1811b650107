"""``graphzsl db``: the local Neo4j server."""

from __future__ import annotations

import webbrowser
from typing import Any

import click

from graphzsl import splits
from graphzsl.cli.completion import QUERIES
from graphzsl.cli.connection import database, settings
from graphzsl.cli.groups import Group
from graphzsl.cli.options import output_options
from graphzsl.cli.output import emit, note
from graphzsl.cli.query_values import param_option, texts, values
from graphzsl.common import DataError, QueryFileError, SettingsError, progress_bar
from graphzsl.database import LocalServer, library, query


def _local(remedy: str = "Unset it first.") -> LocalServer:
    config = settings()
    if not config.local:
        raise SettingsError(
            f"NEO4J_URI is set to {config.uri}: graphzsl manages only its local server. {remedy}"
        )
    return LocalServer(config)


@click.group(cls=Group)
def command() -> None:
    """Start, stop and look at the local Neo4j server.

    Commands that need the database start it themselves and leave it running. NEO4J_URI (with
    NEO4J_USERNAME, NEO4J_PASSWORD, NEO4J_DATABASE) makes graphzsl use another server instead.

    \b
    graphzsl db start
    graphzsl db browser
    graphzsl db stop
    """


@command.command()
def start() -> None:
    """Start the local server, fetching Neo4j the first time (about 137 MB).

    \b
    graphzsl db start
    """
    state = _local().start()
    note(f"Neo4j {state.version} is ready on {state.bolt_uri} (process {state.pid}).")
    note(f"Neo4j Browser: {state.browser_url}, user neo4j, password: `graphzsl db password`.")


@command.command()
@click.option(
    "--quick-start",
    is_flag=True,
    help="Also make an archive of Neo4j's classes: a start then takes half the time (150 MB, half a"
    " minute, once).",
)
def fetch(quick_start: bool) -> None:
    """Fetch Neo4j without starting it (about 137 MB, once); nothing to do with NEO4J_URI or
    NEO4J_HOME.

    \b
    graphzsl db fetch
    graphzsl db fetch --quick-start
    """
    from graphzsl.database import NEO4J_VERSION, ensure_jars

    config = settings()
    if config.uri or config.neo4j_home:
        note(f"Nothing to fetch: {config.uri or config.neo4j_home} is used.")
        return
    note(f"Neo4j {NEO4J_VERSION} is in {ensure_jars(config)}.")
    if quick_start:
        from graphzsl.database import make_class_archive

        note(f"Its classes are in {make_class_archive(config)}.")


@command.command()
def stop() -> None:
    """Stop the local server; what was loaded stays on disk.

    While a load of WordNet is at work, which would start it again, nothing is stopped.

    \b
    graphzsl db stop
    """
    note("Stopped." if _local().stop() else "No local server was running.")


@command.command()
@output_options
def status(output_format: str) -> None:
    """Say where the database is, whether it runs, and what is loaded.

    \b
    graphzsl db status --format json
    """
    from graphzsl.database import connect

    config = settings()
    rows: list[dict[str, Any]] = []
    if config.local:
        state = LocalServer(config).state()
        address = state.bolt_uri if state else "not running (any command that needs it starts it)"
        rows.append(_row("local server", address, f"process {state.pid}" if state else "stopped"))
        rows.append(_row("data", str(config.server_home)))
        if state is None:
            emit(rows, output_format)
            return
        rows.append(_row("browser", state.browser_url))
    password = "`graphzsl db password`" if config.local else "your own"
    note(
        f"Your own client: user {config.username}, password {password}, examples in"
        " docs/connect.md."
    )
    with connect(config) as database:
        rows.append(_row("Neo4j", database.check(), database.uri))
        counts = database.rows(query("graph_counts"))
        rows += [_row(row["element"], row["total"]) for row in counts]
        if not any(row["total"] for row in counts if row["element"] == "synsets"):
            note(
                "Nothing is loaded yet: `graphzsl load wordnet`, then `graphzsl load class-set"
                " ilsvrc2012`."
            )
        for row in database.rows(query("sources")):
            loaded = row["status"] == "loaded"
            how = row["status"] if loaded else f"{row['status']}: incomplete, load it again"
            rows.append(_row(f"source {row['name']}", row["properties"].get("file", ""), how))
    emit(rows, output_format)


def _row(what: str, value: Any, state: str = "") -> dict[str, Any]:
    return {"what": what, "value": value, "state": state}


@command.command()
@click.option(
    "--reset",
    is_flag=True,
    help="Give the server a new random password first, where the old one was lost; the server is"
    " stopped for it, and what was loaded stays.",
)
def password(reset: bool) -> None:
    """Print the local server's password (user neo4j).

    \b
    graphzsl db password
    graphzsl db password --reset
    """
    server = _local()
    if reset:
        server.reset_password()
        note("The local server has a new password; the next command starts it.")
    click.echo(server.password())


@command.command()
@click.argument("name", required=False, metavar="[QUERY]", shell_complete=QUERIES)
@param_option
@click.option(
    "--print", "only_print", is_flag=True, help="Print the address instead of opening it."
)
@click.option("--plain", is_flag=True, help="Paint no split; what is painted stays.")
def browser(name: str | None, pairs: tuple[str, ...], only_print: bool, plain: bool) -> None:
    """Open Neo4j Browser: paste the password, connect, and click in its guide.

    The guide at the left has a page for every question that the query library draws; its
    statements are among the saved ones too (the star). With a QUERY, `graphzsl query list --folder
    browser`, that statement waits in the editor with the parameters that -p gives, in the hierarchy
    of the split that they name, and that split is painted. Where none is named or painted, hops-1
    is painted, or the first there is (`graphzsl split paint`).

    The password is copied to the clipboard; where there is none, it is printed once.

    \b
    graphzsl db browser
    graphzsl db browser see_hcorrect_set -p wnid=fox.n.01 -p k=20
    graphzsl db browser --print
    """
    from graphzsl.database import browser_address, check_names, titled

    entry = query(name) if name else None
    if entry is None and pairs:
        raise click.UsageError("-p gives parameters of a QUERY, and none is named.")
    if entry:
        if entry.mode != "read":
            raise QueryFileError(f"Query {entry.name} writes, so there is nothing to look at.")
        entry.parse(texts(pairs), complete=False)  # before a server starts
    server = _local(
        f"`graphzsl query show {name or 'see_around'} --browser` prints a statement for that"
        " server's Browser."
    )
    state = server.start()
    statement = ""
    given: dict[str, Any] = {}
    with server.open(state) as opened:
        if entry:
            entry, given = entry.parse(values(entry, pairs), complete=False)
            check_names(opened, entry, given)
        about = given.get("split", given.get("name"))
        own = splits.prepare_browser(opened, server.home, paint_one=not plain, about=about)
    if entry:
        if "hierarchy" in entry.vary and "hierarchy" not in texts(pairs):
            entry = entry.with_choices(**{**entry.chosen, "hierarchy": own.hierarchy})
        statement = titled(entry, {**own.values, **given})
    address = browser_address(state, statement)
    if only_print:
        note("User neo4j, password: `graphzsl db password`.")
        click.echo(address)
        return
    _give_password(server.password())
    if not webbrowser.open(address):
        note(
            "No web browser could be opened here: open the address below in one. From another"
            f" machine forward its two ports first: `ssh -L {state.http_port}:127.0.0.1:"
            f"{state.http_port} -L {state.bolt_port}:127.0.0.1:{state.bolt_port} HOST`."
        )
        click.echo(address)


def _give_password(password: str) -> None:
    """Put the password on the clipboard, or print it if there is none."""
    import pyperclip

    try:
        pyperclip.copy(password)
        note(
            "The password is on the clipboard (or `graphzsl db password` prints it): paste it,"
            " connect, and click in the guide."
        )
    except pyperclip.PyperclipException:
        note(f"User neo4j, password: {password}")


@command.command()
@output_options
def check(output_format: str) -> None:
    """Run every check of the library on the database.

    A check that returns no row is healthy. Exit status 3 when a check found something, 1 when the
    database is empty.

    \b
    graphzsl db check
    """
    from graphzsl.database import EMPTY_DATABASE, is_empty

    db = database()
    if is_empty(db):
        raise DataError(EMPTY_DATABASE)
    rows: list[dict[str, Any]] = []
    checks = [statement for statement in library().values() if statement.folder == "checks"]
    for statement in progress_bar(checks, "checking"):
        found = db.rows(statement)
        first = ", ".join(f"{key}={value}" for key, value in found[0].items()) if found else ""
        rows.append(
            {"check": statement.name, "rows": len(found), "first": first, "doc": statement.doc}
        )
    emit(rows, output_format)
    if problems := [row["check"] for row in rows if row["rows"]]:
        note(f"Problems: {', '.join(problems)}. `graphzsl query run NAME` shows all rows.")
        raise SystemExit(3)

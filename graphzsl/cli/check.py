"""``graphzsl check``: the invariants in cypher/checks."""

from __future__ import annotations

from typing import Any

import click

from graphzsl.cli.common import emit, note, output_options
from graphzsl.cli.connection import database
from graphzsl.cli.groups import Command
from graphzsl.common import DataError, progress_bar
from graphzsl.database import library


@click.command(cls=Command)
@output_options
def command(output_format: str | None) -> None:
    """Run every check of the library on the database.

    A check that returns no row is healthy. Exit status 3 when a check found something, 1 when the
    database is empty.

    \b
    graphzsl check
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

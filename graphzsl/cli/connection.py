"""The settings of a command and its database: what completion needs too, and no option does."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from graphzsl.settings import Settings, load_settings

if TYPE_CHECKING:
    from graphzsl.database.client import Database


def settings() -> Settings:
    """Settings with the flags of the main command."""
    flags = click.get_current_context().find_root().obj or {}
    found = load_settings(**flags)
    if found.local and flags.get("database") not in (None, Settings.database):
        raise click.UsageError(
            "--database has no effect on the local server, whose one database is neo4j: it needs"
            " --uri or NEO4J_URI."
        )
    return found


def database() -> Database:
    """The database of the settings, closed when the command ends."""
    from graphzsl.database.connect import connect

    found = connect(settings())
    click.get_current_context().call_on_close(found.close)
    return found


def running_database() -> Database | None:
    """The database of the settings if it answers, closed when the command ends; no server is
    started."""
    from graphzsl.database.connect import connect
    from graphzsl.database.server import LocalServer
    from graphzsl.errors import DatabaseError

    wanted = settings()
    try:
        if wanted.local and LocalServer(wanted).state() is None:
            return None
        found = connect(wanted)
    except DatabaseError:
        return None
    click.get_current_context().call_on_close(found.close)
    return found

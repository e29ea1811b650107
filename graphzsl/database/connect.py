"""The database of the settings: the local server, or another."""

from __future__ import annotations

from graphzsl.database.client import Database
from graphzsl.errors import DatabaseError
from graphzsl.settings import Settings


def connect(settings: Settings, *, check: bool = True) -> Database:
    """The database of the settings: NEO4J_URI's, or the local server's, started when it does not
    run.

    A database with labels is asked for its version first; see ``Database.check``.
    """
    if settings.local:
        from graphzsl.database.server import LocalServer

        server = LocalServer(settings)
        state = server.start()
        database = server.open(state)
    else:
        database = Database(settings.uri, settings.username, settings.password, settings.database)
    if check:
        try:
            database.check()
        except DatabaseError:
            database.close()
            raise
    return database

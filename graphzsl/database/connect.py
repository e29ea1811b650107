"""The database of the settings: the local server, or another."""

from __future__ import annotations

from graphzsl.common.errors import DatabaseError
from graphzsl.common.settings import Settings, load_settings
from graphzsl.database.bookmarks import bookmark_file
from graphzsl.database.client import Database


def connect(settings: Settings | None = None, *, check: bool = True) -> Database:
    """The database of the settings: NEO4J_URI's, or the local server's, started when it does not
    run.

    Args:
        settings: where the database is (default: ``load_settings()``).
        check: read the server's version first; see ``Database.check``. Of another server than the
            local one, recall the bookmarks of earlier commands.

    Returns:
        The database; close it, or use it in a ``with`` block.

    Raises:
        SettingsError: a setting is wrong.
        DatabaseError: no server answers, it refuses the password, or it is too old.

    >>> with gz.connect(settings) as db:
    ...     db.query("MATCH (s:Synset {wnid: $wnid}) RETURN s.name AS name", wnid="n02084071")
    [{'name': 'dog.n.01'}]
    """
    settings = settings or load_settings()
    if settings.local:
        from graphzsl.database.server import LocalServer

        server = LocalServer(settings)
        state = server.start()
        database = server.open(state)
    else:
        database = Database(
            settings.uri,
            settings.username,
            settings.password,
            settings.database,
            retry_seconds=settings.retry_timeout,
            acquire_seconds=settings.acquisition_timeout,
            connect_seconds=settings.connection_timeout,
            transaction_seconds=settings.transaction_seconds,
        )
    if check:
        try:
            database.check()
            if not settings.local:  # which is one server, without followers that lag behind
                database.keep_bookmarks(bookmark_file(settings, database.identity()))
        except DatabaseError:
            database.close()
            raise
    return database

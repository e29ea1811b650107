"""Starts of the local server that give no database: their kinds and their errors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import psutil

from graphzsl.common.errors import DatabaseError, ServerError
from graphzsl.common.settings import Settings
from graphzsl.database.server_log import ServerLog, last_lines
from graphzsl.database.server_state import ServerState

if TYPE_CHECKING:
    from graphzsl.database.client import Database

#: What Neo4j answers once a write to its disk has failed: it serves that database no more.
_PANIC = "needs to be restarted"
_SYSTEM = "system"


class PortTaken(Exception):
    """Another program took the port between graphzsl's check and Neo4j's start."""


class Gone(Exception):
    """A server that another process started has ended."""


class Closed(Exception):
    """The server runs and answers, but has closed its database, or could not open it."""


def is_closed(database: Database, error: DatabaseError) -> bool:
    """True if ``error`` came because the server no longer serves this database: a write to it
    failed, or it could not be opened. A database that is still being opened is not closed."""
    from neo4j.exceptions import DatabaseUnavailable, Neo4jError

    cause = error.__cause__
    if isinstance(cause, Neo4jError) and _PANIC in (cause.message or ""):
        return True
    return isinstance(cause, DatabaseUnavailable) and _has_failed(database)


def _has_failed(database: Database) -> bool:
    from neo4j.exceptions import DriverError, Neo4jError

    try:
        records = database._driver.execute_query(
            "SHOW DATABASES YIELD name, currentStatus, statusMessage",
            database_=_SYSTEM,
        ).records
    except (Neo4jError, DriverError, OSError):
        return False
    return any(
        record["name"] == database.name
        and record["statusMessage"]
        and record["currentStatus"] not in ("online", "starting")
        for record in records
    )


def ended_early(log: ServerLog, settings: Settings, said: str) -> ServerError:
    """The error for a server that ended while it started; ``said`` is its output."""
    reason = log.reason(settings, said)
    return ServerError(
        f"The local Neo4j ended while starting: {reason}"
        if reason
        else f"The local Neo4j ended while starting. {log.path.parent} says: {last_lines(said)}"
    )


def silent(log: ServerLog, state: ServerState, limit: float) -> ServerError:
    """The error for a server that did not answer within these seconds."""
    status = psutil.Process(state.pid).status() if psutil.pid_exists(state.pid) else "ended"
    return ServerError(
        f"The local Neo4j (process {state.pid}, {status}) did not answer within {limit} s. See"
        f" {log.path}; `graphzsl db stop` ends it, and the next command starts it anew."
    )


def unopened(log: ServerLog, settings: Settings) -> ServerError:
    """The error for a server that started and could not open its database."""
    why = log.reason(settings) or log.unopened()
    return ServerError(f"The local Neo4j cannot open its database, and was stopped: {why}")

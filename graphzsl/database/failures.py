"""Errors of the driver and of the server, as errors that say what to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from textwrap import shorten
from typing import Protocol

from neo4j.exceptions import (
    AuthError,
    ClientError,
    DriverError,
    Neo4jError,
    ServiceUnavailable,
    SessionExpired,
)

from graphzsl.common.errors import DatabaseError
from graphzsl.database.addresses import encryption_problem


class Connected(Protocol):
    """A connection, as far as errors name it."""

    uri: str
    name: str

    @property
    def remedy(self) -> str:
        """Advice for a server that does not answer."""

    def hint(self) -> str:
        """Advice for an error of the server."""


def one_line(message: str, before: int = 0) -> str:
    """Neo4j's message in one line with the place in front, without the picture of the statement and
    the end of a long list of expected tokens. ``before`` characters were sent in front of the
    statement."""
    match = re.match(r"(.*?)\s*\(line (\d+), column (\d+) \(offset: \d+\)\)", message, re.DOTALL)
    text = shorten(match[1] if match else message, 200, placeholder=" …").rstrip(".")
    if not match or match[2] == "0":
        return f"{text}."
    column = int(match[3]) - (before if match[2] == "1" else 0)
    return f"line {match[2]}, column {column}: {text}."


def refusal(error: ClientError, before: int = 0) -> DatabaseError:
    """Build the error for a statement that Neo4j refused; ``before`` as in ``one_line``."""
    return DatabaseError(
        f"Neo4j refused a statement: {one_line(error.message or str(error), before)}"
    )


def _first_line(error: BaseException) -> str:
    """First line of an error's message, or the name of its type if it has no message."""
    return next(iter(str(error).splitlines()), type(error).__name__).rstrip(".")


@contextmanager
def explained(database: Connected) -> Iterator[None]:
    try:
        yield
    except AuthError as error:
        raise DatabaseError(
            f"{database.uri} refused the user name or password ({error.message}). Set"
            " NEO4J_USERNAME and NEO4J_PASSWORD; for the local server, `graphzsl db password`"
            " prints the right one."
        ) from error
    except (ServiceUnavailable, SessionExpired, OSError) as error:
        said = f"No Neo4j answers at {database.uri} ({_first_line(error)})."
        remedy = encryption_problem(database.uri) or database.remedy
        raise DatabaseError(f"{said} {remedy}") from error
    except ClientError as error:
        if error.code == "Neo.ClientError.Database.DatabaseNotFound":
            raise DatabaseError(
                f"{database.uri} has no database {database.name!r}. Set NEO4J_DATABASE."
            ) from error
        if str(error.code).startswith("Neo.ClientError.Transaction.TransactionTimedOut"):
            raise DatabaseError(
                f"Neo4j ended a statement that took longer than its time limit"
                f" ({_first_line(error)}). Set GRAPHZSL_TRANSACTION_TIMEOUT, for example to 30m."
            ) from error
        raise refusal(error) from error
    except (Neo4jError, DriverError) as error:
        if str(error) == "Driver closed":
            raise DatabaseError(
                f"The connection to {database.uri} is closed. Open another: `with"
                " graphzsl.connect() as database:`, and ask inside of the block."
            ) from error
        said = getattr(error, "message", None) or str(error)
        if not re.search(r"[a-z]", said):  # a number alone, where a value has outgrown Java's
            said = f"it says {said} alone; a value of the statement may be too large for it"
        hint = database.hint()
        raise DatabaseError(f"Neo4j at {database.uri} failed: {hint}{one_line(said)}") from error

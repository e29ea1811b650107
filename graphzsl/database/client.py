"""The connection to Neo4j: the official driver, managed transactions, named databases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, TypeVar

import neo4j
from neo4j.exceptions import AuthError

from graphzsl.common.errors import DatabaseError, DataError
from graphzsl.common.progress import log
from graphzsl.database.bookmarks import Bookmarks
from graphzsl.database.connection import (
    ACQUIRE_SECONDS,
    CONNECT_SECONDS,
    OWN_STATEMENT,
    REMEDY,
    Connection,
)
from graphzsl.database.library import Query
from graphzsl.database.names import check_names, incomplete
from graphzsl.database.read_only import run_reading
from graphzsl.database.results import as_rows, in_thousands, plain, with_remarks

#: Rows sent in one statement.
BATCH_ROWS = 5_000
#: The Cypher of the library (scoped sub-queries, label disjunctions) needs this version.
MINIMUM_VERSION = (5, 23)

_ABOUT = (
    "CALL dbms.components() YIELD name, versions WHERE name = 'Neo4j Kernel' CALL db.info() YIELD"
    " id RETURN versions[0] AS version, id"
)

T = TypeVar("T")


class Database:
    """One Neo4j database. Close it, or use it as a context manager.

    ``query`` sends Cypher text that only reads, and ``rows`` a query of the library, both in READ
    access mode; ``write`` sends managed transactions that the driver repeats when the
    server was lost for a moment. ``connect`` makes one from the settings.

    Args:
        uri: address of the server, such as bolt://host:7687.
        username: of the database.
        password: of the database.
        database: its name in the server.
        retry_seconds: how long a transaction is repeated when the server is lost.
        acquire_seconds: how long a connection is waited for.
        connect_seconds: how long a connection may take to be made.
        transaction_seconds: after which the server ends a transaction; None for its own limit.
        guard: called on every new connection before the password is sent; it may raise to prevent
            that.
        remedy: what an error says when no server answers.
        hint: what an error says when a server fails, if anything.

    Raises:
        DatabaseError: ``uri`` is not an address of a Neo4j server.

    >>> db.query("MATCH (s:Synset {name: $n})-[:HYPERNYM]->(p) RETURN p.name", n="beagle.n.01")
    [{'p.name': 'hound.n.01'}]
    """

    def __init__(
        self,
        uri: str,
        username: str,
        password: str,
        database: str = "neo4j",
        retry_seconds: float = 30.0,
        acquire_seconds: float = ACQUIRE_SECONDS,
        connect_seconds: float = CONNECT_SECONDS,
        transaction_seconds: float | None = None,
        guard: Callable[[], None] | None = None,
        remedy: str | Callable[[], str] = REMEDY,
        hint: Callable[[], str] = str,
    ):
        self._connection = Connection(
            uri,
            username,
            password,
            database,
            retry_seconds,
            acquire_seconds,
            connect_seconds,
            transaction_seconds,
            guard,
            remedy,
            hint,
        )
        self._identity = ""
        self._is_complete = False

    @property
    def uri(self) -> str:
        """Address of the server."""
        return self._connection.uri

    @property
    def name(self) -> str:
        """The database's name in the server."""
        return self._connection.name

    @property
    def _driver(self) -> neo4j.Driver:
        return self._connection.driver

    def __repr__(self) -> str:
        return f"<Database {self.name} at {self.uri}>"

    def __enter__(self) -> Database:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back."""
        self._connection.driver.close()

    def check(self, minimum: tuple[int, int] = MINIMUM_VERSION) -> str:
        """The server's version; DatabaseError says what to do when it cannot be used."""
        self._connection.verify()
        about = self._read(_ABOUT, name="version")[0]
        version, self._identity = str(about["version"]), str(about["id"])
        if version_number(version) < minimum:
            raise DatabaseError(
                f"{self.uri} runs Neo4j {version}; graphzsl needs {minimum[0]}.{minimum[1]} or"
                " newer. Upgrade it, or unset NEO4J_URI to let graphzsl run a local server."
            )
        return version

    def identity(self) -> str:
        """Neo4j's own id of this database: it stays when the server is started again, and no other
        database has it."""
        if not self._identity:
            self.check()
        return self._identity

    def keep_bookmarks(self, path: Path) -> None:
        """Keep in this file what makes the next command see the writes of this one, and recall what
        earlier commands kept."""
        bookmarks = Bookmarks(path, self.identity())
        bookmarks.recall(self._connection.has_reached)
        self._connection.bookmarks = bookmarks

    def revive(self, is_lost: Callable[[], bool], open_anew: Callable[[], Database]) -> None:
        """When the server's process ``is_lost``, go on with the connection that ``open_anew``
        makes, once, and repeat the failed transaction."""
        self._connection.revive(is_lost, lambda: open_anew()._connection)

    def was_refused(self, error: DatabaseError) -> bool:
        """True if the server refused the user name or password; a refusal after too many tries in a
        row does not count."""
        cause = error.__cause__
        return (
            isinstance(cause, AuthError)
            and cause.code != "Neo.ClientError.Security.AuthenticationRateLimit"
        )

    def rows(self, statement: Query, /, **parameters: Any) -> list[dict[str, Any]]:
        """All rows of a query of the library, read-only.

        Raises SplitError or DataError for a class set, wnid or word that is not there (see
        ``names.check_names``), and DataError for a load that was interrupted,
        or is of an earlier version.
        """
        bound = self._bound(statement, parameters)
        return self._read(statement.text, bound, statement.name)

    def many_rows(self, statement: Query, /, **parameters: Any) -> list[dict[str, Any]]:
        """All rows of a query, as ``rows`` gives them, for answers of thousands: it takes a third
        to a seventh of the time, since the driver's time goes into records and one record holds a
        thousand rows here."""
        bound = self._bound(statement, parameters)
        columns = list(statement.returns)
        return [
            dict(zip(columns, row, strict=True))
            for record in self._read(in_thousands(statement), bound, statement.name)
            for row in record["rows"]
        ]

    def _bound(self, statement: Query, parameters: dict[str, Any]) -> dict[str, Any]:
        """The parameters, checked against statement and database."""
        bound = statement.bind(parameters)
        # a load asks queries of ingest alone, also of a database that it completes
        if statement.folder not in ("ingest", "checks") and (problem := self._incomplete()):
            raise DataError(problem)
        check_names(self, statement, bound)
        return bound

    def _incomplete(self) -> str:
        """``names.incomplete``, which is not asked again when WordNet was complete."""
        problem = "" if self._is_complete else incomplete(self)
        self._is_complete = not problem
        return problem

    def query(self, text: str, /, **parameters: Any) -> list[dict[str, Any]]:
        """The rows of a Cypher text of your own, read-only.

        Args:
            text: the statement; values belong in ``parameters``, which it names ``$name``.
            parameters: their values.

        Returns:
            One dictionary per row. Nodes are their labels and properties, paths lists of wnids
            with names.

        Raises:
            DatabaseError: the statement writes or administers, is not valid Cypher, or the server
                is lost.
        """
        return self.table(text, parameters)[1]

    def table(
        self, text: str, parameters: dict[str, Any]
    ) -> tuple[list[str], list[dict[str, Any]]]:
        """The columns and the rows of ``query``: an answer without rows has columns too."""
        if problem := self._incomplete():
            log(problem)
        columns, values, remarks = self._connection.run(
            "execute_read",
            lambda transaction: with_remarks(run_reading(transaction, text, parameters)),
            OWN_STATEMENT,
            text,
            warnings=True,
        )
        for remark in remarks:
            log(f"Neo4j: {remark}")
        return columns, [
            {key: plain(value) for key, value in zip(columns, row, strict=True)} for row in values
        ]

    def _read(
        self, text: str, parameters: dict[str, Any] | None = None, name: str = OWN_STATEMENT
    ) -> list[dict[str, Any]]:
        return self._connection.run(
            "execute_read",
            lambda transaction: as_rows(transaction.run(text, parameters)),  # type: ignore[arg-type]
            name,
            text,
        )

    def rows_in_batches(
        self,
        statement: Query,
        items: Sequence[Any],
        /,
        parameter: str = "wnids",
        **parameters: Any,
    ) -> Iterator[dict[str, Any]]:
        """The rows of a query whose list parameter is given in batches, one read transaction
        each."""
        for chunk in batches(items):
            yield from self.many_rows(statement, **{parameter: chunk}, **parameters)

    def write(self, *steps: tuple[Query, dict[str, Any]]) -> None:
        """Run the steps in one managed transaction: all are kept, or none."""
        bound = [(statement.text, statement.bind(parameters)) for statement, parameters in steps]

        def work(transaction: neo4j.ManagedTransaction) -> None:
            for text, parameters in bound:
                transaction.run(text, parameters).consume()  # type: ignore[arg-type]

        # a name for each kind of statement, in order
        names = ", ".join(dict.fromkeys(statement.name for statement, _ in steps))
        text = "\n".join(dict.fromkeys(text for text, _ in bound))
        self._connection.run("execute_write", work, names, text)

    def explain(self, statement: Query, /, **parameters: Any) -> dict[str, Any]:
        """The plan that the server would use, as nested dictionaries; nothing is run."""
        bound = statement.bind(parameters)
        text = "EXPLAIN " + statement.text
        plan = self._connection.run(
            "execute_read",
            lambda transaction: transaction.run(text, bound).consume().plan,  # type: ignore[arg-type]
            statement.name,
            statement.text,
        )
        assert plan is not None
        return plan


def version_number(version: str) -> tuple[int, int]:
    """``5.26.30`` -> (5, 26); Aura's ``5.27-aura`` -> (5, 27)."""
    major, minor = (
        int("".join(c for c in part if c.isdigit()) or 0) for part in f"{version}.0".split(".")[:2]
    )
    return major, minor


def batches(items: Iterable[T], size: int = BATCH_ROWS) -> Iterator[list[T]]:
    """Consecutive lists of at most ``size`` items."""
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk

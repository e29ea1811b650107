"""The connection to Neo4j: the official driver, managed transactions, named databases."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import islice
from types import TracebackType
from typing import Any, TypeVar

import neo4j
import neo4j.graph
from neo4j.exceptions import AuthError, ClientError, DriverError, Neo4jError, ServiceUnavailable

from graphzsl.database.names import check_names
from graphzsl.database.queries import Query
from graphzsl.errors import DatabaseError
from graphzsl.settings import Settings

#: Rows sent in one statement.
BATCH_ROWS = 5_000
#: The Cypher of the library (scoped sub-queries, label disjunctions) needs this version.
MINIMUM_VERSION = (5, 23)

T = TypeVar("T")


class Database:
    """One Neo4j database. Close it, or use it as a context manager.

    ``rows`` reads in READ access mode, where Neo4j refuses writes; ``write`` sends managed transactions that
    the driver repeats when the server was lost for a moment.
    """

    def __init__(self, uri: str, username: str, password: str, database: str = "neo4j", retry_seconds: float = 30.0):
        self.uri = uri
        self.name = database
        # the driver logs every retry as a warning; what matters reaches the user as an error
        logging.getLogger("neo4j").setLevel(logging.ERROR)
        try:
            self._driver = neo4j.GraphDatabase.driver(
                uri,
                auth=(username, password),
                max_transaction_retry_time=retry_seconds,
                connection_timeout=5.0,
                connection_acquisition_timeout=10.0,
                notifications_min_severity="OFF",
            )
        except (ValueError, DriverError) as error:
            raise DatabaseError(
                f"NEO4J_URI {uri!r} is not a Neo4j address ({error}). Expected neo4j://host:7687."
            ) from error

    def __enter__(self) -> Database:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Give the connections back."""
        self._driver.close()

    def check(self, minimum: tuple[int, int] = MINIMUM_VERSION) -> str:
        """The server's version; DatabaseError says what to do when it cannot be used."""
        with _explained(self):
            self._driver.verify_connectivity()  # unlike a query, it does not retry for half a minute
            records, _, _ = self._driver.execute_query(
                "CALL dbms.components() YIELD name, versions, edition WHERE name = 'Neo4j Kernel' RETURN versions[0] AS version",
                database_=self.name,
                routing_=neo4j.RoutingControl.READ,
            )
        version = str(records[0]["version"])
        if version_number(version) < minimum:
            raise DatabaseError(
                f"{self.uri} runs Neo4j {version}; graphzsl needs {minimum[0]}.{minimum[1]} or newer. Upgrade it, or unset "
                "NEO4J_URI to let graphzsl run a local server."
            )
        return version

    def rows(self, statement: Query, /, **parameters: Any) -> list[dict[str, Any]]:
        """All rows of a query of the library, read-only.

        Raises SplitError or DataError for a class set, wnid or word that is not there: see ``names.check_names``.
        """
        bound = statement.bind(parameters)
        check_names(self, statement, bound)
        with _explained(self):
            return self._driver.execute_query(  # type: ignore[return-value]
                statement.text,  # type: ignore[arg-type]
                bound,
                database_=self.name,
                routing_=neo4j.RoutingControl.READ,
                result_transformer_=_as_rows,
            )

    def rows_in_batches(
        self,
        statement: Query,
        items: Sequence[Any],
        /,
        parameter: str = "wnids",
        batch: int = BATCH_ROWS,
        **parameters: Any,
    ) -> Iterator[dict[str, Any]]:
        """The rows of a query whose list parameter is given in batches, one read transaction each."""
        for chunk in batches(items, batch):
            yield from self.rows(statement, **{parameter: chunk}, **parameters)

    def write(self, *steps: tuple[Query, dict[str, Any]]) -> None:
        """Run the steps in one managed transaction: all are kept, or none."""
        bound = [(statement.text, statement.bind(parameters)) for statement, parameters in steps]

        def work(transaction: neo4j.ManagedTransaction) -> None:
            for text, parameters in bound:
                transaction.run(text, parameters).consume()  # type: ignore[arg-type]

        with _explained(self), self._driver.session(database=self.name) as session:
            session.execute_write(work)

    def run_schema(self, statement: Query) -> None:
        """Run a statement that changes the schema, in a transaction of its own."""
        with _explained(self):
            self._driver.execute_query(statement.text, database_=self.name)  # type: ignore[arg-type]

    def explain(self, statement: Query, /, **parameters: Any) -> dict[str, Any]:
        """The plan that the server would use, as nested dictionaries; nothing is run."""
        bound = statement.bind(parameters)
        with _explained(self), self._driver.session(database=self.name) as session:
            plan = session.run("EXPLAIN " + statement.text, bound).consume().plan  # type: ignore[arg-type]
        assert plan is not None
        return plan


def version_number(version: str) -> tuple[int, int]:
    """``5.26.30`` -> (5, 26); Aura's ``5.27-aura`` -> (5, 27)."""
    major, minor = (int("".join(c for c in part if c.isdigit()) or 0) for part in f"{version}.0".split(".")[:2])
    return major, minor


def batches(items: Iterable[T], size: int = BATCH_ROWS) -> Iterator[list[T]]:
    """Consecutive lists of at most ``size`` items."""
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


def plain(value: Any) -> Any:
    """A value of a row as JSON can hold it: nodes as their labels and properties, paths as their nodes' names."""
    if isinstance(value, neo4j.graph.Node):
        return {"labels": sorted(value.labels), **dict(value)}
    if isinstance(value, neo4j.graph.Path):
        return [str(node.get("name") or node.get("wnid") or node.get("text")) for node in value.nodes]
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def _as_rows(result: neo4j.Result) -> list[dict[str, Any]]:
    keys = result.keys()
    return [dict(zip(keys, values, strict=True)) for values in result.values()]


@contextmanager
def _explained(database: Database) -> Iterator[None]:
    try:
        yield
    except AuthError as error:
        raise DatabaseError(
            f"{database.uri} refused the user name or password ({error.message}). Set NEO4J_USERNAME and NEO4J_PASSWORD; "
            "for the local server, `graphzsl db password` prints the right one."
        ) from error
    except (ServiceUnavailable, OSError) as error:
        raise DatabaseError(
            f"No Neo4j answers at {database.uri} ({str(error).splitlines()[0]}). Start that server or correct NEO4J_URI; "
            "without NEO4J_URI graphzsl runs a local server (`graphzsl db start`)."
        ) from error
    except ClientError as error:
        if error.code == "Neo.ClientError.Database.DatabaseNotFound":
            raise DatabaseError(f"{database.uri} has no database {database.name!r}. Set NEO4J_DATABASE.") from error
        raise DatabaseError(f"Neo4j refused a statement: {error.message}") from error
    except (Neo4jError, DriverError) as error:
        raise DatabaseError(f"Neo4j at {database.uri} failed: {error}") from error


def connect(settings: Settings, *, check: bool = True) -> Database:
    """The database of the settings: NEO4J_URI's, or the local server's, started when it does not run.

    A database with labels is asked for its version first; see ``Database.check``.
    """
    if settings.local:
        from graphzsl.database.server import LocalServer

        server = LocalServer(settings)
        state = server.start()
        database = Database(state.bolt_uri, "neo4j", server.password(), "neo4j", retry_seconds=10.0)
    else:
        database = Database(settings.uri, settings.username, settings.password, settings.database)
    if check:
        try:
            database.check()
        except DatabaseError:
            database.close()
            raise
    return database

"""Transactions: the official driver, its sessions, and the handling of failures."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, TypeVar

import neo4j
from neo4j.exceptions import DriverError, Neo4jError

from graphzsl.common.errors import DatabaseError
from graphzsl.common.files import sha256_text
from graphzsl.common.version import __version__
from graphzsl.database.addresses import EXPECTED, check_address
from graphzsl.database.bookmarks import Bookmarks
from graphzsl.database.credentials import Credentials
from graphzsl.database.failures import explained
from graphzsl.database.revival import Revival

REMEDY = (
    "Start that server or correct NEO4J_URI; without NEO4J_URI graphzsl runs a local server "
    "(`graphzsl db start`)."
)
CONNECT_SECONDS = 5.0
ACQUIRE_SECONDS = 10.0
#: What an administrator of the server sees of a connection.
USER_AGENT = f"graphzsl/{__version__}"
#: The name of a statement that is not one of the library.
OWN_STATEMENT = "own statement"
#: Characters of the hash by which SHOW TRANSACTIONS names a statement.
_SHORT = 12
#: Records that the server sends at a time: answers are read whole.
_FETCHED = 10_000
#: Neo4j's answer to bookmarks that the database does not reach, or that are another's.
_BOOKMARKS = ("Neo.TransientError.Transaction.Bookmark", "Neo.ClientError.Transaction.InvalidBook")

#: Python writes the lines of a log that nobody handles to stderr; who handles it gets them still.
logging.getLogger("neo4j").addHandler(logging.NullHandler())

T = TypeVar("T")


class Connection:
    """The driver of one database; ``Database`` documents its arguments."""

    def __init__(
        self,
        uri: str,
        username: str,
        password: str,
        database: str,
        retry_seconds: float,
        acquire_seconds: float,
        connect_seconds: float,
        transaction_seconds: float | None,
        guard: Callable[[], None] | None,
        remedy: str | Callable[[], str],
        hint: Callable[[], str] = str,
    ):
        check_address(uri)
        self.uri = uri
        self.name = database
        self.bookmarks = Bookmarks()
        self._remedy = remedy
        self.hint = hint
        self._transaction_seconds = transaction_seconds
        self._revival: Revival | None = None
        credentials = Credentials(username, password, guard) if guard else None
        # the driver resolves the address of a router once for several connections
        more: dict[str, Any] = {}
        if credentials and uri.startswith("bolt"):
            more["resolver"] = credentials.resolve
        self._open = partial(
            neo4j.GraphDatabase.driver,
            uri,
            auth=credentials or (username, password),
            **more,
            max_transaction_retry_time=retry_seconds,
            connection_timeout=min(connect_seconds, acquire_seconds),
            connection_acquisition_timeout=acquire_seconds,
            user_agent=USER_AGENT,
            fetch_size=_FETCHED,
            notifications_min_severity="OFF",
        )
        try:
            self.driver = self._open()
        except (ValueError, DriverError) as error:
            raise DatabaseError(
                f"NEO4J_URI {uri!r} is not a Neo4j address ({error}). {EXPECTED}"
            ) from error

    @property
    def remedy(self) -> str:
        """Advice in the error for a server that does not answer."""
        return self._remedy if isinstance(self._remedy, str) else self._remedy()

    def verify(self) -> None:
        """Raise DatabaseError if no server answers, or it refuses the password; unlike a query,
        this does not repeat for half a minute."""

        def once() -> None:
            with explained(self):
                self.driver.verify_connectivity()

        if self._revival:
            self._revival.repeat(once)
        else:
            once()

    def run(
        self,
        method: str,
        work: Callable[[neo4j.ManagedTransaction], T],
        name: str,
        text: str,
        warnings: bool = False,
    ) -> T:
        """The result of ``work`` in a managed transaction.

        Args:
            method: ``execute_read`` or ``execute_write``.
            work: what runs statements; repeated when the server was lost for a moment.
            name: of the query, as SHOW TRANSACTIONS is to name it.
            text: of the query; SHOW TRANSACTIONS shows the beginning of its hash.
            warnings: whether results carry what the server remarks.
        """
        labelled = neo4j.unit_of_work(
            metadata={"app": USER_AGENT, "query": name, "sha256": sha256_text(text)[:_SHORT]},
            timeout=self._transaction_seconds,
        )(work)

        def once() -> T:
            with self._session(warnings) as session:
                result: T = getattr(session, method)(labelled)
                return result

        return self._revival.repeat(once) if self._revival else once()

    def has_reached(self, bookmarks: list[str]) -> bool:
        """True if the server knows these bookmarks and its database reaches them within the time
        that the server waits."""
        with (
            explained(self),
            self.driver.session(
                database=self.name,
                default_access_mode=neo4j.READ_ACCESS,
                bookmarks=neo4j.Bookmarks.from_raw_values(bookmarks),
            ) as session,
        ):
            try:
                # a transaction that the driver does not repeat
                with session.begin_transaction() as transaction:
                    transaction.run("RETURN 1").consume()
            except Neo4jError as error:
                if str(error.code).startswith(_BOOKMARKS):
                    return False
                raise
        return True

    def revive(self, is_lost: Callable[[], bool], open_anew: Callable[[], Connection]) -> None:
        """See ``Database.revive``."""

        def restart() -> None:
            other = open_anew()
            self.driver.close()
            self.uri, self._open, self.driver = other.uri, other._open, other.driver

        self._revival = Revival(is_lost, restart)

    @contextmanager
    def _session(self, warnings: bool) -> Iterator[neo4j.Session]:
        """A session whose errors are explained, and that Ctrl-C ends at once.

        Closing a session waits for the statement that the server still runs, up to its time limit.
        After an interruption the connections are therefore cut first, upon which Neo4j ends their
        transactions; the next session gets new ones.
        """
        with (
            explained(self),
            self.driver.session(
                database=self.name,
                bookmark_manager=self.bookmarks.manager,
                notifications_min_severity="WARNING" if warnings else "OFF",
            ) as session,
        ):
            try:
                yield session
            except BaseException as error:
                if not isinstance(error, Exception):
                    self.driver.close()
                    self.driver = self._open()
                raise

"""User name and password, given to the server that they belong to and to nobody else."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import neo4j
from neo4j.auth_management import AuthManager
from neo4j.exceptions import Neo4jError


class Credentials(AuthManager):
    """User name and password, given out for a new connection only while ``guard`` does not raise.

    The driver asks for them on every new connection, after the handshake and before it sends them,
    and again whenever it takes a connection from its pool, where nothing is sent. To a ``bolt``
    address it resolves that before it opens a connection, in the same thread; that is how the two
    are told apart. To others the guard is asked each time.
    """

    def __init__(self, username: str, password: str, guard: Callable[[], None]):
        self._auth = neo4j.basic_auth(username, password)
        self._guard = guard
        self._resolves = False  #: whether the driver resolves addresses here, as it should
        self._thread = threading.local()

    def resolve(self, address: neo4j.Address) -> list[neo4j.Address]:
        """The address itself: a connection is about to be opened."""
        self._resolves = self._thread.is_opening = True
        return [address]

    def get_auth(self) -> neo4j.Auth:
        if not self._resolves or getattr(self._thread, "is_opening", False):
            self._guard()
            self._thread.is_opening = False
        return self._auth

    def handle_security_exception(self, auth: Any, error: Neo4jError) -> bool:
        return False

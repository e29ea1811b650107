"""Time limits of the settings, up to Neo4j's driver: without a server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import neo4j
import pytest

import graphzsl as gz
from graphzsl.common import load_settings
from graphzsl.database import Database, LocalServer
from graphzsl.database.launch import configuration
from graphzsl.database.server_state import ServerState

#: Numbers of which none is another's default.
GIVEN = {
    "GRAPHZSL_CONNECTION_TIMEOUT": "7",
    "GRAPHZSL_ACQUISITION_TIMEOUT": "23",
    "GRAPHZSL_RETRY_TIMEOUT": "41",
    "GRAPHZSL_TRANSACTION_TIMEOUT": "1m30s",
    "GRAPHZSL_SILENCE_LIMIT": "19",
}
REMOTE = {"NEO4J_URI": "bolt://127.0.0.1:9", "NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": "secret"}


class Driver:
    """What the driver of Neo4j is given, in its place: its own arguments, and the time limit of
    each transaction, where the driver looks for it."""

    def __init__(self) -> None:
        self.arguments: dict[str, Any] = {}
        self.limits: list[float | None] = []

    def __call__(self, _: str, **arguments: Any) -> Driver:
        self.arguments = arguments
        return self

    def session(self, **_: Any) -> Driver:
        return self

    def execute_read(self, work: Callable[..., Any]) -> list[Any]:
        self.limits.append(work.timeout)  # type: ignore[attr-defined]
        return []

    def execute_write(self, work: Callable[..., Any]) -> list[Any]:
        return self.execute_read(work)

    def __enter__(self) -> Driver:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def close(self) -> None:
        pass


@pytest.fixture
def driver(monkeypatch: pytest.MonkeyPatch) -> Driver:
    found = Driver()
    monkeypatch.setattr(neo4j.GraphDatabase, "driver", found)
    return found


def _set(monkeypatch: pytest.MonkeyPatch, given: dict[str, str]) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)


def _limits(driver: Driver) -> tuple[float, float, float]:
    """Seconds to make a connection, to wait for one, and to repeat a transaction."""
    names = ("connection_timeout", "connection_acquisition_timeout", "max_transaction_retry_time")
    one, two, three = (driver.arguments[name] for name in names)
    return one, two, three


def test_the_time_limits_of_the_environment_reach_the_driver(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    _set(monkeypatch, REMOTE | GIVEN)
    gz.connect(load_settings(), check=False)
    assert _limits(driver) == (7, 23, 41)
    # to make a connection takes no longer than to wait for one
    _set(monkeypatch, {"GRAPHZSL_CONNECTION_TIMEOUT": "60"})
    gz.connect(load_settings(), check=False)
    assert _limits(driver) == (23, 23, 41)


def test_the_time_limit_of_a_transaction_reaches_those_that_read_and_those_that_write(
    driver: Driver, monkeypatch: pytest.MonkeyPatch
) -> None:
    _set(monkeypatch, REMOTE | GIVEN)
    _run(gz.connect(load_settings(), check=False))
    # without one the server's own counts, which the driver takes None for
    _set(monkeypatch, {"GRAPHZSL_TRANSACTION_TIMEOUT": ""})
    _run(gz.connect(load_settings(), check=False))
    assert driver.limits == [90, 90, None, None]


def _run(database: Database) -> None:
    for method in ("execute_read", "execute_write"):
        database._connection.run(method, lambda _: None, "name", "RETURN 1")


def test_the_time_limits_of_the_environment_reach_the_driver_of_the_local_server(
    driver: Driver, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """A free connection is waited for no longer than a silent server, and one that died is tried
    again for 10 seconds at most."""
    _set(monkeypatch, {"NEO4J_URI": "", "GRAPHZSL_HOME": str(tmp_path)} | GIVEN)
    server = LocalServer(load_settings())
    monkeypatch.setattr(server, "password", lambda: "secret")
    database = server.open(ServerState(1, 0.0, 9, 10, "5.26.30", "now"))
    assert _limits(driver) == (7, 19, 10)
    _run(database)
    # beside what each transaction says, for those of Neo4j Browser and others
    written = configuration(server.settings, 9, 10)
    assert "db.transaction.timeout=1m30s" in written.splitlines()
    _set(monkeypatch, {"GRAPHZSL_SILENCE_LIMIT": "30", "GRAPHZSL_RETRY_TIMEOUT": "3"})
    server.settings = load_settings()
    server.open(ServerState(1, 0.0, 9, 10, "5.26.30", "now"))
    assert _limits(driver) == (7, 23, 3)
    assert driver.limits == [90, 90]

"""Ctrl-C and servers that fall silent: commands end soon, say why, and leave no statement
running."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from dataclasses import replace

import psutil
import pytest

from graphzsl.common import DatabaseError, Settings
from graphzsl.database import Database, LocalServer, connect, query
from tests.promptness import bound

#: Counts 10^14 pairs: hours of work that needs no data. The number marks the test's own
#: transaction.
LONG = (
    "UNWIND range(1, 10000000) AS a UNWIND range(1, 10000001) AS b WITH a WHERE a < 0 RETURN"
    " count(a) AS name"
)
#: A command of the real command line whose one step is that statement.
COMMAND = textwrap.dedent("""
    import sys, types
    from dataclasses import replace
    import click
    from graphzsl import cli
    from graphzsl.cli.connection import database
    from graphzsl.database.library import query

    text, mode = sys.argv[1:]

    @click.command()
    def command():
        statement = replace(query("sources"), text=text)
        found = database()
        found.rows(statement) if mode == "read" else found.write((statement, {}))

    sys.modules["long"] = types.ModuleType("long")
    sys.modules["long"].command = command
    cli.main.modules["long"] = "long"
    cli.main(["long"])
    """)


def _environment(settings: Settings) -> dict[str, str]:
    return {
        **os.environ,
        "GRAPHZSL_HOME": str(settings.home),
        "GRAPHZSL_HEAP": settings.heap,
        "GRAPHZSL_SILENCE_LIMIT": str(settings.silence_limit),
    }


def _running(database: Database) -> list[str]:
    shown = replace(
        query("sources"),
        text="SHOW TRANSACTIONS YIELD transactionId AS id, currentQuery AS text RETURN id, text",
    )
    return [
        row["id"]
        for row in database.rows(shown)
        # a transaction that has not begun has no text
        if "10000001" in (row["text"] or "") and "SHOW" not in row["text"]
    ]


def _started(settings: Settings, database: Database, mode: str = "read") -> subprocess.Popen[str]:
    command = subprocess.Popen(
        [sys.executable, "-c", COMMAND, LONG, mode],
        env=_environment(settings),
        stderr=subprocess.PIPE,
        text=True,
    )
    while not _running(database):
        assert command.poll() is None, command.communicate()
        time.sleep(0.1)
    return command


@pytest.mark.parametrize("mode", ["read", "write"])
@pytest.mark.thorough("commands that are stopped or killed")
def test_ctrl_c_ends_the_command_and_its_statement_on_the_server(
    mini_settings: Settings, mini_server: Database, mode: str
) -> None:
    command = _started(mini_settings, mini_server, mode)
    sent = time.monotonic()
    command.send_signal(signal.SIGINT)
    try:
        error = command.communicate(timeout=60)[1]
        elapsed = time.monotonic() - sent
    finally:
        command.kill()
    assert command.returncode == 130
    assert error == "Stopped.\n"
    assert elapsed < bound()
    while (left := _running(mini_server)) and time.monotonic() - sent < bound():
        time.sleep(0.1)
    assert left == []


def test_after_an_interruption_the_same_connection_serves_again(mini_server: Database) -> None:
    """As in a notebook, where Ctrl-C ends one cell and the next one asks again."""
    # an alarm of this process, taken for Ctrl-C
    previous = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.alarm(3)
        with pytest.raises(KeyboardInterrupt):
            mini_server.rows(replace(query("sources"), text=LONG))
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)
    assert mini_server.rows(query("unknown_words"), texts=["no such word"]) == [
        {"text": "no such word"}
    ]


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(settings, silence_limit=5)


@pytest.mark.usefixtures("known")
def test_a_server_that_falls_silent_is_given_up_and_can_be_stopped(settings: Settings) -> None:
    server = LocalServer(settings)
    state = server.start()
    with connect(settings) as database:
        command = _started(settings, database)
    process = psutil.Process(state.pid)
    process.suspend()
    try:
        error = command.communicate(timeout=120)[1]
        assert command.returncode == 1
        assert "Traceback" not in error
        assert (
            error.strip()
            .splitlines()[-1]
            .startswith(f"Error: No Neo4j answers at {state.bolt_uri}")
        )
        with pytest.raises(
            DatabaseError,
            match=rf"process {state.pid}, stopped\) did not answer within 5 s.*db stop",
        ):
            connect(settings)
        assert server.stop()
    finally:
        command.kill()
        if process.is_running():
            process.resume()
    assert server.state() is None

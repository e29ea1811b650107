"""A load of WordNet that is killed twice and then finished: how every test of the full graph gets
its database."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass, field

from graphzsl.database.client import Database
from graphzsl.database.connect import connect
from graphzsl.database.library import query
from graphzsl.database.server import LocalServer
from graphzsl.settings import Settings

LOAD = [sys.executable, "-m", "graphzsl", "load", "wordnet"]


@dataclass
class Attempt:
    """What a load left behind: exit status, stderr, sizes of the graph, sources that are not
    complete."""

    status: int
    stderr: str
    counts: dict[str, int]
    incomplete: list[str]


@dataclass
class InterruptedLoad:
    """Two attempts that were killed (the command, then the server under it) and the third."""

    killed: list[Attempt] = field(default_factory=list)
    last: Attempt | None = None


def counts(database: Database) -> dict[str, int]:
    """Sizes of the graph by element."""
    return {row["element"]: row["total"] for row in database.rows(query("graph_counts"))}


def interrupted_load(settings: Settings) -> InterruptedLoad:
    """Load WordNet 3.0 into an empty home, with kill -9 at two places; the server is left
    running."""
    environment = {
        **os.environ,
        "GRAPHZSL_HOME": str(settings.home),
        "GRAPHZSL_BOLT_PORT": str(settings.bolt_port),
        "GRAPHZSL_HTTP_PORT": str(settings.http_port),
        "GRAPHZSL_HEAP": settings.heap,
    }
    server, load = LocalServer(settings), InterruptedLoad()
    server.start()
    for victim, synsets in (("command", 5_000), ("server", 20_000)):
        command = subprocess.Popen(LOAD, env=environment, stderr=subprocess.PIPE, text=True)
        with connect(settings) as database:
            while counts(database)["synsets"] < synsets:
                assert command.poll() is None, command.communicate()
                time.sleep(0.1)
        running = server.state()
        assert running
        os.kill(command.pid if victim == "command" else running.pid, signal.SIGKILL)
        stderr = command.communicate(timeout=180)[1]
        load.killed.append(_attempt(settings, command.returncode, stderr))
    done = subprocess.run(LOAD, env=environment, capture_output=True, text=True, check=False)
    load.last = _attempt(settings, done.returncode, done.stderr)
    return load


def _attempt(settings: Settings, status: int, stderr: str) -> Attempt:
    with connect(settings) as database:
        incomplete = [row["name"] for row in database.rows(query("incomplete_sources"))]
        return Attempt(status, stderr, counts(database), incomplete)

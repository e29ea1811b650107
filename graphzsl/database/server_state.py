"""The state file of the local server: which process it is and on which ports it listens."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from graphzsl.common.atomic import atomic_write
from graphzsl.common.errors import DataError
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.text_files import read_text
from graphzsl.database.processes import HIGHEST_PORT


@dataclass(frozen=True)
class ServerState:
    """Content of the state file of the running server."""

    pid: int
    created: float  #: the process's start time, so that a reused pid is not mistaken for the server
    bolt_port: int
    http_port: int
    version: str
    started_at: str
    database_id: str = (
        ""  #: Neo4j's own id of the database; empty until the server answered for the first time
    )

    @property
    def bolt_uri(self) -> str:
        return f"bolt://127.0.0.1:{self.bolt_port}"

    @property
    def browser_url(self) -> str:
        return f"http://127.0.0.1:{self.http_port}/browser/"


def read_state(path: Path) -> ServerState | None:
    """Read a state file; None if it is missing or damaged."""
    try:
        state = ServerState(**parsed_json(read_text(path), str(path)))
    except (DataError, TypeError):
        return None
    return state if _is_sound(state) else None


def write_state(path: Path, state: ServerState) -> None:
    """Write a state file for ``read_state``."""
    write_private(path, json.dumps(asdict(state)))


def _is_sound(state: ServerState) -> bool:
    """True if the fields of a state file have the types and ranges that a server's have."""
    numbers = (state.pid, state.bolt_port, state.http_port)
    return (
        all(type(number) is int and number > 0 for number in numbers)
        and max(state.bolt_port, state.http_port) <= HIGHEST_PORT
        and isinstance(state.created, float)
        and all(
            isinstance(text, str) and text.isprintable()
            for text in (state.version, state.started_at, state.database_id)
        )
    )


def configured_ports(conf: Path) -> tuple[int, int]:
    """(Bolt, HTTP) ports of a configuration file; raises KeyError or ValueError if it has none."""
    values = dict(line.split("=", 1) for line in conf.read_text().splitlines() if "=" in line)
    bolt, http = (
        values[f"server.{name}.listen_address"].rpartition(":")[2] for name in ("bolt", "http")
    )
    return int(bolt), int(http)


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, whole or not at all."""
    with atomic_write(path, private=True) as partial:
        partial.write_text(text, encoding="utf-8")

"""A home talks to its own server and to nobody else's: races for ports, copies of homes, strangers
on the port."""

from __future__ import annotations

import json
import os
import shutil
import socket
import stat
import subprocess
import sys
import threading
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
import pytest

from graphzsl.common import DatabaseError, Settings
from graphzsl.common.errors import ServerError
from graphzsl.database import LocalServer, connect, query
from tests.conftest import PAGES, servers_below

CLI = [sys.executable, "-m", "graphzsl"]


def _environment(settings: Settings, home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "GRAPHZSL_HOME": str(home),
        "GRAPHZSL_BOLT_PORT": str(settings.bolt_port),
        "GRAPHZSL_HTTP_PORT": str(settings.http_port),
        "GRAPHZSL_HEAP": settings.heap,
    }


#: GRAPHZSL_TEST_ROUNDS=20 starts two homes at once twenty times.
ROUNDS = int(os.environ.get("GRAPHZSL_TEST_ROUNDS", "1"))


def _start_at_once(settings: Settings, homes: list[Path]) -> None:
    commands = [
        subprocess.Popen(
            [*CLI, "db", "start"],
            env=_environment(settings, home),
            stderr=subprocess.PIPE,
            text=True,
        )
        for home in homes
    ]
    errors = [command.communicate(timeout=240)[1] for command in commands]
    assert [command.returncode for command in commands] == [0] * len(homes), errors
    for home in homes:
        own = replace(settings, home=home)
        (process,) = servers_below(home)
        state = LocalServer(own).state()
        assert state
        assert state.pid == process.pid
        listening = {
            c.laddr.port for c in process.net_connections("tcp") if c.status == psutil.CONN_LISTEN
        }
        assert listening == {state.bolt_port, state.http_port}
        with connect(own) as database:
            database.write((query("merge_words"), {"texts": [home.name]}))
    for home in homes:
        with connect(replace(settings, home=home)) as database:
            names = sorted(other.name for other in homes)
            absent = [row["text"] for row in database.rows(query("unknown_words"), texts=names)]
            assert absent == [name for name in names if name != home.name], (
                "a word of another home's graph"
            )


def test_a_new_home_is_small(known_home: Path) -> None:
    """Neo4j would set half a gigabyte aside for transactions to come; Browser's pages are links to
    those of all homes."""
    files = [path.stat() for path in known_home.rglob("*") if path.is_file()]
    assert sum(file.st_size for file in files if file.st_nlink == 1) < 20e6


@pytest.mark.parametrize("number", range(ROUNDS))
def test_two_fresh_homes_started_at_once_get_a_server_each(settings: Settings, number: int) -> None:
    _start_at_once(settings, [settings.home / f"{name}{number}" for name in "ab"])


def test_three_copies_of_one_home_started_at_once_get_a_server_each(
    settings: Settings, known_home: Path
) -> None:
    homes = [settings.home / name for name in ("a", "b", "c")]
    for home in homes:
        shutil.copytree(known_home, home / "neo4j", ignore=PAGES)
    _start_at_once(settings, homes)
    passwords = {(home / "neo4j" / "password").read_text() for home in homes}
    assert len(passwords) == 1, "the copies were started with one password"


@pytest.mark.usefixtures("known")
def test_a_stranger_on_the_port_never_sees_the_password(settings: Settings) -> None:
    """Another program takes the port in the seconds between the choice of the port and Neo4j's
    bind, and speaks Bolt."""
    server = LocalServer(settings)
    heard: list[bytes] = []
    with _Stranger(heard) as stranger:
        watcher = threading.Thread(target=stranger.take_the_port_of, args=(server,))
        watcher.start()
        state = server.start()
        watcher.join()
    assert stranger.port == settings.bolt_port, "the stranger was there first"
    assert state.bolt_port != stranger.port
    assert server.password().encode() not in b"".join(heard)
    with connect(settings) as database:
        assert database.rows(query("unknown_words"), texts=["x"]) == [{"text": "x"}]


class _Stranger:
    """Listens on the port that a home has just chosen, agrees on Bolt 4.4, where the first message
    has the password."""

    def __init__(self, heard: list[bytes]):
        self.heard = heard
        self.port = 0
        self.listener = socket.socket()
        self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)

    def __enter__(self) -> _Stranger:
        return self

    def __exit__(self, *_: object) -> None:
        with suppress(OSError):  # it took no port
            self.listener.shutdown(socket.SHUT_RDWR)  # or who waits for a peer keeps the port
        self.listener.close()

    def take_the_port_of(self, server: LocalServer) -> None:
        while (state := server.state()) is None:
            time.sleep(0.01)
        self.listener.bind(("127.0.0.1", state.bolt_port))
        self.listener.listen()
        self.port = state.bolt_port
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                peer, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._talk, args=(peer,), daemon=True).start()

    def _talk(self, peer: socket.socket) -> None:
        with peer:
            peer.settimeout(5)
            try:
                self.heard.append(peer.recv(20))
                peer.sendall(b"\x00\x00\x04\x04")
                self.heard.append(peer.recv(4096))
            except OSError:
                return


def test_a_state_file_is_checked_before_it_is_believed(settings: Settings) -> None:
    """Wrong types, wrong encodings, and processes that are not servers of this home: none is asked,
    none is ended."""
    server = LocalServer(settings)
    server.home.mkdir(parents=True)
    with subprocess.Popen(["sleep", "60"]) as sleeper:
        good = {
            "pid": sleeper.pid,
            "created": psutil.Process(sleeper.pid).create_time(),
            "bolt_port": settings.bolt_port,
            "http_port": settings.http_port,
            "version": "5",
            "started_at": "now",
        }
        changes: list[dict[str, object]] = [
            {},
            {"pid": -1},
            {"pid": "7"},
            {"created": "text"},
            {"created": int("9" * 320)},
            {"created": float("inf")},
            {"pid": int("9" * 320)},
            {"version": "5\ud800"},
            {"started_at": "now\n"},
            {"bolt_port": 99999},
        ]
        for change in changes:
            (server.home / "state.json").write_text(json.dumps({**good, **change}))
            assert server.state() is None, change
            assert not server.stop()
        for content in (b"\xff\xfe\x00", b"[]", b""):
            (server.home / "state.json").write_bytes(content)
            assert server.state() is None
        (server.home / "state.json").unlink()
        os.mkfifo(server.home / "state.json")
        assert server.state() is None
        assert sleeper.poll() is None, "db stop ended a process that is not a server"
        sleeper.kill()


def test_a_copy_of_a_home_has_no_server_and_a_relative_home_finds_its_own(
    settings: Settings, known_home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one server: a copy does not take the original's for its own, and the original finds it
    by every path, with and without its state file."""
    monkeypatch.chdir(settings.home)
    shutil.copytree(known_home, settings.home / "kept" / "neo4j", ignore=PAGES)
    (settings.home / "elsewhere").mkdir()
    (settings.home / "link").symlink_to(settings.home / "kept")
    state = LocalServer(replace(settings, home=Path("kept"))).start()
    original, copy = (
        LocalServer(replace(settings, home=settings.home / name)) for name in ("kept", "copy")
    )
    copy.home.mkdir(parents=True)
    for name in ("state.json", "password"):
        shutil.copy(original.home / name, copy.home / name)
    assert copy.state() is None
    assert not copy.stop()
    assert psutil.pid_exists(state.pid)
    assert original.state() == state
    (original.home / "state.json").unlink()
    for home in (settings.home / "kept", settings.home / "link"):
        found = LocalServer(replace(settings, home=home)).state()
        assert found
        assert found.pid == state.pid
    monkeypatch.chdir(settings.home / "elsewhere")
    assert LocalServer(replace(settings, home=Path("../kept"))).stop()


@pytest.mark.usefixtures("known")
def test_a_damaged_home_of_a_running_server_is_named_and_so_is_the_servers_end(
    settings: Settings,
) -> None:
    """Nothing is to be deleted. When the server dies in a command, its successor on the port gets
    no password."""
    server = LocalServer(settings)
    state = server.start()
    path = server.home / "password"
    good = path.read_bytes()
    path.chmod(0o666)
    with connect(settings) as database:
        assert database.rows(query("unknown_words"), texts=["x"]) == [{"text": "x"}]
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        for damage in (None, b"\xff\xfe", b"wrong\n"):
            path.unlink(missing_ok=True)
            if damage is not None:
                path.write_bytes(damage)
            done = subprocess.run(
                [*CLI, "db", "start"],
                env=_environment(settings, settings.home),
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 1
            assert str(path) in done.stderr
            assert "unharmed" in done.stderr
            assert "db password --reset" in done.stderr
            assert "delete" not in done.stderr
            assert "Traceback" not in done.stderr
        path.write_bytes(good)
        path.chmod(0o600)
        for name in ("state.json", "conf/neo4j.conf"):
            (server.home / name).rename(settings.home / Path(name).name)
        with pytest.raises(
            ServerError, match=rf"Process {state.pid} is a server of .*`graphzsl db stop` ends it"
        ):
            server.state()
        for name in ("state.json", "conf/neo4j.conf"):
            (settings.home / Path(name).name).rename(server.home / name)
        assert server.start() == state
        heard: list[bytes] = []
        with connect(settings) as other, _Stranger(heard) as stranger:
            _kill(state.pid)
            assert database.rows(query("sources")) == [], "started again, and asked again"
            restarted = server.state()
            assert restarted
            assert restarted.pid != state.pid
            _kill(restarted.pid)
            with pytest.raises(DatabaseError, match=r"[Rr]un the command again, which starts it"):
                database.rows(query("sources"))
            stranger.listener.bind(("127.0.0.1", restarted.bolt_port))
            stranger.listener.listen()
            threading.Thread(target=stranger._serve, daemon=True).start()
            assert other.rows(query("sources")) == []
            assert stranger.listener.getsockname()[1] != server.start().bolt_port
            assert server.stop()
            with pytest.raises(DatabaseError, match=r"[Rr]un the command again, which starts it"):
                other.rows(query("sources"))  # stopped on purpose: it is not started again
            assert server.state() is None
        assert server.password().encode() not in b"".join(heard)


def _kill(pid: int) -> None:
    process = psutil.Process(pid)
    process.kill()
    process.wait(30)

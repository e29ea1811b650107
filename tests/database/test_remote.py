"""A server named by its address: what its administrator sees, bookmarks, encryption, passwords."""

from __future__ import annotations

import json
import socket
import ssl
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import neo4j
import pytest
from neo4j.exceptions import Neo4jError

from graphzsl.common import DatabaseError, Settings, SettingsError, load_settings
from graphzsl.common.files import sha256_text
from graphzsl.database import Database, LocalServer, connect, library, query
from graphzsl.database.bookmarks import Bookmarks, bookmark_file
from graphzsl.database.connection import USER_AGENT
from graphzsl.database.failures import explained


@pytest.fixture
def remote(mini_settings: Settings, mini_server: Database, tmp_path: Path) -> Settings:
    """The mini server by its address, as one that graphzsl does not manage."""
    password = LocalServer(mini_settings).password()
    return replace(mini_settings, uri=mini_server.uri, password=password, cache=tmp_path)


def test_show_transactions_names_the_query_and_its_hash(
    remote: Settings, mini_server: Database
) -> None:
    """Seen from within: a transaction sees itself."""
    text = (
        "SHOW TRANSACTIONS YIELD metaData, connectionId WHERE metaData.sha256 = $own"
        " RETURN metaData AS meta, connectionId AS id"
    )
    own = replace(query("sources"), text=text, params={"own": "STRING"})
    with connect(remote) as database:
        (row,) = database.rows(own, own=sha256_text(text)[:12])
        assert row["meta"] == {
            "app": USER_AGENT,
            "query": "sources",
            "sha256": sha256_text(text)[:12],
        }
        connections = database._driver.execute_query(
            "CALL dbms.listConnections() YIELD connectionId, userAgent"
        ).records
    assert (row["id"], USER_AGENT) in map(tuple, connections)


def test_explain_asks_a_server_that_only_reads(mini_server: Database) -> None:
    """On a cluster any member plans, for queries that write too."""
    modes: list[str] = []
    real = mini_server._connection.run

    def run(method: str, *arguments: object, **more: object) -> object:
        modes.append(method)
        return real(method, *arguments, **more)  # type: ignore[arg-type]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(mini_server._connection, "run", run)
        for statement in library().values():
            mini_server.explain(statement, **_nothing(statement.params))
    assert set(modes) == {"execute_read"}


def _nothing(params: dict[str, str]) -> dict[str, object]:
    values = {"LIST": [], "MAP": {}, "INTEGER": 1, "FLOAT": 1.0, "BOOLEAN": True}
    return {name: values.get(kind.partition("<")[0], "x") for name, kind in params.items()}


def test_a_write_and_the_next_command_share_bookmarks(remote: Settings) -> None:
    with connect(remote) as database:
        path = bookmark_file(remote, database.identity())
        assert not path.exists()
        database.write((query("merge_words"), {"texts": ["a word that waits"]}))
        written = json.loads(path.read_text())
        assert written["database"] == database.identity()
        assert database._connection.bookmarks.manager.get_bookmarks() == set(written["bookmarks"])
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert remote.password not in path.read_text()
    with connect(remote) as database:
        own = database._connection.bookmarks.manager
        assert own.get_bookmarks() == set(written["bookmarks"]), "before any other transaction"
        assert database.rows(query("unknown_words"), texts=["a word that waits"]) == []


def test_the_local_server_keeps_no_bookmarks(mini_settings: Settings, tmp_path: Path) -> None:
    # other tests reach the same database by its address, and keep bookmarks in the usual place
    settings = replace(mini_settings, cache=tmp_path)
    with connect(settings) as database:
        database.write((query("merge_words"), {"texts": ["another word"]}))
        assert not bookmark_file(settings, database.identity()).exists()


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"[]",
        b"\xff",
        b"[" * 100_000,
        b'{"database": "ID", "bookmarks": [1]}',
        b'{"database": "ID", "bookmarks": ["a\\u0000"]}',
        b'{"database": "another", "bookmarks": ["FB:x"]}',
        b'{"database": "ID", "bookmarks": ["no bookmark of this server"]}',
    ],
)
def test_bookmarks_that_are_not_sound_do_not_count(remote: Settings, content: bytes) -> None:
    with connect(remote) as database:
        identity = database.identity()
    path = bookmark_file(remote, identity)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content.replace(b"ID", identity.encode()))
    with connect(remote) as database:
        assert database._connection.bookmarks.manager.get_bookmarks() == set()
        database.write((query("merge_words"), {"texts": ["and another"]}))
    assert json.loads(path.read_text())["database"] == identity


def test_commands_at_once_keep_the_bookmarks_of_each_other(tmp_path: Path) -> None:
    """The third begins with what the first two wrote, and replaces that by its own; the second
    still knows nothing of it, and replaces its own alone."""
    path = tmp_path / "x.json"
    one, two = Bookmarks(path, "ID"), Bookmarks(path, "ID")
    one.manager.update_bookmarks([], ["FB:1"])
    two.manager.update_bookmarks([], ["FB:2"])
    assert json.loads(path.read_text())["bookmarks"] == ["FB:1", "FB:2"]
    three = Bookmarks(path, "ID")
    three.recall(lambda _: True)
    assert three.manager.get_bookmarks() == {"FB:1", "FB:2"}
    three.manager.update_bookmarks(["FB:1", "FB:2"], ["FB:3"])
    assert json.loads(path.read_text())["bookmarks"] == ["FB:3"]
    two.manager.update_bookmarks(["FB:2"], ["FB:4"])
    assert json.loads(path.read_text())["bookmarks"] == ["FB:3", "FB:4"]


def test_bookmarks_that_are_not_reached_are_a_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "x.json"
    Bookmarks(path, "ID").manager.update_bookmarks([], ["FB:1"])
    bookmarks = Bookmarks(path, "ID")
    bookmarks.recall(lambda _: False)
    assert "What is read now may be from before them" in capsys.readouterr().err.replace("\n", " ")
    assert bookmarks.manager.get_bookmarks() == set()
    assert not path.exists()


def test_bookmarks_are_those_of_a_database_whatever_its_address(remote: Settings) -> None:
    other = replace(remote, uri=remote.uri.replace("bolt:", "neo4j:"))
    with connect(remote) as database:
        database.write((query("merge_words"), {"texts": ["by one address"]}))
        written = database._connection.bookmarks.manager.get_bookmarks()
    with connect(other) as database:
        assert database._connection.bookmarks.manager.get_bookmarks() == written


def test_answers_come_in_large_pieces(mini_server: Database) -> None:
    """The driver's own size is 1,000 rows, each time with a round trip."""
    with mini_server._connection._session(warnings=False) as session:
        assert session._config.fetch_size == 10_000


def test_the_drivers_log_is_not_written_to_stderr_of_a_caller() -> None:
    """Its lines about repeated transactions, where nobody handles them; who does, gets them."""
    code = (
        "import logging, graphzsl.database.connection\n"
        "logging.getLogger('neo4j.pool').warning('Transaction failed and will be retried')\n"
        "logging.basicConfig()\n"
        "logging.getLogger('neo4j.pool').warning('for who handles it')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == "WARNING:neo4j.pool:for who handles it\n"


def test_what_cannot_be_kept_fails_no_command(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    bookmarks = Bookmarks(tmp_path / "file" / "x.json", "ID")
    bookmarks.manager.update_bookmarks([], ["FB:1"])
    assert bookmarks.manager.get_bookmarks() == {"FB:1"}
    neo4j.Bookmarks.from_raw_values(["FB:1"])


@pytest.mark.parametrize("scheme", ["bolt+s", "neo4j+s", "neo4j+ssc"])
def test_encryption_to_a_plain_server_is_named(remote: Settings, scheme: str) -> None:
    uri = remote.uri.replace("bolt:", f"{scheme}:")
    with pytest.raises(DatabaseError, match=r"TLS is the problem.*without encryption") as caught:
        connect(replace(remote, uri=uri))
    assert f"Write {scheme.partition('+')[0]}://127.0.0.1" in str(caught.value)


@pytest.fixture
def encrypted(tmp_path: Path) -> Iterator[int]:
    """The port of a listener that speaks TLS with a certificate of its own, and says nothing."""
    key, certificate = tmp_path / "key.pem", tmp_path / "certificate.pem"
    made = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=x"]
    try:
        subprocess.run(
            ["openssl", *made, "-keyout", str(key), "-out", str(certificate)],
            capture_output=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("openssl makes no certificate here")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    peer, _ = listener.accept()
                    peer.settimeout(2)
                    context.wrap_socket(peer, server_side=True).close()
                except ssl.SSLError:
                    continue
                except OSError:
                    if listener.fileno() < 0:
                        return

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]


def test_a_server_that_asks_for_encryption_is_named(encrypted: int) -> None:
    with pytest.raises(DatabaseError, match=r"asks for encryption \(TLS\): write bolt\+s://"):
        connect(Settings(uri=f"bolt://127.0.0.1:{encrypted}", password="x"))
    with pytest.raises(DatabaseError, match=r"certificate is not trusted.*bolt\+ssc://"):
        connect(Settings(uri=f"bolt+s://127.0.0.1:{encrypted}", password="x"))


@pytest.mark.parametrize(
    "uri",
    [
        "bolt://neo4j:SECRET@host",
        "neo4j:SECRET@host:7687",
        "bolt:/neo4j:SECRET@host",
        "bolt://neo4j:a/SECRET@host",
        "postgres://neo4j:SECRET@host",
    ],
)
def test_a_password_in_an_address_is_in_no_message(
    monkeypatch: pytest.MonkeyPatch, uri: str
) -> None:
    monkeypatch.setenv("NEO4J_URI", uri)
    for attempt, kind in (
        (load_settings, SettingsError),
        (lambda: Database(uri, "neo4j", "SECRET"), DatabaseError),
    ):
        with pytest.raises(kind, match="an address without a user name") as caught:
            attempt()
        assert "SECRET" not in str(caught.value)


def test_a_connection_that_was_closed_is_named(
    mini_settings: Settings, mini_server: Database
) -> None:
    with connect(mini_settings) as database:
        pass
    with pytest.raises(DatabaseError, match=r"is closed\. Open another: `with graphzsl.connect"):
        database.query("RETURN 1 AS one")


def test_an_error_without_a_word_says_what_it_can_be(mini_server: Database) -> None:
    """With a heap of 2 GB Neo4j answers so where a text is longer than Java's longest; the small
    heap of the tests' server does not hold such a text."""
    answer = Neo4jError._hydrate_neo4j(
        code="Neo.DatabaseError.Statement.ExecutionFailed", message="-2147483648"
    )
    refused = pytest.raises(DatabaseError, match="a value of the statement may be too large")
    with refused, explained(mini_server._connection):
        raise answer

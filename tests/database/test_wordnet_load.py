"""WordNet into a server of one's own: the importer and the driver make the same graph, what is
there is kept, and kills leave nothing half."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Iterator
from dataclasses import replace

import psutil
import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.common import DataError, Settings, load_settings
from graphzsl.common.errors import ServerError
from graphzsl.database import Database, LocalServer, bulk_import, connect, ingest, query
from graphzsl.database.processes import worker_argument
from graphzsl.sources.wordnet import SynsetRow
from tests.database.state import clear, counts, exact, state
from tests.mini import MiniWordNet

#: One home serves them all.
pytestmark = pytest.mark.xdist_group("loads")

#: Loads ``Many``, with the importer or through the driver, whose batches are so small that a kill
#: comes between them.
COMMAND = textwrap.dedent("""
    import sys
    from functools import partial
    from graphzsl.database import bulk_import, ingest
    from graphzsl.database.connect import connect
    from graphzsl.common.settings import load_settings
    settings = load_settings()  # before the tests clean the environment
    from tests.database.test_wordnet_load import Many
    ingest.batches = partial(ingest.batches, size=200)
    if sys.argv[1] == "importer":
        bulk_import.load_wordnet(settings, Many())
    else:
        with connect(settings) as database:
            ingest.load_wordnet(database, Many())
    """)


class Many(MiniWordNet):
    """Thousands of synsets more, each below two others."""

    def __init__(self) -> None:
        super().__init__()
        for number in range(1_500):
            parents = sorted({self["dog"], self.rows[number].wnid})
            words = [f"dog {number}", f"Canis {number % 7}"]
            wnid = f"n{10**7 + number}"
            self.rows.append(
                SynsetRow(wnid, f"dog_{number}.n.01", words, "a dog", "noun.animal", parents, [])
            )


class Texts(MiniWordNet):
    """With texts that a table may take for something else: none, quotes, commas, backslashes,
    numbers, tabs, other alphabets."""

    def __init__(self) -> None:
        super().__init__()
        texts = ["", '"', ', "a", b', "one\\", "7", "null", "Ærøskøbing – 犬", " x ", "a\tb", "''"]
        for row, text in zip(list(self.rows), texts, strict=False):
            self.rows[self.rows.index(row)] = replace(row, gloss=text)


class Twice(MiniWordNet):
    """One wnid for two synsets: the importer refuses it."""

    def __init__(self) -> None:
        super().__init__()
        self.rows.append(replace(self.rows[3], words=["again"]))


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Settings]:
    """One home for these tests, which begin with it empty, and whose name needs care; no server was
    started for it yet."""
    found = replace(
        load_settings(),
        uri="",
        home=tmp_path_factory.mktemp("load, a = b"),
        bolt_port=18887,
        http_port=18937,
        heap="256m",
        java_home=None,
    )
    yield found
    LocalServer(found).stop()


@pytest.fixture(autouse=True)
def _empty(settings: Settings) -> None:
    if not LocalServer(settings).is_new():
        with connect(settings) as database:
            clear(database)


def _pid(settings: Settings) -> int:
    running = LocalServer(settings).state()
    assert running
    return running.pid


def _load(settings: Settings, wordnet: MiniWordNet) -> bool:
    return bulk_import.load_wordnet(settings, wordnet)  # type: ignore[arg-type]


def _types(database: Database) -> list[dict[str, str]]:
    """Types of the values, by labels and edge types."""
    text = (
        "MATCH (n) UNWIND keys(n) AS key WITH labels(n) AS kind, key, n[key] AS value"
        " WHERE NOT 'Source' IN kind RETURN DISTINCT kind, key, valueType(value) AS type"
        " UNION MATCH ()-[e]->() UNWIND keys(e) AS key"
        " RETURN DISTINCT [type(e)] AS kind, key, valueType(e[key]) AS type"
    )
    return sorted(database.query(text), key=str)


def _command(settings: Settings, way: str) -> subprocess.Popen[str]:
    environment = {
        **os.environ,
        "GRAPHZSL_HOME": str(settings.home),
        "GRAPHZSL_BOLT_PORT": str(settings.bolt_port),
        "GRAPHZSL_HTTP_PORT": str(settings.http_port),
        "GRAPHZSL_HEAP": settings.heap,
    }
    return subprocess.Popen(
        [sys.executable, "-c", COMMAND, way], env=environment, stderr=subprocess.PIPE, text=True
    )


def test_kills_leave_all_or_nothing_of_an_import(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """First the command is killed, whose importer goes on without it, then the importer; the third
    load ends behind the importer, and the fourth with exactly the rows of WordNet."""
    for victim in ("command", "importer"):
        command = _command(settings, "importer")
        while not (importer := _importer(settings, command.pid)):
            assert command.poll() is None, command.communicate()
            time.sleep(0.02)
        os.kill(command.pid if victim == "command" else importer.pid, signal.SIGKILL)
        stderr = command.communicate(timeout=180)[1]
        if victim == "importer":
            assert "importer failed with exit status -9, and nothing was loaded" in stderr
            assert not list(settings.server_home.glob(".data*")), "both copies are gone"
            assert _importer(settings) is None, "the one without a command was ended"
        assert not (settings.server_home / "data" / "databases" / "neo4j").exists()
    wordnet = Many()
    with monkeypatch.context() as context:
        context.setattr(ingest, "finish_wordnet", _interrupted)
        with pytest.raises(KeyboardInterrupt):
            _load(settings, wordnet)
    with connect(settings) as database:
        assert database.rows(query("incomplete_sources"))[0]["name"] == "wordnet"
    assert _load(settings, wordnet)
    with connect(settings) as database:
        exact(database, wordnet)
        assert database.rows(query("incomplete_sources")) == []


def _interrupted(*_: object) -> None:
    raise KeyboardInterrupt


def _importer(settings: Settings, command: int | None = None) -> psutil.Process | None:
    """The importer of this home, or the one that a command has started for it."""
    mark = worker_argument(settings.server_home)
    for process in psutil.process_iter(["cmdline", "ppid"]):
        if mark in (process.info["cmdline"] or []) and command in (None, process.info["ppid"]):
            return process
    return None


def test_two_loads_at_once_make_one_graph(settings: Settings) -> None:
    """The second waits for the first, and finds WordNet there."""
    commands = [_command(settings, "importer") for _ in range(2)]
    said = [command.communicate(timeout=300)[1] for command in commands]
    assert [command.returncode for command in commands] == [0, 0], "".join(said)
    assert "".join(said).count("waiting for it") == 1
    with connect(settings) as database:
        exact(database, Many())
        assert database.rows(query("incomplete_sources")) == []


def test_a_server_in_a_load_is_not_stopped(settings: Settings) -> None:
    """The load stops it for the importer, and starts it again."""
    server = LocalServer(settings)
    command = _command(settings, "importer")
    while not _importer(settings, command.pid):
        assert command.poll() is None, command.communicate()
        time.sleep(0.02)
    refused = rf"A load of WordNet \(process {command.pid}\) .* nothing was stopped.*`kill "
    with pytest.raises(ServerError, match=refused):
        server.stop()
    assert command.poll() is None, "nothing was waited for"
    command.communicate(timeout=300)
    assert command.returncode == 0
    assert server.stop()
    assert server.state() is None


@pytest.mark.parametrize(
    ("step", "arguments"),
    [("sources.wordnet_folder", ["--force"]), ("database.loaded_wordnet", [])],
)
def test_a_server_is_not_stopped_while_a_load_prepares(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, step: str, arguments: list[str]
) -> None:
    """To read WordNet's files takes seconds, and to ask a server that has to be started too."""

    def prepare(given: object) -> object:
        with pytest.raises(ServerError, match=r"A load of WordNet .* nothing was stopped"):
            LocalServer(settings).stop()
        raise DataError("far enough")

    monkeypatch.setenv("GRAPHZSL_HOME", str(settings.home))
    monkeypatch.setenv("GRAPHZSL_BOLT_PORT", str(settings.bolt_port))
    monkeypatch.setenv("GRAPHZSL_HTTP_PORT", str(settings.http_port))
    with connect(settings):
        pass  # the home is not new
    monkeypatch.setattr(f"graphzsl.{step}", prepare)
    result = CliRunner().invoke(main, ["load", "wordnet", *arguments])
    assert result.output == "Error: far enough\n"
    assert LocalServer(settings).stop()


def test_what_the_importer_refuses_leaves_the_database_as_it_was(settings: Settings) -> None:
    with connect(settings) as database:
        identity = database.identity()
    with pytest.raises(ServerError, match=r"exit status 70, and nothing was loaded: Id "):
        _load(settings, Twice())
    assert not list(settings.server_home.glob(".data*")), "nothing is left of the copy"
    with connect(settings) as database:
        assert (database.identity(), state(database)) == (identity, [])


def test_the_importer_makes_the_graph_that_the_driver_makes(settings: Settings) -> None:
    wordnet = Texts()
    before = _pid(settings)
    collected = replace(settings, java_options=f"{settings.java_options} -XX:+UseG1GC")
    assert _load(collected, wordnet), "a database without a node"
    running = _pid(settings)
    assert running != before, "the server was down"
    with connect(settings) as database:
        imported, types = state(database), _types(database)
        assert not _load(settings, wordnet), "it is there"
        clear(database)
        database._driver.execute_query("CREATE (:Own {name: 'mine'})")
        assert _load(settings, wordnet), "somebody's node is there"
        assert _pid(settings) == running, "the driver"
        mine = database.query("MATCH (n:Own) RETURN n.name AS name")
        assert mine == [{"name": "mine"}]
        database._driver.execute_query("MATCH (n:Own) DELETE n")
        assert (state(database), _types(database)) == (imported, types)
        clear(database)
        database._driver.execute_query("CREATE INDEX own FOR (n:Own) ON (n.name)")
        assert _load(settings, wordnet), "somebody's index is there"
        assert _pid(settings) == running
        assert state(database) == imported


def test_a_load_through_the_driver_is_exact_after_kills(settings: Settings) -> None:
    """First the command is killed, and the next load completes it; then the server under that,
    which is started again, and the same load goes on."""
    wordnet = Many()
    labels = sum(len(row.words) for row in wordnet.rows)
    for victim, element in (("command", "synsets"), ("server", "labels")):
        command = _command(settings, "driver")
        with connect(settings) as database:
            while not counts(database)[element]:
                assert command.poll() is None, command.communicate()
                time.sleep(0.02)
        os.kill(command.pid if victim == "command" else _pid(settings), signal.SIGKILL)
        said = command.communicate(timeout=180)[1]
        if victim == "command":
            assert command.returncode != 0
            with connect(settings) as database:
                assert database.rows(query("incomplete_sources"))[0]["name"] == "wordnet"
                assert counts(database)["labels"] < labels
    assert command.returncode == 0, said
    assert said.count("ended in the middle of this: starting it again") == 1
    with connect(settings) as database:
        assert database.rows(query("incomplete_sources")) == []
        exact(database, wordnet)

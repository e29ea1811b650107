"""Real parts for the tests: local Neo4j servers, the mini WordNet, the full WordNet 3.0, files that
are not shipped."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import Phase
from hypothesis import settings as hypothesis_settings

from graphzsl.database.client import Database
from graphzsl.database.connect import connect
from graphzsl.database.ingest import (
    create_schema,
    load_class_set,
    load_hierarchy,
    load_populations,
    load_wordnet,
    put_class_set,
)
from graphzsl.database.server import LocalServer
from graphzsl.settings import Settings, load_settings
from graphzsl.sources.wordnet import WordNet
from graphzsl.sources.wordnet_files import wordnet_folder
from graphzsl.splits.hops import hop_split
from tests.mini import TRAIN, MiniWordNet

#: `make mutants` wants to know that a property fails, not the smallest example of it.
hypothesis_settings.register_profile(
    "mutants", phases=[Phase.explicit, Phase.generate], database=None, deadline=None
)

# A shell that starts the tests in the background has Ctrl-C ignored, and so would every command
# that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(autouse=True)
def _own_database(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """No test reaches the user's database or settings."""
    for name in list(os.environ):
        if name.startswith(("NEO4J_", "GRAPHZSL_BOLT", "GRAPHZSL_HTTP", "GRAPHZSL_HOME")):
            monkeypatch.delenv(name)
    monkeypatch.setattr("graphzsl.settings.config_path", lambda: Path("/nonexistent/graphzsl.toml"))


@pytest.fixture(scope="session")
def reference() -> Callable[[str], Path]:
    """Path of a file of reference data that is not shipped; skips where it is absent."""

    def find(name: str) -> Path:
        path = REFERENCE / name
        if not path.exists():
            pytest.skip(f"reference data {name} is not beside this checkout")
        return path

    return find


def _settings(home: Path, port: int, heap: str) -> Settings:
    base = load_settings()
    return replace(
        base,
        uri="",
        home=home,
        bolt_port=port,
        http_port=port + 100,
        heap=heap,
        java_home=None,
        neo4j_home=None,
    )


def _served(settings: Settings) -> Iterator[Database]:
    server = LocalServer(settings)
    database = connect(settings)
    yield database
    database.close()
    server.stop()


@pytest.fixture(scope="session")
def mini() -> MiniWordNet:
    return MiniWordNet()


@pytest.fixture(scope="session")
def mini_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return _settings(tmp_path_factory.mktemp("mini"), 17687, "512m")


@pytest.fixture(scope="session")
def mini_server(mini_settings: Settings) -> Iterator[Database]:
    yield from _served(mini_settings)


@pytest.fixture
def mini_database(mini_server: Database, mini: MiniWordNet) -> Database:
    """The mini WordNet, its populations, and two class sets, freshly loaded."""
    mini_server._driver.execute_query("MATCH (n) DETACH DELETE n", database_="neo4j")
    create_schema(mini_server)
    load_wordnet(mini_server, mini)  # type: ignore[arg-type]
    put_class_set(mini_server, "train", mini.named(*TRAIN), {"kind": "list"})
    put_class_set(mini_server, "universe", mini.universe(), {"kind": "list"})
    from graphzsl.database.library import query

    rows = [{"wnid": wnid, "images": images} for wnid, images in mini.populations.items()]
    mini_server.write((query("set_populations"), {"rows": rows}))
    return mini_server


@pytest.fixture(scope="session")
def full_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return _settings(tmp_path_factory.mktemp("full"), 17787, "2g")


@pytest.fixture(scope="session")
def full_database(full_settings: Settings) -> Iterator[Database]:
    """WordNet 3.0, the ImageNet lists, populations, the release hierarchy, the splits."""
    for database in _served(full_settings):
        load_wordnet(database, WordNet(wordnet_folder(full_settings)))
        for name in ("ilsvrc2012", "imagenet-fall11"):
            load_class_set(database, name)
        load_populations(database)
        load_hierarchy(database)
        for hops in (1, 2, None):
            hop_split(database, hops).store(database)
        yield database

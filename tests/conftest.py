"""Real parts for the tests: local Neo4j servers, the mini WordNet, the full WordNet 3.0, files that
are not shipped."""

from __future__ import annotations

import os
import shutil
import signal
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psutil
import pytest
from click.testing import CliRunner, Result
from filelock import FileLock
from hypothesis import Phase
from hypothesis import settings as hypothesis_settings

from graphzsl.cli import main
from graphzsl.common import Settings, load_settings
from graphzsl.database import (
    Database,
    LocalServer,
    bulk_import,
    connect,
    load_class_set,
    load_hierarchy,
    load_populations,
)
from graphzsl.sources import WordNet, wordnet_folder
from graphzsl.sources.wordnet import SynsetRow
from graphzsl.splits import hop_split
from tests.another_neo4j import use_another_neo4j
from tests.database.state import clear, load_mini, state
from tests.disks import mounted
from tests.mini import MiniWordNet, write_nouns

if TYPE_CHECKING:
    from graphzsl.benchmark import Built
    from graphzsl.models import Task

#: `graphzsl` with these arguments, and its exit status.
Command = Callable[..., Result]

#: `make mutants` wants to know that a property fails, not the smallest example of it.
hypothesis_settings.register_profile(
    "mutants", phases=[Phase.explicit, Phase.generate], database=None, deadline=None
)

use_another_neo4j()

# A shell that starts the tests in the background has Ctrl-C ignored, and so would every command
# that they start.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

#: What a copy of a server's home need not have: a start makes the links to Browser's pages.
PAGES = shutil.ignore_patterns("www")

_TESTS = Path(__file__).resolve().parent
REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "data"


@pytest.fixture(autouse=True)
def _own_database(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """No test reaches the user's settings, and none of the kind ``unit`` starts a server; see
    ``tests/__init__.py`` for the environment."""
    monkeypatch.setattr(
        "graphzsl.common.settings.config_path", lambda: Path("/nonexistent/graphzsl.toml")
    )
    if request.node.get_closest_marker("unit"):
        monkeypatch.setattr("graphzsl.database.server.LocalServer.start", _no_server)


def _no_server(*_: object, **__: object) -> None:
    pytest.fail("A test of the kind `unit` starts no server.")


@pytest.fixture(scope="session")
def reference() -> Callable[[str], Path]:
    """Path of a file of reference data that is not shipped; skips where it is absent."""

    def find(name: str) -> Path:
        path = REFERENCE / name
        if not path.exists():
            pytest.skip(f"reference data {name} is not beside this checkout")
        return path

    return find


#: What `make test` leaves to `make test-all`: fixture -> what a test that asks for it takes, and
#: folder or file -> what its tests take. The mark `thorough` says it of single tests.
_THOROUGH = {
    "settings": "a server of its own",
    "known_home": "a server of its own",
    "disk": "a disk that becomes full",
    "site": "the documentation as a site",
    "built_recipes": "the shipped benchmarks, built anew",
}
_THOROUGH_PATHS = {
    "analysis": "studies of the papers, with their figures",
    "database/test_one_answer.py": "all of WordNet, asked in two ways",
    "embeddings/features": "features of images",
    "end_to_end/test_own_features.py": "the demo",
    "names/test_class_language.py": "every shipped list, in every language",
    "names/test_class_naming.py": "every shipped list, in every language",
    "names/test_names_docs.py": "pages of the documentation",
    "reports": "Chromium, on more than a page of each kind",
    "splits/test_hcorrect_sizes.py": "all of WordNet, asked in two ways",
    "splits/test_neighbourhoods.py": "all of WordNet, asked in two ways",
}


@pytest.hookimpl(wrapper=True)  # so that it comes before pytest-xdist, which reads the groups
def pytest_collection_modifyitems(
    config: pytest.Config, items: list[pytest.Item]
) -> Iterator[None]:
    """Mark each test by what it takes: unit, database (a server), full (WordNet in full), e2e,
    thorough; and the worker that it belongs to."""
    left: Counter[str] = Counter()
    for item in items:
        fixtures = set(getattr(item, "fixturenames", ()))
        for fixture in _THOROUGH.keys() & fixtures:
            item.add_marker(pytest.mark.thorough(_THOROUGH[fixture]))
        for path, taken in _THOROUGH_PATHS.items():
            if item.path.is_relative_to(_TESTS / path):
                item.add_marker(pytest.mark.thorough(taken))
        thorough = item.get_closest_marker("thorough")
        if thorough:
            left[thorough.args[0]] += 1
        if "end_to_end" in item.path.parts:
            item.add_marker(pytest.mark.e2e)
        if "full_settings" in fixtures:
            item.add_marker(pytest.mark.full)
            item.add_marker(pytest.mark.xdist_group("full, thorough" if thorough else "full"))
        elif "mini_settings" in fixtures:
            item.add_marker(pytest.mark.xdist_group("mini"))
        elif "wordnet_rows" in fixtures:
            item.add_marker(pytest.mark.xdist_group("wordnet"))
        if fixtures & {"full_settings", "mini_settings", "settings"}:
            item.add_marker(pytest.mark.database)
        elif "end_to_end" not in item.path.parts:
            item.add_marker(pytest.mark.unit)
    config.stash[_LEFT] = left
    return (yield)


#: What tests of `make test-all` take, and how many there are.
_LEFT = pytest.StashKey[Counter[str]]()


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Hand the counts of a worker, which collects the tests, to the process that sums up."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["left"] = dict(session.config.stash.get(_LEFT, {}))


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take the counts of a worker; all collect the same tests."""
    node.config.stash[_LEFT] = Counter(getattr(node, "workeroutput", {}).get("left", {}))


@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Say at the end of `make test` what `make test-all` runs besides."""
    left = config.stash.get(_LEFT, Counter())
    if left and config.option.markexpr == "not thorough":
        terminalreporter.write_line(f"`make test-all` runs {left.total()} tests besides, of:")
        for taken, count in left.most_common():
            terminalreporter.write_line(f"{count:6} {taken}")
        terminalreporter.write_line("It runs what asks the mini WordNet on the newest Neo4j again.")


def _settings(home: Path, port: int, heap: str) -> Settings:
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return replace(
        load_settings(),
        uri="",
        home=home,
        bolt_port=port + 400 * worker,
        http_port=port + 400 * worker + 50,
        heap=heap,
        java_home=None,
    )


def _served(settings: Settings) -> Iterator[Database]:
    server = LocalServer(settings)
    try:
        with connect(settings) as database:
            yield database
    finally:
        server.stop()


@pytest.fixture(scope="session")
def known_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server that was started once and stopped: a copy of it starts with its
    password, without the steps of a first start."""
    server = LocalServer(_settings(tmp_path_factory.mktemp("known"), 17200, "256m"))
    server.start()
    assert server.stop()
    return server.home


@pytest.fixture
def settings(tmp_path: Path) -> Iterator[Settings]:
    """A home of the test's own, in which no server was started; those that the test starts below
    its folder are ended, and their log is printed when it fails."""
    found = _settings(tmp_path, 17300, "256m")
    yield found
    log = found.server_home / "logs" / "console.log"
    if log.exists():
        print(log.read_text(errors="replace")[-3000:])
    for server in servers_below(tmp_path):
        server.kill()
        server.wait(30)


def servers_below(folder: Path) -> list[psutil.Process]:
    """The servers whose homes are in a folder."""
    wanted = f"--home-dir={folder}"
    return [
        process
        for process in psutil.process_iter(["cmdline"])
        if any(part.startswith(wanted) for part in process.info["cmdline"] or [])
    ]


@pytest.fixture
def known(settings: Settings, known_home: Path) -> None:
    """The home of ``settings``, the test's own, was in use before."""
    shutil.copytree(known_home, settings.server_home, ignore=PAGES)


@pytest.fixture(scope="session")
def wordnet_rows() -> list[SynsetRow]:
    """All of WordNet's noun synsets, in the order of its file."""
    return list(WordNet(wordnet_folder(load_settings())).synsets())


@pytest.fixture(scope="session")
def mini() -> MiniWordNet:
    return MiniWordNet()


@pytest.fixture(scope="session")
def mini_nouns(tmp_path_factory: pytest.TempPathFactory, mini: MiniWordNet) -> Path:
    """The file of the mini WordNet's nouns."""
    path = tmp_path_factory.mktemp("mini-nouns") / "nouns.parquet"
    write_nouns(mini, path)
    return path


@pytest.fixture
def in_mini_wordnet(mini_nouns: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The mini WordNet stands for WordNet where there is no database."""
    monkeypatch.setattr("graphzsl.hierarchy.wordnet.NOUNS", mini_nouns)


@pytest.fixture(scope="session")
def mini_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return _settings(tmp_path_factory.mktemp("mini"), 17000, "512m")


@pytest.fixture(scope="session")
def mini_server(mini_settings: Settings) -> Iterator[Database]:
    yield from _served(mini_settings)


@pytest.fixture(scope="session")
def mini_loaded() -> dict[str, list[str]]:
    """What the mini database holds when it was just loaded; empty before its first load."""
    return {}


@pytest.fixture
def mini_database(
    mini_server: Database, mini: MiniWordNet, mini_loaded: dict[str, list[str]]
) -> Database:
    """The mini WordNet, its populations, and two class sets; loaded anew after a test that left
    anything changed."""
    if not mini_loaded or state(mini_server) != mini_loaded["state"]:
        clear(mini_server)
        load_mini(mini_server, mini)
        mini_loaded["state"] = state(mini_server)
    return mini_server


@pytest.fixture
def run(mini_database: Database, mini_settings: Settings) -> Command:
    """Run a command on the mini database; it must end with the given exit status."""

    def command(*arguments: str, code: int = 0, input: str | None = None) -> Result:
        password = LocalServer(mini_settings).password()
        environment = {
            "NEO4J_URI": mini_database.uri,
            "NEO4J_USERNAME": "neo4j",
            "NEO4J_PASSWORD": password,
        }
        done = CliRunner(env=environment).invoke(main, [*arguments], input=input)
        assert done.exit_code == code, done.output
        return done

    return command


@pytest.fixture(scope="session")
def full_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return _settings(tmp_path_factory.mktemp("full"), 17100, "2g")


@pytest.fixture(scope="session")
def full_database(full_settings: Settings, shared_folder: Path) -> Iterator[Database]:
    """WordNet 3.0, the ImageNet lists, populations, the release hierarchy, the splits: loaded by
    the first worker that needs it, and copied by the others."""
    loaded = replace(full_settings, home=shared_folder / "full")
    done = shared_folder / "full-is-loaded"
    with FileLock(shared_folder / "full.lock"):
        if not done.exists():
            _load_full(loaded)
            done.touch()
    shutil.copytree(loaded.server_home, full_settings.server_home, ignore=PAGES)
    yield from _served(full_settings)


def _load_full(settings: Settings) -> None:
    bulk_import.load_wordnet(settings, WordNet(wordnet_folder(settings)))
    for database in _served(settings):
        for name in ("ilsvrc2012", "imagenet-fall11"):
            load_class_set(database, name)
        load_populations(database)
        load_hierarchy(database)
        for hops in (1, 2, None):
            hop_split(database, hops).store(database)


@pytest.fixture(scope="session")
def shared_folder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that all workers of this run have in common."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if hasattr(request.config, "workerinput") else base) / "shared"
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture(scope="session")
def solved_once(shared_folder: Path) -> Iterator[None]:
    """No worker solves an integer program of a shipped recipe that another one has solved."""
    from tests.solved import solve_once

    with pytest.MonkeyPatch.context() as patch:
        solve_once(patch, shared_folder)
        yield


@pytest.fixture(scope="session")
def built_recipes(full_database: Database, solved_once: None) -> dict[str, Built]:
    """The shipped recipes, built and stored."""
    from graphzsl.benchmark import find_recipe, store
    from graphzsl.benchmark.build import build

    built = {name: build(full_database, find_recipe(name)) for name in ("max-ratio", "default")}
    for one in built.values():
        store(full_database, one)
    return built


@pytest.fixture(scope="session")
def task() -> Task:
    """Classifier rows of mini WordNet classes."""
    from tests.problems import mini_task

    return mini_task()


@pytest.fixture(scope="session")
def sampled() -> Task:
    """Samples of the same classes."""
    from tests.problems import sample_task

    return sample_task()


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of a test's own, which is soon full."""
    with mounted(tmp_path / "disk", "8m") as place:
        yield place

"""Neo4j Browser of the local server, in a real Chromium."""

from __future__ import annotations

import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.database.client import Database
from graphzsl.database.library import library
from graphzsl.database.server import LocalServer
from graphzsl.settings import Settings
from graphzsl.splits.hops import hop_split
from tests.mini import MiniWordNet

CHROMIUM = (
    shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
)
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--virtual-time-budget=20000",
)


def dump(url: str, profile: Path) -> str:
    """The page's DOM after its scripts ran; skips where there is no Chromium."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    command = [CHROMIUM, *FLAGS, f"--user-data-dir={profile}", "--dump-dom", url]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout


def test_neo4j_browser_opens_with_the_servers_address(
    mini_database: Database, mini_settings: Settings, tmp_path: Path
) -> None:
    state = LocalServer(mini_settings).state()
    assert state
    with urllib.request.urlopen(state.browser_url) as page:
        assert page.status == 200
    dom = dump(state.browser_url, tmp_path / "profile")
    assert "Neo4j Browser" in dom
    assert 'data-testid="connect"' in dom or "Connect URL" in dom or "password" in dom.lower(), dom[
        -2000:
    ]


#: What each query for looking at draws on the mini WordNet, read off its tree: parameters -> the
#: nodes of the picture.
PICTURES: dict[str, tuple[dict[str, str], set[str]]] = {
    "see_hypernyms": (
        {"wnid": "poodle"},
        {
            "poodle",
            "dog",
            "mammal",
            "domestic_animal",
            "chordate",
            "animal",
            "living_thing",
            "object",
            "entity",
        },
    ),
    "see_neighbourhood": (
        {"wnid": "poodle"},
        {
            "poodle",
            "dog",
            "toy_poodle",
            "standard_poodle",
            "beagle",
            "corgi",
            "mammal",
            "domestic_animal",
        },
    ),
    # crane is a bird and a truck, which is a vehicle and a machine; the word is a node too
    "see_polysemy": (
        {"text": "Crane"},
        {"word crane", "crane", "lifting_truck", "bird", "vehicle", "machine"},
    ),
    "see_hop_path": ({"wnid": "bird", "train": "train"}, {"bird", "raptor", "vulture"}),
    # the nine unseen classes next to a training class, and the seven training classes
    "see_split": (
        {"split": "mine", "train": "train"},
        {"raptor", "poodle", "domestic_animal", "mammal", "pony", "machine", "tree", "car", "bee"}
        | {"vulture", "toy_poodle", "horse", "monitor", "oak", "sports_car", "drone"},
    ),
}


@pytest.fixture(scope="module")
def browser(mini_server: Database, mini_settings: Settings) -> Iterator[Any]:
    """Neo4j Browser in Chromium, logged in to the mini server."""
    if not CHROMIUM:
        pytest.skip("Chromium is not installed")
    from playwright.sync_api import sync_playwright

    server = LocalServer(mini_settings)
    state = server.state()
    assert state
    address = mini_server.uri.removeprefix("bolt://")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        page = chromium.new_page(viewport={"width": 1400, "height": 1000})
        page.set_default_timeout(120_000)
        page.goto(f"{state.browser_url}?dbms=neo4j://neo4j@{address}&preselectAuthMethod=NATIVE")
        page.get_by_test_id("password").fill(server.password())
        page.get_by_test_id("connect").click()
        page.get_by_test_id("boltaddress").wait_for(state="detached")
        yield page
        chromium.close()


def test_every_query_for_looking_at_has_its_picture() -> None:
    assert set(PICTURES) == {
        found.name for found in library().values() if found.folder == "browser"
    }


@pytest.mark.parametrize("name", PICTURES)
def test_what_is_printed_for_the_browser_draws_its_graph(
    browser: Any, mini_database: Database, mini_settings: Settings, mini: MiniWordNet, name: str
) -> None:
    """Paste what `query show --browser` prints, press Run, and count the nodes that are drawn."""
    hop_split(mini_database, 1, train="train", universe="universe", name="mine").store(
        mini_database
    )
    parameters, nodes = PICTURES[name]
    pairs = [
        f"{key}={mini[value] if key == 'wnid' else value}" for key, value in parameters.items()
    ]
    password = LocalServer(mini_settings).password()
    own = {"NEO4J_URI": mini_database.uri, "NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": password}
    shown = CliRunner(env=own).invoke(
        main, ["query", "show", name, "--browser", *(part for p in pairs for part in ("-p", p))]
    )
    assert shown.exit_code == 0, shown.output
    frames = browser.get_by_test_id("frame")
    before = frames.count()
    browser.locator('[data-testid="activeEditor"] .monaco-editor').first.click()
    browser.keyboard.press("Control+A")
    browser.keyboard.insert_text(shown.stdout)
    browser.get_by_test_id("editor-Run").click()
    browser.wait_for_function(
        "count => document.querySelectorAll('[data-testid=frame]').length > count", arg=before
    )
    drawn = frames.first.locator("svg g.node")
    drawn.first.wait_for(timeout=60_000)
    assert drawn.count() == len(nodes)

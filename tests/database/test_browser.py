"""Neo4j Browser of the local server, in a real Chromium."""

from __future__ import annotations

import json
import os
import subprocess
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlparse

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from graphzsl.database.browser.address import browser_address
from graphzsl.database.browser.guide import ROLES, titled
from graphzsl.database.browser.style import style
from graphzsl.database.class_sets import put_class_set
from graphzsl.database.client import Database
from graphzsl.database.library import library, query
from graphzsl.database.server import LocalServer
from graphzsl.settings import Settings
from graphzsl.splits.hops import hop_split
from graphzsl.splits.paint import clear_paint, painted, prepare_browser
from tests.another_neo4j import VERSION
from tests.chromium import CHROMIUM
from tests.chromium import chromium as real_chromium
from tests.mini import MiniWordNet

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
    # its word and the two sets that hold it are nodes too
    "see_synset": (
        {"wnid": "poodle"},
        {
            "poodle",
            "dog",
            "toy_poodle",
            "standard_poodle",
            "word poodle",
            "set universe",
            "set mine",
        },
    ),
    # horse is a mammal and a domestic animal: two ways
    "see_closest": (
        {"wnid": "dog", "train": "train"},
        {"dog", "poodle", "toy_poodle", "domestic_animal", "mammal", "horse"},
    ),
    # poodle itself is one; the shell of its neighbours makes it four
    "see_hcorrect_set": (
        {"wnid": "poodle", "valid": "universe", "k": "4"},
        {"poodle", "dog", "toy_poodle", "standard_poodle"},
    ),
    "see_release_hub": (
        {"wnid": "raptor", "train": "train"},
        {"raptor", "hub", "oak", "set train"}
        | {"bird", "chordate", "animal", "living_thing", "plant", "tree"},
    ),
    # down to depth 3 above: raptor, poodle, domestic animal, mammal, pony, machine, tree, car, bee
    "see_benchmark": (
        {"name": "mine", "depth": "3"},
        {"entity", "object", "living_thing", "animal", "plant", "artifact", "vehicle", "machine"},
    ),
    "see_windows": (
        {"windows": "w-001,w-002", "train": "train"},
        {"set w-001", "raptor", "vulture", "pony", "horse", "set w-002", "sweater"},
    ),
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
    "see_hop_path": (
        {"unseen": "raptor", "split": "mine"},
        {"raptor", "vulture", "set mine", "set train"},
    ),
    # the nine unseen classes next to a training class, and the seven training classes
    "see_split": (
        {"split": "mine", "train": "train"},
        {"raptor", "poodle", "domestic_animal", "mammal", "pony", "machine", "tree", "car", "bee"}
        | {"vulture", "toy_poodle", "horse", "monitor", "oak", "sports_car", "drone"},
    ),
}


chromium = pytest.fixture(scope="module")(real_chromium)


@pytest.fixture(scope="module")
def browser(chromium: Any, mini_server: Database, mini_settings: Settings) -> Any:
    """Neo4j Browser in Chromium, logged in to the mini server."""
    page = chromium.new_page(viewport={"width": 1400, "height": 1000})
    page.set_default_timeout(60_000)
    log_in(page, LocalServer(mini_settings))
    return page


def log_in(page: Any, server: LocalServer, statement: str = "") -> None:
    """As a user does: the address of `graphzsl db browser`, the password, Connect."""
    state = server.state()
    assert state
    page.goto("about:blank")
    page.goto(browser_address(state, statement))
    password = page.get_by_test_id("password")
    guide = page.locator("pre.runnable").first
    password.or_(guide).first.wait_for()
    if password.is_visible():
        password.fill(server.password())
        page.get_by_test_id("connect").click()
        page.get_by_test_id("boltaddress").wait_for(state="detached")


def test_every_query_for_looking_at_has_its_picture() -> None:
    assert set(PICTURES) == {
        found.name for found in library().values() if found.folder == "browser"
    }


#: The first statement of each page of the guide on this database: nodes. Its split is ``mine``,
#: whose first class, domestic animal, stands for the synset of the examples.
GUIDE = {
    "WordNet, ImageNet, splits": [16],  # as on the last page
    "What is this synset?": [8],  # animal; dog, cat, horse; its word; mine, universe
    "Which ways lead to the root?": [5],  # animal, living thing, object, entity
    "Why does a split have this class?": [4],
    # k = 2 and 5 take the first shell, with animal, dog, cat and horse. k = 22 takes three: 9 more
    # labels, 10 more; living thing and chordate are on the ways and no labels
    "What is an hCorrectSet, shell by shell?": [5, 5 + 9 + 10 + 2, 5],
    "Which training classes are closest, with all ties?": [2],
    "Which classes does this word name?": [6],
    "What does the hub of the release hierarchy break?": [8],
    # down to depth 5: the 8 above; domestic animal, chordate, insect, tree, car; bird, mammal,
    # bee, dog, horse. To 6: poodle, raptor, pony
    "Where do the classes of a benchmark lie?": [18, 21],
    "How do windows of structural ratio differ?": [7],
    "How does a split touch its training classes?": [16],
    # animal; living thing, chordate, insect; dog, cat, horse; poodle, beagle, corgi; tabby,
    # siamese, queen; pony; mammal, which is above dog, cat and horse
    "What lies around this synset?": [16],
}


@pytest.fixture
def looked_at(mini_database: Database, mini: MiniWordNet) -> Iterator[Database]:
    """With a split, two windows, and three classes below a hub of the release hierarchy."""
    hop_split(mini_database, 1, train="train", universe="universe", name="mine").store(
        mini_database
    )
    provenance = {"kind": "selection", "windows_of": "mine"}
    put_class_set(mini_database, "w-001", mini.named("raptor", "pony"), provenance)
    put_class_set(mini_database, "w-002", mini.named("sweater"), provenance)
    edges = [
        {"child": mini[name], "parent": "fa11misc"} for name in ("raptor", "domestic_animal", "oak")
    ]
    mini_database.write(
        (query("create_release_hubs"), {"names": ["fa11misc"]}),
        (query("create_release_edges"), {"rows": edges}),
    )
    yield mini_database
    clear_paint(mini_database)


def drawn(browser: Any, do: Callable[[], None]) -> Any:
    """The circles of the frame that something makes."""
    browser.evaluate(
        "document.querySelectorAll('[data-testid=frame]').forEach(f => f.dataset.old = 1)"
    )
    do()
    frame = browser.locator("[data-testid=frame]:not([data-old])").first
    frame.locator("svg g.node").first.wait_for(timeout=60_000)
    return frame.locator("svg g.node")


def fills(circles: Any) -> Counter[str]:
    """How many circles have which fill; neutral ones have no role."""
    return Counter(
        circle.locator("circle.b-outline").get_attribute("fill") for circle in circles.all()
    )


#: The rings that each statement about an hCorrectSet draws, as counted for ``GUIDE``.
SHELLS = [
    {"Centre": 1, "Shell1": 4},
    {"Centre": 1, "Shell1": 4, "Shell2": 9, "Shell3": 10},
    {"Centre": 1, "Shell1": 4},
]


def rings(circles: Any) -> dict[str, int]:
    """How many circles have the ring of which label."""
    labels = {
        rule["border-color"].lower(): name.removeprefix("node.")
        for name, rule in style().items()
        if name.startswith(("node.Shell", "node.Centre"))
    }
    found = Counter(
        circle.locator("circle.b-outline").get_attribute("stroke").lower()
        for circle in circles.all()
    )
    return {labels[stroke]: count for stroke, count in found.items() if stroke in labels}


def test_the_guide_opens_and_every_statement_draws_its_picture(
    browser: Any, looked_at: Database, mini_settings: Settings, mini: MiniWordNet
) -> None:
    """Log in, wait for the guide, click through it: counts, colours, captions."""
    server = LocalServer(mini_settings)
    state = server.state()
    assert state
    own = prepare_browser(looked_at, server.home)
    values = own.values
    assert values["split"] == "mine"
    assert values["wnid"] == values["unseen"] == mini["domestic_animal"]
    assert values["windows"] == ["w-001", "w-002"]
    assert own.needs == {}
    asked_elsewhere: list[str] = []
    browser.on(
        "requestfinished",
        lambda request: "//127.0.0.1" in request.url or asked_elsewhere.append(request.url),
    )
    log_in(browser, server)
    for title, pictures in GUIDE.items():
        heading = browser.locator("h3").first
        heading.wait_for()
        assert heading.inner_text().lstrip("0123456789. ") == title
        icons = browser.locator("pre.runnable .fa-play-circle-o")
        assert icons.count() == len(pictures), title
        seen: list[dict[str, int]] = []
        for icon, nodes in zip(icons.all(), pictures, strict=True):
            circles = drawn(browser, icon.click)
            assert circles.count() == nodes, title
            assert not {*fills(circles)} - COLOURS, title
            seen.append(rings(circles))
        if "hCorrectSet" in title:
            assert seen == SHELLS
        _photograph(browser, title)
        if title == "What lies around this synset?":
            # unseen with mammal, poodle and pony; horse is a training class; living thing and
            # chordate are in no set, but above them
            assert fills(circles) == {
                _colour("Unseen"): 4,
                _colour("Training"): 1,
                _colour("Candidate"): 9,
                _colour("Ancestor"): 2,
            }
            # one circle is the centre: its border is black and wide
            black = "circle.b-outline[stroke='#000000']"
            frame = browser.get_by_test_id("frame").first
            assert frame.locator(black).count() == 1
            lines = (circle.locator("text").all_text_contents() for circle in circles.all())
            captions = {" ".join(" ".join(each).split()) for each in lines}
            assert {"domestic animal", "living thing", "corgi"} <= captions
            # the edge from mammal to chordate is more than 2 hops away, so it is not asked for
            assert frame.locator("svg g.relationship").count() == 17
        following = browser.get_by_test_id("guideNextSlide")
        if not following.is_disabled():
            following.click()
    assert following.is_disabled()
    assert asked_elsewhere == []


def _photograph(page: Any, title: str) -> None:
    """Save what shows, where GRAPHZSL_SCREENSHOTS names a folder: pictures are for looking at."""
    if folder := os.environ.get("GRAPHZSL_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{title.rstrip('?')}.png")


#: Every fill that a label of the style has.
COLOURS = {rule["color"] for name, rule in style().items() if name.startswith("node")}


def _colour(role: str) -> str:
    return style()[f"node.{role}"]["color"]


def test_statements_are_saved_under_their_titles(
    browser: Any, looked_at: Database, mini_settings: Settings
) -> None:
    server = LocalServer(mini_settings)
    prepare_browser(looked_at, server.home)
    log_in(browser, server)
    browser.get_by_test_id("navigationFavorites").click()
    browser.get_by_text("graphzsl", exact=True).click()
    saved = browser.get_by_text("n00001004, mine: Why does a split have this class?", exact=True)
    saved.first.wait_for()


def test_the_newer_browser_has_the_statements_and_the_colours(
    browser: Any, looked_at: Database, mini_settings: Settings
) -> None:
    server = LocalServer(mini_settings)
    prepare_browser(looked_at, server.home)
    state = server.state()
    assert state
    browser.goto(f"{state.browser_url}preview/")
    browser.get_by_label("Connection URL").fill(f"127.0.0.1:{state.bolt_port}")
    browser.get_by_label("Password").fill(server.password())
    browser.get_by_role("button", name="Connect").last.click()
    browser.get_by_text(f"127.0.0.1:{state.bolt_port} / neo4j").first.wait_for()
    saved = browser.get_by_text(": What lies around this synset?").first
    for _ in range(30):
        browser.mouse.click(32, 128)  # saved Cypher has no name but its picture
        browser.wait_for_timeout(1000)
        if saved.is_visible():
            break
    assert saved.is_visible()
    # the same picture as in the guide
    run = browser.get_by_role("button", name="Run query for n00001004: What lies around")
    run.first.click()
    browser.get_by_text(f"Nodes ({GUIDE['What lies around this synset?'][0]})").first.wait_for()
    # Browser writes what it made of the styles when it had read the labels of the database
    for _ in range(30):
        kept = browser.evaluate("localStorage['nx.v1.nx.graphStyling']")
        styles = json.loads(json.loads(kept)["nodeStyles"])
        if VERSION or "Source" in styles:
            break
        browser.wait_for_timeout(1000)
    # this Browser finds no labels in a Neo4j of 2026
    assert VERSION or "Source" in styles, "a label of the database that the style does not name"
    for role in ROLES:
        assert styles[role]["color"] == _colour(role)
    edges = json.loads(json.loads(kept)["relStyles"])
    assert (edges["HYPERNYM"]["color"], edges["HYPERNYM"]["width"]) == ("#5B6573", 2)


def test_what_is_printed_for_the_browser_draws_its_graph(
    browser: Any, looked_at: Database, mini_settings: Settings, mini: MiniWordNet
) -> None:
    """Paste what `query show --browser` prints, press Run, and count the nodes that are drawn."""
    server = LocalServer(mini_settings)
    log_in(browser, server)
    password = server.password()
    own = {"NEO4J_URI": looked_at.uri, "NEO4J_USERNAME": "neo4j", "NEO4J_PASSWORD": password}
    for name, (parameters, nodes) in PICTURES.items():
        kinds = library()[name].params
        pairs = [
            f"{key}={mini[value] if kinds[key] == 'WNID' else value}"
            for key, value in parameters.items()
        ]
        shown = CliRunner(env=own).invoke(
            main, ["query", "show", name, "--browser", *(part for p in pairs for part in ("-p", p))]
        )
        assert shown.exit_code == 0, shown.output
        circles = drawn(browser, lambda text=shown.stdout: _paste(browser, text))
        assert circles.count() == len(nodes), name


def _paste(browser: Any, text: str) -> None:
    browser.locator('[data-testid="activeEditor"] .monaco-editor').first.click()
    browser.keyboard.press("Control+A")
    browser.keyboard.insert_text(text)
    browser.get_by_test_id("editor-Run").click()


@pytest.fixture
def of_the_server(looked_at: Database, mini_settings: Settings) -> dict[str, str]:
    """The environment in which a command finds this server as its own."""
    return {
        "GRAPHZSL_HOME": str(mini_settings.home),
        "GRAPHZSL_BOLT_PORT": str(mini_settings.bolt_port),
        "GRAPHZSL_HTTP_PORT": str(mini_settings.http_port),
    }


def test_the_command_paints_and_fills_in_the_statement(
    of_the_server: dict[str, str],
    looked_at: Database,
    mini: MiniWordNet,
    mini_settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    copied: list[str] = []
    monkeypatch.setattr("pyperclip.copy", copied.append)
    command = CliRunner(env=of_the_server)
    assert command.invoke(main, ["db", "browser", "--plain", "--print"]).exit_code == 0
    assert painted(looked_at) == []
    done = command.invoke(
        main, ["db", "browser", "see_closest", "-p", "wnid=toy poodle", "--print"]
    )
    assert done.exit_code == 0, done.output
    assert {row["split"] for row in painted(looked_at)} == {"mine"}
    password = LocalServer(mini_settings).password()
    assert copied == []  # only asked for the address
    monkeypatch.setattr("webbrowser.open", lambda _: True)
    assert command.invoke(main, ["db", "browser"]).exit_code == 0
    assert copied == [password]
    assert password not in done.output
    fields = parse_qs(urlparse(done.stdout.strip()).query)
    assert mini["toy_poodle"] in fields["arg"][0]
    assert "ClassSet {name: 'train'}" in fields["arg"][0]


def test_the_statement_of_an_address_waits_whole(
    browser: Any, looked_at: Database, mini_settings: Settings, mini: MiniWordNet
) -> None:
    """Browser decodes an address before it cuts it at ampersands: what it makes of one is drawn."""
    name = "cats & dogs #1 + 50%41"
    put_class_set(looked_at, name, mini.named("tabby", "siamese"), {"kind": "list"})
    server = LocalServer(mini_settings)
    state = server.state()
    assert state
    asked: dict[str, tuple[dict[str, Any], int]] = {
        "see_hcorrect_set": ({"wnid": mini["poodle"], "valid": "universe", "k": 4}, 4),
        # tabby, siamese; cat, and the training class next to no other
        "see_hop_path": ({"unseen": mini["raptor"], "split": "mine", "train": "train"}, 4),
        "see_windows": ({"windows": [name], "train": "train"}, 3),
    }
    for query_name, (values, nodes) in asked.items():
        log_in(browser, server, titled(query(query_name), values))
        browser.wait_for_timeout(3000)
        circles = drawn(browser, browser.get_by_test_id("editor-Run").click)
        assert circles.count() == nodes, query_name


def test_what_cannot_be_looked_at_is_said(
    of_the_server: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    import pyperclip

    def none(_: str) -> None:
        raise pyperclip.PyperclipException

    monkeypatch.setattr("pyperclip.copy", none)
    command = CliRunner(env=of_the_server)
    wrong = command.invoke(main, ["db", "browser", "see_closset"])
    assert wrong.exit_code == 1
    assert "Did you mean see_closest" in wrong.stderr
    writing = command.invoke(main, ["db", "browser", "delete_class_set"])
    assert writing.exit_code == 1
    assert "writes" in writing.stderr
    alone = command.invoke(main, ["db", "browser", "-p", "wnid=n00000001"])
    assert alone.exit_code == 2
    unknown = command.invoke(main, ["db", "browser", "see_closest", "-p", "train=tarin"])
    assert unknown.exit_code == 1
    assert "Did you mean train" in unknown.stderr
    # where there is no clipboard, the password is printed, once; and the address, where there is
    # no browser
    monkeypatch.setattr("webbrowser.open", lambda _: False)
    printed = command.invoke(main, ["db", "browser", "--plain"])
    assert printed.stderr.count("password") == 1
    assert printed.stdout.startswith("http://127.0.0.1")

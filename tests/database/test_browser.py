"""Neo4j Browser of the local server, in a real Chromium."""

from __future__ import annotations

import json
import os
import re
import subprocess
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, quote, urlparse

import pytest
from click.testing import CliRunner
from PIL import Image

from graphzsl.cli import main
from graphzsl.common import Settings
from graphzsl.database import Database, LocalServer, browser_address, library, query, titled
from graphzsl.database.browser.guide import ROLES
from graphzsl.database.browser.style import style
from graphzsl.database.class_sets import put_class_set
from graphzsl.splits import hop_split, prepare_browser
from graphzsl.splits.paint import clear_paint, painted
from tests.another_neo4j import VERSION
from tests.chromium import chromium as real_chromium
from tests.chromium import require_chromium
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
    command = [require_chromium(), *FLAGS, f"--user-data-dir={profile}", "--dump-dom", url]
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
        {"class_set": "mine", "depth": "3"},
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
    # toy poodle is a training class, mammal and domestic animal are of the split
    "see_around": (
        {"unseen": "poodle", "split": "mine"},
        {"poodle", "toy_poodle", "dog", "mammal", "domestic_animal"},
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


Picture = tuple[dict[str, int], dict[str, int]]
#: The first page and the last show the same: domestic animal, poodle, mammal and pony, the training
#: class horse, and dog and cat on the ways to them.
AROUND: Picture = ({"Unseen": 4, "Training": 1, "Candidate": 2}, {"Centre": 1})
#: Its first shell: animal, dog, cat and horse, a training class.
SHELL: Picture = ({"Unseen": 1, "Training": 1, "Candidate": 3}, {"Centre": 1, "Shell1": 4})
#: For each statement of each page of the guide on this database: how many circles have the colour
#: of which label, and how many its ring. Its split is ``mine``, whose first class, domestic animal,
#: stands for the synset of the examples.
GUIDE: dict[str, list[Picture]] = {
    "WordNet, ImageNet, splits": [AROUND],
    # animal; dog, cat, horse; its word; mine, universe
    "What is this synset?": [
        ({"Unseen": 1, "Training": 1, "Candidate": 3, "Word": 1, "ClassSet": 2}, {"Centre": 1})
    ],
    # animal; living thing, object, and entity at the end
    "Which ways lead to the root?": [
        ({"Unseen": 1, "Candidate": 1, "Ancestor": 3}, {"Centre": 1, "End": 1})
    ],
    # horse; mine, train
    "Why does a split have this class?": [
        ({"Unseen": 1, "Training": 1, "ClassSet": 2}, {"Centre": 1, "End": 1})
    ],
    # k = 2 and 5 take the first shell. k = 22 takes three. The second has poodle, mammal, pony;
    # insect, beagle, corgi, tabby, siamese, queen. The third has bee; the training class toy
    # poodle; plant, person, bird, ant, standard poodle, cardigan, zebra, ape. Living thing and
    # chordate are on the ways and no labels
    "What is an hCorrectSet, shell by shell?": [
        SHELL,
        (
            {"Unseen": 1 + 3 + 1, "Training": 1 + 1, "Candidate": 3 + 6 + 8, "Ancestor": 2},
            {"Centre": 1, "Shell1": 4, "Shell2": 9, "Shell3": 10},
        ),
        SHELL,
    ],
    "Which training classes are closest, with all ties?": [
        ({"Unseen": 1, "Training": 1}, {"Centre": 1, "End": 1})
    ],
    # the word; crane, lifting truck, bird, vehicle; machine
    "Which classes does this word name?": [({"Word": 1, "Candidate": 4, "Unseen": 1}, {})],
    # by the hub to oak, which is a training class; in WordNet by animal, living thing, plant, tree
    "What does the hub of the release hierarchy break?": [
        (
            {"Unseen": 2, "Training": 1, "Candidate": 2, "Ancestor": 1}
            | {"ReleaseHub": 1, "ClassSet": 1},
            {"Centre": 1, "End": 1},
        )
    ],
    # down to depth 3: machine; animal, plant, vehicle; entity, object, living thing, artifact. To
    # 4: domestic animal, tree, car; insect; chordate
    "Where do the classes of a benchmark lie?": [
        ({"Unseen": 1, "Candidate": 3, "Ancestor": 4}, {}),
        ({"Unseen": 4, "Candidate": 4, "Ancestor": 5}, {}),
    ],
    # raptor and pony, with vulture and horse next to them; sweater alone
    "How do windows of structural ratio differ?": [
        ({"ClassSet": 2, "Unseen": 2, "Training": 2, "Candidate": 1}, {})
    ],
    "How does a split touch its training classes?": [({"Unseen": 9, "Training": 7}, {})],
    # domestic animal, mammal, poodle, pony; horse; animal, insect, dog, cat, beagle, corgi, tabby,
    # siamese, queen; living thing and chordate, which are in no set, but above classes
    "What lies around this synset?": [
        ({"Unseen": 4, "Training": 1, "Candidate": 9, "Ancestor": 2}, {"Centre": 1})
    ],
    "Which training classes are around this class of a split?": [AROUND],
}


@pytest.fixture
def looked_at(mini_database: Database, mini: MiniWordNet) -> Iterator[Database]:
    """With a split, two series of windows, and three classes below a hub of the release."""
    hop_split(mini_database, 1, train="train", universe="universe", name="mine").store(
        mini_database
    )
    # the first series by name is not by structural ratio
    for by, series in (("population", "populated"), ("ratio", "w")):
        for number, classes in ((1, ("raptor", "pony")), (2, ("sweater",))):
            window = {"universe": "mine", "window": {"by": by, "size": 2, "number": number}}
            provenance = {"kind": "selection", **window}
            name = f"{series}-00{number}"
            put_class_set(mini_database, name, mini.named(*classes), provenance)
    edges = [
        {"child": mini[name], "parent": "fa11misc"} for name in ("raptor", "domestic_animal", "oak")
    ]
    mini_database.write(
        (query("create_release_hubs"), {"hubs": ["fa11misc"]}),
        (query("create_release_edges"), {"rows": edges}),
    )
    yield mini_database
    clear_paint(mini_database)


def test_the_page_of_docs_counts_pages_as_the_guide_does() -> None:
    text = (Path(__file__).resolve().parents[2] / "docs" / "looking.md").read_text("utf-8")
    questions = re.findall(r"^\| (\d+) ([^?|]*\?)", text, flags=re.MULTILINE)
    pages = [(str(number), title) for number, title in enumerate(GUIDE, 1) if title[-1] == "?"]
    assert questions == pages


def drawn(browser: Any, do: Callable[[], None]) -> Any:
    """The circles of the frame that something makes."""
    browser.evaluate(
        "document.querySelectorAll('[data-testid=frame]').forEach(f => f.dataset.old = 1)"
    )
    do()
    frame = browser.locator("[data-testid=frame]:not([data-old])").first
    frame.locator("svg g.node").first.wait_for(timeout=60_000)
    return frame.locator("svg g.node")


def fills(circles: Any) -> dict[str, int]:
    """Number of circles with the fill of each label; those of class sets and of the painted one
    are the same."""
    labels = {
        rule["color"].lower(): name.removeprefix("node.")
        for name, rule in style().items()
        if name.startswith("node.") and name != "node.Painted"
    }
    found = Counter(
        circle.locator("circle.b-outline").get_attribute("fill").lower() for circle in circles.all()
    )
    return {labels[fill]: count for fill, count in found.items()}


def rings(circles: Any) -> dict[str, int]:
    """Number of circles with the ring of each label. The painted split's edge is as black as the
    centre's ring, and thin."""
    labels = {
        (rule["border-color"].lower(), rule["border-width"]): name.removeprefix("node.")
        for name, rule in style().items()
        if name.startswith("node.") and "border-width" in rule
    }
    outlines = [circle.locator("circle.b-outline") for circle in circles.all()]
    found = Counter(
        (each.get_attribute("stroke").lower(), each.get_attribute("stroke-width"))
        for each in outlines
    )
    return {labels[ring]: count for ring, count in found.items() if ring in labels}


def canvas_fills(canvas: Any) -> dict[str, int]:
    """Number of circles of a canvas with the colour of each role: the pixels of each, in those of
    the only training class."""
    image = Image.open(BytesIO(canvas.screenshot())).convert("RGB")
    pixels = {
        f"#{red:02X}{green:02X}{blue:02X}": count
        for count, (red, green, blue) in image.getcolors(image.width * image.height)
    }
    found = {role: pixels.get(_colour(role).upper(), 0) for role in ROLES}
    one = found["Training"]
    return {role: round(count / one) for role, count in found.items() if count} if one else {}


def radii(circles: Any) -> dict[str, float]:
    """Caption -> radius of its circle."""
    return {
        " ".join(" ".join(each.locator("text").all_text_contents()).split()): float(
            each.locator("circle.b-outline").get_attribute("r")
        )
        for each in circles.all()
    }


def strokes(edges: Any) -> set[str]:
    """The colours of edges, which Browser draws as filled outlines."""
    return {
        each.locator("path.b-outline").first.get_attribute("fill").upper() for each in edges.all()
    }


#: Whom Neo4j's page asks: for fonts, statistics, opinions and reports of errors.
MAKERS = {
    "fonts.googleapis.com",
    "cdn.segment.com",
    "canny.io",
    "o110884.ingest.sentry.io",
}


@pytest.mark.thorough("Chromium, on more than a page of each kind")
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
    asked: list[Any] = []
    sockets: list[str] = []
    browser.on("request", lambda request: asked.append(request))
    browser.on("websocket", lambda socket: sockets.append(socket.url))
    log_in(browser, server)
    radius: dict[str, float] = {}
    for title, pictures in GUIDE.items():
        heading = browser.locator("h3").first
        heading.wait_for()
        assert heading.inner_text().lstrip("0123456789. ") == title
        boxes = browser.locator("pre.runnable")
        assert boxes.count() == len(pictures), title
        for box, picture in zip(boxes.all(), pictures, strict=True):
            circles = drawn(browser, box.click)
            assert circles.count() == sum(picture[0].values()), title
            assert (fills(circles), rings(circles)) == picture, title
            opacity = "box => [box.classList.contains('clicked'), getComputedStyle(box).opacity]"
            assert box.evaluate(opacity) == [True, "1"], "a query that was clicked is legible"
        _photograph(browser, title)
        if title == "What lies around this synset?":
            frame = browser.get_by_test_id("frame").first
            lines = (circle.locator("text").all_text_contents() for circle in circles.all())
            captions = {" ".join(" ".join(each).split()) for each in lines}
            assert {"domestic animal", "living thing", "corgi"} <= captions
            # the edge from mammal to chordate is more than 2 hops away, so it is not asked for
            assert frame.locator("svg g.relationship").count() == 17
            some = radii(circles)
            assert radius["entity"] == some["animal"] < some["dog"] == some["horse"]
            assert some["horse"] < radius["tree"]
            # the corner pulled down unfolds a query, and runs nothing
            frames, folded = browser.get_by_test_id("frame").count(), boxes.first.bounding_box()
            right, bottom = folded["x"] + folded["width"] - 4, folded["y"] + folded["height"] - 4
            browser.mouse.move(right, bottom)
            browser.mouse.down()
            browser.mouse.move(right, bottom + 100)
            browser.mouse.up()
            unfolded = boxes.first.bounding_box()["height"]
            assert unfolded == pytest.approx(folded["height"] + 100, abs=2)
            assert browser.get_by_test_id("frame").count() == frames
        if title == "Where do the classes of a benchmark lie?":
            # the more images, the larger: none or unknown, to 299, to 999
            radius |= radii(circles)
            assert radius["animal"] == radius["entity"] < radius["tree"] == radius["machine"]
        if title == "What does the hub of the release hierarchy break?":
            # by the hub: raptor, domestic animal and oak; by WordNet; oak in the training classes
            edges = browser.get_by_test_id("frame").first.locator("svg g.relationship")
            kinds = ("RELEASE_PARENT", "HYPERNYM", "IN_SET")
            colours = {style()[f"relationship.{kind}"]["color"].upper() for kind in kinds}
            assert strokes(edges) == colours
            assert len(colours) == len(kinds)
        following = browser.get_by_test_id("guideNextSlide")
        if not following.is_disabled():
            following.click()
    assert following.is_disabled()
    assert browser.get_by_test_id("frame").count() == 2, "the last picture and the one before it"
    # whatever is asked for elsewhere is refused by the page's policy, also where there is a network
    elsewhere = [request for request in asked if not _is_own(request.url)]
    assert [each.url for each in elsewhere if each.failure != "csp"] == []
    hosts = {urlparse(each.url).hostname for each in elsewhere}
    assert VERSION or "fonts.googleapis.com" in hosts, "the page asks for fonts, in vain"
    assert VERSION or hosts <= MAKERS
    assert sockets
    assert all(_is_own(each) for each in sockets)


def _is_own(url: str) -> bool:
    """Whether an address is this machine's, or what the page made itself."""
    found = urlparse(url)
    return found.hostname == "127.0.0.1" or found.scheme in {"about", "blob", "data"}


def _photograph(page: Any, title: str) -> None:
    """Save what shows, where GRAPHZSL_SCREENSHOTS names a folder: pictures are for looking at."""
    if folder := os.environ.get("GRAPHZSL_SCREENSHOTS"):
        page.screenshot(path=Path(folder) / f"{title.rstrip('?')}.png")


def _colour(role: str) -> str:
    return style()[f"node.{role}"]["color"]


def test_whoever_asks_the_port_learns_no_name(
    looked_at: Database, mini_settings: Settings, mini: MiniWordNet
) -> None:
    """A page that makes its own name point to this machine asks with that name as its Host; other
    users of the machine ask too. Neither has the password."""
    for name, hierarchy in (("secret-nightjar", "wordnet"), ("secret-owl", "release")):
        hop_split(
            looked_at, 2, train="train", universe="universe", hierarchy=hierarchy, name=name
        ).store(looked_at)
    window = {"universe": "secret-owl", "window": {"by": "ratio", "size": 1, "number": 1}}
    put_class_set(looked_at, "secret-001", mini.named("pony"), {"kind": "selection", **window})
    server = LocalServer(mini_settings)
    state = server.state()
    assert state
    folder = server.home / "www" / "browser"
    files = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    assert {"index.html", "graphzsl/guide.html", "graphzsl/begin.js"} <= {*files}
    names = (b"nightjar", b"secret-", b"'mine'", b"'train'", b"'universe'")
    for about in ("secret-nightjar", "secret-owl"):
        prepare_browser(looked_at, server.home, about=about)
        for name in files:
            for host in ({}, {"Host": f"evil.example:{state.http_port}"}):
                asked = urllib.request.Request(f"{state.browser_url}{quote(name)}", headers=host)
                with urllib.request.urlopen(asked) as answer:
                    text = answer.read().lower()
                assert not [each for each in names if each in text], name
    assert {row["split"] for row in painted(looked_at)} == {"secret-owl"}


@pytest.mark.thorough("Chromium, on more than a page of each kind")
def test_statements_are_saved_under_their_titles(
    browser: Any, looked_at: Database, mini_settings: Settings
) -> None:
    server = LocalServer(mini_settings)
    prepare_browser(looked_at, server.home)
    log_in(browser, server)
    browser.get_by_test_id("navigationFavorites").click()
    browser.get_by_text("graphzsl", exact=True).click()
    saved = browser.get_by_text(
        "own unseen, own split: Why does a split have this class?", exact=True
    )
    saved.first.wait_for()


@pytest.mark.thorough("Chromium, on more than a page of each kind")
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
    nodes, _ = GUIDE["What lies around this synset?"][0]
    run = browser.get_by_role("button", name="Run query for own unseen: What lies around")
    run.first.click()
    browser.get_by_text(f"Nodes ({sum(nodes.values())})").first.wait_for()
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
    # the picture itself: one of its circles is a training class
    for _ in range(30):
        found = canvas_fills(browser.get_by_test_id("nvl-c2d-canvas"))
        if VERSION or found == nodes:
            break
        browser.wait_for_timeout(1000)
    assert VERSION or found == nodes
    _photograph(browser, "The newer Browser")
    edges = json.loads(json.loads(kept)["relStyles"])
    assert (edges["HYPERNYM"]["color"], edges["HYPERNYM"]["width"]) == ("#727E8E", 2)


@pytest.mark.thorough("Chromium, on more than a page of each kind")
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
    opened = command.invoke(main, ["db", "browser"])
    assert opened.exit_code == 0
    assert copied == [password]
    assert password not in opened.output + done.output
    fields = parse_qs(urlparse(done.stdout.strip()).query)
    assert mini["toy_poodle"] in fields["arg"][0]
    assert "ClassSet {name: 'train'}" in fields["arg"][0]


@pytest.mark.thorough("Chromium, on more than a page of each kind")
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
    of_the_server: dict[str, str], mini_settings: Settings, monkeypatch: pytest.MonkeyPatch
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
    assert printed.stderr.count(LocalServer(mini_settings).password()) == 1
    assert LocalServer(mini_settings).password() not in printed.stdout
    assert printed.stdout.startswith("http://127.0.0.1")
    said = " ".join(printed.stderr.split())
    assert "No web browser could be opened here: open the address below in one." in said
    address = urlparse(printed.stdout.strip())
    for url in (address, urlparse(parse_qs(address.query)["dbms"][0])):
        assert f"-L {url.port}:127.0.0.1:{url.port} " in said


def test_a_named_split_gives_its_hierarchy_and_is_painted(
    of_the_server: dict[str, str], looked_at: Database
) -> None:
    """raptor and domestic animal are one edge below a hub with oak: in that hierarchy alone."""
    hop_split(
        looked_at, 2, train="train", universe="universe", hierarchy="release", name="by-hub"
    ).store(looked_at)
    command = CliRunner(env=of_the_server)
    assert command.invoke(main, ["db", "browser", "--print"]).exit_code == 0
    assert {row["split"] for row in painted(looked_at)} == {"by-hub"}  # the first by name
    asked = ["db", "browser", "see_hop_path", "--print", "-p"]
    plain = command.invoke(main, [*asked, "split=mine", "--plain"])
    assert {row["split"] for row in painted(looked_at)} == {"by-hub"}
    of_mine = command.invoke(main, [*asked, "split=mine"])
    assert {row["split"] for row in painted(looked_at)} == {"mine"}
    assert "mine is painted now, in place of by-hub." in of_mine.stderr
    of_hub = command.invoke(main, [*asked, "split=by-hub"])
    assert {row["split"] for row in painted(looked_at)} == {"by-hub"}
    chosen = command.invoke(main, [*asked, "split=by-hub", "-p", "hierarchy=wordnet"])
    for done, is_release in ((plain, False), (of_mine, False), (of_hub, True), (chosen, False)):
        assert done.exit_code == 0, done.output
        (statement,) = parse_qs(urlparse(done.stdout.strip()).query)["arg"]
        assert ("[:RELEASE_PARENT*1..20]" in statement) == is_release
        assert ("[:HYPERNYM|INSTANCE_HYPERNYM*1..20]" in statement) != is_release


def test_the_first_picture_is_not_covered(
    browser: Any, looked_at: Database, mini_settings: Settings
) -> None:
    """Browser's panel of details is closed, and opens by a click. A click on the headline or the
    query of a statement draws, too."""
    server = LocalServer(mini_settings)
    prepare_browser(looked_at, server.home)
    browser.goto("about:blank")
    log_in(browser, server)
    browser.locator("h3").first.wait_for()
    drawn(browser, browser.locator("pre.runnable b").first.click)
    # a question of the first page leads to its page
    browser.get_by_text("Which classes does this word name?").click()
    browser.locator("h3", has_text="7. Which classes does this word name?").wait_for()
    senses = drawn(browser, browser.locator("pre.runnable").first.click)
    captions = {" ".join(each.locator("text").all_text_contents()).strip() for each in senses.all()}
    assert {"crane.n.01", "vehicle"} <= captions
    drawn(browser, browser.locator("pre.runnable .fa-play-circle-o").first.click)
    drawn(browser, browser.locator("pre.runnable").first.click)
    assert browser.get_by_test_id("frame").count() == 2
    opening = browser.get_by_title("Expand the node properties display").first
    opening.wait_for()
    opening.click()
    browser.get_by_title("Collapse the node properties display").first.wait_for()
    browser.wait_for_timeout(1000)
    assert browser.get_by_title("Collapse the node properties display").first.is_visible()


@pytest.mark.parametrize(("host", "allowed"), [("192.0.2.1", False), ("127.0.0.1", True)])
def test_a_script_that_got_into_the_page_reaches_this_machine_alone(
    browser: Any, host: str, allowed: bool
) -> None:
    """192.0.2.1 is an address of documentation (RFC 5737)."""
    refused = browser.evaluate(
        """host => new Promise(done => {
            addEventListener('securitypolicyviolation', event => done(event.blockedURI));
            try { new WebSocket(`ws://${host}:9`).onerror = () => done('') }
            catch (error) { done(String(error)) }
        })""",
        host,
    )
    assert (refused == "") == allowed, refused

"""What the local server serves as Neo4j Browser, without a server."""

from __future__ import annotations

import json
import os
import re
import zipfile
from dataclasses import replace
from html import escape, unescape
from html.parser import HTMLParser
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import numpy as np
import pytest

from graphzsl.common import Settings, load_settings
from graphzsl.database import browser_address, library, query, titled
from graphzsl.database.browser.begin import begin_script
from graphzsl.database.browser.guide import (
    FIRST,
    OTHERS,
    ROLES,
    SHELLS,
    Own,
    guide,
    pages,
    statements,
)
from graphzsl.database.browser.site import make_site, write_content
from graphzsl.database.browser.style import label_styles, style, style_text, type_styles
from graphzsl.database.jars import browser_jar
from graphzsl.database.launch import find_classpath, server_classpath
from graphzsl.database.server_state import ServerState

ROOT = Path(__file__).resolve().parents[2]
#: Statements of the guide: what Browser runs is the text of each, hidden parts too.
BOX = re.compile(r"<pre [^>]*runnable[^>]*>(.*?)</pre>", re.DOTALL)


@pytest.fixture
def own(tmp_path: Path) -> Settings:
    return replace(load_settings(), uri="", home=tmp_path / "home", neo4j_home=None)


def test_the_site_is_neo4js_pages_with_graphzsls_beside_them(own: Settings) -> None:
    folder = make_site(own, own.server_home)
    assert folder
    page = (folder / "browser" / "index.html").read_text()
    scripts = re.findall(r'<script src="([^"]+)"', page)
    assert scripts[0] == "/browser/graphzsl/begin.js"
    assert (folder / "browser" / "graphzsl" / "begin.js").is_file()
    assert len(scripts) > 3
    for name in scripts[1:]:
        assert (folder / "browser" / name).is_file()
    # Neo4j's own file is a link to the one of all homes, and the changed page is not
    app = folder / "browser" / scripts[-1]
    assert app.stat().st_nlink > 1
    other = replace(own, home=own.home.parent / "other")
    assert make_site(other, other.server_home)
    assert (other.server_home / "www" / "browser" / scripts[-1]).samefile(app)
    assert page.count("graphzsl") == 1


class _Head(HTMLParser):
    """The elements of the head of a page, until one that cannot stand there ends it."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.is_inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if self.is_inside:
            self.is_inside = tag in {"meta", "title", "style", "link", "script"}
        if self.is_inside:
            self.found.append((tag, dict(attrs)))
        self.is_inside = self.is_inside or tag == "head"


@pytest.mark.parametrize("name", ["index.html", "preview/index.html"])
def test_the_policy_of_a_page_stands_before_what_it_holds_for(own: Settings, name: str) -> None:
    """A browser passes over a policy outside of the head, and what comes before it in the head."""
    folder = make_site(own, own.server_home)
    assert folder
    head = _Head()
    head.feed((folder / "browser" / name).read_text())
    tag, given = head.found[0]
    assert (tag, given.get("http-equiv")) == ("meta", "Content-Security-Policy")
    assert "default-src 'self'" in (given["content"] or "")


def test_the_site_is_made_once_and_again_for_another_neo4j(own: Settings) -> None:
    folder = make_site(own, own.server_home)
    assert folder
    app = next((folder / "browser").glob("app-*.js"))
    app.unlink()
    make_site(own, own.server_home)
    assert not app.exists()
    (folder / ".made-of").write_text("another jar")
    make_site(own, own.server_home)
    assert app.exists()


def test_a_name_that_java_would_read_as_two_goes_without(own: Settings) -> None:
    odd = replace(own, home=own.home.parent / f"a{os.pathsep}b")
    assert make_site(odd, odd.server_home) is None
    jars = server_classpath(own, find_classpath(own), None).split(os.pathsep)
    assert jars == [*find_classpath(own).split(os.pathsep), str(browser_jar(own))]


def test_the_first_browser_on_the_class_path_is_ours(own: Settings) -> None:
    folder = make_site(own, own.server_home)
    assert server_classpath(own, find_classpath(own), folder).split(os.pathsep)[-1] == str(folder)
    assert "neo4j-browser" not in server_classpath(own, find_classpath(own), folder)
    jars = own.cache / "neo4j-5.26.30"
    unpacked = replace(own, neo4j_home=jars)
    assert (
        server_classpath(unpacked, find_classpath(unpacked), folder)
        == f"{folder}{os.pathsep}{jars / 'lib'}/*"
    )


def test_a_home_that_cannot_be_written_leaves_the_database_to_be_used(
    own: Settings, capsys: pytest.CaptureFixture[str]
) -> None:
    own.home.mkdir()
    own.server_home.write_text("a file")
    assert make_site(own, own.server_home) is None
    assert "without graphzsl's guide and style" in capsys.readouterr().err


@pytest.mark.parametrize("content", [b"no archive", None])
def test_a_jar_without_pages_leaves_the_database_to_be_used(
    own: Settings, capsys: pytest.CaptureFixture[str], content: bytes | None
) -> None:
    lib = own.home / "unpacked" / "lib"
    lib.mkdir(parents=True)
    jar = lib / "neo4j-browser-1.jar"
    if content is None:
        with zipfile.ZipFile(jar, "w") as archive:
            archive.writestr("META-INF/MANIFEST.MF", "")
    else:
        jar.write_bytes(content)
    other = replace(own, neo4j_home=own.home / "unpacked", cache=own.home / "cache")
    other.cache.mkdir()
    assert make_site(other, other.server_home) is None
    assert "without graphzsl's guide and style" in capsys.readouterr().err


def test_a_cache_that_was_cleaned_in_part_is_filled_again(own: Settings) -> None:
    other = replace(own, neo4j_home=own.cache / "neo4j-5.26.30", cache=own.home / "cache")
    other.cache.mkdir(parents=True)
    assert make_site(other, other.server_home)
    (pages,) = other.cache.glob("browser-*")
    (pages / "browser" / "index.html").unlink()
    (other.server_home / "www" / ".made-of").unlink()
    folder = make_site(other, other.server_home)
    assert folder
    assert (folder / "browser" / "index.html").is_file()


def test_a_start_keeps_what_the_guide_was_about(own: Settings) -> None:
    folder = make_site(own, own.server_home)
    assert folder
    write_content(own.server_home, Own({"split": "mine", "unseen": "n00000001"}))
    make_site(own, own.server_home)
    text = (folder / "browser" / "graphzsl" / "guide.html").read_text()
    assert "own unseen, own split</b>" in text


@pytest.mark.parametrize(
    "kept",
    [
        {"values": 5},
        {"values": {"split": {}}},
        {"values": {"windows": [3]}},
        {"values": {}, "hierarchy": ["wordnet"]},
        {"values": {}, "hierarchy": "release'"},
        {"values": {}, "known": 5},
        {"values": {}, "known": [None]},
        {"values": {}, "needs": ["see_split"]},
        {"values": {}, "needs": {"see_split": 1}},
        {"value": {}},
        [],
        "values",
    ],
)
def test_a_damaged_file_of_what_was_kept_is_as_none(own: Settings, kept: Any) -> None:
    folder = make_site(own, own.server_home)
    assert folder
    written = folder / "browser" / "graphzsl" / "guide.html"
    (own.server_home / "guide.json").write_text(json.dumps(kept), encoding="utf-8")
    assert make_site(own, own.server_home) == folder
    assert written.read_text(encoding="utf-8") == guide(Own())


def test_the_style_is_read_as_it_is_written() -> None:
    rules = style()
    assert rules["node.Synset"] == {"color": "#DCE0E6", "caption": "{word}"}
    assert len(rules) == style_text().count("{ ")
    colours = [rules[f"node.{role}"]["color"] for role in ROLES]
    assert len({*colours, rules["node"]["color"]}) == len(ROLES) + 1
    # later rules win: what has a role has its colour, whatever its size, and the centre its border
    order = list(rules)
    sizes = [f"node.Images{n}" for n in (1, 300, 1000)]
    for role in ROLES:
        assert max(map(order.index, (*sizes, "node.Centre"))) < order.index(f"node.{role}")
        assert not {"diameter", "border-width"} & {*rules[f"node.{role}"]}
    # every label and type that a picture can have is told apart
    kinds = ("HYPERNYM", "INSTANCE_HYPERNYM", "RELEASE_PARENT", "IN_SET", "HAS_LABEL")
    assert len({rules[f"relationship.{kind}"]["color"] for kind in kinds}) == len(kinds)
    # images are seen, also of the synset that is asked for
    diameters = [int(rules[name]["diameter"].removesuffix("px")) for name in ("node", *sizes)]
    assert all(after >= before + 6 for before, after in pairwise(diameters))
    assert "diameter" not in rules["node.Centre"]
    # Browser leaves a gap of twice the padding in an edge, also where no caption stands in it
    edges = {name: rule for name, rule in rules.items() if name.startswith("relationship.")}
    assert {name for name, rule in edges.items() if rule.get("padding") == "0px"} == {
        f"relationship.{kind}" for kind in ("HYPERNYM", "HAS_LABEL", "IN_SET")
    }
    assert all((rule.get("caption") == "") == ("padding" in rule) for rule in edges.values())


def test_the_newer_browser_takes_the_first_label() -> None:
    labels = label_styles()
    order = list(labels)
    for role in ROLES:
        assert order.index(role) < min(map(order.index, ("Synset", "Concept", "Images1000")))
        assert labels[role]["color"] == style()[f"node.{role}"]["color"]
        assert labels[role]["captions"] == [{"type": "property", "captionKey": "word"}]
    assert labels["ClassSet"]["captions"][0]["captionKey"] == "name"
    edges = type_styles()
    assert edges["HYPERNYM"] == {"color": "#727E8E", "width": 2, "captions": []}
    assert edges["INSTANCE_HYPERNYM"]["captions"] == [{"type": "type"}]
    assert (edges["RELEASE_PARENT"]["color"], edges["HAS_LABEL"]["width"]) == ("#BF6A9A", 1)


def test_every_query_for_looking_at_has_a_page() -> None:
    asked = {entry.name for entry in library().values() if entry.folder == "browser"}
    assert {entry.name for entry in pages()} == asked
    numbers = [entry.page[0] for entry in pages() if entry.page]
    assert numbers == list(range(1, len(asked) + 1))
    text = guide()
    assert text.count("<slide") == len(asked) + 1
    assert len(BOX.findall(text)) == 1 + sum(len(entry.examples) for entry in pages())


def test_a_statement_has_a_title_and_marks_what_it_is_about() -> None:
    (first, second) = statements(query("see_hop_path"))
    assert first.startswith("// domestic cat: Why does a split have this class?\n")
    assert "SET s:Centre" in first
    assert first.count("n02121808") == 2
    assert "n02118333" in second
    # a word is no synset to mark
    assert "SET s:Centre" not in statements(query("see_polysemy"))[0]


def test_a_statement_begins_with_its_query() -> None:
    """What a reader sees of it in the guide; what rings the circles stands below, and takes the
    rings of the last picture away, whatever that was of."""
    for entry in pages():
        body = entry.for_browser().strip().rpartition("\nRETURN ")
        assert body[2] == ", ".join(entry.returns), f"{entry.name} ends with its columns"
        first = statements(entry)[0].partition("\n")[2]
        assert first.startswith(f"{body[0]}\n// the rest rings circles"), entry.name
        assert first.count("REMOVE n:Centre:End:Sense:Shell1:Shell2:Shell3:Shell4:Shell5") == 1
        assert len(first.removeprefix(body[0]).strip().splitlines()) <= 7
    assert not re.search(r"\b(SET|REMOVE)\b", titled(query("hop_path"), {}))


def test_what_is_cut_off_is_cut_in_an_order() -> None:
    """So that the same rows are left every time."""
    for entry in library().values():
        for before in re.split(r"\bLIMIT\b", entry.body)[:-1]:
            # of any_node, whether there is a row is all that is asked
            assert re.search(r"\bORDER BY\b.*\n\s*\Z", before) or entry.name == "any_node"


#: What cones of a kind that is missing leave of linear RGB: Machado, Oliveira and Fernandes 2009,
#: table 1, severity 1.0.
SIGHTS = {
    "normal": [(1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)],
    "protanopia": [
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ],
    "deuteranopia": [
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ],
}
#: Linear RGB to XYZ, relative to D65 (IEC 61966-2-1); its second row is WCAG's luminance.
TO_XYZ = np.array([(0.4124, 0.3576, 0.1805), (0.2126, 0.7152, 0.0722), (0.0193, 0.1192, 0.9505)])


def linear(colour: str) -> Any:
    parts = np.array([int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)])
    return np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)


def seen_as(colour: str, sight: str) -> Any:
    """L*, a*, b* of a colour as it is seen (CIE 1976)."""
    seen = np.clip(np.array(SIGHTS[sight]) @ linear(colour), 0, 1)
    share = (TO_XYZ @ seen) / TO_XYZ.sum(axis=1)
    x, y, z = np.where(share > 216 / 24389, np.cbrt(share), (24389 / 27 * share + 16) / 116)
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def contrast(one: str, other: str) -> float:
    low, high = sorted(float(TO_XYZ[1] @ linear(colour)) + 0.05 for colour in (one, other))
    return high / low


def test_edges_are_seen_on_light_and_on_dark_pages() -> None:
    """By a contrast of 3 and more (WCAG 2.2, 1.4.11) to the grounds of pictures of Browser 5.26's,
    read off screenshots."""
    rules = style()
    kinds = [name for name in rules if name.startswith("relationship.")]
    assert len(kinds) == 5
    for kind in kinds:
        for ground in ("#F9FCFF", "#292C33"):
            assert contrast(rules[kind]["color"], ground) >= 3, (kind, ground)


def test_rings_are_seen_on_every_role() -> None:
    """By a contrast of 3 and more (WCAG 2.2, 1.4.11: graphical objects), names by 4.5 (1.4.3)."""
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)  # WebAIM's example
    rules = style()
    for role in ("Synset", *ROLES):
        fill = rules[f"node.{role}"]["color"]
        for ring in (*SHELLS, "Centre", "End"):
            assert contrast(rules[f"node.{ring}"]["border-color"], fill) >= 3, (ring, role)
        text = rules[f"node.{role}"].get(
            "text-color-internal", rules["node"]["text-color-internal"]
        )
        assert contrast(text, fill) >= 4.5, role


@pytest.mark.parametrize("sight", SIGHTS)
def test_roles_and_rings_are_told_apart_by_colour_blind_eyes(sight: str) -> None:
    """A distance of 2.3 is just seen (Mahy et al. 1994); of roles and of rings in one picture, ten
    times that. What has no role and what is above the classes are two greys."""
    rules = style()
    fills = {role: rules[f"node.{role}"]["color"] for role in ROLES}
    shells = {name: rules[f"node.{name}"]["border-color"] for name in ("Centre", *SHELLS)}
    ends = {name: rules[f"node.{name}"]["border-color"] for name in ("Centre", "End")}
    for group in (fills, shells, ends):
        for (one, first), (other, second) in combinations(group.items(), 2):
            apart = np.linalg.norm(seen_as(first, sight) - seen_as(second, sight))
            assert apart >= 23, (one, other)
    # an ancestor is a quiet grey: its colourfulness is a fraction of any other role's
    assert np.linalg.norm(seen_as(fills.pop("Ancestor"), "normal")[1:]) < 8
    assert all(np.linalg.norm(seen_as(fill, "normal")[1:]) > 30 for fill in fills.values())


def test_the_guide_says_what_rings_are() -> None:
    # five colours that differ, also from the centre's black and from those of roles
    rules = style()
    rings = [rules[f"node.{label}"]["border-color"] for label in (*SHELLS, "Centre", "End")]
    assert len({*rings}) == len(SHELLS) + 2
    assert not {*rings} & {rules[f"node.{role}"]["color"] for role in ROLES}
    page = guide()[guide().index("<h3>4.") :]
    for ring, hops in zip(rings, SHELLS.values(), strict=False):
        assert f'{ring}">{hops}</span>' in page


def test_the_guide_says_what_colours_and_sizes_are() -> None:
    rules, page = style(), guide()[: guide().index("<h3>2.")]
    roles = {role: (role, meaning) for role, meaning in ROLES.items()}
    for label, (name, meaning) in (roles | OTHERS).items():
        colour = rules[f"node.{label}"]["color"]
        assert re.search(rf'background: {colour};[^>]*">{name}</span>\s+{escape(meaning)}', page)
    # what a picture can have is in the legend, but what has a ring, a size or another name
    labels = {name.removeprefix("node.") for name in rules if name.startswith("node.")}
    others = {
        label for label in labels if not re.match("Images|Shell|Centre|End|Sense|Concept", label)
    }
    assert others - {"Painted"} == {*ROLES, *OTHERS}
    for said in ("grey edges are hypernyms", "a larger circle has more images", "The black ring"):
        assert said in page


def test_the_databases_own_sets_stand_in_place_of_the_examples() -> None:
    entry = query("see_hop_path")
    same = {"split": "hops-1", "train": "ilsvrc2012", "other": 1}
    assert statements(entry, Own(same)) == statements(entry)
    (only,) = statements(entry, Own({"split": "mine", "unseen": "n00000001"}))
    assert only.startswith("// own unseen, own split: Why does a split have this class?\n")
    assert "{name: own_split}" in only
    assert "{name: 'hops-1'}" not in only
    other = statements(entry, Own({"split": "mine", "unseen": "n00000001"}, "release"))
    assert "RELEASE_PARENT" in other[0]
    assert "HYPERNYM" not in other[0]
    # a page is read without a login
    assert not any("mine" in text or "n00000001" in text for text in (only, *other))


def test_an_example_keeps_what_the_database_has() -> None:
    """Its third example is about other valid labels than its first."""
    entry = query("see_hcorrect_set")
    usual = Own({"valid": "imagenet-fall11"}, known=["hops-1", "ilsvrc2012", "imagenet-fall11"])
    assert statements(entry, usual) == statements(entry)
    mine = statements(entry, Own({"valid": "mine"}, known=["ilsvrc2012", "mine"]))
    assert ["own_valid" in text for text in mine] == [True, True, False]
    assert mine[2].startswith("// violin among the 1,000, k = 5:")
    none = statements(entry, Own({"valid": "mine"}, known=["mine"]))
    assert all("own_valid" in text for text in none)


def test_code_in_a_header_is_code_in_the_guide() -> None:
    text = guide()
    assert "per window (<code>graphzsl split windows</code>)" in text
    assert "`" not in text


def test_the_pictures_of_the_docs_are_what_clicks_in_the_guide_draw() -> None:
    script = ROOT / "docs" / "pictures" / "browser.py"
    shot: dict[str, Any] = {"__name__": "browser", "__file__": str(script)}
    exec(compile(script.read_text(encoding="utf-8"), script.name, "exec"), shot)
    text = guide()
    run = [unescape(re.sub("<[^>]+>", "", box)) for box in BOX.findall(text)]
    for name, statement in shot["PICTURES"].items():
        assert statement in run, name
        assert (script.parent / f"{name}.png").is_file()
    # the first one is what the page's reader sees first
    assert run[0] == shot["PICTURES"]["browser-around"]


def test_a_box_shows_a_headline_and_the_query() -> None:
    boxes = BOX.findall(guide())
    run = [unescape(re.sub("<[^>]+>", "", box)) for box in boxes]
    entries = [query(FIRST), *pages()]
    assert run == [text for entry in entries for text in statements(entry)]
    shown = [
        re.sub('<span style="display: none">.*?</span>', "", b, flags=re.DOTALL) for b in boxes
    ]
    assert unescape(re.sub("<[^>]+>", "", shown[2])) == (
        "the bird crane\n" + query("see_synset").for_browser().strip().rpartition("\nRETURN ")[0]
    ).replace("n02129604", "n02012849")
    assert not any("REMOVE" in text or "//" in text for text in shown)


@pytest.mark.parametrize("name", [FIRST, "see_release_hub"])
def test_what_cannot_draw_yet_is_not_offered(name: str) -> None:
    own, title = Own(needs={name: "graphzsl load hierarchy"}), (query(name).page or (0, ""))[1]
    lacks = guide(own).split("<slide")[1:]
    for page, full in zip(lacks, guide().split("<slide")[1:], strict=True):
        is_of_it = f". {title}</h3>" in page or (name == FIRST and page == lacks[0])
        assert ("graphzsl load hierarchy; graphzsl db browser</code>" in page) == is_of_it
        assert len(BOX.findall(page)) == (0 if is_of_it else len(BOX.findall(full)))
    # nor is it saved behind the star
    assert f"graphzsl-{name}-0" in begin_script()
    assert f"graphzsl-{name}-0" not in begin_script(own)


def test_a_name_ends_neither_a_statement_nor_a_page() -> None:
    name = "</pre><script>alert('x')</script>"
    assert r"\'x\'" in titled(query("see_split"), {"split": name})
    own = Own({"split": name}, needs={"see_split": name})
    assert "<script>" not in guide(own)
    assert "&lt;script&gt;" in guide(own)
    assert "alert" not in begin_script(own)


def test_a_title_is_one_line() -> None:
    # a class set may be called anything
    text = titled(query("see_split"), {"split": "a\nMATCH (n) DETACH DELETE n //"})
    first, second = text.splitlines()[:2]
    assert first.startswith("// ")
    assert not second.startswith("MATCH (n)")


def test_what_is_written_anew_keeps_the_look_of_those_who_changed_theirs() -> None:
    def versions(**own: str) -> dict[str, str]:
        found = re.search(r"const own = (\{.*\});", begin_script(Own(own)))
        return dict(json.loads(found[1])["versions"])  # type: ignore[index]

    assert versions() == versions()
    other = versions(split="mine")
    assert other["look"] == versions()["look"]
    assert other["saved"] != versions()["saved"]


def test_the_guide_of_a_home_without_a_site_is_not_written(tmp_path: Path) -> None:
    write_content(tmp_path, Own())
    assert not list(tmp_path.iterdir())


def test_the_address_has_everything_but_the_password() -> None:
    state = ServerState(1, 1.0, 7688, 7475, "5.26", "now")
    assert browser_address(state) == (
        "http://127.0.0.1:7475/browser/?dbms=neo4j%3A%2F%2Fneo4j%40127.0.0.1%3A7688&db=neo4j"
        "&preselectAuthMethod=NATIVE"
    )
    assert browser_address(state, "RETURN 1").endswith("&cmd=edit&arg=RETURN+1")


def test_a_statement_has_nothing_that_ends_an_address() -> None:
    """But in names, where Cypher's escapes stand for it."""
    for entry in pages():
        for text in statements(entry):
            assert not {"&", "#"} & {*text}, entry.name
    state = ServerState(1, 1.0, 7688, 7475, "5.26", "now")
    address = browser_address(state, titled(query("see_split"), {"split": "a & b #1"}))
    assert not {"&", "#"} & {*unquote(address).partition("&arg=")[2]}

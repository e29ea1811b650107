"""The documentation builds as a site without a warning, has an entry for everything public, and no
link of it is dead."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import click
import pytest

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.database import library
from tests.chromium import chromium as real_chromium
from tests.face.test_names import INSIDE

#: What they share is prepared at length, once on one worker.
pytestmark = pytest.mark.xdist_group("test_site")

ROOT = Path(__file__).resolve().parents[2]
#: What the site is made from.
SOURCES = (
    *("docs", "cypher", "benchmarks", "docker", "pyproject.toml"),
    "graphzsl/sources/published/SOURCES.toml",
)
NEEDED = ("sphinx", "furo", "myst_parser", "sphinx_click")
chromium = pytest.fixture(scope="module")(real_chromium)


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the site is made from, because building it writes pages beside the others."""
    for module in NEEDED:
        pytest.importorskip(module, reason="pip install 'graphzsl[docs]'")
    copy = tmp_path_factory.mktemp("checkout")
    for name in SOURCES:
        source, target = ROOT / name, copy / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("generated"))
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)
    for file in ROOT.glob("*.md"):
        shutil.copy(file, copy)
    return copy


@pytest.fixture(scope="module")
def site(sources: Path) -> Path:
    """The folder of the built site; a warning is an error."""
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "docs", "site"],
        cwd=sources,
        capture_output=True,
        text=True,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return sources / "site"


def commands(command: click.Command, path: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    """The words of a command and of all commands below it."""
    yield path
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.get_command(context, name)
            if below is not None and not below.hidden:
                yield from commands(below, (*path, name))


def test_every_command_has_its_entry(site: Path) -> None:
    text = {
        name: (site / "generated" / f"command-{name}.html").read_text(encoding="utf-8")
        for name in main.modules
    }
    found = [path for path in commands(main, ("graphzsl",)) if len(path) > 1]
    assert len(found) > 120
    missing = [path for path in found if f'id="{"-".join(path)}"' not in text[path[1]]]
    assert missing == []


def test_every_public_name_has_its_entry(site: Path) -> None:
    page = (site / "generated" / "python-names.html").read_text(encoding="utf-8")
    names = {*gz.__all__, *INSIDE} - {"__version__"}
    assert len(names) > 40
    places = re.findall(r'id="(?:module-)?graphzsl\.([\w.]+)"', page)
    assert sorted(names - {*places}) == []


def test_every_query_has_its_entry(site: Path) -> None:
    for query in library().values():
        page = (site / "generated" / f"cypher-{query.folder}.html").read_text(encoding="utf-8")
        assert f'id="{query.name.replace("_", "-")}"' in page, query.name


def test_every_schema_has_its_page_with_its_keys(site: Path) -> None:
    found = sorted((ROOT / "graphzsl" / "schemas").glob("*.schema.json"))
    assert len(found) > 15
    for path in found:
        schema = json.loads(path.read_text(encoding="utf-8"))
        name = path.name.removesuffix(".schema.json")
        page = (site / "generated" / f"schema-{name}.html").read_text(encoding="utf-8")
        text = re.sub(r"<[^>]+>", "", page)
        assert schema["title"] in text
        cells = re.findall(r"<td><p><code[^>]*><span class=\"pre\">(.*?)</span>", page)
        assert set(schema["properties"]) <= {*cells}, name


def test_every_page_is_in_the_contents(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    docs = [path for path in (ROOT / "docs").rglob("*.md") if path.parent.name != "generated"]
    docs += (ROOT / "docs").rglob("*.ipynb")
    assert len(docs) > 25
    for path in docs:
        page = path.relative_to(ROOT / "docs").with_suffix(".html").as_posix()
        assert page == "index.html" or f'href="{page}"' in index, page


class Links(HTMLParser):
    """What a page links to, and the places in it that a link may lead to."""

    def __init__(self, page: Path) -> None:
        super().__init__()
        self.targets: set[str] = set()
        self.places: set[str] = set()
        self.without_a_text: list[str] = []
        self.feed(page.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Collect href, src and id."""
        found = dict(attrs)
        self.targets |= {each for each in (found.get("href"), found.get("src")) if each}
        self.places |= {each for each in (found.get("id"),) if each}
        if tag == "img" and not found.get("alt"):
            self.without_a_text.append(str(found.get("src")))


def test_no_link_is_dead(site: Path) -> None:
    pages = {path: Links(path) for path in site.rglob("*.html")}
    assert len(pages) > 70
    dead = []
    for path, links in pages.items():
        for link in links.targets:
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            known = pages.get(target)
            place = unquote(parts.fragment)
            if not target.exists() or (place and known and place not in known.places):
                dead.append(f"{path.relative_to(site)}: {link}")
    assert dead == []


def test_the_first_thing_on_the_first_page_is_where_to_begin(site: Path) -> None:
    index = (site / "index.html").read_text(encoding="utf-8")
    assert index.index(">pip<") < index.index("begin with") < index.index("<img")
    assert index.count('href="_static/favicon.svg"') == 1


def test_search_begins_with_the_definition(chromium: Any, site: Path) -> None:
    page = chromium.new_page()
    for notion in ("synset", "closest training class", "hcorrectset", "seen classes", "hops"):
        page.goto(f"{(site / 'search.html').as_uri()}?q={notion}")
        first = page.locator("ul.search li a").first
        assert first.get_attribute("href").startswith("concepts.html#"), notion
    page.close()


@pytest.mark.parametrize("width", [400, 1000, 1600])
def test_blocks_are_not_cut(chromium: Any, site: Path, width: int) -> None:
    """No block scrolls, and what a command prints on 100 columns keeps its lines on a screen."""
    page = chromium.new_page(viewport={"width": width, "height": 900})
    for name in ("quick-start", "tour", "audit-a-classifier", "python", "report"):
        page.goto((site / f"{name}.html").as_uri())
        for block in page.locator(".highlight pre").all():
            wide, seen = block.evaluate("(pre) => [pre.scrollWidth, pre.clientWidth]")
            assert wide <= seen, (name, block.inner_text())
        for block in page.locator(".highlight-console pre").all() if width > 400 else ():
            lines = block.inner_text().rstrip().count("\n") + 1
            one = block.evaluate("(pre) => parseFloat(getComputedStyle(pre).lineHeight)")
            assert block.bounding_box()["height"] < (lines + 2) * one, block.inner_text()
            assert block.locator("span[class]").count() == 0, "output is no code"
    page.goto((site / "results.html").as_uri())  # whose tables scroll in their own boxes
    wide, seen = page.evaluate(
        "(({scrollWidth, clientWidth}) => [scrollWidth, clientWidth])(document.documentElement)"
    )
    assert wide <= seen
    page.close()


def test_every_picture_has_a_text_in_its_place(site: Path) -> None:
    assert [name for path in site.rglob("*.html") for name in Links(path).without_a_text] == []


def test_nothing_comes_from_elsewhere(site: Path) -> None:
    """The site works offline: scripts, styles and pictures are its own."""
    loaded = re.compile(r'<(?:script|img|link)[^>]+(?:src|href)="(https?:[^"]+)"')
    found = {
        link
        for path in site.rglob("*.html")
        for link in loaded.findall(path.read_text(encoding="utf-8"))
    }
    assert found == set()


def test_notebooks_are_small_and_have_nothing_but_text() -> None:
    for path in (ROOT / "docs" / "notebooks").glob("*.ipynb"):
        content = json.loads(path.read_text(encoding="utf-8"))
        assert path.stat().st_size < 20_000
        assert content["nbformat"] == 4
        for cell in content["cells"]:
            for output in cell.get("outputs", ()):
                assert output["output_type"] == "stream" or set(output["data"]) == {"text/plain"}


def test_a_dead_link_is_an_error(sources: Path, site: Path) -> None:
    """The build that all of this trusts refuses a link to a page that is not there, a place that
    no page has, and a page that no contents name."""
    page = sources / "docs" / "looking.md"
    whole = page.read_text(encoding="utf-8")
    page.write_text(f"{whole}\n[one](nowhere.md) [two](metrics.md#nowhere)\n", encoding="utf-8")
    (sources / "docs" / "alone.md").write_text("# Alone\n", encoding="utf-8")
    try:
        done = subprocess.run(
            [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-n", "docs", "site"],
            cwd=sources,
            capture_output=True,
            text=True,
        )
    finally:
        page.write_text(whole, encoding="utf-8")
    assert done.returncode
    assert done.stderr.count("WARNING") == 3, done.stderr

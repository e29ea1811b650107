"""What the pages and notebooks of docs/ show is what happens; their tables say what the code
says."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import graphzsl as gz
from graphzsl.common.settings import ENVIRONMENT
from graphzsl.hierarchy import structural_ratios
from graphzsl.hierarchy.distances import distance_of
from graphzsl.sources.imagenet import listed_classes
from tests.pages import (
    DOCS,
    DOCUMENT,
    OTHERS,
    RATIOS,
    ROOT,
    RUN,
    RUN_THERE,
    SIMULATED,
    blocks,
    command,
    expected,
    name_of,
    needs_a_server,
    pages,
    parameters,
    recorded,
    run_notebook,
    run_page,
)

#: Those of the notebooks that take no database; tests/end_to_end/test_pages_on_a_server.py has the
#: others.
WITHOUT_A_SERVER = ("audit", "look")


@pytest.mark.parametrize("page", parameters(pages()))
def test_the_examples_of_a_page(
    page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "benchmarks").symlink_to(ROOT / "benchmarks")
    for block, said in run_page(page, monkeypatch, server=False):
        assert said == expected(block), block.text


@DOCUMENT
def test_windows_and_attribution_of_simulated_predictions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The examples of analysis.md that take no database: five windows of forty classes, and the
    three factors."""
    monkeypatch.chdir(tmp_path)
    run = list(run_page(DOCS / "analysis.md", monkeypatch, server=False, only=SIMULATED))
    assert len(run) == len(SIMULATED)
    windows = json.loads(Path("ratio.json").read_text())
    assert [row["classes"] for row in windows["rows"]] == [40] * 5
    assert Path("ratio.svg").stat().st_size > 1000
    assert json.loads(Path("simulated.json").read_text())["features"]["simulated"] is True


@DOCUMENT
def test_the_structural_ratios_of_the_analyses(monkeypatch: pytest.MonkeyPatch) -> None:
    ((block, said),) = run_page(DOCS / "analysis.md", monkeypatch, server=False, only=RATIOS)
    assert said == block.output
    ratios = [line.split()[1] for line in said.splitlines()]
    (row,) = re.findall(r"\| `hops-1` \|(.*)\|", (DOCS / "analysis.md").read_text())
    assert [row.split(" | ")[at].strip() for at in (0, 3, 4)] == ratios


@DOCUMENT
@pytest.mark.parametrize("name", WITHOUT_A_SERVER)
def test_a_notebook(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for shown, found in run_notebook(DOCS / "notebooks" / f"{name}.ipynb"):
        assert found == shown


def unaccounted(page: Path) -> list[str]:
    """The first lines of a page's blocks that nothing runs, and that do not say why."""
    there = RUN_THERE.get(page.stem, ("",) if page.stem in OTHERS else ())
    return [
        block.text.splitlines()[0]
        for block in blocks(page)
        if block.language in RUN
        and not re.fullmatch(r"not run: \S.{9,}", block.mark)
        and not block.text.startswith(tuple(there))
    ]


@pytest.mark.parametrize("name", sorted(OTHERS))
def test_every_block_of_other_pages_is_run_or_says_why_not(name: str) -> None:
    assert unaccounted(DOCS / f"{name}.md") == []
    # the test that runs it names the page, and lines that begin a block do so
    assert f"{name}.md" in (ROOT / OTHERS[name]).read_text(encoding="utf-8")
    for line in RUN_THERE.get(name, ()):
        assert any(block.text.startswith(line) for block in blocks(DOCS / f"{name}.md")), line


def test_every_reason_is_one() -> None:
    """On pages that are run here, too: a mark is none of a spelling that nobody reads."""
    marks = {"server", "picture", "hierarchical"}
    for page in pages():
        for block in blocks(page):
            known = block.mark in marks or re.match(r"file: \S|not run: \S.{3,}", block.mark)
            assert not block.mark or known, (name_of(page), block.mark)


def test_a_block_that_nothing_runs_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = tmp_path / "analysis.md"
    page.write_text(
        "```bash\ngraphzsl split overlap awa-standard\n```\n\n```bash\ngraphzsl new\n```\n\n"
        "<!-- not run: it takes the images of ImageNet -->\n```bash\ngraphzsl images\n```\n\n"
        "<!-- not run: no -->\n```python\nhm\n```\n\n```toml\nx = 1\n```\n"
    )
    assert unaccounted(page) == ["graphzsl new", "hm"]


def test_blocks_say_what_they_take(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- server -->\n```bash\ngraphzsl db status\n```\n\n```python\nprint(1)\n```\n\n"
        "```text\n1\n```\n\n```text\nalone\n```\n"
    )
    first, second, third = blocks(page)
    assert [needs_a_server(each) for each in (first, second, third)] == [True, False, False]
    assert (first.output, second.output, third.text) == (None, "1\n", "alone\n")


def test_the_table_of_settings() -> None:
    text = (DOCS / "command-line.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `(\w+)` \| `([A-Z0-9_]+)` \|", text, re.MULTILINE)
    assert dict(rows) == ENVIRONMENT


def test_the_table_of_schemas() -> None:
    """docs/files.md names every kind of JSON that has a schema, once, and no other."""
    section = (DOCS / "files.md").read_text(encoding="utf-8").partition("## Schemas")[2]
    cells = re.findall(r"^\| (`.*?) \|", section.partition("\n## ")[0], re.MULTILINE)
    named = [kind for cell in cells for kind in re.findall(r"`([^`]+)`", cell)]
    paths = (ROOT / "graphzsl" / "schemas").glob("*.schema.json")
    kinds = [json.loads(path.read_text())["properties"]["kind"]["const"] for path in paths]
    assert sorted(named) == sorted(kinds)


def test_the_pictures_of_the_concepts() -> None:
    """They are what the script draws; on the page each has a text in its place."""
    script = DOCS / "pictures" / "concepts.py"
    drawn: dict[str, Any] = {"__name__": "concepts", "__file__": str(script)}
    exec(compile(script.read_text(encoding="utf-8"), script.name, "exec"), drawn)
    page = (DOCS / "concepts.md").read_text(encoding="utf-8")
    shown = {Path(file).stem: words for words, file in re.findall(r"!\[(.*?)\]\((.*?)\)", page)}
    assert set(shown) == set(drawn["PICTURES"])
    for name, draw in drawn["PICTURES"].items():
        assert (script.parent / f"{name}.svg").read_text(encoding="utf-8") == draw()
        assert len(shown[name]) > 40


@pytest.mark.parametrize("name", ["audit", "look"])
def test_a_recording_is_what_the_command_prints(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    typed, *said = recorded(name)
    assert said == command(typed.removeprefix("$ "), table=True).splitlines()


def test_what_the_pictures_say() -> None:
    """The domestic cat's neighbourhood, the shells of the German shepherd, the toy's ratio."""
    wordnet = gz.Hierarchy.load()
    hops = wordnet.hops_from("ilsvrc2012")
    classes = ["cat.n.01", "domestic_cat.n.01", "tabby.n.01", "persian_cat.n.01"]
    classes += ["siamese_cat.n.01", "angora.n.04", "kitty.n.04"]
    assert [hops[wordnet.wnid(name)] for name in classes] == [2, 1, 0, 0, 0, 2, 2]
    shepherd = wordnet.wnid("german_shepherd.n.01")
    valid = set(listed_classes("imagenet-fall11"))
    shells = Counter(
        distance
        for wnid, distance in wordnet.hops_from([shepherd]).items()
        if wnid in valid and distance <= 2
    )
    assert shells == {0: 1, 1: 1, 2: 11}
    toy = gz.Hierarchy.from_edges(
        zip(
            ["horse", "zebra", "laptop", "monitor", "one", "two"],
            ["one", "one", "two", "two", "root", "root"],
            strict=True,
        )
    )
    ratios = structural_ratios(
        toy, distance_of("path", toy), ["horse", "monitor"], ["zebra", "laptop"]
    )
    assert ratios.ratio.tolist() == [0.5, 0.5]
    assert ratios.structural_ratio == 0.5


def test_the_numbers_of_the_readme_on_the_2_hops_split() -> None:
    """1,548 classes one edge from a training class, whose closest training classes are thus their
    neighbours; of a group with the same ones, a guess gets one right: groups per class, 49.7 %."""
    wordnet = gz.Hierarchy.load()
    train = set(listed_classes("ilsvrc2012"))
    hops = wordnet.hops_from(train)
    split = [wnid for wnid in listed_classes("imagenet-fall11") if hops.get(wnid) == 1]
    groups = {frozenset(train.intersection(wordnet.neighbours(wnid))) for wnid in split}
    text = " ".join((ROOT / "README.md").read_text(encoding="utf-8").split())
    said = re.search(r"\*\*([\d.]+) %\*\* of the ([\d,]+) classes of", text)
    assert said
    assert said[1] == f"{100 * len(groups) / len(split):.1f}"
    assert said[2] == f"{len(split):,}"


def test_every_term_is_explained_once() -> None:
    page = (DOCS / "concepts.md").read_text(encoding="utf-8")
    terms = re.findall(r"\*\*([^*]+?)\.?\*\*", page) + re.findall(r"^### (.*)", page, re.MULTILINE)
    words = [word.strip().lower() for term in terms for word in term.split(",")]
    assert sorted(words) == sorted(set(words))
    for word in ("synset", "wnid", "hops", "hcorrectset", "structural ratio", "semantic interval"):
        assert word in words

"""What a page shows before anything is pressed: which classes are drawn, what boxes are called, and
what lies beside a narrow screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import graphzsl as gz
from graphzsl.hierarchy import Hierarchy
from graphzsl.reports import Listed, picture_of
from graphzsl.reports.pictures.fragment import icicle_fragment
from graphzsl.reports.pictures.subjects import of_classes
from graphzsl.reports.pictures.tree import picture_tree
from tests.mini import MiniWordNet
from tests.reports.pictures.pages import NARROW, WIDE, Page, data_of

pytestmark = pytest.mark.thorough("Chromium, on more than a page of each kind")

#: Six above one another, the last of which branches: eight classes on one side, two on the other.
CHAIN = [(f"level {number + 1}", f"level {number}") for number in range(6)]
EDGES = [*CHAIN, ("many", "level 6"), ("few", "level 6")]
EDGES += [(f"m{number}", "many") for number in range(8)] + [("f0", "few"), ("f1", "few")]
CLASSES = [f"m{number}" for number in range(8)] + ["f0", "f1"]


@pytest.fixture(scope="module")
def chained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("chained") / "page.html"
    gz.picture(CLASSES, train="none", hierarchy=Hierarchy.from_edges(EDGES)).save(path)
    return path


def test_of_few_classes_all_are_in_the_first_view(chromium: Any, chained: Path) -> None:
    """Eight of ten are below one child, which a wide page does not begin at; a narrow one does, and
    says that two are elsewhere."""
    wide = Page(chromium, chained, viewport={"width": 1100, "height": 900})
    assert wide.zoomed() == "level 6"
    assert wide.tab.get_by_text("classes are drawn").count() == 0
    wide.tab.close()
    narrow = Page(chromium, chained, viewport=NARROW)
    assert narrow.zoomed() == "many"
    part = "8 of 10 classes are drawn, those at or below many in the tree."
    assert narrow.tab.get_by_text(part).is_visible()
    narrow.tab.locator(".gz-chart").focus()
    narrow.tab.keyboard.press("Home")
    assert narrow.tab.get_by_text("classes are drawn").count() == 0
    narrow.tab.close()


def test_other_candidates_are_drawn_when_asked_for(chromium: Any, tmp_path: Path) -> None:
    """80 of 84 classes are other candidates, below a branch of their own and beside the split."""
    others = [(f"o{at:02}", "elsewhere" if at < 70 else "dog") for at in range(80)]
    split = [("pug", "dog"), ("poodle", "dog"), ("tabby", "cat"), ("manx", "cat")]
    tops = [("dog", "animal"), ("cat", "animal"), ("elsewhere", "animal")]
    edges = [*others, *split, *tops]
    names = {wnid: wnid for edge in edges for wnid in edge}
    hierarchy = Hierarchy.from_edges(edges, names=names)
    subject = of_classes(
        hierarchy,
        Listed("mine", ["pug", "poodle"]),
        Listed("train", ["tabby", "manx"]),
        Listed("universe", [name for name, _ in others]),
    )
    picture_of(subject, hierarchy).save(tmp_path / "page.html")
    page = Page(chromium, tmp_path / "page.html", viewport=WIDE)
    boxes = page.boxes()
    assert boxes.keys() == {"animal", "dog", "cat", "pug", "poodle", "tabby", "manx"}
    assert boxes["tabby"]["height"] == pytest.approx(boxes["animal"]["height"] / 4)
    assert "other candidate (80, not drawn)" in page.tab.locator(".gz-legend").inner_text()
    page.tab.locator("input[type=search]").fill("o75")
    page.press("Enter")
    assert page.tab.get_by_label("other candidates").is_checked(), "what is found is drawn"
    assert page.focus().startswith("o75, other candidate")
    page.tab.close()
    # below elsewhere nothing but other candidates is there: all are drawn, and no switch is offered
    picture_of(subject, hierarchy, root="elsewhere").save(tmp_path / "page.html")
    page = Page(chromium, tmp_path / "page.html", viewport=WIDE)
    assert page.boxes().keys() >= {"elsewhere", "o00", "o69"}
    assert not page.tab.locator(".gz-all").is_visible()
    page.tab.close()


def test_a_graph_that_is_larger_than_its_frame_says_so(chromium: Any, path: Path) -> None:
    for viewport in (WIDE, NARROW):
        page = Page(chromium, path, viewport=viewport)
        area = "document.querySelector('.gz-graph')"
        is_wider = page.tab.evaluate(f"{area}.scrollWidth > {area}.clientWidth + 1")
        is_higher = page.tab.evaluate(f"{area}.scrollHeight > {area}.clientHeight + 1")
        hint = page.tab.get_by_text("The graph is larger than its frame")
        assert hint.is_visible() == (is_wider or is_higher)
        assert is_wider == (viewport == NARROW), "the premise"
        page.tab.close()


def test_what_is_above_classes_says_which() -> None:
    """A candidate is a class too: what is above it alone is not above one asked for."""
    edges = [("cat", "animal"), ("dog", "animal"), ("oak", "plant")]
    hierarchy = Hierarchy.from_edges([*edges, ("animal", "thing"), ("plant", "thing")])
    roles = {"cat": "Unseen", "dog": "Training", "oak": "Candidate"}
    data = data_of(str(icicle_fragment(picture_tree(hierarchy, roles), assets=False)))
    called = {
        wnid: data["called"][data["kinds"][role]]
        for wnid, role in zip(data["wnid"], data["role"], strict=True)
    }
    assert called["animal"] == called["thing"] == "above an unseen or a training class"
    assert called["plant"] == "above other candidates alone"
    assert called["oak"] == "other candidate"


def test_the_picture_of_a_class_names_it(
    draw: Callable[..., Result], mini: MiniWordNet, lists: None
) -> None:
    """The word may have been read as another class than was meant."""
    said = draw("poodle", "--train", "train.txt", "--universe", "universe.txt").stderr
    assert said.startswith(f"poodle.n.01 ({mini['poodle']}) among ")

"""The page in a real Chromium: drawn, worked by keys and clicks, searched, without a request."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import graphzsl as gz
from graphzsl.hierarchy import Hierarchy
from graphzsl.reports.pictures.roles import colours
from tests.mini import MiniWordNet
from tests.reports.pictures.pages import NARROW, Page


def test_a_box_is_as_high_as_it_has_classes(page: Page) -> None:
    boxes = page.boxes()
    # 16 classes; 12 below the living thing, 4 below the artifact, 10 below the animal
    whole = boxes["entity"]["height"]
    shares = {
        name: boxes[name]["height"] / whole for name in ("living_thing", "artifact", "animal")
    }
    assert shares == pytest.approx(
        {"living_thing": 12 / 16, "artifact": 4 / 16, "animal": 10 / 16}, abs=0.001
    )
    # a column to the right for every step down
    steps = [boxes[name]["x"] for name in ("entity", "object", "living_thing", "animal")]
    assert [step / steps[1] for step in steps] == pytest.approx([0, 1, 2, 3], abs=0.001)
    assert {boxes[name]["fill"] for name in ("poodle", "mammal", "car")} == {colours()["Unseen"]}
    assert {boxes[name]["fill"] for name in ("oak", "drone")} == {colours()["Training"]}
    # the mammal has 3 unseen and 2 training classes below it, and the box of itself alone
    page.tab.locator("input[type=search]").fill("mammal")
    page.press("Enter")
    assert boxes["mammal"]["height"] / whole == pytest.approx(1 / 16, abs=0.001)
    assert page.focus() == "mammal, unseen class"
    assert "unseen classes at or below\n3" in page.tab.locator(".gz-details").inner_text()
    page.tab.locator("input[type=search]").fill("chordate")
    page.press("Enter")
    assert page.focus() == "chordate, above a class, 3 of 7 classes at or below"
    # dog and horse, with poodle and pony, stand below the domestic animal in the tree
    details = page.tab.locator(".gz-details").inner_text()
    assert "unseen classes at or below\n4, 2 of them in the tree" in details
    assert "training classes at or below\n3, 1 of them in the tree" in details
    legend = page.tab.locator(".gz-legend").inner_text()
    assert "unseen class (9)" in legend
    assert "training class (7)" in legend
    assert "above a class (11)" in legend


def test_by_keyboard(page: Page) -> None:
    page.tab.locator(".gz-chart").focus()
    assert page.focus() == "entity, above a class, 16 classes at or below"
    page.press("ArrowRight", "ArrowRight")
    assert page.focus().startswith("living thing,")
    item = page.tab.locator("[role=treeitem]")
    assert item.get_attribute("aria-level") == "3"
    assert (item.get_attribute("aria-posinset"), item.get_attribute("aria-setsize")) == ("1", "2")
    page.press("ArrowDown")
    assert page.focus().startswith("artifact,")
    page.press("ArrowLeft")
    assert page.focus().startswith("object,")
    page.press("ArrowRight", "Enter")
    assert page.zoomed() == "living thing"
    assert "entity" not in page.boxes()
    assert page.boxes()["living_thing"]["x"] == 0
    page.press("ArrowRight", "Enter")
    assert page.zoomed() == "animal"
    page.press("Escape")
    assert page.zoomed() == "living thing"
    assert page.focus().startswith("animal,")
    page.press("Home")
    assert page.zoomed() == "entity"
    page.press("/")
    assert page.tab.evaluate("document.activeElement.type") == "search"


def test_keys_work_before_anything_is_focused(page: Page) -> None:
    assert page.tab.evaluate("document.activeElement === document.body")
    page.press("ArrowRight")
    assert page.focus().startswith("object,")
    page.tab.evaluate("document.activeElement.blur()")
    page.press("/")
    assert page.tab.evaluate("document.activeElement.type") == "search"
    page.press("/", "a")
    assert page.tab.locator("input[type=search]").input_value() == "/a", "typed, not taken"


def test_a_narrow_page_begins_where_the_hierarchy_branches(chromium: Any, path: Path) -> None:
    """Of 16 classes object has all, living thing 12, animal 10 of those, chordate 7 of those: 70 %,
    no more than which one child may not have, so animal is the first view with the way above."""
    page = Page(chromium, path, viewport=NARROW)
    assert page.zoomed() == "animal"
    crumbs = page.tab.locator(".gz-crumbs li").all_inner_texts()
    assert crumbs == ["entity", "…", "living thing", "animal"]
    page.tab.close()


def test_the_way_back_is_clicked(page: Page) -> None:
    page.tab.locator(".gz-icicle [data-i]").nth(2).click()
    assert page.zoomed() == "living thing"
    assert page.tab.locator(".gz-crumbs li").all_inner_texts() == [
        "entity",
        "object",
        "living thing",
    ]
    page.tab.locator(".gz-crumbs button", has_text="object").click()
    assert page.zoomed() == "object"
    page.tab.locator(".gz-icicle [data-i]").first.click()
    assert page.zoomed() == "entity"


@pytest.mark.parametrize("text", ["toy poodle", "TOY_POODLE", "toy_poodle.n.01", "wnid"])
def test_search_jumps_to_a_class(page: Page, mini: MiniWordNet, text: str) -> None:
    page.tab.locator("input[type=search]").fill(mini["toy_poodle"] if text == "wnid" else text)
    assert page.tab.locator("[role=option]").count() == 1
    page.press("Enter")
    assert page.focus().startswith("toy poodle, training class")
    # its box has its name, and a ring around it
    assert page.boxes()["toy_poodle"]["height"] >= 15
    assert page.tab.locator(".gz-ring .gz-focus").count() == 1
    details = page.tab.locator(".gz-details").inner_text()
    assert mini["toy_poodle"] in details
    assert "120" in details  # images


def test_a_word_is_found_in_its_synsets(page: Page) -> None:
    search = page.tab.locator("input[type=search]")
    search.fill("a")
    first = page.tab.locator("[role=option]")
    names = first.locator("strong").all_inner_texts()
    assert names[:2] == ["animal", "artifact"], "what begins so comes first"
    page.press("ArrowDown", "Enter")
    assert page.focus().startswith("artifact,")
    search.fill("xyz")
    assert page.tab.locator("[role=option]").count() == 0
    assert "nothing is called so" in page.tab.locator(".gz-found").inner_text()
    search.press("Escape")
    assert search.input_value() == ""


def test_a_large_neighbourhood_says_what_it_leaves_out(chromium: Any, tmp_path: Path) -> None:
    """The graph has 60 synsets at most: 59 of the 70 classes below the root stand beside it."""
    classes = [f"class {number}" for number in range(70)]
    hierarchy = Hierarchy.from_edges([(each, "root") for each in classes])
    gz.picture(classes, train="none", hierarchy=hierarchy).save(tmp_path / "many.html")
    page = Page(chromium, tmp_path / "many.html", viewport=NARROW)
    text = page.tab.locator(".gz-neighbourhood").inner_text()
    said, hint = "59 synsets within 2 hops, 11 more are not drawn.", "larger than its frame"
    assert said in text
    assert text.index(said) < text.index(hint) < text.index("class 0")

"""The page in a real Chromium: colours of values, edges, both widths, light and dark, and hostile
names."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from graphzsl.hierarchy import Hierarchy
from graphzsl.reports import Listed, picture_of
from graphzsl.reports.pictures.roles import colours
from graphzsl.reports.pictures.subjects import Subject, of_classes
from graphzsl.reports.pictures.tree import Values, picture_tree
from tests.mini import MiniWordNet
from tests.reports.pictures.pages import BOXES, NARROW, SIDEWAYS, WIDE, Page, hostile_picture
from tests.reports.pictures.test_tree import mini_hierarchy

pytestmark = pytest.mark.thorough("Chromium, on more than a page of each kind")


def test_colours_of_a_value(page: Page) -> None:
    page.tab.get_by_label("Colour:").select_option("accuracy")
    boxes = page.boxes()
    assert boxes["poodle"]["fill"] == "#FDE725"  # the end of viridis
    assert boxes["pony"]["fill"] == "#440154"  # its beginning
    # 0 and 1 below the animal: the middle
    assert boxes["animal"]["fill"] == "#21918C"
    assert "0.0 %" in page.tab.locator(".gz-legend").inner_text()
    page.tab.get_by_label("Colour:").select_option("ratio")
    page.tab.locator("input[type=search]").fill("pony")
    page.press("Enter")
    assert "structural ratio (by hops)\n0.5" in page.tab.locator(".gz-details").inner_text()


def test_classes_without_the_value_are_drawn_when_asked_for(page: Page) -> None:
    """Of 16 classes two have an accuracy; ten are animals, four artifacts."""
    switch = page.tab.get_by_label("classes without a value")
    assert not switch.is_visible(), "all have a role"
    page.tab.get_by_label("Colour:").select_option("accuracy")
    boxes, legend = page.boxes(), page.tab.locator(".gz-legend")
    assert not {"toy_poodle", "oak", "artifact", "car"} & boxes.keys()
    assert boxes["animal"]["height"] == boxes["entity"]["height"]
    assert boxes["poodle"]["height"] == pytest.approx(boxes["entity"]["height"] / 2, abs=0.01)
    assert "not drawn: 14 classes without a value" in legend.inner_text()
    page.tab.locator(".gz-chart").focus()
    page.press("Home", "ArrowRight", "ArrowDown")
    assert page.focus().startswith("object,"), "what is not drawn is not reached"
    switch.check()
    boxes = page.boxes()
    assert boxes["animal"]["height"] / boxes["entity"]["height"] == pytest.approx(10 / 16, abs=0.01)
    assert boxes["toy_poodle"]["fill"] == boxes["oak"]["fill"] not in colours().values()
    assert "no value" in legend.inner_text()
    assert "not drawn" not in legend.inner_text()
    # the zoom goes to what is left, and the search shows what it finds
    page.tab.locator("input[type=search]").fill("artifact")
    page.press("Enter", "Enter")
    assert page.zoomed() == "artifact"
    switch.uncheck()
    assert page.zoomed() == "object"
    page.tab.locator("input[type=search]").fill("oak")
    page.press("Enter")
    assert switch.is_checked()
    assert page.focus().startswith("oak, training class")
    assert page.boxes()["oak"]["height"] > 0
    page.tab.get_by_label("Colour:").select_option("role")
    assert page.boxes()["oak"]["fill"] == colours()["Training"]


def coloured_by(chromium: Any, mini: MiniWordNet, accuracy: dict[str, float], path: Path) -> Page:
    """The page of plain classes with these accuracies."""
    found = of_classes(mini_hierarchy(mini), Listed("mine", mini.named(*accuracy)), None, None)
    known = {mini[name]: value for name, value in accuracy.items()}
    found.values["accuracy"] = Values("accuracy (hit@1)", known, "share")
    picture_of(found, mini_hierarchy(mini), "accuracy").save(path)
    return Page(chromium, path, viewport=WIDE)


def test_a_class_with_others_below_has_the_colour_of_their_mean(
    chromium: Any, mini: MiniWordNet, tmp_path: Path
) -> None:
    """Its box is as high as all of them; its own accuracy, which is below all means and so below
    the scale, is in the details."""
    own = {"poodle": 0.0, "toy_poodle": 1.0}
    page = coloured_by(chromium, mini, own, tmp_path / "own.html")
    boxes = page.boxes()
    assert boxes["poodle"]["fill"] == "#440154"  # the lowest mean
    assert boxes["toy_poodle"]["fill"] == "#FDE725"
    legend = page.tab.locator(".gz-legend").inner_text().split()
    assert " ".join(legend) == "accuracy (hit@1): ≤ 50.0 % 100.0 %", "the sign says all"
    page.tab.locator("input[type=search]").fill("poodle.n.01")
    page.press("Enter")
    assert "mean accuracy (hit@1) 50.0 %" in page.focus()
    details = page.tab.locator(".gz-details").inner_text()
    assert "accuracy (hit@1)\n0.0 %" in details
    assert "mean accuracy (hit@1) at or below\n50.0 %" in details
    page.tab.close()


def test_small_shares_are_told_apart(chromium: Any, mini: MiniWordNet, tmp_path: Path) -> None:
    """From 0 to 4 %, of which 2 % are the middle."""
    own = {"poodle": 0.04, "pony": 0.0}
    page = coloured_by(chromium, mini, own, tmp_path / "low.html")
    boxes = page.boxes()
    above = page.zoomed().replace(" ", "_")
    fills = {name: boxes[name]["fill"] for name in ("pony", above, "poodle")}
    assert fills == {"pony": "#440154", above: "#21918C", "poodle": "#FDE725"}
    legend = page.tab.locator(".gz-legend").inner_text().split("\n")
    assert [end for end in legend if "%" in end] == ["0.0 %", "4.0 %"]
    page.tab.set_viewport_size(NARROW)
    page.tab.wait_for_timeout(100)
    assert page.tab.evaluate(SIDEWAYS) == 0
    page.tab.close()


def test_a_chain_that_fills_the_picture_is_above_it(chromium: Any, tmp_path: Path) -> None:
    """Twelve synsets with one child each, of which nine columns fit: it begins where they end."""
    chain = [(f"step {at + 1}", f"step {at}") for at in range(12)]
    leaves = [(name, "step 12") for name in ("one", "two", "three")]
    hierarchy = Hierarchy.from_edges([*chain, *leaves])
    found = of_classes(hierarchy, Listed("leaves", ["one", "two", "three"]), None, None)
    picture_of(found, hierarchy).save(tmp_path / "chain.html")
    page = Page(chromium, tmp_path / "chain.html", viewport=WIDE)
    assert page.zoomed() == "step 12"
    assert len(page.tab.evaluate(BOXES)) == 4, "itself and its three children"
    page.tab.close()


def test_the_neighbourhood_has_all_edges(page: Page) -> None:
    page.tab.locator("input[type=search]").fill("horse")
    page.press("Enter")
    graph = page.tab.locator(".gz-graph")
    page.tab.get_by_label("Hops", exact=True).select_option("1")
    labels = graph.locator("g.gz-node text").all_text_contents()
    # both parents, though the tree has one
    assert sorted(labels) == ["domestic animal", "horse", "mammal", "pony"]
    assert graph.locator("path").count() == 3
    page.tab.get_by_label("Hops", exact=True).select_option("2")
    # animal, chordate and dog; dog too has both parents, and the chordate is an animal
    assert graph.locator("g.gz-node").count() == 7
    assert graph.locator("path").count() == 8
    assert "parents" in page.tab.locator(".gz-details").inner_text()
    centre = graph.locator(".gz-centre")
    centre.focus()
    page.press("ArrowRight")
    focused = page.tab.evaluate("document.activeElement.getAttribute('aria-label')")
    assert focused == "pony, unseen class, 1 hop"
    page.press("Enter")
    assert page.focus().startswith("pony, unseen class")


@pytest.mark.parametrize(
    "viewport", [WIDE, {"width": 1000, "height": 900}, NARROW], ids=["1600", "1000", "400"]
)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_and_follows_the_scheme(
    chromium: Any, path: Path, viewport: Any, scheme: Any
) -> None:
    page = Page(chromium, path, viewport=viewport, color_scheme=scheme)
    assert page.tab.evaluate(SIDEWAYS) == 0
    page.tab.locator("input[type=search]").fill("toy poodle")
    page.press("Enter")
    assert page.tab.evaluate(SIDEWAYS) == 0
    found = "getComputedStyle(document.querySelector('.gz-picture'))"
    paper = {"light": "rgb(255, 255, 255)", "dark": "rgb(21, 24, 30)"}
    assert page.tab.evaluate(f"{found}.backgroundColor") == paper[scheme]
    fills = {name: box["fill"] for name, box in page.boxes().items()}
    assert fills["toy_poodle"] == colours()["Training"]
    # names are read on what they stand on: WCAG asks for 4.5
    for box, text in page.tab.evaluate(
        "[...document.querySelectorAll('.gz-labels text')].map(each => {"
        "  const b = each.getBoundingClientRect();"
        "  const on = [...document.querySelectorAll('.gz-box')].find(box => {"
        "    const r = box.getBoundingClientRect();"
        "    const y = b.top + b.height / 2;"
        "    return r.left <= b.left && b.left <= r.right && r.top <= y && y <= r.bottom;"
        "  });"
        "  return [on.getAttribute('fill'), each.getAttribute('fill')];"
        "})"
    ):
        assert contrast(box, text) >= 4.5, (box, text)
    assert page.problems == []
    # the scheme is followed while the page is open, and paper is white
    page.tab.keyboard.press("Home")
    page.tab.emulate_media(color_scheme="light")
    assert page.tab.evaluate(f"{found}.backgroundColor") == paper["light"]
    pale = page.tab.locator(".gz-icicle [data-i='0'][fill='#D8DCE1']")  # an ancestor on white
    pale.wait_for()
    page.tab.emulate_media(color_scheme="dark")
    pale.wait_for(state="detached")
    page.tab.emulate_media(color_scheme="dark", media="print")
    assert page.tab.evaluate(f"{found}.backgroundColor") == paper["light"]
    pale.wait_for()
    assert not page.tab.locator(".gz-search").is_visible()
    page.tab.close()


def contrast(one: str, other: str) -> float:
    """Of two colours (WCAG 2)."""

    def luminance(colour: str) -> float:
        parts = (int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))
        linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


def test_hostile_names_are_names(chromium: Any, tmp_path: Path) -> None:
    picture = hostile_picture()
    picture.save(tmp_path / "hostile.html")
    page = Page(chromium, tmp_path / "hostile.html", viewport=WIDE)
    assert page.tab.evaluate("typeof window.bad") == "undefined"
    assert page.tab.title() == picture.title
    page.tab.locator("input[type=search]").fill("window.bad")
    page.press("Enter")
    assert page.tab.locator(".gz-details h3").inner_text() == picture.title.replace("_", " ")
    assert page.problems == []
    # in a frame, as in a notebook
    (tmp_path / "frame.html").write_text(f"<!doctype html>{picture._repr_html_()}", "utf-8")
    page.tab.goto((tmp_path / "frame.html").as_uri())
    page.tab.frame_locator("iframe").locator(".gz-icicle rect").first.wait_for()
    page.tab.close()


def test_two_fragments_on_a_page(
    chromium: Any, subject: Subject, mini: MiniWordNet, tmp_path: Path
) -> None:
    """Style and script once or twice: each is drawn once, and no id is there twice."""
    from graphzsl.reports.pictures.fragment import icicle_fragment

    tree = picture_tree(mini_hierarchy(mini), subject.roles, subject.values)
    fragments = [icicle_fragment(tree), icicle_fragment(tree, colour="accuracy", assets=False)]
    fragments += fragments[:1]
    html = "<!doctype html><html><body>" + "".join(map(str, fragments))
    (tmp_path / "several.html").write_text(html, encoding="utf-8")
    tab = chromium.new_page(viewport=WIDE)
    tab.goto((tmp_path / "several.html").as_uri())
    tab.locator(".gz-icicle rect").first.wait_for()
    assert tab.locator(".gz-icicle").count() == 3
    assert tab.locator(".gz-neighbourhood").count() == 0
    ids = tab.evaluate("[...document.querySelectorAll('[id]')].map(each => each.id)")
    assert len(ids) == len(set(ids)) > 3
    modes = tab.locator(".gz-mode select")
    chosen = [modes.nth(at).input_value() for at in range(3)]
    assert json.dumps(chosen) == '["role", "accuracy", "role"]'
    tab.close()

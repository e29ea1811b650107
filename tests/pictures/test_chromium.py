"""The page in a real Chromium: drawn, worked by keys, searched, at both widths, light and dark, and
without a request."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.pictures.picture import picture_of
from graphzsl.pictures.roles import colours
from graphzsl.pictures.shares import shares
from graphzsl.pictures.subjects import Listed, Subject, of_classes
from graphzsl.pictures.tree import Values, picture_tree
from tests.chromium import chromium as real_chromium
from tests.mini import TRAIN, MiniWordNet
from tests.pictures.test_page import data_of, hostile_picture
from tests.pictures.test_tree import UNSEEN, mini_hierarchy

WIDE, NARROW = {"width": 1600, "height": 1000}, {"width": 400, "height": 800}
#: Where the icicle's first box, that of the zoomed synset, is read.
BOXES = """() => Object.fromEntries([...document.querySelectorAll('.gz-icicle [data-i]')].map(
    each => [each.dataset.i, {height: Number(each.getAttribute('height')),
             x: Number(each.getAttribute('x')), fill: each.getAttribute('fill')}]))"""
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth"


chromium = pytest.fixture(scope="module")(real_chromium)


@pytest.fixture(scope="module")
def subject(mini: MiniWordNet) -> Subject:
    """The classes one hop from the training classes; poodle and pony have accuracies."""
    lists = Listed("mine", mini.named(*UNSEEN)), Listed("train", mini.named(*TRAIN))
    found = of_classes(mini_hierarchy(mini), *lists, None)
    accuracy = {mini["poodle"]: 1.0, mini["pony"]: 0.0}
    found.values["accuracy"] = Values("accuracy (hit@1)", accuracy, "share")
    return found


@pytest.fixture(scope="module")
def path(subject: Subject, mini: MiniWordNet, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("picture") / "mine.html"
    picture_of(subject, mini_hierarchy(mini)).save(path)
    return path


class Page:
    """A page that is open, and what it said and asked for."""

    def __init__(self, chromium: Any, path: Path, **options: Any) -> None:
        self.tab = chromium.new_page(**options)
        self.tab.set_default_timeout(20_000)
        self.requests: list[str] = []
        self.problems: list[str] = []
        self.tab.on("request", lambda request: self.requests.append(request.url))
        self.tab.on("pageerror", lambda error: self.problems.append(str(error)))
        self.tab.on("console", lambda message: self.problems.append(message.text))
        self.tab.goto(path.as_uri())
        self.tab.locator(".gz-icicle rect").first.wait_for()
        self.data = data_of(path.read_text(encoding="utf-8"))

    def focus(self) -> str:
        """What a screen reader says of the synset in focus."""
        own = self.tab.locator(".gz-chart").get_attribute("aria-activedescendant")
        return str(self.tab.locator(f"#{own}").inner_text())

    def zoomed(self) -> str:
        return str(self.tab.locator(".gz-crumbs [aria-current]").inner_text())

    def boxes(self) -> dict[str, Any]:
        """Label of a box -> what is drawn of it."""
        drawn = self.tab.evaluate(BOXES)
        return {self.data["name"][int(at)].partition(".")[0]: box for at, box in drawn.items()}

    def press(self, *keys: str) -> None:
        for key in keys:
            self.tab.keyboard.press(key)


@pytest.fixture
def page(chromium: Any, path: Path) -> Iterator[Page]:
    opened = Page(chromium, path, viewport=WIDE, color_scheme="light")
    yield opened
    assert opened.requests == [path.as_uri()], "a request leaves the page"
    assert opened.problems == []
    opened.tab.close()


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
    assert "structural ratio (hops)\n0.5" in page.tab.locator(".gz-details").inner_text()


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
    found.values.update(shares({"accuracy": ("accuracy (hit@1)", known)}))
    picture_of(found, mini_hierarchy(mini), "accuracy").save(path)
    return Page(chromium, path, viewport=WIDE)


def test_a_class_with_others_below_has_the_colour_of_their_mean(
    chromium: Any, mini: MiniWordNet, tmp_path: Path
) -> None:
    """Its box is as high as all of them; its own accuracy is in the details."""
    own = {"poodle": 0.0, "toy_poodle": 1.0}
    page = coloured_by(chromium, mini, own, tmp_path / "own.html")
    boxes = page.boxes()
    assert boxes["poodle"]["fill"] == "#21918C"  # the middle
    assert boxes["toy_poodle"]["fill"] == "#FDE725"
    page.tab.locator("input[type=search]").fill("poodle.n.01")
    page.press("Enter")
    assert "mean accuracy (hit@1) 50.0 %" in page.focus()
    details = page.tab.locator(".gz-details").inner_text()
    assert "accuracy (hit@1)\n0.0 %" in details
    assert "mean accuracy (hit@1) at or below\n50.0 %" in details
    page.tab.close()


def test_small_shares_are_told_apart(chromium: Any, mini: MiniWordNet, tmp_path: Path) -> None:
    """The square root of 4 % is 0.2, six tenths of the way from viridis' second to its third place:
    (71, 45, 123) and (59, 82, 139)."""
    own = {"poodle": 0.04, "pony": 0.0}
    page = coloured_by(chromium, mini, own, tmp_path / "low.html")
    assert page.boxes()["poodle"]["fill"] == "#404385"
    legend = page.tab.locator(".gz-legend").inner_text()
    assert "by its square root" in legend
    assert [legend.index(end) for end in ("0.0 %", "25.0 %", "100.0 %")]
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


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["1600", "400"])
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
    pale = page.tab.locator(".gz-icicle [data-i='0'][fill='#DED4EF']")  # an ancestor on white
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
    from graphzsl.pictures.fragment import icicle_fragment

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

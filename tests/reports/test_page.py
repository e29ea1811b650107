"""The page in a real browser: nothing overflows, nothing is asked for, and it is worked by mouse
and keyboard."""

from __future__ import annotations

import csv
import io
import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.hierarchy import Hierarchy
from graphzsl.reports.colours import COLOURS, DARK_COLOURS, DASHES, SHAPES
from graphzsl.reports.pictures.boxes import SCALE
from tests.audit.kinds import ranked
from tests.chromium import chromium as real_chromium
from tests.reports.made import EDGES, TREE, UNSEEN, WRONG, hits, write_run
from tests.reports.test_report import evaluation

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = "</script><img src=x onerror=\"document.title='hit'\">'\"\n&amp;"


def _runs(folder: Path, hierarchy: Hierarchy = TREE) -> None:
    folder.mkdir(exist_ok=True)
    rights = {"good": (4, 4, 3, 1), "poor": (2, 3, 2, 0), HOSTILE: (1, 0, 0, 0)}
    for number, (model, counts) in enumerate(rights.items()):
        for seed in (0, 1):
            given = dict(zip(UNSEEN, counts, strict=True))
            own = hits(given, WRONG)
            path = folder / f"{number}-{seed}.json"
            write_run(path, own, model, seed, hierarchy, note=HOSTILE if model == HOSTILE else "")
            own["cat"] = ["cat", "lynx"]
            write_run(folder / f"seen-{number}-{seed}.json", own, model, seed, hierarchy)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of two questions, with names that no page should obey."""
    folder = tmp_path_factory.mktemp("report")
    hostile = {"pug": HOSTILE.replace("\n", " ")}  # a name in a hierarchy is one line
    names = {name: f"{name}.n.01" for edge in EDGES for name in edge} | hostile
    tree = replace(TREE, names=names)
    _runs(folder, tree)
    gz.report(folder, title=HOSTILE, wordnet=tree).save(folder / "page.html")
    return folder / "page.html"


chromium = pytest.fixture(scope="module")(real_chromium)


@pytest.fixture
def page(chromium: Any, made: Path) -> Iterator[Any]:
    """The page, open; a test fails where a script does, or where anything else is asked for."""
    page = chromium.new_page(viewport={"width": 1000, "height": 900})
    page.set_default_timeout(10_000)
    errors: list[str] = []
    asked: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("console", lambda said: errors.append(said.text) if said.type == "error" else None)
    page.on("request", lambda request: asked.append(request.url))
    page.goto(made.as_uri())
    yield page
    page.close()
    assert (errors, asked) == ([], [made.as_uri()])


def _column(table: Any, number: int) -> list[str]:
    texts: list[str] = table.locator(f"tbody tr > :nth-child({number})").all_inner_texts()
    return [text.split("\n")[0] for text in texts]


@pytest.mark.parametrize("width", [400, 1000, 1600])
def test_nothing_is_wider_than_the_page(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for button in page.locator("[data-all]").all():
        button.click()
    for summary in page.locator("summary").all():
        if summary.is_visible():
            summary.click()
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= page.evaluate("document.documentElement.clientWidth")
    if width == 400:
        box = page.locator("#task-0 .box").first
        assert "wide" in (box.get_attribute("class") or ""), "a box that scrolls is marked"
        box.evaluate("box => { box.scrollLeft = 300 }")
        first = page.locator("#task-0-models tbody th").first
        assert first.bounding_box()["x"] >= box.bounding_box()["x"], "the names stay"


@pytest.mark.parametrize("suffix", [".tex", ".csv", ".md"])
def test_the_page_gives_the_table_as_the_command_writes_it(
    page: Any, made: Path, suffix: str, tmp_path: Path
) -> None:
    """A link gives the table of one question, where `--table` writes those of all."""
    with page.expect_download() as waiting:
        page.locator(f"#task-0 a[download='models{suffix}']").click()
    waiting.value.save_as(tmp_path / "given")
    gz.report(made.parent, wordnet=None).save_table(tmp_path / f"table{suffix}")
    given, written = ((tmp_path / name).read_text() for name in ("given", f"table{suffix}"))
    assert len(written) > len(given) > 200, "the page has two questions"
    if suffix != ".csv":
        assert written.startswith(given.rstrip("\n"))
        return
    own, both = (list(csv.DictReader(io.StringIO(text))) for text in (given, written))
    assert own == [{name: row[name] for name in own[0]} for row in both[: len(own)]]


@pytest.mark.parametrize("width", [1000, 1200, 1600])
def test_the_table_of_classes_shows_all_its_columns(page: Any, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    box = page.locator("#task-0 .classes .box")
    # the name of a class in this page is longer than any column
    page.locator("#task-0 .classes tbody").evaluate(
        "body => { for (const cell of body.querySelectorAll('th, td.text')) cell.textContent ="
        " 'black and gold garden spider' }"
    )
    shown, held = box.evaluate("box => [box.clientWidth, box.scrollWidth]")
    assert held <= shown


def test_names_are_not_obeyed(page: Any) -> None:
    assert page.title() == " ".join(HOSTILE.split())
    assert page.locator("img").count() == 0
    assert HOSTILE.split("\n")[0] in page.locator("#task-0-models").inner_text()
    assert HOSTILE.split("\n")[0] in page.locator("#task-0 .classes table").inner_text()


def test_the_table_is_sorted_by_mouse_and_keyboard(page: Any) -> None:
    table = page.locator("#task-0-models")
    head = table.locator("th", has_text="hit@1").first
    assert head.get_attribute("aria-sort") == "descending"
    number = table.locator("thead th").all_inner_texts().index(head.inner_text()) + 1
    assert _column(table, number) == ["★ 75.0", "43.8", "6.2"]
    head.get_by_role("button").click()
    assert head.get_attribute("aria-sort") == "ascending"
    assert _column(table, number) == ["6.2", "43.8", "★ 75.0"]
    table.get_by_role("button", name="model").focus()
    page.keyboard.press("Enter")
    assert _column(table, 1)[1:] == ["good", "poor"]
    assert table.locator("[aria-sort]").count() == 1
    page.keyboard.press("Enter")
    assert _column(table, 1)[:2] == ["poor", "good"]


def test_classes_are_sorted_filtered_and_of_the_chosen_model(page: Any) -> None:
    part = page.locator("#task-0 .classes")
    table = part.locator("table")
    keys = table.locator("thead th").evaluate_all("heads => heads.map(head => head.dataset.key)")
    assert keys[:5] == ["name", "wnid", "all", "hit1", "hit5"]
    assert keys[5:] == ["seeds", "wrong", "hops", "closest", "population", "depth"]
    assert "The same for all: samples in a run 4." in part.locator("p.note").last.inner_text()
    assert _column(table, 2) == ["pug", "poodle", "lynx", "oak"], "the worst first"
    # pug: 25, 0 and 0; poodle: 75, 50 and 0; lynx: 100, 50 and 25; oak: 100, 75 and 0
    assert _column(table, 3) == ["8.3", "41.7", "58.3", "58.3"]
    assert _column(table, 4) == ["25.0", "75.0", "100.0", "100.0"]
    table.get_by_role("button", name="images").click()
    assert _column(table, 2) == ["lynx", "pug", "poodle", "oak"], "what is not known comes last"
    table.get_by_role("button", name="images").click()
    assert _column(table, 2) == ["poodle", "pug", "lynx", "oak"]
    part.get_by_role("searchbox").fill("OA")
    assert _column(table, 2) == ["oak"]
    assert part.get_by_role("status").inner_text() == "1 class"
    part.get_by_role("searchbox").fill("")
    part.locator("select.model").select_option(label="poor")
    table.locator('[data-key="hit1"] button').click()
    assert _column(table, 4) == ["0.0", "50.0", "50.0", "75.0"]
    spark = table.locator("svg.spark").first
    assert spark.get_attribute("aria-label") == "seed 0: 0.0, seed 1: 0.0"
    assert spark.locator("circle").count() == 2


def test_a_class_of_one_seed_has_no_line_of_seeds(chromium: Any, tmp_path: Path) -> None:
    """Seed 0 asks for the poodle, seed 1 for the pug, and both for lynx and oak."""
    for seed, names in enumerate((("lynx", "oak", "poodle"), ("lynx", "oak", "pug"))):
        own, drawn = hits(dict.fromkeys(names, 2), WRONG), {"name": "hidden", "of": "some"}
        write_run(tmp_path / f"{seed}.json", own, "a", seed, split_definition=drawn)
    gz.report(tmp_path, wordnet=TREE).save(tmp_path / "page.html")
    page = chromium.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    rows = page.locator(".classes tbody tr").all()
    lines = {row.locator("th").inner_text(): row.locator("svg.spark").count() for row in rows}
    assert lines == {"lynx": 1, "oak": 1, "poodle": 0, "pug": 0}
    page.close()


def test_an_open_table_of_numbers_is_as_wide_as_all_pictures(page: Any) -> None:
    page.set_viewport_size({"width": 1600, "height": 900})
    figure = page.locator("#task-0 .plots figure").first
    whole = page.locator("#task-0 .plots").bounding_box()["width"]
    assert figure.bounding_box()["width"] < whole / 2
    figure.locator("summary").click()
    assert figure.bounding_box()["width"] == pytest.approx(whole, abs=1)


def test_pictures_of_one_shading_say_it_once(page: Any) -> None:
    """Groups of too few classes are not shaded: the others are by seeds."""
    part = page.locator("#task-0 .pictures")
    assert part.locator("svg.plot").count() >= 4
    assert part.inner_text().count("Around each mean:") == 1


def test_classes_that_no_model_knows_come_last(chromium: Any, tmp_path: Path) -> None:
    for model, counts in {"a": (0, 4, 0, 2), "b": (0, 4, 0, 0)}.items():
        write_run(
            tmp_path / f"{model}.json", hits(dict(zip(UNSEEN, counts, strict=True)), WRONG), model
        )
    gz.report(tmp_path, wordnet=TREE).save(tmp_path / "page.html")
    page = chromium.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    table = page.locator(".classes table")
    assert _column(table, 1) == ["pug", "oak", "lynx", "poodle"]
    said = "hit@1 is 0 with every model for 2 of 4 classes: these come last."
    assert page.locator(".classes .zeros").inner_text() == said
    table.locator('[data-key="hit1"] button').click()
    assert _column(table, 1) == ["lynx", "poodle", "pug", "oak"]
    assert page.locator(".classes .zeros").is_hidden()
    page.close()


def test_the_hardest_classes_of_one_model_come_first(chromium: Any, tmp_path: Path) -> None:
    write_run(tmp_path / "a.json", hits(dict(zip(UNSEEN, (0, 4, 0, 2), strict=True)), WRONG), "a")
    gz.report(tmp_path, wordnet=TREE).save(tmp_path / "page.html")
    page = chromium.new_page()
    page.goto((tmp_path / "page.html").as_uri())
    table = page.locator(".classes table")
    assert _column(table, 1) == ["lynx", "poodle", "pug", "oak"]
    assert table.locator('[data-key="all"]').count() == 0
    assert page.locator(".classes .zeros").is_hidden()
    page.close()


def test_the_contents_lead_to_every_part(page: Any) -> None:
    links = page.get_by_role("navigation", name="Contents").get_by_role("link")
    heads = page.locator("main h2, main h3[id]")
    assert links.all_inner_texts() == heads.all_inner_texts()
    for link in links.all():
        assert page.locator(link.get_attribute("href")).count() == 1


def test_paper_asks_nobody_to_press_or_unfold(page: Any) -> None:
    folded = page.locator("#task-0").locator(".pair:visible, ul.note details, figcaption details")
    assert [each.is_visible() for each in folded.all()].count(True) > 5
    page.emulate_media(media="print")
    assert "Press" not in page.locator("main").inner_text()
    assert not any(each.is_visible() for each in folded.all())


def test_training_classes_are_shown_when_they_are_wanted(page: Any) -> None:
    part = page.locator(".classes", has=page.locator("select.kind")).first
    assert "cat" not in _column(part.locator("table"), 2)
    part.locator("select.kind").select_option("training")
    assert _column(part.locator("table"), 2) == ["cat"]


def test_models_are_taken_out_of_the_pictures_and_put_back(page: Any) -> None:
    series = page.locator('#task-0 [data-series="1"]')
    assert series.first.is_visible()
    button = page.locator("#task-0 .legend").get_by_role("button", name="poor")
    button.focus()
    page.keyboard.press("Space")
    assert (button.get_attribute("aria-pressed"), series.first.is_visible()) == ("false", False)
    page.keyboard.press("Space")
    assert (button.get_attribute("aria-pressed"), series.first.is_visible()) == ("true", True)


def test_what_is_chosen_is_what_is_shown(page: Any) -> None:
    select = page.locator('select[data-shows="task-0-confusions"]')
    select.select_option(label="poor")
    shown = page.locator('[data-part="task-0-confusions"]:visible')
    assert shown.count() == 1
    # 8 samples of pug, 4 of lynx and of poodle, 2 of oak
    assert _column(shown, 3) == ["8", "4", "4", "2"]
    assert shown.locator("td.way").nth(
        1
    ).inner_text() == f"lynx ↑ animal ↓ dog ↓ {HOSTILE}".replace("\n", " ")
    pairs = page.locator('[data-part="task-0-pair"]:visible')
    assert "good is 31.2 points of hit@1 per class ahead of poor" in pairs.inner_text()


def test_every_picture_has_a_name(page: Any) -> None:
    plots = page.locator("svg.plot")
    assert plots.count() >= 9
    for plot in plots.all():
        assert plot.get_attribute("role") == "img"
        assert plot.get_attribute("aria-label")
    for table in page.locator("table.sortable").all():
        assert table.locator("caption").count() == 1
    assert page.locator("thead th:not([scope])").count() == 0


@pytest.mark.parametrize(("scheme", "paper"), [("light", "#fff"), ("dark", "#12171d")])
def test_a_page_is_light_or_dark(chromium: Any, made: Path, scheme: str, paper: str) -> None:
    page = chromium.new_page(color_scheme=scheme)
    page.goto(made.as_uri())
    said = "getComputedStyle(document.documentElement).getPropertyValue('{}').trim()"
    assert page.evaluate(said.format("--paper")) == paper
    colours = COLOURS if scheme == "light" else DARK_COLOURS
    assert [page.evaluate(said.format(f"--c{place}")) for place in range(7)] == list(colours)
    page.emulate_media(media="print")
    assert page.evaluate(said.format("--paper")) == "#fff", "paper is white"
    page.close()


def test_values_on_paper_are_read(chromium: Any, made: Path) -> None:
    """9 to 10 points for values, with nothing cut at the right of a page of A4."""
    page = chromium.new_page(viewport={"width": 703, "height": 1000})  # 186 mm between margins
    page.goto(made.as_uri())
    page.emulate_media(media="print")
    size = "each => parseFloat(getComputedStyle(each).fontSize) * 72 / 96"
    for place in ("body", "#task-0-models td", "#task-0 .classes td", "#task-0-models td small"):
        assert 8.9 <= page.locator(place).first.evaluate(size) <= 10.1, place
    assert page.evaluate("document.documentElement.scrollWidth") <= 703
    assert "@page" in made.read_text()
    page.close()


def test_paper_has_no_gaps_and_heads_on_every_page(chromium: Any, made: Path) -> None:
    """Chromium does not paint buttons in the heads that it repeats, and moves what must not be cut
    to the next page, so an icicle as high as a screen leaves half a page empty."""
    page = chromium.new_page(viewport={"width": 1200, "height": 2000})
    page.goto(made.as_uri())
    icicle = page.locator(".gz-icicle").first
    style = "(each, name) => getComputedStyle(each)[name]"
    page.emulate_media(media="print")
    page.wait_for_function("document.querySelector('.gz-icicle').getAttribute('height') <= 400")
    assert icicle.bounding_box()["height"] <= 400
    for head in page.locator("thead th").all()[:3]:
        assert head.evaluate(style, "position") == "static"
    buttons = page.locator("thead th button")
    assert {button.evaluate(style, "display") for button in buttons.all()} == {"contents"}
    assert not page.locator("button.more").first.is_visible()
    # names are not broken letter by letter
    page.set_viewport_size({"width": 703, "height": 1000})
    assert page.locator(".confusions tbody td.text").first.bounding_box()["width"] > 60
    page.close()


def test_a_narrow_page_has_accuracy_beside_the_name(page: Any) -> None:
    page.set_viewport_size({"width": 400, "height": 900})
    table = page.locator("#task-0 .classes table")
    assert not table.locator('[data-key="wnid"]').is_visible()
    box = page.locator("#task-0 .classes .box").bounding_box()
    for key in ("name", "hit1"):
        head = table.locator(f'[data-key="{key}"]').bounding_box()
        assert head["x"] + head["width"] <= box["x"] + box["width"], key
    heads = page.locator("#task-1-models thead th")
    last = heads.filter(has_text="AUSUC").bounding_box()
    box = page.locator("#task-1 .box").first.bounding_box()
    assert last["x"] + last["width"] <= box["x"] + box["width"]


def test_models_differ_in_more_than_colour() -> None:
    looks = [
        (COLOURS[place % len(COLOURS)], SHAPES[place % len(SHAPES)], DASHES[place % len(DASHES)])
        for place in range(40)
    ]
    assert len(set(looks)) == 40
    assert len({look[1:] for look in looks}) == 40, "without colours too"


def _luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_colours_of_a_dark_page_stand_out() -> None:
    """At least 4.5 : 1 (WCAG 2.2, contrast of text), more than pictures need."""
    for colour in DARK_COLOURS:
        assert (_luminance(colour) + 0.05) / (_luminance("#12171d") + 0.05) > 4.5


def test_few_classes_are_seen_on_a_dark_page() -> None:
    """Groups of few classes are drawn faint, and stand out all the same: at least 3 : 1, what WCAG
    2.2 asks of graphics."""
    css = (files("graphzsl.reports") / "page.css").read_text(encoding="utf-8")
    dark = css.split("prefers-color-scheme: dark", 1)[1]
    (share,) = re.findall(r"--faint: ([.0-9]+)", dark.split("@media", 1)[0])
    paper = "#12171d"
    for colour in DARK_COLOURS:
        parts = [
            round(int(below[:2], 16) + (int(above[:2], 16) - int(below[:2], 16)) * float(share))
            for above, below in ((colour[at:], paper[at:]) for at in (1, 3, 5))
        ]
        faint = "#" + "".join(f"{part:02x}" for part in parts)
        assert (_luminance(faint) + 0.05) / (_luminance(paper) + 0.05) >= 3


class _Ids(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.ids: list[str] = []
        self.asked: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        self.ids += [given["id"] or ""] if "id" in given else []
        links = [given.get(name) or "" for name in ("src", "href")]
        # data: is the content itself
        self.asked += [link for link in links if link and not link.startswith(("#", "data:"))]


def test_the_file_asks_for_nothing(made: Path) -> None:
    parser = _Ids()
    text = made.read_text()
    parser.feed(text)
    assert parser.asked == []
    assert len(parser.ids) == len(set(parser.ids))
    assert "@import" not in text
    assert "url(" not in text
    assert text.startswith("<!doctype html>")
    assert "This page is made again" not in text, "its hierarchy is in no file"


def test_figures_for_a_paper(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    _runs(tmp_path / "runs")
    monkeypatch.chdir(tmp_path)
    arguments = ["report", "runs", "--wordnet", "none", "--figures", "figures"]
    done = CliRunner().invoke(main, arguments)
    assert not done.exit_code, done.output
    written = {path.name for path in Path("figures").iterdir()}
    assert {"1-hit-at-k.svg", "1-hit-at-k.png", "2-seen-unseen.svg"} <= written
    assert all(name.endswith((".svg", ".png")) for name in written)
    assert not any("icicle" in name for name in written), "without a hierarchy there is none"
    elsewhere = gz.report("runs", wordnet=Hierarchy.from_edges([("a", "b")]))
    assert {path.name for path in elsewhere.write_figures("figures")} == written
    every = {path.name for path in gz.report("runs", wordnet=TREE).write_figures("all")}
    hostile = "script-img-src-x-onerror-document-title-hit-amp"
    assert every - written == {
        f"{task}-icicle-{model}.{kind}"
        for task in (1, 2)
        for model in ("good", "poor", hostile)
        for kind in ("svg", "png")
    }
    # good has all of the lynx and the oak right, three quarters of the poodle, a quarter of the
    # pug. The lynx stands next to the dog: the cat has no box. Colours go from 25 to 100 %, so a
    # value of 75 % is at 2/3 of 8 steps, a third of the way from the 6th (#28AE80) to the 7th place
    boxes = {
        (1, "#fde725"): 4,  # plant, tree, oak, lynx
        (4, "#3ab776"): 1,  # thing: the mean of all four, 75 %
        (1, "#3ab776"): 1,  # poodle
        (3, "#249e87"): 1,  # animal: two thirds, 4/9 of the way from #21918C to #28AE80
        (2, "#31678d"): 1,  # dog: 50 %, two thirds of the way from #3B528B to #2C728E
        (1, "#440154"): 1,  # pug
    }
    found = _rectangles(Path("all/1-icicle-good.svg"))
    assert Counter(found) == boxes


def _rectangles(path: Path) -> list[tuple[int, str]]:
    """(height in those of the lowest, colour) of the rectangles of an icicle."""
    boxes = ElementTree.parse(path).find(f".//{SVG}g[@id='boxes']")
    assert boxes is not None
    found = []
    for box in boxes.iter(f"{SVG}path"):
        places = [float(y) for y in re.findall(r"[ML] \S+ (\S+)", box.attrib["d"])]
        colour = box.attrib["style"].partition("fill: ")[2].partition(";")[0]
        found.append((max(places) - min(places), colour))
    least = min(height for height, _ in found)
    return [(round(height / least), colour) for height, colour in found]


def test_models_of_one_file_name_have_a_file_each(tmp_path: Path) -> None:
    """And icicles are of the first eight models, as plots are."""
    pytest.importorskip("matplotlib")
    for number, model in enumerate(["A/b", "a b", "../a_b", "语", *"cdefg"]):
        given = dict.fromkeys(UNSEEN, 4) | {"pug": 4 - number // 2}
        write_run(tmp_path / f"{number}.json", hits(given, WRONG), model)
    written = gz.report(tmp_path, wordnet=TREE).write_figures(tmp_path / "figures")
    names = {path.name for path in written if "icicle" in path.name and path.suffix == ".svg"}
    assert names == {f"icicle-{name}.svg" for name in ("a-b", "a-b-2", "a-b-3", "model", *"cdef")}
    assert {path.name for path in written} == {
        path.name for path in (tmp_path / "figures").iterdir()
    }


def test_the_colours_of_figures_are_those_of_the_page() -> None:
    script = (files("graphzsl.reports.pictures") / "page" / "colours.js").read_text(
        encoding="utf-8"
    )
    assert json.loads(script.partition("const SCALE = ")[2].partition(";")[0]) == [*SCALE]


def _many(folder: Path, models: int = 12) -> None:
    """Models of names with 30 letters."""
    for number in range(models):
        counts = {"lynx": number % 5, "oak": 2, "poodle": 1 + number % 3, "pug": 1}
        name = f"model {number:02d} ".ljust(30, "m")
        write_run(folder / f"{number:02d}.json", hits(counts, WRONG), name)


def test_a_legend_lies_over_no_data(tmp_path: Path) -> None:
    """Twelve models of long names: the first eight are drawn, and the legend says so, and what is
    shaded; the title says metric, unit and candidates."""
    pytest.importorskip("matplotlib")
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    from graphzsl.reports import read_runs
    from graphzsl.reports.charts import charts_of
    from graphzsl.reports.figures import figure_of
    from graphzsl.reports.tasks import tasks_of

    _many(tmp_path)
    (task,) = tasks_of(read_runs([tmp_path]))
    charts = charts_of(task)
    assert charts
    for chart in charts:
        figure = figure_of(chart)
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        (legend,), (axes,) = figure.legends, figure.axes
        around, whole = legend.get_window_extent(), figure.bbox
        assert not axes.get_legend()
        assert around.y1 <= axes.xaxis.label.get_window_extent().y0 + 1
        assert whole.x0 <= around.x0
        assert around.x1 <= whole.x1
        assert whole.y0 <= around.y0
        assert axes.get_window_extent().height > 1.5 * figure.dpi, "inches of data"
        assert len(legend.get_texts()) == 8
        said = ["the first 8 of 12 models", *filter(None, [chart.intervals])]
        assert legend.get_title().get_text() == "\n".join(said)
        assert re.search(r"per class \(%\).*, \d+ candidates$", axes.get_title())
    assert "Around each mean: 95 % bootstrap interval over classes." in {
        chart.intervals for chart in charts
    }


def test_the_command_shows_its_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are counted by a bar, and the page is a step."""
    _many(tmp_path / "runs", 2)
    shown: list[tuple[str, int]] = []

    def bar(items: Any, label: str) -> Iterator[Any]:
        shown.append((label, len(items)))
        yield from items

    @contextmanager
    def step(label: str) -> Iterator[None]:
        shown.append((label, 0))
        yield

    monkeypatch.setattr("graphzsl.reports.runs.progress_bar", bar)
    monkeypatch.setattr("graphzsl.reports.report.step", step)
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, ["report", "runs", "--wordnet", "none"])
    assert not done.exit_code, done.output
    assert shown == [("reading runs", 2), ("making the page of 2 runs", 0)]


def test_a_page_has_one_heading_wherever_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _many(tmp_path, 1)
    monkeypatch.chdir(tmp_path)
    assert not CliRunner().invoke(main, ["report", "00.json"]).exit_code
    gz.report("00.json").save("other.html")
    for name in ("report.html", "other.html"):
        text = Path(name).read_text(encoding="utf-8")
        assert "<h1>Zero-shot evaluation</h1>" in text


def test_the_filter_is_of_names_and_wnids_alone(page: Any) -> None:
    """The pug is taken for the poodle, which stands in its row."""
    part = page.locator("#task-0 .classes")
    part.get_by_role("searchbox").fill("poodle")
    assert _column(part.locator("table"), 2) == ["poodle"]


def test_details_are_no_higher_than_the_chart(chromium: Any, tmp_path: Path) -> None:
    """Twelve models, each with a row of its own: what does not fit is scrolled to, by keyboard."""
    _many(tmp_path)
    gz.report(tmp_path, wordnet=TREE).save(tmp_path / "page.html")
    page = chromium.new_page(viewport={"width": 1200, "height": 600})
    page.goto((tmp_path / "page.html").as_uri())
    details = page.locator(".gz-details")
    assert details.bounding_box()["height"] <= 421
    assert details.get_attribute("tabindex") == "0"
    assert details.evaluate("each => each.scrollHeight > each.clientHeight")
    page.close()


def test_a_report_of_evaluations(tmp_path: Path) -> None:
    labels = ["poodle", "pug", "lynx", "oak"]
    results = [
        gz.evaluate(
            ranked([[first] for first in firsts], labels, UNSEEN),
            wordnet=TREE,
            name=name,
        )
        for name, firsts in {"one": labels, "two": ["pug", "poodle", "lynx", "oak"]}.items()
    ]
    report = gz.report(results, title="Two & more")
    assert repr(report) == "<Report Two & more: 2 runs of 1 question>"
    report.save(tmp_path / "page.html")
    text = (tmp_path / "page.html").read_text()
    assert 'class="gz-picture"' in text
    assert "taken for" in text
    assert "This page is made again" not in text, "no command makes a page of evaluations"
    assert 'title="Two &amp; more"' in report._repr_html_()
    assert "&lt;!doctype html&gt;" in report._repr_html_()
    results[0].save(tmp_path / "one.json")
    assert len(gz.report([tmp_path / "one.json", results[1]], wordnet=TREE).tasks[0].entries) == 2
    for wrong, said in (([], "There is no run"), ([3], "3 is no run: give what")):
        with pytest.raises(DataError, match=said):
            gz.report(wrong)
    with pytest.raises(DataError, match="3 is no hierarchy"):
        gz.report(results, wordnet=3)


def test_two_audits_of_one_name_stay_apart(tmp_path: Path) -> None:
    for folder, right in (("a", 4), ("b", 8)):
        run = evaluation(right, model="clip") | {"run": "clip"}
        run["features"] = {"predictions": "clip.csv", "sha256": folder}
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "clip.json").write_text(json.dumps(run))
    (task,) = gz.report(tmp_path).tasks
    names = [entry.name for entry in task.entries]
    assert names == [f"clip · clip · {tmp_path / folder / 'clip.json'}" for folder in "ba"]


def test_older_runs_have_a_page(made: Path, tmp_path: Path) -> None:
    """Runs without what later versions added: tables, groups, provenance, confusions."""
    for path in made.parent.glob("?-?.json"):
        run = json.loads(path.read_text())
        for key in ("provenance", "groups", "class_table", "hierarchy", "hp_valid_set", "features"):
            del run[key]
        (tmp_path / path.name).write_text(json.dumps(run))
    report = gz.report(tmp_path, wordnet=None)
    assert "Which classes are hard?" not in report.html
    assert "What does accuracy depend on?" in report.html
    assert "6 runs" in repr(report)

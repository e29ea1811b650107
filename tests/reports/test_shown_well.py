"""Reports of many classes, of free names and of deep hierarchies in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import graphzsl as gz
from graphzsl.hierarchy import Hierarchy
from graphzsl.reports.charts import Chart, Point, Series
from graphzsl.reports.svg import drawn
from tests.audit.kinds import ranked
from tests.chromium import chromium as real_chromium

pytestmark = pytest.mark.thorough("Chromium, on more than a page of each kind")

chromium = pytest.fixture(scope="module")(real_chromium)
#: Free names, one of them long, and a hierarchy in which each stands at the end of a long way.
PARTS = ["O-ring", "hex nut", "a part with a name that somebody typed in full detail", "circlip"]
STEPS = 9
DEEP = Hierarchy.from_edges(
    [
        *(
            (f"a kind of {each} {at}", f"a kind of {each} {at - 1}")
            for each in PARTS
            for at in range(1, STEPS)
        ),
        *((f"a kind of {each} 0", "part") for each in PARTS),
        *((each, f"a kind of {each} {STEPS - 1}") for each in PARTS),
    ]
)


def result(hierarchy: Hierarchy | None, train: list[str] | None = None) -> gz.Evaluation:
    """Two samples of a class, of which one is taken for the next class."""
    labels = [name for name in PARTS for _ in range(2)]
    scores = np.zeros((len(labels), len(PARTS)))
    for row, name in enumerate(labels):
        scores[row, (PARTS.index(name) + row % 2) % len(PARTS)] = 1
    predictions = gz.Predictions.from_scores(scores, PARTS, labels, seen=train or [])
    return gz.evaluate(predictions, wordnet=hierarchy, train=train, rounds=10)


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Any]:
    """Opens a report of an evaluation, as wide as is said."""
    pages = []

    def open_report(evaluation: gz.Evaluation, width: int) -> Any:
        path = tmp_path / "report.html"
        gz.report(evaluation).save(path)
        page = chromium.new_page(viewport={"width": width, "height": 900})
        page.set_default_timeout(10_000)
        page.goto(path.as_uri())
        pages.append(page)
        return page

    yield open_report
    for page in pages:
        page.close()


def columns(page: Any) -> list[str]:
    """The headings of the table of classes that are seen."""
    heads = page.locator(".classes thead th").all()
    return [head.get_attribute("data-key") for head in heads if head.is_visible()]


def test_free_names_stand_in_one_column(opened: Any) -> None:
    page = opened(result(None), 1600)
    assert columns(page) == ["name", "hit1", "hit5", "wrong"]
    assert page.locator(".classes input[type=search]").get_attribute("placeholder") == "name"
    note = page.locator(".classes p.note").last.inner_text()
    assert note == (
        "hit@1 and hit@5 in per cent; the share of a class's samples that are taken for the other"
        " class stands behind it in brackets. The same for all: samples in a run 2."
    )
    assert not page.locator(".box.wide").count(), "nothing is wider than the page"


def test_classes_of_a_hierarchy_without_names_are_called_as_they_are(tmp_path: Path) -> None:
    evaluation = result(DEEP)
    evaluation.save(tmp_path / "run.json")
    rows = {row["wnid"]: row for row in evaluation.class_rows()}
    assert rows["O-ring"]["name"] == "O-ring"
    assert rows["O-ring"]["wrong_name"] == "hex nut"
    html = gz.report(tmp_path / "run.json", wordnet=DEEP).html
    assert "a kind of hex nut 0" in html, "the way between"


def test_kinds_are_a_column_where_there_are_both(opened: Any) -> None:
    page = opened(result(None, PARTS[:2]), 1600)
    assert "kind" not in columns(page), "all are unseen"
    page.locator("select.kind").select_option("")
    assert "kind" in columns(page)


def test_a_long_way_makes_no_gap_on_a_narrow_page(opened: Any) -> None:
    """A way of twenty synsets stands at the right, in a few lines."""
    page = opened(result(DEEP), 400)
    rows = page.locator(".confusions tbody tr").all()
    assert len(rows) == len(PARTS)
    heights = [row.bounding_box()["height"] for row in rows]
    names = [row.locator("th").evaluate("e => e.firstChild.length") for row in rows]
    shortest = min(zip(names, heights, strict=True))
    assert shortest[1] < 150, "that of the O-ring"


def test_one_plot_is_as_large_as_one_of_several(opened: Any) -> None:
    page = opened(result(None), 1600)
    assert page.locator(".plot").count() == 1
    assert page.locator(".plot").bounding_box()["width"] < 500
    assert page.locator("main").bounding_box()["width"] > 1400, "the window is used"


def test_numbers_of_many_classes_do_not_cover_each_other(chromium: Any) -> None:
    counts = ["11", "230", "640", *(f"{1000 + 7 * at:,}" for at in range(13))]
    ticks = [(float(at), str(at)) for at in range(len(counts))]
    points = [Point(x, 10.0) for x, _ in ticks]
    chart = Chart(
        "depth",
        "Depth",
        "depth",
        "hit@1",
        "groups",
        ticks,
        [Series("one", 0, [points], [])],
        "",
        counts,
    )
    page = chromium.new_page(viewport={"width": 500, "height": 400})
    style = ".count { font: 9.5px system-ui, sans-serif; }"
    page.set_content(f"<style>{style}</style>{drawn(chart, 1)}")
    texts = page.locator("text.count").all()
    boxes = [text.bounding_box() for text in texts if text.inner_html() in counts]
    assert len(boxes) == len(counts)
    by_line: dict[int, list[Any]] = {}
    for box in boxes:
        by_line.setdefault(round(box["y"]), []).append(box)
    for line in by_line.values():
        line.sort(key=lambda box: box["x"])
        for one, other in pairwise(line):
            assert one["x"] + one["width"] < other["x"]
    page.close()


def test_a_report_of_small_shares_tells_them_apart() -> None:
    """One class of fifty is found, of which a branch holds half: 0 and 4 %, and 2 % of all."""
    names = [f"class {at}" for at in range(50)]
    edges = [(name, "even" if at % 2 == 0 else "odd") for at, name in enumerate(names)]
    tree = Hierarchy.from_edges([*edges, ("even", "thing"), ("odd", "thing")])
    firsts = [[names[0]] for _ in names]
    predictions = ranked(firsts, labels=names, candidates=names)
    evaluation = gz.evaluate(predictions, wordnet=tree, rounds=10)
    assert evaluation["hit@1"].per_class == pytest.approx(0.02)
    assert '"domain":[0.0,0.04]' in gz.report(evaluation).html

"""The page of a report: everything in one HTML file, which needs no network."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.metadata import version
from importlib.resources import files
from typing import Any

from graphzsl.common.files import now
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.reports.charts import Chart, charts_of
from graphzsl.reports.classes import class_table
from graphzsl.reports.colours import COLOURS, DARK_COLOURS
from graphzsl.reports.comparison import PAIRED, comparisons_of
from graphzsl.reports.confusions import confusions_of, names_of, wrong_of
from graphzsl.reports.facts import MEANINGS
from graphzsl.reports.headline import (
    Headline,
    as_rows,
    directions,
    finding,
    headline_of,
)
from graphzsl.reports.over_hierarchy import icicle, outside
from graphzsl.reports.provenance import origin_of
from graphzsl.reports.runs import missing_of
from graphzsl.reports.svg import drawn, point_text, swatch
from graphzsl.reports.table import NAMED, spread_texts
from graphzsl.reports.table_files import SUFFIXES, written_table
from graphzsl.reports.tasks import SHOWN, Task

#: Confusions that are shown where each is of one sample.
FEW = 5
#: Columns of the table of classes: key, text, direction of the first sort, class. Those that hold
#: nothing, or one number for all classes, are left out; those that are narrow-out are so on a
#: narrow page, where accuracy is next to the name.
_COLUMNS = (
    ("name", "class", "ascending", ""),
    ("wnid", "wnid", "ascending", "text narrow-out"),
    ("kind", "kind", "ascending", "text kind narrow-out"),
    ("all", "all models", "ascending", ""),
    ("hit1", "hit@1", "ascending", ""),
    ("hit5", "hit@5", "ascending", ""),
    ("seeds", "hit@1 by seed", "ascending", "text"),
    ("wrong", "most often taken for", "ascending", "text wide"),
    ("hops", "hops", "ascending", ""),
    ("closest", "closest training class", "ascending", "text wide"),
    ("population", "images", "descending", ""),
    ("depth", "depth", "ascending", ""),
    ("samples", "samples in a run", "descending", ""),
)


#: Parts of a table: the value of the template that each shows, and its heading; the first one's is
#: the finding.
_PARTS = {
    "plots": "What does accuracy depend on?",
    "icicle": "Which branches of the hierarchy are easy, and which hard?",
    "classes": "Which classes are hard?",
    "confusions": "Which classes are taken for others?",
    "comparisons": "On which classes do two models differ?",
    "origins": "Where do the numbers come from?",
}


def render(
    tasks: Sequence[Task],
    title: str,
    command: str = "",
    hierarchy: Hierarchy | None = None,
    headlines: Sequence[Headline] | None = None,
) -> str:
    """The page as HTML. ``hierarchy`` adds names, and the ways between confused classes;
    ``headlines`` are those of the tasks, where they are known."""
    from jinja2 import Environment, StrictUndefined

    environment = Environment(autoescape=True, undefined=StrictUndefined)
    colours = {
        name: " ".join(f"--c{place}: {colour};" for place, colour in enumerate(values))
        for name, values in (("light", COLOURS), ("dark", DARK_COLOURS))
    }
    css = environment.from_string(_text("page.css")).render(**colours, places=range(len(COLOURS)))
    page = environment.from_string(_text("page.html")).render(
        title=title,
        created_at=now(),
        version=version("graphzsl"),
        css=css,
        js=_text("page.js"),
        tasks=_tasks(tasks, headlines or [*map(headline_of, tasks)], hierarchy),
        shown=SHOWN,
        swatch=swatch,
        named=NAMED,
        meanings=MEANINGS,
        paired=PAIRED,
        command=command,
    )
    return page.lstrip()


def _text(name: str) -> str:
    return (files("graphzsl.reports") / name).read_text(encoding="utf-8")


def _tasks(
    tasks: Sequence[Task], headlines: Sequence[Headline], hierarchy: Hierarchy | None
) -> list[dict[str, Any]]:
    """Values of each table for the template; the first icicle brings the script of all."""
    found, has_assets = [], False
    for task, headline in zip(tasks, headlines, strict=True):
        said = _task(task, headline, hierarchy)
        if said["classes"] and hierarchy is not None:
            said["icicle"] = icicle(said["classes"], hierarchy, assets=not has_assets)
            said["outside"] = outside(said["classes"], hierarchy)
            has_assets = has_assets or said["icicle"] is not None
        said["parts"] |= {key: text for key, text in _PARTS.items() if said[key]}
        found.append(said)
    return found


def _task(task: Task, headline: Headline, hierarchy: Hierarchy | None) -> dict[str, Any]:
    names = names_of(task, hierarchy)
    wrong = {entry: wrong_of(entry) for entry in task.entries}
    classes = class_table(task, wrong, names)
    rows = as_rows(task, headline)
    same = _same_of_all(classes["classes"]) if classes else {}
    columns = _class_columns(classes, {*same}) if classes else []
    charts = charts_of(task)
    confusions = _confusions(task, wrong, names, hierarchy)
    cells = [cell for column in headline.columns for cell in column.cells]
    return {
        "name": task.name,
        "missing": missing_of(task.runs),
        "simulated": any(run.simulated for run in task.runs),
        "candidates": task.candidates,
        "generalized": task.generalized,
        "headline": headline,
        "parts": {"rows": finding(task, headline)},
        "directions": directions(headline),
        "spreads": [*spread_texts(task, cells)],
        "ties_decide": any(cell.random_ties for cell in cells),
        "rows": rows,
        "files": {suffix: written_table(suffix, [task], [headline]) for suffix in SUFFIXES},
        "runs_differ": len({row["runs"] for row in rows}) > 1,
        "extra": any(not column.is_first for column in headline.columns),
        "sorted_by": task.sorted_by,
        "plots": [
            {"chart": chart, "svg": drawn(chart, SHOWN), "numbers": _numbers(chart)}
            for chart in charts
        ],
        "intervals": {chart.intervals for chart in charts if chart.intervals},
        "entries": task.entries,
        "icicle": None,
        "outside": "",
        "classes": classes,
        "class_columns": columns,
        "class_keys": {column["key"] for column in columns},
        "same": [f"{text} {same[key]:,}" for key, text, *_ in _COLUMNS if key in same],
        "classes_json": _json(classes),
        "confusions": confusions,
        "has_way": any(each["has_way"] for each in confusions),
        "comparisons": [
            {
                **vars(each),
                "mcnemar": each.paired.mcnemar() if each.paired else None,
                "seeds": len({run.seeds[0] for run in each.first.runs}),
                "place": place,
                "first_place": task.entries.index(each.first),
            }
            for place, each in enumerate(comparisons_of(task, names))
        ],
        "origins": [origin_of(entry) for entry in task.entries],
    }


def _json(value: Any) -> str:
    """JSON that no name in it can end: neither the element nor, in old scripts, the line."""
    text = json.dumps(value, ensure_ascii=True, separators=(",", ":"))
    for sign in "<>&":
        text = text.replace(sign, f"\\u{ord(sign):04x}")
    return text


def _numbers(chart: Chart) -> dict[str, Any]:
    """The points as a table, for readers who cannot see the plot."""
    if chart.kind == "curve":
        columns = ["unseen (%)", "seen (%)"]
        cells = [
            [f"{point.x:.1f}" for point in each.marks] + [f"{point.y:.1f}" for point in each.marks]
            for each in chart.series
        ]
    else:
        columns = [text for _, text in chart.ticks]
        cells = []
        for each in chart.series:
            at = {point.x: point_text(point) for line in each.lines for point in line}
            cells.append([at.get(value, "") for value, _ in chart.ticks])
    rows = [
        {"name": each.name, "cells": own} for each, own in zip(chart.series, cells, strict=True)
    ]
    return {"columns": columns, "rows": rows}


#: Numbers of a class -> their places in its row.
_NUMBERS = {"hops": (2, 3), "population": (6,), "depth": (7,), "samples": (8,)}


def _same_of_all(rows: Sequence[Sequence[Any]]) -> dict[str, int]:
    """Numbers that are the same for all of several classes."""
    found = {key: {row[at] for row in rows for at in places} for key, places in _NUMBERS.items()}
    return {
        key: value
        for key, values in found.items()
        if len(rows) > 1 and len(values) == 1 and (value := next(iter(values))) is not None
    }


def _class_columns(classes: dict[str, Any], same: set[str]) -> list[dict[str, str]]:
    rows, models = classes["classes"], classes["models"]
    places = {"closest": (4,), **_NUMBERS}
    empty = same | {key for key, (at, *_) in places.items() if all(row[at] is None for row in rows)}
    if all(row[0] == row[1] for row in rows):  # classes that are called by their names alone
        empty.add("wnid")
    if not classes["generalized"]:
        empty.add("kind")
    for key, name in (("hit5", "hit5"), ("wrong", "wrong")):
        if all(value is None for model in models for value in model[name]):
            empty.add(key)
    if len(models) == 1:
        empty.add("all")
    if not any(_has_seeds(model) for model in models):
        empty.add("seeds")
    return [
        {"key": key, "text": text, "first": first, "kind": kind}
        for key, text, first, kind in _COLUMNS
        if key not in empty
    ]


def _has_seeds(model: dict[str, Any]) -> bool:
    """True if a class has samples in several runs."""
    seeds = [each for each in model["seeds"] or () if each]
    return any(sum(value is not None for value in each) > 1 for each in seeds)


def _confusions(
    task: Task, wrong: dict[Any, Any], names: dict[str, str], hierarchy: Hierarchy | None
) -> list[dict[str, Any]]:
    found = []
    for entry in task.entries:
        rows = confusions_of(wrong[entry], names, hierarchy) if wrong[entry] else []
        often = [row for row in rows if row.samples > 1]
        rows = often or rows[:FEW]
        if rows:
            has_way = any(row.common for row in rows)
            found.append(
                {
                    "name": entry.name,
                    "rows": rows,
                    "single": 0 if often else len(wrong[entry].pairs),
                    "has_way": has_way,
                }
            )
    return found

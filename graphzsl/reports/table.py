"""The headline table for a paper and for programs: its rows, and what there is to say of them.

Every number, mark and test is that of the report's page.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from graphzsl.metrics.names import is_share
from graphzsl.reports.differences import LEVEL
from graphzsl.reports.entry import Entry
from graphzsl.reports.headline import Cell, Column, Headline, tests_of, untested_of
from graphzsl.reports.tasks import Task

#: Facts that the name of a question holds.
NAMED = ("question", "candidates")
#: Facts that rows of numbers have in columns of their own.
_IN_ROWS = (*NAMED, "test", "seeds", "validation seeds")


def first_columns(headline: Headline) -> list[Column]:
    """The metrics that the page shows at first."""
    return [column for column in headline.columns if column.is_first]


def model_rows(task: Task, headline: Headline) -> list[dict[str, Any]]:
    """One row per model, the best first: of every metric the mean over seeds, the standard
    deviation (``hit@1 sd``), the interval (of a single run, or over the classes that seeds draw)
    and the mark.

    Shares are fractions.
    """
    rows = []
    for place, entry in enumerate(task.entries):
        row: dict[str, Any] = {"question": task.name, "model": entry.name, "seeds": _seeds(entry)}
        for column in headline.columns:
            cell, metric = column.cells[place], column.metric
            row[metric] = cell.number
            row[f"{metric} sd"] = cell.deviation
            row[f"{metric} interval"] = cell.interval
            row[f"{metric} mark"] = cell.mark
        rows.append(row)
    return rows


def value_rows(task: Task, headline: Headline) -> Iterator[dict[str, Any]]:
    """One row per model and metric, with the facts of the table; shares are fractions."""
    names = [name for name in (*headline.facts, *headline.fact_columns) if name not in _IN_ROWS]
    for place, entry in enumerate(task.entries):
        first = entry.documents[0]
        facts = {
            name: headline.facts.get(name) or headline.fact_columns[name][place] for name in names
        }
        for column in headline.columns:
            cell = column.cells[place]
            if cell.number is None:
                continue
            low, high = cell.interval or (None, None)
            yield {
                "question": task.name,
                "model": entry.name,
                "metric": column.metric,
                "mean": cell.number,
                "sd": cell.deviation,
                "validation sd": cell.validation_deviation,
                "low": low,
                "high": high,
                **_behind(cell),
                "seeds": _seeds(entry),
                "mark": cell.mark,
                "test": "; ".join(filter(None, column.tests)) if cell.mark != "untested" else "",
                **{name: first[name] for name in ("candidates", "samples", "classes")},
                "simulated": entry.runs[0].simulated,
                **facts,
                "note": first.get("note", ""),
            }


def _behind(cell: Cell) -> dict[str, float | None]:
    """Lead of the best model, and the ends of its interval."""
    names = ("behind", "behind low", "behind high")
    found = cell.behind
    ends = (None, None, None) if found is None else (found.mean, found.low, found.high)
    return dict(zip(names, ends, strict=True))


def remarks(task: Task, headline: Headline, signs: Mapping[str, str]) -> list[str]:
    """Sentences on a table of the first columns: its facts, and what its signs say.

    ``signs`` are what stands for the marks best, alike and untested.
    """
    columns = first_columns(headline)
    cells = [cell for column in columns for cell in column.cells if cell.number is not None]
    facts = [_fact(name, text) for name, text in headline.facts.items() if name not in NAMED]
    found = [f"{task.name}.", f"{_capital('; '.join(facts))}."]
    found += [
        f"{_capital(_fact(name, _by_model(task, texts)))}."
        for name, texts in headline.fact_columns.items()
    ]
    if any(run.simulated for run in task.runs):
        found.append("The data are simulated: the figures say nothing about real images.")
    plain = " and ".join(column.label for column in columns if not is_share(column.metric))
    as_they_are = f"; {plain} as they are, small is good" if plain else ""
    found += [
        f"Means over classes, in per cent{as_they_are}.",
        f"Behind a value: {'; '.join(spread_texts(task, cells))}.",
    ]
    tests, untested = tests_of(columns), untested_of(columns)
    if tests:
        found.append(
            f"{signs['best']}: the best of a column. {signs['alike']}: not significantly different"
            f" from it, by {'; '.join(tests)}; each model against the best, not corrected for"
            " their number."
        )
    if untested:
        mark = f", or {signs['untested']} where others are" if tests else ""
        without = f"without {signs['best'].lower()}{mark}"
        found.append(f"Not tested, so {without}: {'; '.join(untested)}.")
    notes = {entry.name: entry.documents[0].get("note", "") for entry in task.entries}
    return found + [f"{name}: {note}." for name, note in notes.items() if note]


def left_out(headline: Headline) -> str:
    """A sentence on metrics that have no column; empty where all have one."""
    return f"Without a column: {'; '.join(headline.left_out)}." if headline.left_out else ""


def spread_texts(task: Task, cells: Sequence[Cell]) -> Iterator[str]:
    """Texts that say what stands behind, or below, the values of some cells."""
    if any(cell.deviation is not None and cell.interval is None for cell in cells):
        yield "± standard deviation over seeds"
    has_branches = any(entry.hides_branches for entry in task.entries)
    if not has_branches and any(cell.interval for cell in cells if cell.deviation is None):
        levels = {
            run.document["bootstrap"]["level"] for run in task.runs if "bootstrap" in run.document
        }
        level = f"{100 * levels.pop():g} % " if len(levels) == 1 else ""
        yield f"{level}bootstrap interval of a single run"
    if any(cell.interval for cell in cells if has_branches or cell.deviation is not None):
        branches = ", those of a hidden branch as one" if has_branches else ""
        yield (
            f"{100 * LEVEL:.0f} % bootstrap interval over the distinct classes that the seeds"
            f" draw{branches}"
        )
    if any(cell.deviation is None and cell.interval is None for cell in cells):
        yield "a single seed has no deviation"


def _seeds(entry: Entry) -> int:
    return len({run.seeds[0] for run in entry.runs})


def _by_model(task: Task, texts: Sequence[str]) -> str:
    """``glove (conse, devise); lsi (eszsl)``: each text with the models that have it."""
    models: dict[str, list[str]] = {}
    for entry, text in zip(task.entries, texts, strict=True):
        models.setdefault(text or "none", []).append(entry.name)
    return "; ".join(f"{text} ({', '.join(names)})" for text, names in models.items())


def _fact(name: str, text: str) -> str:
    return text if text.startswith(name) else f"{name}: {text}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]

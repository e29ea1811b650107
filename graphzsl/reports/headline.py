"""The headline table: one row per model, with the best models and those that do not differ from
them marked; facts that are the same for all models are sentences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from graphzsl.audit.averages import average, expected_value
from graphzsl.metrics import EXPECTED
from graphzsl.metrics.names import direction, is_share
from graphzsl.reports.differences import (
    Difference,
    difference,
    interval_of_mean,
)
from graphzsl.reports.entry import Entry
from graphzsl.reports.facts import facts_of
from graphzsl.reports.tasks import Task

#: Why no test can be made.
UNTESTED = "no runs of one seed with tables of the same classes, and no three common seeds"
UNTESTED_AUSUC = "a table of classes does not hold its curve, and three common seeds are missing"
#: Metrics that are shown at first; the others are behind a switch.
_FIRST = ("h", "ts", "tr", "ausuc", "hit@1", "hit@5", "hp@5", "mean_rank", "lca_height@1")
_LABELS = {
    "h": "H",
    "ausuc": "AUSUC",
    "mean_rank": "mean rank",
    "semantic_low": "semantic accuracy, at least",
    "semantic_high": "semantic accuracy, at most",
}
_MEANINGS = {
    "h": "harmonic mean of ts and tr",
    "ts": "hit@1 of samples of unseen classes, among all candidates",
    "tr": "hit@1 of samples of training classes, among all candidates",
    "ausuc": "area under the seen–unseen curve",
    "mean_rank": "mean place of the true class; small is good",
    "semantic_low": "first predictions that are right or above the true class",
    "semantic_high": "first predictions that are right, above or below the true class",
    "correct": "first predictions that are right",
    "parent": "first predictions that are above the true class",
    "child": "first predictions that are below the true class",
    "unrelated": "first predictions that are neither right nor above or below; small is good",
}


@dataclass(frozen=True)
class Cell:
    """A value with its spread or interval; ``mark`` is best, alike (not significantly worse than
    the best), untested (where others were tested against the best), or empty.

    Texts show shares in per cent; numbers hold them as fractions. ``deviation`` is over seeds.
    ``interval`` is that of a single run or, where seeds draw the classes, of their mean, the
    distinct classes of all seeds resampled; ``behind`` is how much the best one is better.
    ``random_ties`` is the value at random order of tied candidates, where ties decide it.
    """

    value: str = ""
    notes: tuple[str, ...] = ()
    random_ties: str = ""
    sample: str = ""
    number: float | None = None
    mark: str = ""
    deviation: float | None = None
    validation_deviation: float | None = None
    interval: tuple[float, float] | None = None
    behind: Difference | None = None


@dataclass(frozen=True, eq=False)
class Column:
    """A metric: its cells, one per entry, and the tests that its marks are by: an empty one where
    some entry could not be tested."""

    metric: str
    label: str
    meaning: str
    is_first: bool
    cells: list[Cell]
    tests: list[str] = field(default_factory=list)

    @property
    def is_good_large(self) -> bool:
        """True if large values are good, or neither large nor small ones are."""
        return direction(self.metric) >= 0


@dataclass(frozen=True, eq=False)
class Headline:
    """The table: facts that all rows share, columns of facts that differ, and columns of metrics.

    ``left_out`` says in words which metrics have no column because they tell no models apart,
    ``untested`` which columns have no marks, or not all, and why.
    """

    facts: dict[str, str]
    fact_columns: dict[str, list[str]]
    columns: list[Column]
    left_out: list[str]
    tests: list[str]
    untested: list[str]


def headline_of(task: Task) -> Headline:
    """The headline table of a task."""
    facts, fact_columns = facts_of(task.entries)
    metrics, left_out = _telling(task)
    columns = [_column(task, metric) for metric in metrics]
    tests, untested = tests_of(columns), untested_of(columns)
    return Headline(facts, fact_columns, columns, left_out, tests, untested)


def finding(task: Task, headline: Headline) -> str:
    """A sentence on the best model, by the metric that the table is sorted by."""
    (column,) = (each for each in headline.columns if each.metric == task.sorted_by)
    best, *others = column.cells
    name, value, marks = task.entries[0].name, f"{best.value} %", [cell.mark for cell in others]
    if not others:
        return f"{name} reaches {value} {column.label}"
    if best.mark and "untested" not in marks:
        alike = sum(mark in ("best", "alike") for mark in marks)
        every = "the other model" if len(others) == 1 else f"the {len(others)} other models"
        if not alike:
            return f"{name} reaches {value} {column.label}, significantly more than {every}"
        of = every if alike == len(others) else f"{alike} of {every}"
        highest = f"{name} reaches the highest {column.label}, {value}"
        return f"{highest}, not significantly more than {of}"
    return f"{name} reaches the highest {column.label} of {len(column.cells)} models, {value}"


def directions(headline: Headline) -> str:
    """A sentence on metrics of which large values are not good; empty where there is none."""
    texts = []
    for sign, good in ((-1, "small"), (0, "neither large nor small")):
        labels = [each.label for each in headline.columns if direction(each.metric) == sign]
        if labels:
            texts.append(f"for {', '.join(labels)} {good} is good")
    return f"F{'; '.join(texts)[1:]}; for the others large is." if texts else ""


def label(metric: str) -> str:
    """Name of a metric on the page."""
    kind, _, k = metric.partition("@")
    if kind.startswith("lca_height"):
        where = " in WordNet" if kind.endswith("wordnet") else ""
        return f"height of common ancestor{where}" + (f"@{k}" if k != "1" else "")
    return _LABELS.get(metric, metric)


def meaning(metric: str) -> str:
    """Meaning of a metric, in words."""
    kind, _, k = metric.partition("@")
    if kind == "hit":
        return f"the true class is among the first {k}" if k != "1" else "the first is the true one"
    if kind == "hp":
        return f"share of the first {k} that are in the hCorrectSet of the true class"
    if kind.startswith("lca_height"):
        where = "WordNet" if kind.endswith("wordnet") else "the classes' hierarchy"
        return (
            f"height in {where} of the lowest common ancestor of the true class and the"
            f" {'first' if k == '1' else f'nearest of the first {k}'}; small is good"
        )
    return _MEANINGS.get(metric, metric)


def _telling(task: Task) -> tuple[list[str], list[str]]:
    """(metrics that tell models apart, sentences on the others): a metric is left out if it repeats
    another, or is 0 or the same in every run."""
    kept: list[str] = []
    repeats: list[str] = []
    constant: dict[str, str] = {}
    for metric in task.metrics:
        own = _all_values(task, metric)
        same = next(
            (o for o in kept if _is_nested(o, metric) and _all_values(task, o) == own), None
        )
        values = {value for run in own for value in run}
        if metric == task.sorted_by:
            kept.append(metric)
        elif None not in values and (
            values == {0.0} or (len(task.entries) > 1 and len(values) == 1)
        ):
            constant[label(metric)] = _text(metric, own[0][0] or 0.0)
        elif same is not None:
            repeats.append(f"{label(metric)} is the same as {label(same)}")
        else:
            kept.append(metric)
    if not constant:
        return kept, repeats
    if len(task.entries) == 1:
        return kept, [*repeats, f"zero: {', '.join(constant)}"]
    told = ", ".join(f"{name} {value}" for name, value in constant.items())
    return kept, [*repeats, f"the same for all: {told}"]


def _is_nested(one: str, other: str) -> bool:
    """True if by definition one metric is at least the other for every sample: equal means are then
    no accident, and the two are the same. Lists of k contain the shorter ones; a class that is
    right also counts as one that is right or above the true class."""
    names = {"hit@1" if name in ("correct", "ts") else name for name in (one, other)}
    if names <= {"hit@1", "semantic_low", "semantic_high"}:
        return True
    kinds = {name.partition("@")[0] for name in names}
    return len(kinds) == 1 and kinds <= {"hit", "lca_height", "lca_height_wordnet"}


def _all_values(task: Task, metric: str) -> list[list[float | None]]:
    return [[values.get(metric) for values in entry.values] for entry in task.entries]


def _text(metric: str, value: float) -> str:
    return f"{(100 if is_share(metric) else 1) * value:.1f}"


def _column(task: Task, metric: str) -> Column:
    marks, tests, behind = _marks(task.entries, metric)
    return Column(
        metric,
        label(metric),
        meaning(metric),
        metric in _FIRST and (metric != "hit@1" or not task.generalized),
        [_cell(*each, metric) for each in zip(task.entries, marks, behind, strict=True)],
        tests,
    )


def _cell(entry: Entry, mark: str, behind: Difference | None, metric: str) -> Cell:
    """Empty where a run has not the metric."""
    if not entry.has(metric):
        return Cell()
    scale, runs = 100 if is_share(metric) else 1, entry.documents
    averaged = entry.averaged(metric)
    # ts with the same value has the interval of hit@1
    is_hit = all(values.get("ts") == values.get("hit@1") for values in entry.values)
    own = "hit@1" if metric == "ts" and is_hit else metric
    known = [run["metrics"].get(own) for run in runs]
    notes, random_ties, sample = [], "", ""
    spreads = ((averaged.seed_spread, ""), (averaged.validation_spread, " over validation seeds"))
    interval = interval_of_mean(entry, own)
    if len(runs) > 1 and interval is None:
        told = [f"± {scale * each:.1f}{over}" for each, over in spreads if each is not None]
        notes.append(", ".join(told))
    elif interval is not None:
        notes.append(" to ".join(f"{scale * end:.1f}" for end in interval))
    elif known[0] is not None and runs[0]["classes"] == 1:
        notes.append("one class")
    if all(known):
        per_sample = average(runs, [scale * value["per_sample"] for value in known])
        sample = f"{per_sample.mean:.1f}"
        if any(EXPECTED in value for value in known):
            means = [scale * expected_value(run, own) for run in runs]
            random_ties = f"{average(runs, means).mean:.1f}"
    return Cell(
        f"{scale * averaged.mean:.1f}",
        tuple(filter(None, notes)),
        random_ties,
        sample,
        averaged.mean,
        mark,
        averaged.seed_spread,
        averaged.validation_spread,
        interval,
        behind,
    )


def _marks(
    entries: Sequence[Entry], metric: str
) -> tuple[list[str], list[str], list[Difference | None]]:
    """Significance mark of each entry, the tests behind them, and how much the best is better."""
    marks = [""] * len(entries)
    behind: list[Difference | None] = [None] * len(entries)
    having = [place for place, entry in enumerate(entries) if entry.has(metric)]
    sign = direction(metric)
    if len(having) < 2 or not sign:
        return marks, [], behind
    best = max(having, key=lambda place: sign * entries[place].mean(metric))
    tests: dict[str, None] = {}
    for place in having:
        if place == best:
            continue
        found = behind[place] = difference(entries[best], entries[place], metric)
        tests[found.test if found else ""] = None
        if found is None:
            marks[place] = "untested"
        elif found.is_none:
            marks[place] = "best"
        elif not found.is_significant:
            marks[place] = "alike"
    if not any(tests):  # a best one that nothing was tested against would look like a tested one
        return [""] * len(entries), [""], behind
    marks[best] = "best"
    return marks, list(tests), behind


def tests_of(columns: Sequence[Column]) -> list[str]:
    """The tests, each with the metrics it is of; the one of most metrics comes last, without."""
    by: dict[str, list[str]] = {}
    for column in columns:
        for test in filter(None, column.tests):
            by.setdefault(test, []).append(column.label)
    ordered = sorted(by, key=lambda test: len(by[test]))
    return [test + ("" if test == ordered[-1] else f" ({', '.join(by[test])})") for test in ordered]


def untested_of(columns: Sequence[Column]) -> list[str]:
    """Reasons, each with the metrics of which some models, or all, could not be tested."""
    by: dict[str, list[str]] = {}
    for column in columns:
        if "" in column.tests:
            reason = UNTESTED_AUSUC if column.metric == "ausuc" else UNTESTED
            by.setdefault(reason, []).append(column.label)
    return [f"{', '.join(names)}: {reason}" for reason, names in by.items()]


def as_rows(task: Task, headline: Headline) -> list[dict[str, Any]]:
    """One row per entry, for the page."""
    return [
        {
            "name": entry.name,
            "note": entry.runs[0].document.get("note", ""),
            "runs": len(entry.runs),
            "facts": [column[place] for column in headline.fact_columns.values()],
            "cells": [column.cells[place] for column in headline.columns],
        }
        for place, entry in enumerate(task.entries)
    ]

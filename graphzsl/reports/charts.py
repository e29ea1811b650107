"""The data of every plot: of the page, of its tables of numbers, and of figures for a paper."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import fmean
from typing import Any, Literal

import numpy as np

from graphzsl.audit.averages import Average, average
from graphzsl.audit.evaluate import order_of_group, population_group
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.reports.differences import LEVEL, interval_of_mean, shares_of
from graphzsl.reports.entry import Entry
from graphzsl.reports.runs import ReportedRun
from graphzsl.reports.tasks import SHOWN, Task

#: Groups of fewer classes are drawn faint, without an interval, and no line goes there.
FEW = 5
#: Letters, spaces among them, of numbers of classes that fit below an axis in one line.
ONE_LINE = 66


@dataclass(frozen=True)
class Point:
    """A value in per cent, with the ends of its interval or deviation where there is one."""

    x: float
    y: float
    low: float | None = None
    high: float | None = None
    is_faint: bool = False


@dataclass(frozen=True, eq=False)
class Series:
    """One model; ``place`` gives it colour and mark. ``lines`` has one line, or one per run;
    ``marks`` are points that stand alone."""

    name: str
    place: int
    lines: list[list[Point]]
    marks: list[Point]


@dataclass(frozen=True, eq=False)
class Chart:
    """A plot. ``ticks`` are (x, text); ``counts`` says below each tick how many classes it has, and
    ``intervals`` is a sentence on what is drawn around means."""

    key: str
    title: str
    x_label: str
    y_label: str
    kind: Literal["logarithmic", "groups", "curve"]
    ticks: list[tuple[float, str]]
    series: list[Series]
    caption: str
    counts: list[str] | None = None
    intervals: str = ""

    @property
    def points(self) -> list[Point]:
        """All points of the chart."""
        return [p for s in self.series for line in (*s.lines, s.marks) for p in line]

    @property
    def is_crowded(self) -> bool:
        """True if the numbers of classes need two lines, since they would overlap in one."""
        return sum(len(count) + 1 for count in self.counts or ()) > ONE_LINE

    def aside(self, place: int) -> float:
        """Distance of a model's marks from the middle of a group, so that those of several models
        and their intervals stand beside each other."""
        if self.kind != "groups":
            return 0.0
        count = min(len(self.series), SHOWN)
        return min(0.1, 0.7 / count) * (place % count - (count - 1) / 2)

    @cached_property
    def top(self) -> float:
        """End of the axis of per cents, which starts at 0."""
        return _round_up(max((p.high or p.y for p in self.points), default=100))

    @cached_property
    def right(self) -> float:
        """End of the other axis of a curve, which starts at 0."""
        return _round_up(max((p.x for p in self.points), default=100))


def band_of(line: Sequence[Point]) -> list[tuple[float, float]]:
    """(x, y) around the intervals of a line: along their lower ends, and back along the upper
    ones."""
    ends = [(p.x, p.low, p.high) for p in line if p.low is not None and p.high is not None]
    return [(x, low) for x, low, _ in ends] + [(x, high) for x, _, high in reversed(ends)]


def charts_of(task: Task) -> list[Chart]:
    """The plots of a task: those that its runs have data for."""
    found = [_by_k(task, "hit"), _by_k(task, "hp")]
    found += [_by_group(task, kind) for kind in _GROUPS]
    found.append(_seen_unseen(task))
    return [chart for chart in found if chart is not None]


def _round_up(value: float) -> float:
    """The next multiple of 10, or of 2 below 10; at most 100."""
    step = 10 if value > 10 else 2
    return min(100.0, max(step, step * float(np.ceil(round(value / step, 6)))))


def _by_k(task: Task, kind: str) -> Chart | None:
    names = [name for name in task.metrics if name.startswith(f"{kind}@")]
    ks = {name: int(name.partition("@")[2]) for name in names}
    series = []
    for entry in task.entries:
        line = [
            _point(ks[name], entry.averaged(name), interval_of_mean(entry, name))
            for name in names
            if entry.has(name)
        ]
        series.append(Series(entry.name, entry.place, [line], []))
    if len(names) < 2 or not any(line for each in series for line in each.lines):
        return None
    said = {
        "hit": "Share of samples whose true class is among the first k.",
        "hp": "Share of the first k that are in the hCorrectSet of the true class.",
    }
    ticks = [(float(k), str(k)) for k in ks.values()]
    label, intervals = f"{kind}@k per class (%)", _intervals(task, series, True)
    key, title = f"{kind}-at-k", f"{label}, {task.candidates}"
    return Chart(
        key, title, "k", label, "logarithmic", ticks, series, said[kind], intervals=intervals
    )


def _intervals(task: Task, series: Sequence[Series], is_of_files: bool) -> str:
    """Sentence on the intervals of a chart; empty where there is none. Those of single runs are
    read from their files, or, of groups of classes, computed as those over the seeds are."""
    if all(point.low is None for each in series for line in each.lines for point in line):
        return ""
    entries = [
        entry
        for entry in task.entries
        if len(entry.runs) == 1
        or (entry.draws_classes and all(run.by_class("hit@1") for run in entry.runs))
    ]
    texts = ["± standard deviation over seeds"] if len(entries) < len(task.entries) else []
    if entries:
        levels = {
            run.document["bootstrap"]["level"]
            if is_of_files and len(entry.runs) == 1 and not entry.hides_branches
            else LEVEL
            for entry in entries
            for run in entry.runs
            if "bootstrap" in run.document
        }
        level = f"{100 * levels.pop():g} % " if len(levels) == 1 else ""
        branches = any(entry.hides_branches for entry in entries)
        as_one = ", those of a hidden branch as one" if branches else ""
        texts.insert(0, f"{level}bootstrap interval over classes{as_one}")
    return f"Around each mean: {' or '.join(texts)}."


def _point(x: float, averaged: Average, ends: tuple[float, float] | None) -> Point:
    """A mean with what its cell of the table has below it: its interval, or its deviation."""
    mean, spread = 100 * averaged.mean, averaged.seed_spread
    if ends is not None:
        return Point(x, mean, 100 * ends[0], 100 * ends[1])
    if spread is None:
        return Point(x, mean)
    return Point(x, mean, max(0.0, mean - 100 * spread), min(100.0, mean + 100 * spread))


#: Kind of groups -> (title, label of the axis, column of the table of classes, group of a value).
_GROUPS: dict[str, tuple[str, str, str, Callable[[Any], str]]] = {
    "hops": (
        "hit@1 per class (%) by hops",
        "hops to the closest training class",
        "hops",
        lambda hops: "unreachable" if hops is None else str(hops),
    ),
    "population": (
        "hit@1 per class (%) by population",
        "images of the class in ImageNet",
        "population",
        lambda images: population_group(images),
    ),
    "depth": (
        "hit@1 per class (%) by depth",
        "depth: fewest edges to the root",
        "depth",
        lambda depth: "unknown" if depth is None else str(depth),
    ),
}


def _by_group(task: Task, kind: str) -> Chart | None:
    title, label, *_ = _GROUPS[kind]
    values_of = {entry: [_group_values(run, kind) for run in entry.runs] for entry in task.entries}
    groups = {name for runs in values_of.values() for groups in runs for name in groups}
    if groups <= {"unknown"} or len(groups) < 2:
        return None
    names = sorted(groups, key=order_of_group)
    # group by group, since models of one group draw the same classes again
    points = [
        [_group_point(entry, values_of[entry], name, x) for entry in task.entries]
        for x, name in enumerate(names)
    ]
    series = [
        Series(entry.name, entry.place, [[p for own in points if (p := own[row])]], [])
        for row, entry in enumerate(task.entries)
    ]
    counts = [
        _count([g[name][1] if name in g else 0 for g in values_of[task.entries[0]]])
        for name in names
    ]
    shipped = kind == "population" and any(run.has_shipped_images for run in task.runs)
    source = " Images are those of the Fall 2011 release, shipped with graphzsl." if shipped else ""
    means = " Numbers of classes are means over seeds." if len(task.entries[0].runs) > 1 else ""
    return Chart(
        f"by-{kind}",
        f"{title}, {task.candidates}",
        label,
        "hit@1 per class (%)",
        "groups",
        [(float(x), _short(name)) for x, name in enumerate(names)],
        series,
        f"Groups of fewer than {FEW} classes are faint.{means}{source}",
        counts,
        _intervals(task, series, False),
    )


#: Group -> (mean hit@1, classes, hit@1 of each class where that is known).
_Groups = dict[str, tuple[float, int, dict[str, float] | None]]


def _group_values(run: ReportedRun, kind: str) -> _Groups:
    """Read hit@1 by group from the table of classes if there is one, else from the groups of the
    run."""
    *_, column, group_of = _GROUPS[kind]
    values = run.by_class("hit@1")
    if kind == "population" and values is not None:
        known: dict[str, Any] | None = dict(run.images)
    elif values is not None and run.classes is not None and column in run.classes:
        known = dict(zip(run.classes["wnid"], run.classes[column], strict=True))
    else:
        known = None
    if values is not None and known is not None:
        members: dict[str, dict[str, float]] = defaultdict(dict)
        for wnid, value in values.items():
            members[group_of(known[wnid])][wnid] = value
        return {name: (fmean(own.values()), len(own), own) for name, own in members.items()}
    rows = (run.document.get("groups") or {}).get(kind) or []
    return {row["group"]: (row["hit@1"], row.get("classes", 0), None) for row in rows}


def _group_point(
    entry: Entry,
    values: Sequence[_Groups],
    name: str,
    x: int,
) -> Point | None:
    pairs = zip(entry.runs, values, strict=True)
    having = [(run, groups[name]) for run, groups in pairs if name in groups]
    if not having:
        return None
    averaged = average([run.document for run, _ in having], [value for _, (value, *_) in having])
    if 0 < np.mean([number for _, (_, number, _) in having]) < FEW:
        return Point(x, 100 * averaged.mean, is_faint=True)
    shares = None
    if len(entry.runs) == 1 or entry.draws_classes:
        shares = shares_of([run for run, _ in having], [own for _, (*_, own) in having])
    return _point(x, averaged, shares.interval() if shares else None)


def _short(group: str) -> str:
    """``300–999`` for ``300 to 999 images``."""
    words = group.split()
    least = unsigned(words[0])
    if group.endswith("images or more") and least is not None:
        return f"≥ {least:,}"
    if len(words) == 4 and words[1] == "to":
        return f"{words[0]}–{words[2]}"
    return group


def _count(counts: Sequence[int]) -> str:
    """The classes of a group, a mean over seeds; not rounded, so that groups add up to all."""
    mean = float(np.mean(counts)) if counts else 0.0
    return f"{mean:,.{0 if mean.is_integer() else 1}f}" if mean else ""


def _seen_unseen(task: Task) -> Chart | None:
    series = []
    for entry in task.entries:
        given = [run.document.get("generalized") or {} for run in entry.runs]
        lines = [
            [Point(100 * unseen, 100 * seen) for seen, unseen in each["curve"]]
            for each in given
            if each.get("curve")
        ]
        is_placed = entry.has("ts") and entry.has("tr")
        marks = [Point(100 * entry.mean("ts"), 100 * entry.mean("tr"))] if is_placed else []
        parts = [entry.name]
        for name, text in (("h", "H"), ("ausuc", "AUSUC")):
            if entry.has(name):
                parts.append(f"{text} {100 * entry.mean(name):.1f}")
        series.append(Series(", ".join(parts), entry.place, lines, marks))
    if not any(each.lines or each.marks for each in series):
        return None
    return Chart(
        "seen-unseen",
        f"Seen against unseen classes: hit@1 per class (%), {task.candidates}",
        "unseen: hit@1 per class (%)",
        "seen: hit@1 per class (%)",
        "curve",
        [],
        series,
        "Accuracies on unseen and on seen classes as a growing amount is taken off the scores of"
        " seen classes (calibrated stacking); a line per seed. The mark is where the model stands"
        " as it is: (ts, tr); of several seeds it is the mean of theirs, beside their lines. A"
        " run holds some 50 points of its curve, the mark among them, which straight lines join."
        " The area under the whole curve is AUSUC.",
    )

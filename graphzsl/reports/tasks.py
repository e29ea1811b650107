"""Grouping of runs: into tables, and into the rows of a table."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from graphzsl.audit.run_identity import groups, question
from graphzsl.common.wording import counted
from graphzsl.metrics.names import display_order
from graphzsl.reports.entry import Entry
from graphzsl.reports.facts import telling_facts, telling_samples
from graphzsl.reports.runs import ReportedRun

#: Models that plots show at first: as many as colours can be told apart.
SHOWN = 8


@dataclass(frozen=True, eq=False)
class Task:
    """A table: the runs that answer one question, the best model first."""

    name: str
    entries: list[Entry]

    @property
    def runs(self) -> Iterator[ReportedRun]:
        """All runs of the table."""
        return (run for entry in self.entries for run in entry.runs)

    @property
    def candidates(self) -> str:
        """Number of candidates with its noun: ``200 candidates``."""
        return counted(self.entries[0].documents[0]["candidates"], "candidate")

    @property
    def generalized(self) -> bool:
        """True if training classes are among the candidates."""
        return any(entry.has("h") for entry in self.entries)

    @property
    def sorted_by(self) -> str:
        """The metric that the entries are ordered by."""
        return "h" if all(entry.has("h") for entry in self.entries) else "hit@1"

    @cached_property
    def metrics(self) -> list[str]:
        """The metrics that any run has: of the generalized setting, hit@k, hp@k, then the rest."""
        names = dict.fromkeys(name for e in self.entries for own in e.values for name in own)
        first = [name for name in ("h", "ts", "tr", "ausuc") if name in names]
        return first + sorted((name for name in names if name not in first), key=display_order)


def tasks_of(runs: Sequence[ReportedRun]) -> list[Task]:
    """The tables of a report, in the order of their first runs."""
    of_question: dict[str, list[ReportedRun]] = defaultdict(list)
    for run in runs:
        of_question[question(run.document)].append(run)
    tasks = [Task(_name(members), _entries(members)) for members in of_question.values()]
    return _placed(_told_apart(tasks))


def _placed(tasks: Sequence[Task]) -> list[Task]:
    """Tables in which a model of one name has one place, by its first appearance on the page."""
    names = dict.fromkeys(entry.name for task in tasks for entry in task.entries)
    places = {name: place for place, name in enumerate(names)}
    return [
        Task(task.name, [replace(entry, place=places[entry.name]) for entry in task.entries])
        for task in tasks
    ]


def split_name(run: ReportedRun) -> str:
    """The name of a run's split; empty where it has none."""
    definition = run.document.get("split_definition") or {}
    return str(definition.get("name") or run.document.get("split", "").partition(":")[0])


def _name(members: Sequence[ReportedRun]) -> str:
    first = members[0]
    parts = [
        first.task + (" (simulated)" if first.simulated else ""),
        f"split {split_name(first)}" if split_name(first) else "",
        f"{first.document['candidates']:,} candidates",
        "training classes among them" if first.document.get("setting") == "generalized" else "",
    ]
    name = ", ".join(filter(None, parts))
    return name[:1].upper() + name[1:]


def _entries(members: Sequence[ReportedRun]) -> list[Entry]:
    run_of = {id(run.document): run for run in members}
    entries = [
        [run_of[id(document)] for document in part]
        for part in groups(run.document for run in members)
    ]
    named = [Entry(name, runs) for name, runs in _named(entries)]
    metric = Task("", named).sorted_by
    return sorted(named, key=lambda entry: -entry.mean(metric))


def _named(entries: Sequence[list[ReportedRun]]) -> list[tuple[str, list[ReportedRun]]]:
    """(name, runs) of each row: the model, and what tells it from the others of that name, or else
    the run's own name, or else its file."""
    sections = []
    for runs in entries:
        alike = [other[0] for other in entries if other[0].model == runs[0].model]
        sections.append((runs[0].model + _difference(runs[0], alike), runs))
    for further in ("name", "source"):
        names = [name for name, _ in sections]
        sections = [
            (f"{name} · {getattr(runs[0], further)}", runs)
            if names.count(name) > 1 and not name.endswith(f" · {getattr(runs[0], further)}")
            else (name, runs)
            for name, runs in sections
        ]
    return sections


def _difference(run: ReportedRun, alike: Sequence[ReportedRun]) -> str:
    if len(alike) == 1:
        return ""
    options = [_options(other) for other in alike]
    mine = _options(run)
    differing = sorted(
        {key for each in options for key in each if len({str(o.get(key)) for o in options}) > 1}
    )
    parts = [f"{key} {mine[key]}" for key in differing if key in mine]
    semantics = run.document.get("semantics_name")
    if len({other.document.get("semantics_name") for other in alike}) > 1 and semantics:
        parts.append(semantics)
    return f" ({', '.join(parts)})" if parts else ""


def _options(run: ReportedRun) -> dict[str, Any]:
    """Options that tell runs of one model apart: those given, and calibrated stacking."""
    options = run.provenance.get("given_options") or {}
    return {**options, "calibrated": "stacking"} if run.provenance.get("calibration") else options


def _told_apart(tasks: list[Task]) -> list[Task]:
    """Tables of different questions under one heading say what differs; where no fact tells, the
    checksum of their candidates, or else which samples they are of, or else a number."""
    named = []
    for task in tasks:
        same = [other for other in tasks if other.name == task.name]
        place = same.index(task)
        facts = telling_facts([next(other.runs) for other in same])
        if facts[place]:
            named.append(Task(f"{task.name} ({facts[place]})", task.entries))
            continue
        checksums = [_checksum(other) for other in same]
        if all(checksums) and len(set(checksums)) == len(checksums):
            which = f"classes {checksums[place]}…"
        else:
            samples = telling_samples([next(other.runs) for other in same])
            which = samples[place] or f"question {place + 1}"
        name = f"{task.name} ({which})" if len(same) > 1 else task.name
        named.append(Task(name, task.entries))
    return named


def _checksum(task: Task) -> str:
    candidates = task.entries[0].runs[0].provenance.get("candidates") or {}
    return str(candidates.get("sha256", ""))[:8]

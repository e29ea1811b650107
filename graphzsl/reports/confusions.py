"""Confusions of classes: counts over the runs of a model, and the path from one class to the
other."""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from graphzsl.audit.mistakes import ranked_confusions
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import row_of
from graphzsl.reports.entry import Entry
from graphzsl.reports.names import spoken
from graphzsl.reports.tasks import Task

#: Rows of the page's table.
MOST = 10


@dataclass(frozen=True)
class Confusion:
    """A class that is taken for another: by wnid and by name, how often, and where the two meet.

    ``up`` are the names from the true class to the common ancestor, ``down`` from there to the
    predicted one, both without the ancestor; None where no hierarchy tells.
    """

    true: str
    true_name: str
    predicted: str
    predicted_name: str
    samples: int
    share: float
    common: str | None = None
    height: int | None = None
    up: list[str] | None = None
    down: list[str] | None = None


@dataclass(frozen=True, eq=False)
class Wrong:
    """(true, predicted) -> number of samples, over all runs of a model, the samples of each true
    class, and the candidates of all runs."""

    pairs: Counter[tuple[str, str]]
    sizes: Counter[str]
    candidates: frozenset[str]

    @property
    def classes(self) -> set[str]:
        """Among which heights are: the true classes and the candidates, as in an evaluation."""
        return {*self.sizes, *self.candidates}

    @cached_property
    def most_frequent(self) -> dict[str, tuple[str, float]]:
        """True class -> the class that it is most often taken for, and the share of its samples;
        among equally frequent ones the smaller wnid."""
        found: dict[str, tuple[str, float]] = {}
        ordered = sorted(self.pairs.items(), key=lambda item: (-item[1], item[0]))
        for (true, predicted), count in ordered:
            found.setdefault(true, (predicted, count / self.sizes[true]))
        return found


def wrong_of(entry: Entry, training: bool = False) -> Wrong | None:
    """The wrong first predictions of a model, for the classes that its metrics are of, or for
    ``training`` classes; None where a run has no samples, or no table of classes that says which is
    which."""
    pairs: Counter[tuple[str, str]] = Counter()
    sizes: Counter[str] = Counter()
    for run in entry.runs:
        if run.samples is None or run.classes is None:
            return None
        wnids = zip(run.classes["wnid"], run.unseen, strict=True)
        evaluated = {wnid for wnid, is_unseen in wnids if is_unseen != training}
        for true, predicted in zip(run.samples.labels, run.samples.predicted, strict=True):
            if true not in evaluated:
                continue
            sizes[true] += 1
            if predicted is not None and predicted != true:
                pairs[true, predicted] += 1
    samples = [run.samples for run in entry.runs if run.samples is not None]
    return Wrong(pairs, sizes, frozenset().union(*(each.candidates for each in samples)))


def names_of(task: Task, hierarchy: Hierarchy | None) -> dict[str, str]:
    """wnid -> name, as far as the tables of classes or a hierarchy know it."""
    names: dict[str, str] = {}
    for run in task.runs:
        columns = run.classes or {}
        for key, value in (("wnid", "name"), ("wrong", "wrong_name"), ("closest", "closest_name")):
            if key in columns and value in columns:
                named = zip(columns[key], columns[value], strict=True)
                names |= {wnid: name for wnid, name in named if wnid and name}
    return {**(hierarchy.names if hierarchy else {}), **names}


def confusions_of(
    wrong: Wrong, names: Mapping[str, str], hierarchy: Hierarchy | None
) -> list[Confusion]:
    """The most frequent confusions, in the order of ``audit.mistakes.confusions``."""
    classes = wrong.classes
    if hierarchy is None or not classes - hierarchy.index.keys():
        rows = ranked_confusions(wrong.pairs, wrong.sizes, classes, hierarchy, MOST)
        return [_confusion(row, names, hierarchy) for row in rows]
    # some classes are not nodes: ways are between the others alone
    rows = ranked_confusions(wrong.pairs, wrong.sizes, classes, None, MOST)
    pairs = [(row["true"], row["predicted"]) for row in rows]
    inside = Counter(
        {pair: wrong.pairs[pair] for pair in pairs if hierarchy.index.keys() >= {*pair}}
    )
    known = classes & hierarchy.index.keys()
    placed = {
        (row["true"], row["predicted"]): row
        for row in ranked_confusions(inside, wrong.sizes, known, hierarchy, MOST)
    }
    return [
        _confusion(placed.get(pair, row), names, hierarchy)
        for pair, row in zip(pairs, rows, strict=True)
    ]


def _confusion(
    row: Mapping[str, Any], names: Mapping[str, str], hierarchy: Hierarchy | None
) -> Confusion:
    true, predicted = row["true"], row["predicted"]
    found = Confusion(
        true,
        spoken(names.get(true, true)),
        predicted,
        spoken(names.get(predicted, predicted)),
        row["samples"],
        row["share"],
    )
    common = row.get("common")
    if hierarchy is None or common is None:
        return found
    up, down = (
        [spoken(hierarchy.names.get(wnid, wnid)) for wnid in way_up(hierarchy, end, common)]
        for end in (true, predicted)
    )
    return replace(found, common=up[-1], height=row["height"], up=up[:-1], down=down[-2::-1])


def way_up(hierarchy: Hierarchy, start: str, goal: str) -> list[str]:
    """A shortest way from a class up to an ancestor, both ends included; of equal ways the one
    through the smaller wnids."""
    before: dict[str, str] = {start: start}
    queue = deque([start])
    while queue and goal not in before:
        wnid = queue.popleft()
        for parent in hierarchy.wnids_at(row_of(hierarchy.up, hierarchy.index[wnid])):
            if parent not in before:
                before[parent] = wnid
                queue.append(parent)
    way = [goal]
    while way[-1] != start:
        way.append(before[way[-1]])
    return way[::-1]

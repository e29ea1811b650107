"""Two models of one task beside each other: the interval of their difference, McNemar's test, and
the classes that one wins from the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean

import numpy as np

from graphzsl.metrics.significance import Paired
from graphzsl.reports.differences import Difference, difference, paired_runs
from graphzsl.reports.entry import Entry
from graphzsl.reports.names import spoken
from graphzsl.reports.tasks import Task

#: Models of which every two are compared: 190 pairs.
PAIRED = 20
#: Classes that are named on each side.
MOST = 5


@dataclass(frozen=True)
class ClassChange:
    """hit@1 of a class under both models, in per cent, means over their common seeds."""

    wnid: str
    name: str
    first: float
    second: float


@dataclass(frozen=True, eq=False)
class Comparison:
    """``difference`` of hit@1 per class, first - second. ``paired`` is the 2 × 2 table of the
    samples of one seed, ``seed``: samples of several seeds may be the same ones. ``changes``
    are the classes of the largest gains and losses, in that order, ``equal`` the number of those
    without one."""

    first: Entry
    second: Entry
    difference: Difference
    paired: Paired | None
    seed: str
    changes: list[ClassChange]
    won_count: int
    lost_count: int
    equal: int


def comparisons_of(task: Task, names: Mapping[str, str]) -> list[Comparison]:
    """Every two of the models (of more than ``PAIRED`` the first ones) that were tested on the same
    classes."""
    found = [compare(one, other, names) for one, other in combinations(task.entries[:PAIRED], 2)]
    return [each for each in found if each is not None]


def compare(one: Entry, other: Entry, names: Mapping[str, str]) -> Comparison | None:
    """Two models; None where they have no seed in common, or no tables of the same classes."""
    changes = _changes(one, other, names)
    found = difference(one, other, "hit@1")
    if not changes or found is None:
        return None
    changes.sort(key=lambda each: (-abs(each.first - each.second), each.name, each.wnid))
    won = [each for each in changes if each.first > each.second]
    lost = [each for each in changes if each.first < each.second]
    paired, seed = _paired(one, other)
    return Comparison(
        one,
        other,
        found,
        paired,
        seed,
        won[:MOST] + lost[:MOST][::-1],
        len(won),
        len(lost),
        len(changes) - len(won) - len(lost),
    )


def _changes(one: Entry, other: Entry, names: Mapping[str, str]) -> list[ClassChange]:
    both: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for first, second in paired_runs(one, other):
        values, others = first.by_class("hit@1"), second.by_class("hit@1")
        if values is None or others is None or values.keys() != others.keys():
            return []
        for wnid, value in values.items():
            both[wnid].append((value, others[wnid]))
    return [
        ClassChange(
            wnid,
            spoken(names.get(wnid, wnid)),
            100 * fmean(first for first, _ in pairs),
            100 * fmean(second for _, second in pairs),
        )
        for wnid, pairs in both.items()
    ]


def _paired(one: Entry, other: Entry) -> tuple[Paired | None, str]:
    for first, second in paired_runs(one, other):
        samples, others = first.samples, second.samples
        if samples is None or others is None or samples.labels != others.labels:
            continue
        wnids = first.by_class("hit@1") or {}
        rows = np.array([label in wnids for label in samples.labels], dtype=bool)
        hits = Paired.from_hits(samples.rank[rows] == 1, others.rank[rows] == 1)
        return hits, first.seed_text
    return None, ""

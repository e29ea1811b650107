"""Do two models differ? Paired tests of the same classes, or of the same seeds."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse
from scipy.sparse.csgraph import connected_components
from scipy.special import stdtrit

from graphzsl.audit.run_files import interval_of
from graphzsl.metrics.bootstrap import bootstrap_interval, percentiles
from graphzsl.reports.entry import Entry
from graphzsl.reports.runs import ReportedRun

#: Of the tests on a page.
ROUNDS, LEVEL = 2000, 0.95
#: Seeds that a test of their differences needs.
SEEDS = 3
#: What the tests are called on the page.
BY_CLASSES = f"paired bootstrap over classes, {ROUNDS:,} rounds, {100 * LEVEL:.0f} % interval"
BY_BRANCHES = BY_CLASSES.replace("classes", "the hidden branches and single classes")
BY_SIDES = f"{BY_CLASSES}, unseen and training classes each resampled"
BY_SEEDS = f"paired t-test over seeds, {100 - 100 * LEVEL:.0f} % level"


@dataclass(frozen=True)
class Difference:
    """Mean difference of two entries, first - second, with its interval, and the test it is by."""

    mean: float
    low: float
    high: float
    test: str

    @property
    def is_significant(self) -> bool:
        """True if the interval excludes 0."""
        return self.low > 0 or self.high < 0

    @property
    def is_none(self) -> bool:
        """True if values are equal, so that there is no difference and nothing to resample."""
        return self.mean == self.low == self.high == 0


def paired_runs(one: Entry, other: Entry) -> list[tuple[ReportedRun, ReportedRun]]:
    """Runs of the same seed and validation seed."""
    second = {run.seeds: run for run in other.runs}
    return [(run, second[run.seeds]) for run in one.runs if run.seeds in second]


def difference(one: Entry, other: Entry, metric: str) -> Difference | None:
    """The difference of two entries in a metric: over classes where their tables of classes have
    it, else over seeds where there are enough; None where neither is so. Of H the unseen and the
    training classes are resampled, each for themselves."""
    if metric == "h":
        found = _harmonic_means(paired_runs(one, other))
        return found or _over_seeds(one, other, metric)
    shares = class_shares(one, other, metric)
    if shares is not None:
        return Difference(float(shares.values.sum()), *shares.interval(), shares.test)
    return _over_seeds(one, other, metric)


@dataclass(frozen=True, eq=False)
class ClassShares:
    """[C] shares of the distinct classes of all seeds in a mean over seeds of means over classes,
    and in the weight of 1 that its classes have: a class that several seeds draw has a part in each
    of them.

    Classes, and not classes × seeds, are resampled: what one class does in several seeds is not
    independent. Classes that seeds hide as one branch are one: ``units`` [C] numbers what is drawn.
    """

    values: npt.NDArray[np.float64]
    weights: npt.NDArray[np.float64]
    units: npt.NDArray[np.int64]

    def interval(self) -> tuple[float, float]:
        """Percentile interval of the mean; a round's is the sum of the shares of the classes that
        it draws over the sum of their weights."""
        count = len(self.values)
        if self.units.max() == count - 1 and np.allclose(self.weights, 1 / count):
            return bootstrap_interval(count * self.values, ROUNDS, LEVEL)
        drawn = _drawn_units(int(self.units.max()) + 1)
        values, weights = (
            # not by @, whose threads wait for each other on a busy machine
            np.einsum("ru,u", drawn, np.bincount(self.units, own).astype(np.float32))
            for own in (self.values, self.weights)
        )
        return percentiles(values / weights, LEVEL)

    @property
    def test(self) -> str:
        """Name of a paired test of them on the page."""
        return BY_CLASSES if self.units.max() == len(self.units) - 1 else BY_BRANCHES


@lru_cache(maxsize=2)
def _drawn_units(count: int) -> npt.NDArray[np.float32]:
    """[rounds, U] how often each round draws each class, or branch."""
    return _drawn(np.random.default_rng(0), count, ROUNDS).astype(np.float32)


def _drawn(random: np.random.Generator, count: int, rounds: int) -> npt.NDArray[np.int64]:
    return random.multinomial(count, np.full(count, 1 / count), rounds)


def class_shares(one: Entry, other: Entry, metric: str) -> ClassShares | None:
    """Shares in the difference of two entries; None where a table lacks the metric or the classes
    of a seed are not the same."""
    runs = list(zip(*paired_runs(one, other), strict=True)) or [(), ()]
    values = [[run.by_class(metric) for run in own] for own in runs]
    first, second = map(shares_of, runs, values)
    if first is None or second is None:
        return None
    if any(
        (own or {}).keys() != (others or {}).keys() for own, others in zip(*values, strict=True)
    ):
        return None
    return ClassShares(first.values - second.values, first.weights, first.units)


def interval_over_classes(entry: Entry, metric: str) -> tuple[float, float] | None:
    """Bootstrap interval of an entry's mean over seeds, the distinct classes of all seeds
    resampled, of H those of each side; None where a table of classes lacks the metric."""
    if metric == "h":
        found = _harmonic_means([(run,) for run in entry.runs])
        return (found.low, found.high) if found else None
    shares = shares_of(entry.runs, [run.by_class(metric) for run in entry.runs])
    return None if shares is None else shares.interval()


def shares_of(
    runs: Sequence[ReportedRun], of_runs: Sequence[dict[str, float] | None]
) -> ClassShares | None:
    """Shares in the mean of some runs, each with the values of its classes; None where a run has
    none, or there is one class, of which there is nothing to resample."""
    runs_of = Counter(run.seeds[0] for run in runs)
    values: dict[str, float] = defaultdict(float)
    weights: dict[str, float] = defaultdict(float)
    for run, own in zip(runs, of_runs, strict=True):
        if own is None:
            return None
        weight = 1 / (len(runs_of) * runs_of[run.seeds[0]] * len(own))
        for wnid, value in own.items():
            values[wnid] += weight * value
            weights[wnid] += weight
    names = sorted(values)
    if len(names) < 2:
        return None
    one, other = (np.array([each[name] for name in names]) for each in (values, weights))
    return ClassShares(one, other, units_of(runs, names))


def units_of(runs: Sequence[ReportedRun], names: Sequence[str]) -> npt.NDArray[np.int64]:
    """[C] numbers of what is resampled, from 0 on: a class, or those that a seed hides as one
    branch; branches that overlap are one."""
    if not any(run.document.get("hidden_branches") for run in runs):
        return np.arange(len(names))
    place = {name: number for number, name in enumerate(names)}
    branches = [
        [place[wnid] for wnid in members if wnid in place]
        for run in runs
        for members in run.document.get("hidden_branches", {}).values()
    ]
    pairs = [(branch[0], other) for branch in branches for other in branch[1:]]
    rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    same = sparse.coo_array((np.ones(len(rows)), (rows, columns)), shape=(len(names),) * 2)
    return np.asarray(connected_components(same, directed=False)[1], dtype=np.int64)


#: Rounds of resampling at once, so that 20,000 classes do not fill the memory.
_AT_ONCE = 100


def interval_of_mean(entry: Entry, metric: str) -> tuple[float, float] | None:
    """Interval of an entry's mean, in every table and picture: that in the file of a single run,
    but where it hides branches, which the file takes class by class; else over the classes that the
    seeds draw. None where there is neither."""
    run, *others = entry.documents
    if not others and not entry.hides_branches and metric in run["metrics"]:
        return interval_of(run, metric)
    return interval_over_classes(entry, metric) if entry.draws_classes else None


def _harmonic_means(runs: Sequence[tuple[ReportedRun, ...]]) -> Difference | None:
    """H, the harmonic mean of ts and tr, over seeds; of pairs of runs, the difference of the two.

    A round draws unseen classes and training classes with replacement, the same ones for both
    runs of a pair and for all seeds. None where tables of classes lack a side, or are of other
    classes.
    """
    sides = [[_sides(run) for run in each] for each in runs]
    if not runs or any(own is None for each in sides for own in each):
        return None
    runs_of = Counter(first.seeds[0] for first, *_ in runs)
    weights = [1 / (len(runs_of) * runs_of[first.seeds[0]]) for first, *_ in runs]
    names = []
    for side in (0, 1):
        held = [[own[side].keys() for own in each if own] for each in sides]
        if any(own != first for first, *others in held for own in others):
            return None
        names.append(sorted(set().union(*(first for first, *_ in held))))
        if len(names[-1]) < 2:
            return None
    units = [units_of([run for each in runs for run in each], own) for own in names]
    random = np.random.default_rng(0)
    totals = []
    for start in range(-1, ROUNDS, _AT_ONCE):
        counts = [
            np.ones((1, len(own))) if start < 0 else _drawn(random, own.max() + 1, _AT_ONCE)[:, own]
            for own in units
        ]
        total = np.zeros(len(counts[0]))
        for weight, each in zip(weights, sides, strict=True):
            first, *second = (_harmonic(own, names, counts) for own in each if own)
            total += weight * (first - sum(second))
        totals.append(total)
    low, high = np.nanquantile(
        np.concatenate(totals[1:])[:ROUNDS], [(1 - LEVEL) / 2, (1 + LEVEL) / 2]
    )
    are_classes = all(own.max() == len(own) - 1 for own in units)
    test = BY_SIDES if are_classes else BY_SIDES.replace(BY_CLASSES, BY_BRANCHES)
    return Difference(float(totals[0][0]), float(low), float(high), test)


def _sides(run: ReportedRun) -> tuple[dict[str, float], dict[str, float]] | None:
    """hit@1 of the unseen and of the training classes of a run's table; None where it lacks one."""
    unseen, training = run.by_class("ts"), run.by_class("tr")
    return (unseen, training) if unseen and training else None


def _harmonic(
    sides: tuple[dict[str, float], dict[str, float]],
    names: Sequence[Sequence[str]],
    counts: Sequence[npt.NDArray[Any]],
) -> npt.NDArray[np.float64]:
    """[R] H of a run, its classes counted as often as each round has drawn them; nan for a round
    without one of a side."""
    means = []
    for own, known, drawn in zip(sides, names, counts, strict=True):
        rows = np.array([name in own for name in known])
        values = np.array([own[name] for name in known if name in own])
        number = drawn[:, rows].sum(axis=1)
        with np.errstate(invalid="ignore"):
            means.append(drawn[:, rows] @ values / number)
    ts, tr = means
    total = ts + tr
    return np.asarray(np.where(total > 0, 2 * ts * tr / np.where(total > 0, total, 1), total))


def _over_seeds(one: Entry, other: Entry, metric: str) -> Difference | None:
    """Student's interval of the mean difference over the seeds that both have."""
    if not one.has(metric) or not other.has(metric):
        return None
    value_of = [
        {run.seeds: values[metric] for run, values in zip(each.runs, each.values, strict=True)}
        for each in (one, other)
    ]
    by_seed: dict[Any, list[float]] = defaultdict(list)
    for seeds in value_of[0].keys() & value_of[1].keys():
        by_seed[seeds[0]].append(value_of[0][seeds] - value_of[1][seeds])
    if len(by_seed) < SEEDS:
        return None
    means = np.array([np.mean(by_seed[seed]) for seed in sorted(by_seed, key=str)])
    quantile = float(stdtrit(len(means) - 1, (1 + LEVEL) / 2))
    mean, half = float(means.mean()), quantile * float(means.std(ddof=1) / np.sqrt(len(means)))
    return Difference(mean, mean - half, mean + half, BY_SEEDS)

"""Windows of classes in the order of a property, and a model's accuracy within each: what does accuracy depend on?

Each window is a test set of its own: the samples of its classes, and its classes as the only candidates.

Reference: Hascoet et al. 2019, figure 3 (word frequency, r = 0.89 for a linear model and 0.74 for a GCN), figure 5
(population) and figure 9 (structural ratio), all with windows of 100 classes.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
from scipy import stats

from graphzsl import metrics
from graphzsl.dag import Dag
from graphzsl.errors import DataError, SplitError
from graphzsl.files import read_lines, write_json_lines
from graphzsl.output_format import checked_suffix
from graphzsl.sources.imagenet import read_names
from graphzsl.structure.distances import Path as HopDistance
from graphzsl.structure.ratio import structural_ratios

if TYPE_CHECKING:
    from graphzsl.models.head import Head

Ints = npt.NDArray[np.int64]
#: (rows of samples, candidates) -> [N] rank of each sample's true class among these candidates, from 1.
Ranker = Callable[[Ints, Sequence[str]], Ints]
#: Fewer windows have no correlation.
SMALLEST_SERIES = 5


@dataclass(frozen=True)
class Window:
    """Classes, and the mean of the property ``by`` which they were ordered (None: unknown). Windows of one cut share a ``series``."""

    name: str
    classes: list[str]
    mean: float | None = None
    series: str = "windows"
    by: str = "property"


def cut_windows(values: Mapping[str, float], size: int = 100, step: int | None = None) -> list[tuple[list[str], float]]:
    """(classes, mean value) of windows over the classes in the order of their value, smallest first; ties by wnid.

    ``step`` (default: ``size``, windows side by side) slides them; what is left over at the end makes no window. SplitError when there is
    not one.
    """
    step = step or size
    if size < 1 or step < 1:
        raise SplitError(f"Windows need a size and a step of at least 1, not {size} and {step}.")
    ordered = sorted(values, key=lambda wnid: (values[wnid], wnid))
    found = []
    for start in range(0, len(ordered) - size + 1, step):
        part = ordered[start : start + size]
        found.append((part, float(np.mean([values[wnid] for wnid in part]))))
    if not found:
        raise SplitError(f"{len(ordered)} classes do not fill one window of {size}.")
    return found


def write_windows(windows: Iterable[Window], path: Path) -> None:
    """JSON lines that ``read_windows`` reads: name, classes, mean, series, by."""
    checked_suffix(path, (".jsonl",))
    write_json_lines(path, (asdict(each) for each in windows))


def read_windows(path: Path) -> list[Window]:
    """Windows of a JSON-lines file of ``split windows --out``, or of a folder with one list of classes per .txt file.

    DataError names the file and line of what is no window, of a repeated class or name, and a folder without lists.
    """
    path = Path(path)
    if path.is_dir():
        files = sorted(path.glob("*.txt"))
        if not files:
            raise DataError(f"{path} holds no .txt file. Expected one list of classes per window.")
        return [Window(file.stem, read_names(file), series=path.name) for file in files]
    found: dict[str, Window] = {}
    for line, text in read_lines(path):
        window = _window(text, f"{path}:{line}")
        if window.name in found:
            raise DataError(f"{path}:{line}: the window {window.name} was given before.")
        found[window.name] = window
    if not found:
        raise DataError(f"{path} holds no window. Write some with `graphzsl split windows --out`.")
    return list(found.values())


def _window(text: str, where: str) -> Window:
    expected = "a window: a JSON object with name, mean (a number or null) and classes (a list of names)"
    try:
        row = json.loads(text)
    except json.JSONDecodeError as error:
        raise DataError(f"{where}: not JSON ({error.msg}). Expected {expected}.") from None
    classes = row.get("classes") if isinstance(row, dict) else None
    mean = row.get("mean") if isinstance(row, dict) else None
    named = isinstance(classes, list) and classes and all(isinstance(name, str) for name in classes)
    known = mean is None or (isinstance(mean, int | float) and math.isfinite(mean))
    if not named or not known or not isinstance(row.get("name"), str):
        raise DataError(f"{where}: expected {expected}.")
    assert isinstance(classes, list)
    if len(set(classes)) < len(classes):
        raise DataError(f"{where}: {next(name for name in classes if classes.count(name) > 1)} is in the window twice.")
    return Window(row["name"], classes, mean, str(row.get("series", "windows")), str(row.get("by", "property")))


def with_means(windows: Sequence[Window], values: Mapping[str, float], what: str) -> list[Window]:
    """The windows with the mean of ``values`` over their classes; DataError names a class without one."""
    found = []
    for window in windows:
        missing = [wnid for wnid in window.classes if wnid not in values]
        if missing:
            raise DataError(f"{missing[0]} of window {window.name} has no {what}.")
        found.append(replace(window, mean=float(np.mean([values[wnid] for wnid in window.classes])), by=what))
    return found


def structure_of(windows: Sequence[Window], dag: Dag, train: Sequence[str]) -> dict[str, dict[str, float | None]]:
    """Window -> its structural ratio R as a split of its own, and the mean hops of its classes to the training classes."""
    distance, found = HopDistance(dag), {}
    for window in windows:
        ratios = structural_ratios(dag, distance, train, window.classes)
        hops = ratios.train_distance[np.isfinite(ratios.train_distance)]
        found[window.name] = {
            "structural_ratio": ratios.structural_ratio,
            "train_distance": float(hops.mean()) if len(hops) else None,
        }
    return found


def head_ranker(head: Head, features: npt.NDArray[np.float32], labels: Sequence[str]) -> Ranker:
    """Ranks by a model whose candidates are cut down to those of a window."""

    def ranks(rows: Ints, candidates: Sequence[str]) -> Ints:
        return _ranks(head.select(candidates).scores(features[rows]), rows, candidates, labels)

    return ranks


def score_ranker(scores: npt.NDArray[Any], classes: Sequence[str], labels: Sequence[str]) -> Ranker:
    """Ranks by scores [N, C] of any classifier, of which a window's columns are taken. DataError names an unknown class."""
    index = {name: column for column, name in enumerate(classes)}

    def ranks(rows: Ints, candidates: Sequence[str]) -> Ints:
        missing = [name for name in candidates if name not in index]
        if missing:
            raise DataError(f"There are no scores for {missing[0]} ({len(missing)} such classes of a window).")
        columns = metrics.columns_of(candidates, index)
        return _ranks(scores[np.ix_(rows, columns)], rows, candidates, labels)

    return ranks


def _ranks(scores: npt.NDArray[Any], rows: Ints, candidates: Sequence[str], labels: Sequence[str]) -> Ints:
    index = {name: column for column, name in enumerate(candidates)}
    try:
        return metrics.ranks(scores, metrics.columns_of([labels[row] for row in rows], index))
    except ValueError as error:
        raise DataError(f"The scores cannot be ranked: {error}.") from None


def score_windows(
    ranker: Ranker,
    labels: Sequence[str],
    windows: Sequence[Window],
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """One row per window: hit@1 and hit@5 per class, hit@1 per sample, its interval from resampled classes, chance.

    A class of a window without a sample is a candidate but has no accuracy. A window without any sample is an error.
    """
    rows_of: dict[str, list[int]] = defaultdict(list)
    for row, label in enumerate(labels):
        rows_of[label].append(row)
    interval = partial(metrics.bootstrap_interval, rounds=rounds, level=level, seed=seed)
    found = []
    for window in windows:
        asked = [row for wnid in window.classes for row in rows_of.get(wnid, ())]
        if not asked:
            raise DataError(
                f"No class of window {window.name} has a sample. Leave the window out, or give more samples."
            )
        rank = ranker(np.array(asked), window.classes)
        classes = np.unique([labels[row] for row in asked], return_inverse=True)[1]
        hit = metrics.per_class(metrics.hits(rank, 1), classes)
        low, high = interval(hit)
        found.append(
            {"window": window.name, "series": window.series, "mean": window.mean, "classes": len(window.classes),
             "classes_with_samples": len(hit), "samples": len(asked), "hit@1": float(hit.mean()), "low": low, "high": high,
             "hit@5": float(metrics.per_class(metrics.hits(rank, min(5, len(window.classes))), classes).mean()),
             "per_sample": float((rank <= 1).mean()), "chance": 1 / len(window.classes)}
        )  # fmt: skip
    return found


def correlations(rows: Sequence[Mapping[str, Any]], level: float = 0.95) -> list[dict[str, Any]]:
    """Pearson's and Spearman's coefficient of the windows' means and hit@1, with two-sided p and intervals.

    Where all means are positive, Pearson's coefficient with log10 of the means follows: frequencies and populations
    span orders of magnitude, and the paper does not say which it took. Intervals are Fisher's z (Spearman: with the variance
    1.06 / (n - 3) of Fieller et al. 1957): resampling gives far too narrow ones for a handful of windows. Nothing for fewer than 5
    windows, or where one of the two is the same for all.
    """
    known = [row for row in rows if row["mean"] is not None]
    means = np.array([row["mean"] for row in known], dtype=np.float64)
    accuracy = np.array([row["hit@1"] for row in known], dtype=np.float64)
    if len(known) < SMALLEST_SERIES or not np.ptp(means) or not np.ptp(accuracy):
        return []
    kinds = [("linear", "Pearson", stats.pearsonr(means, accuracy), 1.0)]
    kinds.append(("linear", "Spearman", stats.spearmanr(means, accuracy), 1.06))
    if means.min() > 0 and np.ptp(np.log10(means)):
        kinds.append(("log10", "Pearson", stats.pearsonr(np.log10(means), accuracy), 1.0))
    found = []
    for scale, kind, test, variance in kinds:
        low, high = _fisher_interval(float(test.statistic), len(known), variance, level)
        found.append(
            {"scale": scale, "kind": kind, "coefficient": float(test.statistic), "low": low, "high": high, "level": level,
             "p": float(test.pvalue), "windows": len(known)}
        )  # fmt: skip
    return found


def _fisher_interval(coefficient: float, count: int, variance: float, level: float) -> tuple[float, float]:
    """Interval of a coefficient of ``count`` pairs; a coefficient of -1 or 1 has no width."""
    if abs(coefficient) >= 1:
        return coefficient, coefficient
    half = float(stats.norm.isf((1 - level) / 2)) * math.sqrt(variance / (count - 3))
    return math.tanh(math.atanh(coefficient) - half), math.tanh(math.atanh(coefficient) + half)


def series_means(
    rows: Sequence[Mapping[str, Any]], rounds: int = 2000, level: float = 0.95, seed: int = 0
) -> list[dict[str, Any]]:
    """Mean hit@1 of each series with an interval from resampled windows: primary beside secondary meanings, for example."""
    groups: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        groups[row["series"]].append(row["hit@1"])
    found = []
    for name, values in groups.items():
        low, high = metrics.bootstrap_interval(np.array(values), rounds, level, seed)
        found.append(
            {"series": name, "windows": len(values), "hit@1": float(np.mean(values)), "low": low, "high": high}
        )
    return found

"""Summaries of accuracies by class: easiest and hardest classes, the best of several entries, means
by bins of classes.

Reference: Russakovsky et al. 2015, sections 6.3 (optimistic accuracy, easiest and hardest) and
6.3.4 (bins).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.wording import counted
from graphzsl.metrics import percentiles

Floats = npt.NDArray[np.float64]

#: Bins with fewer classes are left out (section 6.3.4).
SMALLEST_BIN = 5
_TOO_SMALL = (
    f"No bin has {SMALLEST_BIN} classes with an accuracy. Take fewer bins, or more classes."
)
#: Means whose distances differ by less, beside the largest scale, are equally near: sums of a
#: thousand numbers are that exact.
_ROUNDING = 1e-12


def optimistic(entries: Mapping[str, Mapping[str, float]]) -> dict[str, tuple[float, list[str]]]:
    """wnid -> (largest accuracy of any entry, the entries that reach it): an upper bound of
    choosing an entry per class.

    DataError where the entries are not about the same classes.
    """
    (first, known), *others = entries.items()
    for name, values in others:
        different = sorted(known.keys() ^ values.keys())
        if different:
            raise DataError(
                f"{first} and {name} are not about the same classes: {different[0]} is in one of"
                f" them, like {counted(len(different), 'class', 'classes')} in all. Give tables of"
                " runs on the same test classes."
            )
    best = {wnid: max(values[wnid] for values in entries.values()) for wnid in known}
    return {
        wnid: (top, [name for name, v in entries.items() if v[wnid] == top])
        for wnid, top in sorted(best.items())
    }


def distribution(values: Mapping[str, float]) -> dict[str, Any]:
    """Number of classes, mean, median, smallest, largest, their range, and how many classes are
    always right."""
    accuracies = np.array([values[wnid] for wnid in sorted(values)], dtype=np.float64)
    if not len(accuracies):
        raise DataError("There is no class with an accuracy. Give a table with at least one.")
    return {
        "classes": len(accuracies),
        "mean": float(accuracies.mean()),
        "median": float(np.median(accuracies)),
        "min": float(accuracies.min()),
        "max": float(accuracies.max()),
        "range": float(np.ptp(accuracies)),
        "always_right": int((accuracies == 1).sum()),
    }


def extremes(values: Mapping[str, float], count: int) -> tuple[list[str], list[str]]:
    """(the ``count`` easiest classes, the hardest), most extreme first; ties by wnid. A class may
    be in both lists."""
    easiest = sorted(values, key=lambda wnid: (-values[wnid], wnid))[:count]
    return easiest, sorted(values, key=lambda wnid: (values[wnid], wnid))[:count]


def hardest_with_mean(values: Mapping[str, float], mean: float, low_is_hard: bool) -> list[str]:
    """The most classes, hardest first, whose mean is as hard as ``mean``: not above it where
    ``low_is_hard`` (scale, chance performance), else not below it (clutter). Ties by wnid.

    Reference: Russakovsky et al. 2015, section 3.2.2 and appendix B: how many of the 1,000 classes
    have the mean of PASCAL VOC.

    >>> hardest_with_mean({"a": 3.0, "b": 1.0, "c": 8.0, "d": 2.0}, 2.0, True)
    ['b', 'd', 'a']
    """
    sign = 1 if low_is_hard else -1
    ordered = sorted(values, key=lambda wnid: (sign * values[wnid], wnid))
    hardest = np.array([sign * values[wnid] for wnid in ordered])
    means = np.cumsum(hardest) / np.arange(1, len(hardest) + 1)
    return ordered[: int(np.searchsorted(means, sign * mean + _ROUNDING * abs(mean), "right"))]


def numeric_bins(values: Mapping[str, float], count: int) -> dict[str, list[str]]:
    """Name -> classes of ``count`` bins with about equally many classes, smallest values first.

    Equal values share a bin, so that there may be fewer bins. At most ``count`` different values
    give a bin each.
    """
    distinct = sorted(set(values.values()))
    if len(distinct) <= count:
        edges = distinct
    else:
        ordered = np.sort(np.array(list(values.values())))
        edges = sorted(
            {float(ordered[-(-len(ordered) * part // count) - 1]) for part in range(1, count + 1)}
        )
    members_of: dict[float, list[str]] = {edge: [] for edge in edges}
    for wnid in sorted(values):
        members_of[edges[int(np.searchsorted(edges, values[wnid]))]].append(wnid)
    named = {}
    for members in members_of.values():
        low, high = (extreme(values[wnid] for wnid in members) for extreme in (min, max))
        named[f"{low:.10g}" if low == high else f"{low:.10g} to {high:.10g}"] = members
    return named


def kept_by_scale(scales: Sequence[Floats]) -> list[npt.NDArray[np.int64]]:
    """Positions that each bin keeps when its largest scales are discarded until the bins' means are
    as equal as possible.

    Discarding the largest lowers a mean, so the smallest mean of all bins is the goal and its bin
    keeps every class; each other bin keeps the number of classes whose mean is nearest to the goal
    (of two equally near, the larger number). The positions of a bin come in the order of their
    scales.

    Reference: Russakovsky et al. 2015, section 6.3.4, "Experimental setup".
    """
    orders = [np.argsort(scale, kind="stable") for scale in scales]
    # one way of adding for the goal and what is compared with it: means of equal values are equal
    means = [
        np.cumsum(scale[order]) / np.arange(1, len(scale) + 1)
        for scale, order in zip(scales, orders, strict=True)
    ]
    goal = min(float(of_bin[-1]) for of_bin in means)
    rounding = _ROUNDING * max(float(np.abs(scale).max()) for scale in scales)
    kept = []
    for order, of_bin in zip(orders, means, strict=True):
        distance = np.abs(of_bin - goal)
        nearest = np.flatnonzero(distance <= distance.min() + rounding)
        kept.append(order[: int(nearest[-1]) + 1])
    return kept


def by_bin(
    accuracy: Mapping[str, float],
    bins: Mapping[str, Sequence[str]],
    scale: Mapping[str, float] | None = None,
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[list[dict[str, Any]], list[str]]:
    """(rows, names of bins left out): mean accuracy of each bin's classes with a percentile
    interval from resampled classes.

    ``scale`` makes its mean equal across bins first (``kept_by_scale``), anew in every round of the
    bootstrap. Classes without an accuracy or scale are left out. Bins of fewer than 5 classes are
    left out, before and after that.
    """
    # equal scales discard nothing
    scale_of = dict.fromkeys(accuracy, 0.0) if scale is None else scale
    known = {
        name: [wnid for wnid in members if wnid in accuracy and wnid in scale_of]
        for name, members in bins.items()
    }
    names = [name for name, members in known.items() if len(members) >= SMALLEST_BIN]
    if not names:
        raise DataError(_TOO_SMALL)
    values, scales = (
        [np.array([of[wnid] for wnid in known[name]], dtype=np.float64) for name in names]
        for of in (accuracy, scale_of)
    )
    rng = np.random.default_rng(seed)
    drawn = np.array([_resampled_means(values, scales, rng) for _ in range(rounds)])
    rows, small = [], [name for name in bins if name not in names]
    for place, (name, kept) in enumerate(zip(names, kept_by_scale(scales), strict=True)):
        if len(kept) < SMALLEST_BIN:
            small.append(name)
            continue
        mean, ends = float(values[place][kept].mean()), percentiles(drawn[:, place], level)
        row: dict[str, Any] = {"bin": name, "classes": len(kept), "accuracy": mean}
        row |= dict(zip(("low", "high"), ends, strict=True))
        if scale is not None:
            row["discarded"] = len(values[place]) - len(kept)
            row["scale_mean"] = float(scales[place][kept].mean())
        rows.append(row)
    return rows, small


def _resampled_means(
    values: Sequence[Floats], scales: Sequence[Floats], rng: np.random.Generator
) -> list[float]:
    """Mean of each bin of classes drawn with replacement, of those that their scales keep."""
    picks = [rng.integers(len(value), size=len(value)) for value in values]
    drawn = [scale[pick] for scale, pick in zip(scales, picks, strict=True)]
    return [
        float(value[pick][kept].mean())
        for value, pick, kept in zip(values, picks, kept_by_scale(drawn), strict=True)
    ]


def by_bin_within(
    accuracy: Mapping[str, float],
    bins: Mapping[str, Sequence[str]],
    outer: Mapping[str, Sequence[str]] | None = None,
    scale: Mapping[str, float] | None = None,
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[list[dict[str, Any]], list[str]]:
    """``by_bin`` apart in every bin of another property, ``within``: each is normalised by itself.

    Bins of ``outer`` without a bin of 5 classes are left out; DataError where all are. Without
    ``outer`` this is ``by_bin``.

    Reference: Russakovsky et al. 2015, section 6.3.4: deformable and rigid, natural and man-made.
    """
    if outer is None:
        return by_bin(accuracy, bins, scale, rounds, level, seed)
    found, left_out = [], []
    for name, inside in outer.items():
        own = {wnid for wnid in inside if wnid in accuracy and (scale is None or wnid in scale)}
        parts = {each: [w for w in members if w in own] for each, members in bins.items()}
        if max(map(len, parts.values()), default=0) < SMALLEST_BIN:
            left_out.append(name)
            continue
        rows, small = by_bin(accuracy, parts, scale, rounds, level, seed)
        found += [{"within_bin": name, **row} for row in rows]
        left_out += [f"{name} / {each}" for each in small]
    if not found:
        raise DataError(_TOO_SMALL)
    return found, left_out

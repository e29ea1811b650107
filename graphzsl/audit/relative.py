"""Runs against each other, by their files: tests of every two, whether metrics agree, and a
zero-shot model's accuracy relative to a supervised model's on the same samples.

Reference: Hascoet et al. 2019, section 4.3.2, of the last.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.audit.agreement import (
    check_same_task,
    common_values,
    effect_sizes,
    orders,
    rank_correlations,
)
from graphzsl.audit.class_table import read_class_table
from graphzsl.audit.run_files import read_run
from graphzsl.audit.runs import read_run_samples
from graphzsl.common.errors import DataError
from graphzsl.metrics.significance import compare_paired, compare_unpaired

Bools = npt.NDArray[np.bool_]


def compare_runs(
    runs: Sequence[Path],
    k: int = 1,
    *,
    unpaired: bool = False,
    rounds: int = 20_000,
    level: float = 0.95,
    seed: int = 0,
) -> tuple[list[dict[str, Any]], bool]:
    """Compare every two runs by the samples whose true class is among the first k.

    Args:
        runs: the JSON or the .samples.parquet of each, of the same samples.
        unpaired: the samples differ: ``compare_unpaired`` in place of ``compare_paired``.
        rounds, level, seed: of the bootstrap.

    Returns:
        One row per pair, and True if a run has samples of seen and of unseen classes.

    Raises:
        DataError: a file is no run, or the samples of two paired runs differ.
    """
    results = {str(path): read_run(path) for path in runs if path.suffix == ".json"}
    if len(results) > 1 and not unpaired:
        check_same_task(results)
    samples = {path: read_run_samples(path) for path in runs}
    right = {path: each.rank <= k for path, each in samples.items()}
    rows = []
    for one, other in combinations(runs, 2):
        if not unpaired and samples[one].labels != samples[other].labels:
            raise DataError(
                f"{one} and {other} are of different samples: they cannot be paired. Compare them"
                " unpaired.",
                argument="unpaired",
            )
        test = compare_unpaired if unpaired else compare_paired
        found = test(right[one], right[other], rounds, level, seed)
        rows.append({"first": one.name, "second": other.name, **found})
    return rows, any(result.get("generalized") for result in results.values())


def metric_agreement(
    runs: Sequence[Path], kind: str = "per_class", *, effects: bool = False
) -> list[dict[str, Any]]:
    """Rank correlations of the metrics of runs, or with ``effects`` the effect sizes of every two.

    ``runs`` are JSON files of one task, whose means are of this ``kind``, per_class or per_sample;
    or one RUN.classes.parquet, over whose rows metrics are compared. DataError where they are not.
    """
    if len(runs) == 1 and runs[0].suffix == ".parquet":
        table = read_class_table(runs[0])
        return rank_correlations({name: table[name] for name in table if orders(name)})
    results = {path.name: read_run(path, deviations=effects) for path in runs}
    check_same_task(results)
    if not effects:
        return rank_correlations(common_values(list(results.values()), kind))
    return [
        {"better": first, "than": second, **row}
        for (first, one), (second, other) in combinations(results.items(), 2)
        for row in effect_sizes(one, other)
    ]


def relative_rows(
    labels: Sequence[str],
    zero_shot: Bools,
    supervised: Bools,
    rounds: int = 2000,
    level: float = 0.95,
    seed: int = 0,
) -> list[dict[str, Any]]:
    """One row per class, by name: both accuracies and their ratio, with a percentile interval from
    resampled pairs.

    ``zero_shot`` and ``supervised`` [N] say whether each was right on the same sample. The ratio is
    None where the supervised model is never right; its interval is of the rounds in which it is
    right at least once.
    """
    names, number, counts = np.unique(labels, return_inverse=True, return_counts=True)
    rng, tail = np.random.default_rng(seed), (1 - level) / 2
    rows = []
    for place, name in enumerate(names):
        own = number == place
        z, s = zero_shot[own], supervised[own]
        # a resample of pairs is how often each of the four pairs of outcomes is drawn
        table = np.array([(z & s).sum(), (z & ~s).sum(), (~z & s).sum(), (~z & ~s).sum()])
        drawn = rng.multinomial(len(z), table / len(z), size=rounds).astype(np.float64)
        right = drawn[:, 0] + drawn[:, 2]
        usable = right > 0
        ratios = (drawn[usable, 0] + drawn[usable, 1]) / right[usable]
        low, high = np.quantile(ratios, [tail, 1 - tail]) if s.any() else (None, None)
        rows.append(
            {
                "wnid": str(name),
                "samples": int(counts[place]),
                "zero_shot": float(z.mean()),
                "supervised": float(s.mean()),
                "relative": float(z.mean() / s.mean()) if s.any() else None,
                "low": None if low is None else float(low),
                "high": None if high is None else float(high),
            }
        )
    return rows


def relative_means(
    rows: Sequence[dict[str, Any]], rounds: int = 2000, level: float = 0.95, seed: int = 0
) -> list[dict[str, Any]]:
    """Two means over classes with percentile intervals from resampled classes.

    ``ratio of means`` divides the mean per-class accuracies: every class counts, and it is the
    headline. ``mean of ratios`` is the mean of the classes' own ratios, over the classes where it
    is defined. DataError where it is for none.
    """
    z = np.array([row["zero_shot"] for row in rows], dtype=np.float64)
    s = np.array([row["supervised"] for row in rows], dtype=np.float64)
    if not s.any():
        raise DataError("The supervised model is never right: there is nothing to be relative to.")
    defined = s > 0
    ratios = np.divide(z, s, out=np.zeros_like(z), where=defined)
    draws = np.random.default_rng(seed).integers(len(rows), size=(rounds, len(rows)))
    tail, means = (1 - level) / 2, []
    for name, value, drawn, classes in (
        (
            "ratio of means",
            z.mean() / s.mean(),
            _ratios(z[draws].sum(axis=1), s[draws].sum(axis=1)),
            len(rows),
        ),
        (
            "mean of ratios",
            ratios[defined].mean(),
            _ratios(
                (ratios * defined)[draws].sum(axis=1), defined[draws].sum(axis=1).astype(np.float64)
            ),
            int(defined.sum()),
        ),
    ):
        low, high = np.quantile(drawn, [tail, 1 - tail])
        means.append(
            {
                "measure": name,
                "relative": float(value),
                "low": float(low),
                "high": float(high),
                "classes": classes,
            }
        )
    return means


def _ratios(
    above: npt.NDArray[np.float64], below: npt.NDArray[np.float64]
) -> npt.NDArray[np.float64]:
    usable = below > 0
    return np.asarray(above[usable] / below[usable])

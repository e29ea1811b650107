"""Means and spreads of the runs of one entry: what every table and picture of runs shows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

import numpy as np

from graphzsl.audit.run_identity import seed_of
from graphzsl.metrics import EXPECTED
from graphzsl.metrics.names import display_order, is_certain


@dataclass(frozen=True)
class Average:
    """A mean over seeds; spreads are standard deviations, and None where there is but one value."""

    mean: float
    seed_spread: float | None
    validation_spread: float | None


def average(runs: Sequence[dict[str, Any]], values: Sequence[float]) -> Average:
    """The average of the ``values`` of the runs of one entry (see ``run_identity.groups``).

    A seed's value is the mean over its validation seeds, so ``seed_spread`` is of the seeds alone;
    ``validation_spread`` is the standard deviation over the validation seeds of a seed, averaged
    over the seeds that have several.
    """
    by_seed: dict[Any, list[float]] = defaultdict(list)
    for run, value in zip(runs, values, strict=True):
        by_seed[seed_of(run)].append(value)
    means = [fmean(own) for own in by_seed.values()]
    within = [float(np.std(own, ddof=1)) for own in by_seed.values() if len(own) > 1]
    return Average(
        mean=fmean(means),
        seed_spread=float(np.std(means, ddof=1)) if len(means) > 1 else None,
        validation_spread=float(np.mean(within)) if within else None,
    )


def expected_value(run: dict[str, Any], metric: str) -> float:
    """A metric per class under random order of tied candidates, its value where no tie decides
    it."""
    value = run["metrics"][metric]
    return float(value.get(EXPECTED, value)["per_class"])


def values_of(run: dict[str, Any]) -> dict[str, float]:
    """metric -> per-class value of a run, of metrics that say something (``is_certain``); ts, tr, H
    and AUSUC where it has them."""
    values = {
        name: run["metrics"][name]["per_class"]
        for name in sorted(run["metrics"], key=display_order)
        if not is_certain(name, run["candidates"])
    }
    generalized = run.get("generalized") or {}
    for name in ("ts", "tr", "h"):
        if "hit@1" in generalized:
            values[name] = generalized["hit@1"]["per_class"][name]
    if "ausuc" in generalized:
        values["ausuc"] = generalized["ausuc"]
    return values

"""Costs of the flaws of a benchmark: factors switched on and off in every combination (Hascoet et
al. 2019, section 4.4).

``configurations`` produces the eight accuracies from the first predictions of one run. The
candidates are the same in all eight, so that no gain is one of having fewer classes to choose from.
What a factor restricts (appendix D, and the code released with it):

* ``sample`` = 1: only good samples count, those that a supervised model gets right (``samples
  select``). 0: all samples.
* ``semantic`` = 1: only samples of classes with good semantics count, such as classes that are
  the primary meaning of a frequent word (``study words meaning``). 0: samples of all classes.
* ``structural`` = 1: a prediction that is an ancestor or descendant of the true class counts as
  right, as it is not an error of the model. 0: only the true class does.
"""

from __future__ import annotations

import csv
from collections.abc import Collection, Mapping, Sequence
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import DataError
from graphzsl.common.reading.number_texts import decimal, whole
from graphzsl.common.text_files import read_text
from graphzsl.metrics.means import per_class

#: The paper's factors: good samples, good semantics, no structural flaws.
FACTORS = ("sample", "semantic", "structural")


def attribute(
    accuracies: Mapping[tuple[int, ...], float], factors: Sequence[str] = FACTORS
) -> list[dict[str, Any]]:
    """Rows ``part``, ``accuracy``: what is right with every flaw, what each factor adds, what is
    left as the model's error.

    ``accuracies``: (0 or 1 for each factor) -> accuracy in [0, 1], for all 2^n configurations.
    ``impact`` is the mean gain from switching a factor on over the configurations of the others
    (the paper's); impacts need not add up. ``share`` rescales them to the gain of all factors
    together, as the paper's figure shows them; None where that gain is 0 or the impacts sum to 0.
    """
    for setting in product((0, 1), repeat=len(factors)):
        if setting not in accuracies:
            named = ", ".join(
                f"{factor}={value}" for factor, value in zip(factors, setting, strict=True)
            )
            raise DataError(
                f"The configuration {named} is missing: attribution needs all {2 ** len(factors)}."
            )
    wrong = next((value for value in accuracies.values() if not 0 <= value <= 1), None)
    if wrong is not None:
        raise DataError(f"An accuracy is between 0 and 1, not {wrong:g}.")
    none, every = accuracies[(0,) * len(factors)], accuracies[(1,) * len(factors)]
    impacts = {}
    for place, factor in enumerate(factors):
        others = [setting for setting in product((0, 1), repeat=len(factors)) if not setting[place]]
        gains = [
            accuracies[(*setting[:place], 1, *setting[place + 1 :])] - accuracies[setting]
            for setting in others
        ]
        impacts[factor] = sum(gains) / len(gains)
    total = sum(impacts.values())
    rows = [{"part": "correct with every flaw", "impact": none, "share": none}]
    for factor, impact in impacts.items():
        rows.append(
            {
                "part": factor,
                "impact": impact,
                "share": impact / total * (every - none) if total else None,
            }
        )
    rows.append({"part": "model error", "impact": 1 - every, "share": 1 - every})
    return rows


def read_configurations(path: Path) -> tuple[dict[tuple[int, ...], float], list[str]]:
    """(configuration -> accuracy, names of the factors) of a CSV: one column per factor with 0 or
    1, last the accuracy.

    DataError names the line of a wrong value, an unfit row or a repeated configuration.
    """
    try:
        lines = list(csv.reader(read_text(path).splitlines()))
    except csv.Error as error:
        raise DataError(f"{path}: the table cannot be read ({error}).") from None
    if not lines or len(lines[0]) < 2:
        raise DataError(
            f"{path}:1: expected a header with one column per factor and last the accuracy, such as"
            f" {','.join(FACTORS)},accuracy."
        )
    factors = [name.strip() for name in lines[0][:-1]]
    accuracies: dict[tuple[int, ...], float] = {}
    for number, line in enumerate(lines[1:], 2):
        if not line:
            continue
        setting = tuple(-1 if (n := whole(cell.strip())) is None else n for cell in line[:-1])
        accuracy = decimal(line[-1])
        if (
            len(line) != len(lines[0])
            or not set(setting) <= {0, 1}
            or accuracy is None
            or not 0 <= accuracy <= 1
        ):
            raise DataError(
                f"{path}:{number}: expected {len(factors)} times 0 or 1 and an accuracy between 0"
                f" and 1, got {','.join(line)!r}."
            )
        if setting in accuracies:
            raise DataError(f"{path}:{number}: the configuration {setting} was given before.")
        accuracies[setting] = accuracy
    return accuracies, factors


def configurations(
    labels: Sequence[str],
    kinds: Sequence[str],
    good_samples: npt.NDArray[np.bool_],
    good_classes: Collection[str],
    per: str = "class",
) -> list[dict[str, Any]]:
    """One row per configuration: ``sample``, ``semantic``, ``structural`` (0 or 1), samples,
    classes, ``accuracy``.

    ``kinds`` [N] are outcomes of the first predictions (correct, parent, child, unrelated),
    ``good_samples`` [N] flags, ``good_classes`` the classes with good semantics. ``per`` = class is
    the mean of the classes' accuracies, sample that of the samples (the paper's). DataError where a
    configuration leaves no sample.
    """
    if not len(labels) == len(kinds) == len(good_samples):
        raise DataError(
            f"{len(labels)} labels, {len(kinds)} outcomes and {len(good_samples)} flags do not fit"
            " together."
        )
    names = np.array(labels)
    semantic_of = np.isin(names, sorted(good_classes))
    right_of = {0: np.isin(kinds, ["correct"]), 1: np.isin(kinds, ["correct", "parent", "child"])}
    rows = []
    for sample, semantic, structural in product((0, 1), repeat=3):
        is_evaluated = np.ones(len(names), dtype=bool)
        is_evaluated &= good_samples if sample else True
        is_evaluated &= semantic_of if semantic else True
        if not is_evaluated.any():
            raise DataError(
                f"No sample is left with sample={sample}, semantic={semantic}. Give more good"
                " samples or classes."
            )
        right = right_of[structural][is_evaluated].astype(np.float64)
        classes = np.unique(names[is_evaluated], return_inverse=True)[1]
        accuracy = float(per_class(right, classes).mean() if per == "class" else right.mean())
        rows.append(
            {
                "sample": sample,
                "semantic": semantic,
                "structural": structural,
                "samples": int(is_evaluated.sum()),
                "classes": int(classes.max()) + 1,
                "accuracy": accuracy,
            }
        )
    return rows


def accuracies_of(rows: Sequence[Mapping[str, Any]]) -> dict[tuple[int, ...], float]:
    """Configuration -> accuracy of the rows of ``configurations``: what ``attribute`` takes."""
    return {tuple(row[factor] for factor in FACTORS): row["accuracy"] for row in rows}

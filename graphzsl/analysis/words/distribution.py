"""Distribution of word frequencies over labels and classes (Hascoet et al. 2019, section 4.2.1 and
figure 13)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphzsl.analysis.words.labels import Words

#: Thresholds of the paper's text (10, 50, 100, 500) and the decades around them.
THRESHOLDS = (1, 10, 50, 100, 500, 1_000, 10_000, 100_000, 1_000_000)


def frequency_distribution(
    words: Words, reducer: str = "max", below: Sequence[int] = THRESHOLDS
) -> list[dict[str, Any]]:
    """Rows ``below``, ``labels``, ``labels_share``, ``classes``, ``classes_share``: how many occur
    fewer times than that.

    ``labels_in_bin`` and ``classes_in_bin`` count those from the threshold before up to this one;
    the last row, below None, is all.

    Labels are distinct words, case ignored; a class has the reduced frequency of its labels. Labels
    and classes whose frequency is unknown are in no row, and in no share; ``without_frequency``
    counts them.
    """
    own = {label.key: label.frequency for label in words.labels if label.frequency is not None}
    per_label = np.sort(list(own.values()))
    per_class = np.sort(list(words.frequencies(reducer).values()))
    rows: list[dict[str, Any]] = []
    for threshold in (*below, None):
        labels, classes = (
            len(values) if threshold is None else int(np.searchsorted(values, threshold))
            for values in (per_label, per_class)
        )
        before = rows[-1] if rows else {"labels": 0, "classes": 0}
        rows.append(
            {
                "below": threshold,
                "labels": labels,
                "labels_share": labels / len(per_label),
                "classes": classes,
                "classes_share": classes / len(per_class),
                "labels_in_bin": labels - before["labels"],
                "classes_in_bin": classes - before["classes"],
            }
        )
    return rows


def without_frequency(words: Words, reducer: str = "max") -> tuple[int, int]:
    """Numbers of labels (distinct words, case ignored) and of classes that have no frequency."""
    labels = {label.key for label in words.labels}
    known = {label.key for label in words.labels if label.frequency is not None}
    return len(labels - known), len(words.of_class) - len(words.frequencies(reducer))

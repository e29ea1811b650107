"""What the first prediction of each sample is to its true class, and where false negatives fall."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

import numpy as np

from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.metrics.means import per_class


def outcomes(
    labels: Sequence[str], predicted: Sequence[str | None], hierarchy: Hierarchy
) -> list[str]:
    """correct, parent, child or unrelated for each sample (Hascoet et al. 2019, section 4.1).

    No prediction is unrelated. DataError names a class that is not a node of the hierarchy.
    """
    hierarchy.check_classes({*labels, *(name for name in predicted if name is not None)})
    return [
        "unrelated" if candidate is None else hierarchy.outcome(true, candidate)
        for true, candidate in zip(labels, predicted, strict=True)
    ]


def false_negatives_on_training(
    labels: Sequence[str],
    predicted: Sequence[str | None],
    training: Collection[str],
    hierarchy: Hierarchy,
) -> dict[str, Any]:
    """Of the predictions that are an ancestor or descendant of the true class, the share that are
    training classes.

    ``labels`` are samples of unseen classes, with training classes among the candidates.
    ``per_sample`` divides counts; ``per_class`` divides the mean over classes of each class's
    rates, so that every class weighs the same. Both are None where there is no false negative.

    Reference: Hascoet et al. 2019, section 4.1 and appendix A (FN = parent + child; "models tend to
    classify test images into their parent or children training class").
    """
    among = set(training)
    kinds = outcomes(labels, predicted, hierarchy)
    missed = np.array([kind in ("parent", "child") for kind in kinds], dtype=np.float64)
    caught = missed * np.array([name in among for name in predicted], dtype=np.float64)
    classes = np.unique(labels, return_inverse=True)[1]
    total = int(missed.sum())
    if not total:
        return {
            "false_negatives": 0,
            "on_training_classes": 0,
            "per_class": None,
            "per_sample": None,
        }
    by_class = float(per_class(caught, classes).mean() / per_class(missed, classes).mean())
    on_training = int(caught.sum())
    return {
        "false_negatives": total,
        "on_training_classes": on_training,
        "per_class": by_class,
        "per_sample": on_training / total,
    }

"""Outcomes of first predictions relative to the true class, and where false negatives fall."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.metrics.means import per_class
from graphzsl.metrics.ranking import EXPECTED

#: Predictions that are right at another level: ancestors and descendants of the true class.
FALSE_NEGATIVES = ("parent", "child")


def outcomes(
    labels: Sequence[str], predicted: Sequence[str | None], hierarchy: Hierarchy
) -> list[str]:
    """correct, parent, child or unrelated for each sample (Hascoet et al. 2019, section 4.1).

    No prediction is unrelated. DataError names a class that is not a node of the hierarchy.
    """
    hierarchy.check_classes({*labels, *(name for name in predicted if name is not None)})
    pairs = list(zip(labels, predicted, strict=True))
    of = {
        (true, name): "unrelated" if name is None else hierarchy.outcome(true, name)
        for true, name in set(pairs)
    }
    return [of[pair] for pair in pairs]


def false_negatives_on_training(
    labels: Sequence[str],
    predicted: Sequence[str | None],
    training: Collection[str],
    hierarchy: Hierarchy,
    tied: Mapping[int, Sequence[str]] | None = None,
) -> dict[str, Any]:
    """Share of training classes among the predictions that are an ancestor or descendant of the
    true class.

    ``labels`` are samples of unseen classes, with training classes among the candidates.
    ``per_sample`` divides counts; ``per_class`` divides the mean over classes of each class's
    rates, so that every class weighs the same. Both are None where there is no false negative.

    ``predicted`` has the worst outcome of a tie, and of tied candidates with that outcome a
    training class. ``tied`` has the candidates of each row whose first place is tied: where it is
    given and not empty the result also has the shares when one of them is drawn at random, as the
    ratio of the two expected counts or rates.

    Reference: Hascoet et al. 2019, section 4.1 and appendix A (FN = parent + child; "models tend to
    classify test images into their parent or children training class").
    """
    among = set(training)
    kinds = outcomes(labels, predicted, hierarchy)
    missed = np.array([kind in FALSE_NEGATIVES for kind in kinds], dtype=np.float64)
    caught = missed * np.array([name in among for name in predicted], dtype=np.float64)
    shares = {
        "false_negatives": int(missed.sum()),
        "on_training_classes": int(caught.sum()),
        **_shares(labels, missed, caught),
    }
    if not tied:
        return shares
    for row, names in tied.items():
        wrong = [name for name in names if hierarchy.outcome(labels[row], name) in FALSE_NEGATIVES]
        missed[row] = len(wrong) / len(names)
        caught[row] = sum(name in among for name in wrong) / len(names)
    return {**shares, EXPECTED: _shares(labels, missed, caught)}


def _shares(
    labels: Sequence[str], missed: npt.NDArray[np.float64], caught: npt.NDArray[np.float64]
) -> dict[str, float | None]:
    """Share of ``missed`` [N] that is ``caught`` [N], per class and per sample."""
    if not missed.any():
        return {"per_class": None, "per_sample": None}
    classes = np.unique(labels, return_inverse=True)[1]
    return {
        "per_class": float(per_class(caught, classes).mean() / per_class(missed, classes).mean()),
        "per_sample": float(caught.sum() / missed.sum()),
    }

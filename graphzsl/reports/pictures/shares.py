"""Accuracies to colour by: one scale for all of a picture, chosen by how large they are."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from graphzsl.reports.pictures.tree import Values

#: Where no mean over classes is as large, colours go by the square root: of 20,000 candidates a few
#: per cent are found, which from 0 to 100 % all have the first colour.
LOW = 0.2


def shares(given: Mapping[str, tuple[str, Mapping[str, float]]]) -> dict[str, Values]:
    """Key -> shares of classes to colour by, all of them on one scale, so that models can be
    compared: of key -> (label, class -> share).

    >>> from graphzsl.reports.pictures.shares import shares
    >>> shares({"accuracy": ("hit@1", {"cat": 0.5, "dog": 0.0})})["accuracy"].root
    False
    >>> shares({"accuracy": ("hit@1", {"cat": 0.05, "dog": 0.0})})["accuracy"].root
    True
    """
    means = [float(np.mean(list(known.values()))) for _, known in given.values() if known]
    root = bool(means) and max(means) < LOW
    return {key: Values(label, known, "share", root=root) for key, (label, known) in given.items()}

"""Sizes of hCorrectSets: DeViSE's Table 1, for any classes, valid labels and hierarchy."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphzsl.common.errors import SplitError
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.hierarchy.hcorrect import last_shells, shells_of


def hcorrect_sizes(
    database: Database,
    name: str,
    others: Sequence[str],
    ks: Sequence[int],
    hierarchy: str = "wordnet",
) -> list[dict[str, Any]]:
    """Sizes of hCorrectSet(c, k) over the classes c of one class set, one row per k.

    Valid labels are the classes of ``name`` and of all ``others``: the paper's label sets are its
    unseen classes with the 1,000 training classes. Every class counts once in ``mean``;
    ``exhausted`` counts those whose shells ran out. SplitError for a k below 1 or above the number
    of valid labels.

    Reference: Frome et al. 2013 (DeViSE), appendix A.3 and Table 1.
    """
    labels = members(database, name)
    valid = sorted({*labels, *(wnid for other in others for wnid in members(database, other))})
    if not ks or min(ks) < 1 or max(ks) > len(valid):
        raise SplitError(f"k must lie between 1 and the number of valid labels, {len(valid):,}.")
    wanted = sorted(set(ks))
    shells = shells_of(read_hierarchy(database, hierarchy, valid), labels, valid, wanted)
    sizes = np.array([_sizes([len(shell) for shell in around], wanted) for around in shells])
    return [
        {
            "k": k,
            "classes": len(labels),
            "valid": len(valid),
            "mean": round(float(column.mean()), 1),
            "smallest": int(column.min()),
            "largest": int(column.max()),
            "exhausted": int((column < k).sum()),
        }
        for k, column in zip(wanted, sizes.T, strict=True)
    ]


def _sizes(shells: Sequence[int], ks: Sequence[int]) -> list[int]:
    """For every k the members up to the shell that completes it, from the sizes of the shells."""
    return [sum(shells[: last + 1]) for last in last_shells(shells, ks)]

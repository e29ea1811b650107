"""Changes of a list of classes from year to year, and scenes to search for two of its classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError


def list_changes(lists: Mapping[str, Sequence[str]]) -> list[dict[str, Any]]:
    """One row per list and the next: classes that stay, go and come; and a last row of those in
    all lists.

    Columns are ``from``, ``to``, ``kept``, ``gone`` and ``new``, which are lists of wnids, sorted.
    The last row has ``kept`` alone. DataError for fewer than two lists.

    Reference:
        Russakovsky et al. 2015, section 3.1.1: 639 classes are in all five years.
    """
    if len(lists) < 2:
        raise DataError("Changes need two lists or more.")
    sets = {name: set(classes) for name, classes in lists.items()}
    rows: list[dict[str, Any]] = [
        {
            "from": one,
            "to": other,
            "kept": sorted(sets[one] & sets[other]),
            "gone": sorted(sets[one] - sets[other]),
            "new": sorted(sets[other] - sets[one]),
        }
        for one, other in pairwise(sets)
    ]
    first, last = next(iter(sets)), next(reversed(sets))
    everywhere = set.intersection(*sets.values())
    if len(sets) > 2:
        rows.append(
            {"from": first, "to": last, "kept": sorted(everywhere), "gone": None, "new": None}
        )
    return rows


def scene_queries(
    words: Mapping[str, str], number: int | None = None, seed: int = 0
) -> list[dict[str, Any]]:
    """Queries of two class names, such as "tiger lion", for images of several objects: one per
    pair, in the order of the classes.

    Args:
        words: wnid -> its word.
        number: draw so many pairs at random (default: all of them).
        seed: of the draw.

    Returns:
        Rows of ``query`` and ``wnids``.

    Raises:
        DataError: fewer than two classes, or fewer pairs than are to be drawn.

    Reference:
        Russakovsky et al. 2015, section 3.3.2 and appendix C, whose 129 further queries are written
        by hand.
    """
    wnids = list(words)
    pairs = len(wnids) * (len(wnids) - 1) // 2
    if not pairs:
        raise DataError("Queries of pairs need two classes or more.")
    if number is not None and number > pairs:
        raise DataError(f"{len(wnids):,} classes have {pairs:,} pairs, fewer than {number:,}.")
    every = combinations(wnids, 2)
    if number is not None:
        drawn = set(np.random.default_rng(seed).choice(pairs, size=number, replace=False).tolist())
        every = (pair for place, pair in enumerate(every) if place in drawn)  # type: ignore[assignment]
    return [{"query": f"{words[a]} {words[b]}", "wnids": [a, b]} for a, b in every]

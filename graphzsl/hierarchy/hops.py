"""Unseen classes by their distance from the training classes, in a hierarchy in memory."""

from __future__ import annotations

from collections.abc import Sequence

from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import hop_distances


def classes_within(
    hierarchy: Hierarchy,
    max_hops: int | None,
    train: Sequence[str],
    universe: Sequence[str],
    exact: bool = False,
) -> list[str]:
    """Classes of a universe that are no training classes, at most ``max_hops`` edges from one, or
    exactly so many, sorted by distance, then wnid; None takes all, sorted by wnid."""
    training = set(train)
    unseen = sorted(set(universe) - training)
    if max_hops is None:
        return unseen
    hops = hop_distances(hierarchy.adjacency, hierarchy.positions(train))
    away = dict(zip(unseen, hops[hierarchy.positions(unseen)].tolist(), strict=True))
    least = max_hops if exact else 1
    kept = [wnid for wnid in unseen if least <= away[wnid] <= max_hops]
    return sorted(kept, key=lambda wnid: (away[wnid], wnid))

"""Leakage of a split: overlaps with training classes and within itself, shared closest training
classes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import closest_sources, row_of


@dataclass(frozen=True)
class Leakage:
    """Numbers of the classes of a split that leak; shares are fractions of ``classes``."""

    classes: int
    are_training: int  #: training classes themselves
    above_training: int  #: ancestors of a training class
    below_training: int  #: descendants of one
    with_ancestor_inside: int  #: classes with an ancestor in the split
    ancestor_pairs: int
    outcome_candidates: float  #: mean number of ancestors and descendants of a class in the split
    unreachable: int  #: no path to any training class
    one_closest: int  #: classes with a single closest training class
    shared_closest: (
        int  #: classes whose closest training classes are exactly those of another class
    )
    #: expected hit@1 of one who knows only the closest training classes and guesses among equals
    solvable: float


def leakage(hierarchy: Hierarchy, train: Sequence[str], test: Sequence[str]) -> Leakage:
    """Count the classes of a split that leak. Raises DataError with a class that is not a node of
    the hierarchy."""
    training, positions = hierarchy.positions(train), hierarchy.positions(test)
    is_training = np.zeros(len(hierarchy.wnids), dtype=np.float32)
    is_training[training] = 1
    inside = hierarchy.related(positions)
    groups: Counter[tuple[int, ...]] = Counter()
    hops, closest = closest_sources(hierarchy.adjacency, training)
    for position in positions:
        if hops[position] >= 0:
            groups[tuple(sorted(row_of(closest, position).tolist()))] += 1
    reached = sum(groups.values())
    return Leakage(
        classes=len(positions),
        are_training=int(is_training[positions].sum()),
        above_training=int((hierarchy.descendant_matrix[positions] @ is_training > 0).sum()),
        below_training=int((hierarchy.ancestor_matrix[positions] @ is_training > 0).sum()),
        with_ancestor_inside=int((np.diff(inside.indptr) > 0).sum()),
        ancestor_pairs=int(inside.nnz),
        outcome_candidates=float(2 * inside.nnz / len(positions)) if len(positions) else 0.0,
        unreachable=len(positions) - reached,
        one_closest=sum(count for ties, count in groups.items() if len(ties) == 1),
        shared_closest=sum(count for count in groups.values() if count > 1),
        solvable=len(groups) / len(positions) if len(positions) else 0.0,
    )

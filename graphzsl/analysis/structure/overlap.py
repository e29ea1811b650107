"""Any classes against the training classes: is one of them a training class, above, below or beside
one, and how far is the closest?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import closest_sources, row_of

#: From the worst: the class itself was trained on, or a class of which it is a kind or that is a
#: kind of it, or a sibling.
RELATIONS = ("training class", "above", "below", "beside", "apart", "not in the hierarchy")


@dataclass(frozen=True)
class Overlap:
    """How one class stands to the training classes; ``closest`` holds all ties, ``hops`` is None
    where none is reached."""

    wnid: str
    relation: str  #: the first of ``RELATIONS`` that holds
    hops: int | None
    closest: list[str]


def overlaps(hierarchy: Hierarchy, train: Sequence[str], wnids: Sequence[str]) -> list[Overlap]:
    """One row per wnid, in the given order.

    ``above``: an ancestor of a training class. ``below``: a descendant of one. ``beside``: shares a
    direct parent with one. Training classes outside the hierarchy count when they are given
    themselves.
    """
    training = hierarchy.positions(wnid for wnid in train if wnid in hierarchy.index)
    is_training = np.zeros(len(hierarchy.wnids), dtype=np.float32)
    is_training[training] = 1
    above, below = (
        hierarchy.descendant_matrix @ is_training > 0,
        hierarchy.ancestor_matrix @ is_training > 0,
    )
    beside = hierarchy.up @ (hierarchy.down @ is_training) > 0
    hops, closest = closest_sources(hierarchy.adjacency, training)
    rows, known = [], set(train)
    for wnid in wnids:
        place = hierarchy.index.get(wnid)
        if wnid in known:
            rows.append(Overlap(wnid, "training class", 0, [wnid]))
        elif place is None:
            rows.append(Overlap(wnid, "not in the hierarchy", None, []))
        else:
            sides = zip(("above", "below", "beside"), (above, below, beside), strict=True)
            relation = next((name for name, holds in sides if holds[place]), "apart")
            reached = int(hops[place]) >= 0
            ties = (
                [hierarchy.wnids[training[tie]] for tie in row_of(closest, place)]
                if reached
                else []
            )
            rows.append(
                Overlap(wnid, relation, int(hops[place]) if reached else None, sorted(ties))
            )
    return rows

"""Superclasses at a level of the hierarchy, and draws of sub-classes for subpopulation shift
(BREEDS: Santurkar et al. 2021).

The published sets (entity13, entity30, living17, nonliving26) come from a hierarchy that its
authors edited by hand, because no level of WordNet holds that many: at best 9, 18, 15 and 26. Here
the same sizes are drawn from WordNet as it is. Where no single level holds enough superclasses,
they are the most specific disjoint nodes with enough classes, whatever their level.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from graphzsl.common.errors import SplitError

if TYPE_CHECKING:
    from graphzsl.hierarchy.graph import Hierarchy


@dataclass(frozen=True)
class Shape:
    """Below which synset, how many superclasses, and how many sub-classes each."""

    root: str
    superclasses: int
    subclasses: int


#: The published sizes; entity, living thing, artifact are the roots of the published sets.
SUPERCLASS_SHAPES = {
    "entity13": Shape("n00001740", 13, 20),
    "entity30": Shape("n00001740", 30, 8),
    "living17": Shape("n00004258", 17, 4),
    "nonliving26": Shape("n00021939", 26, 4),
}


@dataclass(frozen=True)
class Superclass:
    """A superclass with its sub-classes for training (``source``) and for testing under shift
    (``target``), sorted."""

    wnid: str
    level: int
    classes: list[str]
    source: list[str]
    target: list[str]


def superclasses_at(
    hierarchy: Hierarchy, classes: Sequence[str], root: str, level: int, least: int
) -> dict[str, list[str]]:
    """superclass -> its classes: nodes ``level`` below the root with at least ``least`` classes of
    their own, largest first.

    The level is the longest way down from the root in the hierarchy trimmed to the classes. A class
    below two superclasses goes to the larger one (ties by wnid), and what is then too small is
    dropped, so superclasses are disjoint.
    """
    part = hierarchy.trimmed(classes)
    if root not in part.index:
        raise SplitError(f"None of the {len(classes):,} classes is below {root}.")
    inside = part.subtree([root])
    below = part.trimmed(sorted(inside & set(classes)))
    top = below.max_depth[below.index[root]]
    nodes = [
        wnid
        for wnid in below.wnids
        if wnid in inside and below.max_depth[below.index[wnid]] - top == level
    ]
    return _disjoint(below, nodes, set(classes), least, largest_first=True)


def most_specific(
    hierarchy: Hierarchy, classes: Sequence[str], root: str, least: int
) -> dict[str, list[str]]:
    """superclass -> its classes: the smallest nodes below the root with at least ``least`` classes,
    disjoint; ties by wnid."""
    inside = hierarchy.subtree([root]) & set(classes)
    part = hierarchy.trimmed(sorted(inside))
    nodes = sorted(set(part.wnids) & hierarchy.descendants(root))
    return _disjoint(part, nodes, set(classes), least, largest_first=False)


def _disjoint(
    part: Hierarchy, nodes: Sequence[str], own: set[str], least: int, largest_first: bool
) -> dict[str, list[str]]:
    members = {wnid: sorted(part.descendants(wnid) & own) for wnid in nodes if wnid not in own}
    members_of: dict[str, list[str]] = {}
    taken: set[str] = set()
    sign = -1 if largest_first else 1
    for wnid in sorted(members, key=lambda wnid: (sign * len(members[wnid]), wnid)):
        free = [member for member in members[wnid] if member not in taken]
        if len(free) >= least and (largest_first or len(free) == len(members[wnid])):
            members_of[wnid] = free
            taken.update(free)
    return members_of


def find_superclasses(
    hierarchy: Hierarchy, classes: Sequence[str], shape: Shape, level: int | None = None
) -> dict[str, list[str]]:
    """superclass -> all of its classes, for the superclasses of a shape; sorted by wnid.

    From the given level, else the first level that holds enough (the largest ones), else the
    most specific. SplitError when there are too few.
    """
    levels = [level] if level is not None else range(1, int(hierarchy.max_depth.max()) + 1)
    choices = (
        superclasses_at(hierarchy, classes, shape.root, number, shape.subclasses)
        for number in levels
    )
    chosen = next((choice for choice in choices if len(choice) >= shape.superclasses), None)
    if chosen is None and level is None:
        chosen = most_specific(hierarchy, classes, shape.root, shape.subclasses)
    if chosen is None or len(chosen) < shape.superclasses:
        where = f"level {level} does not hold" if level is not None else "there are not"
        raise SplitError(
            f"Below {shape.root} {where} {shape.superclasses} disjoint superclasses with"
            f" {shape.subclasses} classes each."
        )
    return {wnid: chosen[wnid] for wnid in sorted(list(chosen)[: shape.superclasses])}


def draw_superclasses(
    hierarchy: Hierarchy,
    classes: Sequence[str],
    shape: Shape,
    level: int | None = None,
    seed: int = 0,
) -> list[Superclass]:
    """The superclasses of ``find_superclasses``, sub-classes drawn at random and halved into source
    and target; sorted by wnid."""
    chosen = find_superclasses(hierarchy, classes, shape, level)
    rng = np.random.default_rng(seed)
    half = shape.subclasses // 2
    drawn = []
    for wnid, members in chosen.items():
        order = [members[place] for place in rng.permutation(len(members))[: shape.subclasses]]
        own = int(
            hierarchy.max_depth[hierarchy.index[wnid]]
            - hierarchy.max_depth[hierarchy.index[shape.root]]
        )
        drawn.append(
            Superclass(wnid, own, sorted(order), sorted(order[:half]), sorted(order[half:]))
        )
    return drawn

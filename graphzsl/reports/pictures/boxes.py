"""The boxes of an icicle, for a picture without a page: the page's script places and colours them
as this does."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.reports.pictures.roles import CLASS_ROLES
from graphzsl.reports.pictures.tree import PictureTree

#: The colours of values: viridis at nine places (van der Walt and Smith; CC0), as in
#: ``page/colours.js``.
SCALE = (
    "#440154",
    "#472D7B",
    "#3B528B",
    "#2C728E",
    "#21918C",
    "#28AE80",
    "#5EC962",
    "#ADDC30",
    "#FDE725",
)


@dataclass(frozen=True)
class Box:
    """A synset in an icicle.

    Args:
        wnid: the synset.
        column: synsets between it and the root, itself counted.
        top: classes that stand above it in the picture.
        height: classes at or below it in the tree.
        value: a class's own; of what has boxes at its right the mean of the classes at or below it.
    """

    wnid: str
    column: int
    top: int
    height: int
    value: float


def boxes_of(tree: PictureTree, key: str) -> list[Box]:
    """The boxes of a tree, of the classes that have the value ``key``; none where no class has.

    >>> from graphzsl.reports.pictures.boxes import boxes_of
    >>> from graphzsl.reports.pictures.tree import Values, picture_tree
    >>> edges = [("cat", "animal"), ("dog", "animal"), ("animal", "thing"), ("oak", "thing")]
    >>> hits = Values("hit@1", {"cat": 0.5, "dog": 1.0}, "share")
    >>> roles = dict.fromkeys(["cat", "dog", "oak"], "Class")
    >>> tree = picture_tree(gz.Hierarchy.from_edges(edges), roles, {"hit@1": hits})
    >>> for box in boxes_of(tree, "hit@1"):
    ...     print(box.wnid, box.column, box.top, box.height, box.value)
    thing 0 0 2 0.75
    animal 1 0 2 0.75
    cat 2 0 1 0.5
    dog 2 1 1 1.0
    """
    known = tree.values[key].of_class
    placed = [at for at, parent in enumerate(tree.parents) if parent != -2]
    drawn = np.array([tree.roles[at] in CLASS_ROLES and tree.wnids[at] in known for at in placed])
    top = np.cumsum(drawn) - drawn
    height, column, is_leaf = drawn.astype(int), np.zeros(len(placed), int), np.ones(len(placed))
    for at in placed:  # what is above comes first
        if tree.parents[at] >= 0:
            column[at] = column[tree.parents[at]] + 1
    for at in reversed(placed):
        parent = tree.parents[at]
        if parent >= 0 and height[at]:
            height[parent] += height[at]
            is_leaf[parent] = 0
    return [
        Box(
            tree.wnids[at],
            int(column[at]),
            int(top[at]),
            int(height[at]),
            float(known[tree.wnids[at]] if is_leaf[at] else tree.means[key][at]),
        )
        for at in placed
        if height[at]
    ]


def colour_of(value: float, domain: tuple[float, float]) -> str:
    """The colour of a value on a scale that goes from one value to another.

    >>> from graphzsl.reports.pictures.boxes import colour_of
    >>> colour_of(0.25, (0, 1)), colour_of(0.25, (0, 0.5)), colour_of(0.25, (0.5, 1))
    ('#3B528B', '#21918C', '#440154')
    """
    low, high = domain
    place = min(1.0, max(0.0, (value - low) / (high - low))) * (len(SCALE) - 1)
    at = min(int(place), len(SCALE) - 2)
    pairs = zip(_channels(SCALE[at]), _channels(SCALE[at + 1]), strict=True)
    mixed = [int(one + (other - one) * (place - at) + 0.5) for one, other in pairs]
    return "#" + "".join(f"{part:02X}" for part in mixed)


def ink_on(colour: str) -> str:
    """The colour of text on a fill: dark or light, by relative luminance (WCAG 2)."""
    parts = [part / 255 for part in _channels(colour)]
    linear = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    ]
    light = float(np.dot((0.2126, 0.7152, 0.0722), linear))
    return "#16181D" if light > 0.179 else "#FFFFFF"


def _channels(colour: str) -> list[int]:
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]

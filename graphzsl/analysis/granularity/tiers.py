"""The highest nodes of the hierarchy with neither too few nor too many classes, as superclasses for
few-shot learning (tieredImageNet: Ren et al. 2018).

With 10 to 30 classes of ILSVRC 2012 these are the 34 published superclasses, and the 608 classes
that are below one of them alone are the published ones.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphzsl.common.errors import SplitError

if TYPE_CHECKING:
    from graphzsl.hierarchy.graph import Hierarchy

#: The published sizes: fewest and most classes of a superclass, and how the superclasses are split.
LEAST_IN_TIER, MOST_IN_TIER = 10, 30
TIER_PARTS = {"train": 20, "val": 6, "test": 8}


def tiers(
    hierarchy: Hierarchy,
    classes: Sequence[str],
    least: int = LEAST_IN_TIER,
    most: int = MOST_IN_TIER,
) -> dict[str, list[str]]:
    """superclass -> its classes, both sorted by wnid.

    Superclasses are the nodes above ``least`` to ``most`` classes that have no other such node
    above them; one that is a class itself is not among its classes. A class below two superclasses
    is in none; a superclass that keeps fewer than ``least`` classes gives way, the one with the
    fewest first (ties by wnid), and the classes that it shared with a single other one go there.

    Raises:
        DataError: no class, one that is there twice, or one that is not a node.
        SplitError: no node has so many classes, or ``least`` is more than ``most``.

    Reference:
        Ren et al. 2018, section 4.1, says 10 to 30 classes; that shared classes and what is then
        too small are left out is how the published lists come out.
    """
    from graphzsl.hierarchy.class_lists import check_distinct

    if least > most:
        raise SplitError(f"No superclass has at least {least} and at most {most} classes.")
    check_distinct(hierarchy, classes)
    part, own = hierarchy.trimmed(set(classes)), set(classes)
    below = part.descendant_matrix[:, part.positions(sorted(own))]
    counts = np.diff(below.tocsr().indptr)
    fitting = {
        wnid
        for wnid, count in zip(part.wnids, counts.tolist(), strict=True)
        if least <= count <= most
    }
    kept = {
        wnid: part.descendants(wnid) & own for wnid in fitting if not part.ancestors(wnid) & fitting
    }
    while kept:
        alone = {wnid: _alone(wnid, kept) for wnid in kept}
        fewest = min(kept, key=lambda wnid: (len(alone[wnid]), wnid))
        if len(alone[fewest]) >= least:
            return {wnid: sorted(alone[wnid]) for wnid in sorted(alone)}
        del kept[fewest]
    raise SplitError(
        f"No node of the hierarchy holds {least} to {most} of the {len(own):,} classes."
    )


def split_superclasses(
    superclasses: Sequence[str], parts: Mapping[str, int], seed: int = 0
) -> dict[str, str]:
    """superclass -> the part that it is drawn for at random: all of a superclass's classes are in
    one part.

    Parts are filled in proportion to their numbers (largest remainders first, ties in the order of
    the parts), which are the numbers of superclasses where they add up to all. SplitError where a
    part would be empty.
    """
    total = sum(parts.values())
    exact = {part: len(superclasses) * number / total for part, number in parts.items()}
    sizes = {part: int(share) for part, share in exact.items()}
    rest = sorted(parts, key=lambda part: sizes[part] - exact[part])
    for part in rest[: len(superclasses) - sum(sizes.values())]:
        sizes[part] += 1
    if not all(sizes.values()):
        empty = next(part for part, size in sizes.items() if not size)
        raise SplitError(
            f"{len(superclasses)} superclasses leave none for {empty}; take fewer classes for a"
            " superclass, or other parts."
        )
    order = np.random.default_rng(seed).permutation(len(superclasses))
    drawn = [part for part, size in sizes.items() for _ in range(size)]
    ordered = sorted(superclasses)
    found = {ordered[place]: part for place, part in zip(order.tolist(), drawn, strict=True)}
    return {wnid: found[wnid] for wnid in ordered}


def _alone(wnid: str, kept: Mapping[str, Collection[str]]) -> set[str]:
    """The classes of a superclass that no other one has."""
    others = {member for other in kept if other != wnid for member in kept[other]}
    return set(kept[wnid]) - others

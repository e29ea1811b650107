"""Choice of classes to check by hand: some at every depth below a synset.

Reference: Deng et al. 2009, section 2, figure 4; Russakovsky et al. 2015, section 3.1.3, "Empirical
evaluation": 80 synsets at every depth of the mammal and vehicle subtrees.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.wording import called, counted
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import hop_distances


@dataclass(frozen=True)
class AuditClass:
    """A class, the synset that it is below (or itself), and how far below."""

    root: str
    depth: int
    wnid: str


def classes_below(
    hierarchy: Hierarchy, roots: Sequence[str], classes: Sequence[str]
) -> list[AuditClass]:
    """The classes at or below each root, with the fewest edges down to them; by root in the order
    given, depth and wnid. A class below several roots is that of the first.

    DataError names a root that has none, or is given twice.
    """
    twice = next((root for place, root in enumerate(roots) if root in roots[:place]), None)
    if twice is not None:
        raise DataError(f"{called(twice, hierarchy.names)} is given twice. Give each root once.")
    own, found, taken = set(classes), [], set[str]()
    for root in roots:
        depths = hop_distances(hierarchy.down, hierarchy.positions([root])).tolist()
        below = [
            AuditClass(root, depth, wnid)
            for wnid, depth in zip(hierarchy.wnids, depths, strict=True)
            if depth >= 0 and wnid in own
        ]
        if not below:
            raise DataError(
                f"None of the {counted(len(classes), 'class', 'classes')} is at or below"
                f" {called(root, hierarchy.names)}."
            )
        found += sorted(
            (each for each in below if each.wnid not in taken),
            key=lambda each: (each.depth, each.wnid),
        )
        taken.update(each.wnid for each in below)
    return found


def audit_sample(
    below: Sequence[AuditClass], count: int, per_depth: bool = False, seed: int = 0
) -> list[AuditClass]:
    """Classes drawn at random, without replacement, from every depth below every root.

    The papers do not say whether 80 are those of all depths together or of each. All together are
    spread as evenly as can be: every depth gives one in turn, the smallest first, until there are
    so many or none is left.

    Args:
        below: of ``classes_below``.
        count: how many classes, of all depths and roots together; no less than there are depths.
        per_depth: so many of each depth below each root, or all that there are.
        seed: of the draw.

    Raises:
        DataError: there are more depths than classes wanted.
    """
    members: dict[tuple[str, int], list[AuditClass]] = defaultdict(list)
    for each in below:
        members[each.root, each.depth].append(each)
    if per_depth:
        sizes = {at: min(count, len(inside)) for at, inside in members.items()}
    else:
        sizes = _spread({at: len(inside) for at, inside in members.items()}, count)
    rng, drawn = np.random.default_rng(seed), []
    for at, inside in members.items():
        places = rng.choice(len(inside), size=sizes[at], replace=False)
        drawn += [inside[place] for place in sorted(places.tolist())]
    return drawn


def _spread(available: dict[tuple[str, int], int], count: int) -> dict[tuple[str, int], int]:
    if count < len(available):
        raise DataError(
            f"{counted(count, 'class', 'classes')} cannot be of {len(available)} depths. Draw"
            f" {len(available)} or more."
        )
    sizes = dict.fromkeys(available, 0)
    left = min(count, sum(available.values()))
    while left:
        free = [at for at, size in sizes.items() if size < available[at]]
        for at in free[:left]:
            sizes[at] += 1
        left -= min(left, len(free))
    return sizes

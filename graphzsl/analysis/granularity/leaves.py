"""Leaf classes: those of a set that have no other class of it below them.

Wang et al. translate every class. Ordonez et al. translate leaves alone: the output of a node above
them is an aggregate of theirs, so a class with other classes below it needs no classifier.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from graphzsl.hierarchy.class_lists import check_distinct
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import row_of


@dataclass(frozen=True, eq=False)
class LeafClasses:
    """The L leaves of C classes, in their order: ``columns`` [L] are their places among the
    classes, ``below`` gives every other class the leaves below it."""

    classes: list[str]
    columns: npt.NDArray[np.int64]
    below: dict[str, list[str]]


def leaf_classes(hierarchy: Hierarchy, classes: Sequence[str]) -> LeafClasses:
    """The classes that have none of the others below them.

    Args:
        hierarchy: of the classes; a leaf here may have nodes below it that are not classes.
        classes: C wnids, each once.

    Raises:
        DataError: no class, one that is there twice, or one that is not a node.

    Reference:
        Wang et al. 2014, section 3.1, Internal nodes; Ordonez et al. 2013, From large scale image
        categorization to entry-level categories.
    """
    check_distinct(hierarchy, classes)
    # column's class is above the row's
    above = hierarchy.related(hierarchy.positions(classes))
    inner = np.zeros(len(classes), dtype=bool)
    inner[above.indices] = True
    columns = np.flatnonzero(~inner)
    below = above.T.tocsr()
    return LeafClasses(
        [classes[place] for place in columns.tolist()],
        columns,
        {
            classes[place]: [classes[each] for each in row_of(below, place) if not inner[each]]
            for place in np.flatnonzero(inner).tolist()
        },
    )

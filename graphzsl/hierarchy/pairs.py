"""Common ancestors of pairs of nodes: sums and extremes over them, all pairs at once.

A node is above itself here. Only the distinct pairs are computed, in blocks.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from scipy import sparse

from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import Positions

Floats = npt.NDArray[np.float64]
_BLOCK = 1 << 17  #: pairs whose common ancestors are held at once


def distinct_pairs(one: Positions, other: Positions) -> tuple[Positions, Positions, Positions]:
    """(one [P], other [P], which of the P pairs stands at each place of the arrays given)."""
    size = int(max(one.max(initial=0), other.max(initial=0))) + 1
    keys, places = np.unique(one * size + other, return_inverse=True)
    return keys // size, keys % size, places.reshape(one.shape)


def common_ancestors(
    hierarchy: Hierarchy, one: Positions, other: Positions
) -> Iterator[tuple[slice, sparse.csr_array]]:
    """(rows, [n, V] 1 where the column's node is above both of a pair) of every block of pairs."""
    above = hierarchy.ancestor_or_self_matrix
    for start in range(0, len(one), _BLOCK):
        rows = slice(start, start + _BLOCK)
        yield rows, above[one[rows]].multiply(above[other[rows]]).tocsr()


def over_common_ancestors(
    hierarchy: Hierarchy, one: Positions, other: Positions, values: Floats, which: np.ufunc
) -> Floats:
    """[P] the values [V] of the common ancestors of each pair, reduced by ``which`` (np.add,
    np.minimum, np.maximum); nan where there is none."""
    found = np.full(len(one), np.nan)
    for rows, common in common_ancestors(hierarchy, one, other):
        some = np.flatnonzero(np.diff(common.indptr))
        if len(some):
            # rows without any take no room, so the next one starts where this one ends
            reduced = which.reduceat(values[common.indices], common.indptr[some])
            found[rows.start + some] = reduced
    return found

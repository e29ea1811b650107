"""Classes in the order of their distance to the training classes, and levels of equal size cut out
of that order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.common.errors import SplitError
from graphzsl.hierarchy.class_tree import ClassTree
from graphzsl.hierarchy.distances import (
    INFORMED_DISTANCES,
    AncestorPath,
    Matrix,
    distance_of,
    information_content,
)
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import Positions

Floats = npt.NDArray[np.float64]
#: Distances that classes are ranked by.
KINDS = ("path", "ancestor-path", "lca", "lin", "jcn", "class-tree")
#: To which training class: the nearest one, or to all of them in sum.
OF = ("nearest", "total")
#: Training classes whose distances to all candidates are held at once.
_BLOCK = 200
#: Decimals at which distances count as equal: what floating point leaves of a tie.
_DIGITS = 9


@dataclass(frozen=True, eq=False)
class Ranking:
    """Classes from the nearest to the training classes to the farthest, and their distances [C];
    ties are in the order of the wnids."""

    wnids: list[str]
    distances: Floats

    @cached_property
    def rank(self) -> dict[str, int]:
        """wnid -> its place, from 1."""
        return {wnid: place for place, wnid in enumerate(self.wnids, 1)}


@dataclass(frozen=True)
class Level:
    """Classes that follow one another in a ranking, nearest first; ``start`` is the place of the
    first one in it, from 0."""

    name: str
    start: int
    wnids: list[str]
    nearest: float
    farthest: float

    @property
    def stop(self) -> int:
        """The place after the last one."""
        return self.start + len(self.wnids)


def rank(
    hierarchy: Hierarchy,
    candidates: Sequence[str],
    train: Sequence[str],
    by: str,
    of: str,
    universe: Sequence[str] = (),
) -> Ranking:
    """Order candidates by their distance to the training classes.

    Args:
        hierarchy: where distances are measured.
        candidates: the classes to order, none of them a training class.
        train: the training classes.
        by: one of ``KINDS``; ``lin`` and ``jcn`` count every node of the hierarchy once.
        of: ``nearest`` or ``total``, of ``OF``.
        universe: further classes, besides candidates and training classes, of the trimmed
            hierarchy of ``lca`` and of the tree of ``class-tree``.

    Returns:
        The candidates that are joined to a training class (for ``total``: to all of them).
    """
    found = distances_of(hierarchy, candidates, train, by, of, universe)
    there = np.isfinite(found)
    wnids = np.array(candidates, dtype=object)[there]
    distances = np.round(found[there], _DIGITS)
    order = np.lexsort((wnids.astype(str), distances))
    return Ranking(wnids[order].tolist(), distances[order])


def distances_of(
    hierarchy: Hierarchy,
    candidates: Sequence[str],
    train: Sequence[str],
    by: str,
    of: str,
    universe: Sequence[str] = (),
) -> Floats:
    """[C] the distance of each candidate, as ``rank`` has it; inf where nothing joins them."""
    every = {*candidates, *train, *universe}
    part = hierarchy.trimmed(every) if by == "lca" else hierarchy
    sources, targets = part.positions(candidates), part.positions(train)
    measure: Any
    if by == "class-tree":
        measure = ClassTree(part, sorted(every))
    elif by == "ancestor-path":
        measure = AncestorPath(part)
    else:
        content = information_content(part, {}) if by in INFORMED_DISTANCES else None
        measure = distance_of(by, part, content)
    if of == "nearest" and by != "ancestor-path":
        return np.asarray(measure.nearest(sources, targets))
    return _reduced(measure, sources, targets, of)


def _reduced(measure: Any, candidates: Positions, train: Positions, of: str) -> Floats:
    """[C] the sum of each candidate's distances to the training classes, or the smallest; all
    distances are symmetric, so they are taken from training classes, block by block."""
    both = np.unique(np.r_[candidates, train])
    lengths: Matrix = measure.to(both)
    columns = np.searchsorted(both, candidates)
    total = of == "total"
    found = np.full(len(candidates), 0.0 if total else np.inf)
    for start in range(0, len(train), _BLOCK):
        block = lengths(train[start : start + _BLOCK])[:, columns]
        found = found + block.sum(axis=0) if total else np.minimum(found, block.min(axis=0))
    return found


def cut(ranking: Ranking, names: Sequence[str], size: int | None = None) -> list[Level]:
    """Levels of ``size`` classes each, spread evenly over a ranking of C: the first holds the
    nearest classes, the last the farthest, and gaps between levels differ by at most one class.

    Without a size all classes are in a level, and levels differ by at most one class, the first
    ones being larger. A single level holds the nearest classes. SplitError where there are too few.
    """
    count, levels = len(ranking.wnids), len(names)
    if count < levels * (size or 1):
        wanted = f"{levels} levels of {size:,}" if size else f"{levels} levels"
        raise SplitError(
            f"{count:,} candidates do not make {wanted}; take a smaller size, fewer levels, or"
            " loosen a filter."
        )
    if size is None:
        ends = np.cumsum([count // levels + (place < count % levels) for place in range(levels)])
        bounds = list(zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True))
    else:
        starts = [place * (count - size) // max(1, levels - 1) for place in range(levels)]
        bounds = [(start, start + size) for start in starts]
    return [
        Level(
            name,
            start,
            ranking.wnids[start:stop],
            float(ranking.distances[start]),
            float(ranking.distances[stop - 1]),
        )
        for name, (start, stop) in zip(names, bounds, strict=True)
    ]

"""Hiding classes to test on: at random, or as whole branches of the hierarchy.

A class that is hidden at random leaves its siblings among the training classes, and looking up the
nearest of them is half of the answer. Structural ratio says how much (Hascoet et al. 2019, equation
5): about 0.8 for 200 of the 1,000 ILSVRC classes hidden at random, about 2 when they go as whole
branches.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from graphzsl.common.errors import SplitError
from graphzsl.hierarchy.distances import Path
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.ratio import structural_ratios
from graphzsl.hierarchy.search import Positions, row_of

#: Fewest and most classes of a branch that is hidden as a whole.
SMALLEST, LARGEST = 4, 40


@dataclass(frozen=True)
class HiddenClasses:
    """Classes to learn from and hidden ones, each in the order of the list they were drawn from;
    ``branches`` are the synsets that were hidden as a whole -> their classes."""

    train: list[str]
    hidden: list[str]
    branches: dict[str, list[str]]

    def structural_ratio(self, hierarchy: Hierarchy) -> float | None:
        """R of the hidden classes, by hops (``structural_ratios``); None where a class is no node
        of the hierarchy."""
        if not hierarchy.index.keys() >= {*self.train, *self.hidden}:
            return None
        found = structural_ratios(hierarchy, Path(hierarchy), self.train, self.hidden)
        return found.structural_ratio


def hide_classes(
    classes: Sequence[str],
    share: float,
    seed: int,
    branches: float = 0.0,
    hierarchy: Hierarchy | None = None,
) -> HiddenClasses:
    """Hide a seeded share of some classes, one by one or as whole branches of the hierarchy.

    Args:
        classes: the classes.
        share: how many of them to hide.
        seed: of the draw.
        branches: the share of the hidden classes that go as whole branches: all classes at or below
            a synset, if these are ``SMALLEST`` to ``LARGEST``. Branches are drawn with equal
            chance, each taken if it fits in what is left; what no branch fits in, and the rest, are
            classes drawn one by one.
        hierarchy: what branches are of.

    Raises:
        SplitError: no class, or every class, would be hidden; or no branch fits.
    """
    count = round(share * len(classes))
    if not 0 < count < len(classes):
        raise SplitError(f"Cannot hide {share:.0%} of {len(classes)} classes.")
    random = np.random.default_rng(seed)
    is_hidden = np.zeros(len(classes), dtype=bool)
    whole: dict[str, list[str]] = {}
    if branches:
        if hierarchy is None:
            raise SplitError("Whole branches can be hidden where a hierarchy is given.")
        left = round(branches * count)
        found = branches_of(hierarchy, classes)
        for root in random.permutation(sorted(found)).tolist():
            members = found[root]
            if len(members) <= left and not is_hidden[members].any():
                is_hidden[members] = True
                left -= len(members)
                whole[root] = [classes[place] for place in members]
        if not whole:
            raise SplitError(
                f"No branch of {SMALLEST} to {LARGEST} of the {len(classes)} classes fits in the"
                f" {round(branches * count)} to hide. Hide more classes, or hide them at random."
            )
    others = np.flatnonzero(~is_hidden)
    is_hidden[others[random.permutation(len(others))[: count - is_hidden.sum()]]] = True
    return HiddenClasses(
        [wnid for wnid, out in zip(classes, is_hidden, strict=True) if not out],
        [wnid for wnid, out in zip(classes, is_hidden, strict=True) if out],
        whole,
    )


def branches_of(hierarchy: Hierarchy, classes: Sequence[str]) -> dict[str, Positions]:
    """Synset -> places of all classes at or below it, of ``SMALLEST`` to ``LARGEST`` classes; of
    synsets above the same classes the lowest, and of equally low ones the last by wnid."""
    below = hierarchy.ancestor_or_self_matrix[hierarchy.positions(classes)].tocsc()
    sizes = np.diff(below.indptr)
    depths = np.diff(hierarchy.ancestor_or_self_matrix.indptr)
    nodes = np.flatnonzero((sizes >= SMALLEST) & (sizes <= LARGEST))
    lowest: dict[bytes, int] = {}
    for node in sorted(nodes.tolist(), key=lambda node: (depths[node], hierarchy.wnids[node])):
        lowest[np.sort(row_of(below, node)).tobytes()] = node
    return {hierarchy.wnids[node]: np.sort(row_of(below, node)) for node in lowest.values()}

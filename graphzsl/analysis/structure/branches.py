"""Branches of a hierarchy, and over how many of them a class set spreads."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import row_of

#: A branch is a highest node with at most this share of the universe at or below it.
SHARE = 0.02


def branches_of(
    hierarchy: Hierarchy, universe: Sequence[str], share: float = SHARE
) -> dict[str, list[str]]:
    """class -> its branches: the highest nodes above it (or itself) with at most ``share`` of the
    universe at or below them.

    A class with more than that below it belongs to no such node and is a branch of its own.
    """
    positions = hierarchy.positions(universe)
    counts = np.asarray(hierarchy.ancestor_or_self_matrix[positions].sum(axis=0)).ravel()
    small = counts <= max(1.0, share * len(positions))
    has_small_above = np.asarray(hierarchy.ancestor_matrix @ small.astype(np.float32)).ravel() > 0
    top = small & ~has_small_above
    tops = {}
    for wnid, position in zip(universe, positions, strict=True):
        line = row_of(hierarchy.ancestor_or_self_matrix, position)
        tops[wnid] = sorted(hierarchy.wnids[node] for node in line[top[line]]) or [wnid]
    return tops


def spread_of(
    hierarchy: Hierarchy, universe: Sequence[str], classes: Sequence[str]
) -> dict[str, Any]:
    """``effective_branches`` (exponential of the entropy), ``branches`` held, ``largest_branch``
    and its share of the classes.

    A class under several branches counts in equal parts. Classes outside the universe are left out.
    """
    branches = branches_of(hierarchy, universe)
    weight: dict[str, float] = defaultdict(float)
    for wnid in classes:
        for branch in branches.get(wnid, ()):
            weight[branch] += 1 / len(branches[wnid])
    if not weight:
        return {
            "effective_branches": 0.0,
            "branches": 0,
            "largest_branch": None,
            "largest_branch_share": 0.0,
        }
    shares = np.array(list(weight.values())) / sum(weight.values())
    largest = max(weight, key=lambda branch: (weight[branch], branch))
    return {
        "effective_branches": float(np.exp(-(shares * np.log(shares)).sum())),
        "branches": len(weight),
        "largest_branch": largest,
        "largest_branch_share": float(weight[largest] / sum(weight.values())),
    }

"""What a benchmark's readers want to know of its classes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from graphzsl.analysis.structure.branches import spread_of
from graphzsl.analysis.structure.leakage import leakage
from graphzsl.analysis.structure.ratio import structural_ratios
from graphzsl.benchmark.class_selection import Selection
from graphzsl.benchmark.ties import Ties
from graphzsl.hierarchy.distances import Path
from graphzsl.hierarchy.graph import Hierarchy


def statistics(
    hierarchy: Hierarchy,
    wnids: Sequence[str],
    train: Sequence[str],
    universe: Sequence[str],
    populations: Mapping[str, int],
    selection: Selection | None = None,
    ties: Ties | None = None,
) -> dict[str, Any]:
    """R, its bounds and ties, distances, spread, populations and overlaps of test classes.

    Args:
        hierarchy: what hops are counted in.
        wnids: the test classes.
        train: the training classes.
        universe: the classes that the test classes were drawn from, of which branches are shares.
        populations: wnid -> images; classes may be absent.
        selection: how they were selected, where they were.
        ties: what could have been selected as well.
    """
    ratios = structural_ratios(hierarchy, Path(hierarchy), train, wnids)
    values: dict[str, Any] = {"classes": len(wnids), "structural_ratio": ratios.structural_ratio}
    if selection:
        values |= {
            "bound": selection.bound,
            "simple_bound": selection.simple_bound,
            "gap": selection.gap,
        }
    if ties:
        values |= ties.row()
    away = ratios.train_distance[np.isfinite(ratios.train_distance)]
    values |= {
        "train_hops_mean": float(away.mean()) if len(away) else None,
        "train_hops_min": float(away.min(initial=np.inf)) if len(away) else None,
    }
    values |= spread_of(hierarchy, universe, wnids)
    images = np.array([populations[wnid] for wnid in wnids if wnid in populations])
    if len(images):
        values |= {
            "population_min": int(images.min()),
            "population_median": float(np.median(images)),
            "population_max": int(images.max()),
        }
    overlap = leakage(hierarchy, train, wnids)
    return values | {
        "ancestor_pairs": overlap.ancestor_pairs,
        "solvable_by_closest_class": overlap.solvable,
    }

"""The structure of windows of classes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from graphzsl.hierarchy.distances import Path as HopDistance
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.ratio import structural_ratios

if TYPE_CHECKING:
    pass
from graphzsl.data.windows import Window


def structure_of(
    windows: Sequence[Window], hierarchy: Hierarchy, train: Sequence[str]
) -> dict[str, dict[str, float | None]]:
    """Window -> its structural ratio R as a split of its own, and the mean hops of its classes to
    the training classes."""
    distance, structure = HopDistance(hierarchy), {}
    for window in windows:
        ratios = structural_ratios(hierarchy, distance, train, window.classes)
        hops = ratios.train_distance[np.isfinite(ratios.train_distance)]
        structure[window.name] = {
            "structural_ratio": ratios.structural_ratio,
            "train_distance": float(hops.mean()) if len(hops) else None,
        }
    return structure

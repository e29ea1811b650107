"""The structural ratio of a class and of a split (Hascoet et al. 2019, equation 5)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphzsl.hierarchy.distances import Distance, Floats
from graphzsl.hierarchy.graph import Hierarchy


@dataclass(frozen=True)
class Ratios:
    """r(c) = distance to the nearest training class / distance to the nearest other test class, of
    every test class.

    ``ratio`` is nan for a single test class, and where the other test class is at distance 0 (Lin
    and Jiang–Conrath know such pairs).
    """

    wnids: list[str]
    train_distance: Floats
    test_distance: Floats

    @property
    def ratio(self) -> Floats:
        """[C] r(c)."""
        usable = (
            np.isfinite(self.train_distance)
            & np.isfinite(self.test_distance)
            & (self.test_distance > 0)
        )
        safe = np.where(usable, self.test_distance, 1.0)
        return np.where(usable, self.train_distance / safe, np.nan)

    @property
    def structural_ratio(self) -> float | None:
        """R: the mean of r(c) over the classes where it is defined; None where it is defined for
        none."""
        ratio = self.ratio[~np.isnan(self.ratio)]
        return float(ratio.mean()) if len(ratio) else None

    def rows(self) -> list[dict[str, Any]]:
        """Row of each class: wnid, the two distances and their ratio; None where one is not
        defined."""
        values = np.stack([self.train_distance, self.test_distance, self.ratio], axis=1)
        names = ("train_distance", "test_distance", "structural_ratio")
        rows: list[dict[str, Any]] = []
        for wnid, numbers in zip(self.wnids, values.tolist(), strict=True):
            known = (number if math.isfinite(number) else None for number in numbers)
            rows.append({"wnid": wnid, **dict(zip(names, known, strict=True))})
        return rows


def structural_ratios(
    hierarchy: Hierarchy, distance: Distance, train: Sequence[str], test: Sequence[str]
) -> Ratios:
    """The ratios of all test classes under one distance; DataError names a class that is not a
    node."""
    positions = hierarchy.positions(test)
    return Ratios(
        list(test),
        distance.nearest(positions, hierarchy.positions(train)),
        distance.nearest(positions, positions),
    )

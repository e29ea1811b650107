"""Populations, read from the database."""

from __future__ import annotations

from typing import Any

import numpy as np

from graphzsl.analysis.populations.correlation import correlations
from graphzsl.common.progress import step
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.splits.populations import require_populations as require_populations


def population_depth_correlations(
    database: Database, universe: str = "imagenet-fall11"
) -> list[dict[str, Any]]:
    """Pearson and Spearman correlation of population and depth (fewest edges to entity), with p,
    over classes with a population.

    Both readings are in the literature: that rare classes are fine-grained (Xian et al. 2017), and
    that population and granularity are unrelated (Hascoet et al. 2019, appendix C).
    """
    require_populations(database, universe)
    with step(f"depths of {universe}"):
        rows = database.many_rows(query("class_populations"), class_set=universe)
    rows = [row for row in rows if row["population"] is not None]
    depth = np.array([row["depth"] for row in rows], dtype=float)
    population = np.array([row["population"] for row in rows], dtype=float)
    return correlations(depth, population, ("depth", "population"))

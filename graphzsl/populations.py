"""Populations: images a class. Most and least populated sets, distribution, and what depth has to do with it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from graphzsl.database.client import Database
from graphzsl.database.queries import query
from graphzsl.errors import DataError, SplitError
from graphzsl.hierarchy import require_class_set


def most_or_least_populated(
    database: Database, size: int, most: bool, train: str = "ilsvrc2012", universe: str = "imagenet-fall11"
) -> list[tuple[str, int]]:
    """(wnid, population) of the ``size`` classes with most (fewest, at least one) images among those that are no training classes.

    Ties by wnid, so that 500 ⊂ 1000 ⊂ 5000 (Xian et al. 2017, section 4.2). SplitError when there are fewer.
    """
    require_populations(database, universe)
    require_class_set(database, train)
    statement = query("most_populated" if most else "least_populated")
    rows = database.rows(statement, universe=universe, train=train, size=size)
    if len(rows) < size:
        raise SplitError(f"{universe} has {len(rows):,} classes with images outside {train}, fewer than {size:,}.")
    return [(row["wnid"], row["population"]) for row in rows]


def require_populations(database: Database, universe: str) -> dict[str, int]:
    """wnid -> population where it is known; DataError when it is known for no class of the set."""
    require_class_set(database, universe)
    rows = database.rows(query("class_populations"), universe=universe)
    found = {row["wnid"]: row["population"] for row in rows if row["population"] is not None}
    if not found:
        raise DataError(
            f"No class of {universe} has a population. Run `graphzsl load populations FILE` with ImageNet's ReleaseStatus, a "
            "wnid,images table, or a folder of image folders."
        )
    return found


def population_depth_correlations(database: Database, universe: str = "imagenet-fall11") -> list[dict[str, Any]]:
    """Pearson and Spearman correlation of population and depth (fewest edges to entity), with p, over classes with a population.

    Both readings are in the literature: that rare classes are fine-grained (Xian et al. 2017), and that population and granularity
    are unrelated (Hascoet et al. 2019, appendix C).
    """
    require_populations(database, universe)
    rows = [
        row for row in database.rows(query("class_populations"), universe=universe) if row["population"] is not None
    ]
    depth = np.array([row["depth"] for row in rows], dtype=float)
    population = np.array([row["population"] for row in rows], dtype=float)
    return correlations(depth, population, ("depth", "population"))


def correlations(one: np.ndarray, other: np.ndarray, names: tuple[str, str]) -> list[dict[str, Any]]:
    """Rows of Pearson's and Spearman's coefficient with p and the number of pairs; DataError for fewer than 3 or a constant."""
    from scipy import stats

    if len(one) < 3 or np.ptp(one) == 0 or np.ptp(other) == 0:
        raise DataError(
            f"{names[0]} and {names[1]}: a correlation needs at least 3 classes and two different values of each."
        )
    return [
        {
            "of": f"{names[0]}, {names[1]}",
            "kind": kind,
            "coefficient": float(found.statistic),
            "p": float(found.pvalue),
            "classes": len(one),
        }
        for kind, found in (("Pearson", stats.pearsonr(one, other)), ("Spearman", stats.spearmanr(one, other)))
    ]


def population_steps(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The rows of ``population_distribution`` with shares and running shares of the classes."""
    total, running, found = sum(row["classes"] for row in rows), 0, []
    for row in rows:
        running += row["classes"] if row["population"] != "unknown" else 0
        found.append({**row, "share": row["classes"] / total, "up_to_here": running / total})
    return found

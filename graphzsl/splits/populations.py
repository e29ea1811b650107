"""The classes with most and with fewest images."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphzsl.common.errors import DataError, SplitError
from graphzsl.common.progress import step
from graphzsl.database.class_sets import require_class_set
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.splits.store import Split, store_split


def most_or_least_populated(
    database: Database,
    size: int,
    most: bool,
    train: str = "ilsvrc2012",
    universe: str = "imagenet-fall11",
) -> list[tuple[str, int]]:
    """(wnid, population) of the ``size`` classes with most (fewest, at least one) images among
    those that are not training classes.

    Ties by wnid, so that 500 ⊂ 1000 ⊂ 5000 (Xian et al. 2017, section 4.2). SplitError when there
    are fewer.
    """
    require_populations(database, universe)
    require_class_set(database, train)
    statement = query("most_populated" if most else "least_populated")
    rows = database.rows(statement, universe=universe, train=train, size=size)
    if len(rows) < size:
        raise SplitError(
            f"{universe} has {len(rows):,} classes with images outside {train}, fewer than"
            f" {size:,}."
        )
    return [(row["wnid"], row["population"]) for row in rows]


def populated_splits(
    database: Database,
    sizes: Sequence[int],
    most: bool,
    train: str = "ilsvrc2012",
    universe: str = "imagenet-fall11",
    store: str | None = None,
) -> list[dict[str, Any]]:
    """One row per size of ``most_or_least_populated``: its name, classes and images.

    With ``store`` each set is stored as a split of this name and its size: NAME-500.
    """
    statement, rows = query("most_populated" if most else "least_populated"), []
    every = {size: most_or_least_populated(database, size, most, train, universe) for size in sizes}
    for size, found in every.items():
        name = f"{store or ('most' if most else 'least') + '-populated'}-{size}"
        images = [count for _, count in found]
        rows.append(
            {
                "name": name,
                "classes": size,
                "mean": sum(images) / size,
                "min": min(images),
                "max": max(images),
                "images": sum(images),
            }
        )
        if store:
            split = Split(name, [wnid for wnid, _ in found], train, universe, "wordnet")
            provenance = {"query": statement.name, "query_sha256": statement.sha256}
            store_split(database, split, provenance)
    return rows


def require_populations(database: Database, universe: str) -> dict[str, int]:
    """wnid -> population where it is known; DataError when it is known for no class of the set."""
    require_class_set(database, universe)
    with step(f"populations of {universe}"):
        rows = database.many_rows(query("class_populations"), class_set=universe)
    populations = {row["wnid"]: row["population"] for row in rows if row["population"] is not None}
    if not populations:
        raise DataError(
            f"No class of {universe} has a population. Run `graphzsl load populations` for those"
            " of ImageNet's Fall 2011 release, or give it a file or a folder of image folders."
        )
    return populations

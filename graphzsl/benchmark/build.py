"""Running a recipe: step by step from the universe to the test classes, with the share that every
step keeps."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from graphzsl.analysis.words.from_database import meanings, read_words
from graphzsl.analysis.words.meaning import survivors
from graphzsl.benchmark.class_selection import Selection, select
from graphzsl.benchmark.recipe import Recipe
from graphzsl.benchmark.statistics import statistics
from graphzsl.benchmark.ties import ties_at_the_cut
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.database.library import query
from graphzsl.errors import DataError, SettingsError, SplitError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.progress import step
from graphzsl.splits.populations import require_populations
from graphzsl.splits.store import Split, store_split


@dataclass(frozen=True)
class Step:
    """What one step of a recipe kept, of what the one before had kept."""

    step: str
    rule: str
    kept: int
    dropped: int

    @property
    def keep_ratio(self) -> float:
        """Share kept."""
        return self.kept / (self.kept + self.dropped) if self.kept + self.dropped else 0.0

    def row(self) -> dict[str, Any]:
        """The step as a row of a table."""
        return {**asdict(self), "keep_ratio": self.keep_ratio}


@dataclass(frozen=True)
class Built:
    """The classes of a recipe (sorted by wnid), its steps, and the selection when the recipe has a
    size."""

    recipe: Recipe
    wnids: list[str]
    steps: list[Step]
    selection: Selection | None
    statistics: dict[str, Any]


def build(database: Database, recipe: Recipe) -> Built:
    """Run a recipe. Errors name the recipe's line: a universe without populations or frequencies,
    an unknown class set or wnid."""
    with _naming(recipe, "universe"):
        universe = members(database, recipe.universe)
    with _naming(recipe, "train"):
        train = members(database, recipe.train)
    with _naming(recipe, "hierarchy"), step(f"{recipe.name}: reading the hierarchy"):
        hierarchy = read_hierarchy(database, recipe.hierarchy)
    keep = _Kept(universe)
    training = set(train)
    keep.only("unseen", f"not in {recipe.train}", lambda wnid: wnid not in training)
    with step(f"{recipe.name}: words and their meanings"):
        _word_steps(database, recipe, hierarchy, keep)
    if recipe.population_above is not None:
        with _naming(recipe, "population_above"):
            populations = require_populations(database, recipe.universe)
        limit = recipe.population_above
        keep.only(
            "population",
            f"more than {limit} images",
            lambda wnid: populations.get(wnid, -1) > limit,
        )
    _exclusion_steps(database, recipe, hierarchy, keep)
    with step(f"{recipe.name}: classes above and below {recipe.train}"):
        overlapping = _overlapping(hierarchy, train)
    keep.only(
        "disjoint",
        f"neither above nor below a class of {recipe.train}",
        lambda wnid: wnid not in overlapping,
    )
    selection = ties = None
    wnids = sorted(keep.wnids)
    if recipe.size is not None:
        with step(f"{recipe.name}: choosing {recipe.size:,} of {len(wnids):,} classes"):
            selection = select(hierarchy, train, wnids, recipe.size, recipe.spread)
        with step(f"{recipe.name}: ties at the cut"):
            ties = ties_at_the_cut(hierarchy, train, wnids, selection.wnids, recipe.spread)
        chosen = set(selection.wnids)
        rule = f"{recipe.size} disjoint classes of the largest structural ratio"
        keep.only(
            "selection",
            rule + (f", spread {recipe.spread:g}" if recipe.spread else ""),
            chosen.__contains__,
        )
        wnids = selection.wnids
    with step(f"{recipe.name}: statistics"):
        populations = populations_of(database, wnids)
        measured = statistics(hierarchy, wnids, train, universe, populations, selection, ties)
    return Built(recipe, wnids, keep.steps, selection, measured)


def store(database: Database, built: Built) -> None:
    """Store the classes as a split under the recipe's name, with the recipe, its steps and its
    statistics."""
    recipe = built.recipe
    split = Split(
        recipe.name,
        built.wnids,
        recipe.train,
        recipe.universe,
        recipe.hierarchy,
        disjoint=recipe.size is not None,
    )
    provenance = {
        "recipe": recipe.text,
        "recipe_sha256": recipe.sha256,
        "steps": json.dumps([step.row() for step in built.steps]),
        "statistics": json.dumps(built.statistics),
    }
    store_split(database, split, provenance)


def populations_of(database: Database, wnids: Sequence[str]) -> dict[str, int]:
    """wnid -> images, of the classes where the database knows them."""
    rows = database.rows_in_batches(query("synset_properties"), sorted(wnids))
    return {row["wnid"]: row["population"] for row in rows if row["population"] is not None}


class _Kept:
    """The classes that are left, and the steps that left them."""

    def __init__(self, wnids: Sequence[str]):
        self.wnids = list(wnids)
        self.steps = [Step("universe", "all classes", len(wnids), 0)]

    def only(self, step: str, rule: str, keeps: Any) -> None:
        before = len(self.wnids)
        self.wnids = [wnid for wnid in self.wnids if keeps(wnid)]
        self.steps.append(Step(step, rule, len(self.wnids), before - len(self.wnids)))


@contextmanager
def _naming(recipe: Recipe, key: str, entry: str = "") -> Iterator[None]:
    """Errors of the data inside the block name the recipe's line of a key, or of an entry of its
    list."""
    try:
        yield
    except (DataError, SplitError) as error:
        raise SettingsError(f"{recipe.where(key, entry)}: {error}") from None


def _word_steps(database: Database, recipe: Recipe, hierarchy: Hierarchy, keep: _Kept) -> None:
    if recipe.frequency_above is None and recipe.meaning is None:
        return
    words = read_words(database, recipe.universe)
    if recipe.frequency_above is not None:
        with _naming(recipe, "frequency_above"):
            frequencies = words.frequencies(recipe.frequency_of)
        limit = recipe.frequency_above
        rule = f"{recipe.frequency_of} frequency of its labels above {limit}"
        keep.only("frequency", rule, lambda wnid: frequencies.get(wnid, 0) > limit)
    if recipe.meaning is not None:
        vectors = None
        if recipe.meaning == "neighbours":
            from graphzsl.semantics.vectors import read_vectors

            with _naming(recipe, "vectors"):
                vectors = read_vectors(recipe.path.parent / str(recipe.vectors))
        primary = survivors(meanings(database, words, recipe.meaning, hierarchy, vectors))
        keep.only("meaning", f"primary meaning of a label ({recipe.meaning})", primary.__contains__)


def _exclusion_steps(database: Database, recipe: Recipe, hierarchy: Hierarchy, keep: _Kept) -> None:
    for entry, wnid in zip(recipe.exclude, recipe.excluded, strict=True):
        with _naming(recipe, "exclude", entry):
            below = hierarchy.subtree([wnid])
        keep.only(
            "exclusion", f"not {entry}, nor below it", lambda wnid, below=below: wnid not in below
        )
    for name in recipe.exclude_sets:
        with _naming(recipe, "exclude_sets", name):
            there = set(members(database, name))
        keep.only("exclusion", f"not in {name}", lambda wnid, there=there: wnid not in there)


def _overlapping(hierarchy: Hierarchy, train: Sequence[str]) -> set[str]:
    """Training classes and everything above or below one."""
    positions = hierarchy.positions(train)
    return {
        hierarchy.wnids[p]
        for part in (hierarchy.ancestor_or_self_matrix, hierarchy.descendant_matrix)
        for p in np.unique(part[positions].indices)
    }

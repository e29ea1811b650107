"""The steps of a recipe before its selection: each keeps some of the classes that are left."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from graphzsl.analysis.words.from_database import meanings, read_words
from graphzsl.analysis.words.meaning import survivors
from graphzsl.benchmark.inputs import Inputs
from graphzsl.benchmark.recipe import Recipe
from graphzsl.errors import DataError, SettingsError, SplitError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.progress import step


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
class Prepared:
    """What the steps before a selection leave: the classes (sorted by wnid), and for each class of
    the universe that was dropped the rule that did it."""

    universe: list[str]
    train: list[str]
    hierarchy: Hierarchy
    wnids: list[str]
    steps: list[Step]
    dropped: dict[str, str]


def prepare(inputs: Inputs, recipe: Recipe) -> Prepared:
    """The steps of a recipe up to its selection, which is the part that takes long."""
    with naming(recipe, "universe"):
        universe = inputs.members(recipe.universe)
    with naming(recipe, "train"):
        train = inputs.members(recipe.train)
    with naming(recipe, "hierarchy"), step(f"{recipe.name}: reading the hierarchy"):
        hierarchy = inputs.hierarchy(recipe.hierarchy)
    keep = _Kept(universe)
    training = set(train)
    keep.only("unseen", f"not in {recipe.train}", lambda wnid: wnid not in training)
    with step(f"{recipe.name}: words and their meanings"):
        _word_steps(inputs, recipe, hierarchy, keep)
    if recipe.population_above is not None:
        with naming(recipe, "population_above"):
            populations = inputs.populations(recipe.universe)
        limit = recipe.population_above
        keep.only(
            "population",
            f"more than {limit} images",
            lambda wnid: populations.get(wnid, -1) > limit,
        )
    _exclusion_steps(inputs, recipe, hierarchy, keep)
    if recipe.leaves:
        inner = _above(hierarchy, universe)
        keep.only(
            "leaves",
            f"no class of {recipe.universe} below it",
            lambda wnid: wnid not in inner,
        )
    if recipe.disjoint:
        with step(f"{recipe.name}: classes above and below {recipe.train}"):
            overlapping = _overlapping(hierarchy, train)
        keep.only(
            "disjoint",
            f"neither above nor below a class of {recipe.train}",
            lambda wnid: wnid not in overlapping,
        )
    return Prepared(universe, train, hierarchy, sorted(keep.wnids), keep.steps, keep.dropped)


@contextmanager
def naming(recipe: Recipe, key: str, entry: str = "") -> Iterator[None]:
    """Errors of the data inside the block name the recipe's line of a key, or of an entry of its
    list."""
    try:
        yield
    except (DataError, SplitError) as error:
        raise SettingsError(f"{recipe.where(key, entry)}: {error}") from None


class _Kept:
    """The classes that are left, and the steps that left them."""

    def __init__(self, wnids: Sequence[str]):
        self.wnids = list(wnids)
        self.steps = [Step("universe", "all classes", len(wnids), 0)]
        self.dropped: dict[str, str] = {}

    def only(self, step: str, rule: str, keeps: Any) -> None:
        kept = [wnid for wnid in self.wnids if keeps(wnid)]
        self.dropped |= dict.fromkeys(set(self.wnids) - set(kept), rule)
        self.steps.append(Step(step, rule, len(kept), len(self.wnids) - len(kept)))
        self.wnids = kept


def _word_steps(inputs: Inputs, recipe: Recipe, hierarchy: Hierarchy, keep: _Kept) -> None:
    if recipe.frequency_above is None and recipe.meaning is None:
        return
    with naming(recipe, "meaning" if recipe.frequency_above is None else "frequency_above"):
        database = inputs.database
    words = read_words(database, recipe.universe)
    if recipe.frequency_above is not None:
        with naming(recipe, "frequency_above"):
            frequencies = words.frequencies(recipe.frequency_of)
        limit = recipe.frequency_above
        unknown = sum(wnid not in frequencies for wnid in keep.wnids)
        rule = f"{recipe.frequency_of} frequency of its labels above {limit}"
        rule += f" ({inputs.frequency_scale})"
        if unknown:
            rule += f"; {unknown:,} without a frequency are dropped"
        keep.only("frequency", rule, lambda wnid: frequencies.get(wnid, -1) > limit)
    if recipe.meaning is not None:
        vectors = None
        if recipe.meaning == "neighbours":
            from graphzsl.semantics.vectors import is_packaged, open_vectors

            given = str(recipe.vectors)
            with naming(recipe, "vectors"):
                beside = recipe.path.parent / given
                own = beside.exists() or not is_packaged(given)
                vectors = open_vectors(beside if own else given)
        primary = survivors(meanings(database, words, recipe.meaning, hierarchy, vectors))
        keep.only("meaning", f"primary meaning of a label ({recipe.meaning})", primary.__contains__)


def _exclusion_steps(inputs: Inputs, recipe: Recipe, hierarchy: Hierarchy, keep: _Kept) -> None:
    for entry, wnid in zip(recipe.exclude, recipe.excluded, strict=True):
        with naming(recipe, "exclude", entry):
            below = hierarchy.subtree([wnid])
        keep.only(
            "exclusion", f"not {entry}, nor below it", lambda wnid, below=below: wnid not in below
        )
    for name in recipe.exclude_sets:
        with naming(recipe, "exclude_sets", name):
            there = set(inputs.members(name))
        keep.only("exclusion", f"not in {name}", lambda wnid, there=there: wnid not in there)


def _above(hierarchy: Hierarchy, classes: Sequence[str]) -> set[str]:
    """Everything that is above one of the classes."""
    above = np.unique(hierarchy.ancestor_matrix[hierarchy.positions(classes)].indices)
    return {hierarchy.wnids[node] for node in above}


def _overlapping(hierarchy: Hierarchy, train: Sequence[str]) -> set[str]:
    """Training classes and everything above or below one."""
    positions = hierarchy.positions(train)
    return {
        hierarchy.wnids[p]
        for part in (hierarchy.ancestor_or_self_matrix, hierarchy.descendant_matrix)
        for p in np.unique(part[positions].indices)
    }

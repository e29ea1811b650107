"""The steps of a recipe before its selection: each keeps some of the classes that are left."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.analysis.words.meaning import meanings_of, survivors
from graphzsl.benchmark.inputs import Inputs
from graphzsl.benchmark.recipe import Recipe
from graphzsl.errors import DataError, SettingsError, SplitError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import check_nodes, resolve_entries
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


def prepare(inputs: Inputs, recipe: Recipe, checked: bool = False) -> Prepared:
    """The steps of a recipe up to its selection, which is the part that takes long. Errors are
    those of ``check_inputs``, for what was not ``checked`` before."""
    if not checked:
        check_inputs(inputs, recipe, compared=False)
    hierarchy = inputs.hierarchy(recipe.hierarchy)
    universe, train = inputs.members(recipe.universe), inputs.members(recipe.train)
    keep = _Kept(universe)
    training = set(train)
    keep.only("unseen", f"not in {recipe.train}", lambda wnid: wnid not in training)
    with step(f"{recipe.name}: words and their meanings"):
        _word_steps(inputs, recipe, hierarchy, keep)
    if recipe.population_above is not None:
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


def check_inputs(
    inputs: Inputs, recipe: Recipe, made: Collection[str] = (), compared: bool = True
) -> None:
    """SettingsError, with the recipe's line, for what a recipe names and the inputs do not have:
    all that can be known before any work begins.

    Args:
        inputs: what the recipe will read.
        recipe: the recipe.
        made: names of splits that will be there by then.
        compared: the published lists have to be there too, which are compared in the end.
    """
    with naming(recipe, "hierarchy"), step(f"{recipe.name}: reading the hierarchy"):
        hierarchy = inputs.hierarchy(recipe.hierarchy)
    for key, name in (("universe", recipe.universe), ("train", recipe.train)):
        if name not in made:
            with naming(recipe, key):
                hierarchy.positions(inputs.members(name))
    for name in recipe.exclude_sets:
        if name not in made:
            with naming(recipe, "exclude_sets", name):
                inputs.members(name)
    for name in recipe.compare if compared else ():
        if name not in made:
            with naming(recipe, "compare", name):
                inputs.listed(name)
    excluded_of(inputs, recipe, hierarchy)
    if recipe.vectors is not None:
        with naming(recipe, "vectors"):
            _vectors_of(recipe)
    if recipe.universe in made:
        return
    if recipe.population_above is not None:
        with naming(recipe, "population_above"):
            inputs.populations(recipe.universe)
    if recipe.frequency_above is not None:
        with naming(recipe, "frequency_above"):
            inputs.frequency_scale  # noqa: B018 - it raises where there are none
            inputs.words(recipe.universe).frequencies(recipe.frequency_of)


def excluded_of(inputs: Inputs, recipe: Recipe, hierarchy: Hierarchy) -> list[str]:
    """The wnids of what a recipe excludes; SettingsError with the lines of what is not clear, no
    node of the hierarchy, or there twice."""
    if not recipe.exclude:
        return []
    entries = recipe.excluded
    try:
        wnids = resolve_entries(entries, inputs.vocabulary)
        check_nodes(entries, wnids, hierarchy)
    except DataError as error:
        raise SettingsError(str(error)) from None
    return wnids


def _vectors_of(recipe: Recipe) -> Path | str:
    """The file of a recipe's word vectors, or the name of their package; DataError where there is
    neither."""
    from graphzsl.semantics.packaged_vectors import PACKAGES
    from graphzsl.semantics.vectors import is_packaged

    given = str(recipe.vectors)
    beside = recipe.path.parent / given
    if beside.exists():
        return beside
    if is_packaged(given):
        return given
    raise DataError(
        f"{beside} does not exist, and {given!r} is not the name of packaged word vectors"
        f" ({', '.join(PACKAGES)})."
    )


@contextmanager
def naming(recipe: Recipe, key: str, entry: str = "") -> Iterator[None]:
    """Errors of the data inside the block name the recipe's line of a key, or of an entry of its
    list; or the argument that gave the key another value."""
    try:
        yield
    except (DataError, SplitError) as error:
        if key in recipe.other and not entry:
            raise SettingsError(str(error), argument=key) from None
        raise SettingsError(f"{recipe.where(key, entry)}: {error}") from None


class _Kept:
    """The classes that are left, and the steps that left them."""

    def __init__(self, wnids: Sequence[str]):
        self.wnids = list(wnids)
        self.steps = [Step("universe", "all classes", len(wnids), 0)]
        self.dropped: dict[str, str] = {}

    def only(self, step: str, rule: str, keeps: Any) -> None:
        before, self.wnids = self.wnids, []
        for wnid in before:
            if keeps(wnid):
                self.wnids.append(wnid)
            else:
                self.dropped[wnid] = rule
        self.steps.append(Step(step, rule, len(self.wnids), len(before) - len(self.wnids)))


def _word_steps(inputs: Inputs, recipe: Recipe, hierarchy: Hierarchy, keep: _Kept) -> None:
    if recipe.frequency_above is None and recipe.meaning is None:
        return
    words = inputs.words(recipe.universe)
    if recipe.frequency_above is not None:
        frequencies = words.frequencies(recipe.frequency_of)
        limit = recipe.frequency_above
        unknown = sum(wnid not in frequencies for wnid in keep.wnids)
        rule = f"{recipe.frequency_of} frequency of its labels above {limit}"
        rule += f" ({inputs.frequency_scale})"
        if unknown:
            rule += f"; {unknown:,} without a frequency are dropped"
        keep.only("frequency", rule, lambda wnid: frequencies.get(wnid, -1) > limit)
    if recipe.meaning is not None:
        vectors, first = None, {}
        if recipe.meaning == "neighbours":
            from graphzsl.semantics.vectors import open_vectors

            with naming(recipe, "vectors"):
                vectors = open_vectors(_vectors_of(recipe))
            first = dict(inputs.first_words())
        primary = survivors(meanings_of(words, recipe.meaning, hierarchy, first, vectors))
        keep.only("meaning", f"primary meaning of a label ({recipe.meaning})", primary.__contains__)


def _exclusion_steps(inputs: Inputs, recipe: Recipe, hierarchy: Hierarchy, keep: _Kept) -> None:
    for entry, wnid in zip(recipe.exclude, excluded_of(inputs, recipe, hierarchy), strict=True):
        below = hierarchy.subtree([wnid])
        keep.only(
            "exclusion", f"not {entry}, nor below it", lambda wnid, below=below: wnid not in below
        )
    for name in recipe.exclude_sets:
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

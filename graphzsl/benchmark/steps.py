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
from graphzsl.common.errors import DataError, SettingsError, SplitError
from graphzsl.common.progress import step
from graphzsl.common.toml_problems import Problem, line_of_key, refusal
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import check_nodes, resolve_entries
from graphzsl.sources.imagenet import class_entries
from graphzsl.sources.published import loading

#: How the names of files of classes end.
_LISTS = (".txt", ".csv", ".tsv", ".json")


@dataclass(frozen=True)
class Step:
    """Result of one step of a recipe: how many classes it kept and dropped."""

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
    """Result of the steps before a selection: the classes (sorted by wnid), and for each dropped
    class of the universe the rule that dropped it."""

    universe: list[str]
    train: list[str]
    hierarchy: Hierarchy
    wnids: list[str]
    steps: list[Step]
    dropped: dict[str, str]


def prepare(inputs: Inputs, recipe: Recipe, checked: bool = False) -> Prepared:
    """Run the steps of a recipe up to its selection, which takes long. Raises the errors of
    ``check_inputs`` unless the inputs were ``checked`` before."""
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
    inputs: Inputs,
    recipe: Recipe,
    made: Collection[str] = (),
    compared: bool = True,
) -> None:
    """Raise SettingsError, with the recipe's lines, for everything that a recipe names and the
    inputs lack, as far as can be known before any work begins. A problem that only follows from
    another one is left out.

    Args:
        inputs: what the recipe will read.
        recipe: the recipe.
        made: names of splits that will be there by then.
        compared: the published lists have to be there too, which are compared in the end.
    """
    found = _Found(recipe)
    hierarchy = None
    with found.at("hierarchy"), step(f"{recipe.name}: reading the hierarchy"):
        hierarchy = inputs.hierarchy(recipe.hierarchy)
    for key, name in (("universe", recipe.universe), ("train", recipe.train)):
        if name not in made:
            with found.at(key):
                classes = inputs.members(name)
                if hierarchy is not None:
                    hierarchy.positions(classes)
    for name in recipe.exclude_sets:
        if name not in made:
            with found.at("exclude_sets", name):
                inputs.members(name)
    for name in recipe.compare if compared else ():
        if name not in made:
            with found.at("compare", name):
                inputs.listed(name)
    if hierarchy is not None:
        found.check_excluded(inputs, hierarchy)
    if recipe.vectors is not None:
        with found.at("vectors"):
            _vectors_of(recipe)
    if recipe.universe not in made and not found.has("universe"):
        _check_universe(inputs, recipe, found)
    found.raise_any()


def check_files(recipe: Recipe) -> None:
    """Raise SettingsError, with the recipe's lines, for problems of the files that a recipe names,
    as far as they are known without a database."""
    found = _Found(recipe)
    for key, name in (("universe", recipe.universe), ("train", recipe.train)):
        with found.at(key):
            _check_no_file(name)
    for name in recipe.exclude_sets:
        with found.at("exclude_sets", name):
            _check_no_file(name)
    for name in recipe.compare:
        if Path(name).is_file():
            with found.at("compare", name):
                class_entries(name)
    if recipe.vectors is not None:
        with found.at("vectors"):
            _vectors_of(recipe)
    found.raise_any()


def _check_no_file(name: str) -> None:
    """Raise DataError for a name of a file: databases know class sets."""
    if Path(name).name == name and Path(name).suffix.lower() not in _LISTS:
        return
    is_there = "is a file" if Path(name).is_file() else "would be a file, and there is none"
    raise DataError(
        f"{name!r} {is_there}. A recipe takes class sets of the database: make one of the file with"
        f" {loading(name)}, and write its name, {Path(name).stem}. Without a database, where lists"
        " are written to a folder, files are taken."
    )


def _check_universe(inputs: Inputs, recipe: Recipe, found: _Found) -> None:
    """Check that the inputs know the populations and frequencies that a recipe needs of its
    universe."""
    if recipe.population_above is not None:
        with found.at("population_above"):
            inputs.populations(recipe.universe)
    if recipe.frequency_above is not None:
        with found.at("frequency_above"):
            inputs.frequency_scale  # noqa: B018 - it raises where there are none
            inputs.words(recipe.universe).frequencies(recipe.frequency_of)


class _Found:
    """Problems of a recipe, collected for one error."""

    def __init__(self, recipe: Recipe):
        self.recipe = recipe
        self.problems: list[Problem] = []
        self.of_arguments: list[SettingsError] = []
        self.with_lines: list[tuple[int, str]] = []

    @contextmanager
    def at(self, key: str, entry: str = "") -> Iterator[None]:
        """Attribute errors of the data inside the block to a key, or to an entry of its list."""
        try:
            yield
        except (DataError, SplitError) as error:
            if key in self.recipe.other and not entry:
                self.of_arguments.append(SettingsError(str(error), argument=key))
            else:
                self.problems.append(Problem((key,), str(error), entry))

    def check_excluded(self, inputs: Inputs, hierarchy: Hierarchy) -> None:
        """Check the exclusions, whose errors name their own lines."""
        try:
            excluded_of(inputs, self.recipe, hierarchy)
        except SettingsError as error:
            self.with_lines.append((line_of_key(self.recipe.source, "exclude"), str(error)))

    def has(self, key: str) -> bool:
        """True if the value of a key has a problem."""
        return any(each.path == (key,) for each in self.problems) or any(
            error.argument == key for error in self.of_arguments
        )

    def raise_any(self) -> None:
        """Raise SettingsError for the problems found; if an argument of the caller is wrong, for
        that alone."""
        if self.of_arguments:
            raise self.of_arguments[0]
        if self.problems or self.with_lines:
            raise refusal(
                self.problems, self.recipe.source, self.recipe.place, self.with_lines
            ) from None


def excluded_of(inputs: Inputs, recipe: Recipe, hierarchy: Hierarchy) -> list[str]:
    """Resolve the wnids that a recipe excludes. Raises SettingsError with the lines of entries that
    are not clear, are no nodes of the hierarchy, or are repeated."""
    if not recipe.exclude:
        return []
    try:
        wnids = resolve_entries(recipe.excluded, inputs.vocabulary)
        check_nodes(recipe.excluded, wnids, hierarchy)
    except DataError as error:
        raise SettingsError(str(error)) from None
    return wnids


def _vectors_of(recipe: Recipe) -> Path | str:
    """The file of a recipe's word vectors, or the name of their package; DataError where there is
    neither."""
    from graphzsl.data.packaged_vectors import PACKAGES
    from graphzsl.data.word_vectors import is_packaged

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
def naming(recipe: Recipe, key: str) -> Iterator[None]:
    """Errors of the data inside the block name the recipe's line of a key, or the argument that
    gave the key another value."""
    try:
        yield
    except (DataError, SplitError) as error:
        if key in recipe.other:
            raise SettingsError(str(error), argument=key) from None
        raise SettingsError(f"{recipe.where(key)}: {error}") from None


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
            from graphzsl.data.word_vectors import open_vectors

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

"""Running a recipe: step by step from the universe to the test classes, with the share that every
step keeps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from graphzsl.benchmark.class_selection import Selection, select
from graphzsl.benchmark.inputs import Inputs, StoredInputs
from graphzsl.benchmark.ranking import Level, Ranking, cut, rank
from graphzsl.benchmark.recipe import Recipe
from graphzsl.benchmark.statistics import statistics
from graphzsl.benchmark.steps import Prepared, Step, naming, prepare
from graphzsl.benchmark.ties import Ties, ties_at_the_cut
from graphzsl.common.progress import step
from graphzsl.database.client import Database
from graphzsl.splits.store import Split, store_split


@dataclass(frozen=True)
class Built:
    """The classes of a recipe, its steps, and the selection when the recipe has a size.

    Classes are sorted by wnid; those of levels are in the order of the ranking, nearest first.
    """

    recipe: Recipe
    wnids: list[str]
    steps: list[Step]
    selection: Selection | None
    statistics: dict[str, Any]
    #: with ``rank_by``: every level as a benchmark of its own, with the level it is
    levels: tuple[tuple[Level, Built], ...] = ()
    ranking: Ranking | None = None
    prepared: Prepared | None = field(default=None, repr=False)

    @property
    def splits(self) -> list[Built]:
        """Results to store: one per level, or this one if there are no levels."""
        return [built for _, built in self.levels] or [self]


def build(database: Database, recipe: Recipe) -> Built:
    """Run a recipe on a database. Errors name the recipe's line: a universe without populations or
    frequencies, an unknown class set or wnid."""
    return run(StoredInputs(database), recipe)


def run(inputs: Inputs, recipe: Recipe, checked: bool = False) -> Built:
    """Build a recipe from any ``Inputs``; ``checked`` if ``check_inputs`` has accepted it."""
    ready = prepare(inputs, recipe, checked)
    if recipe.rank_by is not None:
        return _ranked(inputs, recipe, ready)
    selection = ties = None
    wnids, steps = ready.wnids, ready.steps
    if recipe.size is not None:
        with step(f"{recipe.name}: choosing {recipe.size:,} of {len(wnids):,} classes"):
            selection = select(ready.hierarchy, ready.train, wnids, recipe.size, recipe.spread)
        with step(f"{recipe.name}: ties at the cut"):
            ties = ties_at_the_cut(
                ready.hierarchy, ready.train, wnids, selection.wnids, recipe.spread
            )
        rule = f"{recipe.size} disjoint classes of the largest structural ratio"
        rule += f", spread {recipe.spread:g}" if recipe.spread else ""
        chosen = selection.wnids
        steps = [*steps, Step("selection", rule, len(chosen), len(wnids) - len(chosen))]
        wnids = chosen
    with step(f"{recipe.name}: statistics"):
        measured = _measured(inputs, ready, wnids, selection, ties)
    return Built(recipe, wnids, steps, selection, measured, prepared=ready)


def ranking_of(recipe: Recipe, ready: Prepared) -> Ranking:
    """The ranking of the classes that the steps of a recipe with ``rank_by`` leave."""
    assert recipe.rank_by is not None
    with step(f"{recipe.name}: ranking {len(ready.wnids):,} classes by {recipe.rank_by}"):
        return rank(
            ready.hierarchy,
            ready.wnids,
            ready.train,
            recipe.rank_by,
            recipe.rank_of,
            ready.universe,
        )


def levels_of(recipe: Recipe, ranking: Ranking) -> list[Level]:
    """The levels of a recipe, or the one that it is of; SettingsError names its line where there
    are too few classes."""
    with naming(recipe, "size" if recipe.size is not None else "levels"):
        found = cut(ranking, recipe.names_of_levels, recipe.size)
    return found if recipe.level is None else [found[recipe.level - 1]]


def _ranked(inputs: Inputs, recipe: Recipe, ready: Prepared) -> Built:
    ranking = ranking_of(recipe, ready)
    levels = levels_of(recipe, ranking)
    count, steps = len(ready.wnids), ready.steps
    if len(ranking.wnids) < count:
        steps = [
            *steps,
            Step(
                "joined",
                f"joined to {'all' if recipe.rank_of == 'total' else 'a class'} of {recipe.train}",
                len(ranking.wnids),
                count - len(ranking.wnids),
            ),
        ]
    parts = []
    for place, level in enumerate(levels, 1):
        own = recipe if recipe.level is not None else recipe.of_level(place)
        rule = (
            f"level {level.name}: ranks {level.start + 1:,} to {level.stop:,} by {recipe.rank_of}"
            f" distance ({recipe.rank_by})"
        )
        kept = len(level.wnids)
        last = Step("level", rule, kept, len(ranking.wnids) - kept)
        with step(f"{own.name}: statistics"):
            measured = {
                **_measured(inputs, ready, level.wnids),
                "nearest": level.nearest,
                "farthest": level.farthest,
            }
        parts.append((level, Built(own, level.wnids, [*steps, last], None, measured)))
    wnids = [wnid for level in levels for wnid in level.wnids]
    every = parts[0][1].statistics if len(parts) == 1 else {}
    return Built(recipe, wnids, steps, None, every, tuple(parts), ranking, ready)


def store(database: Database, built: Built) -> None:
    """Store the classes as a split under the recipe's name, or those of each level under its own,
    with the recipe, its steps and its statistics."""
    for part in built.splits:
        _store(database, part)


def _store(database: Database, built: Built) -> None:
    recipe = built.recipe
    split = Split(
        recipe.name,
        built.wnids,
        recipe.train,
        recipe.universe,
        recipe.hierarchy,
        disjoint=recipe.size is not None and recipe.rank_by is None,
    )
    provenance = {
        "recipe": recipe.text,
        "recipe_sha256": recipe.sha256,
        "steps": [step.row() for step in built.steps],
        "statistics": built.statistics,
    }
    store_split(database, split, provenance)


def _measured(
    inputs: Inputs,
    ready: Prepared,
    wnids: Sequence[str],
    selection: Selection | None = None,
    ties: Ties | None = None,
) -> dict[str, Any]:
    populations = inputs.populations_of(wnids)
    classes = wnids, ready.train, ready.universe
    return statistics(ready.hierarchy, *classes, populations, selection, ties)

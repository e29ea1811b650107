"""Classes that a recipe has and has not in common with a published list, and the reasons."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.benchmark.build import Built, levels_of, ranking_of
from graphzsl.benchmark.inputs import Inputs, StoredInputs
from graphzsl.benchmark.ranking import Level, Ranking
from graphzsl.benchmark.recipe import Recipe, parse_recipe
from graphzsl.benchmark.steps import Prepared, prepare
from graphzsl.common.wording import counted
from graphzsl.database.client import Database
from graphzsl.hierarchy.class_tree import ClassTree
from graphzsl.splits.compare import compared_classes, group_differences
from graphzsl.splits.store import load_split, split_properties

#: Columns of the table of lists that were compared.
COMPARED = ("split", "published", "published_size", "size", "both", "only_published", "only_here")


@dataclass(frozen=True)
class Compared:
    """A split of a recipe against a published list; ``rows`` are the classes that one of them
    lacks."""

    split: str
    published: str
    published_size: int
    size: int
    rows: list[dict[str, Any]]

    def row(self) -> dict[str, Any]:
        """``COMPARED``."""
        here = sum(row["only_in"] == self.split for row in self.rows)
        return {
            "split": self.split,
            "published": self.published,
            "published_size": self.published_size,
            "size": self.size,
            "both": self.size - here,
            "only_published": len(self.rows) - here,
            "only_here": here,
        }

    def reasons(self) -> list[dict[str, Any]]:
        """The classes that one of both lacks, counted by side and reason, with the smallest and
        the largest distance of each group."""
        found = []
        for group in group_differences(self.rows):
            distances = [
                row["distance"]
                for row in self.rows
                if (row["only_in"], row["reason"]) == (group["only_in"], group["reason"])
                and row["distance"] is not None
            ]
            ends = {"nearest": min(distances), "farthest": max(distances)} if distances else {}
            found.append({**group, **{key: ends.get(key) for key in ("nearest", "farthest")}})
        return found


def compare(inputs: Inputs, built: Built) -> list[Compared]:
    """Every level of a built recipe against the list that the recipe names for it; none where it
    names none."""
    if not built.recipe.compare or built.ranking is None or built.prepared is None:
        return []
    lists = {name: set(inputs.listed(name)) for name in built.recipe.compare}
    names = built.recipe.compare
    if built.recipe.level is not None:
        names = (names[built.recipe.level - 1],)
    found, tree = [], _class_tree(built.recipe, built.prepared)
    for (level, part), name in zip(built.levels, names, strict=True):
        theirs = lists[name]
        why = _Reasons(part.recipe, built.prepared, built.ranking, level, tree)
        elsewhere = {
            wnid: f"in the published list {other}"
            for other, wnids in lists.items()
            if other != name
            for wnid in wnids
        }
        ours = {
            wnid: f"in the level {other.name}"
            for other, _ in built.levels
            if other is not level
            for wnid in other.wnids
        }
        rows = _rows(why, part.recipe.name, set(level.wnids), name, theirs, ours, elsewhere)
        found.append(Compared(part.recipe.name, name, len(theirs), len(level.wnids), rows))
    return found


def recipe_differences(
    database: Database, name: str, other: str | Path
) -> list[dict[str, Any]] | None:
    """Rows of ``splits.diff`` for a split that was built by a recipe, with the recipe's reasons:
    the step that a class fails, or its rank. None if the split has no recipe.

    The steps of the recipe run again, without its selection.
    """
    split = load_split(database, name)
    text = split_properties(database, split.name).get("recipe")
    if text is None:
        return None
    recipe = parse_recipe(text, Path(f"{split.name}.toml"))
    label, theirs = compared_classes(database, other)
    ready = prepare(StoredInputs(database), recipe)
    ranking, level = None, None
    if recipe.rank_by is not None:
        ranking = ranking_of(recipe, ready)
        (level,) = levels_of(recipe, ranking)[:1]
    why = _Reasons(recipe, ready, ranking, level, _class_tree(recipe, ready))
    return _rows(why, split.name, set(split.wnids), label, theirs)


def _rows(
    why: _Reasons,
    name: str,
    ours: set[str],
    label: str,
    theirs: set[str],
    in_level: Mapping[str, str] | None = None,
    in_list: Mapping[str, str] | None = None,
) -> list[dict[str, Any]]:
    here, there = sorted(ours - theirs), sorted(theirs - ours)
    in_level, in_list = in_level or {}, in_list or {}
    return [
        *(why.row(wnid, name, in_list.get(wnid) or why.of_ours(wnid, len(there))) for wnid in here),
        *(why.row(wnid, label, in_level.get(wnid) or why.of_theirs(wnid, here)) for wnid in there),
    ]


@dataclass(frozen=True)
class _Reasons:
    """Reasons why a class is in a split of a recipe, or is not."""

    recipe: Recipe
    ready: Prepared
    ranking: Ranking | None
    level: Level | None
    tree: ClassTree | None

    def row(self, wnid: str, side: str, reason: str) -> dict[str, Any]:
        """A row of the differences, with the class's rank and distance where it has them, and the
        distance of the level's end that is next to it."""
        place = self.ranking.rank.get(wnid) if self.ranking else None
        return {
            "wnid": wnid,
            "name": self.ready.hierarchy.names.get(wnid),
            "only_in": side,
            "reason": reason,
            "rank": place,
            "distance": float(self.ranking.distances[place - 1])
            if self.ranking and place
            else None,
            "cut": self._cut(place - 1) if self.level and place else None,
        }

    def of_theirs(self, wnid: str, instead: Collection[str]) -> str:
        """Reason why a published class is not in the split."""
        if wnid not in self.ready.hierarchy.index:
            return "no node of the hierarchy"
        if wnid in self._training:
            return f"training class of {self.recipe.train}"
        if wnid not in self._universe:
            return f"not in the universe {self.recipe.universe}"
        if wnid in self.ready.dropped:
            return f"fails a step: {self.ready.dropped[wnid]}"
        if self.ranking is None or self.level is None:
            return "passes every step and is not chosen"
        if wnid not in self.ranking.rank:
            return f"not joined to {self.recipe.train}"
        place = self.ranking.rank[wnid] - 1
        end = self._cut(place)
        if self.ranking.distances[place] == end:
            return f"a tie with the level's end at distance {_distance(end)}"
        if self._over_another_way(wnid, inside=True):
            return "another way up to the root puts it into the level"
        # as many classes further than the level reaches as the published list has others
        distances, count = self.ranking.distances, len(self.ranking.wnids)
        low = distances[max(0, self.level.start - len(instead))]
        high = distances[min(count, self.level.stop + len(instead)) - 1]
        side = "nearer" if place < self.level.start else "farther"
        beyond = f"{side} than its end at distance {_distance(end)}"
        if low <= distances[place] <= high:
            ranks = counted(len(instead), "rank")
            return f"next to the level, {beyond}, by no more than {ranks} and their ties"
        return f"outside the level, {beyond}"

    def of_ours(self, wnid: str, others: int) -> str:
        """Reason why a class of the split is not in the published list, ``others`` being how many
        of its classes the split lacks."""
        if self.ranking is None or self.level is None or wnid not in self.ranking.rank:
            return "passes every step"
        place, count = self.ranking.rank[wnid] - 1, len(self.ranking.wnids)
        start, stop, distances = self.level.start, self.level.stop, self.ranking.distances
        above = start > 0 and distances[start - 1] == distances[place]
        if above or (stop < count and distances[stop] == distances[place]):
            return f"a tie with the level's end at distance {_distance(distances[place])}"
        if self._over_another_way(wnid, inside=False):
            return "another way up to the root puts it out of the level"
        ends = [place - start] * (start > 0) + [stop - 1 - place] * (stop < count)
        if min(ends, default=count) < others:
            within = f"within {counted(others, 'rank')} of the level's end"
            return f"{within} at distance {_distance(self._cut(place))}, where they have others"
        return "inside the level"

    def _cut(self, place: int) -> float:
        """The distance of the level's end that is next to a place in the ranking."""
        assert self.level is not None
        assert self.ranking is not None
        start, stop = self.level.start, self.level.stop
        at_start = start > 0 and (
            place < start or stop == len(self.ranking.wnids) or place - start < stop - 1 - place
        )
        return self.level.nearest if at_start and place < stop else self.level.farthest

    def _over_another_way(self, wnid: str, inside: bool) -> bool:
        """True if one of the class's paths up has a distance inside (outside) the level; the tree
        of the classes keeps only one of these paths."""
        if self.tree is None or self.level is None or self.ranking is None:
            return False
        node = self.ready.hierarchy.index[wnid]
        distances = self.tree.over_each_way(node, self._targets)
        ways = distances.sum(axis=1) if self.recipe.rank_of == "total" else distances.min(axis=1)
        far = self.level.stop < len(self.ranking.wnids)
        within = np.ones(len(ways), dtype=bool)
        if self.level.start:
            within &= ways >= self.level.nearest
        if far:
            within &= ways <= self.level.farthest
        return bool((within if inside else ~within).any())

    @cached_property
    def _training(self) -> frozenset[str]:
        return frozenset(self.ready.train)

    @cached_property
    def _universe(self) -> frozenset[str]:
        return frozenset(self.ready.universe)

    @cached_property
    def _targets(self) -> Any:
        return self.ready.hierarchy.positions(self.ready.train)


def _distance(value: float) -> str:
    return f"{value:,.6g}"


def _class_tree(recipe: Recipe, ready: Prepared) -> ClassTree | None:
    """The tree that a recipe ranks by, where it does."""
    if recipe.rank_by != "class-tree":
        return None
    return ClassTree(ready.hierarchy, sorted({*ready.train, *ready.universe}))

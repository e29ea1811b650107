"""A published benchmark: its classes, recipe and statistics, and what follows from them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path as FilePath
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.benchmark.recipe import Recipe, parse_recipe
from graphzsl.hierarchy.distances import Path
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.names.class_naming import DEFAULT_RULE, ClassNames, class_names


@dataclass(frozen=True, eq=False)
class Benchmark:
    """Content of a published benchmark; ``populations`` may lack classes, ``sources`` are the
    checksums of the data that was loaded where it was built."""

    name: str
    train: str
    universe: str
    hierarchy: str
    test: list[str]
    training: list[str]
    recipe: str
    statistics: dict[str, Any]
    steps: list[dict[str, Any]]
    populations: Mapping[str, int]
    universe_sha256: str
    sources: Mapping[str, str | None]
    queries: Mapping[str, str]
    graph: Hierarchy
    lexicon: Lexicon

    @cached_property
    def parsed(self) -> Recipe:
        """The recipe."""
        return parse_recipe(self.recipe, FilePath("recipe.toml"))

    @cached_property
    def names(self) -> ClassNames:
        """The class names of the test classes, by the default rule."""
        return class_names(self.test, DEFAULT_RULE, self.lexicon)

    @cached_property
    def distances(self) -> npt.NDArray[Any]:
        """[T, N + T] hops from every test class to the N training classes and the T test classes;
        the largest number of the type where there is no path."""
        # hops are measured from targets to targets
        columns = self.graph.positions([*self.training, *self.test])
        hops = Path(self.graph).to(columns)(columns[len(self.training) :])
        reached = np.isfinite(hops)
        kind = np.min_scalar_type(int(hops[reached].max(initial=0)) + 1)
        return np.where(reached, hops, np.iinfo(kind).max).astype(kind)

    @cached_property
    def closest(self) -> list[list[str]]:
        """Closest training classes of every test class, all ties, in the order of the list."""
        away = self.distances[:, : len(self.training)]
        unreachable = np.iinfo(away.dtype).max
        nearest = away.min(axis=1, initial=unreachable)
        ties = (away == nearest[:, None]) & (nearest < unreachable)[:, None]
        return [[self.training[at] for at in np.flatnonzero(row)] for row in ties]

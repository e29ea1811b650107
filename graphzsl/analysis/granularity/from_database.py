"""Grouping from a database: the data that it needs, and groups at every lambda."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from graphzsl.analysis.granularity import groups as grouping
from graphzsl.analysis.granularity.leaves import leaf_classes
from graphzsl.common.errors import DataError
from graphzsl.common.progress import progress_bar
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.database.library import query


class Grouping:
    """The classes of a set (or those given) with the data of the database that grouping needs:
    hierarchy, first words, naturalness.

    With ``leaves`` those of them alone that have no other below them; ``columns`` are their places
    among all.
    """

    def __init__(
        self,
        database: Database,
        class_set: str,
        counts: str = "senses",
        hierarchy: str = "wordnet",
        classes: list[str] | None = None,
        leaves: bool = False,
    ):
        self.database = database
        given = classes or members(self.database, class_set)
        self.hierarchy = read_hierarchy(self.database, hierarchy)
        self.hierarchy.positions(given)
        self.classes, self.columns = given, np.arange(len(given))
        self.leaves_below: dict[str, list[str]] = {}
        if leaves:
            found = leaf_classes(self.hierarchy, given)
            self.classes, self.columns = found.classes, found.columns
            self.leaves_below = found.below
        values = {row["wnid"]: row[counts] for row in self.database.many_rows(query("naturalness"))}
        if not any(values.values()):
            raise DataError(
                "No word has a frequency. Run `graphzsl load frequencies FILE`, or count senses.",
                argument="counts",
            )
        self.natural = grouping.naturalness(
            {wnid: count for wnid, count in values.items() if count}, self.hierarchy.wnids
        )
        self.names = {
            row["wnid"]: row["text"] for row in self.database.many_rows(query("first_words"))
        }

    def at(self, weight: float, merge: bool = True) -> grouping.Groups:
        """The groups at one lambda."""
        return grouping.group(self.classes, self._heads(weight), self.names, merge)

    def _heads(self, weight: float) -> list[str]:
        return grouping.translate(self.hierarchy, self.classes, self.natural, weight)

    def sweep(
        self,
        steps: int,
        scored: Any = None,
        described: Any = None,
        top: int | None = None,
        seed: int = 0,
        aggregate: str = "max",
    ) -> Iterator[dict[str, Any]]:
        """The groups at every lambda from 0 to 1: how many, how large, how deep; with scores
        (``asked``) their NDCG too."""
        for number in progress_bar(range(steps + 1), "lambda"):
            weight = number / steps
            heads = self._heads(weight)
            made = grouping.group(self.classes, heads, self.names)
            places = self.hierarchy.positions(sorted(set(heads)))
            row = {
                "lambda": weight,
                "groups": len(made.labels),
                "largest": int(made.sizes.max()),
                "depth_mean": float(self.hierarchy.min_depth[places].mean()),
            }
            judged = self.ndcg(heads, scored, described, top, seed, aggregate) if scored else {}
            yield row | judged

    def ndcg(
        self,
        heads: list[str],
        scored: Any,
        described: Any,
        top: int | None,
        seed: int,
        aggregate: str = "max",
    ) -> dict[str, Any]:
        """NDCG of the groups of these heads and of as many random ones of the same sizes, on
        (scores, classes, labels) or described samples."""
        scores, _, labels = scored
        words = self._words() if described is not None else {}
        scores_of: dict[str, Any] = {}
        for name, of_classes in (("semantic", heads), ("random", grouping.shuffled(heads, seed))):
            part = grouping.group(self.classes, of_classes, self.names)
            relevance = (
                grouping.relevance_of_words(part, words, described, self.leaves_below)
                if described is not None
                else grouping.relevance_of_classes(part, labels, self.leaves_below)
            )
            scores_of[f"ndcg_{name}"], scores_of["left_out"] = grouping.ndcg(
                part.scores(scores[:, self.columns], aggregate), relevance, top
            )
        return scores_of

    def _words(self) -> dict[str, list[str]]:
        named = [*self.classes, *self.leaves_below]
        return {
            row["wnid"]: row["words"]
            for row in self.database.rows_in_batches(query("synset_properties"), named)
        }

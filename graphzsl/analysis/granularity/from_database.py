"""What grouping needs: from the database, from a classifier's scores, from descriptions of
samples."""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.analysis.granularity import groups as grouping
from graphzsl.checked_names import check_classes, names_of_array
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.database.library import query
from graphzsl.errors import DataError
from graphzsl.files import read_lines
from graphzsl.progress import progress
from graphzsl.reading.json_text import parsed_json
from graphzsl.reading.numpy_files import read_npz
from graphzsl.wording import counted


class Grouping:
    """The classes of a set (or those given) with what grouping needs of the database: hierarchy,
    first words, naturalness."""

    def __init__(
        self,
        database: Database,
        class_set: str,
        counts: str = "senses",
        hierarchy: str = "wordnet",
        classes: list[str] | None = None,
    ):
        self.database = database
        self.classes = classes or members(self.database, class_set)
        self.hierarchy = read_hierarchy(self.database, hierarchy)
        self.hierarchy.positions(self.classes)
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
        return grouping.group(
            self.classes,
            grouping.translate(self.hierarchy, self.classes, self.natural, weight),
            self.names,
            merge,
        )

    def sweep(
        self,
        steps: int,
        scored: Any = None,
        described: Any = None,
        top: int | None = None,
        seed: int = 0,
    ) -> Iterator[dict[str, Any]]:
        """The groups at every lambda from 0 to 1: how many, how large, how deep; with scores
        (``asked``) their NDCG too."""
        for number in progress(range(steps + 1), "lambda"):
            weight = number / steps
            made = self.at(weight)
            heads = self.hierarchy.positions(
                sorted({head for heads in made.heads for head in heads})
            )
            row = {
                "lambda": weight,
                "groups": len(made.labels),
                "largest": int(made.sizes.max()),
                "depth_mean": float(self.hierarchy.min_depth[heads].mean()),
            }
            yield row | (self.ndcg(made, scored, described, top, seed) if scored else {})

    def ndcg(
        self, made: grouping.Groups, scored: Any, described: Any, top: int | None, seed: int
    ) -> dict[str, Any]:
        """NDCG of the groups and of random ones of the same sizes, on (scores, classes, labels) or
        described samples."""
        scores, _, labels = scored
        words = self._words() if described is not None else {}
        scores_of: dict[str, Any] = {}
        for name, part in (("semantic", made), ("random", made.shuffled(seed))):
            relevance = (
                grouping.relevance_of_words(part, words, described)
                if described is not None
                else grouping.relevance_of_classes(part, labels)
            )
            scores_of[f"ndcg_{name}"], scores_of["left_out"] = grouping.ndcg(
                part.scores(scores), relevance, top
            )
        return scores_of

    def _words(self) -> dict[str, list[str]]:
        return {
            row["wnid"]: row["words"]
            for row in self.database.rows_in_batches(query("synset_properties"), self.classes)
        }


def read_scores(path: Path) -> tuple[Any, list[str], list[str]]:
    """(scores [N, C], classes [C], labels [N] or none) of an ``.npz``; DataError for other shapes
    or numbers that are not finite."""
    scores, classes, labels = read_npz(
        path, "scores", "classes", "labels?", expected="scores [N, C] and classes [C]"
    )
    names = names_of_array(classes, f"{path}: classes")
    check_classes(names, f"{path}: classes")
    found = names_of_array(labels, f"{path}: labels") if labels is not None else []
    size = counted(len(names), "class", "classes")
    if scores.dtype.kind not in "fiu" or scores.ndim != 2 or scores.shape[1] != len(names):
        raise DataError(
            f"{path}: expected scores [N, C] for {size}, got {scores.dtype} of shape"
            f" {scores.shape}."
        )
    if not np.isfinite(scores).all():
        raise DataError(f"{path}: a score is not finite.")
    return scores.astype(float), names, found


def read_relevance(path: Path, count: int) -> list[dict[str, float]]:
    """One object of word: relevance per line, for ``count`` samples; DataError names a wrong
    line."""
    rows = []
    for number, line in read_lines(path):
        try:
            document = parsed_json(line, f"{path}:{number}")
            row = {str(word): float(value) for word, value in document.items()}
        except (ValueError, AttributeError, TypeError):
            raise DataError(f"{path}:{number}: expected an object of word: relevance.") from None
        for word, value in row.items():
            if not 0 <= value < math.inf:
                raise DataError(
                    f"{path}:{number}: the relevance of {word[:80]!r} is {value}; expected a number"
                    " from 0 on."
                )
        rows.append(row)
    if len(rows) != count:
        raise DataError(f"{path}: {len(rows)} lines for {count} samples.")
    return rows

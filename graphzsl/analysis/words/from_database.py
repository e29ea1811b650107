"""Words and their primary meanings, read from the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphzsl.analysis.words.labels import Label, Words
from graphzsl.analysis.words.meaning import (
    Meaning,
    first_senses,
    neighbour_meanings,
    sense_count_meanings,
    single_meanings,
)
from graphzsl.database.library import query
from graphzsl.errors import DataError
from graphzsl.progress import step

if TYPE_CHECKING:
    from graphzsl.database.client import Database
    from graphzsl.hierarchy.graph import Hierarchy


def read_words(database: Database, universe: str) -> Words:
    """The labels of a class set; SplitError when there is no such set."""
    from graphzsl.database.class_sets import require_class_set

    require_class_set(database, universe)
    with step(f"words of {universe}"):
        rows = database.many_rows(query("class_labels"), universe=universe)
        same = database.many_rows(query("namesakes"))
    labels = [Label(**row) for row in rows]
    namesakes = {row["label"]: sorted(row["wnids"]) for row in same}
    return Words(universe, labels, namesakes)


def meanings(
    database: Database,
    words: Words,
    rule: str,
    hierarchy: Hierarchy | None = None,
    vectors: Any = None,
) -> list[Meaning]:
    """The primary meanings of the labels under one rule; ``neighbours`` needs a hierarchy and
    gensim KeyedVectors."""
    if rule == "neighbours":
        if hierarchy is None or vectors is None:
            raise DataError(
                "The rule neighbours needs word vectors (word2vec or GloVe).", argument="vectors"
            )
        first = {row["wnid"]: row["text"] for row in database.many_rows(query("first_words"))}
        return neighbour_meanings(words, hierarchy, first, vectors)
    rules = {
        "single": single_meanings,
        "first-sense": first_senses,
        "sense-counts": sense_count_meanings,
    }
    return rules[rule](words)

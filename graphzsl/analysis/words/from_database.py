"""Words and their primary meanings, read from the database."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphzsl.analysis.words import from_lexicon
from graphzsl.analysis.words.labels import Label, Words
from graphzsl.analysis.words.meaning import Meaning, meanings_of
from graphzsl.common.progress import step
from graphzsl.database.library import query
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon

if TYPE_CHECKING:
    from graphzsl.database.client import Database


def read_words(database: Database, universe: str) -> Words:
    """The labels of a class set; SplitError when there is no such set."""
    from graphzsl.database.class_sets import require_class_set

    require_class_set(database, universe)
    with step(f"words of {universe}"):
        rows = database.many_rows(query("class_labels"), class_set=universe)
        same = database.many_rows(query("namesakes"))
    labels = [Label(**row) for row in rows]
    namesakes = {row["label"]: sorted(row["wnids"]) for row in same}
    return Words(universe, labels, namesakes)


def meanings(
    database: Database | None,
    words: Words,
    rule: str,
    hierarchy: str = "wordnet",
    vectors: Any = None,
) -> list[Meaning]:
    """The primary meanings of the labels under one rule; ``neighbours`` needs gensim KeyedVectors,
    and reads hierarchy and first words: the database's, or WordNet's own without one."""
    if rule != "neighbours":
        return meanings_of(words, rule)
    from graphzsl.database.hierarchy import read_hierarchy

    graph = read_hierarchy(database, hierarchy) if database else Hierarchy.load()
    first = first_words(database) if database else from_lexicon.first_words(Lexicon.load())
    return meanings_of(words, rule, graph, first, vectors)


def first_words(database: Database) -> dict[str, str]:
    """wnid -> the first word of every noun synset."""
    return {row["wnid"]: row["text"] for row in database.many_rows(query("first_words"))}

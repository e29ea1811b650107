"""Two lists of classes against each other, without a database: wnids, names of synsets, or names as
data sets write them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from graphzsl.analysis.structure.overlap import (
    COLUMNS,
    RELATIONS,
    UNKNOWN,
    count_relations,
    overlap_rows,
    standing_of,
)
from graphzsl.data.class_names import shipped_lists
from graphzsl.errors import DataError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import meanings, placed, unclear
from graphzsl.hierarchy.spelling import is_like_wnid
from graphzsl.hierarchy.vocabulary import HierarchyVocabulary
from graphzsl.settings import Settings
from graphzsl.sources.published import class_lists
from graphzsl.sources.tables import WNID

#: The first relation of ``overlap`` under its own name: here B need not be training classes.
SAME = "same"
#: The columns of the rows.
OVERLAP_COLUMNS = (*COLUMNS, "above", "below")


def listed_texts(text: str) -> list[tuple[str, str]] | None:
    """(place, class) of a file or of a shipped list, of wnids or of names; None where ``text`` is
    neither."""
    if Path(text).is_file() or text in class_lists():
        return placed(text)
    names = shipped_lists().get(text)
    return None if names is None else [(text, name) for name in names]


def meant_classes(
    hierarchy: Hierarchy, classes: Sequence[tuple[str, str]], settings: Settings | None = None
) -> dict[str, list[str]]:
    """Class -> the wnids that it may mean, the most usual first, for (place, class) pairs; none for
    a name that labels no synset.

    Args:
        hierarchy: whose nodes they are.
        classes: where each stands, and its text.
        settings: where WordNet's files are.

    Raises:
        DataError: names the place of a wnid that is not a node, and of what is meant as one and is
            none; or a list without any class.
    """
    if not classes:
        raise DataError("A list of classes is empty, so nothing overlaps.")
    vocabulary = HierarchyVocabulary(hierarchy, settings)
    found = {}
    for place, text in classes:
        found[text] = meanings(text, vocabulary)
        if not found[text] and (WNID.match(text) or is_like_wnid(text)):
            raise DataError(f"{place}: {unclear(text, [], vocabulary)}")
    return found


def class_overlap(
    hierarchy: Hierarchy, one: dict[str, list[str]], other: dict[str, list[str]]
) -> list[dict[str, Any]]:
    """How every class of one list stands to the classes of the other.

    Args:
        hierarchy: what is above and below, and what hops are counted on.
        one: class -> its meanings, of ``meant_classes``.
        other: the same of the other list, which has all of its meanings as classes.

    Returns:
        One row per class and meaning: ``class``, ``reading``, ``wnid``, ``name``, ``relation``
        (same, above, below, beside: a shared parent, apart; the first that holds), ``hops`` to the
        ``closest`` class (of several the smallest wnid), and how many classes it is ``above`` and
        ``below``. A name that no synset has is an ``unknown name``.
    """
    against = list(dict.fromkeys(wnid for some in other.values() for wnid in some))
    rows = overlap_rows(one, standing_of(hierarchy, against, one), hierarchy.names)
    for row in rows:
        if row["relation"] == RELATIONS[0]:
            row["relation"] = SAME
    return rows


def overlap_counts(rows: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row per relation: ``relation``, ``classes``, ``share``; a class of several meanings
    counts once, by the first of its relations in this order."""
    back = {SAME: RELATIONS[0]}
    counts = count_relations(
        {**row, "relation": back.get(row["relation"], row["relation"])} for row in rows
    )
    total = sum(counts.values())
    return [
        {"relation": shown, "classes": counts[relation], "share": counts[relation] / total}
        for relation in (*RELATIONS, UNKNOWN)
        for shown in [SAME if relation == RELATIONS[0] else relation]
    ]

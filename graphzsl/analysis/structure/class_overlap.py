"""Two lists of classes against each other, without a database: wnids, names of synsets, or names as
data sets write them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from graphzsl.analysis.structure.overlap import (
    COLUMNS,
    RELATIONS,
    UNKNOWN,
    count_relations,
    overlap_rows,
    standing_of,
)
from graphzsl.class_entries import Entry, refusal, repeated
from graphzsl.errors import DataError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.resolver import meanings, unclear
from graphzsl.hierarchy.spelling import looks_like_wnid, synset_name
from graphzsl.hierarchy.vocabulary import HierarchyVocabulary, Vocabulary
from graphzsl.settings import Settings

#: The first relation of ``overlap`` under its own name: here B need not be training classes.
SAME = "same"
#: The columns of the rows.
OVERLAP_COLUMNS = (*COLUMNS, "above", "below")


def meant_classes(
    hierarchy: Hierarchy,
    classes: Sequence[Entry],
    settings: Settings | None = None,
    argument: str | None = None,
) -> dict[str, list[str]]:
    """Class -> the wnids that it may mean, the most usual first; none for a name that labels no
    synset.

    Args:
        hierarchy: whose nodes they are.
        classes: as they are written.
        settings: where WordNet's files are.
        argument: the caller's argument that the list came by, for messages.

    Raises:
        DataError: names the places of wnids that are not nodes, of what is meant as one and is
            none, and of classes that are there twice: the same text, or one synset and no other in
            both; or a list without any class.
    """
    if not classes:
        raise DataError("A list of classes is empty, so nothing overlaps.")
    vocabulary = HierarchyVocabulary(hierarchy, settings)
    found = {text: meanings(text, vocabulary) for text, _, _ in classes}
    wrong: dict[int, str | Callable[[], str]] = {
        **repeated(classes, [_only(text, found[text], vocabulary) for text, _, _ in classes])
    }
    for place, (text, _, _) in enumerate(classes):
        if not found[text] and looks_like_wnid(text):
            wrong[place] = partial(unclear, text, [], vocabulary)
    if wrong:
        raise refusal(classes, wrong, argument)
    return found


def _only(text: str, found: Sequence[str], vocabulary: Vocabulary) -> str:
    """The only synset that a text means, and else the text: words of several synsets may be of two
    classes, and so may names that are read in part (``car_interior/backseat``)."""
    if len(found) != 1 or (not synset_name(text) and not vocabulary.of_word(text)):
        return text
    return found[0]


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

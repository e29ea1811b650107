"""Two lists of classes against each other, without a database: wnids, names of synsets, or names as
data sets write them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from graphzsl.analysis.structure.overlap import (
    CLASS_RELATIONS,
    UNKNOWN,
    overlap_rows,
    standing_of,
    worst_relations,
)
from graphzsl.common.class_entries import Entry, refusal, repeated
from graphzsl.common.errors import DataError
from graphzsl.common.wording import called
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.meanings import settle_list
from graphzsl.hierarchy.resolver import unclear
from graphzsl.hierarchy.spelling import looks_like_wnid, offset_as_wnid, synset_name
from graphzsl.hierarchy.vocabulary import Vocabulary
from graphzsl.sources.wordnet_versions import other_id


def meant_classes(
    vocabulary: Vocabulary, classes: Sequence[Entry], argument: str | None = None
) -> dict[str, list[str]]:
    """Class -> the wnid that it is read as; of an open word all its synsets, the most usual first;
    none for a name that labels no synset.

    Args:
        vocabulary: where they are looked up.
        classes: as they are written.
        argument: the caller's argument that the list came by, for messages.

    Raises:
        DataError: names the places of wnids and names of synsets (dog.n.01) that are unknown, of
            what is meant as a wnid and is none, and of classes that are there twice: the same text,
            or one synset and no other in both; or a list without any class.
    """
    if not classes:
        raise DataError("A list of classes is empty, so nothing overlaps.")
    vocabulary.prepare([text for text, _, _ in classes])
    read = settle_list([text for text, _, _ in classes], vocabulary)
    read.note(vocabulary)
    found = read.meanings
    wrong: dict[int, str | Callable[[], str]] = {
        **repeated(
            classes,
            [_only(text, found[text], vocabulary) for text, _, _ in classes],
            lambda wnid: called(
                wnid, {wnid: vocabulary.name(wnid)} if vocabulary.has(wnid) else {}
            ),
        )
    }
    for place, (text, _, _) in enumerate(classes):
        if not found[text] and (
            looks_like_wnid(text) or synset_name(text) or offset_as_wnid(text) or other_id(text)
        ):
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
    return overlap_rows(one, standing_of(hierarchy, against, one), hierarchy.names)


def overlap_counts(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row per relation: ``relation``, ``classes``, ``share``; a class of several meanings
    counts once, by the first of its relations in this order. ``several`` says how many of them have
    several meanings, and ``of_several`` which."""
    relation_of = worst_relations(rows)
    several = {row["class"] for row in rows if row["reading"] not in (None, "1 of 1")}
    counts = []
    for relation in (*CLASS_RELATIONS, UNKNOWN):
        classes = [text for text, found in relation_of.items() if found == relation]
        unclear = [text for text in classes if text in several]
        counts.append(
            {
                "relation": relation,
                "classes": len(classes),
                "share": len(classes) / len(relation_of),
                "several": len(unclear),
                "of_several": unclear,
            }
        )
    return counts

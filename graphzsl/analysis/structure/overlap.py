"""Two lists of classes against each other, without a database: is each class of one the same as one
of the other, above, below or beside one, and how far is the closest?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from graphzsl.common.class_entries import Entry, refusal, repeated
from graphzsl.common.errors import DataError
from graphzsl.common.wording import called
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.meanings import settle_list
from graphzsl.hierarchy.resolver import unclear
from graphzsl.hierarchy.search import closest_sources, row_of
from graphzsl.hierarchy.spelling import looks_like_wnid, offset_as_wnid, synset_name
from graphzsl.hierarchy.vocabulary import Vocabulary
from graphzsl.sources.wordnet_versions import other_id

#: The first that holds counts: the class itself is there, or a class of which it is a kind or that
#: is a kind of it, or a sibling.
CLASS_RELATIONS = ("same", "above", "below", "beside", "apart", "not in the hierarchy")
#: The relation of a name that labels no noun synset.
UNKNOWN = "unknown name"
#: The columns of ``class_overlap``.
OVERLAP_COLUMNS = (
    *("class", "reading", "wnid", "name", "relation", "hops", "closest", "closest_name"),
    *("above", "below"),
)


@dataclass(frozen=True)
class Overlap:
    """Relation of one class to the classes of another list; ``closest`` holds all ties, ``hops`` is
    None where none is reached. ``above`` and ``below`` count those that it is above and below."""

    wnid: str
    relation: str  #: the first of ``CLASS_RELATIONS`` that holds
    hops: int | None
    closest: list[str]
    above: int = 0
    below: int = 0


def overlaps(hierarchy: Hierarchy, train: Sequence[str], wnids: Sequence[str]) -> list[Overlap]:
    """One row per wnid, in the given order.

    ``above``: an ancestor of a training class. ``below``: a descendant of one. ``beside``: shares a
    direct parent with one. Training classes outside the hierarchy count when they are given
    themselves.
    """
    training = hierarchy.positions(wnid for wnid in train if wnid in hierarchy.index)
    is_training = np.zeros(len(hierarchy.wnids), dtype=np.float32)
    is_training[training] = 1
    above, below = (
        hierarchy.descendant_matrix @ is_training,
        hierarchy.ancestor_matrix @ is_training,
    )
    beside = hierarchy.up @ (hierarchy.down @ is_training) > 0
    hops, closest = closest_sources(hierarchy.adjacency, training)
    rows, known = [], set(train)
    for wnid in wnids:
        place = hierarchy.index.get(wnid)
        counts = (0, 0) if place is None else (int(above[place]), int(below[place]))
        if wnid in known:
            rows.append(Overlap(wnid, CLASS_RELATIONS[0], 0, [wnid], *counts))
        elif place is None:
            rows.append(Overlap(wnid, "not in the hierarchy", None, []))
        else:
            sides = zip(("above", "below", "beside"), (above, below, beside), strict=True)
            relation = next((name for name, holds in sides if holds[place]), "apart")
            reached = int(hops[place]) >= 0
            ties = (
                [hierarchy.wnids[training[tie]] for tie in row_of(closest, place)]
                if reached
                else []
            )
            away = int(hops[place]) if reached else None
            rows.append(Overlap(wnid, relation, away, sorted(ties), *counts))
    return rows


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
    hierarchy: Hierarchy, one: Mapping[str, Sequence[str]], other: Mapping[str, Sequence[str]]
) -> list[dict[str, Any]]:
    """Relate every class of one list to the classes of the other.

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
    wnids = sorted({wnid for some in one.values() for wnid in some})
    standing = {row.wnid: row for row in overlaps(hierarchy, against, wnids)}
    rows: list[dict[str, Any]] = []
    for text, meanings in one.items():
        for number, wnid in enumerate(meanings, 1):
            found = standing[wnid]
            closest = found.closest[0] if found.closest else None
            rows.append(
                {
                    "class": text,
                    "reading": f"{number} of {len(meanings)}",
                    "wnid": wnid,
                    "name": hierarchy.names.get(wnid),
                    "relation": found.relation,
                    "hops": found.hops,
                    "closest": closest,
                    "closest_name": hierarchy.names.get(closest) if closest else None,
                    "above": found.above,
                    "below": found.below,
                }
            )
        if not meanings:
            unknown = {"class": text, "relation": UNKNOWN}
            rows.append({**dict.fromkeys(OVERLAP_COLUMNS), **unknown})
    return rows


def worst_relations(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Class -> the worst relation of its readings."""
    worst: dict[str, int] = {}
    order = (*CLASS_RELATIONS, UNKNOWN)
    for row in rows:
        rank = order.index(row["relation"])
        worst[row["class"]] = min(rank, worst.get(row["class"], rank))
    return {text: order[rank] for text, rank in worst.items()}


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

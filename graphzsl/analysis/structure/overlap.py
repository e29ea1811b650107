"""How each class of one list stands to those of another: the same, above, below or beside one, and
how far the closest is."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.search import closest_sources, row_of

#: The first that holds counts: the class itself is there, or a class of which it is a kind or that
#: is a kind of it, or a sibling.
CLASS_RELATIONS = ("same", "above", "below", "beside", "apart", "not in the hierarchy")
#: The relation of a name that labels no noun synset.
UNKNOWN = "unknown name"
#: The columns of ``overlap_rows``.
OVERLAP_COLUMNS = (
    *("class", "reading", "wnid", "name", "relation", "hops", "closest", "closest_name"),
    *("above", "below"),
)


@dataclass(frozen=True)
class Overlap:
    """How one class stands to the classes of another list; ``closest`` holds all ties, ``hops`` is
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


def standing_of(
    hierarchy: Hierarchy, train: Sequence[str], meanings: Mapping[str, Sequence[str]]
) -> dict[str, Overlap]:
    """wnid -> how it stands to the training classes, for all that the classes may mean."""
    wnids = sorted({wnid for some in meanings.values() for wnid in some})
    return {row.wnid: row for row in overlaps(hierarchy, train, wnids)}


def overlap_rows(
    meanings: Mapping[str, Sequence[str]],
    standing: Mapping[str, Overlap],
    names: Mapping[str, str],
) -> list[dict[str, Any]]:
    """One row per class and meaning: ``OVERLAP_COLUMNS``, of several closest classes the one of
    smallest wnid. A class without a meaning has one row,
    ``unknown name``."""
    rows: list[dict[str, Any]] = []
    for text, wnids in meanings.items():
        for number, wnid in enumerate(wnids, 1):
            found = standing[wnid]
            closest = found.closest[0] if found.closest else None
            row = {
                "class": text,
                "reading": f"{number} of {len(wnids)}",
                "wnid": wnid,
                "name": names.get(wnid),
                "relation": found.relation,
                "hops": found.hops,
                "closest": closest,
                "closest_name": names.get(closest) if closest else None,
            }
            rows.append({**row, "above": found.above, "below": found.below})
        if not wnids:
            rows.append({**dict.fromkeys(OVERLAP_COLUMNS), "class": text})
            rows[-1]["relation"] = UNKNOWN
    return rows


def worst_relations(rows: Iterable[Mapping[str, Any]]) -> dict[str, str]:
    """Class -> the worst relation of its readings."""
    worst: dict[str, int] = {}
    order = (*CLASS_RELATIONS, UNKNOWN)
    for row in rows:
        rank = order.index(row["relation"])
        worst[row["class"]] = min(rank, worst.get(row["class"], rank))
    return {text: order[rank] for text, rank in worst.items()}

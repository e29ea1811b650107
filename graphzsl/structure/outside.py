"""Classes from anywhere (a stored set, wnids, names of another data set) against the training classes of the graph."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from graphzsl.database.client import Database
from graphzsl.database.queries import query
from graphzsl.errors import DataError
from graphzsl.hierarchy import members, read_dag
from graphzsl.sources.tables import WNID
from graphzsl.splits import resolve_name
from graphzsl.structure.overlap import RELATIONS, Overlap, overlaps
from graphzsl.words.names import key, matches, outside_names, readings

UNKNOWN = "unknown name"
_LIKE_WNID = re.compile(r"[nN]\d+")


def classes_to_check(database: Database, text: str) -> list[str]:
    """The classes of a stored class set, of a file, or of a shipped list of names, in that order of preference."""
    name = resolve_name(text)
    known = {row["name"] for row in database.rows(query("class_sets"))}
    return members(database, name) if name in known else outside_names(text)


def check_leakage(
    database: Database, classes: Sequence[str], train: str = "ilsvrc2012", hierarchy: str = "wordnet"
) -> list[dict[str, Any]]:
    """One row per class and reading: how that synset stands to the training classes, with the closest of them.

    DataError names what is meant as a wnid and is none, and a wnid that the database does not have.
    A name has a reading for every noun synset that it labels, the most usual first. A name that labels none gets one row, ``unknown name``.
    """
    rows = []
    _refuse_wrong_wnids(classes)
    names = [text for text in classes if not WNID.match(text)]
    labels = _labels(database, names)
    found = matches(names, labels)
    asked = {name: labels[key(text)] if text else [] for name, text in found.items()}
    wnids = {wnid for synsets in asked.values() for wnid in synsets} | (set(classes) - set(names))
    dag = read_dag(database, hierarchy)
    of = {overlap.wnid: overlap for overlap in overlaps(dag, members(database, train), sorted(wnids))}
    shown = _names(database, [*of, *(wnid for overlap in of.values() for wnid in overlap.closest)])
    for text in classes:
        synsets = asked.get(text, [text])
        for number, wnid in enumerate(synsets, 1):
            rows.append(_row(text, f"{number} of {len(synsets)}", of[wnid], shown))
        if not synsets:
            rows.append({**dict.fromkeys(COLUMNS), "class": text, "relation": UNKNOWN})
    return rows


COLUMNS = ("class", "reading", "wnid", "synset", "relation", "hops", "closest", "closest_synset")


def count_leakage(rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    """Relation -> classes; a class counts once, by the worst of its readings."""
    worst: dict[str, int] = {}
    order = (*RELATIONS, UNKNOWN)
    for row in rows:
        rank = order.index(row["relation"])
        worst[row["class"]] = min(rank, worst.get(row["class"], rank))
    return {relation: sum(rank == place for rank in worst.values()) for place, relation in enumerate(order)}


def _refuse_wrong_wnids(classes: Sequence[str]) -> None:
    """No word label is an n with digits alone: such a text is a misspelt wnid, not an unknown name."""
    wrong = [text for text in classes if _LIKE_WNID.fullmatch(text) and not WNID.match(text)]
    if wrong:
        more = f" ({len(wrong):,} such classes)" if len(wrong) > 1 else ""
        raise DataError(f"{wrong[0]!r} is not a wnid (n and 8 digits){more}. Correct or remove it.")


def _labels(database: Database, names: Sequence[str]) -> dict[str, list[str]]:
    """Key of a label -> wnids that it names, the most usual sense first."""
    keys = sorted({key(text) for name in names for text in readings(name)})
    found: dict[str, list[str]] = defaultdict(list)
    for row in database.rows(query("synsets_of_names"), keys=keys) if keys else ():
        if row["wnid"] not in found[row["key"]]:
            found[row["key"]].append(row["wnid"])
    return found


def _names(database: Database, wnids: Sequence[str]) -> dict[str, str]:
    return {row["wnid"]: row["synset"] for row in database.rows(query("synset_facts"), wnids=sorted(set(wnids)))}


def _row(text: str, reading: str, overlap: Overlap, shown: dict[str, str]) -> dict[str, Any]:
    closest = overlap.closest[0] if overlap.closest else None
    values = (text, reading, overlap.wnid, shown.get(overlap.wnid), overlap.relation, overlap.hops, closest)
    return dict(zip(COLUMNS, (*values, shown.get(closest) if closest else None), strict=True))

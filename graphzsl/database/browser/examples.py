"""What the guide's statements are about, in a database that does not have the usual sets."""

from __future__ import annotations

import re
from typing import Any

from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.library import query


def own_examples(database: Database) -> dict[str, Any]:
    """Parameter -> a value that this database has, for those whose example it does not have.

    The split is the painted one, else hops-1, else the first by name.
    """
    sets = {row["name"]: row["properties"] for row in database.rows(query("class_sets"))}
    splits = [name for name, properties in sets.items() if properties.get("train") in sets]
    painted = [row["split"] for row in database.rows(query("painted"))]
    preferred = [name for name in (*painted, "hops-1", *splits) if name in splits]
    own: dict[str, Any] = {}
    if preferred:
        split = preferred[0]
        own = {"split": split, "name": split, "train": sets[split]["train"]}
        if sets[split].get("universe") in sets:
            own["valid"] = sets[split]["universe"]
        classes = members(database, split)
        if not {each.values["unseen"] for each in query("see_hop_path").examples} <= set(classes):
            own["unseen"] = classes[0]
        if not _has(database, query("see_neighbourhood").example["wnid"]):
            own["wnid"] = classes[0]
    if windows := _windows(list(sets)):
        own["windows"] = windows
    return own


def _has(database: Database, wnid: str) -> bool:
    return not database.rows(query("unknown_wnids"), wnids=[wnid])


def _windows(names: list[str]) -> list[str]:
    """The first and the last window of the first stored series (NAME-001, NAME-002, …)."""
    first = next((name for name in sorted(names) if re.fullmatch(r".+-001", name)), None)
    if first is None:
        return []
    series = sorted(n for n in names if re.fullmatch(re.escape(first[:-3]) + r"\d{3}", n))
    return [series[0], series[-1]]

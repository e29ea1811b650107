"""What the guide's statements are about, in a database that does not have the usual sets."""

from __future__ import annotations

import re
from typing import Any

from graphzsl.database.browser.guide import Own
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.library import query

MAKE_SPLIT = "graphzsl split hops --max-hops 1"
MAKE_WINDOWS = "graphzsl split windows {split} --by ratio --store ratio"
#: A property that only windows have.
WINDOWS = "windows_of"


def own_examples(database: Database) -> Own:
    """What this database has, for statements whose examples it does not have.

    The split is the painted one, else hops-1, else the first by name.
    """
    sets = {row["name"]: row["properties"] for row in database.rows(query("class_sets"))}
    splits = [name for name, properties in sets.items() if properties.get("train") in sets]
    painted = [row["split"] for row in database.rows(query("painted"))]
    preferred = [name for name in (*painted, "hops-1", *splits) if name in splits]
    own: dict[str, Any] = {}
    hierarchy = "wordnet"
    if preferred:
        split = preferred[0]
        own = {"split": split, "name": split, "train": sets[split]["train"]}
        hierarchy = sets[split].get("hierarchy", "wordnet")
        if sets[split].get("universe") in sets:
            own["valid"] = sets[split]["universe"]
        classes = members(database, split)
        shown = {each.values["unseen"] for each in query("see_hop_path").examples}
        if classes and not shown <= set(classes):
            own["unseen"] = classes[0]
        if classes and not _has(database, query("see_neighbourhood").example["wnid"]):
            own["wnid"] = classes[0]
    if windows := _windows(sets):
        own["windows"] = windows
    needs = {}
    if not windows:
        needs["see_windows"] = MAKE_WINDOWS.format(split=own.get("split", "hops-1"))
    if not database.rows(query("release_hubs")):
        needs["see_release_hub"] = "graphzsl load hierarchy"
    if not preferred:
        needs |= dict.fromkeys(("see_hop_path", "see_split", "see_benchmark"), MAKE_SPLIT)
    return Own(own, hierarchy, sorted(sets), needs)


def _has(database: Database, wnid: str) -> bool:
    return not database.rows(query("unknown_wnids"), wnids=[wnid])


def _windows(sets: dict[str, dict[str, Any]]) -> list[str]:
    """The first and the last window of the first stored series (NAME-001, NAME-002, …)."""
    names = [name for name, properties in sets.items() if WINDOWS in properties]
    first = next((name for name in sorted(names) if re.fullmatch(r".+-001", name)), None)
    if first is None:
        return []
    series = sorted(n for n in names if re.fullmatch(re.escape(first[:-3]) + r"\d{3}", n))
    return [series[0], series[-1]]

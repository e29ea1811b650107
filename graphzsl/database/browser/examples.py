"""What the guide's statements are about, in a database that does not have the usual sets."""

from __future__ import annotations

import re
from typing import Any

from graphzsl.database.browser.guide import Own, missing_sets, pages
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.errors import DataError
from graphzsl.reading.json_text import parsed_json
from graphzsl.sources.published import class_lists

MAKE_SPLIT = "graphzsl split hops --max-hops 1"
MAKE_WINDOWS = "graphzsl split windows {split} --by ratio --store ratio"


def own_examples(database: Database, about: str | None = None) -> Own:
    """What this database has, for statements whose examples it does not have.

    The split is ``about``, where that is one; else the painted one, else hops-1, else the first by
    name.
    """
    sets = {row["name"]: row["properties"] for row in database.rows(query("class_sets"))}
    splits = [name for name, properties in sets.items() if properties.get("train") in sets]
    painted = [row["split"] for row in database.rows(query("painted"))]
    preferred = [name for name in (about, *painted, "hops-1", *splits) if name in splits]
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
    windows = _windows(sets, own.get("split"))
    if windows:
        own["windows"] = windows
    needs: dict[str, str] = {}
    if not windows:
        needs["see_windows"] = MAKE_WINDOWS.format(split=own.get("split", "hops-1"))
    if not database.rows(query("release_hubs")):
        needs["see_release_hub"] = "graphzsl load hierarchy"
    if not preferred:
        needs |= dict.fromkeys(
            ("see_hop_path", "see_split", "see_benchmark", "see_around"), MAKE_SPLIT
        )
    found = Own(own, hierarchy, sorted(sets), needs)
    for entry in pages():
        commands = [needs[entry.name]] if entry.name in needs else []
        lists = [name for name in missing_sets(entry, found) if name in class_lists()]
        commands = [f"graphzsl load class-set {name}" for name in lists] + commands
        if commands:
            needs[entry.name] = "; ".join(commands)
    return found


def _has(database: Database, wnid: str) -> bool:
    return not database.rows(query("unknown_wnids"), wnids=[wnid])


def _windows(sets: dict[str, dict[str, Any]], split: str | None) -> list[str]:
    """The windows of the example, where they are stored; else the first and the last window of a
    stored series (NAME-001, NAME-002, …) by structural ratio: of ``split``, else the first."""
    names = [name for name, properties in sets.items() if _is_by_ratio(properties)]
    usual: list[str] = query("see_windows").example["windows"]
    if {*usual} <= {*names}:
        return usual
    series: dict[str, list[str]] = {}
    for name in names:
        if match := re.fullmatch(r"(.+)-\d{3,}", name):
            series.setdefault(match[1], []).append(name)
    if not series:
        return []
    order = sorted(
        series.values(), key=lambda own: (sets[own[0]].get("windows_of") != split, own[0])
    )
    ordered = sorted(order[0], key=lambda name: int(name.rpartition("-")[2]))
    return [ordered[0], ordered[-1]]


def _is_by_ratio(properties: dict[str, Any]) -> bool:
    """Whether a class set is a window by structural ratio, from its provenance."""
    text = properties.get("parameters")
    if "windows_of" not in properties or not isinstance(text, str):
        return False
    try:
        cut = parsed_json(text, "the parameters of a window")
    except DataError:  # others may have class sets with such properties
        return False
    return isinstance(cut, dict) and cut.get("by") == "ratio"

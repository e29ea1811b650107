"""Examples for the guide's statements, from a database that lacks the usual class sets."""

from __future__ import annotations

from graphzsl.database.browser.guide import Own, missing_sets, pages
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.sources.published import class_lists

MAKE_SPLIT = "graphzsl split hops --max-hops 1"
MAKE_WINDOWS = "graphzsl split windows {split} --by ratio --store ratio"


def own_examples(database: Database, about: str | None = None) -> Own:
    """Find values in this database for statements whose examples it lacks.

    The split is ``about``, where that is one; else the painted one, else hops-1, else the first by
    name.
    """
    sets = {row["name"]: row["properties"] for row in database.rows(query("class_sets"))}
    rows = database.rows(query("own_values"), about=about or "")
    here = {name: value for row in rows for name, value in row.items() if value is not None}
    own = {name: value for name, value in here.items() if name != "unseen"}
    split, hierarchy = own.get("split"), "wordnet"
    if split:
        own["class_set"] = split
        hierarchy = sets[split].get("hierarchy", hierarchy)
        classes = members(database, split)
        shown = {each.values["unseen"] for each in query("see_hop_path").examples}
        if classes and not shown <= set(classes):
            own["unseen"] = here["unseen"]
        usual_wnid = query("see_neighbourhood").example["wnid"]
        if classes and database.rows(query("unknown_wnids"), wnids=[usual_wnid]):
            own["wnid"] = here["unseen"]
    usual = query("see_windows").example["windows"]
    if {*usual} <= {*sets}:
        own["windows"] = usual
    needs: dict[str, str] = {}
    if "windows" not in own:
        # a page is read without a login, and names no split of the database's own
        needs["see_windows"] = MAKE_WINDOWS.format(
            split="hops-1" if split in (None, "hops-1") else "SPLIT"
        )
    if not database.rows(query("release_hubs")):
        needs["see_release_hub"] = "graphzsl load hierarchy"
    if not split:
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

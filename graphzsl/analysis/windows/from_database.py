"""Windows of classes cut from stored splits, and stored as splits themselves."""

from __future__ import annotations

import re
from collections.abc import Sequence

from graphzsl.analysis.structure.from_database import order_values, own_settings
from graphzsl.common.errors import SplitError
from graphzsl.data.windows import Window, cut_windows
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.splits.store import Split, resolve_name, store_split


def cut_split(
    database: Database,
    name: str,
    by: str,
    size: int,
    step: int | None = None,
    train: str | None = None,
    hierarchy: str | None = None,
    called: str | None = None,
) -> tuple[list[Window], int]:
    """Windows CALLED-001, CALLED-002, … of ``size`` classes of a class set, smallest first.

    Args:
        database: what is read.
        name: the class set.
        by: what the classes are ordered by; see ``order_values``, whose errors are raised.
        size: classes of a window.
        step: classes from one window to the next (default: the size).
        train: class set of the training classes, which are left out (default: the split's own,
            else ilsvrc2012).
        hierarchy: what distances are counted in (default: the split's own, else wordnet).
        called: what the windows are called (default: NAME-BY).

    Returns:
        The windows, and how many classes, the largest, fill no window.
    """
    name = resolve_name(name)
    called = called or f"{name}-{by}"
    values = order_values(database, name, by, train, hierarchy)
    windows = cut_windows(values, size, step, name=called, by=by, series=f"{name}-{by}")
    return windows, len(values) - len({wnid for window in windows for wnid in window.classes})


def store_windows(
    database: Database,
    windows: Sequence[Window],
    name: str,
    size: int,
    step: int | None = None,
    train: str | None = None,
    hierarchy: str | None = None,
) -> None:
    """Store each window of ``cut_split`` as a split with its mean."""
    train, hierarchy = own_settings(database, name, train, hierarchy)
    name = resolve_name(name)
    for number, window in enumerate(windows, 1):
        provenance = {
            "window": {"by": window.by, "size": size, "step": step or size, "number": number},
            f"mean_{window.by.replace('-', '_')}": window.mean,
            "tied": window.tied,
            "ties_cut_by": "wnid",
        }
        split = Split(window.name, list(window.classes), train, name, hierarchy)
        store_split(database, split, provenance)


def stored_windows(database: Database, names: Sequence[str]) -> list[Window]:
    """The class sets NAME-001, NAME-002, … of every name, with the mean that was stored with them.

    SplitError for a name without any.
    """
    windows = []
    sets = database.rows(query("class_sets"))
    for name in names:
        own = [row for row in sets if re.fullmatch(re.escape(name) + r"-\d{3,}", row["name"])]
        if not own:
            raise SplitError(
                f"No windows {name}-001, … are stored. `graphzsl split windows` stores them."
            )
        for row in own:
            means = [
                (key, value) for key, value in row["properties"].items() if key.startswith("mean_")
            ]
            key, mean = means[0] if means else ("property", None)
            by = key.removeprefix("mean_").replace("_", "-")
            wnids, tied = members(database, row["name"]), row["properties"].get("tied")
            windows.append(Window(row["name"], wnids, mean, name, by, tied))
    return windows

"""Values of classes by the name of a property, from the database or a file."""

from __future__ import annotations

import math
from collections.abc import Sequence

from graphzsl.analysis.structure.from_database import order_values
from graphzsl.analysis.words.from_database import read_words
from graphzsl.data.class_values import file_values
from graphzsl.database.client import Database
from graphzsl.errors import SettingsError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.splits.populations import require_populations


def property_values(
    database: Database, hierarchy: Hierarchy, classes: Sequence[str], class_set: str, name: str
) -> dict[str, float]:
    """Read a property of classes by its name, or from a file (``file_values``). Frequencies are
    log10(1 + count).

    Classes for which it is unknown are absent. SettingsError for a name that is neither.
    """
    values = file_values(name)
    if values is not None:
        return values
    if name == "depth":
        return {wnid: float(hierarchy.min_depth[hierarchy.index[wnid]]) for wnid in classes}
    if name == "population":
        return {
            wnid: float(images) for wnid, images in require_populations(database, class_set).items()
        }
    if name == "frequency":
        return {
            wnid: math.log10(1 + count)
            for wnid, count in read_words(database, class_set).frequencies().items()
        }
    if name == "ratio":
        return order_values(database, class_set, "ratio", "ilsvrc2012", "wordnet")
    raise SettingsError(
        f"{name!r} is neither population, depth, frequency, natural, ratio nor a file: a wnid,value"
        " table, or a table of classes of `graphzsl evaluate` (FILE:COLUMN names its column)."
    )

"""Properties of classes from the database or a file."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from graphzsl.dag import Dag
from graphzsl.database.client import Database
from graphzsl.errors import SettingsError
from graphzsl.ilsvrc.properties import bins
from graphzsl.populations import require_populations
from graphzsl.sources.tables import read_values
from graphzsl.structure.measure import order_values
from graphzsl.words.labels import read_words


def class_property(database: Database, dag: Dag, classes: Sequence[str], class_set: str, name: str) -> dict[str, float]:
    """A property of the classes by name, or from a wnid,value table. Frequencies are log10(1 + count).

    Classes for which it is unknown are absent. SettingsError for a name that is neither.
    """
    if name == "depth":
        return {wnid: float(dag.depths[dag.index[wnid]]) for wnid in classes}
    if name == "population":
        return {wnid: float(images) for wnid, images in require_populations(database, class_set).items()}
    if name == "frequency":
        return {wnid: math.log10(1 + count) for wnid, count in read_words(database, class_set).frequencies().items()}
    if name == "natural":
        return {
            wnid: float(side == "natural")
            for wnid, side in bins(dag, classes).items()
            if side in ("natural", "man-made")
        }
    if name == "ratio":
        return order_values(database, class_set, "ratio", "ilsvrc2012", "wordnet")
    path = Path(name)
    if not path.exists():
        raise SettingsError(
            f"{name!r} is neither population, depth, frequency, natural, ratio nor a file with wnid,value."
        )
    return read_values(path)

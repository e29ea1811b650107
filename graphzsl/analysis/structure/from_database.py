"""The structure of a stored split, read from the database."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
from numpy.typing import NDArray

from graphzsl.analysis.structure import DATABASE_COUNTS, WINDOW_ORDERS
from graphzsl.analysis.structure.branches import spread_of
from graphzsl.analysis.structure.leakage import leakage
from graphzsl.analysis.words.from_database import read_words
from graphzsl.common.errors import DataError, SettingsError, SplitError
from graphzsl.database.class_sets import members, require_class_set
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.database.library import query
from graphzsl.database.names import names_of
from graphzsl.hierarchy.distances import INFORMED_DISTANCES, Path, distance_of, information_content
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.ratio import Ratios, structural_ratios
from graphzsl.names.class_values import file_values
from graphzsl.splits.populations import require_populations
from graphzsl.splits.store import resolve_name, split_properties


def own_settings(
    database: Database, name: str, train: str | None, hierarchy: str | None
) -> tuple[str, str]:
    """(training classes, hierarchy) to measure a class set with: those given, else a split's own,
    else ilsvrc2012 and wordnet."""
    name = resolve_name(name)
    require_class_set(database, name)
    properties = split_properties(database, name)
    return (
        train or properties.get("train") or "ilsvrc2012",
        hierarchy or properties.get("hierarchy") or "wordnet",
    )


def split_ratios(
    database: Database,
    name: str,
    train: str | None = None,
    hierarchy: str | None = None,
    distance: str = "path",
    counts: str = "senses",
) -> Ratios:
    """Structural ratios of any class set against any training classes.

    ``lca`` is measured in the hierarchy trimmed to the classes. ``counts`` feeds the information
    content of ``jcn`` and ``lin``: tagged senses (all nouns), populations, or word frequencies (of
    the Fall-2011 classes). Training classes and hierarchy are the split's own by default; classes
    that are training classes are left out, for a ratio is one of unseen classes.

    SplitError where none is left.
    """
    train, hierarchy = own_settings(database, name, train, hierarchy)
    training = members(database, train)
    test = sorted(set(members(database, resolve_name(name))) - set(training))
    if not test:
        raise SplitError(
            f"Every class of {name!r} is a training class of {train!r}: a structural ratio is one"
            " of unseen classes. Choose other training classes, or a split."
        )
    graph = read_hierarchy(database, hierarchy, [*test, *training])
    return _ratios(database, graph, training, test, distance, counts)


def _ratios(
    database: Database,
    graph: Hierarchy,
    training: Sequence[str],
    test: Sequence[str],
    distance: str,
    counts: str,
) -> Ratios:
    if distance in INFORMED_DISTANCES:
        content = information_content(graph, class_counts(database, counts))
        return structural_ratios(graph, distance_of(distance, graph, content), training, test)
    if distance == "lca":
        graph = graph.trimmed({*test, *training})
    return structural_ratios(graph, distance_of(distance, graph), training, test)


def class_counts(database: Database, kind: str) -> Mapping[str, int]:
    """wnid -> how often it was seen: tagged senses, images, or occurrences of its most frequent
    label."""
    if kind == "senses":
        return {row["wnid"]: row["count"] for row in database.many_rows(query("sense_totals"))}
    if kind == "populations":
        return require_populations(database, "imagenet-fall11")
    if kind == "frequencies":
        return read_words(database, "imagenet-fall11").frequencies()
    raise DataError(f"There are no counts {kind!r}. Choose one of {', '.join(DATABASE_COUNTS)}.")


def split_report(
    database: Database,
    name: str,
    train: str | None = None,
    hierarchy: str | None = None,
    distance: str = "path",
    counts: str = "senses",
) -> list[dict[str, Any]]:
    """Rows ``measure``, ``value``, ``share`` (of the classes, where it is one): everything a reader
    should know about a split.

    ``distance`` and ``counts`` are those of the structural ratio (``split_ratios``); its value on
    the hierarchy of the classes alone, single-child nodes contracted, is always in hops. The means
    of the two distances are over the classes that have them.
    """
    name = resolve_name(name)
    test, properties = members(database, name), split_properties(database, name)
    train, hierarchy = own_settings(database, name, train, hierarchy)
    universe = members(database, properties.get("universe") or name)
    training = members(database, train)
    # a class that no edge of this hierarchy touches is a node too
    graph = read_hierarchy(database, hierarchy, [*universe, *test, *training])
    unseen = sorted(set(test) - set(training))
    ratios = _ratios(database, graph, training, unseen, distance, counts)
    how = f"{distance}, {counts}" if distance in INFORMED_DISTANCES else distance
    pruned = graph.pruned({*test, *training})
    defined = int(np.isfinite(ratios.ratio).sum())
    rows: list[dict[str, Any]] = [
        _row("classes", len(test)),
        _row("training classes", train),
        _row("hierarchy", hierarchy),
        _row("distance", how),
        _row("structural ratio", ratios.structural_ratio),
        _row("classes with a structural ratio", defined, defined / len(test) if test else None),
        _row(
            f"structural ratio, pruned hierarchy{'' if distance == 'path' else ' (hops)'}",
            structural_ratios(pruned, Path(pruned), training, unseen).structural_ratio,
        ),
        _row("distance to the training classes, mean", _mean(ratios.train_distance)),
        _row("distance to the other test classes, mean", _mean(ratios.test_distance)),
    ]
    given_away = asdict(leakage(graph, training, test))
    total = given_away.pop("classes")
    for measure, what in LEAKAGE.items():
        value = given_away[measure]
        counted = isinstance(value, int) and measure != "ancestor_pairs"
        rows.append(_row(what, value, value / total if counted and total else None))
    spread = spread_of(graph, universe, test)
    for what, value in spread.items():
        rows.append(_row(f"spread: {what.replace('_', ' ')}", value))
        if what == "largest_branch":
            called = names_of(database, [value]).get(value) if value else None
            rows.append(_row("spread: largest branch name", called))
    return rows


#: Fields of Leakage as a report names them.
LEAKAGE = {
    "are_training": "classes that are training classes",
    "above_training": "classes above a training class",
    "below_training": "classes below a training class",
    "with_ancestor_inside": "classes with an ancestor in the split",
    "ancestor_pairs": "ancestor pairs in the split",
    "outcome_candidates": "ancestors and descendants in the split, mean per class",
    "unreachable": "classes that no training class reaches",
    "one_closest": "classes with one closest training class",
    "shared_closest": "classes that share their closest training classes with another",
    "solvable": "solvable by structure alone (expected hit@1 from the closest training classes)",
}


def order_values(
    database: Database, name: str, by: str, train: str | None, hierarchy: str | None
) -> dict[str, float]:
    """wnid -> what ``split windows`` orders by: ``ratio``, ``train-distance``, ``population`` or
    ``frequency``.

    Training classes are left out, and classes for which it is unknown.
    """
    train, hierarchy = own_settings(database, name, train, hierarchy)
    name, training = resolve_name(name), set(members(database, train))
    if by in ("ratio", "train-distance"):
        ratios = split_ratios(database, name, train, hierarchy)
        numbers = ratios.ratio if by == "ratio" else ratios.train_distance
        values = {
            wnid: float(value)
            for wnid, value in zip(ratios.wnids, numbers, strict=True)
            if value == value
        }
    elif by == "population":
        values = {
            wnid: float(images) for wnid, images in require_populations(database, name).items()
        }
    elif by == "frequency":
        values = {
            wnid: float(count) for wnid, count in read_words(database, name).frequencies().items()
        }
    else:
        raise SettingsError(f"There is no order {by!r}. Choose one of {', '.join(WINDOW_ORDERS)}.")
    return {wnid: value for wnid, value in values.items() if wnid not in training}


def _mean(distances: NDArray[np.float64]) -> float | None:
    finite = distances[np.isfinite(distances)]
    return float(finite.mean()) if len(finite) else None


def _row(measure: str, value: Any, share: float | None = None) -> dict[str, Any]:
    return {"measure": measure, "value": value, "share": share}


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

"""Hop splits: unseen classes by their distance from the training classes."""

from __future__ import annotations

from numbers import Integral
from pathlib import Path
from typing import Any

from graphzsl.common.errors import SplitError
from graphzsl.common.reading.bounds import is_file
from graphzsl.database.class_sets import require_class_set
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.database.paths import check_hierarchy
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.hops import classes_within
from graphzsl.hierarchy.resolver import resolve_all
from graphzsl.sources.imagenet import Classes, list_name
from graphzsl.sources.published import class_lists
from graphzsl.splits.store import Split, classes_sha256


def hop_split(
    source: Database | Hierarchy,
    max_hops: int | None,
    *,
    train: Classes = "ilsvrc2012",
    universe: Classes = "imagenet-fall11",
    hierarchy: str = "wordnet",
    exact: bool = False,
    name: str | None = None,
) -> Split:
    """Unseen classes within ``max_hops`` true hierarchy edges of a training class.

    Args:
        source: a hierarchy, such as ``Hierarchy.load()``, which is searched in memory; or a
            database, which is only read: ``Split.store`` writes.
        max_hops: largest distance; None takes the whole universe without the training classes.
        train: the training classes: wnids, names or words, a file of them, or the name of an
            ImageNet list; of a database the name of a class set.
        universe: what the unseen classes are drawn from, likewise.
        hierarchy: what hops are counted in, of a database: wordnet, hypernym or release.
        exact: the shell at that distance alone, not everything up to it.
        name: name of the split (default: ``hops-N`` or ``all``, with what differs from the
            defaults appended).

    Returns:
        The split, its classes sorted by distance, then wnid. Training classes and universe that
        are given as classes are called train and universe.

    Raises:
        SplitError: an unknown class set or hierarchy, or hops that are neither None nor a whole
            number of at least 1.
        DataError: a class of a list is not a node of the hierarchy.

    Reference:
        Frome et al. 2013 (DeViSE), appendix A.3; Hascoet et al. 2019, appendix A (the names).

    >>> gz.hop_split(gz.Hierarchy.load(), max_hops=2)
    <Split hops-2: 5,990 unseen classes, training classes ilsvrc2012>
    """
    _check(max_hops, exact)
    if isinstance(source, Hierarchy):
        check_in_memory(source, hierarchy)
        hierarchy = source.provenance.get("hierarchy") or "own"
        names, training, provenance = _in_memory(source, max_hops, train, universe, exact)
    else:
        training = None
        names, provenance = _by_query(source, max_hops, train, universe, hierarchy, exact)
    if max_hops is not None:
        provenance["max_hops"] = max_hops
    lists = _called(train, "train"), _called(universe, "universe")
    return Split(
        name or split_name(max_hops, *lists, hierarchy, exact),
        list(names),
        *lists,
        hierarchy,
        max_hops,
        exact,
        provenance=provenance,
        names=names,
        training=training,
    )


def check_in_memory(source: Hierarchy, hierarchy: str) -> None:
    """SplitError where a hierarchy of a database is named beside one in memory."""
    if hierarchy != "wordnet":
        raise SplitError(
            f"hierarchy names one of a database, and {source!r} is the hierarchy here. Leave it"
            " out, or give a database.",
            argument="hierarchy",
        )


def _called(given: Classes, otherwise: str) -> str:
    """The name of a list; a file is never called what an ImageNet list is."""
    name = list_name(given, otherwise)
    if isinstance(given, str | Path) and is_file(given) and name in class_lists():
        return Path(given).name
    return name


def _check(max_hops: Any, exact: bool) -> None:
    is_number = isinstance(max_hops, Integral) and not isinstance(max_hops, bool)
    if max_hops is not None and not (is_number and max_hops >= 1):
        raise SplitError(
            "max_hops is a whole number of at least 1, or None for the whole universe, not"
            f" {max_hops!r}.",
            argument="max_hops",
        )
    if exact and max_hops is None:
        raise SplitError("exact needs a number of hops.", argument="exact")


def _in_memory(
    nodes: Hierarchy,
    max_hops: int | None,
    train: Classes,
    universe: Classes,
    exact: bool,
) -> tuple[dict[str, str], list[str], dict[str, Any]]:
    """(wnid -> name of the classes of a split, in its order; its training classes; provenance)."""
    vocabulary = nodes.vocabulary
    training = resolve_all(train, vocabulary, "train")
    among = resolve_all(universe, vocabulary, "universe")
    wnids = classes_within(nodes, max_hops, training, among, exact)
    names = {wnid: nodes.names.get(wnid, "") for wnid in wnids}
    provenance = {
        "source": "files",
        "sources": nodes.provenance.get("sources"),
        "train_sha256": classes_sha256(training),
        "universe_sha256": classes_sha256(among),
    }
    return names, training, provenance


def _by_query(
    database: Database,
    max_hops: int | None,
    train: Classes,
    universe: Classes,
    hierarchy: str,
    exact: bool,
) -> tuple[dict[str, str], dict[str, Any]]:
    """(wnid -> name, provenance) of the classes of a split, in its order."""
    check_hierarchy(database, hierarchy)
    for class_set in (train, universe):
        require_class_set(database, class_set)
    if max_hops is None:
        statement = query("difference")
        rows = database.many_rows(statement, class_set=universe, without=train)
    else:
        statement = query("hop_split", hierarchy=hierarchy, max_hops=max_hops)
        found = database.many_rows(statement, train=train, universe=universe)
        rows = [row for row in found if not exact or row["hops"] == max_hops]
    return {row["wnid"]: row["name"] for row in rows}, {
        "query": statement.name,
        "query_sha256": statement.sha256,
    }


def split_name(max_hops: int | None, train: str, universe: str, hierarchy: str, exact: bool) -> str:
    """``hops-2``, ``hops-2-exact``, ``hops-2@release``, ``all`` …"""
    name = "all" if max_hops is None else f"hops-{max_hops}" + ("-exact" if exact else "")
    if hierarchy != "wordnet":
        name += f"@{hierarchy}"
    others = [
        part
        for part, default in ((train, "ilsvrc2012"), (universe, "imagenet-fall11"))
        if part != default
    ]
    return ":".join([name, *others])

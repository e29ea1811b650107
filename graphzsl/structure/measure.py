"""The structure of a stored split, read from the database: ratios under any distance, the leakage report, what windows order by."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from graphzsl.database.client import Database
from graphzsl.database.queries import query
from graphzsl.errors import DataError, SettingsError
from graphzsl.hierarchy import members, read_dag
from graphzsl.populations import require_populations
from graphzsl.splits import resolve_name, split_facts
from graphzsl.structure import COUNTS, DISTANCES, ORDERS
from graphzsl.structure.branches import spread_of
from graphzsl.structure.distances import Distance, Path, information_content, jiang_conrath, lca_height, lin
from graphzsl.structure.leakage import leakage
from graphzsl.structure.ratio import Ratios, structural_ratios
from graphzsl.words.labels import read_words


def split_ratios(
    database: Database,
    name: str,
    train: str = "ilsvrc2012",
    hierarchy: str = "wordnet",
    pruned: bool = False,
    distance: str = "path",
    counts: str = "senses",
) -> Ratios:
    """Structural ratios of any class set against any training classes.

    ``pruned`` measures paths and heights on the hierarchy of the classes alone, its single-child nodes contracted. ``lca`` always works on
    the trimmed one. ``counts`` feeds the information content of ``jcn`` and ``lin``: tagged senses (all nouns), populations, or
    word frequencies (of the Fall-2011 classes).
    """
    test, training = members(database, resolve_name(name)), members(database, train)
    dag = read_dag(database, hierarchy)
    dag.positions(test), dag.positions(training)
    content = information_content(dag, class_counts(database, counts)) if distance in ("jcn", "lin") else None
    if pruned:
        if content is not None:
            raise SettingsError(
                "--pruned changes paths and heights, not information content; leave it out with jcn and lin."
            )
        dag = dag.pruned({*test, *training})
    elif distance == "lca":
        dag = dag.trimmed({*test, *training})
    measure: dict[str, Any] = {
        "path": lambda: Path(dag),
        "lca": lambda: lca_height(dag),
        "jcn": lambda: jiang_conrath(dag, content),  # type: ignore[arg-type]
        "lin": lambda: lin(dag, content),  # type: ignore[arg-type]
    }
    if distance not in measure:
        raise SettingsError(f"There is no distance {distance!r}. Choose one of {', '.join(DISTANCES)}.")
    found: Distance = measure[distance]()
    return structural_ratios(dag, found, training, test)


def class_counts(database: Database, kind: str) -> Mapping[str, int]:
    """wnid -> how often it was seen: tagged senses, images, or occurrences of its most frequent label."""
    if kind == "senses":
        return {row["wnid"]: row["count"] for row in database.rows(query("sense_totals"))}
    if kind == "populations":
        return require_populations(database, "imagenet-fall11")
    if kind == "frequencies":
        return read_words(database, "imagenet-fall11").frequencies()
    raise DataError(f"There are no counts {kind!r}. Choose one of {', '.join(COUNTS)}.")


def split_report(
    database: Database, name: str, train: str | None = None, hierarchy: str | None = None
) -> list[dict[str, Any]]:
    """Rows ``measure``, ``value``, ``share`` (of the classes, where it is one): everything a reader should know about a split."""
    name = resolve_name(name)
    test, facts = members(database, name), split_facts(database, name)
    train = train or facts.get("train") or "ilsvrc2012"
    hierarchy = hierarchy or facts.get("hierarchy") or "wordnet"
    universe = facts.get("universe") or name
    training = members(database, train)
    dag = read_dag(database, hierarchy)
    rows: list[dict[str, Any]] = [
        _row("classes", len(test)),
        _row("training classes", train),
        _row("hierarchy", hierarchy),
    ]
    raw = structural_ratios(dag, Path(dag), training, test).structural_ratio
    pruned = dag.pruned({*test, *training})
    rows += [
        _row("structural ratio", raw),
        _row(
            "structural ratio, pruned hierarchy",
            structural_ratios(pruned, Path(pruned), training, test).structural_ratio,
        ),
    ]
    found = asdict(leakage(dag, training, test))
    total = found.pop("classes")
    for measure, what in LEAKAGE.items():
        value = found[measure]
        counted = isinstance(value, int) and measure != "ancestor_pairs"
        rows.append(_row(what, value, value / total if counted and total else None))
    spread = spread_of(dag, members(database, universe), test)
    rows += [_row(f"spread: {what.replace('_', ' ')}", value) for what, value in spread.items()]
    return rows


#: Fields of Leakage as a report names them.
LEAKAGE = {
    "are_training": "classes that are training classes",
    "above_training": "classes above a training class",
    "below_training": "classes below a training class",
    "with_ancestor_inside": "classes with an ancestor in the split",
    "ancestor_pairs": "ancestor pairs in the split",
    "outcome_candidates": "ancestors and descendants in the split, mean a class",
    "unreachable": "classes that no training class reaches",
    "one_closest": "classes with one closest training class",
    "shared_closest": "classes that share their closest training classes with another",
    "solvable": "solvable by structure alone (expected hit@1 from the closest training classes)",
}


def order_values(database: Database, name: str, by: str, train: str, hierarchy: str) -> dict[str, float]:
    """wnid -> what ``split windows`` orders by: ``ratio``, ``train-distance``, ``population`` or ``frequency``.

    Training classes are left out, and classes for which it is unknown.
    """
    name, training = resolve_name(name), set(members(database, train))
    if by in ("ratio", "train-distance"):
        found = split_ratios(database, name, train, hierarchy)
        numbers = found.ratio if by == "ratio" else found.train_distance
        values = {wnid: float(value) for wnid, value in zip(found.wnids, numbers, strict=True) if value == value}
    elif by == "population":
        values = {wnid: float(images) for wnid, images in require_populations(database, name).items()}
    elif by == "frequency":
        values = {wnid: float(count) for wnid, count in read_words(database, name).frequencies().items()}
    else:
        raise SettingsError(f"There is no order {by!r}. Choose one of {', '.join(ORDERS)}.")
    return {wnid: value for wnid, value in values.items() if wnid not in training}


def _row(measure: str, value: Any, share: float | None = None) -> dict[str, Any]:
    return {"measure": measure, "value": value, "share": share}

"""The tasks of ``graphzsl train``: of a data set, or of lists of classes and files."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl import hierarchy, models
from graphzsl.common import DataError, did_you_mean, near

if TYPE_CHECKING:
    from graphzsl.data import ClassMatrix, Subgraph
    from graphzsl.models import Fold


def data_set_task(
    data: Path,
    test: str | None,
    *,
    graph: Path | None,
    semantics: Path | None,
    classifiers: Path | str | None,
    generalized: bool,
    **more: Any,
) -> tuple[models.Task, list[Fold] | None]:
    """(task, its validation folds) of a data set."""
    from graphzsl.data import ZeroShotDataset

    dataset = ZeroShotDataset.load(data)
    task = models.Task.from_dataset(
        dataset,
        test,
        generalized,
        graph=_graph(graph),
        semantics=_embeddings(semantics),
        classifiers=_rows(classifiers),
        **more,
    )
    return task, dataset.folds() if dataset.validation else None


def listed_task(
    train: str,
    candidates: str | None,
    features: Path | None,
    validate_with: Path | None,
    alone: bool,
    *,
    graph: Path | None,
    semantics: Path | None,
    classifiers: Path | str | None,
    generalized: bool,
    **more: Any,
) -> models.Task:
    """The task of lists of classes, each a class set of the graph or a file; with ``alone`` the
    candidates are the training classes."""
    from graphzsl.data import load_samples

    subgraph, embeddings = _graph(graph), _embeddings(semantics)
    if embeddings is None:
        raise click.UsageError("Give --data, or --semantics with --classifiers or --features.")
    embedded = set(embeddings.wnids)
    seen = _class_list(subgraph, train, embedded, "train")
    known = set(seen)
    if alone:
        wanted = list(seen)
    elif candidates:
        wanted = _class_list(subgraph, candidates, embedded, "candidates")
    elif subgraph:
        everything = sorted({wnid for wnids in subgraph.class_sets.values() for wnid in wnids})
        wanted = [wnid for wnid in everything if wnid not in known]
    else:
        raise click.UsageError(
            "Give --candidates: without --graph there are no class sets to take them from."
        )
    if generalized:
        wanted = [*seen, *(wnid for wnid in wanted if wnid not in known)]
    elif not alone and (both := [wnid for wnid in wanted if wnid in known]):
        raise DataError(
            f"{len(both):,} of the {len(wanted):,} candidates are training classes, e.g. {both[0]}:"
            " a model has seen them. Leave them out of --candidates, or give --generalized."
        )
    rows = _rows(classifiers)
    if isinstance(rows, str):
        more["row_rule"], rows = rows, None
    return models.Task(
        subgraph,
        embeddings,
        rows,
        seen,
        wanted,
        samples=load_samples(features) if features else None,
        validation_samples=load_samples(validate_with).centred_on(seen) if validate_with else None,
        **more,
    )


def _graph(folder: Path | None) -> Subgraph | None:
    from graphzsl.data import Subgraph

    return Subgraph.load(folder) if folder else None


def _embeddings(file: Path | None) -> ClassMatrix | None:
    from graphzsl.data import EMBEDDINGS, ClassMatrix

    return ClassMatrix.load(file, EMBEDDINGS) if file else None


def _rows(given: Path | str | None) -> ClassMatrix | str | None:
    """Classifier rows of a file, or the name of a rule; None where nothing is given."""
    from graphzsl.data import CLASSIFIERS, ClassMatrix

    if not isinstance(given, Path):
        return given
    if given.is_dir():
        raise DataError(
            f"{given} is a folder, and the rows of a trained model score its own encoding of"
            " features. Give a file of `graphzsl convert classifiers`; or leave --classifiers out"
            " to learn from the training samples.",
            argument="classifiers",
        )
    return ClassMatrix.load(given, CLASSIFIERS)


def _class_list(graph: Any, name: str, known: Collection[str], argument: str) -> list[str]:
    """A class set of the graph, or the classes of a file; those that have an embedding are
    ``known``."""
    sets = graph.class_sets if graph else {}
    if name in sets:
        return list(sets[name])
    if Path(name).is_file():
        return hierarchy.wnids_where_named(Path(name), known, argument=argument)
    raise DataError(
        f"{name!r} is neither a class set of the graph ({', '.join(sets) or 'none is given'}) nor a"
        f" file of classes.{did_you_mean(near(name, sets))}",
        argument=argument,
    )

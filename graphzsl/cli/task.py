"""The task of ``graphzsl train``: of a data set, or of files and the graph's class sets."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import click

from graphzsl.errors import DataError
from graphzsl.wording import did_you_mean, near


def task_of(
    data: Path | None,
    graph: Path | None,
    semantics: Path | None,
    classifiers: Path | None,
    features: Path | None,
    validate_with: Path | None,
    train: str,
    candidates: str | None,
    test: str | None,
    generalized: bool,
    feature_scaling: str,
    semantic_scaling: str,
    seed: int,
    device: str,
    precision: str,
    alone: bool = False,
) -> tuple[Any, Any]:
    """(task, validation folds or None); with ``alone`` the candidates are the training classes."""
    from dataclasses import replace

    from graphzsl.compute import Compute
    from graphzsl.data.class_matrix import CLASSIFIERS, EMBEDDINGS, ClassMatrix
    from graphzsl.data.dataset import ZeroShotDataset
    from graphzsl.data.samples import load_samples
    from graphzsl.data.subgraph import Subgraph
    from graphzsl.models.base.task import Task

    subgraph = Subgraph.load(graph) if graph else None
    rows = ClassMatrix.load(classifiers, CLASSIFIERS) if classifiers else None
    more: dict[str, Any] = {
        "feature_scaling": feature_scaling,
        "semantic_scaling": semantic_scaling,
        "seed": seed,
        "compute": Compute(device, precision),
    }
    if data:
        dataset = ZeroShotDataset.load(data)
        task = Task.from_dataset(
            dataset, test, generalized, graph=subgraph, classifiers=rows, **more
        )
        own = (
            replace(task, semantics=ClassMatrix.load(semantics, EMBEDDINGS)) if semantics else task
        )
        return own, dataset.folds() if dataset.validation else None
    if semantics is None:
        raise click.UsageError("Give --data, or --semantics with --classifiers or --features.")
    embeddings = ClassMatrix.load(semantics, EMBEDDINGS)
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
    samples = load_samples(features) if features else None
    validation = load_samples(validate_with).centred_on(seen) if validate_with else None
    return (
        Task(
            subgraph,
            embeddings,
            rows,
            seen,
            wanted,
            samples=samples,
            validation_samples=validation,
            **more,
        ),
        None,
    )  # type: ignore[arg-type]


def _class_list(graph: Any, name: str, known: Collection[str], argument: str) -> list[str]:
    """A class set of the graph, or the classes of a file; those that have an embedding are
    ``known``."""
    from graphzsl.hierarchy.resolver import wnids_where_named

    sets = graph.class_sets if graph else {}
    if name in sets:
        return list(sets[name])
    if Path(name).is_file():
        return wnids_where_named(Path(name), known, argument=argument)
    raise DataError(
        f"{name!r} is neither a class set of the graph ({', '.join(sets) or 'none is given'}) nor a"
        f" file of classes.{did_you_mean(near(name, sets))}",
        argument=argument,
    )

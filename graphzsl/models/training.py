"""Choosing hyper-parameters on held-out training classes, fitting on all of them, and writing the model's folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl import metrics
from graphzsl.errors import ModelError
from graphzsl.features.samples import Samples, class_samples
from graphzsl.files import MANIFEST, manifest, replacing_folder, write_json
from graphzsl.models import graph_training, model_module, needs
from graphzsl.models.compatibility import Watch
from graphzsl.models.graph_training import GraphOptions
from graphzsl.models.head import Head
from graphzsl.models.options import Iterative
from graphzsl.models.task import ROWS_RULE, Task, held_out
from graphzsl.progress import progress

VALIDATION_SHARE = 0.2
FOLDS = 3

#: (classes to learn from, classes to validate on)
Fold = tuple[list[str], list[str]]


def train(
    name: str,
    task: Task,
    options: dict[str, Any] | None = None,
    *,
    choose: bool = True,
    checkpoint: Path | None = None,
    folds: Sequence[Fold] | None = None,
) -> tuple[Head, dict[str, Any]]:
    """(head, facts): hyper-parameters that are not given are chosen on classes held out from the training classes.

    ``folds`` are the (training, validation) classes to choose on, by default three seeded random ones; the model is then fitted
    on all training classes. ``facts`` records the options, how they were chosen, and the lists; test classes enter nowhere.
    """
    module = model_module(name)
    given = options or {}
    unknown = set(given) - set(module.Options.__dataclass_fields__)
    if unknown:
        known = ", ".join(module.Options.__dataclass_fields__)
        raise ModelError(f"{name} has no option {min(unknown)!r}; it has {known}.")
    module.Options(**given)
    for need in needs(module):
        task.hierarchy if need == "graph" else task.rows  # noqa: B018 - raises what to do
    folds = list(folds) if folds else seeded_folds(task.train, task.seed) if choose else []
    chosen: dict[str, Any] = {}
    trials: list[dict[str, Any]] = []
    try:
        if issubclass(module.Options, GraphOptions):
            if choose:
                chosen, trials = _stopping_epoch(name, task, module.Options(**given), folds[0], checkpoint)
            head = graph_training.fit(name, task, module.Options(**{**given, **chosen}), _named(checkpoint, "all"))
        else:
            if choose:
                chosen, trials = _from_grid(module, task, given, folds)
                if hasattr(module, "choose_detector"):
                    detector, more = module.choose_detector(task, {**given, **chosen}, folds)
                    chosen, trials = {**chosen, **detector}, [*trials, *more]
            head = module.fit(task, module.Options(**{**given, **chosen}))
    except np.linalg.LinAlgError as error:
        raise ModelError(f"{name} cannot be solved with these options ({error}). Raise its penalties.") from None
    facts = manifest(
        "model",
        model=name,
        family=module.FAMILY,
        encoder=type(head.encoder).__name__ if head.encoder else None,
        options=module.Options(**{**given, **chosen}).facts(),
        given_options=given,
        chosen_on_validation=trials,
        validation={"splits": len(folds), "classes": len(folds[0][1]) if folds else 0, "score": "per-class mean reciprocal rank"},
        seed=task.seed,
        train=task.train,
        candidates=head.wnids,
        semantics={key: value for key, value in task.semantics.facts.items() if key != "missing"},
        scaling={"features": _feature_scaling(module, task), "semantics": task.semantic_scaling},
        validated_with=_validated_with(task),
        classifiers=task.classifiers.facts if task.classifiers else None,
        biases=head.classifiers.facts.get("biases"),
        samples=task.samples.facts if task.samples else None,
        graph={
            key: task.graph.facts.get(key)
            for key in ("hierarchy", "queries", "parameters", "sources", "nodes", "edges")
        } if task.graph else None,
    )  # fmt: skip
    return head, facts


def _feature_scaling(module: Any, task: Task) -> str:
    """A model may insist on its own scaling of samples (``FEATURE_SCALING``)."""
    return str(getattr(module, "FEATURE_SCALING", task.feature_scaling)) if task.samples else ROWS_RULE


def seeded_folds(train: list[str], seed: int) -> list[Fold]:
    """Three seeded random fifths of the training classes, each held out once. They may overlap."""
    return [held_out(train, VALIDATION_SHARE, seed + fold) for fold in range(FOLDS)]


def save(folder: Path, head: Head, facts: dict[str, Any]) -> None:
    """Write the model's folder whole: its arrays as safetensors, and the manifest."""
    with replacing_folder(folder) as partial:
        head.save(partial)
        write_json(partial / MANIFEST, facts)


def validation_samples(task: Task, inner: Task) -> Samples:
    """What the candidates of a validation task are asked for with: what test classes will be, their samples or classifier rows.

    They are training classes of ``task``; ``inner``, which is fitted, no longer holds what they look like.
    """
    if task.asked is not None:
        return task.asked.of(inner.candidates)
    if task.samples is not None:
        return task.samples.of(inner.candidates)
    return class_samples(task.rows, inner.candidates, inner.targets())


def _validated_with(task: Task) -> dict[str, Any] | str:
    asked = task.asked or task.samples
    return asked.facts if asked else "classifier rows"


def mean_reciprocal_rank(head: Head, samples: Samples) -> float:
    """Mean over classes of the mean 1/rank of their samples: smoother than hit@1 for choosing."""
    index = {wnid: column for column, wnid in enumerate(head.wnids)}
    truth = metrics.columns_of(samples.labels, index)
    return float(metrics.per_class(1 / metrics.ranks(head.scores(samples.features), truth), truth).mean())


def _from_grid(
    module: Any, task: Task, given: dict[str, Any], folds: Sequence[Fold]
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Every point of the grid on every fold; a model trained in epochs is looked at on the way, so epochs are chosen too."""
    grid = [{key: value for key, value in point.items() if key not in given} for point in module.GRID]
    grid = [point for row, point in enumerate(grid) if point not in grid[:row]]
    by_epoch = issubclass(module.Options, Iterative) and "epochs" not in given
    if len(grid) == 1 and not by_epoch:
        return grid[0], []
    inner = [task.with_lists(kept, held) for kept, held in folds]
    asked = [validation_samples(task, each) for each in inner]
    trials = []
    for point in progress(grid, "choosing hyper-parameters", total=len(grid)):
        curves: list[dict[int, float]] = []
        for problem, samples in zip(inner, asked, strict=True):
            curve: dict[int, float] = {}
            options = module.Options(**given, **point)
            if by_epoch:
                module.fit(problem, options, _keeping(curve, samples))
            else:
                curve[0] = mean_reciprocal_rank(module.fit(problem, options), samples)
            curves.append(curve)
        for epoch in curves[0]:
            scores = [curve[epoch] for curve in curves]
            at = {**point, **({"epochs": epoch} if by_epoch else {})}
            trials.append({**at, "mean_reciprocal_rank": float(np.mean(scores)), "spread": float(np.std(scores))})
    best = max(trials, key=lambda trial: trial["mean_reciprocal_rank"])
    return {key: value for key, value in best.items() if key not in ("mean_reciprocal_rank", "spread")}, trials


def _keeping(curve: dict[int, float], samples: Samples) -> Watch:
    def watch(epoch: int, head: Head) -> None:
        curve[epoch] = mean_reciprocal_rank(head, samples)

    return watch


def _stopping_epoch(
    name: str, task: Task, options: GraphOptions, fold: Fold, checkpoint: Path | None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Train on part of the classes until the others stop improving; the epoch found is then used on all of them."""
    kept, held = fold
    inner = replace(task, train=kept, candidates=held, validation=tuple(held))
    trainer = graph_training.trainer(name, inner, options, _named(checkpoint, "validation"))
    trainer.run()
    return {"epochs": trainer.best_epoch}, [{"epochs": trainer.best_epoch, "validation_loss": trainer.best_loss}]


def _named(checkpoint: Path | None, part: str) -> Path | None:
    return checkpoint.with_name(f"{checkpoint.stem}-{part}{checkpoint.suffix}") if checkpoint else None

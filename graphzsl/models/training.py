"""Choosing hyper-parameters on held-out training classes, fitting on all of them, and writing the model's folder."""

from __future__ import annotations

from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl import metrics
from graphzsl.errors import ModelError
from graphzsl.features.samples import class_samples
from graphzsl.files import MANIFEST, manifest, replacing_folder, write_json
from graphzsl.models import model_module
from graphzsl.models.head import Head, LinearHead
from graphzsl.models.task import Task, held_out
from graphzsl.progress import progress

VALIDATION_SHARE = 0.2
FOLDS = 3


def train(
    name: str, task: Task, options: dict[str, Any] | None = None, *, choose: bool = True, checkpoint: Path | None = None
) -> tuple[Head, dict[str, Any]]:
    """(head, facts): hyper-parameters that are not given are chosen on classes held out from the training classes.

    ``facts`` records the options, how they were chosen, and the lists; test classes enter nowhere.
    """
    module = model_module(name)
    given = options or {}
    unknown = set(given) - set(module.Options.__dataclass_fields__)
    if unknown:
        known = ", ".join(module.Options.__dataclass_fields__)
        raise ModelError(f"{name} has no option {min(unknown)!r}; it has {known}.")
    if name == "gcn":
        chosen, trials = _stopping_epoch(module, task, module.Options(**given), checkpoint) if choose else (given, [])
        head = module.fit(task, module.Options(**{**given, **chosen}), _named(checkpoint, "all"))
    else:
        chosen, trials = _from_grid(module, task, given) if choose else (given, [])
        head = module.fit(task, module.Options(**{**given, **chosen}))
    facts = manifest(
        "model",
        model=name,
        head="linear" if isinstance(head, LinearHead) else "conse",
        options=asdict(module.Options(**{**given, **chosen})),
        chosen_on_validation=trials,
        seed=task.seed,
        train=task.train,
        candidates=task.candidates,
        semantics={key: value for key, value in task.semantics.facts.items() if key != "missing"},
        classifiers=task.classifiers.facts,
        graph={
            key: task.graph.facts.get(key)
            for key in ("hierarchy", "queries", "parameters", "sources", "nodes", "edges")
        },
    )
    return head, facts


def save(folder: Path, head: Head, facts: dict[str, Any]) -> None:
    """Write the model's folder whole: its arrays as safetensors, and the manifest."""
    with replacing_folder(folder) as partial:
        head.save(partial)
        write_json(partial / MANIFEST, facts)


def mean_reciprocal_rank(head: Head, task: Task, wnids: list[str]) -> float:
    """Mean of 1/rank over classes, each asked for with its true classifier row: smoother than hit@1 for choosing."""
    samples = class_samples(task.classifiers, wnids, task.targets())
    index = {wnid: column for column, wnid in enumerate(head.wnids)}
    return float(np.mean(1 / metrics.ranks(head.scores(samples.features), metrics.columns_of(wnids, index))))


def _from_grid(module: Any, task: Task, given: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    grid = [{key: value for key, value in point.items() if key not in given} for point in module.GRID]
    grid = [point for row, point in enumerate(grid) if point not in grid[:row]]
    if len(grid) == 1:
        return grid[0], []
    folds = [held_out(task.train, VALIDATION_SHARE, task.seed + fold) for fold in range(FOLDS)]
    trials = []
    for point in progress(grid, "choosing hyper-parameters", total=len(grid)):
        scores = []
        for kept, held in folds:
            inner = task.with_lists(kept, held)
            scores.append(mean_reciprocal_rank(module.fit(inner, module.Options(**given, **point)), inner, held))
        trials.append({**point, "mean_reciprocal_rank": float(np.mean(scores)), "spread": float(np.std(scores))})
    best = max(range(len(grid)), key=lambda row: trials[row]["mean_reciprocal_rank"])
    return grid[best], trials


def _stopping_epoch(
    module: Any, task: Task, options: Any, checkpoint: Path | None
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Train on part of the classes until the others stop improving; the epoch found is then used on all of them."""
    kept, held = held_out(task.train, VALIDATION_SHARE, task.seed)
    inner = replace(task, train=kept, candidates=held, validation=tuple(held))
    trainer = module.Trainer(inner, options, _named(checkpoint, "validation"))
    trainer.run()
    return {"epochs": trainer.best_epoch}, [{"epochs": trainer.best_epoch, "validation_loss": trainer.best_loss}]


def _named(checkpoint: Path | None, part: str) -> Path | None:
    return checkpoint.with_name(f"{checkpoint.stem}-{part}{checkpoint.suffix}") if checkpoint else None

"""Choosing hyper-parameters on held-out training classes, fitting on all of them, and writing the
model's folder."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np

from graphzsl import metrics
from graphzsl.common.errors import ModelError
from graphzsl.common.extras import missing
from graphzsl.common.files import MANIFEST, atomic_folder, manifest, sha256, sha256_text, write_json
from graphzsl.common.progress import progress_bar, step
from graphzsl.data.samples import Samples
from graphzsl.hierarchy.branches import hide_classes
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.models.base.class_samples import class_samples
from graphzsl.models.base.options import GraphOptions, Hyperparameters, Iterative
from graphzsl.models.base.targets import rows_rule
from graphzsl.models.base.task import ROW_RULES, Task
from graphzsl.models.base.zero_shot_model import CLASSIFIER_FILE, ENCODER_FILE, ZeroShotModel
from graphzsl.models.calibration import calibrated, check_calibrated
from graphzsl.models.registry import family, model_module, needs

VALIDATION_SHARE = 0.2
FOLDS = 3
SCORE = "per-class mean reciprocal rank"
NOT_TUNED = "nothing was chosen: the options were taken as given"
SINGLE = "nothing was chosen: the options that were not given have a single value to try"

#: (classes to learn from, classes to validate on)
Fold = tuple[list[str], list[str]]


@dataclass(frozen=True)
class Choice:
    """Options of a model that were not given, and how they were found; ``trials`` is empty when
    nothing was chosen."""

    options: dict[str, Any]
    trials: list[dict[str, Any]]
    validation: dict[str, Any]
    validated_with: dict[str, Any] | str | None


def train(
    name: str,
    task: Task,
    options: dict[str, Any] | None = None,
    *,
    tune: bool = True,
    checkpoint: Path | None = None,
    folds: Sequence[Fold] | None = None,
    validation_seed: int | None = None,
    calibrate: bool = False,
) -> tuple[ZeroShotModel, dict[str, Any]]:
    """(model, manifest): hyper-parameters that are not given are chosen on classes held out.

    ``folds`` are the (training, validation) classes to choose on, by default three random ones
    drawn with ``validation_seed`` (default: the task's seed). With both, as many random ones of the
    same sizes take the place of ``folds``: how much a result owes to its validation split can be
    seen with the test split fixed (Xian et al., figure 2). The model is then fitted on all training
    classes. With ``calibrate`` an amount is taken off the scores of training classes
    (``CalibratedStacking``), chosen after everything else on the same folds. The manifest says what
    was chosen, on which classes, by which score and with which samples; test classes enter nowhere.
    """
    module = model_module(name)
    given = module.Options.written(options or {})
    unknown = set(given) - set(module.Options.__dataclass_fields__)
    if unknown:
        known = ", ".join(module.Options.__dataclass_fields__)
        raise ModelError(f"{name} has no option {min(unknown)!r}; it has {known}.")
    module.Options(**given)
    if "graph" in needs(module):
        task = task.with_graph()
    if calibrate:
        check_calibrated(name, task)
    calibration = None
    try:
        choice = (
            _tune(name, task, given, folds, validation_seed, checkpoint)
            if tune
            else Choice({}, [], _nothing(NOT_TUNED), None)
        )
        if tune and hasattr(module, "tune_detector"):
            choice = _with_detector(
                module, task, given, choice, *_folds(task, folds, validation_seed)
            )
        settled = {**given, **choice.options}
        final = module.Options(**settled)
        title = "refit on all training classes" if choice.trials else "training"
        model = _fit(name, task, final, _named(checkpoint, "all"), title)
        if calibrate:
            parts, described = _folds(task, folds, validation_seed)
            model, chosen = calibrated(
                model,
                task,
                parts,
                lambda inner, fold: _fit(name, inner, final, _named(checkpoint, fold), fold),
            )
            source = task.validation_samples or task.samples
            assert source is not None
            calibration = {**chosen, **described, "samples": source.metadata}
    except np.linalg.LinAlgError as error:
        raise ModelError(
            f"{name} cannot be solved with these options ({error}). Raise its penalties."
        ) from None
    except ModuleNotFoundError as error:
        raise missing(error) from None
    metadata = manifest(
        "model",
        model=name,
        family=family(name),
        encoder=type(model.encoder).__name__ if model.encoder else None,
        options={**final.as_dict(), **module.Options.written(settled)},
        given_options=given,
        chosen_on_validation=choice.trials,
        validation=choice.validation,
        validated_with=choice.validated_with,
        calibration=calibration,
        seed=task.seed,
        train=task.train,
        candidates=model.wnids,
        semantics={
            key: value for key, value in task.semantics.metadata.items() if key != "missing"
        },
        scaling={
            "features": _feature_scaling(module, task, final, model),
            "semantics": task.semantic_scaling,
        },
        classifiers=(
            task.rows.metadata if "classifiers" in needs(module) or task.classifiers else None
        ),
        biases=model.classifiers.metadata.get("biases"),
        samples=task.samples.metadata if task.samples else None,
        graph=(
            {
                key: task.graph.manifest.get(key)
                for key in ("hierarchy", "queries", "parameters", "sources", "nodes", "edges")
                + ("made_of", "synsets") * ("made_of" in task.graph.manifest)
            }
            if task.graph
            else None
        ),
    )
    return model, metadata


def _fit(name: str, task: Task, options: Any, checkpoint: Path | None, title: str) -> ZeroShotModel:
    if isinstance(options, GraphOptions):
        model = _graph_training().fit(name, task, options, checkpoint, title)
    else:
        model = model_module(name).fit(task, options)
    return cast(ZeroShotModel, model)


def _graph_training() -> Any:
    """The module that trains graph networks; torch-geometric takes seconds, and only they use
    it."""
    with step("importing torch-geometric"):
        from graphzsl.models.graph import training
    return training


def _feature_scaling(module: Any, task: Task, options: Any, model: ZeroShotModel) -> str:
    """A model may insist on its own scaling of samples (``FEATURE_SCALING``); a graph network
    learns rows as its options say."""
    made = "classifiers" in needs(module) and task.classifiers is None
    of_samples = f"{task.feature_scaling} of samples; {ROW_RULES[task.row_rule]}; " if made else ""
    if isinstance(options, GraphOptions):
        rule = rows_rule(center=options.center, bias_column=options.bias_column)
        return f"{of_samples}{rule}"
    if "classifiers" in needs(module):
        return f"{of_samples}{rows_rule()}"
    if model.takes_images_as_they_are:
        return f"images: as they are, by the network's own rows and biases; {rows_rule()}"
    return (
        str(getattr(module, "FEATURE_SCALING", task.feature_scaling))
        if task.samples
        else rows_rule()
    )


def seeded_folds(
    train: list[str],
    seed: int,
    shares: Sequence[float] = (),
    hierarchy: Hierarchy | None = None,
    branches: float = 0.0,
) -> list[Fold]:
    """Random folds of the training classes with these shares held out, by default three with a
    fifth; ``branches`` of each held-out part are whole branches of the hierarchy
    (``hide_classes``). They may overlap."""
    shares = list(shares) or [VALIDATION_SHARE] * FOLDS
    # Multiples, so that no fold of one seed comes back with the next.
    drawn = [
        hide_classes(train, share, seed * len(shares) + fold, branches, hierarchy)
        for fold, share in enumerate(shares)
    ]
    return [(each.train, each.hidden) for each in drawn]


def save(folder: Path, model: ZeroShotModel, manifest: dict[str, Any]) -> None:
    """Write the model's folder whole: its arrays as safetensors, and the manifest with their
    checksums."""
    with atomic_folder(folder) as partial:
        model.save(partial)
        files = {name: sha256(partial / name) for name in (CLASSIFIER_FILE, ENCODER_FILE)}
        write_json(partial / MANIFEST, {**manifest, "files": files})


def validation_samples(task: Task, inner: Task) -> Samples:
    """Samples of the candidates of a validation task, which stand for test classes: their samples
    or classifier rows.

    They are training classes of ``task``; ``inner``, which is fitted, no longer holds what they
    look like. Of those samples, a candidate may have none: it is a wrong answer then.
    ModelError where all have none.
    """
    if task.validation_samples is not None:
        samples = task.validation_samples.among(inner.candidates)
        if not samples.labels:
            raise ModelError(
                "The samples to choose hyper-parameters with hold none of the held-out training"
                " classes."
            )
        return samples
    if task.samples is not None:
        return task.samples.select(inner.candidates)
    return class_samples(task.rows, inner.candidates, inner.targets())


def mean_reciprocal_rank(model: ZeroShotModel, samples: Samples) -> float:
    """Mean over classes of the mean 1/rank of their samples: smoother than hit@1 for choosing."""
    index = {wnid: column for column, wnid in enumerate(model.wnids)}
    truth = metrics.columns_of(samples.labels, index)
    return float(
        metrics.per_class(
            1 / metrics.ranks(model.scores(model.features(samples)), truth), truth
        ).mean()
    )


def chooses(name: str, given: dict[str, Any]) -> bool:
    """True if validation has anything to choose for a model beside these options: points of its
    grid, or epochs."""
    module = model_module(name)
    return len(_grid(module, given)) > 1 or _by_epoch(module, given)


def _grid(module: Any, given: dict[str, Any]) -> list[dict[str, Any]]:
    """The points of a model's grid without the options given, each once."""
    points = [
        {key: value for key, value in point.items() if key not in given} for point in module.GRID
    ]
    return [point for row, point in enumerate(points) if point not in points[:row]]


def _by_epoch(module: Any, given: dict[str, Any]) -> bool:
    """True if epochs are chosen too: of a graph network, which validates every ``check_every``
    epochs, where it does so before the last."""
    if issubclass(module.Options, GraphOptions):
        options = module.Options(**given)
        return bool(options.check_every < options.epochs)
    return issubclass(module.Options, Iterative) and "epochs" not in given


def _tune(
    name: str,
    task: Task,
    given: dict[str, Any],
    folds: Sequence[Fold] | None,
    seed: int | None,
    checkpoint: Path | None,
) -> Choice:
    """Every point of the grid on every fold, the same way for all models.

    A model trained in epochs is validated on the way, so that epochs are chosen too. Of equal
    points the first is taken.
    """
    module = model_module(name)
    grid, by_epoch = _grid(module, given), _by_epoch(module, given)
    is_network = issubclass(module.Options, GraphOptions)
    if len(grid) == 1 and not by_epoch:
        return Choice(grid[0], [], _nothing(SINGLE), None)
    folds, validation = _folds(task, folds, seed)
    inner = [task.with_lists(kept, held) for kept, held in folds]
    held = [validation_samples(task, each) for each in inner]
    trials = []
    # a network's own bar says more than one of a single point
    points = grid if is_network and len(grid) == 1 else progress_bar(grid, "validation", len(grid))
    for number, point in enumerate(points):
        options = module.Options(**given, **point)
        if is_network:
            graph_training = _graph_training()
            runs = [
                graph_training.trainer(
                    name, each, options, _named(checkpoint, f"{number}-fold-{fold}"), samples
                )
                for fold, (each, samples) in enumerate(zip(inner, held, strict=True))
            ]
            curves = graph_training.validation_curves(runs, mean_reciprocal_rank)
        else:
            curves = [
                _curve(module, each, options, samples, by_epoch)
                for each, samples in zip(inner, held, strict=True)
            ]
        for epoch in curves[0]:
            scores = [curve[epoch] for curve in curves]
            at = {**point, **({"epochs": epoch} if by_epoch else {})}
            trials.append(
                {
                    **at,
                    "mean_reciprocal_rank": float(np.mean(scores)),
                    "spread": float(np.std(scores)),
                }
            )
    best = max(trials, key=lambda trial: trial["mean_reciprocal_rank"])
    chosen = {
        key: value for key, value in best.items() if key not in ("mean_reciprocal_rank", "spread")
    }
    source = task.validation_samples or task.samples
    validation = {
        "chosen": sorted(chosen),
        "score": SCORE,
        "best": best["mean_reciprocal_rank"],
        "at_end_of_grid": _ends(module.Options, chosen, trials),
        **validation,
    }
    return Choice(chosen, trials, validation, source.metadata if source else "classifier rows")


def _ends(
    options: type[Hyperparameters], chosen: dict[str, Any], trials: Sequence[dict[str, Any]]
) -> dict[str, str]:
    """Option -> smallest or largest, for chosen numbers at an end of the three or more values that
    were tried, unless it is the option's own bound: a better value may lie beyond it."""
    ends = {}
    for name, value in chosen.items():
        tried = {trial[name] for trial in trials}
        if len(tried) > 2 and all(type(each) in (int, float) for each in tried):
            allowed = options.__dataclass_fields__[name].metadata["range"]
            if value == min(tried) and value != allowed.least:
                ends[name] = "smallest"
            elif value == max(tried) and value != allowed.most:
                ends[name] = "largest"
    return ends


def _with_detector(
    module: Any,
    task: Task,
    given: dict[str, Any],
    choice: Choice,
    folds: list[Fold],
    validation: dict[str, Any],
) -> Choice:
    """The choice with the detector of novel samples, which is chosen after everything else and by a
    score of its own."""
    chosen, trials = module.tune_detector(task, {**given, **choice.options}, folds)
    if not chosen:
        return choice
    options = {**choice.options, **chosen}
    known = {**validation, **choice.validation} if choice.trials else validation
    described = {
        **known,
        "chosen": sorted(options),
        "detector_score": "harmonic mean of seen and unseen accuracy",
    }
    validated_with = choice.validated_with or (task.samples.metadata if task.samples else None)
    return Choice(options, [*choice.trials, *trials], described, validated_with)


def _folds(
    task: Task, given: Sequence[Fold] | None, seed: int | None
) -> tuple[list[Fold], dict[str, Any]]:
    """(folds, their description in the manifest): the given ones, or random ones with a seed."""
    origin: dict[str, Any]
    if given and seed is None:
        folds, origin = list(given), {"folds": "given", "seed": None}
    else:
        drawn = task.seed if seed is None else seed
        folds = seeded_folds(
            task.train, drawn, [len(held) / (len(kept) + len(held)) for kept, held in given or ()]
        )
        origin = {"folds": "random", "seed": drawn}
    lists = [sorted(held) for _, held in folds]
    return folds, {
        **origin,
        "splits": len(folds),
        "classes": [len(held) for held in lists],
        "sha256": [sha256_text("\n".join(held)) for held in lists],
    }


def _curve(
    module: Any, problem: Task, options: Any, samples: Samples, by_epoch: bool
) -> dict[int, float]:
    """epoch -> score on one fold; 0 -> score for a model without epochs."""
    if not by_epoch:
        return {0: mean_reciprocal_rank(module.fit(problem, options), samples)}
    curve: dict[int, float] = {}

    def callback(epoch: int, model: ZeroShotModel) -> None:
        curve[epoch] = mean_reciprocal_rank(model, samples)

    module.fit(problem, options, callback)
    return curve


def _nothing(why: str) -> dict[str, Any]:
    return {"chosen": [], "why": why, "splits": 0}


def _named(checkpoint: Path | None, part: str) -> Path | None:
    return (
        checkpoint.with_name(f"{checkpoint.stem}-{part}{checkpoint.suffix}") if checkpoint else None
    )

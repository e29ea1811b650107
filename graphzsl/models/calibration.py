"""Calibrated stacking (Chao et al. 2016): how much is taken off the scores of training classes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from graphzsl.audit.generalized import calibration
from graphzsl.common.errors import ModelError
from graphzsl.models.base.generalized_folds import generalized_folds
from graphzsl.models.base.novelty import CalibratedStacking
from graphzsl.models.base.task import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.registry import model_module
from graphzsl.models.runs.predict import predict


def check_calibrated(name: str, task: Task) -> None:
    """Raise ModelError where calibrated stacking has no meaning."""
    candidates, train = set(task.candidates), set(task.train)
    if not candidates & train or candidates <= train:
        raise ModelError(
            "Calibrated stacking weighs training classes against unseen ones, and the candidates"
            " are not both. Train in the generalized setting.",
            argument="generalized",
        )
    if task.samples is None and task.validation_samples is None:
        raise ModelError(
            "Calibrated stacking weighs samples of seen against those of unseen classes, and this"
            " task has classifier rows alone. Give samples to choose hyper-parameters with, e.g."
            " images.",
            argument="validate_with",
        )
    if getattr(model_module(name), "TRAINING_ALONE", False):
        raise ModelError(f"{name} scores training classes alone.", argument="calibrate")
    if hasattr(model_module(name), "tune_detector"):
        raise ModelError(
            f"{name} tells seen from unseen classes by a detector of its own, and is not"
            " calibrated besides.",
            argument="calibrate",
        )


def calibrated(
    model: ZeroShotModel,
    task: Task,
    folds: Sequence[tuple[list[str], list[str]]],
    fit: Callable[[Task, str], ZeroShotModel],
) -> tuple[ZeroShotModel, dict[str, Any]]:
    """(the model with the amount taken off the scores of its training classes, the amount and the
    mean H).

    The amount is the one of the largest mean H over the folds; ``fit`` makes the model of a fold's
    task, which has a name.
    """
    predictions = []
    for number, fold in enumerate(generalized_folds(task, folds), 1):
        inner = fit(fold.task, f"calibration-fold-{number}")
        predictions.append(predict(inner, fold.seen.joined(fold.unseen), fold.task.train))
    amount, h = calibration(predictions)
    gate = CalibratedStacking(list(task.train), amount)
    return replace(model, gate=gate), {"amount": amount, "h": h}

"""Validation of the generalized setting: classes that are learned from, and classes held out, all
of them candidates, with samples of both that no model learned from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from graphzsl.common.errors import ModelError
from graphzsl.data.samples import Samples
from graphzsl.models.base.task import Task

#: Share of a class's samples that are held out where models learn from samples.
SEEN_SHARE = 0.2


class GeneralizedFold(NamedTuple):
    """A task whose candidates are its training classes and the held-out ones, with samples of
    each side."""

    task: Task
    seen: Samples
    unseen: Samples


def generalized_folds(
    task: Task, folds: Sequence[tuple[list[str], list[str]]]
) -> Iterator[GeneralizedFold]:
    """The generalized problem of each (kept, held-out) fold of the training classes of a task with
    samples.

    Where the task has samples to validate with, these are the samples of both sides. Where models
    learn from samples, a seeded fifth of those of each kept class is held out.

    Raises:
        ModelError: a side has no sample.
    """
    for kept, held in folds:
        candidates = [*kept, *held]
        if (given := task.validation_samples) is not None:
            inner = task.with_lists(kept, candidates)
            seen, unseen = given.among(kept), given.among(held)
        else:
            assert task.samples is not None
            learned, seen = _split(task.samples.select(kept), task.seed)
            inner = replace(task, train=kept, candidates=candidates, samples=learned)
            unseen = task.samples.select(held)
        if not seen.labels or not unseen.labels:
            raise ModelError(
                "The samples to choose hyper-parameters with hold none of the held-out training"
                " classes, or none of the others."
            )
        yield GeneralizedFold(inner, seen, unseen)


def _split(samples: Samples, seed: int) -> tuple[Samples, Samples]:
    """(to learn from, to test on): of each class a seeded share, at least one where the class has
    two samples."""
    random, labels = np.random.default_rng(seed), np.array(samples.labels)
    is_tested = np.zeros(len(labels), bool)
    for wnid in dict.fromkeys(samples.labels):
        own = random.permutation(np.flatnonzero(labels == wnid))
        is_tested[own[: max(int(len(own) > 1), round(SEEN_SHARE * len(own)))]] = True
    if not is_tested.any():
        raise ModelError(
            "Every class has one sample, so that none can be held out to weigh seen against unseen"
            " classes with."
        )
    return samples.rows(np.flatnonzero(~is_tested)), samples.rows(np.flatnonzero(is_tested))

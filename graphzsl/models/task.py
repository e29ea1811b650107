"""What every model is given, and the scale that classifier rows are compared on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from graphzsl.class_matrix import ClassMatrix, Matrix, unit_rows
from graphzsl.errors import ModelError
from graphzsl.subgraph import Subgraph


@dataclass(frozen=True)
class Task:
    """A zero-shot problem. A model reads the classifier rows of ``train`` alone; ``candidates`` are what it predicts.

    ``validation`` names training classes held out to choose hyper-parameters or to stop early; they are part of no
    other list. The test classes are nowhere in a Task but among the candidates, without their rows.
    """

    graph: Subgraph
    semantics: ClassMatrix
    classifiers: ClassMatrix
    train: list[str]
    candidates: list[str]
    validation: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        if not self.train or not self.candidates:
            raise ModelError("A task needs training classes and candidate classes.")
        both = set(self.train) & set(self.validation)
        if both:
            raise ModelError(f"{min(both)} is both a training and a validation class.")
        self.semantics.rows(self.train), self.classifiers.rows(self.train)  # a class without a row is an error now

    def with_lists(self, train: Sequence[str], candidates: Sequence[str], validation: Sequence[str] = ()) -> Task:
        """The same data with other lists of classes."""
        return replace(self, train=list(train), candidates=list(candidates), validation=tuple(validation))

    def targets(self) -> Targets:
        """The scale of this task's classifier rows; only training rows enter it."""
        return Targets.of(self.classifiers.rows(self.train))


@dataclass(frozen=True)
class Targets:
    """Classifier rows [C, D+1] less the mean training row, then L2-normalised.

    What all classifiers share says nothing about a class: it adds the same amount to every candidate's score.
    """

    mean: Matrix

    @classmethod
    def of(cls, training_rows: Matrix) -> Targets:
        return cls(training_rows.mean(axis=0))

    def transform(self, rows: Matrix) -> Matrix:
        """[C, D+1] centred unit rows."""
        return unit_rows(rows - self.mean)


def centred_unit(values: Matrix, training: Matrix) -> Matrix:
    """Rows less the mean of the training rows, L2-normalised: how linear models take their class embeddings."""
    return np.asarray(unit_rows(values - training.mean(axis=0)), dtype=np.float32)


def held_out(wnids: Sequence[str], share: float, seed: int) -> tuple[list[str], list[str]]:
    """(kept, held out): a seeded random share of classes, both in the order given."""
    count = round(share * len(wnids))
    if not 0 < count < len(wnids):
        raise ModelError(f"Cannot hold out {share:.0%} of {len(wnids)} classes.")
    chosen = set(np.random.default_rng(seed).permutation(len(wnids))[:count].tolist())
    kept = [wnid for row, wnid in enumerate(wnids) if row not in chosen]
    return kept, [wnid for row, wnid in enumerate(wnids) if row in chosen]

"""Targets of models that predict classifiers: directions of classifier rows, apart from their
biases."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.data.class_matrix import Matrix, unit_rows
from graphzsl.models.base.scaling import Scaling


@dataclass(frozen=True, eq=False)
class ClassifierScaling:
    """Directions of classifier rows [C, D+1]: weights less the mean training weights, then
    L2-normalised. Biases stand apart.

    What all classifiers share says nothing about a class: it adds the same amount to every
    candidate's score. A bias is another quantity than a weight, so as one more coordinate it would
    distort every comparison of directions. Not centred, the mean is 0.
    """

    mean: Matrix  #: [D+1]

    @classmethod
    def from_rows(cls, training_rows: Matrix, *, center: bool = True) -> ClassifierScaling:
        return cls(
            training_rows.mean(axis=0)
            if center
            else np.zeros(training_rows.shape[1], training_rows.dtype)
        )

    def transform(self, rows: Matrix) -> Matrix:
        """[C, D] centred unit weights."""
        return unit_rows((rows - self.mean)[:, :-1])

    def biases(self, rows: Matrix) -> Matrix:
        """[C] β = (b - b̄) / ‖w - w̄‖: the bias of a classifier whose centred weights have length
        1."""
        centred = rows - self.mean
        lengths = np.linalg.norm(centred[:, :-1], axis=1)
        return np.asarray(centred[:, -1] / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def rows_rule(*, center: bool = True, bias_column: bool = False) -> str:
    """Describe, for a manifest, the classifier rows that a model learned from."""
    what = "rows" if bias_column else "weights"
    less = f" less the mean training {what}" if center else ""
    biases = "biases are one of their coordinates" if bias_column else "biases predicted apart"
    return f"classifier rows: {what}{less}, L2-normalised; {biases}"


def centred_unit(values: Matrix, training: Matrix) -> Matrix:
    """Rows less the mean of the training rows, L2-normalised: how linear models take their class
    embeddings."""
    return Scaling.fit(training, "center")(values)

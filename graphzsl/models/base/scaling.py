"""Scaling of features and class embeddings: fitted on training data alone, kept with the model."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from graphzsl.common.errors import ModelError
from graphzsl.data.class_matrix import Matrix, unit_rows

KINDS = {
    "none": "as they are",
    "unit": "L2-normalised",
    "center": "less the training mean, then L2-normalised",
    "standard": (
        "less the training mean, divided by the training standard deviation, dimension by dimension"
    ),
}


@dataclass(frozen=True, eq=False)
class Scaling:
    """x -> (x - mean) / deviation, then L2-normalised where ``unit``."""

    mean: Matrix
    deviation: Matrix
    unit: bool

    @classmethod
    def none(cls) -> Scaling:
        """The scaling that changes nothing."""
        return cls(np.zeros(1, np.float32), np.ones(1, np.float32), False)

    @classmethod
    def fit(cls, training: Matrix, kind: str) -> Scaling:
        """``kind`` is one of KINDS; a constant dimension is not divided."""
        if kind not in KINDS:
            raise ModelError(f"Scaling is one of {', '.join(KINDS)}, not {kind!r}.")
        mean = training.mean(axis=0) if kind in ("center", "standard") else np.zeros(1)
        deviation = training.std(axis=0) if kind == "standard" else np.ones(1)
        deviation = np.where(deviation > 0, deviation, 1)
        return cls(
            mean.astype(np.float32), deviation.astype(np.float32), kind in ("unit", "center")
        )

    def __call__(self, values: Matrix) -> Matrix:
        """The scaled values, float32; ModelError where their dimensions do not fit."""
        if len(self.mean) not in (1, values.shape[1]) or len(self.deviation) not in (
            1,
            values.shape[1],
        ):
            raise ModelError(
                f"Features of {values.shape[1]} dimensions; the model was trained on"
                f" {len(self.mean)}."
            )
        if self.changes_nothing:
            return np.asarray(values, dtype=np.float32)
        scaled = (values - self.mean) / self.deviation
        return np.asarray(unit_rows(scaled) if self.unit else scaled, dtype=np.float32)

    @property
    def changes_nothing(self) -> bool:
        return not self.unit and not self.mean.any() and bool((self.deviation == 1).all())

"""The biases of classifiers, apart from their weights: another quantity, on its own scale.

Weights say where a class lies, a bias how readily the network names it. What is predicted is β_c =
(b_c - b̄) / ‖w_c - w̄‖, the bias of a classifier whose centred weights have length 1, so a
predicted classifier of length l has the bias l β_c. One ridge regression from class embeddings
serves every model; its penalty is the one of least leave-one-out error on the training classes, and
the mean alone where no penalty is better. Images are scored with the biases; class rows are
compared by weights alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from graphzsl.data.class_matrix import Matrix
from graphzsl.models.base.ridge import RELATIVE_PENALTIES, Ridge, Spectrum


@dataclass(frozen=True, eq=False)
class Biases:
    """A fitted regression; ``ridge`` None means that every class gets the ``mean`` of the training
    classes."""

    mean: float
    ridge: float | None
    regression: Ridge
    explained: (
        float  #: share of the training classes' variance that leave-one-out predictions explain
    )

    @classmethod
    def fit(cls, embeddings: Matrix, biases: Matrix, spectrum: Spectrum | None = None) -> Biases:
        """From training classes' embeddings [T, S], centred on them, their β [T], and the
        embeddings' spectrum where it is known."""
        mean = float(biases.mean())
        regression = Ridge(embeddings, (biases - mean)[:, None], spectrum)
        # the mean itself is of all classes, here and below
        plain = float(((biases - mean) ** 2).mean())
        unit = float(regression.spectrum.values.mean()) if len(regression.spectrum.values) else 1.0
        errors = {
            unit * each: float((regression.leave_one_out(unit * each) ** 2).mean())
            for each in RELATIVE_PENALTIES
        }
        best = min(errors, key=lambda penalty: errors[penalty])
        if not errors[best] < plain:
            return cls(mean, None, regression, 0.0)
        return cls(mean, best, regression, 1 - errors[best] / plain)

    def predict(self, embeddings: Matrix) -> Matrix:
        """[C] of classes' embeddings [C, S]."""
        if self.ridge is None:
            return np.full(len(embeddings), self.mean, np.float32)
        return np.asarray(
            self.mean + self.regression.predict(embeddings, self.ridge)[:, 0], dtype=np.float32
        )

    def metadata(self) -> dict[str, Any]:
        """Entries for a model's manifest."""
        rule = (
            "ridge on class embeddings"
            if self.ridge is not None
            else "mean of the training classes"
        )
        return {
            "predicted_by": rule,
            "ridge": self.ridge,
            "leave_one_out_r2": round(self.explained, 4),
        }

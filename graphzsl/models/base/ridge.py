"""Ridge regression from one eigendecomposition: every point of a grid of penalties costs products,
not a solution.

With the thin eigenvectors V [D, R] and eigenvalues a [R] of XᵀX (R the rank of X), (XᵀX + λI)⁻¹ XᵀT
= V (Vᵀ XᵀT / (a + λ)) for every λ: XᵀT lies in the space that V spans. The decomposition is that of
the smaller of XᵀX and XXᵀ, in float64.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from graphzsl.data.class_matrix import Matrix

Doubles = npt.NDArray[np.float64]

#: Eigenvalues below this share of the largest are rounding errors of 0.
_RANK_TOLERANCE = 1e-12
#: Penalties that leave-one-out chooses from, in units of the mean eigenvalue: from hardly any to
#: hardly anything left.
RELATIVE_PENALTIES = tuple(10.0 ** (step / 2) for step in range(-6, 9))


@dataclass(frozen=True, eq=False)
class Spectrum:
    """``values`` [R], the eigenvalues of XᵀX above 0, and ``vectors`` [D, R], its eigenvectors."""

    values: Doubles
    vectors: Doubles

    @classmethod
    def from_rows(cls, x: npt.NDArray[Any]) -> Spectrum:
        """Compute the spectrum of XᵀX from X [N, D]."""
        x64 = np.asarray(x, np.float64)
        is_wide = len(x64) < x64.shape[1]
        values, vectors = np.linalg.eigh(x64 @ x64.T if is_wide else x64.T @ x64)
        kept = values > _RANK_TOLERANCE * max(float(values.max(initial=0)), 1e-300)
        values, vectors = values[kept], vectors[:, kept]
        return cls(values, (x64.T @ vectors) / np.sqrt(values) if is_wide else vectors)


@dataclass(frozen=True, eq=False)
class Ridge:
    """The regression of targets T [N, M] on inputs X [N, D], for every penalty; ``known`` is the
    spectrum of X where somebody has it already."""

    x: Matrix
    targets: Matrix
    known: Spectrum | None = None

    @cached_property
    def spectrum(self) -> Spectrum:
        return self.known or Spectrum.from_rows(self.x)

    @cached_property
    def _projected(self) -> Doubles:
        """[N, R] X V."""
        return np.asarray(np.asarray(self.x, np.float64) @ self.spectrum.vectors)

    @cached_property
    def _rotated(self) -> Doubles:
        """[R, M] Vᵀ XᵀT."""
        return np.asarray(self._projected.T @ np.asarray(self.targets, np.float64))

    def predict(self, inputs: Matrix, ridge: float) -> Doubles:
        """[C, M] of inputs [C, D]: inputs (XᵀX + λI)⁻¹ XᵀT; with λ = 0 the solution of least
        norm."""
        vectors, values = self.spectrum.vectors, self.spectrum.values
        rows, (width, rank), targets = len(inputs), vectors.shape, self._rotated.shape[1]
        shrink = (values + ridge)[:, None]
        # the same product in the order of fewer multiplications
        if rank * (rows * width + rows * targets) <= width * targets * (rank + rows):
            return np.asarray((inputs @ vectors) / shrink[:, 0] @ self._rotated)
        return np.asarray(inputs @ (vectors @ (self._rotated / shrink)))

    def leave_one_out(self, ridge: float) -> Doubles:
        """[N, M] errors of predicting each row from all others: (t - t̂) / (1 - h), h the diagonal
        of X (XᵀX + λI)⁻¹ Xᵀ."""
        shrunk = self._projected / (self.spectrum.values + ridge)
        left = 1 - (self._projected * shrunk).sum(axis=1)
        errors = np.asarray(self.targets, np.float64) - shrunk @ self._rotated
        return np.asarray(errors / np.maximum(left, 1e-12)[:, None])

"""Seen against unseen candidates: two detectors of novel samples in the space of embeddings (CMT*,
Socher et al. 2013), and calibrated stacking (Chao et al. 2016)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from graphzsl.data.class_matrix import Matrix


class NoveltyDetector(Protocol):
    """Scores [N, C], embeddings of the samples [N, E] and their prepared features [N, D] -> scores
    [N, C]."""

    def __call__(
        self, scores: Matrix, encoded: Matrix, prepared: Matrix, wnids: Sequence[str]
    ) -> Matrix: ...


@dataclass(frozen=True, eq=False)
class Threshold:
    """Novel where log N(e; s_y, σ_y² I) < threshold_y for every seen y: then unseen candidates come
    first, else seen ones.

    ``means`` [T, E] are the class embeddings, ``variances`` and ``thresholds`` [T]. Seen candidates
    are ordered by the softmax classifier ``rows`` [T, D], ``bias`` [T]; unseen ones by ``scores``.
    """

    seen: list[str]
    rows: Matrix
    bias: Matrix
    means: Matrix
    variances: Matrix
    thresholds: Matrix

    def __call__(
        self, scores: Matrix, encoded: Matrix, prepared: Matrix, wnids: Sequence[str]
    ) -> Matrix:
        from scipy.special import log_softmax

        novel = np.asarray(
            (log_densities(encoded, self.means, self.variances) < self.thresholds).all(axis=1)
        )
        seen, columns = _seen_columns(self.seen, wnids)
        log_probabilities = log_softmax(scores, axis=1)
        if seen.any():
            log_probabilities[:, seen] = log_softmax(prepared @ self.rows.T + self.bias, axis=1)[
                :, columns
            ]
        span = log_probabilities.max(axis=1) - log_probabilities.min(axis=1) + 1
        losing = np.where(novel[:, None], seen[None, :], ~seen[None, :])
        return np.asarray(log_probabilities - losing * span[:, None])


@dataclass(frozen=True, eq=False)
class OutlierProbability:
    """p(c|x) = P(seen|x) softmax(c|x) for seen, P(unseen|x) N(e; s_c, σ² I) (normalised over the
    candidates) for unseen c.

    P(unseen|x) is the local outlier probability (LoOP) of e among the mapped training samples
    ``context`` [N, E]: pdist = λ √(mean squared distance to its ``neighbours`` nearest), lof =
    pdist / mean pdist of those - 1, P = max(0, erf(lof / (√2 Z))), Z = λ √(mean lof² of training).
    ``distances`` [N] are the training samples' pdist.
    """

    seen: list[str]
    rows: Matrix
    bias: Matrix
    context: Matrix
    distances: Matrix
    normaliser: float
    variance: float
    neighbours: int
    strength: float

    def outlier(self, encoded: Matrix) -> Matrix:
        """[N] P(unseen|x)."""
        return loop(
            encoded, self.context, self.distances, self.neighbours, self.strength, self.normaliser
        )

    def __call__(
        self, scores: Matrix, encoded: Matrix, prepared: Matrix, wnids: Sequence[str]
    ) -> Matrix:
        from scipy.special import log_softmax

        novel = np.clip(self.outlier(encoded), 1e-12, 1 - 1e-12)[:, None]
        seen, columns = _seen_columns(self.seen, wnids)
        log_probabilities = np.empty_like(scores)
        if seen.any():
            log_probabilities[:, seen] = (
                np.log1p(-novel)
                + log_softmax(prepared @ self.rows.T + self.bias, axis=1)[:, columns]
            )
        if not seen.all():
            log_probabilities[:, ~seen] = np.log(novel) + log_softmax(
                scores[:, ~seen] / (2 * self.variance), axis=1
            )
        return log_probabilities


@dataclass(frozen=True, eq=False)
class CalibratedStacking:
    """score(x, c) - γ · [c is seen], ``amount`` being γ (Chao et al. 2016, "calibrated
    stacking")."""

    seen: list[str]
    amount: float

    def __call__(
        self, scores: Matrix, encoded: Matrix, prepared: Matrix, wnids: Sequence[str]
    ) -> Matrix:
        is_seen, _ = _seen_columns(self.seen, wnids)
        return np.asarray(scores - np.where(is_seen, self.amount, 0.0).astype(scores.dtype))


def log_densities(encoded: Matrix, means: Matrix, variances: Matrix) -> Matrix:
    """[N, T] log N(e; mean_y, variance_y I)."""
    from scipy.spatial.distance import cdist

    squared = cdist(encoded, means, "sqeuclidean")
    return np.asarray(
        -squared / (2 * variances) - encoded.shape[1] / 2 * np.log(2 * np.pi * variances)
    )


def loop_distances(context: Matrix, neighbours: int, strength: float) -> tuple[Matrix, float]:
    """([N] pdist of the training samples among each other, Z): a sample is not a neighbour of
    itself."""
    distances, nearest = _nearest(context, context, neighbours, skip_itself=True)
    pdist = strength * np.sqrt((distances**2).mean(axis=1))
    lof = pdist / np.maximum(pdist[nearest].mean(axis=1), 1e-12) - 1
    return pdist.astype(np.float32), float(max(strength * np.sqrt((lof**2).mean()), 1e-12))


def loop(
    encoded: Matrix,
    context: Matrix,
    pdist: Matrix,
    neighbours: int,
    strength: float,
    normaliser: float,
) -> Matrix:
    """[N] local outlier probability of new samples."""
    from scipy.special import erf

    distances, nearest = _nearest(encoded, context, neighbours, skip_itself=False)
    own = strength * np.sqrt((distances**2).mean(axis=1))
    lof = own / np.maximum(pdist[nearest].mean(axis=1), 1e-12) - 1
    return np.asarray(np.maximum(0, erf(lof / (np.sqrt(2) * normaliser))))


def _nearest(
    points: Matrix, context: Matrix, neighbours: int, skip_itself: bool
) -> tuple[Matrix, Any]:
    from sklearn.neighbors import NearestNeighbors

    count = min(neighbours, len(context) - int(skip_itself))
    index = NearestNeighbors(n_neighbors=count).fit(context)
    return index.kneighbors(None if skip_itself else points)  # type: ignore[no-any-return]


def _seen_columns(seen: Sequence[str], wnids: Sequence[str]) -> tuple[np.ndarray, list[int]]:
    """([C] whether a candidate is seen, the positions in ``seen`` of those that are)."""
    position = {wnid: row for row, wnid in enumerate(seen)}
    return np.array([wnid in position for wnid in wnids]), [
        position[wnid] for wnid in wnids if wnid in position
    ]


GATES: dict[str, Any] = {
    each.__name__: each for each in (Threshold, OutlierProbability, CalibratedStacking)
}

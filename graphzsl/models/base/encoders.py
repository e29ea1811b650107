"""Encoders: functions of the features in front of a model's linear layer. An encoder is a record of
arrays: saved without code."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any, Protocol

import numpy as np

from graphzsl.data.class_matrix import Matrix, unit_rows


class Encoder(Protocol):
    """[N, ``inputs``] -> [N, E]."""

    @property
    def inputs(self) -> int: ...

    def __call__(self, x: Matrix) -> Matrix: ...


@dataclass(frozen=True, eq=False)
class Projection:
    """x W: a linear map into the space of class embeddings; ``weight`` [D, E]."""

    weight: Matrix

    @property
    def inputs(self) -> int:
        return len(self.weight)

    def __call__(self, x: Matrix) -> Matrix:
        return x @ self.weight

    def with_bias(self) -> Projection:
        """Projection with one coordinate more that goes through unchanged: 1 of an image, 0 of a
        class row."""
        inputs, outputs = self.weight.shape
        weight = np.zeros((inputs + 1, outputs + 1), np.float32)
        weight[:-1, :-1], weight[-1, -1] = self.weight, 1
        return Projection(weight)


@dataclass(frozen=True, eq=False)
class SeenClassifier:
    """[N, T] scores of the seen classes, whose softmax is p(y|x): [x, 1] · ``weights``ᵀ, weights
    [T, D+1] with the biases.

    A network's own weights say nothing of a class row, whose last coordinate is 0 where an image
    has a 1: it is compared with their ``directions`` [T, D+1].
    """

    weights: Matrix
    directions: Matrix | None = None

    @property
    def inputs(self) -> int:
        return int(self.weights.shape[1])

    def __call__(self, x: Matrix) -> Matrix:
        return seen_scores(x, self.weights, self.directions)


def seen_scores(x: Matrix, weights: Matrix, directions: Matrix | None) -> Matrix:
    """Compute the scores of ``SeenClassifier``."""
    if directions is None or x[:, -1].all():
        return np.asarray(x @ weights.T)
    return np.where(x[:, -1:] == 0, x @ directions.T, x @ weights.T)


@dataclass(frozen=True, eq=False)
class ConvexCombination:
    """Σ_t p_t s_t / Σ_t p_t over the ``top`` likeliest seen classes (ConSE), L2-normalised.

    p is the softmax of ``scale`` times the scores of ``SeenClassifier``, whose weights are
    ``seen``; ``semantics`` [T, E] holds the s_t.
    """

    seen: Matrix
    semantics: Matrix
    top: int
    scale: float
    directions: Matrix | None = None

    @property
    def inputs(self) -> int:
        return int(self.seen.shape[1])

    def __call__(self, x: Matrix) -> Matrix:
        logits = self.scale * seen_scores(x, self.seen, self.directions)
        top = min(int(self.top), logits.shape[1])
        best = np.argpartition(-logits, top - 1, axis=1)[:, :top]
        weights = softmax(np.take_along_axis(logits, best, axis=1))
        return unit_rows(np.einsum("nt,nts->ns", weights, self.semantics[best]))


@dataclass(frozen=True, eq=False)
class TanhNetwork:
    """tanh(x W₁ + b₁) W₂ + b₂ (CMT)."""

    first: Matrix
    first_bias: Matrix
    second: Matrix
    second_bias: Matrix

    @property
    def inputs(self) -> int:
        return len(self.first)

    def __call__(self, x: Matrix) -> Matrix:
        hidden = np.tanh(x @ self.first + self.first_bias)
        return np.asarray(hidden @ self.second + self.second_bias)


@dataclass(frozen=True, eq=False)
class AttributeClassifiers:
    """[log p(a|x), log (1 - p(a|x))], p = σ(x W + b), clipped to [1e-6, 1 - 1e-6] (DAP). ``weight``
    [D, M]."""

    weight: Matrix
    bias: Matrix

    @property
    def inputs(self) -> int:
        return len(self.weight)

    def __call__(self, x: Matrix) -> Matrix:
        return _log_odds(1 / (1 + np.exp(-np.clip(x @ self.weight + self.bias, -30, 30))))


@dataclass(frozen=True, eq=False)
class AttributesOfClasses:
    """[log p(a|x), log (1 - p(a|x))] as of ``AttributeClassifiers``, with p(a|x) = Σ_k a_k p(k|x)
    over the seen classes k (IAP): the softmax of ``scale`` times the scores of ``SeenClassifier``,
    whose weights are ``seen``. ``attributes`` [T, M] in {0, 1}."""

    seen: Matrix
    attributes: Matrix
    scale: float
    directions: Matrix | None = None

    @property
    def inputs(self) -> int:
        return int(self.seen.shape[1])

    def __call__(self, x: Matrix) -> Matrix:
        logits = self.scale * seen_scores(x, self.seen, self.directions)
        return _log_odds(softmax(logits) @ self.attributes)


@dataclass(frozen=True, eq=False)
class SeenProportions:
    """π_s(x) = ⟨w, min(x, v_s)⟩ (``kind`` intersection) or ⟨w, max(0, x - v_s)⟩ (rectified) for
    every seen class (SSE)."""

    prototypes: Matrix
    weight: Matrix
    kind: str

    @property
    def inputs(self) -> int:
        return int(self.prototypes.shape[1])

    def __call__(self, x: Matrix) -> Matrix:
        from scipy.spatial.distance import cdist

        distances = np.zeros((len(x), len(self.prototypes)))
        for sign in (1, -1):  # a distance has no negative weights
            side = sign * self.weight > 0
            size = sign * self.weight[side]
            distances += sign * cdist(
                x[:, side] * size, self.prototypes[:, side] * size, "cityblock"
            )
        own, others = (x @ self.weight)[:, None], (self.prototypes @ self.weight)[None]
        product = (
            own + others - distances if self.kind == "intersection" else own - others + distances
        )
        return np.asarray(product / 2, dtype=np.float32)


ENCODERS: dict[str, Any] = {
    each.__name__: each
    for each in (
        Projection,
        SeenClassifier,
        ConvexCombination,
        TanhNetwork,
        AttributeClassifiers,
        AttributesOfClasses,
        SeenProportions,
    )
}


def parts(record: Any) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
    """(arrays, plain values) of a record's fields, to write to a file."""
    values = {each.name: getattr(record, each.name) for each in fields(record)}
    arrays = {
        key: np.asarray(value, np.float32)
        for key, value in values.items()
        if isinstance(value, np.ndarray)
    }
    return arrays, {key: value for key, value in values.items() if key not in arrays}


def softmax(logits: Matrix) -> Matrix:
    """Row-wise softmax."""
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return np.asarray(weights / weights.sum(axis=1, keepdims=True))


def _log_odds(p: Matrix) -> Matrix:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return np.concatenate([np.log(p), np.log(1 - p)], axis=1)

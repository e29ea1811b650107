"""Hybrid models against loops, closed forms and their objectives."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import scipy.special
import torch
from scipy.spatial.distance import cdist

from graphzsl.common import Compute, ModelError
from graphzsl.data import Samples
from graphzsl.data.class_matrix import unit_rows
from graphzsl.models import Task
from graphzsl.models.attributes import iap
from graphzsl.models.base.class_samples import class_samples
from graphzsl.models.base.encoders import ConvexCombination, SeenProportions
from graphzsl.models.base.regression import softmax_regression
from graphzsl.models.base.targets import centred_unit
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.hybrid import conse, sse, sync
from graphzsl.models.runs.predict import predict
from graphzsl.models.structural import softmax
from tests.problems import candidate_features, mini_problem


@pytest.mark.parametrize("centred", [True, False])
def test_images_are_scored_by_the_networks_own_classifier(tmp_path: Path, centred: bool) -> None:
    """Norouzi et al. 2014 and Lampert et al. 2009: p(y|x) of the network itself, w·x + b of the
    image as it was before a mean was subtracted; by scipy's softmax of the raw rows."""
    task, matrix = mini_problem()
    rows = matrix.rows(task.train).astype(float)
    random = np.random.default_rng(5)
    raw = random.normal(0.4, 0.1, size=(4 * len(task.train), rows.shape[1] - 1)).astype(np.float32)
    images = Samples(raw, task.train * 4, {})
    given = images.centred_on(task.train).among(task.train[1:]) if centred else images
    given = given.centred(given.features[0], {}) if centred else given
    raw = raw[[label in set(given.labels) for label in images.labels]]
    logits = raw @ rows[:, :-1].T + rows[:, -1]
    p_class = scipy.special.softmax(logits, axis=1)

    def scores(trained: ZeroShotModel) -> np.ndarray:
        trained.save(tmp_path / "model")
        loaded = ZeroShotModel.load(tmp_path / "model")
        return loaded.scores(loaded.features(given))

    trained = softmax.fit(task, softmax.Options())
    assert scores(trained) == pytest.approx(logits, abs=1e-3)
    ranks = predict(trained, given).rank
    truth = [trained.wnids.index(label) for label in given.labels]
    own = logits[np.arange(len(truth)), truth]
    assert ranks.tolist() == (logits >= own[:, None]).sum(axis=1).tolist()
    whole = conse.fit(task, conse.Options(top=len(task.train)))
    assert scores(whole) == pytest.approx(
        unit_rows(p_class @ task.examples.s) @ unit_rows(task.candidate_semantics).T, abs=1e-4
    )
    train, candidates = (task.semantics.rows(wnids) for wnids in (task.train, task.candidates))
    has, wanted = train > train.mean(), candidates > train.mean()
    p, prior = np.clip(p_class @ has, 1e-6, 1 - 1e-6), has.mean(axis=0)
    prior[(prior == 0) | (prior == 1)] = 0.5
    expected = np.log(p / prior) @ wanted.T + np.log((1 - p) / (1 - prior)) @ (1 - wanted.T)
    assert scores(iap.fit(task, iap.Options())) == pytest.approx(expected, abs=1e-3)


def test_images_of_another_network_are_refused() -> None:
    task, _ = mini_problem()
    images = Samples(np.ones((1, 3), np.float32), task.train[:1], {})
    with pytest.raises(ModelError, match=r"3 features .* same network"):
        replace(task, validation_samples=images)
    with pytest.raises(ModelError, match=r"3 features do not fit classifier rows of 7 weights"):
        replace(task, samples=images)
    replace(task, classifiers=None, validation_samples=images, samples=images)
    rows = class_samples(task.rows, task.train, task.targets())
    replace(task, validation_samples=rows)


def test_conse_is_its_loop(task: Task, sampled: Task) -> None:
    features = np.random.default_rng(1).normal(size=(6, 8)).astype(np.float32)
    features[:, -1] = [0, 1, 0, 1, 0, 1]  # class rows and images
    model = conse.fit(task, conse.Options(top=4, scale=5.0))
    own = task.rows.rows(task.train)
    centred = own - own.mean(axis=0)
    directions = centred / np.linalg.norm(centred[:, :-1], axis=1, keepdims=True)
    rows = task.semantics.rows(task.train)
    s, s_candidates = (
        centred_unit(task.semantics.rows(w), rows) for w in (task.train, task.candidates)
    )
    scores = model.scores(features)
    for row, x in enumerate(features):
        p = scipy.special.softmax(5.0 * ((own if x[-1] else directions).astype(float) @ x))
        best = np.argsort(-p)[:4]
        embedded = sum(p[t] * s[t] for t in best) / p[best].sum()
        assert scores[row] == pytest.approx(
            s_candidates @ embedded / np.linalg.norm(embedded), abs=1e-4
        )
    rows, bias = softmax_regression(sampled.examples.x, sampled.examples.y, 25, 1e-4, Compute())
    model = conse.fit(sampled, conse.Options(top=25))
    x = sampled.examples.scaling(candidate_features(sampled))
    p = np.exp(x @ rows.T + bias)
    mean = (p / p.sum(axis=1, keepdims=True)) @ sampled.examples.s
    assert model.scores(candidate_features(sampled)) == pytest.approx(
        unit_rows(mean) @ sampled.candidate_semantics.T, abs=1e-4
    )


def test_conse_weighs_by_the_classifiers_own_probabilities() -> None:
    """Xian et al. 2017, equations 13 and 14: logits 0, ln 2, ln 4 are p = 1/7, 2/7, 4/7, and the
    best two weigh 1 : 2."""
    logits = np.log([[1.0, 2.0, 4.0]]).astype(np.float32)
    embedded = ConvexCombination(
        np.eye(3, dtype=np.float32), np.eye(3, dtype=np.float32), top=2, scale=1.0
    )(logits)
    assert embedded == pytest.approx(np.array([[0, 1, 2]]) / np.sqrt(5), abs=1e-6)
    assert conse.Options().scale == 1.0, "the default is p itself"
    assert all(point.get("scale", 1.0) == 1.0 for point in conse.GRID)


def test_mixtures_are_the_minimum_on_the_simplex() -> None:
    from scipy.optimize import minimize

    random = np.random.default_rng(0)
    seen, values = unit_rows(random.normal(size=(6, 4))), unit_rows(random.normal(size=(3, 4)))
    found = sse.simplex_mixtures(values, seen, 0.2)
    for c, alpha in zip(values, found, strict=True):
        assert alpha.sum() == pytest.approx(1, abs=1e-5)
        peer = minimize(
            lambda a, c=c: 0.1 * a @ a + 0.5 * ((c - a @ seen) ** 2).sum(),
            np.full(6, 1 / 6),
            method="SLSQP",
            tol=1e-12,
            bounds=[(0, 1)] * 6,
            constraints={"type": "eq", "fun": lambda a: a.sum() - 1},
        )
        assert alpha == pytest.approx(peer.x, abs=1e-3)
    assert sse.project_to_simplex(
        np.array([[0.2, 0.3, 0.5], [9.0, 0, 0], [0, 0, 0]])
    ) == pytest.approx(np.array([[0.2, 0.3, 0.5], [1, 0, 0], [1 / 3, 1 / 3, 1 / 3]]))


@pytest.mark.parametrize("kind", ["intersection", "rectified"])
def test_sse_scores_are_its_sum(sampled: Task, kind: str) -> None:
    positive = _positive(sampled)
    model = sse.fit(positive, sse.Options(epochs=1, kind=kind))
    assert isinstance(model.encoder, SeenProportions)
    v, w = model.encoder.prototypes, model.encoder.weight
    assert positive.samples
    seen = positive.samples.select(positive.train)
    x = unit_rows(seen.features)  # neither centred nor shifted: all are ≥ 0 already
    labels = np.array(seen.labels)
    assert v == pytest.approx(
        np.stack([x[labels == t].mean(axis=0) for t in positive.train]), abs=1e-5
    )
    rows = positive.semantics.rows(positive.train)
    s, candidates = (
        centred_unit(positive.semantics.rows(w), rows)
        for w in (positive.train, positive.candidates)
    )
    mixtures = sse.simplex_mixtures(candidates, s, 0.1)
    x = unit_rows(candidate_features(positive))
    phi = (
        np.minimum(x[:, None], v[None])
        if kind == "intersection"
        else np.maximum(0, x[:, None] - v[None])
    )
    assert model.scores(candidate_features(positive)) == pytest.approx(
        (phi @ w) @ mixtures.T, abs=1e-4
    )


def _positive(task: Task) -> Task:
    """Features as a network gives them after a ReLU."""
    assert task.samples
    features = np.maximum(task.samples.features, 0) + 0.01
    return replace(task, samples=Samples(features, task.samples.labels, {}))


@pytest.mark.parametrize("kind", ["intersection", "rectified"])
@pytest.mark.parametrize(("align", "instance"), [(0.0, 0.7), (0.3, 0.0), (0.3, 0.7)])
def test_sses_objective_against_loops(kind: str, align: float, instance: float) -> None:
    """½ ‖w‖² + λ₁/2 Σ ‖v‖² + λ₂ Σ ε + λ₃ Σ ξ, with the mean of f over a class's samples in ε."""
    random = np.random.default_rng(0)
    x, y = random.random((9, 4)), np.array([0, 0, 1, 1, 1, 2, 2, 3, 3])
    w, v, z = random.normal(size=4), random.random((4, 4)), random.random((4, 4))
    margins = random.random((4, 4)) * (1 - np.eye(4))

    def f(sample: np.ndarray, c: int) -> float:
        parts = [
            np.minimum(sample, v[s]) if kind == "intersection" else np.maximum(0, sample - v[s])
            for s in range(4)
        ]
        return sum(z[c, s] * float(w @ parts[s]) for s in range(4))

    expected = 0.5 * w @ w + 0.05 * (v**2).sum()
    for c in range(4):
        for i in range(9):
            expected += (
                instance * max(0.0, margins[y[i], c] - f(x[i], y[i]) + f(x[i], c)) * (c != y[i])
            )
        for t in range(4):
            gap = np.mean([f(x[i], t) - f(x[i], c) for i in np.flatnonzero(y == t)])
            expected += align * max(0.0, margins[t, c] - gap) * (c != t)
    tensors = (torch.from_numpy(part.astype(np.float32)) for part in (w, v, z, margins))
    options = sse.Options(kind=kind, prototypes=0.1, align=align, instance=instance)
    value = sse.objective(
        torch.from_numpy(x.astype(np.float32)), torch.from_numpy(y), *tensors, options
    )
    assert float(value) == pytest.approx(expected, rel=1e-5)


def test_sse_learns_weights_and_prototypes_in_turns(sampled: Task) -> None:
    positive = _positive(sampled)
    first, second, third = (
        sse.fit(positive, sse.Options(epochs=epochs)).encoder for epochs in (1, 2, 3)
    )
    assert isinstance(first, SeenProportions)
    assert isinstance(second, SeenProportions)
    assert isinstance(third, SeenProportions)
    assert np.array_equal(first.weight, second.weight), (
        "the second epoch moves the prototypes alone"
    )
    assert np.abs(second.prototypes - first.prototypes).max() > 1e-4
    assert np.array_equal(second.prototypes, third.prototypes), "the third moves w alone"
    assert not np.allclose(second.weight, third.weight)
    values = []
    for epochs in (1, 20):  # what it minimises goes down, by the definition: on all samples at once
        model = sse.fit(positive, sse.Options(epochs=epochs, batch=64))
        encoder = model.encoder
        assert isinstance(encoder, SeenProportions)
        assert encoder.prototypes.min() >= 0
        x, y = model.prepare(positive.samples.select(positive.train).features), positive.examples.y  # type: ignore[union-attr]
        s = positive.examples.s
        scores = encoder(x) @ sse.simplex_mixtures(s, s, 0.1).T
        hinges = np.maximum(0, (1 - s @ s.T)[y] + scores - scores[np.arange(len(y)), y][:, None])
        values.append(hinges.sum(axis=1).mean())
    assert values[1] < 0.9 * values[0]


def test_sse_shifts_negative_features(sampled: Task) -> None:
    """min(x + a, v + a) = min(x, v) + a, so a shift of a dimension is harmless; the intersection is
    then of values ≥ 0."""
    model = sse.fit(sampled, sse.Options(epochs=1))
    assert sampled.samples
    seen = sampled.samples.select(sampled.train).features
    assert seen.min() < 0
    prepared = model.prepare(seen)
    assert prepared == pytest.approx(unit_rows(seen - seen.min(axis=0)), abs=1e-5)
    x, v, w = np.array([[0.2, 0.7]]), np.array([[0.5, 0.1], [0.3, 0.9]]), np.array([2.0, 3.0])
    plain, shifted = (
        SeenProportions(v + a, w, "intersection")(x + a) for a in (0.0, np.array([0.4, 1.0]))
    )
    assert plain == pytest.approx(np.array([[0.7, 2.5]]))  # 2·0.2 + 3·0.1, 2·0.2 + 3·0.7
    assert shifted - plain == pytest.approx(np.full((1, 2), 2 * 0.4 + 3 * 1.0), abs=1e-5)


@pytest.mark.parametrize("loss", ["one-vs-other", "crammer-singer", "structured"])
def test_sync_losses_against_loops(loss: str) -> None:
    random = np.random.default_rng(0)
    x, y, w = random.normal(size=(9, 4)), random.integers(0, 5, 9), random.normal(size=(5, 4))
    distances = cdist(*[random.normal(size=(5, 3))] * 2)
    found = sync.loss_of(
        loss,
        *(
            torch.from_numpy(part)
            for part in (x.astype(np.float32), y, distances.astype(np.float32))
        ),
    )
    value = float(found(torch.from_numpy(w.astype(np.float32))))
    scores = x @ w.T
    if loss == "one-vs-other":
        expected = np.mean(
            [
                [max(0, 1 - (1 if c == y[n] else -1) * scores[n, c]) ** 2 for c in range(5)]
                for n in range(9)
            ]
        )
    else:
        margin = distances if loss == "structured" else 1 - np.eye(5)
        expected = np.mean(
            [
                max(margin[y[n], c] + scores[n, c] - scores[n, y[n]] for c in range(5))
                for n in range(9)
            ]
        )
    assert value == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("fast", [True, False])
def test_synthesised_classifiers_are_optimal_mixtures(sampled: Task, fast: bool) -> None:
    """Of the training classes: no direction lowers (1/NT) Σ max(0, 1 ∓ w·x)² + λ/2 Σ ‖w‖². Of
    candidates: their mixtures."""
    both = replace(sampled, candidates=[*sampled.train, *sampled.candidates])
    options = sync.Options(sigma=0.8, ridge=0.05, fast=fast)
    rows = sync.fit(both, options).classifiers.values[:, :-1].astype(np.float64)
    w, x, y, s = rows[:25], sampled.examples.x, sampled.examples.y, sampled.examples.s
    signs = np.where(np.arange(25) == y[:, None], 1.0, -1.0)

    def objective(w: np.ndarray) -> float:
        return float((np.maximum(0, 1 - signs * (x @ w.T)) ** 2).mean() + 0.05 / 2 * (w**2).sum())

    gradient = np.zeros_like(w)
    for place in np.ndindex(*w.shape):
        shift = np.zeros_like(w)
        shift[place] = 1e-4
        gradient[place] = (objective(w + shift) - objective(w - shift)) / 2e-4
    assert np.linalg.norm(gradient) < 1e-3
    assert objective(w) < objective(0 * w) - 1e-3
    median = np.median(cdist(s, s)[np.triu_indices(25, 1)])

    def mixtures(values: np.ndarray) -> np.ndarray:
        found = np.exp(-((cdist(values, s) / median / 0.8) ** 2))
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    expected = mixtures(sampled.candidate_semantics) @ np.linalg.solve(mixtures(s), w)
    assert rows[25:] == pytest.approx(expected, abs=2e-3)


def test_the_fast_form_of_sync_is_sync(sampled: Task) -> None:
    """With as many phantom classes as classes and S invertible both have one optimum."""
    features = candidate_features(sampled)
    fast, slow = (
        sync.fit(sampled, sync.Options(fast=fast, sigma=0.3, ridge=0.05)).scores(features)
        for fast in (True, False)
    )
    assert np.corrcoef(fast.ravel(), slow.ravel())[0, 1] > 0.999

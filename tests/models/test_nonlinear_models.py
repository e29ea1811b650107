"""Cross-modal transfer and its novelty detector against loops and other libraries."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from graphzsl.models import Task, training
from graphzsl.models.base import novelty
from graphzsl.models.base.generalized_folds import generalized_folds
from graphzsl.models.nonlinear import cmt, cmt_star
from tests.problems import candidate_features


@pytest.mark.parametrize("scaling", ["center", "none"])
def test_cmt_takes_the_nearest_embedding(sampled: Task, scaling: str) -> None:
    # without scaling the embeddings differ in length
    sampled = replace(sampled, semantic_scaling=scaling)
    model = cmt.fit(sampled, cmt.Options(hidden=16, epochs=5))
    features = candidate_features(sampled)
    distances = cdist(model.encode(features), sampled.candidate_semantics, "sqeuclidean")
    assert np.array_equal(
        np.argsort(-model.scores(features), axis=1), np.argsort(distances, axis=1)
    )
    losses = []
    for epochs in (1, 60):
        mapped = cmt.fit(sampled, cmt.Options(hidden=64, epochs=epochs)).encoder
        assert mapped
        losses.append(
            ((mapped(sampled.examples.x) - sampled.examples.s[sampled.examples.y]) ** 2)
            .sum(axis=1)
            .mean()
        )
    assert losses[1] < 0.5 * losses[0]


def test_a_step_of_cmt_goes_down_its_objective(sampled: Task) -> None:
    """Mean of ‖s_y - (W₂ tanh(W₁ x + b₁) + b₂)‖² by a loop; the first step of Adam is lr ·
    sign(gradient)."""
    x, y, s = (
        part.astype(np.float64)
        for part in (sampled.examples.x, sampled.examples.y, sampled.examples.s)
    )
    names, lr = ("first", "first_bias", "second", "second_bias"), 1e-3

    def parts(lr: float) -> dict[str, np.ndarray]:
        network = cmt.fit_network(
            sampled, cmt.Options(hidden=5, epochs=1, batch=len(y), lr=lr), "cmt"
        )
        return {name: getattr(network, name).astype(np.float64) for name in names}

    def objective(at: dict[str, np.ndarray]) -> float:
        total = 0.0
        for sample, truth in zip(x, y.astype(int), strict=True):
            hidden = np.tanh(sample @ at["first"] + at["first_bias"])
            total += float(((s[truth] - hidden @ at["second"] - at["second_bias"]) ** 2).sum())
        return total / len(x)

    start, after = parts(1e-12), parts(lr)
    random, checked = np.random.default_rng(0), 0
    for name in names:
        for _ in range(8):
            place = tuple(random.integers(0, size) for size in start[name].shape)
            values = []
            for shift in (1e-5, -1e-5):
                moved = {key: value.copy() for key, value in start.items()}
                moved[name][place] += shift
                values.append(objective(moved))
            gradient = (values[0] - values[1]) / 2e-5
            if abs(gradient) > 1e-3:
                checked += 1
                assert (after[name] - start[name])[place] == pytest.approx(
                    -lr * np.sign(gradient), rel=0.05
                )
    assert checked > 20


def test_the_thresholds_of_cmt_star_by_hand() -> None:
    """Squared distances of 2, 2 and of 4, 20 in two dimensions: the variances are (2 + 2) / 4 = 1
    and (4 + 20) / 4 = 6, and log N = -d² / 2σ² - log 2πσ² of each class has its own."""
    mapped = np.array([[1, 1], [-1, 1], [5, 7], [7, 9]], np.float32)
    means = np.array([[0, 0], [5, 5]], np.float32)
    y = np.array([0, 0, 1, 1])
    constants = np.log(2 * np.pi * np.array([1, 6]))
    for quantile, densities in ((0.0, [-1, -20 / 12]), (0.5, [-1, -1]), (1.0, [-1, -4 / 12])):
        variances, thresholds = cmt_star.thresholds_of(mapped, means, y, quantile)
        assert variances.tolist() == [1, 6]
        assert thresholds == pytest.approx(densities - constants, abs=1e-6)


def test_cmt_star_sends_samples_to_a_side(sampled: Task) -> None:
    both = replace(sampled, candidates=[*sampled.train, *sampled.candidates])
    seen_columns = np.arange(len(both.candidates)) < len(sampled.train)
    options = cmt_star.Options(hidden=32, epochs=60)
    model = cmt_star.fit(both, options)
    gate = model.gate
    assert isinstance(gate, novelty.Threshold)
    assert sampled.samples
    features = sampled.samples.features
    encoded = model.encode(features)
    mapped = model.encode(sampled.samples.select(sampled.train).features)
    for row, wnid in enumerate(sampled.train):  # each variance from its own class's samples
        own = mapped[np.array(sampled.samples.select(sampled.train).labels) == wnid]
        assert gate.variances[row] == pytest.approx(
            ((own - gate.means[row]) ** 2).sum(axis=1).mean() / 12, rel=1e-4
        )
    novel = []
    for e in encoded:
        densities = [
            -((e - m) ** 2).sum() / (2 * v) - 6 * np.log(2 * np.pi * v)
            for m, v in zip(gate.means, gate.variances, strict=True)
        ]
        novel.append(all(d < t for d, t in zip(densities, gate.thresholds, strict=True)))
    best = model.scores(features).argmax(axis=1)
    assert np.array_equal(~seen_columns[best], np.array(novel))
    assert 0 < np.mean(novel) < 1
    zero_shot = cmt_star.fit(sampled, options).scores(features)
    plain = cmt.fit(sampled, cmt.Options(hidden=32, epochs=60)).scores(features)
    assert np.array_equal(np.argsort(zero_shot, axis=1), np.argsort(plain, axis=1)), (
        "without seen candidates it is CMT"
    )


def test_the_detector_is_chosen_on_seen_and_unseen_classes(sampled: Task) -> None:
    both = replace(sampled, candidates=[*sampled.train, *sampled.candidates])
    given = {"hidden": 32, "epochs": 60}
    _, manifest = training.train("cmt-star", both, given)
    trials = [trial for trial in manifest["chosen_on_validation"] if "harmonic_mean" in trial]
    assert len(trials) == len(cmt_star.DETECTORS)
    best = max(trials, key=lambda trial: trial["harmonic_mean"])
    assert all(
        manifest["options"][key] == best[key]
        for key in ("detector", "quantile", "strength")
        if key in best
    )
    assert len({trial["harmonic_mean"] for trial in trials}) > 1
    # one trial again, by hand: on one fold, with 2 of 8 samples of every kept class held out
    kept, held = sampled.train[:20], sampled.train[20:]
    assert sampled.samples
    (fold,) = generalized_folds(sampled, [(kept, held)])
    learned, asked = fold.task.samples, fold.seen
    assert learned is not None
    assert {asked.labels.count(wnid) for wnid in kept} == {2}
    assert {learned.labels.count(wnid) for wnid in kept} == {6}
    rows = {tuple(row) for row in np.concatenate([learned.features, asked.features]).tolist()}
    assert rows == {tuple(row) for row in sampled.samples.select(kept).features.tolist()}
    chosen, found = cmt_star.tune_detector(both, {**given, "detector": "outlier"}, [(kept, held)])
    assert {trial["detector"] for trial in found} == {"outlier"}, (
        "what is given is not chosen again"
    )
    assert fold.task.candidates == [*kept, *held]
    model = cmt_star.fit(fold.task, cmt_star.Options(**given, **chosen))
    sides = []
    for part in (asked, sampled.samples.select(held)):
        best_wnids = np.array(model.wnids)[model.scores(part.features).argmax(axis=1)]
        right = best_wnids == np.array(part.labels)
        sides.append(
            np.mean(
                [right[np.array(part.labels) == wnid].mean() for wnid in dict.fromkeys(part.labels)]
            )
        )
    assert min(sides) > 0
    expected = 2 * sides[0] * sides[1] / sum(sides)
    assert max(trial["harmonic_mean"] for trial in found) == pytest.approx(expected, abs=1e-6)
    assert cmt_star.tune_detector(sampled, given, [(kept, held)]) == (
        {},
        [],
    ), "CMT, where no seen class is a candidate"


def test_outlier_probabilities_against_a_loop(sampled: Task) -> None:
    random = np.random.default_rng(0)
    context, points = (
        random.normal(size=(40, 3)),
        np.concatenate([random.normal(size=(5, 3)), np.full((1, 3), 9.0)]),
    )

    def distance(point: np.ndarray, skip: int | None) -> tuple[float, np.ndarray]:
        d = np.linalg.norm(context - point, axis=1)
        order = [i for i in np.argsort(d) if i != skip][:5]
        return 3 * np.sqrt(np.mean(d[order] ** 2)), np.array(order)

    own = [distance(point, row) for row, point in enumerate(context)]
    pdist = np.array([value for value, _ in own])
    lof = [value / pdist[near].mean() - 1 for value, near in own]
    normaliser = 3 * np.sqrt(np.mean(np.square(lof)))
    found, z = novelty.loop_distances(context, 5, 3.0)
    assert found == pytest.approx(pdist, rel=1e-5)
    assert z == pytest.approx(normaliser)
    from math import erf, sqrt

    expected = []
    for point in points:
        value, near = distance(point, None)
        expected.append(max(0.0, erf((value / pdist[near].mean() - 1) / (sqrt(2) * normaliser))))
    p = novelty.loop(points, context, found, 5, 3.0, z)
    assert p == pytest.approx(expected, abs=1e-5)
    assert p[-1] > 0.99
    both = replace(sampled, candidates=[*sampled.train, *sampled.candidates])
    model = cmt_star.fit(both, cmt_star.Options(hidden=16, epochs=10, detector="outlier"))
    scores = model.scores(candidate_features(sampled))
    assert np.exp(scores).sum(axis=1) == pytest.approx(1, abs=1e-4), (
        "it is a distribution over all candidates"
    )

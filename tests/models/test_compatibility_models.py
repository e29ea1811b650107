"""Compatibility models against loops, closed forms and scipy."""

from __future__ import annotations

from dataclasses import replace
from types import ModuleType

import numpy as np
import pytest
import torch
from scipy.linalg import solve_sylvester

from graphzsl.data.class_matrix import unit_rows
from graphzsl.models import Task
from graphzsl.models.compatibility import ale, devise, eszsl, latem, sae, sje
from graphzsl.models.compatibility import bilinear as compatibility
from tests.problems import candidate_features


@pytest.mark.parametrize("margin", [0.1, 1.0])
def test_ranking_losses_against_loops(margin: float) -> None:
    random = np.random.default_rng(0)
    scores, truth = random.normal(size=(7, 5)), random.integers(0, 5, 7)
    tensors = torch.from_numpy(scores), torch.from_numpy(truth)
    for n in range(7):
        terms = [
            max(0.0, margin + scores[n, c] - scores[n, truth[n]]) for c in range(5) if c != truth[n]
        ]
        violators = sum(term > 0 for term in terms)
        # equation 6 counts over all training classes, the true one too: Δ(y, y) = 0 and F(x, y) ≥
        # F(x, y)
        reached = [scores[n, c] + margin * (c != truth[n]) >= scores[n, truth[n]] for c in range(5)]
        assert float(devise.loss(*tensors, margin)[n]) == pytest.approx(sum(terms))
        for rank, loss in ((sum(reached), ale.loss), (violators, ale.violator_rank)):
            weight = sum(1 / i for i in range(1, rank + 1)) / rank if rank else 0
            assert float(loss(*tensors, margin)[n]) == pytest.approx(weight * sum(terms), rel=1e-6)
        assert float(sje.loss(*tensors, margin)[n]) == pytest.approx(max(terms))


def test_ales_rank_by_hand() -> None:
    """True class 1.0, another 0.8, a third -5, margin 1: one violation of 0.8. r = 2 counts the
    true class, l_2 / 2 = 0.75."""
    scores, truth = torch.tensor([[1.0, 0.8, -5.0]], dtype=torch.float64), torch.tensor([0])
    assert float(ale.loss(scores, truth, 1.0)) == pytest.approx(0.75 * 0.8)
    assert float(ale.violator_rank(scores, truth, 1.0)) == pytest.approx(0.8)
    # 0.8, 0.5 and 1.0 - 1.0: the last one reaches the true class exactly, so it is in the rank with
    # a violation of 0
    scores = torch.tensor([[1.0, 0.8, 0.5, 0.0]], dtype=torch.float64)
    fourth = (1 + 1 / 2 + 1 / 3 + 1 / 4) / 4
    assert float(ale.loss(scores, truth, 1.0)) == pytest.approx(fourth * 1.3)
    assert float(ale.violator_rank(scores, truth, 1.0)) == pytest.approx(0.75 * 1.3)
    assert ale.Options().rank == "exact"
    assert float(ale.loss(torch.tensor([[3.0, 0.0]]), truth, 1.0)) == 0


def _objective(
    module: ModuleType, w: np.ndarray, x: np.ndarray, y: np.ndarray, s: np.ndarray, margin: float
) -> float:
    """Mean loss of Xian et al. 2017, equations 4 to 7 and 9, sample by sample; ``w`` [K, D, S]."""
    total = 0.0
    scores = np.stack([x @ part @ s.T for part in w]).max(axis=0)
    for f, truth in zip(scores, y, strict=True):
        terms = margin * (np.arange(len(s)) != truth) + f - f[truth]
        hinges = np.maximum(0, terms)
        rank = int((terms >= 0).sum())
        if module is sje:
            total += hinges.max()
        elif module is ale:
            total += (1 / np.arange(1, rank + 1)).sum() / rank * hinges.sum()
        else:
            total += hinges.sum()
    return total / len(x)


@pytest.mark.parametrize("module", [devise, ale, sje, latem])
def test_a_step_goes_down_the_papers_objective(sampled: Task, module: ModuleType) -> None:
    """The first step of Adam is lr · sign(gradient); the gradient is that of the loop above, by
    finite differences."""
    own = replace(sampled, candidates=sampled.train)
    x, y, s = (part.astype(np.float64) for part in (own.examples.x, own.examples.y, own.examples.s))
    maps = 3 if module is latem else 1
    lr, margin, more = 1e-3, 0.2, {"maps": maps} if maps > 1 else {}

    def weights(lr: float) -> np.ndarray:
        """[K, D, S] after one step over all samples."""
        options = module.Options(epochs=1, batch=len(y), lr=lr, margin=margin, start=1.0, **more)
        rows = module.fit(own, options).classifiers.values
        parts = [part[:, :-1] for part in np.split(rows.astype(np.float64), maps, axis=1)]
        return np.stack([np.linalg.lstsq(s, part, rcond=None)[0].T for part in parts])

    start, after = weights(1e-12), weights(lr)
    random = np.random.default_rng(0)
    checked = 0
    for _ in range(40):
        place = tuple(random.integers(0, size) for size in start.shape)
        shift = np.zeros_like(start)
        shift[place] = 1e-5
        gradient = (
            _objective(module, start + shift, x, y.astype(int), s, margin)
            - _objective(module, start - shift, x, y.astype(int), s, margin)
        ) / 2e-5
        if abs(gradient) > 1e-3:
            checked += 1
            assert (after - start)[place] == pytest.approx(-lr * np.sign(gradient), rel=0.05), place
    assert checked > 25
    assert _objective(module, after, x, y.astype(int), s, margin) < _objective(
        module, start, x, y.astype(int), s, margin
    )


def test_latem_learns_with_the_best_map_of_each_class() -> None:
    """Scores and gradient of F = max_i xᵀ W_i s_c by hand: only the winning map has a gradient."""
    weight = torch.tensor([[[1.0]], [[2.0]]], requires_grad=True)  # two maps of one dimension
    scores = compatibility.best_scores(torch.tensor([[1.0]]), weight, torch.tensor([[3.0], [-1.0]]))
    assert scores.tolist() == [[6.0, -1.0]]  # 3·2 of the second map, -1·1 of the first
    scores.sum().backward()
    assert weight.grad is not None
    assert weight.grad.flatten().tolist() == [-1.0, 3.0]


def test_the_papers_sampled_steps() -> None:
    """DeViSE's violator is a random one; ALE's weight is that of the rank which the place of the
    first violator suggests."""
    generator = torch.Generator().manual_seed(0)
    scores = torch.tensor([[0.0, 0.5, 0.3, -9.0, -9.0, -9.0]], dtype=torch.float64)
    truth = torch.tensor([0])
    many = scores.repeat(4000, 1), truth.repeat(4000)
    drawn = devise.one_violator(*many, 0.1, generator)
    assert set(np.round(drawn.numpy(), 6)) == {0.6, 0.4}
    assert float((drawn > 0.5).double().mean()) == pytest.approx(0.5, abs=0.03)
    none = torch.tensor([[1.0, 0, 0]]), truth
    assert (
        float(devise.one_violator(*none, 0.1, generator))
        == float(ale.sampled_rank(*none, 0.1, generator))
        == 0
    )
    # 2 violators among 5 others: n draws until the first, k = 5 // n
    harmonic = [0, 1, 1.5, 11 / 6, 25 / 12, 137 / 60]
    expected = 0.0
    for draws in range(1, 5):
        chance = np.prod([(3 - i) / (5 - i) for i in range(draws - 1)]) * 2 / (5 - (draws - 1))
        expected += chance * harmonic[5 // draws] * 0.5
    assert float(ale.sampled_rank(*many, 0.1, generator).mean()) == pytest.approx(
        expected, rel=0.04
    )


@pytest.mark.parametrize(
    ("module", "option"), [(devise, {"violators": "one"}), (ale, {"rank": "sampled"})]
)
def test_sampled_steps_learn(sampled: Task, module: ModuleType, option: dict[str, str]) -> None:
    model = module.fit(
        replace(sampled, candidates=sampled.train), module.Options(epochs=30, lr=0.01, **option)
    )
    scores = sampled.examples.x @ model.classifiers.values[:, :-1].T
    assert np.mean(scores.argmax(axis=1) == sampled.examples.y) > 0.5


def test_bilinear_training_goes_down_its_loss(sampled: Task) -> None:
    x, y, s = sampled.examples.x, sampled.examples.y, sampled.examples.s
    for module in (devise, ale, sje):
        values = []
        for epochs in (1, 30):
            model = module.fit(
                replace(sampled, candidates=sampled.train), module.Options(epochs=epochs, lr=0.01)
            )
            assert model.classifiers.values[:, -1] == pytest.approx(0), "no bias"
            scores = torch.from_numpy(x @ model.classifiers.values[:, :-1].T)
            values.append(float(module.loss(scores, torch.from_numpy(y), 0.3).mean()))
        assert values[1] < 0.7 * values[0]
    assert s.shape == (25, 12)


def test_latem_takes_the_best_map(sampled: Task) -> None:
    model = latem.fit(sampled, latem.Options(maps=3, epochs=4))
    x = sampled.examples.scaling(candidate_features(sampled))
    parts = np.split(model.classifiers.values, 3, axis=1)
    expected = np.max([x @ part[:, :-1].T for part in parts], axis=0)
    assert model.scores(candidate_features(sampled)) == pytest.approx(expected, abs=1e-5)
    one, every = (
        latem.fit(sampled, latem.Options(maps=2, epochs=3, negatives=kind))
        for kind in ("one", "all")
    )
    assert not np.allclose(one.classifiers.values, every.classifiers.values)


@pytest.mark.parametrize("labels", ["binary", "signed"])
def test_eszsl_is_its_closed_form(task: Task, sampled: Task, labels: str) -> None:
    for problem in (task, sampled):
        x, y, s = (
            part.astype(np.float64)
            for part in (problem.examples.x, problem.examples.y, problem.examples.s)
        )
        one_hot = np.eye(len(problem.train))[y.astype(int)]
        one_hot = one_hot if labels == "binary" else 2 * one_hot - 1
        left = np.linalg.inv(x.T @ x + 0.3 * np.eye(x.shape[1])) @ x.T @ one_hot @ s
        weight = left @ np.linalg.inv(s.T @ s + 2.0 * np.eye(s.shape[1]))
        found = eszsl.classifiers(
            problem.examples, problem.candidate_semantics, eszsl.Options(0.3, 2.0, labels)
        )
        assert found == pytest.approx(problem.candidate_semantics @ weight.T, rel=1e-3, abs=1e-5)
        # more dimensions than classes: solved the other way round
        random = np.random.default_rng(0)
        wide, asked = random.normal(size=(25, 40)), random.normal(size=(6, 40))
        left = np.linalg.inv(x.T @ x + 0.3 * np.eye(x.shape[1])) @ x.T @ one_hot @ wide
        weight = left @ np.linalg.inv(wide.T @ wide + 2.0 * np.eye(40))
        found = eszsl.classifiers(problem.examples, asked, eszsl.Options(0.3, 2.0, labels), wide)  # type: ignore[arg-type]
        assert found == pytest.approx(asked @ weight.T, rel=1e-3, abs=1e-5)


def test_eszsl_is_the_minimum_of_its_objective(sampled: Task) -> None:
    x, s = (
        torch.from_numpy(sampled.examples.x.astype(np.float64)),
        torch.from_numpy(sampled.examples.s.astype(np.float64)),
    )
    y = torch.eye(25, dtype=torch.float64)[torch.from_numpy(sampled.examples.y)]
    eye = replace(sampled, candidates=sampled.train)
    rows = eszsl.classifiers(
        eye.examples, np.eye(12, dtype=np.float32), eszsl.Options(gamma=0.5, ridge=2.0)
    )
    w = torch.from_numpy(rows.T.astype(np.float64)).requires_grad_()
    loss = (
        ((x @ w @ s.T - y) ** 2).sum()
        + 0.5 * ((w @ s.T) ** 2).sum()
        + 2.0 * ((x @ w) ** 2).sum()
        + (w**2).sum()
    )
    loss.backward()
    assert w.grad is not None
    assert float(w.grad.abs().max()) < 1e-3


def test_sae_solves_its_sylvester_equation(sampled: Task) -> None:
    x, s = (
        sampled.examples.x.astype(np.float64),
        sampled.examples.s[sampled.examples.y].astype(np.float64),
    )
    found = sae.encoder(x, s, 0.7)  # type: ignore[arg-type]
    expected = solve_sylvester(s.T @ s, 0.7 * x.T @ x, 1.7 * s.T @ x)
    assert found == pytest.approx(expected, abs=1e-4)
    features = candidate_features(sampled)
    scaled = sampled.examples.scaling(features)
    encoded = sae.fit(sampled, sae.Options(ridge=0.7, direction="semantic")).scores(features)
    cosines = unit_rows(scaled @ expected.T) @ unit_rows(sampled.candidate_semantics).T
    assert np.array_equal(encoded.argmax(axis=1), cosines.argmax(axis=1))
    decoded = sae.fit(sampled, sae.Options(ridge=0.7)).scores(features)
    assert decoded == pytest.approx(
        scaled @ unit_rows(sampled.candidate_semantics @ expected).T, abs=1e-4
    )

"""One decomposition against np.linalg.solve at every point of a grid."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.linalg import solve_sylvester

from graphzsl.data.class_matrix import unit_rows
from graphzsl.models import Task, model_module, training
from graphzsl.models.base.ridge import Ridge, Spectrum
from graphzsl.models.compatibility import eszsl, sae

PENALTIES = [1e-3, 0.1, 1.0, 30.0, 1e4]
SHAPES = [
    pytest.param(40, 9, id="tall"),
    pytest.param(9, 40, id="wide"),
    pytest.param(12, 12, id="square"),
]


@pytest.mark.parametrize(("count", "size"), SHAPES)
def test_every_penalty_is_its_own_solution(count: int, size: int) -> None:
    random = np.random.default_rng(0)
    x, t, asked = (random.normal(size=shape) for shape in ((count, size), (count, 5), (6, size)))
    regression = Ridge(x, t)
    for penalty in PENALTIES:
        expected = asked @ np.linalg.solve(x.T @ x + penalty * np.eye(size), x.T @ t)
        assert regression.predict(asked, penalty) == pytest.approx(expected, rel=1e-6, abs=1e-8)


@pytest.mark.parametrize(("count", "size"), SHAPES)
def test_leaving_one_out_is_a_fit_without_it(count: int, size: int) -> None:
    random = np.random.default_rng(1)
    x, t = random.normal(size=(count, size)), random.normal(size=(count, 3))
    regression = Ridge(x, t)
    for penalty in (0.1, 1.0, 30.0):
        errors = regression.leave_one_out(penalty)
        for out in range(count):
            kept = np.arange(count) != out
            map_ = np.linalg.solve(
                x[kept].T @ x[kept] + penalty * np.eye(size), x[kept].T @ t[kept]
            )
            assert errors[out] == pytest.approx(t[out] - x[out] @ map_, rel=1e-6, abs=1e-8)


def test_no_penalty_is_the_solution_of_least_norm() -> None:
    random = np.random.default_rng(2)
    x, t = random.normal(size=(20, 4)) @ random.normal(size=(4, 9)), random.normal(size=(20, 2))
    assert len(Spectrum.from_rows(x).values) == 4
    assert Ridge(x, t).predict(np.eye(9), 0.0) == pytest.approx(
        np.linalg.lstsq(x, t, rcond=1e-10)[0], abs=1e-8
    )


def test_vectors_are_those_of_the_gram_matrix() -> None:
    x = np.random.default_rng(3).normal(size=(5, 30))
    found = Spectrum.from_rows(x)
    assert found.vectors.T @ found.vectors == pytest.approx(np.eye(5), abs=1e-9)
    assert (found.vectors * found.values) @ found.vectors.T == pytest.approx(x.T @ x, abs=1e-8)


@pytest.mark.parametrize("labels", ["binary", "signed"])
@pytest.mark.parametrize("problem", ["task", "sampled"])
def test_eszsl_is_its_closed_form_at_every_point(
    problem: str, labels: str, request: pytest.FixtureRequest
) -> None:
    """W = (XᵀX + γI)⁻¹ XᵀYS (SᵀS + λI)⁻¹ by two solutions, wide and tall X, with three points of
    one fitted solver."""
    task: Task = request.getfixturevalue(problem)
    x, s = task.examples.x.astype(np.float64), task.examples.s.astype(np.float64)
    y = np.eye(len(s))[task.examples.y]
    y = 2 * y - 1 if labels == "signed" else y
    for gamma, ridge in ((0.001, 1000.0), (1.0, 0.1), (100.0, 3.0)):
        left = np.linalg.solve(x.T @ x + gamma * np.eye(x.shape[1]), x.T @ y @ s)
        weight = np.linalg.solve(s.T @ s + ridge * np.eye(s.shape[1]), left.T).T
        expected = task.candidate_semantics @ weight.T
        scale = np.abs(expected).max()
        fitted = eszsl.fit(task, eszsl.Options(gamma, ridge, labels)).classifiers.values[:, :-1]
        if problem == "task":
            expected, scale = unit_rows(expected), 1.0
        assert fitted / scale == pytest.approx(expected / scale, abs=2e-4)


def test_sae_solves_its_sylvester_equation_at_every_point(sampled: Task) -> None:
    """Against scipy's solver (Bartels–Stewart)."""
    x = sampled.examples.x.astype(np.float64)
    s = sampled.examples.s[sampled.examples.y].astype(np.float64)
    solver = sae.Sylvester.from_samples(sampled.examples.spectrum, sampled.examples.x, s)
    for ridge in (0.01, 1.0, 100.0):
        expected = solve_sylvester(s.T @ s, ridge * x.T @ x, (1 + ridge) * s.T @ x)
        assert solver.encoder(ridge) == pytest.approx(expected, abs=1e-3)


@pytest.fixture
def decomposed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, ...]]:
    """The shapes of all matrices that are decomposed in the test; solving a system is an error."""
    shapes: list[tuple[int, ...]] = []
    real = np.linalg.eigh

    def counted(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        shapes.append(matrix.shape)
        return real(matrix)

    monkeypatch.setattr(np.linalg, "eigh", counted)
    monkeypatch.setattr(np.linalg, "solve", None)
    return shapes


@pytest.mark.parametrize(
    ("name", "matrices"), [("eszsl", 2), ("closest-eszsl", 2), ("sae", 3), ("graph-linear", 2)]
)
def test_one_decomposition_serves_a_whole_grid(
    task: Task, name: str, matrices: int, decomposed: list[tuple[int, ...]]
) -> None:
    """Three folds and the final fit decompose each side once, and the embeddings for the biases;
    both are the same in eszsl, and closest-eszsl has none. Nothing is solved."""
    _, manifest = training.train(name, replace(task, seed=5), {})
    assert len(manifest["chosen_on_validation"]) == len(model_module(name).GRID)
    assert len(decomposed) == (training.FOLDS + 1) * matrices


@pytest.mark.parametrize("name", ["exem-ridge", "graph-exem"])
def test_one_decomposition_of_the_kernel_serves_every_penalty(
    task: Task, name: str, decomposed: list[tuple[int, ...]]
) -> None:
    """20 of 25 classes are learned from in a fold: one 20 × 20 kernel per γ and fold, one 25 × 25
    in the end; nothing is solved."""
    training.train(name, replace(task, seed=5), {})
    gammas = {point["gamma"] for point in model_module(name).GRID}
    assert decomposed.count((20, 20)) == training.FOLDS * len(gammas)
    assert decomposed.count((25, 25)) == 1

"""Attribute models against Bayes' rule, and the regressions that they learn with against
scikit-learn."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from graphzsl.common import Compute
from graphzsl.models import Task
from graphzsl.models.attributes import dap, iap
from graphzsl.models.base.regression import logistic_regression, softmax_regression
from tests.problems import candidate_features, mini_problem


def test_regressions_against_scikit_learn(sampled: Task) -> None:
    from sklearn.linear_model import LogisticRegression

    x, y = sampled.examples.x, sampled.examples.y
    rows, bias = softmax_regression(x, y, 25, 0.01, Compute())
    peer = LogisticRegression(C=1 / (0.01 * len(x)), tol=1e-8, max_iter=5000).fit(x, y)
    assert rows == pytest.approx(peer.coef_, abs=2e-2)
    assert np.array_equal((x @ rows.T + bias).argmax(axis=1), peer.predict(x))
    targets = (x @ np.random.default_rng(0).normal(size=(7, 3)) > 0).astype(np.float32)
    weight, bias = logistic_regression(x, targets, 0.01, Compute())
    for column in range(3):
        one = LogisticRegression(C=1 / (0.01 * len(x)), tol=1e-8, max_iter=5000).fit(
            x, targets[:, column]
        )
        assert weight[:, column] == pytest.approx(one.coef_[0], abs=1e-2)
        assert bias[column] == pytest.approx(one.intercept_[0], abs=1e-2)


@pytest.mark.parametrize("cut", ["global", "dimension"])
def test_dap_and_iap_are_bayes_rule(sampled: Task, cut: str) -> None:
    train, candidates = (
        sampled.semantics.rows(wnids) for wnids in (sampled.train, sampled.candidates)
    )
    border = train.mean(axis=0) if cut == "dimension" else train.mean()
    binary, wanted = train > border, candidates > border
    prior = binary.mean(axis=0)
    x = sampled.examples.scaling(candidate_features(sampled))
    weight, bias = logistic_regression(
        sampled.examples.x, binary[sampled.examples.y].astype(np.float32), 1e-3, Compute()
    )
    direct = 1 / (1 + np.exp(-(x @ weight + bias)))
    rows, offsets = softmax_regression(sampled.examples.x, sampled.examples.y, 25, 1e-4, Compute())
    p_class = np.exp(x @ rows.T + offsets)
    indirect = (p_class / p_class.sum(axis=1, keepdims=True)) @ binary
    models = dap.fit(sampled, dap.Options(cut=cut)), iap.fit(sampled, iap.Options(cut=cut))
    for model, p in zip(models, (direct, indirect), strict=True):
        p = np.clip(p, 1e-6, 1 - 1e-6)
        scores = model.scores(candidate_features(sampled))
        for n in range(len(x)):
            for c in range(len(wanted)):
                factors = [
                    (p[n, m] / prior[m]) if wanted[c, m] else ((1 - p[n, m]) / (1 - prior[m]))
                    for m in range(12)
                ]
                assert scores[n, c] == pytest.approx(np.log(factors).sum(), abs=1e-2)


def test_iap_weighs_class_rows_by_directions_of_weights() -> None:
    """A network gives no probabilities of a class row: p(k|x) is the softmax of its products with
    centred unit rows."""
    task, matrix = mini_problem()
    rows = matrix.rows(task.train).astype(float)
    centred = rows - rows.mean(axis=0)
    own = centred / np.linalg.norm(centred[:, :-1], axis=1, keepdims=True)
    x = np.random.default_rng(5).normal(size=(4, rows.shape[1] - 1)).astype(np.float32)
    p_class = np.exp(x @ own[:, :-1].T)
    p_class /= p_class.sum(axis=1, keepdims=True)
    x = np.concatenate([x, np.zeros((4, 1), np.float32)], axis=1)
    train, candidates = (task.semantics.rows(wnids) for wnids in (task.train, task.candidates))
    has, wanted = train > train.mean(), candidates > train.mean()
    p, prior = np.clip(p_class @ has, 1e-6, 1 - 1e-6), np.clip(has.mean(axis=0), 1e-9, 1)
    prior[(prior <= 1e-9) | (prior == 1)] = 0.5
    expected = np.log(p / prior) @ wanted.T + np.log((1 - p) / (1 - prior)) @ (1 - wanted.T)
    assert iap.fit(task, iap.Options()).scores(x) == pytest.approx(expected, abs=1e-3)


def test_a_constant_attribute_has_a_prior_of_one_half(sampled: Task) -> None:
    values = sampled.semantics.values.copy()
    values[:, 0] = 50.0  # above every mean: all classes have it
    same = replace(sampled, semantics=type(sampled.semantics)(sampled.semantics.wnids, values, {}))
    assert np.isfinite(dap.fit(same, dap.Options()).scores(candidate_features(sampled))).all()

"""EXEM against the paper's regression, kernel ridge regression and nearest means."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from graphzsl.data import Samples
from graphzsl.models import Task
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.graph import graph_exem
from graphzsl.models.hybrid import exem, exem_ridge
from tests.problems import candidate_features


def test_exem_is_the_papers_regression_and_nearest_mean(sampled: Task) -> None:
    """PCA, one ν-SVR per component with its own bias, the nearest predicted mean: step by step with
    scikit-learn."""
    from sklearn.decomposition import PCA
    from sklearn.svm import NuSVR

    examples = sampled.examples
    gamma = 0.5 / np.median(cdist(examples.s, examples.s, "sqeuclidean")[np.triu_indices(25, 1)])
    means = np.stack([examples.x[examples.y == t].mean(axis=0) for t in range(25)])
    assert examples.class_means == pytest.approx(means, abs=1e-5)
    pca = PCA(3).fit(examples.x)
    machines = [
        NuSVR(kernel="rbf", gamma=gamma, C=2.0, nu=0.4, tol=1e-6).fit(examples.s, t)
        for t in pca.transform(means).T
    ]
    predicted = np.stack(
        [machine.predict(sampled.candidate_semantics) for machine in machines], axis=1
    )
    x = pca.transform(examples.scaling(candidate_features(sampled)))
    model = exem.fit(sampled, exem.Options(components=3, gamma=0.5, penalty=2.0, nu=0.4))
    assert np.array_equal(_order(model, sampled), np.argsort(cdist(x, predicted), axis=1))
    # ‖x - m‖² differs from -score by ‖x‖² alone, which is the same for every candidate
    gaps = cdist(x, predicted, "sqeuclidean") + model.scores(candidate_features(sampled))
    assert gaps == pytest.approx(gaps[:, :1] @ np.ones((1, 20)), abs=2e-3)


def test_exems_standardised_distance(sampled: Task) -> None:
    """Each component is divided by the mean over training classes of its standard deviation within
    the class."""
    from sklearn.decomposition import PCA

    assert sampled.samples
    # uneven classes: the mean over classes is not the pooled deviation
    few = sampled.samples.select(sampled.train[:5])
    noise = 5 * np.random.default_rng(3).normal(size=few.features.shape)
    more = Samples(
        np.concatenate([sampled.samples.features, few.features + noise.astype(np.float32)]),
        [*sampled.samples.labels, *few.labels],
        {},
    )
    uneven = replace(sampled, samples=more)
    examples = uneven.examples
    pca = PCA().fit(examples.x)
    x = pca.transform(examples.x)
    deviation = np.mean([x[examples.y == t].std(axis=0) for t in range(25)], axis=0)
    plain, standard = (
        exem.fit(uneven, exem.Options(distance=kind)) for kind in ("euclidean", "standard")
    )
    assert plain.encoder
    assert standard.encoder
    asked = examples.scaling(candidate_features(uneven))
    ratio = plain.encoder(asked) / standard.encoder(asked)
    assert ratio == pytest.approx(np.ones((6, 1)) * deviation, rel=1e-3)
    predicted = plain.classifiers.values[:, :-1] / 2  # the regression is of the plain components
    assert standard.classifiers.values[:, :-1] / 2 == pytest.approx(
        predicted / deviation, rel=1e-3, abs=1e-5
    )
    wanted = cdist(plain.encoder(asked), predicted, "seuclidean", V=deviation**2)
    assert np.array_equal(_order(standard, uneven), np.argsort(wanted, axis=1))


def test_exem_chooses_all_that_the_paper_chooses() -> None:
    tried = {key: {point[key] for point in exem.GRID} for key in exem.GRID[0]}
    assert tried["distance"] == {"euclidean", "standard"}
    assert all(len(tried[key]) > 1 for key in ("gamma", "penalty", "nu"))
    assert exem.Options().regressor == "svr"
    assert exem_ridge.Options().regressor == graph_exem.Options().regressor == "ridge"


def test_exem_ridge_is_kernel_ridge_regression(sampled: Task) -> None:
    from sklearn.kernel_ridge import KernelRidge

    examples = sampled.examples
    gamma = 1.0 / np.median(cdist(examples.s, examples.s, "sqeuclidean")[np.triu_indices(25, 1)])
    means = np.stack([examples.x[examples.y == t].mean(axis=0) for t in range(25)])
    center = means.mean(axis=0)
    peer = KernelRidge(alpha=1 / 3.0, kernel="rbf", gamma=gamma).fit(examples.s, means - center)
    predicted = center + peer.predict(sampled.candidate_semantics)
    x = examples.scaling(candidate_features(sampled))
    # all components: distances are those of features
    model = exem_ridge.fit(sampled, exem_ridge.Options(gamma=1.0, penalty=3.0))
    assert np.array_equal(_order(model, sampled), np.argsort(cdist(x, predicted), axis=1))
    model = exem_ridge.fit(sampled, exem_ridge.Options(gamma=1.0, penalty=3.0, distance="cosine"))
    assert np.array_equal(_order(model, sampled), np.argsort(cdist(x, predicted, "cosine"), axis=1))
    axes = exem.principal_axes(examples, exem.Options(components=2))
    assert axes.shape == (7, 2)
    assert axes.T @ axes == pytest.approx(np.eye(2), abs=1e-5)


@pytest.mark.parametrize("shape", [(40, 12), (12, 40)])
def test_principal_axes_are_those_of_pca(sampled: Task, shape: tuple[int, int]) -> None:
    """More samples than dimensions, and fewer."""
    from sklearn.decomposition import PCA

    x = (3 + np.random.default_rng(0).normal(size=shape)).astype(np.float32)
    axes = replace(sampled.examples, x=x).principal_axes
    assert axes.shape == (shape[1], 12)
    peer = PCA(11, svd_solver="full").fit(x.astype(np.float64)).components_
    assert np.abs((peer.T * axes[:, :11]).sum(axis=0)) == pytest.approx(1, abs=1e-5)


def test_samples_of_one_point_have_no_spread(sampled: Task) -> None:
    axes = replace(sampled.examples, x=np.full((3, 5), 2, np.float32)).principal_axes
    assert np.array_equal(axes, np.zeros((5, 3)))


def _order(model: ZeroShotModel, task: Task) -> np.ndarray:
    return np.argsort(-model.scores(candidate_features(task)), axis=1)

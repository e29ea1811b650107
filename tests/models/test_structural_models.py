"""Models that look at the hierarchy's structure, at no semantics, or at seen classes alone."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from graphzsl.data import ClassMatrix
from graphzsl.data.class_matrix import unit_rows
from graphzsl.models import Task
from graphzsl.models.compatibility import devise, eszsl
from graphzsl.models.structural import closest, closest_eszsl, random_embedding, softmax
from tests.problems import candidate_features, mini_samples, sample_task


def test_softmax_knows_seen_classes_alone(sampled: Task) -> None:
    model = softmax.fit(sampled, softmax.Options())
    assert model.wnids == sampled.train
    assert sampled.samples
    seen = sampled.samples.select(sampled.train)
    best = [model.wnids[column] for column in model.scores(seen.features).argmax(axis=1)]
    assert np.mean([a == b for a, b in zip(best, seen.labels, strict=True)]) > 0.8


def test_closest_averages_the_ties(task: Task) -> None:
    import networkx

    assert task.graph
    graph = networkx.Graph(
        [(task.graph.wnids[a], task.graph.wnids[b]) for a, b in task.graph.edge_index.T]
    )
    model = closest.fit(task, closest.Options())
    shares = closest.memberships(task, task.candidates, "average")
    for row, wnid in enumerate(task.candidates):
        hops = {t: networkx.shortest_path_length(graph, t, wnid) for t in task.train}
        ties = [t for t in task.train if hops[t] == min(hops.values())]
        assert shares[row] == pytest.approx([(t in ties) / len(ties) for t in task.train])
        mean = task.targets().transform(task.rows.rows(ties)).mean(axis=0)
        assert model.classifiers.values[row, :-1] == pytest.approx(
            mean / np.linalg.norm(mean), abs=1e-5
        )
    first = closest.fit(task, closest.Options(ties="first")).classifiers.values
    assert not np.allclose(first, model.classifiers.values)
    assert np.array_equal(
        *(closest.fit(task, closest.Options(ties="random")).classifiers.values for _ in range(2))
    )


def test_noise_is_on_unseen_classes_alone(sampled: Task) -> None:
    """Equation 9c of Hascoet et al. 2019 adds noise for c in C_te; 9b has none."""
    both = replace(sampled, candidates=[*sampled.train, *sampled.candidates])
    exact, noisy = (
        closest_eszsl.fit(both, closest_eszsl.Options(sigma=sigma)).classifiers.values[:, :-1]
        for sigma in (0.0, 0.5)
    )
    seen = len(sampled.train)
    assert np.array_equal(exact[:seen], noisy[:seen])
    assert (exact[seen:] != noisy[seen:]).any(axis=1).all()


def test_the_trivial_solution_is_eszsl_on_one_hots(sampled: Task) -> None:
    options = closest_eszsl.Options(sigma=0.0)
    shares = closest.memberships(sampled, sampled.candidates, "average")
    one_hot = np.eye(25, dtype=np.float32)
    rows = eszsl.classifiers(sampled.examples, shares, eszsl.Options(), one_hot)
    assert closest_eszsl.fit(sampled, options).classifiers.values[:, :-1] == pytest.approx(
        rows, abs=1e-5
    )
    noisy = closest_eszsl.fit(sampled, closest_eszsl.Options(sigma=1e-3)).classifiers.values
    assert len(np.unique(noisy, axis=0)) == len(sampled.candidates), (
        "noise tells equal embeddings apart"
    )
    own = replace(sampled, candidates=sampled.train)
    assert np.array_equal(closest.memberships(own, own.train, "average"), one_hot), (
        "a training class is its own closest"
    )


def test_the_random_control_is_devise_on_random_vectors(sampled: Task) -> None:
    options = random_embedding.Options(epochs=3, dimensions=9, margin=0.2)
    wnids = sorted({*sampled.train, *sampled.candidates})
    vectors = unit_rows(np.random.default_rng(sampled.seed).normal(size=(len(wnids), 9))).astype(
        np.float32
    )
    drawn = replace(sampled, semantics=ClassMatrix(wnids, vectors, {}), semantic_scaling="none")
    expected = devise.fit(drawn, devise.Options(epochs=3, margin=0.2)).scores(
        candidate_features(sampled)
    )
    model = random_embedding.fit(sampled, options)
    assert model.scores(candidate_features(sampled)) == pytest.approx(expected, abs=1e-5)
    assert model.embedding is None, "no map into the space of the class embeddings"
    assert not issubclass(random_embedding.Options, eszsl.Options)


def test_random_embeddings_know_nothing() -> None:
    ranks = []
    for seed in range(12):
        problem = replace(sample_task(seed), seed=seed)
        asked = mini_samples(seed).select(problem.candidates)
        options = random_embedding.Options(epochs=5)
        scores = random_embedding.fit(problem, options).scores(asked.features)
        truth = [problem.candidates.index(label) for label in asked.labels]
        ranks += [(row > row[t]).mean() for row, t in zip(scores, truth, strict=True)]
    assert np.mean(ranks) == pytest.approx(0.475, abs=0.12), (
        "the true class is in the middle of the list on average"
    )

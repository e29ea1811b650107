"""Models against the plain form of their equations."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from torch.nn import functional

from graphzsl.class_matrix import ClassMatrix, unit_rows
from graphzsl.errors import DataError, ModelError
from graphzsl.models import MODELS, closest, conse, eszsl, gcn, graph_linear, training
from graphzsl.models.head import load_head
from graphzsl.models.smoothing import random_walk, smoothed
from graphzsl.models.task import Task, centred_unit, held_out
from tests.unit.models import mini_task


@pytest.fixture(scope="module")
def task() -> Task:
    return mini_task()


def test_smoothing_is_powers_of_the_random_walk(task: Task) -> None:
    walk = random_walk(task.graph).toarray()
    assert walk.sum(axis=1) == pytest.approx(1)
    everything = task.semantics.rows(task.graph.wnids)
    rows = task.graph.positions(task.candidates)
    expected = np.concatenate([everything, walk @ everything, np.linalg.matrix_power(walk, 3) @ everything], axis=1)[
        rows
    ]
    assert smoothed(task.graph, task.semantics, [0, 1, 3], task.candidates) == pytest.approx(expected, abs=1e-5)


def _full_graph_loss(trainer: gcn.Trainer) -> tuple[torch.Tensor, torch.Tensor]:
    """The paper's order of products, Â(XW), on the whole graph: (loss on the training rows, all outputs)."""
    walk = torch.from_numpy(trainer.walk.toarray())
    x = torch.from_numpy(unit_rows(trainer.task.semantics.rows(trainer.task.graph.wnids)).astype(np.float32))
    first, second = trainer.model.first, trainer.model.second
    hidden = functional.leaky_relu(walk @ (x @ first.weight.T) + first.bias, 0.2)
    outputs = functional.normalize(walk @ (hidden @ second.weight.T) + second.bias)
    rows = torch.from_numpy(trainer.train_rows)
    return ((outputs[rows] - trainer.y) ** 2).sum() / (2 * len(rows)), outputs


def test_the_restricted_gcn_is_the_full_graph_gcn(task: Task) -> None:
    options = gcn.Options(hidden=16, epochs=30, dropout=0.0)
    restricted, full = gcn.Trainer(task, options), gcn.Trainer(task, options)
    for _ in range(30):
        loss = restricted.step()
        full.optimizer.zero_grad()
        expected, _ = _full_graph_loss(full)
        expected.backward()
        assert loss == pytest.approx(float(expected.detach()), abs=1e-6)
        for ours, theirs in zip(restricted.model.parameters(), full.model.parameters(), strict=True):
            assert torch.allclose(ours.grad, theirs.grad, atol=1e-6)
        full.optimizer.step()
    restricted.best = {name: value.clone() for name, value in restricted.model.state_dict().items()}
    head = restricted.head()
    _, outputs = _full_graph_loss(full)
    rows = outputs.detach().numpy()[task.graph.positions(task.candidates)]
    assert head.classifiers.values == pytest.approx(rows, abs=1e-4)
    assert np.linalg.norm(head.classifiers.values, axis=1) == pytest.approx(1)


def test_predicting_in_blocks_changes_nothing(task: Task, monkeypatch: pytest.MonkeyPatch) -> None:
    options = gcn.Options(hidden=8, epochs=3)
    whole = gcn.fit(task, options).classifiers.values
    monkeypatch.setattr(gcn, "_PREDICT_ROWS", 7)
    assert gcn.fit(task, options).classifiers.values == pytest.approx(whole, abs=1e-6)


def test_a_gcn_resumed_is_the_gcn_not_interrupted(task: Task, tmp_path: Path) -> None:
    kept, held = held_out(task.train, 0.3, 0)
    inner = replace(task, train=kept, candidates=held, validation=tuple(held))
    options = gcn.Options(hidden=8, epochs=60, check_every=5, patience=100)
    whole = gcn.fit(inner, options).classifiers.values
    checkpoint = tmp_path / "gcn.pt"

    class Stop(Exception):
        pass

    def stop(epoch: int, _: float) -> None:
        if epoch == 35:
            raise Stop

    with pytest.raises(Stop):
        gcn.fit(inner, options, checkpoint, stop)
    resumed = gcn.Trainer(inner, options, checkpoint)
    assert resumed.epoch == 35
    resumed.run()
    assert np.array_equal(resumed.head().classifiers.values, whole)
    with pytest.raises(ModelError, match="other classes or options"):
        gcn.Trainer(inner, replace(options, hidden=9), checkpoint)


def test_early_stopping_keeps_the_best_look(task: Task) -> None:
    kept, held = held_out(task.train, 0.3, 0)
    inner = replace(task, train=kept, candidates=held, validation=tuple(held))
    trainer = gcn.Trainer(inner, gcn.Options(hidden=32, epochs=2000, check_every=5, patience=2, lr=0.05))
    trainer.run()
    assert trainer.epoch < 2000
    assert trainer.best_epoch == trainer.epoch - 10
    trainer.model.load_state_dict(trainer.best)
    assert trainer.validation_loss() == pytest.approx(trainer.best_loss)


def test_gcn_needs_every_embedding_that_it_looks_at(task: Task) -> None:
    few = ClassMatrix(task.train + task.candidates, task.semantics.rows(task.train + task.candidates), {})
    with pytest.raises(ModelError, match="without a class embedding"):
        gcn.fit(replace(task, semantics=few), gcn.Options(hidden=4, epochs=1))


def test_the_ridge_map_solves_its_normal_equations() -> None:
    random = np.random.default_rng(0)
    for n, s in ((20, 5), (5, 20)):
        x, t = random.normal(size=(n, s)), random.normal(size=(n, 3))
        found = graph_linear.ridge_map(x, t, 0.7)
        assert x.T @ (x @ found - t) + 0.7 * found == pytest.approx(0, abs=1e-5)


def test_eszsl_is_its_closed_form(task: Task) -> None:
    options = eszsl.Options(gamma=0.3, ridge=2.0)
    head = eszsl.fit(task, options)
    x = task.targets().transform(task.classifiers.rows(task.train)).astype(np.float64)
    training_rows = task.semantics.rows(task.train)
    s, s_candidates = (centred_unit(task.semantics.rows(w), training_rows) for w in (task.train, task.candidates))
    y = np.eye(len(task.train))
    left = np.linalg.inv(x.T @ x + 0.3 * np.eye(x.shape[1])) @ x.T @ y @ s
    v = left @ np.linalg.inv(s.T @ s + 2.0 * np.eye(s.shape[1]))
    assert head.classifiers.values == pytest.approx(unit_rows(s_candidates @ v.T), abs=1e-4)


def test_conse_is_its_loop(task: Task) -> None:
    head = conse.fit(task, conse.Options(top=4, scale=5.0))
    features = np.random.default_rng(1).normal(size=(6, 8)).astype(np.float32)
    scores = head.scores(features)
    seen = task.targets().transform(task.classifiers.rows(task.train))
    training_rows = task.semantics.rows(task.train)
    s, s_candidates = (centred_unit(task.semantics.rows(w), training_rows) for w in (task.train, task.candidates))
    for row, x in enumerate(features):
        logits = 5.0 * seen @ x
        p = np.exp(logits) / np.exp(logits).sum()
        best = np.argsort(-p)[:4]
        embedded = sum(p[t] * s[t] for t in best) / p[best].sum()
        expected = s_candidates @ embedded / np.linalg.norm(embedded)
        assert scores[row] == pytest.approx(expected, abs=1e-4)


def test_closest_averages_the_ties(task: Task) -> None:
    import networkx

    graph = networkx.Graph([(task.graph.wnids[a], task.graph.wnids[b]) for a, b in task.graph.edge_index.T])
    head = closest.fit(task, closest.Options())
    for row, wnid in enumerate(task.candidates):
        hops = {t: networkx.shortest_path_length(graph, t, wnid) for t in task.train}
        ties = [t for t in task.train if hops[t] == min(hops.values())]
        mean = task.targets().transform(task.classifiers.rows(ties)).mean(axis=0)
        assert head.classifiers.values[row] == pytest.approx(mean / np.linalg.norm(mean), abs=1e-5)
    first = closest.fit(task, closest.Options(ties="first")).classifiers.values
    assert not np.allclose(first, head.classifiers.values)
    assert np.array_equal(*(closest.fit(task, closest.Options(ties="random")).classifiers.values for _ in range(2)))
    with pytest.raises(ModelError, match="average, first or random"):
        closest.fit(task, closest.Options(ties="all"))


@pytest.mark.parametrize("name", list(MODELS))
def test_training_never_reads_a_candidates_row(task: Task, name: str, tmp_path: Path) -> None:
    """With the rows of all but the training classes replaced by noise, every model is the same."""
    noise = task.classifiers.values.copy()
    outside = [row for row, wnid in enumerate(task.classifiers.wnids) if wnid not in set(task.train)]
    noise[outside] = 1e3 * np.random.default_rng(5).normal(size=noise[outside].shape)
    blind = replace(task, classifiers=ClassMatrix(task.classifiers.wnids, noise, task.classifiers.facts))
    options = {"hidden": 8, "epochs": 20} if name == "gcn" else {"powers": "0,1"} if name == "graph-linear" else {}
    features = np.random.default_rng(2).normal(size=(5, 8)).astype(np.float32)
    heads = [training.train(name, problem, options) for problem in (task, blind)]
    assert np.array_equal(*(head.scores(features) for head, _ in heads))
    assert heads[0][1]["options"] == heads[1][1]["options"]

    training.save(tmp_path / name, *heads[0])
    loaded, facts = load_head(tmp_path / name)
    assert np.array_equal(loaded.scores(features), heads[0][0].scores(features))
    assert facts["train"] == task.train
    few = loaded.select(task.candidates[3:6])
    assert few.scores(features) == pytest.approx(loaded.scores(features)[:, 3:6], abs=1e-6)


def test_wrong_tasks_and_options_are_named(task: Task) -> None:
    with pytest.raises(ModelError, match="no model 'gnc'"):
        training.train("gnc", task)
    with pytest.raises(ModelError, match="no option 'lamda'; it has ridge, powers"):
        training.train("graph-linear", task, {"lamda": 1})
    with pytest.raises(ModelError, match="powers are different whole numbers"):
        graph_linear.fit(task, graph_linear.Options(powers="0,one"))
    with pytest.raises(ModelError, match="both a training and a validation class"):
        task.with_lists(task.train, task.candidates, task.train[:1])
    with pytest.raises(DataError, match="no classifiers for n99999999"):
        replace(task, semantics=ClassMatrix(["n99999999"], np.ones((1, 3), np.float32), {}), train=["n99999999"])
    with pytest.raises(ModelError, match="Cannot hold out"):
        held_out(["a"], 0.2, 0)

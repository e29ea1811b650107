"""Training of graph networks: what chooses their epochs, what a checkpoint belongs to, the form
of their rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphzsl.common import Compute, ModelError
from graphzsl.data import ClassMatrix, Subgraph
from graphzsl.hierarchy.branches import hide_classes
from graphzsl.models import Task, training
from graphzsl.models.base.biases import Biases
from graphzsl.models.base.class_samples import class_samples
from graphzsl.models.graph import dgp, sgcn
from graphzsl.models.graph.training import Trainer, fit
from graphzsl.models.graph.training import trainer as trainer_of
from tests.problems import QUICK, mini_task

NETWORKS = ("sgcn", "gcn6", "dense-gcn", "dgp")


@pytest.mark.parametrize("name", [*NETWORKS, "sgc"])
def test_every_graph_model_is_chosen_by_the_score_that_its_manifest_names(
    task: Task, name: str
) -> None:
    """The trials are the means over the three folds of the score that is named, computed here by a
    loop."""
    options = QUICK.get(name, {}) | ({} if name in NETWORKS else {"steps": 2})
    _, manifest = training.train(name, task, options)
    said = manifest["validation"]
    assert (said["score"], said["splits"]) == ("per-class mean reciprocal rank", 3)
    assert said["classes"] == [5, 5, 5], "a fifth of 25 classes"
    assert said["chosen"] == (["epochs"] if name in NETWORKS else ["ridge"])
    trial = manifest["chosen_on_validation"][0]
    scores = []
    for fold in range(3):
        drawn = hide_classes(task.train, 0.2, fold)
        inner = task.with_lists(drawn.train, drawn.hidden)
        chosen = {key: value for key, value in trial.items() if key in said["chosen"]}
        model, _ = training.train(name, inner, {**options, **chosen}, tune=False)
        targets = class_samples(task.rows, drawn.hidden, inner.targets()).features
        ranks = [
            sorted(-model.scores(row[None])[0]).index(-model.scores(row[None])[0, at]) + 1
            for at, row in enumerate(targets)
        ]
        scores.append(np.mean([1 / rank for rank in ranks]))
    assert trial["mean_reciprocal_rank"] == pytest.approx(np.mean(scores), abs=1e-6)
    best = max(each["mean_reciprocal_rank"] for each in manifest["chosen_on_validation"])
    assert said["best"] == best


@pytest.mark.parametrize("name", ["sgcn", "eszsl", "closest"])
def test_a_manifest_says_when_nothing_was_chosen(task: Task, name: str) -> None:
    _, manifest = training.train(name, task, QUICK.get(name), tune=False)
    assert manifest["validation"]["chosen"] == []
    assert manifest["validation"]["why"] == "nothing was chosen: the options were taken as given"
    assert manifest["validation"]["splits"] == 0
    assert manifest["validated_with"] is None
    assert manifest["chosen_on_validation"] == []


def test_a_network_that_validates_at_its_last_epoch_alone_has_nothing_to_choose(
    task: Task, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is trained once, and is the network that validation would have stopped there."""
    chosen, manifest = training.train("sgcn", task, QUICK["sgcn"] | {"check_every": 19})
    assert [trial["epochs"] for trial in manifest["chosen_on_validation"]] == [19, 20]
    epochs = manifest["options"]["epochs"]
    options = QUICK["sgcn"] | {"epochs": epochs, "check_every": epochs}
    steps, step = [], Trainer.step
    monkeypatch.setattr(Trainer, "step", lambda run: steps.append(run) or step(run))
    once, manifest = training.train("sgcn", task, options)
    assert manifest["chosen_on_validation"] == []
    assert "a single value to try" in manifest["validation"]["why"]
    assert len(steps) == epochs, "no folds beside it"
    assert np.array_equal(once.classifiers.values, chosen.classifiers.values)


@pytest.mark.parametrize(
    ("options", "rule"),
    [
        ({}, "classifier rows: weights, L2-normalised; biases predicted apart"),
        (
            {"center": True},
            (
                "classifier rows: weights less the mean training weights, L2-normalised; biases"
                " predicted apart"
            ),
        ),
        (
            {"bias_column": True},
            "classifier rows: rows, L2-normalised; biases are one of their coordinates",
        ),
    ],
)
def test_a_manifest_says_which_rows_a_graph_network_learned(
    task: Task, options: dict[str, bool], rule: str
) -> None:
    _, manifest = training.train("sgcn", task, {**QUICK["sgcn"], **options}, tune=False)
    assert manifest["scaling"]["features"] == rule
    assert (manifest["biases"] is None) == options.get("bias_column", False)


def test_a_manifest_says_that_a_grid_of_one_point_chose_nothing(task: Task) -> None:
    _, manifest = training.train("eszsl", task, {"gamma": 1.0, "ridge": 1.0, "labels": "binary"})
    assert manifest["validation"]["chosen"] == []
    assert "a single value to try" in manifest["validation"]["why"]
    assert (manifest["validation"]["splits"], manifest["validated_with"]) == (0, None)


def test_a_graph_network_is_chosen_with_the_samples_that_its_manifest_names(
    task: Task, sampled: Task
) -> None:
    """Images to ask with change what is chosen on, as they do for every other model."""
    assert sampled.samples
    both = replace(task, validation_samples=sampled.samples.centred_on(task.train))
    (_, plain), (_, manifest) = (
        training.train("sgcn", each, QUICK["sgcn"]) for each in (task, both)
    )
    assert plain["validated_with"] == "classifier rows"
    assert manifest["validated_with"]["simulated"] is True
    scores = [each["chosen_on_validation"][0]["mean_reciprocal_rank"] for each in (plain, manifest)]
    assert scores[0] != scores[1]


class _Stop(Exception):
    pass


def _interrupted(task: Task, options: sgcn.Options, checkpoint: Path) -> None:
    def stop(epoch: int, _: float) -> None:
        if epoch == 10:
            raise _Stop

    with pytest.raises(_Stop):
        trainer_of("sgcn", task, options, checkpoint).run(stop)


def _other_values(matrix: ClassMatrix, wnid: str, column: int = 0) -> ClassMatrix:
    values = matrix.values.copy()
    values[matrix.wnids.index(wnid), column] += 0.5
    return ClassMatrix(matrix.wnids, values, matrix.metadata)


def _other_edges(graph: Subgraph) -> Subgraph:
    return replace(graph, edge_index=graph.edge_index[:, 1:])


#: what an error says -> a change; a name may say more after a colon
CHANGES: dict[str, Callable[[Task], Task]] = {
    "class embeddings": lambda task: replace(
        task, semantics=_other_values(task.semantics, task.train[0])
    ),
    "graph": lambda task: replace(task, graph=_other_edges(task.subgraph)),
    "classifier rows": lambda task: replace(
        task, classifiers=_other_values(task.rows, task.train[0])
    ),
    "classifier rows: a bias": lambda task: replace(
        task, classifiers=_other_values(task.rows, task.train[0], -1)
    ),
    "scaling": lambda task: replace(task, semantic_scaling="unit"),
    "training classes": lambda task: replace(task, train=task.train[1:]),
    "seed": lambda task: replace(task, seed=1),
    "precision": lambda task: replace(task, compute=Compute("cpu", "bfloat16")),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_checkpoint_belongs_to_all_that_its_run_depends_on(
    task: Task, tmp_path: Path, what: str
) -> None:
    options = sgcn.Options(hidden=4, epochs=20, check_every=5)
    _interrupted(task, options, tmp_path / "run.pt")
    with pytest.raises(
        ModelError, match=rf"another value of: .*{what.partition(':')[0]}.*Delete it"
    ):
        fit("sgcn", CHANGES[what](task), options, tmp_path / "run.pt")
    fit("sgcn", task, options, tmp_path / "run.pt")


@pytest.mark.parametrize("bias_column", [False, True])
def test_the_networks_are_the_papers_by_default(task: Task, bias_column: bool) -> None:
    """ClassifierScaling are L2-normalised, nothing subtracted, and classifiers are the network's
    L2-normalised outputs.

    With ``bias_column`` rows are whole, as the papers have them; without it they are weights, and
    the bias b of a class is predicted on the scale of its weights w: as b / ‖w‖.
    """
    options = sgcn.Options(hidden=6, epochs=15, dropout=0.0, lr=0.01, bias_column=bias_column)
    run = trainer_of("sgcn", task, options)
    for row, wnid in zip(run.y.numpy(), task.train, strict=True):
        true = task.rows.values[task.rows.wnids.index(wnid)].astype(float)
        true = true if bias_column else true[:-1]
        assert row == pytest.approx(true / np.sqrt((true**2).sum()), abs=1e-6)
    run.run()
    w1, b1, w2, b2 = (
        value.detach().double().numpy()
        for value in (
            run.model.linears[0].weight,
            run.model.linears[0].bias,
            run.model.linears[1].weight,
            run.model.linears[1].bias,
        )
    )
    graph = task.subgraph
    a = np.eye(len(graph.wnids))
    for child, parent in graph.edge_index.T:
        a[child, parent] = a[parent, child] = 1
    a /= a.sum(axis=1, keepdims=True)
    x = np.array(
        [task.semantics.values[task.semantics.wnids.index(wnid)] for wnid in graph.wnids],
        dtype=float,
    )
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    hidden = a @ x @ w1.T + b1
    out = a @ np.where(hidden > 0, hidden, 0.2 * hidden) @ w2.T + b2
    out /= np.linalg.norm(out, axis=1, keepdims=True)
    expected = out[[graph.wnids.index(wnid) for wnid in task.candidates]]
    found = run.zero_shot_model().classifiers.values
    if not bias_column:
        rows = task.rows.rows(task.train)
        regression = Biases.fit(task.examples.s, rows[:, -1] / np.linalg.norm(rows[:, :-1], axis=1))
        assert found[:, -1] == pytest.approx(regression.predict(task.candidate_semantics), abs=1e-5)
        found = found[:, :-1]
    assert found == pytest.approx(expected, abs=1e-4)


def test_centred_targets_are_weights_less_the_mean_training_weights(task: Task) -> None:
    rows = task.rows.rows(task.train).astype(float)
    centred = rows - rows.mean(axis=0)
    whole = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    weights = centred[:, :-1] / np.linalg.norm(centred[:, :-1], axis=1, keepdims=True)
    run = trainer_of("sgcn", task, sgcn.Options(center=True))
    assert run.y.numpy() == pytest.approx(weights, abs=1e-5)
    assert trainer_of(
        "sgcn", task, sgcn.Options(center=True, bias_column=True)
    ).y.numpy() == pytest.approx(whole, abs=1e-5)
    beta = centred[:, -1] / np.linalg.norm(centred[:, :-1], axis=1)
    regression = Biases.fit(task.examples.s, beta)
    assert run.zero_shot_model().classifiers.values[:, -1] == pytest.approx(
        regression.predict(task.candidate_semantics), abs=1e-5
    )


#: a <- b <- c <- d, b <- e: child -> parent edges of a chain with a branch; the node a is the root.
_ASYMMETRIC = Subgraph(list("abcde"), [], [], [], np.array([[1, 2, 3, 4], [0, 1, 2, 1]]), {}, {})
#: By hand: ancestors and descendants of each node at distance 0, 1, and 2 or more.
_ANCESTORS = {
    "a": ("a", "", ""),
    "b": ("b", "a", ""),
    "c": ("c", "b", "a"),
    "d": ("d", "c", "ba"),
    "e": ("e", "b", "a"),
}
_DESCENDANTS = {
    "a": ("a", "b", "ced"),
    "b": ("b", "ce", "d"),
    "c": ("c", "d", ""),
    "d": ("d", "", ""),
    "e": ("e", "", ""),
}


@pytest.mark.parametrize("name", ["dgp", "dense-gcn"])
def test_dgp_averages_descendants_first_and_ancestors_then(name: str) -> None:
    """Kampffmeyer et al. 2019: H = σ(Σ_k α_k D_k(XW₁ + b₁)) over descendants, Σ_k β_k A_k(HW₂ + b₂)
    over ancestors; loops on five nodes."""
    random = np.random.default_rng(3)
    nodes = list("abcde")
    embeddings = random.normal(size=(5, 3)).astype(np.float32)
    rows = random.normal(size=(5, 4)).astype(np.float32)
    task = Task(
        _ASYMMETRIC,
        ClassMatrix(nodes, embeddings, {}),
        ClassMatrix(nodes, rows, {}),
        ["b", "c", "e"],
        nodes,
    )
    options: dgp.Options | sgcn.Options = dgp.Options(
        hidden=6, distances=2, lr=0.1, epochs=4, dropout=0.0
    )
    if name == "dense-gcn":
        from graphzsl.models.graph import dense_gcn

        options = dense_gcn.Options(hidden=6, lr=0.1, epochs=4, dropout=0.0)  # type: ignore[assignment]
    run = trainer_of(name, task, options)
    run.run()  # so that attention, weights and biases are not those of the start
    state = {key: value.double().numpy() for key, value in run.model.state_dict().items()}
    alpha, beta = (
        (np.exp(state[f"attention.{i}"]) / np.exp(state[f"attention.{i}"]).sum() for i in (0, 1))
        if name == "dgp"
        else (None, None)
    )

    if alpha is not None and beta is not None:
        assert np.abs(alpha - beta).max() > 0.01, "the layers have learned attention of their own"

    def average(
        values: dict[str, np.ndarray],
        relatives: dict[str, tuple[str, ...]],
        weights: np.ndarray | None,
    ) -> dict[str, np.ndarray]:
        found = {}
        for node in nodes:
            if weights is None:
                found[node] = np.mean([values[other] for other in "".join(relatives[node])], axis=0)
            else:
                means = [
                    np.mean([values[o] for o in group], axis=0) if group else 0 * values[node]
                    for group in relatives[node]
                ]
                found[node] = sum(
                    weight * mean for weight, mean in zip(weights, means, strict=True)
                )
        return found

    x = {
        node: embeddings[i].astype(float) / np.linalg.norm(embeddings[i].astype(float))
        for i, node in enumerate(nodes)
    }
    h = {n: state["linears.0.weight"] @ v + state["linears.0.bias"] for n, v in x.items()}
    h = {n: np.where(v > 0, v, 0.2 * v) for n, v in average(h, _DESCENDANTS, alpha).items()}
    y = average(
        {n: state["linears.1.weight"] @ v + state["linears.1.bias"] for n, v in h.items()},
        _ANCESTORS,
        beta,
    )
    expected = np.array([y[n] / np.linalg.norm(y[n]) for n in nodes])
    assert run.zero_shot_model().classifiers.values[:, :-1] == pytest.approx(expected, abs=1e-4), (
        "the last column is the bias"
    )


def test_bars_say_validation_and_then_refit(monkeypatch: pytest.MonkeyPatch) -> None:
    """One bar over the looks at validation classes, one over the last training; without choosing
    there is nothing to refit."""
    labels: list[str] = []

    def progress(items: Any, label: str, total: int | None = None) -> Any:
        labels.append(label)
        return items

    for module in ("graphzsl.models.training", "graphzsl.models.graph.training"):
        monkeypatch.setattr(f"{module}.progress_bar", progress)
    options = {"epochs": 20, "check_every": 10, "hidden": 4}
    training.train("sgcn", mini_task(), options)
    assert [label.partition(" (")[0] for label in labels] == [
        "sgcn: validation",
        "sgcn: refit on all training classes",
    ]
    labels.clear()
    training.train("sgcn", mini_task(), options, tune=False)
    assert labels == ["sgcn: training (20 epochs)"]

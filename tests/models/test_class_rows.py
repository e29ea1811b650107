"""Classifier rows as what models learn from: directions of weights, biases apart, and none of the
test classes'."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graphzsl.common import DataError
from graphzsl.data import ClassMatrix, Samples, save_samples, save_subgraph
from graphzsl.data.class_matrix import distinct_rows, unit_rows
from graphzsl.data.samples import images_for
from graphzsl.embeddings import PACKAGED, packaged_classifiers
from graphzsl.embeddings.features.classifiers import ilsvrc_wnids
from graphzsl.models import Task, model_module, results, run_grid, table, training
from graphzsl.models.base.biases import Biases
from graphzsl.models.base.class_samples import class_samples
from graphzsl.models.base.ridge import RELATIVE_PENALTIES
from graphzsl.models.base.targets import ClassifierScaling
from graphzsl.models.graph import graph_linear
from graphzsl.models.hybrid import exem
from graphzsl.models.registry import MODELS
from graphzsl.models.structural import closest
from tests.problems import QUICK, mini_problem, mini_samples, mini_subgraph


@pytest.mark.parametrize("name", list(MODELS))
def test_biases_change_no_score_of_a_class_row(name: str) -> None:
    """Biases of any size in the true rows, of training and hidden classes, leave every score of
    every model as it is."""
    task, rows = mini_problem()
    values = rows.values.copy()
    values[:, -1] = np.random.default_rng(3).normal(scale=20, size=len(values))
    biased = ClassMatrix(rows.wnids, values, rows.metadata)
    scores, options = [], []
    for matrix in (rows, biased):
        problem = replace(task, classifiers=matrix)
        model, manifest = training.train(name, problem, QUICK.get(name))
        asked = class_samples(matrix, task.candidates, problem.targets())
        scores.append(model.scores(asked.features))
        options.append(manifest["options"])
    assert options[0] == options[1]
    assert scores[0] == pytest.approx(scores[1], abs=1e-6)


def test_directions_are_centred_unit_weights() -> None:
    # mean weights (1, 2), mean bias 3
    rows = np.array([[3, 0, 5], [-1, 4, -7], [1, 2, 11]], np.float32)
    targets = ClassifierScaling.from_rows(rows)
    root = np.sqrt(8)
    assert targets.transform(rows) == pytest.approx(np.array([[2, -2], [-2, 2], [0, 0]]) / root)
    assert targets.biases(rows) == pytest.approx([2 / root, -10 / root, 8])
    asked = class_samples(ClassMatrix(["a", "b", "c"], rows, {}), ["b"], targets).features
    assert asked == pytest.approx(np.array([[-2 / root, 2 / root, 0]]))


def test_images_are_scored_with_predicted_biases() -> None:
    """[x, 1] · [w, ‖w‖ β] for linear models, and the same through the projection of an exemplar
    model."""
    task, _ = mini_problem()
    images = np.random.default_rng(0).normal(size=(6, 7)).astype(np.float32)
    linear = graph_linear.fit(task, graph_linear.Options())
    weights = linear.classifiers.values[:, :-1]
    assert np.linalg.norm(weights, axis=1) == pytest.approx(1)
    assert linear.scores(images) == pytest.approx(
        images @ weights.T + task.candidate_biases(), abs=1e-5
    )
    for distance in ("euclidean", "cosine"):
        options = exem.Options(distance=distance)
        model = exem.fit(task, options)
        axes = exem.principal_axes(task.examples, options)
        rows, beta = model.classifiers.values[:, : axes.shape[1]], task.candidate_biases()
        lengths = np.linalg.norm(axes @ rows.T, axis=0)
        scores = images @ axes @ rows.T + lengths * beta
        if distance == "euclidean":  # 2 m·x - ‖m‖² with rows 2 m
            scores = scores - (rows**2).sum(axis=1) / 4
        assert model.scores(images) == pytest.approx(scores, abs=1e-4)


def test_closest_takes_the_biases_of_the_closest_classes() -> None:
    task, rows = mini_problem()
    shares = closest.memberships(task, task.candidates, "average")
    centred = rows.rows(task.train) - rows.rows(task.train).mean(axis=0)
    beta = centred[:, -1] / np.linalg.norm(centred[:, :-1], axis=1)
    found = closest.fit(task, closest.Options()).classifiers.values
    assert found[:, -1] == pytest.approx(shares @ beta, abs=1e-5)


def test_the_penalty_of_biases_is_chosen_by_leaving_each_class_out() -> None:
    """Against refits without each class, one by one."""
    random = np.random.default_rng(1)
    x = random.normal(size=(30, 8))
    x -= x.mean(axis=0)
    t = x @ random.normal(size=8) + random.normal(size=30) + 4
    found = Biases.fit(x.astype(np.float32), t.astype(np.float32))
    unit = np.linalg.eigvalsh(x.T @ x).mean()
    mean = t.mean()

    def error(penalty: float) -> float:
        errors = []
        for out in range(30):
            kept = np.arange(30) != out
            map_ = np.linalg.solve(
                x[kept].T @ x[kept] + penalty * np.eye(8), x[kept].T @ (t[kept] - mean)
            )
            errors.append(t[out] - mean - x[out] @ map_)
        return float(np.mean(np.square(errors)))

    best = min(RELATIVE_PENALTIES, key=lambda each: error(unit * each))
    assert found.ridge == pytest.approx(unit * best, rel=1e-4)
    assert found.explained == pytest.approx(
        1 - error(unit * best) / np.mean((t - mean) ** 2), abs=1e-3
    )
    map_ = np.linalg.solve(x.T @ x + unit * best * np.eye(8), x.T @ (t - mean))
    assert found.predict(x[:5].astype(np.float32)) == pytest.approx(mean + x[:5] @ map_, abs=1e-3)


def test_biases_that_embeddings_do_not_tell_are_their_mean() -> None:
    """Every other class has the same embedding and the opposite bias: any regression on it errs
    more than the mean does."""
    x = np.repeat(np.array([[1.0], [-1.0]], np.float32), 10, axis=0)
    t = np.tile(np.array([3.0, -1.0], np.float32), 10)
    found = Biases.fit(x, t)
    assert found.metadata() == {
        "predicted_by": "mean of the training classes",
        "ridge": None,
        "leave_one_out_r2": 0.0,
    }
    assert found.predict(x[:3]) == pytest.approx([1, 1, 1])


def test_a_task_holds_nothing_of_its_test_classes() -> None:
    task, rows = mini_problem()
    problem = Task(
        task.graph,
        task.semantics,
        rows,
        task.train,
        task.candidates,
        samples=mini_samples(),
        validation_samples=mini_samples(),
    )
    visible = set(task.train)
    assert problem.classifiers
    assert problem.samples
    assert problem.validation_samples
    assert (
        set(problem.classifiers.wnids)
        == visible
        == set(problem.validation_samples.labels)
        == set(problem.samples.labels)
    )
    for wnid in set(task.candidates) - visible:
        with pytest.raises(DataError, match=f"There are no classifiers for {wnid}"):
            problem.rows.rows([wnid])
        with pytest.raises(DataError, match=f"There is no sample of {wnid}"):
            problem.samples.select([wnid])
    inner = problem.with_lists(task.train[:20], task.train[20:])
    assert set(inner.rows.wnids) == set(task.train[:20]), (
        "nor of the classes held out for validation"
    )
    whole = rows.rows(task.train)
    assert np.array_equal(problem.rows.rows(task.train), whole)


def test_the_manifest_says_how_rows_were_taken() -> None:
    task, _ = mini_problem()
    _, manifest = training.train("graph-linear", task, {"ridge": 1.0})
    assert manifest["scaling"]["features"].startswith(
        "classifier rows: weights less the mean training weights"
    )
    assert manifest["biases"]["predicted_by"] in (
        "ridge on class embeddings",
        "mean of the training classes",
    )
    sampled = replace(task, classifiers=None, samples=mini_samples())
    assert training.train("eszsl", sampled, {"gamma": 1.0, "ridge": 1.0})[1]["biases"] is None


@pytest.mark.parametrize("name", ["closest", "closest-eszsl"])
def test_a_training_class_outside_the_graph_is_named(name: str) -> None:
    """One of 25 training classes is not a node: no candidate may get another class's row in
    silence."""
    task, _ = mini_problem()
    stray = "n00000007"
    renamed = [stray, *task.train[1:]]
    matrices = [
        ClassMatrix(
            [stray, *matrix.wnids],
            np.concatenate([matrix.rows(task.train[:1]), matrix.values]),
            matrix.metadata,
        )
        for matrix in (task.semantics, task.rows)
    ]
    problem = replace(task, train=renamed, semantics=matrices[0], classifiers=matrices[1])
    with pytest.raises(DataError, match=f"{stray} is not a node of the hierarchy"):
        model_module(name).fit(problem, model_module(name).Options())


def test_rows_shorter_than_unit_have_shorter_biases() -> None:
    """A predicted classifier of length l has the bias l β, so scaling it scales its scores of
    images."""
    task, _ = mini_problem()
    model = exem.fit(task, exem.Options(distance="cosine", components=3))
    weight = model.encoder.weight  # type: ignore[union-attr]
    rows = model.classifiers.values
    lengths = np.linalg.norm(rows[:, :3] @ weight[:-1, :3].T, axis=1)
    assert rows[:, 3] == pytest.approx(lengths * task.candidate_biases(), abs=1e-5)
    assert unit_rows(rows[:, :3]) == pytest.approx(rows[:, :3], abs=1e-5)


def test_networks_that_come_as_packages_are_their_last_layers() -> None:
    """The rows against the two tensors of each package's checkpoint, read here."""
    torch = pytest.importorskip("torch")
    known = ilsvrc_wnids()
    for network, (module, name) in PACKAGED.items():
        package = pytest.importorskip(module)
        state = torch.load(
            getattr(package, name).get_model_file_path(), map_location="cpu", weights_only=True
        )
        found = packaged_classifiers(network)
        assert found.metadata["network"] == network
        assert found.wnids == known
        assert found.values.shape == (1000, 1281)
        assert np.array_equal(found.values[:, :-1], state["_fc.weight"].numpy())
        assert np.array_equal(found.values[:, -1], state["_fc.bias"].numpy())


def test_halves_share_no_sample_and_cut_every_class_in_two() -> None:
    """Classes of 4, 3 and 1 samples: 2 + 2, 2 + 1 or 1 + 2, and of the four single ones two in each
    half."""
    labels = ["a"] * 4 + ["b"] * 3 + ["c", "d", "e", "f"]
    samples = Samples(np.arange(11, dtype=np.float32)[:, None], labels, {})
    seen = set()
    for seed in range(6):
        first, second = samples.halves(seed)
        both = [*first.features[:, 0].tolist(), *second.features[:, 0].tolist()]
        assert sorted(both) == list(range(11))
        assert first.labels == [labels[int(row)] for row in first.features[:, 0]]
        assert first.labels.count("a") == second.labels.count("a") == 2
        assert {first.labels.count("b"), second.labels.count("b")} == {1, 2}
        seen.add(tuple(first.labels))
    assert len(seen) > 1, "the seed decides"
    singles = Samples(np.zeros((40, 1), np.float32), [str(row) for row in range(40)], {})
    assert [len(half.labels) for half in singles.halves(0)] == [20, 20]


def test_images_that_choose_are_not_test_samples() -> None:
    """Features are numbered in a first dimension of large steps, so that centring them all leaves
    their order to see."""
    task, _ = mini_problem()
    labels = mini_samples().labels
    images = Samples(np.arange(len(labels), dtype=np.float32)[:, None], labels, {})
    for generalized in (False, True):
        choosing, test = images_for(images, task.train, task.candidates, generalized, 0)
        first, second = choosing.features[:, 0], test.features[:, 0]
        numbers = np.sort(np.r_[first, second])
        assert len(numbers) == len(labels)
        assert np.diff(numbers) == pytest.approx(1, abs=1e-3), "every image once"
        assert first.mean() == pytest.approx(0, abs=1e-3), "centred on what chooses"
        assert set(choosing.labels) == set(task.train)
        assert set(test.labels) == (
            {*task.train, *task.candidates} if generalized else set(task.candidates)
        )
        assert len(test.labels) == 20 * 8 + (25 * 4 if generalized else 0)
        assert ("half" in test.metadata["choosing"]) == generalized


def test_a_grid_of_images_in_the_generalized_setting(tmp_path: Path) -> None:
    """Through the grid: models learn from rows, seen and unseen test samples are images, and the
    result says what chose."""
    task, rows = mini_problem()
    graph = replace(
        mini_subgraph(),
        class_sets={"some": [*task.train, *task.candidates]},
        manifest={"kind": "subgraph"},
    )
    save_subgraph(graph, tmp_path / "graph")
    task.semantics.save(tmp_path / "s.safetensors")
    rows.save(tmp_path / "rows.safetensors")
    save_samples(mini_samples(), tmp_path / "images.npz")
    (tmp_path / "grid.toml").write_text(
        'out = "runs"\ngraph = "graph"\nclassifiers = "rows.safetensors"\nfeatures ='
        ' "images.npz"\nsetting = "generalized"\nseeds = [0, 1]\n[semantics]\nown ='
        ' "s.safetensors"\n[splits.hidden]\nof = "some"\nhide = 0.4\n[models.graph-linear]\n'
    )
    grid, failed = run_grid(tmp_path / "grid.toml")
    assert failed == {}
    found, _ = [json.loads(grid.file(run).read_text()) for run in grid.runs()]
    assert found["samples"] == 18 * 8, "of unseen classes"
    assert found["candidates"] == 45
    assert {"ts", "tr", "h"} <= set(found["generalized"]["hit@1"]["per_class"])
    assert (
        "one half of the training classes' samples"
        in found["provenance"]["validated_with"]["choosing"]
    )
    (row,) = table(results(grid))
    assert row["seeds"] == 2, "seeds, and the halves that they draw, are averaged"


def test_rows_that_are_equal_are_found_by_their_numbers() -> None:
    """-0.0 is 0.0; a number in another column, or the next one above it, is another row."""
    above = np.nextafter(np.float32(1), np.float32(2))
    rows = np.array([[0, 1], [1, 0], [-0.0, 1], [0, above], [1, -0.0]], dtype=np.float32)
    first, which = distinct_rows(rows)
    assert (first.tolist(), which.tolist()) == ([0, 1, 3], [0, 1, 0, 2, 1])
    alike, apart = distinct_rows(rows[[0, 2]]), distinct_rows(rows[[0, 3]])
    assert [each.tolist() for each in (*alike, *apart)] == [[0], [0, 0], [0, 1], [0, 1]]

"""Models that predict classifier rows learn from the samples of a data set alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

import graphzsl as gz
from graphzsl.cli import train as train_command
from graphzsl.data import Samples, load_test_samples, save_subgraph
from graphzsl.data.class_matrix import unit_rows
from graphzsl.models import Scoring, Task, known_models, model_module, needs, training
from graphzsl.models.base.scaling import KINDS
from graphzsl.models.base.task import ROW_RULES, SOFTMAX_RIDGE

#: dog, wolf, fox, kitty, lion, tiger, horse, zebra, cow, sheep, goat, pig
ANIMALS = [
    *("n02084071", "n02114100", "n02118333", "n02121808", "n02129165", "n02129604"),
    *("n02374451", "n02391049", "n01887787", "n02411705", "n02416519", "n02395406"),
]
UNSEEN = ANIMALS[2::4]
#: Small options of the networks.
SMALL: dict[str, dict[str, Any]] = {
    "sgcn": {"hidden": 8, "epochs": 20, "check_every": 10},
    "gcn6": {"widths": (8, 8), "epochs": 20, "check_every": 10},
    "dense-gcn": {"hidden": 8, "epochs": 20, "check_every": 10},
    "dgp": {"hidden": 8, "epochs": 20, "check_every": 10},
}


def _animals(width: int = 7) -> gz.ZeroShotDataset:
    """Twelve classes whose samples lie around their vectors in another space; not centred."""
    random = np.random.default_rng(0)
    vectors = dict(zip(ANIMALS, random.normal(size=(12, 4)), strict=True))
    labels = [wnid for wnid in ANIMALS for _ in range(9)]
    features = np.array([vectors[wnid] for wnid in labels]) @ random.normal(size=(4, width))
    features += 0.3 * random.normal(size=features.shape) + 5
    seen = [wnid for wnid in ANIMALS if wnid not in UNSEEN]
    return gz.ZeroShotDataset.from_arrays(features, labels, vectors, seen=seen, unseen=UNSEEN)


def test_rows_are_the_means_of_the_scaled_samples() -> None:
    """By hand; and of a validation fold those of its own training classes, scaled by them alone."""
    data = _animals()
    task = Task.from_dataset(data)
    for each in (task, task.with_lists(data.train[:5], data.train[5:])):
        rows = np.array([label in each.train for label in data.part("train").labels])
        x = data.part("train").features[rows]
        labels = np.array(data.part("train").labels)[rows]
        scaled = unit_rows(x - x.mean(axis=0))
        means = [scaled[labels == wnid].mean(axis=0) for wnid in each.train]
        assert each.rows.wnids == each.train
        assert each.rows.values[:, :-1] == pytest.approx(np.stack(means), abs=1e-5)
        assert not each.rows.values[:, -1].any()
        assert each.rows.metadata["rows"].startswith("mean of the scaled training samples")


def test_rows_of_a_softmax_are_scikit_learns() -> None:
    """Its C divides the sum over samples, ours weighs the penalty of their mean."""
    task = Task.from_dataset(_animals(), classifiers="softmax")
    x, y = task.examples.x, task.examples.y
    peer = LogisticRegression(C=1 / (SOFTMAX_RIDGE * len(x)), max_iter=5000, tol=1e-8).fit(x, y)
    weights, biases = task.rows.values[:, :-1], task.rows.values[:, -1]
    tolerance = 0.01 * np.abs(peer.coef_).max()
    assert weights == pytest.approx(peer.coef_, abs=tolerance)
    # a constant for all classes changes no probability
    found, expected = (each - each.mean() for each in (biases, peer.intercept_))
    assert found == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("name", [n for n in known_models() if "graph" in needs(model_module(n))])
def test_every_model_of_the_hierarchy_takes_a_data_set_alone(name: str) -> None:
    """It says what it made, scores features as they come, and is the same for features moved by a
    constant, which a mean takes away."""
    data = _animals()
    model = gz.train(name, data, **SMALL.get(name, {}))
    manifest = model.manifest
    assert manifest["graph"]["made_of"] == "WordNet's files: the classes and all their ancestors"
    assert manifest["semantics"]["filled"]["nodes"] == manifest["graph"]["nodes"] - len(ANIMALS)
    if "classifiers" in needs(model_module(name)):
        assert manifest["classifiers"]["rows"].startswith("mean of the scaled training samples")
        assert manifest["scaling"]["features"].startswith("center of samples")
    features = data.test_samples().features
    found = model.predict(features).predicted()
    assert set(found) <= set(UNSEEN)
    if name not in SMALL:
        right = [a == b for a, b in zip(found, data.test_samples().labels, strict=True)]
        assert np.mean(right) > 0.3, "chance"
    moved = replace(data, samples=replace(data.samples, features=data.samples.features + 3))
    again = gz.train(name, moved, **SMALL.get(name, {}))
    assert again.predict(features + 3).predicted() == found


@pytest.mark.parametrize("name", ["sgc", "sgcn"])
@pytest.mark.parametrize("rows", ["class-means", "softmax"])
def test_samples_of_unseen_classes_enter_nothing(name: str, rows: Any) -> None:
    data = _animals()
    noise = np.random.default_rng(1).normal(size=data.samples.features.shape).astype(np.float32)
    is_test = (data.parts != "train")[:, None]
    other = Samples(np.where(is_test, noise, data.samples.features), data.samples.labels, {})
    first, second = (
        gz.train(name, each, classifiers=rows, **SMALL.get(name, {}))
        for each in (data, replace(data, samples=other))
    )
    assert np.array_equal(first.scorer.classifiers.values, second.scorer.classifiers.values)
    assert first.manifest["validation"] == second.manifest["validation"]


def test_rows_of_a_network_take_the_place_of_those_of_samples() -> None:
    data = _animals()
    given = gz.ClassMatrix.from_rows(
        dict(zip(ANIMALS, np.random.default_rng(2).normal(size=(12, 8)), strict=True)),
        kind="classifiers",
    )
    model = gz.train("sgc", data, classifiers=given)
    assert model.manifest["classifiers"] == given.metadata
    assert model.scorer.scaling.changes_nothing
    for width in (6, 8, 9):
        misfit = f"{width} features do not fit classifier rows of 7 weights"
        with pytest.raises(gz.ModelError, match=misfit):
            gz.train("sgc", _animals(width), classifiers=given)
    with pytest.raises(gz.ModelError, match="8 dimensions do not fit classifiers of 7 and a bias"):
        model.predict(np.ones((2, 8)))
    for rows in (given, "softmax"):
        with pytest.raises(gz.ModelError, match="eszsl learns from the samples, and not"):
            gz.train("eszsl", data, classifiers=rows)


@pytest.mark.parametrize("name", ["sgc", "eszsl"])
def test_samples_less_their_mean_are_scored_as_they_were(name: str) -> None:
    """A model that scales features itself adds what was subtracted, so that nothing is subtracted
    twice."""
    data = _animals()
    model = gz.train(name, data).scorer
    samples = data.samples
    centred = samples.centred_on(data.train)
    assert not np.allclose(centred.features, samples.features)
    scores = [model.scores(model.features(each)) for each in (samples, centred)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-4)


def test_samples_of_the_converted_file_are_no_test_samples(tmp_path: Path) -> None:
    """The data set's own file and the one that it was made of: training classes of neither are
    scored, unseen ones are."""
    data = _animals()
    np.savez(tmp_path / "x.npz", features=data.samples.features, labels=data.samples.labels)
    made = gz.ZeroShotDataset.from_arrays(
        tmp_path / "x.npz", None, data.semantics, seen=data.train, unseen=UNSEEN
    )
    made.save(tmp_path / "data")
    loaded = gz.ZeroShotDataset.load(tmp_path / "data")
    model = gz.train("sgc", loaded, generalized=True)
    for file in (tmp_path / "x.npz", tmp_path / "data" / "samples.npz"):
        with pytest.raises(gz.ModelError, match="that the model learned from"):
            load_test_samples(file, model.manifest, model.train, model.candidates)
        found = load_test_samples(file, model.manifest, model.train, UNSEEN)
        assert set(found.labels) == set(UNSEEN)


def test_test_samples_may_be_called_by_names(tmp_path: Path) -> None:
    model = gz.train("sgc", _animals())
    names = ["fox.n.01", "n02129604", "lion"]
    np.savez(tmp_path / "x.npz", features=np.ones((3, 7)), labels=names)
    found = load_test_samples(tmp_path / "x.npz", {}, model.train, ["n02118333", "n02129604"])
    assert found.labels == ["n02118333", "n02129604"]


def test_a_graph_that_lacks_classes_names_them() -> None:
    data = _animals()
    few = gz.Subgraph(ANIMALS[:10], [], [], [], np.empty((2, 0), np.int64), {}, {})
    with pytest.raises(gz.ModelError, match=r"lacks 2 of the 12 classes: 'n02395406', 'n02416519'"):
        gz.train("sgc", data, graph=few)


def test_a_candidate_without_an_embedding_is_refused_at_once() -> None:
    data = _animals()
    task = Task.from_dataset(data)
    few = data.semantics.among(data.train)
    with pytest.raises(gz.DataError, match=r"no class embeddings for n\d+ and 2 more classes"):
        training.train("sgc", replace(task, semantics=few))


def test_the_command_line_names_the_same_rules() -> None:
    """The command line repeats them, because theirs needs numpy."""
    assert tuple(ROW_RULES) == train_command.ROW_RULES
    assert tuple(KINDS) == train_command.SCALINGS


def test_a_model_of_the_other_setting_is_refused(tmp_path: Path) -> None:
    data = _animals()
    data.save(tmp_path / "data")
    for generalized, said in ((True, "9 of the model's 12 candidates are training"), (False, "no")):
        gz.train("sgc", data, generalized=generalized).save(tmp_path / "m")
        scoring = Scoring(tmp_path / "m", data=tmp_path / "data", generalized=not generalized)
        with pytest.raises(gz.ModelError, match=said):
            scoring.load()
        assert replace(scoring, generalized=generalized).load().samples.labels


def test_a_graph_of_ones_own_is_written_and_read(tmp_path: Path) -> None:
    """Nodes and edges are all that there has to be."""
    data = _animals()
    parents = np.array([np.arange(12), np.full(12, 12)])
    save_subgraph(gz.Subgraph([*ANIMALS, "animal"], [], [], [], parents, {}, {}), tmp_path / "g")
    graph = gz.Subgraph.load(tmp_path / "g")
    model = gz.train("sgc", data, graph=graph)
    assert model.manifest["graph"]["nodes"] is None
    assert model.manifest["semantics"]["filled"]["nodes"] == 1

"""What holds for every model: it learns, from training classes alone, and comes back from its file
the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from graphzsl import metrics
from graphzsl.common import DataError, ModelError
from graphzsl.data import ClassMatrix, Samples
from graphzsl.models import Task, load_model, model_module, needs, training
from graphzsl.models.base.options import Hyperparameters
from graphzsl.models.base.zero_shot_model import ZeroShotModel
from graphzsl.models.registry import MODELS
from tests.problems import QUICK, mini_problem, mini_samples

SAMPLED = [name for name in MODELS if "classifiers" not in needs(model_module(name))]


@pytest.mark.parametrize("name", list(MODELS))
def test_training_never_reads_a_candidates_row(task: Task, name: str, tmp_path: Path) -> None:
    """With the rows of all but the training classes replaced by noise, every model is the same; and
    so is its copy on disk."""
    _, rows = mini_problem()
    noise, seen = rows.values.copy(), set(task.train)
    outside = [row for row, wnid in enumerate(rows.wnids) if wnid not in seen]
    noise[outside] = 1e3 * np.random.default_rng(5).normal(size=noise[outside].shape)
    blind = replace(task, classifiers=ClassMatrix(rows.wnids, noise, rows.metadata))
    features = np.random.default_rng(2).normal(size=(5, 7)).astype(np.float32)
    trained = [training.train(name, problem, QUICK.get(name)) for problem in (task, blind)]
    assert np.array_equal(*(model.scores(features) for model, _ in trained))
    assert trained[0][1]["options"] == trained[1][1]["options"]
    _same_from_disk(*trained[0], features, tmp_path / name)


@pytest.mark.parametrize("name", SAMPLED)
def test_training_never_reads_a_candidates_sample(sampled: Task, name: str, tmp_path: Path) -> None:
    samples = mini_samples()
    noise, hidden = samples.features.copy(), set(sampled.candidates)
    outside = [row for row, label in enumerate(samples.labels) if label in hidden]
    noise[outside] += 1e3
    blind = replace(sampled, samples=Samples(noise, samples.labels, {}))
    features = np.random.default_rng(2).normal(size=(5, 7)).astype(np.float32)
    trained = [training.train(name, problem, QUICK.get(name)) for problem in (sampled, blind)]
    assert np.array_equal(*(model.scores(features) for model, _ in trained))
    _same_from_disk(*trained[0], features, tmp_path / name)


def _same_from_disk(
    model: ZeroShotModel, manifest: dict[str, object], features: np.ndarray, folder: Path
) -> None:
    training.save(folder, model, manifest)
    loaded, found = load_model(folder)
    assert np.array_equal(loaded.scores(features), model.scores(features))
    assert found["train"] == manifest["train"]
    few = loaded.select(loaded.wnids[3:6])
    if model.gate is None:
        assert few.scores(features) == pytest.approx(loaded.scores(features)[:, 3:6], abs=1e-5)
    assert few.scores(features).shape == (5, 3)


@pytest.mark.parametrize(
    "name",
    [
        name
        for name in SAMPLED
        if name not in ("random-embedding", "softmax", "closest", "closest-eszsl")
    ],
)
def test_every_model_learns_what_can_be_learned(sampled: Task, name: str) -> None:
    """Samples are a linear function of the embeddings, and 25 classes show it: unseen classes are
    found far above chance (5 %)."""
    model, _ = training.train(
        name, sampled, {key: v for key, v in QUICK.get(name, {}).items() if key != "epochs"}
    )
    samples = mini_samples().select(sampled.candidates)
    truth = metrics.columns_of(
        samples.labels, {wnid: column for column, wnid in enumerate(model.wnids)}
    )
    rank = metrics.ranks(model.scores(samples.features), truth)
    assert metrics.per_class(metrics.hits(rank, 5), truth).mean() > 0.45, "chance is 0.25"


@pytest.mark.parametrize("name", list(MODELS))
def test_every_model_says_what_it_is(name: str) -> None:
    module = model_module(name)
    assert issubclass(module.Options, Hyperparameters)
    assert len(module.__doc__ or "") > 150
    for point in module.GRID:
        module.Options(**point)
    for each in module.Options.__dataclass_fields__.values():
        assert each.metadata["help"].endswith((".", ")", "?")), f"{name} {each.name}"


def test_validation_folds_can_be_given(sampled: Task) -> None:
    kept, held = sampled.train[:15], sampled.train[15:]
    _, manifest = training.train("eszsl", sampled, folds=[(kept, held)])
    assert manifest["validation"]["splits"] == 1
    assert manifest["validation"]["classes"] == [10]
    assert manifest["validation"]["folds"] == "given"
    scores = [trial["mean_reciprocal_rank"] for trial in manifest["chosen_on_validation"]]
    best = manifest["chosen_on_validation"][int(np.argmax(scores))]
    assert (best["gamma"], best["ridge"]) == (
        manifest["options"]["gamma"],
        manifest["options"]["ridge"],
    )


def test_validation_splits_can_be_drawn_anew_with_the_test_split_fixed(sampled: Task) -> None:
    """Xian et al., figure 2: other validation classes, as many as published, and the same training
    and test classes."""
    published = [(sampled.train[:15], sampled.train[15:])]
    found = [
        training.train("eszsl", sampled, {"gamma": 1.0}, folds=published, validation_seed=seed)[1]
        for seed in (0, 1, 0)
    ]
    said = [manifest["validation"] for manifest in found]
    assert [(each["folds"], each["seed"], each["classes"]) for each in said] == [
        ("random", 0, [10]),
        ("random", 1, [10]),
        ("random", 0, [10]),
    ]
    assert said[0]["sha256"] == said[2]["sha256"] != said[1]["sha256"]
    assert all(
        (manifest["train"], manifest["candidates"]) == (sampled.train, sampled.candidates)
        for manifest in found
    )
    _, plain = training.train("eszsl", sampled, {"gamma": 1.0}, folds=published)
    assert (plain["validation"]["folds"], plain["validation"]["seed"]) == ("given", None)
    drawn = [
        tuple(held) for seed in range(3) for _, held in training.seeded_folds(sampled.train, seed)
    ]
    assert len(set(drawn)) == 9, "no fold of one seed comes back with another"


def test_validation_asks_as_the_test_will(task: Task, sampled: Task) -> None:
    """Rows to learn from, samples to be asked with: the choice is made with the held-out training
    classes' samples."""
    assert sampled.samples
    both = replace(task, validation_samples=sampled.samples.centred_on(task.train))
    held = task.train[:4]
    samples = training.validation_samples(both, both.with_lists(task.train[4:], held))
    assert len(samples.labels) == 32
    inner = task.with_lists(task.train[4:], held)
    rows = training.validation_samples(task, inner)
    assert rows.labels == held
    centred = (task.rows.rows(held) - task.rows.rows(task.train[4:]).mean(axis=0))[:, :-1]
    expected = centred / np.linalg.norm(centred, axis=1, keepdims=True)
    assert rows.features == pytest.approx(np.c_[expected, np.zeros(4)], abs=1e-6)
    (first, plain), (second, manifest) = (training.train("eszsl", each) for each in (task, both))
    assert manifest["validated_with"]["simulated"] is True
    assert plain["validated_with"] == "classifier rows"
    scores = [
        [trial["mean_reciprocal_rank"] for trial in each["chosen_on_validation"]]
        for each in (plain, manifest)
    ]
    assert scores[0] != scores[1]
    assert first.wnids == second.wnids


def test_epochs_are_chosen_on_the_way(sampled: Task) -> None:
    _, manifest = training.train(
        "sje", sampled, {"margin": 0.3, "check_every": 4, "epochs": 10}, tune=False
    )
    assert manifest["options"]["epochs"] == 10
    _, manifest = training.train("sje", sampled, {"margin": 0.3, "check_every": 10})
    assert [trial["epochs"] for trial in manifest["chosen_on_validation"]] == [
        *range(10, 61, 10)
    ], "60 at most, unless given"
    best = max(manifest["chosen_on_validation"], key=lambda trial: trial["mean_reciprocal_rank"])
    assert manifest["options"]["epochs"] == best["epochs"]


def test_wrong_tasks_and_options_are_named(task: Task, sampled: Task) -> None:
    with pytest.raises(ModelError, match=r"no model 'gnc'.*mean 'sgc'"):
        training.train("gnc", task)
    with pytest.raises(ModelError, match="no option 'lamda'; it has ridge, powers"):
        training.train("graph-linear", task, {"lamda": 1})
    with pytest.raises(ModelError, match="powers are different whole numbers"):
        training.train("graph-linear", task, {"powers": "0,one"})
    with pytest.raises(ModelError, match="labels is one of binary, signed, not 'both'"):
        training.train("eszsl", task, {"labels": "both"})
    with pytest.raises(ModelError, match="epochs is at least 1, not -1"):
        training.train("sje", task, {"epochs": -1})
    with pytest.raises(ModelError, match="gamma is a number, not nan"):
        training.train("eszsl", task, {"gamma": float("nan")})
    with pytest.raises(ModelError, match="made of samples by class-means or softmax, not 'means'"):
        replace(sampled, row_rule="means")
    with pytest.raises(DataError, match=r"(?s)n00001\d+ is not a noun synset .*\n.* give a graph"):
        training.train("closest", replace(task, graph=None))
    with pytest.raises(ModelError, match="classifier rows of the training classes, or samples"):
        replace(task, classifiers=None)
    with pytest.raises(DataError, match="for n99999999"):
        replace(
            task,
            semantics=ClassMatrix(
                ["n99999999", *task.candidates], np.ones((1 + len(task.candidates), 3)), {}
            ),
            train=["n99999999"],
        )
    with pytest.raises(ModelError, match="Scaling is one of none, unit, center, standard"):
        training.train("eszsl", replace(task, semantic_scaling="l2"))
    model, _ = training.train("eszsl", sampled, {"gamma": 1.0, "ridge": 1.0}, tune=False)
    with pytest.raises(ModelError, match="Features of 5 dimensions; the model was trained on 7"):
        model.scores(np.ones((2, 5), np.float32))


def test_a_damaged_model_is_refused(task: Task, tmp_path: Path) -> None:
    model, trained = training.train("conse", task, {"top": 3, "scale": 5.0})
    training.save(tmp_path / "m", model, trained)
    (tmp_path / "m" / "encoder.safetensors").write_bytes(b"12345678 not safetensors")
    with pytest.raises(DataError, match=r"encoder\.safetensors .*not the file that"):
        load_model(tmp_path / "m")
    manifest = json.loads((tmp_path / "m" / "manifest.json").read_text())
    del manifest["files"]
    (tmp_path / "m" / "manifest.json").write_text(json.dumps(manifest))
    with pytest.raises(DataError, match=r"classifiers\.safetensors .*not the file that"):
        load_model(tmp_path / "m")
    with pytest.raises(
        DataError, match=r"encoder\.safetensors: .*Expected the encoder of a graphzsl model"
    ):
        ZeroShotModel.load(tmp_path / "m")


def test_a_choice_at_the_end_of_what_was_tried_is_said() -> None:
    trials = [{"ridge": ridge, "gamma": gamma} for ridge in (0.1, 1.0, 10.0) for gamma in (1, 2)]
    kinds = [{"labels": kind} for kind in ("a", "b", "c")]
    linear, latem = (model_module(name).Options for name in ("eszsl", "latem"))
    assert training._ends(linear, {"ridge": 10.0, "gamma": 2}, trials) == {"ridge": "largest"}
    assert training._ends(linear, {"ridge": 0.1, "gamma": 1}, trials) == {"ridge": "smallest"}
    assert training._ends(linear, {"ridge": 1.0, "gamma": 1}, trials) == {}
    assert training._ends(linear, {"labels": "a"}, kinds) == {}, "no numbers"
    maps = [{"maps": count} for count in (1, 2, 4)]
    assert training._ends(latem, {"maps": 1}, maps) == {}, "fewer than one map there are not"
    assert training._ends(latem, {"maps": 4}, maps) == {"maps": "largest"}

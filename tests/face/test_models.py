"""Models in ``import graphzsl as gz``: trained, kept, asked, of one's own and of other packages."""

from __future__ import annotations

from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.models import registry
from graphzsl.models.base.options import Hyperparameters
from graphzsl.models.base.zero_shot_model import example_model
from tests.problems import letters, mini_task


def test_a_model_is_trained_kept_and_asked(tmp_path: Path) -> None:
    data = letters()
    model = gz.train("eszsl", data, generalized=True)
    assert model.candidates == list("abcdefgh")
    assert model.train == list("abcdef")
    result = gz.evaluate(model.predict(data.test_samples(generalized=True)), rounds=50)
    assert result.generalized is not None
    assert "ausuc" in result.generalized
    assert result.manifest["provenance"]["model"] == "eszsl"
    model.save(tmp_path / "eszsl")
    again = gz.load_model(tmp_path / "eszsl")
    features = data.samples.features
    assert again.scorer.scores(features) == pytest.approx(model.scorer.scores(features))
    unseen = model.predict(data.test_samples(), candidates="gh")
    assert unseen.candidates == ["g", "h"]


def test_features_without_classes_are_predicted() -> None:
    data = letters()
    model = gz.train("eszsl", data)
    samples = data.test_samples()
    expected = np.argmax(model.scorer.scores(samples.features), axis=1)
    torch = pytest.importorskip("torch")
    for features in (samples.features, torch.tensor(samples.features), samples.features.tolist()):
        found = model.predict(features)
        assert found.predicted() == [model.candidates[column] for column in expected]
        assert repr(found) == "<UnlabelledPredictions: 20 samples, 2 candidates>"
    assert [row["top1"] for row in found.rows()] == found.predicted()
    assert {frozenset(row.values()) for row in found.rows()} == {frozenset("gh")}
    labelled = gz.evaluate(model.predict(samples), rounds=5)
    later = gz.evaluate(found.to_frame().assign(label=samples.labels), wordnet=None, rounds=5)
    assert later["hit@1"].per_class == labelled["hit@1"].per_class
    assert set(model.predict(samples.features, candidates="h").predicted()) == {"h"}


def test_predictions_without_classes_are_not_evaluated() -> None:
    data = letters()
    found = gz.train("eszsl", data, tune=False).predict(data.samples.features)
    for given in ((found,), (data.samples.labels, found)):
        with pytest.raises(gz.DataError, match="have no labels"):
            gz.evaluate(*given)


@pytest.mark.parametrize(
    ("features", "said"),
    [
        (np.zeros(3), r"\[N, D\].*shape \(3,\)"),
        (np.zeros((0, 4)), "no sample"),
        (np.full((2, 4), np.nan), "features of sample 0 are not finite"),
        ([["a"]], "Features must be numbers"),
        ("features.npz", "not the path of a file"),
    ],
)
def test_wrong_features_are_refused(features: Any, said: str) -> None:
    model = gz.train("eszsl", letters(), tune=False)
    with pytest.raises(gz.DataError, match=said):
        model.predict(features)


def test_options_are_typed() -> None:
    data = letters()
    model = gz.train("eszsl", data, gamma=np.float64(10.0), tune=False)
    assert model.options["gamma"] == 10.0
    with pytest.raises(gz.ModelError, match="no option 'gama'"):
        gz.train("eszsl", data, gama=1.0)
    with pytest.raises(gz.ModelError, match="gamma is a number"):
        gz.train("eszsl", data, gamma="10")
    with pytest.raises(gz.ModelError, match="no model 'nothing'"):
        gz.train("nothing", data)
    with pytest.raises(gz.DataError, match="a ZeroShotDataset or a Task"):
        gz.train("eszsl", [1, 2])  # type: ignore[arg-type]


def test_sequences_are_options_too() -> None:
    powers: Any
    for powers in ((0, 1), [0, 1], np.array([0, 1]), range(2), "0,1"):
        model = gz.train("graph-linear", mini_task(), powers=powers, tune=False)
        assert model.manifest["options"] == {"ridge": 8.0, "powers": "0,1"}, "as files hold it"
        assert model.manifest["given_options"] == {"powers": "0,1"}
        assert model.options == {"ridge": 8.0, "powers": (0, 1)}
    with pytest.raises(gz.ModelError, match=r"^powers are different whole numbers, each at least"):
        gz.train("graph-linear", mini_task(), powers=(0, 0))


def test_a_model_s_options_train_it_again(tmp_path: Path) -> None:
    gz.train("graph-linear", mini_task(), powers=(0, 2)).save(tmp_path / "model")
    assert '"powers": "0,2"' in (tmp_path / "model" / "manifest.json").read_text()
    first = gz.load_model(tmp_path / "model")
    again = gz.train("graph-linear", mini_task(), **first.options)
    assert again.options == first.options
    assert (again.scorer.classifiers.values == first.scorer.classifiers.values).all()


class NearestMean:
    """Nearest mean: every candidate's row is its class embedding."""

    Options = Hyperparameters
    GRID = [{}]  # noqa: RUF012

    @staticmethod
    def fit(task: Any, options: Any) -> Any:
        return example_model(task, task.candidate_semantics, model="nearest-mean")


def test_a_model_of_your_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    gz.register_model("nearest-mean", NearestMean)
    data = letters()
    model = gz.train("nearest-mean", data)
    assert (model.manifest["family"], model.manifest["model"]) == ("own", "nearest-mean")
    assert gz.evaluate(model.predict(data.test_samples()), rounds=5)["hit@1"].per_class == 1
    data.save(tmp_path / "data")
    command = ["train", "nearest-mean", "--data", tmp_path / "data", "--out", tmp_path / "model"]
    done = CliRunner().invoke(main, [str(part) for part in command])
    assert not done.exit_code, done.output
    assert gz.load_model(tmp_path / "model").manifest["model"] == "nearest-mean"
    listed = CliRunner().invoke(main, ["train", "--list", "--format", "jsonl"]).output
    assert "Nearest mean: every candidate's row" in listed


def test_models_that_lack_something_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "_registered", {})
    for module, said in (
        (type("M", (), {}), "needs a frozen dataclass Options"),
        (type("M", (), {"Options": Hyperparameters}), "needs GRID"),
        (type("M", (), {"Options": Hyperparameters, "GRID": [{}]}), "needs a function fit"),
        ("nothing.at.all", "cannot be imported"),
    ):
        with pytest.raises(gz.ModelError, match=said):
            gz.register_model("mine", module)
    with pytest.raises(gz.ModelError, match="is a model of graphzsl"):
        gz.register_model("eszsl", NearestMean)


def test_an_installed_package_brings_models(monkeypatch: pytest.MonkeyPatch) -> None:
    entry = EntryPoint("theirs", "graphzsl.models.compatibility.eszsl", registry.ENTRY_POINTS)
    monkeypatch.setattr(registry, "_installed", lambda: {"theirs": entry})
    assert "theirs" in registry.known_models()
    assert gz.train("theirs", letters()).manifest["family"] == "own"

"""Four commands, from files of features to a table for a paper: on a data set in the form of Xian
et al. and on features of a MobileNet. docs/gcn-on-your-features.md runs them on made-up ones."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.io import savemat

from graphzsl.cli import main
from graphzsl.hierarchy.branches import hide_classes
from graphzsl.names import shipped_lists
from graphzsl.sources.imagenet import listed_classes
from tests.embeddings.formats.test_formats import _xlsa17

#: Of a network, so that its training takes seconds.
SMALL = ["--hidden", "32", "--epochs", "40"]


def _run(*command: str) -> str:
    done = CliRunner().invoke(main, list(command))
    assert done.exit_code == 0, (command, done.output)
    return done.output


def _trained(data: str, model: str, options: list[str]) -> dict[str, float]:
    """Metric -> per-class value of a model that is trained and evaluated by two commands."""
    _run("train", model, "--data", data, "--out", model, *options)
    _run("evaluate", "model", model, "--data", data, "--out", f"runs/{model}.json")
    metrics = json.loads(Path(f"runs/{model}.json").read_text())["metrics"]
    return {name: each["per_class"] for name, each in metrics.items()}


def _awa(folder: Path) -> None:
    """The classes and the proposed split of AWA, four samples of each in ten dimensions."""
    random, lists = np.random.default_rng(0), shipped_lists()
    names, unseen = lists["awa"], set(lists["awa-proposed"])
    labels = np.repeat(np.arange(50), 4)
    is_seen = np.array([names[label] not in unseen for label in labels])
    held = is_seen & (np.arange(200) % 4 == 0)
    attributes = random.normal(size=(6, 50))
    features = random.normal(size=(10, 6)) @ attributes[:, labels]
    folder.mkdir()
    savemat(folder / "res101.mat", {"features": features, "labels": labels[:, None] + 1.0})
    where = {"trainval": is_seen & ~held, "test_seen": held, "test_unseen": ~is_seen}
    parts = {f"{part}_loc": np.flatnonzero(of)[:, None] + 1 for part, of in where.items()}
    called = np.array(names, dtype=object)[:, None]
    savemat(folder / "att_splits.mat", {"att": attributes, "allclasses_names": called, **parts})


def test_a_data_set_in_the_form_of_xian(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its classes have names, most of which have several senses in WordNet: those of AWA are known,
    and all others are named with the way out."""
    monkeypatch.chdir(tmp_path)
    _awa(tmp_path / "AWA2")
    _run("convert", "xlsa17", "AWA2", "--out", "awa2")
    for model, options in (("sgcn", SMALL), ("sgc", [])):
        assert _trained("awa2", model, options)["hit@5"] > 0.5, "by chance 5 of 10"
    manifest = json.loads((tmp_path / "sgcn" / "manifest.json").read_text())
    assert manifest["graph"]["synsets"]["beaver"] == "n02363005", "the rodent, not its fur"
    assert "2 models of 1 question in table.tex" in _run("report", "runs", "--table", "table.tex")
    table = (tmp_path / "table.tex").read_text()
    assert table.count("\\\\\n") == 3
    assert "sgcn &" in table
    _xlsa17(tmp_path / "own", savemat)
    _run("convert", "xlsa17", "own", "--out", "own-names")
    done = CliRunner().invoke(main, ["train", "sgc", "--data", "own-names", "--out", "m"])
    assert done.exit_code == 1
    assert "'beaver' names 7 noun synsets" in done.output
    assert "call the classes by wnids" in done.output
    wnids = listed_classes("ilsvrc2012")[:6]
    (tmp_path / "wnids.txt").write_text("\n".join(wnids))
    # the folder has lists of validation classes by their names
    _run("convert", "xlsa17", "own", "--wnids", "wnids.txt", "--out", "own-wnids")
    assert _trained("own-wnids", "sgc", []).keys() >= {"hit@1", "lca_height@1"}
    (tmp_path / "wnids.txt").write_text("\n".join(wnids[:5]))
    short = ["convert", "xlsa17", "own", "--wnids", "wnids.txt", "--out", "x"]
    assert "5 names do not fit the 6 classes" in CliRunner().invoke(main, short).output


def test_the_features_of_a_mobilenet(
    reference: Callable[[str], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One real image of each of 1,000 classes: 800 are seen, and nothing but features and two lists
    is given. By chance a model is right once in 200."""
    monkeypatch.chdir(tmp_path)
    features = reference("in1k_mobilenet_v1.npz")
    drawn = hide_classes(listed_classes("ilsvrc2012"), 0.2, 0)
    (tmp_path / "seen.txt").write_text("\n".join(drawn.train))
    (tmp_path / "unseen.txt").write_text("\n".join(drawn.hidden))
    command = ["convert", "samples", str(features), "--train", "seen.txt", "--test", "unseen.txt"]
    said = _run(*command, "--out", "mobilenet")
    assert "800 to train on, 0 of seen and 200 of unseen classes to test; 300 semantic" in said
    for model, options in (("sgc", []), ("sgcn", SMALL)):
        scores = _trained("mobilenet", model, options)
        assert scores["hit@5"] > 5 * 5 / 200, model
    _run("report", "runs", "--table", "table.md")
    rows = [line for line in (tmp_path / "table.md").read_text().splitlines() if "|" in line]
    assert len(rows) == 4
    assert any(row.startswith("| sgc ") for row in rows)

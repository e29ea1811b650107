"""Predictions of a head for features: against CLIP_benchmark's accuracy, read again by the reader
of predictions, with ties against the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner
from sklearn.metrics import balanced_accuracy_score

import graphzsl as gz
from graphzsl.audit import Predictions
from graphzsl.cli import main
from graphzsl.clip import (
    LabelReader,
    file_blocks,
    file_labels,
    load_head,
    predict_classes,
    save_features,
)
from graphzsl.clip.features import Block
from graphzsl.common import DataError, manifest
from graphzsl.data import CLASSIFIERS, ClassMatrix, load_samples
from graphzsl.data.class_matrix import with_column
from graphzsl.embeddings import read_class_head, write_class_head
from tests.clip.conftest import CLASSES


def _head(values: np.ndarray, names: list[str] | None = None, bias: float = 0.0) -> ClassMatrix:
    rows = with_column(values.astype(np.float32), bias)
    return ClassMatrix(names or [f"c{n}" for n in range(len(rows))], rows, {"kind": CLASSIFIERS})


def _problem(samples: int = 400, classes: int = 30, width: int = 8) -> tuple[np.ndarray, ...]:
    """(unit features, labels, unit head), which fit each other a little."""
    random = np.random.default_rng(0)
    head = random.normal(size=(classes, width))
    labels = random.integers(0, classes, samples)
    features = head[labels] + 1.5 * random.normal(size=(samples, width))
    return (
        (features / np.linalg.norm(features, axis=1, keepdims=True)).astype(np.float32),
        labels,
        (head / np.linalg.norm(head, axis=1, keepdims=True)).astype(np.float32),
    )


def _blocks(features: np.ndarray, labels: np.ndarray, size: int = 64) -> list[Block]:
    return [
        Block(
            features[start : start + size].astype(np.float32),
            [f"c{label}" for label in labels[start : start + size]],
            [f"{row}.jpg" for row in range(start, min(start + size, len(labels)))],
        )
        for start in range(0, len(labels), size)
    ]


def test_accuracies_are_those_of_all_scores(tmp_path: Path) -> None:
    ks = (1, 5, 10, 20)
    features, labels, head = _problem()
    found = predict_classes(_head(head), _blocks(features, labels), tmp_path / "p.parquet")
    scores = features @ head.T
    order = np.argsort(-scores, axis=1)
    expected = [float((order[:, :k] == labels[:, None]).any(axis=1).mean()) for k in ks]
    read = gz.read_predictions(tmp_path / "p.parquet", [f"c{n}" for n in range(30)])
    for predictions in (found, read):
        result = gz.evaluate(predictions, wordnet=None, rounds=20)
        assert [result[f"hit@{k}"].per_sample for k in ks] == pytest.approx(expected, abs=1e-9)
        recall = balanced_accuracy_score(labels, scores.argmax(axis=1))
        assert result["hit@1"].per_class == pytest.approx(recall)
    assert 0.2 < expected[0] < 0.9


def test_accuracies_are_clip_benchmarks(tmp_path: Path, clip_benchmark: Any) -> None:
    import torch

    features, labels, head = _problem()
    found = predict_classes(_head(head), _blocks(features, labels), tmp_path / "p.parquet")
    logits = 100.0 * torch.from_numpy(features) @ torch.from_numpy(head.T)
    expected = clip_benchmark.accuracy(logits, torch.from_numpy(labels), topk=(1, 5))
    result = gz.evaluate(found, wordnet=None, rounds=20)
    assert [result[f"hit@{k}"].per_sample for k in (1, 5)] == pytest.approx(expected, abs=1e-9)


def test_predictions_are_those_of_all_scores(tmp_path: Path) -> None:
    """Blocks, lists and ranks, with a bias, not normalised, and with training classes."""
    features, labels, head = _problem()
    names = [f"c{n}" for n in range(30)]
    bias = np.linspace(-1, 1, 30).astype(np.float32)
    classifiers = ClassMatrix(names, with_column(head, 0.0), {"kind": CLASSIFIERS})
    classifiers.values[:, -1] = bias
    for size, seen in ((7, []), (1000, names[3:9])):
        found = predict_classes(
            classifiers,
            _blocks(3 * features, labels, size),
            tmp_path / "p.parquet",
            seen=seen,
            normalize=False,
        )
        expected = Predictions.from_scores(3 * features @ head.T + bias, names, labels, seen=seen)
        assert found.candidates == expected.candidates
        assert found.rank.tolist() == expected.rank.tolist()
        assert found.top.tolist() == expected.top.tolist()
        if seen:
            assert found.sides is not None
            assert expected.sides is not None
            assert found.sides.margin == pytest.approx(expected.sides.margin, abs=1e-5)


def test_ties_count_against_the_model_in_the_file_too(tmp_path: Path) -> None:
    """Two classes of one name have equal columns: neither is right at the first place."""
    head = np.eye(4)[[0, 0, 1, 2]]
    features = np.eye(4)[[0, 0, 1]]
    labels = np.array([0, 1, 2])
    found = predict_classes(_head(head), _blocks(features, labels), tmp_path / "p.parquet")
    read = gz.read_predictions(tmp_path / "p.parquet", ["c0", "c1", "c2", "c3"])
    assert found.rank.tolist() == read.rank.tolist() == [2, 2, 1]
    assert gz.evaluate(found, wordnet=None)["hit@1"].expected == pytest.approx(2 / 3)
    rows = pq.read_table(tmp_path / "p.parquet").to_pylist()
    assert rows[0] == {
        "file": "0.jpg",
        "label": "c0",
        "predictions": ["c1", "c0", "c2", "c3"],
        "scores": [1.0, 1.0, 0.0, 0.0],
    }
    assert rows[1]["predictions"][:2] == ["c0", "c1"]


@pytest.mark.parametrize("top", [1, 5, 25])
def test_the_length_of_lists(tmp_path: Path, top: int) -> None:
    features, labels, head = _problem()
    predict_classes(_head(head), _blocks(features, labels), tmp_path / "p.parquet", top=top)
    lists = pq.read_table(tmp_path / "p.parquet")["predictions"].to_pylist()
    order = np.argsort(-(features @ head.T), axis=1, kind="stable")[:, :top]
    assert lists == [[f"c{column}" for column in row] for row in order]


def test_features_of_files(tmp_path: Path) -> None:
    """As `.npz`, as Parquet written here, and as Parquet of others."""
    features, labels, _ = _problem(10, 3)
    blocks = _blocks(features, labels, 4)
    for name in ("f.npz", "f.parquet"):
        assert save_features(iter(blocks), tmp_path / name) == (10, 8)
        manifest = json.loads((tmp_path / f"{name}.manifest.json").read_text())
        assert (manifest["images"], manifest["dimensions"]) == (10, 8)
    pq.write_table(
        pa.table({"wnid": [f"c{n}" for n in labels], "features": features.tolist()}),
        tmp_path / "own.parquet",
    )
    for name in ("f.npz", "f.parquet", "own.parquet"):
        found = list(file_blocks(tmp_path / name))
        assert np.concatenate([each.features for each in found]) == pytest.approx(features)
        assert [label for each in found for label in each.labels] == [f"c{n}" for n in labels]
        assert sorted(file_labels(tmp_path / name)) == ["c0", "c1", "c2"]
        assert load_samples(tmp_path / name).features == pytest.approx(features)
    assert next(file_blocks(tmp_path / "f.parquet")).names[0] == "0.jpg"
    assert next(file_blocks(tmp_path / "own.parquet")).names[0] == "sample 0"


@pytest.mark.parametrize("suffix", ["npz", "parquet"])
def test_labels_of_features_are_names(tmp_path: Path, suffix: str) -> None:
    """Both readers of a file refuse the same ones."""
    features, labels = np.eye(2, dtype=np.float32), ["n02084071", "n020\u202e84071"]
    path = tmp_path / f"f.{suffix}"
    if suffix == "npz":
        np.savez(path, features=features, labels=np.array(labels))
    else:
        pq.write_table(pa.table({"label": labels, "features": features.tolist()}), path)
    for read in (file_labels, load_samples):
        with pytest.raises(DataError, match=r"labels?: entry 1 .* U\+202E"):
            read(path)


def test_features_that_are_wrong(tmp_path: Path) -> None:
    features, _, _ = _problem(10, 3)
    rows = features.tolist()
    for values, said in (
        ([*rows[:9], rows[9][:3]], "lists of one length"),
        ([*rows[:9], [*rows[9][:7], float("nan")]], "the features of row 9 are not finite"),
        ([*rows[:9], None], "lists of numbers"),
        ([1.0] * 10, "lists of numbers"),
    ):
        pq.write_table(pa.table({"wnid": ["c0"] * 10, "features": values}), tmp_path / "f.parquet")
        with pytest.raises(DataError, match=said):
            list(file_blocks(tmp_path / "f.parquet"))
    (tmp_path / "f.parquet").write_bytes(b"no parquet")
    with pytest.raises(DataError, match="not a Parquet file"):
        file_labels(tmp_path / "f.parquet")
    with pytest.raises(DataError, match="does not exist"):
        list(file_blocks(tmp_path / "none.parquet"))
    pq.write_table(pa.table({"wnid": ["c0"]}), tmp_path / "f.parquet")
    with pytest.raises(DataError, match="expected the columns features and wnid"):
        list(file_blocks(tmp_path / "f.parquet"))
    with pytest.raises(DataError, match="There is no image"):
        save_features(iter([]), tmp_path / "g.parquet")
    assert not (tmp_path / "g.parquet").exists()


def test_features_without_a_direction_are_named(tmp_path: Path) -> None:
    features, labels, head = _problem(10, 3)
    features[7] = 0
    reader = LabelReader(["c0", "c1", "c2"], place="f.npz")
    for normalize in (True, False):
        with pytest.raises(DataError) as error:
            predict_classes(
                _head(head),
                _blocks(features, labels, 4),
                tmp_path / "p.parquet",
                labels=reader,
                normalize=normalize,
            )
        assert f"f.npz: the features of 7.jpg, of class c{labels[7]}, are all zeros" in str(
            error.value
        )
    assert list(tmp_path.iterdir()) == []


def test_heads_that_are_wrong(tmp_path: Path) -> None:
    """A column of zeros, and a matrix that stands on its side."""
    _, _, head = _problem(10, 3)
    head[1] = 0
    write_class_head(_head(head), tmp_path / "zero.npz")
    _head(head).save(tmp_path / "zero.safetensors")
    for name in ("zero.npz", "zero.safetensors"):
        with pytest.raises(
            DataError, match=rf"{name}: the column of c1 is all zeros \(1 of 3 clas"
        ):
            load_head(tmp_path / name)
    names = np.array([f"c{n}" for n in range(8)])
    _, _, square = _problem(10, 8)
    for values, classes in ((head + 1, names[:3]), (square, names)):
        np.savez(tmp_path / "turned.npz", classifier=values, classes=classes)
        with pytest.raises(DataError, match=r"one row per class; expected one column .* Transpose"):
            load_head(tmp_path / "turned.npz")
        np.savez(tmp_path / "upright.npz", classifier=values.T, classes=classes)
        assert load_head(tmp_path / "upright.npz").wnids == classes.tolist()
    wrong = square.T.copy()
    wrong[2, 3] = np.nan
    np.savez(tmp_path / "nan.npz", classifier=wrong, classes=names)
    with pytest.raises(DataError, match=r"nan\.npz: the matrix is not finite in row 2, column 3"):
        load_head(tmp_path / "nan.npz")


def test_what_does_not_fit_the_head(tmp_path: Path) -> None:
    features, labels, head = _problem(10, 3)
    out = tmp_path / "p.parquet"
    reader = LabelReader(["c0", "c1", "c2"], place="f.npz")
    wide = np.concatenate([features, features], axis=1)
    with pytest.raises(DataError, match=r"f\.npz: features have 16 dimensions; the head's columns"):
        predict_classes(_head(head), _blocks(wide, labels), out, labels=reader)
    with pytest.raises(DataError, match="there is no sample"):
        predict_classes(_head(head), [], out)
    with pytest.raises(DataError, match="missing is error or miss"):
        predict_classes(_head(head), _blocks(features, labels), out, missing="skip")
    stray = _blocks(features, labels)
    stray[0].labels[2] = "n00000009"
    with pytest.raises(DataError, match=r"2\.jpg is of class n00000009, which is none of the 3"):
        predict_classes(_head(head), stray, out)
    assert not out.exists()
    found = predict_classes(_head(head), stray, out, missing="miss")
    assert found.rank[2] == 4


def test_a_class_without_samples_is_said(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    features, labels, head = _problem(10, 3)
    predict_classes(_head(head), _blocks(features, labels * 0), tmp_path / "p.parquet")
    assert "No sample of 2 candidates of 3, e.g. c1" in capfd.readouterr().err


def test_predictions_from_the_command_line(tmp_path: Path) -> None:
    features, labels, head = _problem(60, 4)
    write_class_head(_head(head, CLASSES), tmp_path / "head.npz")
    numbers = np.array([str(label) for label in labels])
    np.savez(tmp_path / "f.npz", features=features, labels=numbers)

    def run(*arguments: str, code: int = 0) -> str:
        done = CliRunner().invoke(main, [*arguments])
        assert done.exit_code == code, done.output
        return done.output

    asked = ("clip", "predict", f"{tmp_path}/head.npz", "--features", f"{tmp_path}/f.npz")
    out = ("--out", f"{tmp_path}/p.parquet")
    assert "4 classes of f.npz read as class numbers" in run(*asked, *out)
    (tmp_path / "classes.txt").write_text("\n".join(CLASSES))
    candidates = ("--candidates", f"{tmp_path}/classes.txt")
    said = run("audit", f"{tmp_path}/p.parquet", *candidates, "--format", "jsonl")
    hit = next(json.loads(line) for line in said.splitlines() if '"hit@1"' in line)
    expected = float(((features @ head.T).argmax(axis=1) == labels).mean())
    assert hit["per_sample"] == pytest.approx(expected)
    (tmp_path / "names.txt").write_text("".join(f"{w}\tname {n}\n" for n, w in enumerate(CLASSES)))
    np.savez(tmp_path / "f.npz", features=features, labels=[f"Name_{n}" for n in labels])
    assert "read as names" in run(*asked, "--names", f"{tmp_path}/names.txt", *out)
    assert "unknown among the 4 classes" in run(*asked, *out, code=1)
    (tmp_path / "head.npy").write_bytes(b"")
    wrong = ("clip", "predict", f"{tmp_path}/head.npy", *asked[3:], *out)
    assert "must end in .npz or .safetensors" in run(*wrong, code=1)


def test_the_bias_of_a_head_is_kept(tmp_path: Path) -> None:
    rows = np.array([[1, 0, 5], [0, 1, -5]], np.float32)
    head = ClassMatrix(["a", "b"], rows, manifest(CLASSIFIERS, network="n"))
    write_class_head(head, tmp_path / "head.npz")
    assert read_class_head(tmp_path / "head.npz").values.tolist() == rows.tolist()
    bad = {"classifier": rows[:, :2].T, "classes": np.array(["a", "b"])}
    for bias in ([np.inf, 0], [1, 2, 3]):
        np.savez(tmp_path / "bad.npz", bias=bias, **bad)
        with pytest.raises(DataError, match="bias"):
            read_class_head(tmp_path / "bad.npz")

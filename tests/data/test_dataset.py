"""Data sets, class heads and samples in plain files, and the commands that convert to them."""

from __future__ import annotations

import json
import pickle
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import torch
from click.testing import CliRunner

from graphzsl.audit import read_predictions
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.data import CLASSIFIERS, ClassMatrix, Samples, Subgraph, ZeroShotDataset, load_samples
from graphzsl.data.dataset import with_parts
from graphzsl.embeddings import read_class_head, write_class_head
from tests.embeddings.formats.test_formats import _gbu


def test_class_heads_go_in_and_out(tmp_path: Path) -> None:
    """An open_clip class matrix: the scores of the head are those of features @ matrix."""
    random = np.random.default_rng(0)
    matrix, names = (
        random.normal(size=(6, 3)).astype(np.float32),
        ["tench", "great white shark", "hen"],
    )
    (tmp_path / "names.txt").write_text("\n".join(names))
    np.save(tmp_path / "m.npy", matrix)
    torch.save(torch.from_numpy(matrix), tmp_path / "m.pt")
    features = random.normal(size=(4, 6)).astype(np.float32)
    from graphzsl.models.base.zero_shot_model import ZeroShotModel

    for file in ("m.npy", "m.pt"):
        found = read_class_head(tmp_path / file, tmp_path / "names.txt")
        assert found.wnids == names
        assert ZeroShotModel(found).scores(features) == pytest.approx(features @ matrix, abs=1e-5)
    biased = ClassMatrix(
        names, random.normal(size=(3, 7)).astype(np.float32), {"kind": CLASSIFIERS}
    )
    write_class_head(biased, tmp_path / "out.npz")
    with np.load(tmp_path / "out.npz") as file:
        assert file["classifier"].shape == (6, 3)
        assert features @ file["classifier"] + file["bias"] == pytest.approx(
            ZeroShotModel(biased).scores(features), abs=1e-5
        )
        assert file["classes"].tolist() == names
    with pytest.raises(DataError, match="does not name its columns"):
        read_class_head(tmp_path / "m.npy")
    (tmp_path / "names.txt").write_text("a\nb\n")
    with pytest.raises(DataError, match="the matrix is 6 × 3; expected any × 2"):
        read_class_head(tmp_path / "m.npy", tmp_path / "names.txt")


def test_samples_as_parquet(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(
        pa.table({"features": [[1.0, 2.0], [3.0, 4.0]], "label": ["a", "b"]}),
        tmp_path / "x.parquet",
    )
    found = load_samples(tmp_path / "x.parquet")
    assert found.features.tolist() == [[1, 2], [3, 4]]
    assert found.labels == ["a", "b"]
    pq.write_table(
        pa.table({"features": [[1.0], [3.0, 4.0]], "label": ["a", "b"]}), tmp_path / "x.parquet"
    )
    with pytest.raises(DataError, match="features must be lists of one length"):
        load_samples(tmp_path / "x.parquet")
    pq.write_table(pa.table({"x": [1]}), tmp_path / "x.parquet")
    with pytest.raises(DataError, match="expected the columns features and wnid"):
        load_samples(tmp_path / "x.parquet")


@pytest.mark.parametrize("read", [load_samples, read_predictions])
def test_labels_are_counted_before_features_are_unpacked(
    read: Callable[[Path], Any], tmp_path: Path
) -> None:
    """Behind a right header the features are damaged, so whoever unpacks them says that: a small
    archive may hold gigabytes."""
    path = tmp_path / "x.npz"
    key = "features" if read is load_samples else "scores"
    values = np.random.default_rng(0).random((4000, 20), np.float32)
    for count in (3, 4000):
        np.savez_compressed(path, **{key: values, "labels": ["a"] * count})
        with zipfile.ZipFile(path) as archive:
            at = archive.getinfo(f"{key}.npy").compress_size - 100
        content = bytearray(path.read_bytes())
        content[at : at + 50] = bytes(50)
        path.write_bytes(content)
        said = (
            "is damaged" if count == 4000 else rf"3 labels do not fit {key} of shape \(4000, 20\)"
        )
        with pytest.raises(DataError, match=rf"x\.npz: .*{said}"):
            read(path)


@pytest.mark.parametrize(
    ("features", "labels", "centre", "said"),
    [
        ([1.0, 2.0], ["a", "b"], None, r"must be \[N, D\], a row for each sample; .*\(2,\)"),
        ([[1.0], [2.0]], ["a"], None, "1 labels do not fit .* give one for each row"),
        ([[1.0], [2.0]], ["a", "b"], [0.0, 1.0], r"A centre of shape \(2,\) does not fit"),
        ([[1.0], [2.0]], ["a", "b"], [np.nan], "The centre is not finite"),
        ([[1.0], [np.inf]], ["a", "b"], None, r"sample 1 \(b\) are not finite"),
    ],
)
def test_what_does_not_fit_is_said(
    features: list[float], labels: list[str], centre: list[float] | None, said: str
) -> None:
    with pytest.raises(DataError, match=said):
        Samples.from_arrays(features, labels, centre=centre)


def test_a_data_set_keeps_its_sides_apart(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    samples = Samples(
        random.normal(size=(30, 4)).astype(np.float32),
        [f"c{row % 3}" for row in range(30)],
        {"features": "made up"},
    )
    semantics = ClassMatrix(
        ["c0", "c1", "c2"], np.eye(3, dtype=np.float32), {"kind": "class embeddings"}
    )
    data = with_parts(samples, semantics, ["c0", "c1"], {"test": ["c2"]}, {})
    assert {
        part: int((data.parts == part).sum()) for part in ("train", "test_seen", "test_unseen")
    } == {
        "train": 16,
        "test_seen": 4,
        "test_unseen": 10,
    }
    with pytest.raises(DataError, match="c1 is both a training class and in test"):
        with_parts(samples, semantics, ["c0", "c1"], {"test": ["c1"]}, {})
    with pytest.raises(
        DataError, match=r"no class embedding for 1 class of 3: 'c9'\. The embeddings are of"
    ):
        with_parts(samples, semantics, ["c0", "c1"], {"test": ["c9"]}, {})
    with pytest.raises(DataError, match="has no test classes 'hops'"):
        data.test_samples("hops")
    data.save(tmp_path / "d")
    path = tmp_path / "d" / "manifest.json"
    said, whole = json.loads(path.read_text()), path.read_text()
    assert said["metadata"] == ZeroShotDataset.load(tmp_path / "d").metadata == data.metadata
    del said["metadata"]
    path.write_text(json.dumps(said))
    with pytest.raises(DataError, match=r"'metadata' is missing in this manifest\. Convert it"):
        ZeroShotDataset.load(tmp_path / "d")
    path.write_text(whole)
    (tmp_path / "d" / "samples.npz").write_bytes(b"damaged")
    with pytest.raises(DataError, match=r"samples\.npz is missing or is not the file"):
        ZeroShotDataset.load(tmp_path / "d")


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        (["0", "1", "2"], "No sample is to train on: .* labels are '0', '1', '2' .* 'n02129165'"),
        (
            ["dog", "wolf", "cat"],
            "1 training class has no sample to train on: 'n02129165'. Labels that are no class:"
            " 'cat'. ",
        ),
        (["n02114100"], "No sample is to train on: .* labels are 'n02114100' .* 'n02084071'"),
        (["n02084071"], "No sample is of an unseen class: .* 'n02084071' .* 'n02114100'"),
        ([], "No sample is to train on: there is none at all"),
    ],
)
def test_labels_that_are_no_classes_are_an_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, labels: list[str], said: str
) -> None:
    """From the command line and in Python; nothing is written."""
    train, test = ["n02084071", "n02129165"], ["n02114100"]
    rows = np.repeat(labels, 3) if labels else np.array([], dtype="U9")
    features = np.ones((len(rows), 2), np.float32)
    np.savez(tmp_path / "x.npz", features=features, labels=rows)
    vectors = ClassMatrix.from_rows({wnid: [1.0, 0.5] for wnid in [*train, *test]})
    vectors.save(tmp_path / "v.safetensors")
    (tmp_path / "train.txt").write_text("\n".join(train))
    (tmp_path / "test.txt").write_text("\n".join(test))
    command = ["convert", "samples", "x.npz", "--semantics", "v.safetensors"]
    command += ["--train", "train.txt", "--test", "test.txt", "--out", "data"]
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 1, done.output
    assert re.search(said, " ".join(done.output.split()))
    assert not (tmp_path / "data").exists()
    with pytest.raises(DataError, match=said):
        ZeroShotDataset.from_arrays(features, rows, vectors, seen=train, unseen=test)


def test_a_data_set_without_a_training_class_is_an_error() -> None:
    with pytest.raises(DataError, match="train on: the list of training classes is empty"):
        ZeroShotDataset.from_arrays([[0.0]], ["a"], {"a": [1.0]}, seen=[], unseen=["a"])


def test_test_samples_are_of_seen_and_of_unseen_classes() -> None:
    data = ZeroShotDataset.from_arrays(
        [[0.0, 1.0]] * 4,
        ["a", "a", "b", "b"],
        {name: [1.0] for name in "abc"},
        seen=["a"],
        unseen=["b", "c"],
        held_out=0,
    )
    assert data.test_samples().labels == ["b", "b"]
    with pytest.raises(DataError, match="no samples in part test_seen, which the generalized"):
        data.test_samples(generalized=True)
    with pytest.raises(DataError, match="No test sample is of an unseen class: none is of 'c'"):
        data.test_samples(["c"])


def test_graphs_and_stores_from_the_command_line(tmp_path: Path) -> None:
    def run(*arguments: str) -> str:
        done = CliRunner().invoke(main, ["convert", *arguments])
        assert done.exit_code == 0, done.output
        return done.output

    (tmp_path / "g.json").write_text(
        json.dumps(
            {"wnids": ["n00000001", "n00000002"], "vectors": [[1.0], [0]], "edges": [[1, 0]]}
        )
    )
    (tmp_path / "s.json").write_text(json.dumps({"train": ["n00000001"], "test": ["n00000002"]}))
    said = run(
        "published",
        "dgp",
        f"{tmp_path}/g.json",
        "--splits",
        f"{tmp_path}/s.json",
        "--vectors-out",
        f"{tmp_path}/e.safetensors",
        "--out",
        f"{tmp_path}/dgp",
    )
    assert "1 nodes have no vector" in said
    assert Subgraph.load(tmp_path / "dgp").class_sets == {
        "train": ["n00000001"],
        "test": ["n00000002"],
    }
    (tmp_path / "g.pkl").write_bytes(pickle.dumps({0: [1]}, 0))
    (tmp_path / "n.json").write_text(json.dumps({"0": "fall11", "1": "n00000001"}))
    (tmp_path / "c.json").write_text(json.dumps([[-1, 0], [0, 1]]))
    run(
        "published",
        "gcnz",
        f"{tmp_path}/g.pkl",
        "--nodes",
        f"{tmp_path}/n.json",
        "--classes",
        f"{tmp_path}/c.json",
        "--out",
        f"{tmp_path}/gcnz",
    )
    assert Subgraph.load(tmp_path / "gcnz").classes("unseen") == ["n00000001"]
    with h5py.File(tmp_path / "x.h5", "w") as file:
        file["images/n00000001"] = np.ones((3, 2), np.float32)
    (tmp_path / "list.pkl").write_bytes(pickle.dumps(["n00000001"], 3))
    run(
        "published",
        "goz",
        f"{tmp_path}/x.h5",
        "--classes",
        f"{tmp_path}/list.pkl",
        "--per-class",
        "2",
        "--out",
        f"{tmp_path}/x.npz",
    )
    assert load_samples(tmp_path / "x.npz").labels == ["n00000001"] * 2
    torch.save({"wnids": ["n00000001"], "pred": torch.ones(1, 3)}, tmp_path / "p.pred")
    assert "1 classifiers of 2 weights" in run(
        "published", "dgp-classifiers", f"{tmp_path}/p.pred", "--out", f"{tmp_path}/p.safetensors"
    )
    features, vectors, splits = _gbu(tmp_path)
    said = run(
        "published",
        "gbu-imagenet",
        str(features),
        "--vectors",
        str(vectors),
        "--splits",
        str(splits),
        "--out",
        f"{tmp_path}/gbu",
    )
    assert "4 training classes, unseen: hops2 2, all 2" in said
    ClassMatrix(["a", "b"], np.eye(2, dtype=np.float32), {"kind": "class embeddings"}).save(
        tmp_path / "ab.safetensors"
    )
    np.savez(tmp_path / "ab.npz", features=np.ones((4, 2)), labels=np.array(["a", "a", "b", "b"]))
    (tmp_path / "a.txt").write_text("a\n")
    (tmp_path / "b.txt").write_text("b\n")
    said = run(
        "samples",
        f"{tmp_path}/ab.npz",
        "--semantics",
        f"{tmp_path}/ab.safetensors",
        "--train",
        f"{tmp_path}/a.txt",
        "--test",
        f"{tmp_path}/b.txt",
        "--held-out",
        "0.5",
        "--out",
        f"{tmp_path}/ab",
    )
    assert "1 to train on, 1 of seen and 2 of unseen" in said

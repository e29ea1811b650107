"""Readers of published formats on files written here in those formats; damaged ones are refused by
file, key and expectation."""

from __future__ import annotations

import json
import pickle
from collections import OrderedDict
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
import torch
from click.testing import CliRunner
from scipy.io import loadmat, savemat

from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.common.reading.pickle_files import read_plain_pickle
from graphzsl.data import Subgraph, ZeroShotDataset, save_subgraph
from graphzsl.embeddings import (
    read_dgp_classifiers,
    read_dgp_graph,
    read_dgp_split,
    read_gbu_imagenet,
    read_gcnz_graph,
    read_gcnz_unseen,
    read_goz,
    read_goz_classes,
    read_xlsa17,
)
from graphzsl.models import Task, training
from tests.schemas import fits

NAMES = ["antelope", "grizzly+bear", "killer+whale", "beaver", "dalmatian", "persian+cat"]


def _v73(path: Path, values: dict[str, Any]) -> None:
    """A MATLAB 7.3 file: HDF5 behind a 512-byte header, arrays transposed, cells as references to
    UTF-16 texts."""
    with h5py.File(path, "w", userblock_size=512) as file:
        for name, value in values.items():
            if isinstance(value, np.ndarray) and value.dtype == object:
                cells = file.create_dataset(name, (1, value.size), dtype=h5py.ref_dtype)
                for row, text in enumerate(value.ravel()):
                    codes = np.array([[ord(letter)] for letter in text], dtype=np.uint16)
                    cells[0, row] = file.create_dataset(f"#refs#/{name}{row}", data=codes).ref
            else:
                file.create_dataset(name, data=np.asarray(value).T)
    content = path.read_bytes()
    path.write_bytes(b"MATLAB 7.3 MAT-file, Platform: GLNXA64".ljust(512, b" ") + content[512:])


def _xlsa17(
    folder: Path, write: Any, change: dict[str, Any] | None = None, lists: bool = True
) -> Path:
    """6 classes, 10 samples each; the first 4 are seen, with 2 samples of each held out; class 4
    validates."""
    random = np.random.default_rng(0)
    labels = np.repeat(np.arange(1, 7), 10)[:, None]
    numbers = np.arange(1, 61)
    held = numbers[(numbers <= 40) & (numbers % 5 == 0)]
    original = np.abs(random.normal(size=(5, 6))) * 100
    original[0, 1] = -1
    features = random.normal(size=(8, 60)) + np.repeat(random.normal(size=(8, 6)) * 2, 10, axis=1)
    images = {"features": features, "labels": labels.astype(float)}
    splits = {
        "att": original / np.linalg.norm(original, axis=0),
        "original_att": original,
        "allclasses_names": np.array(NAMES, dtype=object)[:, None],
        "trainval_loc": np.setdiff1d(numbers[:40], held)[:, None],
        "test_seen_loc": held[:, None],
        "test_unseen_loc": numbers[40:, None],
        "val_loc": numbers[30:40, None],
        "train_loc": numbers[:30, None],
    }
    folder.mkdir(parents=True, exist_ok=True)
    for name, value in (change or {}).items():
        target = images if name in images else splits
        if value is None:
            target.pop(name)
        else:
            target[name] = value
    write(folder / "res101.mat", images)
    write(folder / "att_splits.mat", splits)
    if lists:
        (folder / "valclasses1.txt").write_text("beaver\n")
        (folder / "valclasses2.txt").write_text("antelope\nkiller+whale\n")
    return folder


@pytest.mark.parametrize("write", [savemat, _v73], ids=["v5", "v7.3"])
def test_xlsa17(tmp_path: Path, write: Any) -> None:
    data = read_xlsa17(_xlsa17(tmp_path / "AWA", write))
    assert data.train == NAMES[:4]
    assert data.tests == {"test": NAMES[4:]}
    assert data.semantics.wnids == NAMES
    assert np.linalg.norm(data.semantics.values, axis=1) == pytest.approx(1, abs=1e-5)
    assert data.semantics.metadata["unknown_entries"] == 1
    fits(data.semantics.metadata, "class embeddings")
    assert {
        part: int((data.parts == part).sum()) for part in ("train", "test_seen", "test_unseen")
    } == {
        "train": 32,
        "test_seen": 8,
        "test_unseen": 20,
    }
    assert data.validation == [["beaver"], ["antelope", "killer+whale"]]
    assert data.part("test_seen").labels == [name for name in NAMES[:4] for _ in range(2)]
    for held_train, held in data.folds():
        assert sorted([*held_train, *held]) == sorted(NAMES[:4])
    data.save(tmp_path / "plain")
    again = ZeroShotDataset.load(tmp_path / "plain")
    assert np.array_equal(again.samples.features, data.samples.features)
    assert np.array_equal(again.parts, data.parts)
    assert (again.train, again.tests, again.validation) == (data.train, data.tests, data.validation)
    model, manifest = training.train(
        "eszsl", Task.from_dataset(again, generalized=True), folds=again.folds()
    )
    assert model.wnids == NAMES
    assert manifest["validation"]["splits"] == 2
    assert len(again.test_samples(generalized=True).labels) == 28
    assert set(again.test_samples().labels) == set(NAMES[4:])


def test_xlsa17_without_validation_files(tmp_path: Path) -> None:
    """val_loc gives the classes, but no sample: it contains test_seen samples."""
    data = read_xlsa17(_xlsa17(tmp_path / "A", _v73, lists=False))
    assert data.validation == [["beaver"]]
    later = read_xlsa17(
        _xlsa17(tmp_path / "B", _v73, {"val_loc": None, "train_loc": None}, lists=False)
    )
    assert later.validation == []
    assert (later.parts == "train").sum() == 32


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"features": np.full((8, 60), np.nan)},
            r"res101\.mat: features is not finite in row 0, column 0",
        ),
        (
            {"labels": np.full((60, 1), 7.0)},
            r"labels holds 7\.0 at position 1; expected class numbers from 1 to 6",
        ),
        ({"labels": np.full((60, 1), 0.0)}, "expected class numbers from 1 to 6"),
        ({"labels": np.full((60, 1), 1.5)}, r"labels holds 1\.5"),
        ({"labels": np.ones((59, 1))}, "59 labels do not fit 60 columns of features"),
        ({"att": np.ones((5, 7))}, "6 allclasses_names do not fit 7 columns of att"),
        (
            {"trainval_loc": np.array([[61]])},
            (
                r"att_splits\.mat: trainval_loc holds 61 at position 1; expected sample numbers"
                r" from 1 to 60"
            ),
        ),
        (
            {"test_seen_loc": np.array([[1]])},
            "test_seen_loc holds a sample that another part or it itself holds",
        ),
        ({"test_unseen_loc": np.array([[40]])}, "test_unseen_loc holds a sample that another part"),
        (
            {"trainval_loc": None},
            (
                r"att_splits\.mat: trainval_loc is missing; expected 1-based sample numbers\. The"
                r" file has"
            ),
        ),
        ({"features": None}, r"res101\.mat: features is missing"),
        (
            {"allclasses_names": np.array(["a"] * 6, dtype=object)[:, None]},
            "allclasses_names, class 1: a is there twice: class 0",
        ),
    ],
)
def test_bad_xlsa17_is_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    """In v7.3 files, which need no process of their own to be read."""
    with pytest.raises(DataError, match=message):
        read_xlsa17(_xlsa17(tmp_path / "AWA", _v73, change))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            {"features": np.full((8, 60), np.nan)},
            r"res101\.mat: features is not finite in row 0, column 0",
        ),
        (
            {"trainval_loc": None},
            (
                r"att_splits\.mat: trainval_loc is missing; expected 1-based sample numbers\. The"
                r" file has"
            ),
        ),
        (
            {"allclasses_names": np.array(["a"] * 6, dtype=object)[:, None]},
            "allclasses_names, class 1: a is there twice: class 0",
        ),
    ],
)
def test_bad_values_of_v5_are_named(tmp_path: Path, change: dict[str, Any], message: str) -> None:
    """A number, a key and a text of those that the reader of v5 hands over."""
    with pytest.raises(DataError, match=message):
        read_xlsa17(_xlsa17(tmp_path / "AWA", savemat, change))


def test_files_that_are_no_matlab_files(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"has no res101\.mat and no att_splits\.mat"):
        read_xlsa17(tmp_path)
    for name in ("res101.mat", "att_splits.mat"):
        (tmp_path / name).write_bytes(b"not a MATLAB file at all" * 20)
    with pytest.raises(DataError, match="not a MATLAB file"):
        read_xlsa17(tmp_path)


def _gbu(folder: Path) -> tuple[Path, Path, Path]:
    random = np.random.default_rng(0)
    wnids = np.array([f"n{number:08d}" for number in range(1, 8)], dtype=object)[:, None]
    vectors = random.normal(size=(4, 7))
    vectors[:, 6] = 0
    savemat(folder / "w2v.mat", {"w2v": vectors, "wnids": wnids})
    _v73(folder / "splits.mat", {"hops2": np.array([[5, 6]]), "all": np.array([[5], [6], [7]])})
    with h5py.File(folder / "res.h5", "w") as file:
        file["features"], file["labels"] = random.normal(size=(14, 3)), np.tile(np.arange(1, 8), 2)
        file["features_val"], file["labels_val"] = random.normal(size=(4, 3)), np.arange(1, 5)
    return folder / "res.h5", folder / "w2v.mat", folder / "splits.mat"


def _check_given_wnids(folder: Path, features: Path, splits: Path, train: list[str]) -> None:
    """Vectors without wnids, which a table, JSON and names of synsets say."""
    vectors, listed = folder / "alone.mat", folder / "classes"
    savemat(vectors, {"w2v": loadmat(folder / "w2v.mat")["w2v"]})
    own = [f"n{number:08d}" for number in range(1, 8)]
    for text, expected in (
        (json.dumps(own), train),
        ("place,wnid\n" + "".join(f"{at},{wnid}\n" for at, wnid in enumerate(own)), train),
        ("\n".join(["dog.n.01", *own[1:]]), ["n02084071", *train[1:]]),
    ):
        listed.write_text(text)
        out = folder / "given"
        arguments = ("--vectors", vectors, "--splits", splits, "--wnids", listed, "--out", out)
        done = CliRunner().invoke(
            main, ["convert", "published", "gbu-imagenet", *map(str, (features, *arguments))]
        )
        assert done.exit_code == 0, done.output
        assert ZeroShotDataset.load(out).train == expected


def test_gbu_imagenet(tmp_path: Path) -> None:
    features, vectors, splits = _gbu(tmp_path)
    data = read_gbu_imagenet(features, vectors, splits)
    assert data.train == [f"n{number:08d}" for number in range(1, 5)]
    assert data.tests == {"hops2": ["n00000005", "n00000006"], "all": ["n00000005", "n00000006"]}
    assert "n00000007" not in data.semantics.wnids, "no vector: no class, and no silent zero row"
    assert data.metadata["without_vector"] == 1
    assert {
        part: int((data.parts == part).sum()) for part in ("train", "test_seen", "test_unseen", "")
    } == {
        "train": 8,
        "test_seen": 4,
        "test_unseen": 4,
        "": 2,
    }
    _check_given_wnids(tmp_path, features, splits, data.train)
    with h5py.File(features, "a") as file:
        file["labels"][0] = 9
    with pytest.raises(
        DataError,
        match=r"res\.h5: labels holds 9 at position 1; expected class numbers from 1 to 7",
    ):
        read_gbu_imagenet(features, vectors, splits)
    with h5py.File(features, "a") as file:
        file["labels"][0] = 1
    _v73(splits, {"other": np.ones((1, 1))})
    with pytest.raises(DataError, match="none of hops2"):
        read_gbu_imagenet(features, vectors, splits)


def test_goz(tmp_path: Path) -> None:
    store = tmp_path / "train.h5"
    with h5py.File(store, "w") as file:
        for row, wnid in enumerate(["n02084071", "n02121620"]):
            file[f"images/{wnid}"] = np.full((4, 3), row, np.float32)
            file[f"idx/{wnid}"] = np.arange(4)
    samples = read_goz(store, per_class=3)
    assert samples.labels == ["n02084071"] * 3 + ["n02121620"] * 3
    assert samples.features[-1].tolist() == [1, 1, 1]
    assert read_goz(store, ["n02121620"]).labels == ["n02121620"] * 4
    with pytest.raises(DataError, match="there is no /images/n00000001"):
        read_goz(store, ["n00000001"])
    with h5py.File(store, "a") as file:
        del file["idx/n02084071"]
        file["idx/n02084071"] = np.arange(2)
    with pytest.raises(DataError, match=r"/idx/n02084071 has the shape \[2\] for 4 images"):
        read_goz(store)
    for protocol in range(6):
        (tmp_path / "classes").write_bytes(pickle.dumps(["n02084071", "n02121620"], protocol))
        assert read_goz_classes(tmp_path / "classes") == ["n02084071", "n02121620"]


def test_dgp(tmp_path: Path) -> None:
    graph = {
        "wnids": ["n00000001", "n00000002", "n00000003"],
        "vectors": [[1.0, 0], [0, 0], [0, 2]],
        "edges": [[1, 0], [2, 1]],
    }
    path = tmp_path / "imagenet-induced-graph.json"
    path.write_text(json.dumps(graph))
    subgraph, vectors, missing = read_dgp_graph(path)
    assert missing == ["n00000002"]
    assert vectors.wnids == ["n00000001", "n00000003"]
    assert subgraph.edge_index.tolist() == [[1, 2], [0, 1]]
    save_subgraph(subgraph, tmp_path / "graph")
    assert Subgraph.load(tmp_path / "graph").edge_index.tolist() == [[1, 2], [0, 1]]
    for change, message in (
        ({"edges": [[0, 3]]}, "edges must be pairs of positions from 0 to 2"),
        ({"vectors": [[1.0], [2.0]]}, "vectors is 2 × 1; expected 3 × any"),
        ({"vectors": [[1.0], [2.0, 3.0], [1.0]]}, "vectors are not all of one length"),
        ({"wnids": ["a", "a", "b"]}, "wnids, class 1: a is there twice: class 0 and class 1"),
    ):
        path.write_text(json.dumps({**graph, **change}))
        with pytest.raises(DataError, match=message):
            read_dgp_graph(path)
    split = tmp_path / "imagenet-split.json"
    split.write_text(json.dumps({"train": ["a"], "test": ["b", "c"]}))
    assert read_dgp_split(split) == {"train": ["a"], "test": ["b", "c"]}
    split.write_text(json.dumps({"train": ["a"], "test": ["a"]}))
    with pytest.raises(DataError, match="a is in train and in test"):
        read_dgp_split(split)
    torch.save({"wnids": ["n00000001", "n00000002"], "pred": torch.eye(2)}, tmp_path / "x.pred")
    assert read_dgp_classifiers(tmp_path / "x.pred").rows(["n00000002"]).tolist() == [[0, 1]]
    torch.save(torch.nn.Linear(2, 2), tmp_path / "x.pred")
    with pytest.raises(DataError, match="not a file of tensors and lists alone"):
        read_dgp_classifiers(tmp_path / "x.pred")


def test_gcnz(tmp_path: Path) -> None:
    graph, nodes, unseen = (
        tmp_path / "imagenet_graph.pkl",
        tmp_path / "invdict_wordn.json",
        tmp_path / "corresp-2-hops.json",
    )
    graph.write_bytes(pickle.dumps({0: [1, 1, 2], 1: [0], 2: [0], 3: []}, 0))
    nodes.write_text(
        json.dumps({"0": "fall11", "1": "n00000001", "2": "n00000002", "3": "n00000003"})
    )
    unseen.write_text(json.dumps([[-1, 0], [1, 0], [0, 0], [2, 1]]))
    found = read_gcnz_graph(graph, nodes)
    assert found.edge_index.T.tolist() == [[1, 0], [2, 0]], "an edge counts once"
    assert read_gcnz_unseen(unseen, found.wnids) == (["n00000002", "n00000001"], ["n00000003"])
    words = tmp_path / "invdict_wordntext.json"
    words.write_text(json.dumps({"0": "a", "1": "b\0", "2": "c", "3": "d"}))
    with pytest.raises(DataError, match=r"wordntext\.json: the text of node 1 .*U\+0000"):
        read_gcnz_graph(graph, nodes, words)
    graph.write_bytes(pickle.dumps({0: [4]}, 0))
    with pytest.raises(DataError, match=r"the edge 0 - 4 leaves the 4 nodes"):
        read_gcnz_graph(graph, nodes)
    graph.write_bytes(pickle.dumps([1, 2], 2))
    with pytest.raises(DataError, match="expected a dictionary of node number"):
        read_gcnz_graph(graph, nodes)
    unseen.write_text(json.dumps([[0, 5]] * 4))
    with pytest.raises(DataError, match=r"node 0 is \[0, 5\]"):
        read_gcnz_unseen(unseen, found.wnids)


def test_gcnz_lists_as_they_are_published(tmp_path: Path) -> None:
    """In the order of the nodes; two nodes are called crane, whatever their file is called."""
    (tmp_path / "g.pkl").write_bytes(pickle.dumps({0: [1, 2], 1: [0], 2: [0]}, 2))
    (tmp_path / "nodes.json").write_text('["fall11", "n02012849", "n03126707"]')
    (tmp_path / "texts.json").write_text('["ImageNet", "crane", "crane"]')
    found = read_gcnz_graph(*(tmp_path / name for name in ("g.pkl", "nodes.json", "texts.json")))
    assert found.wnids == ["fall11", "n02012849", "n03126707"]
    assert found.names == ["ImageNet", "crane", "crane"]
    assert found.edge_index.T.tolist() == [[1, 0], [2, 0]]
    (tmp_path / "nodes.json").write_text('["fall11", "n02012849", "n02012849"]')
    with pytest.raises(DataError, match="n02012849"):
        read_gcnz_graph(tmp_path / "g.pkl", tmp_path / "nodes.json")


class Trap:
    """Unpickling it would write a file."""

    def __init__(self, path: Path):
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return (open, (str(self.path), "w"))


def test_plain_pickles_are_parsed_and_others_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.pkl"
    values: list[Any] = [
        {1: [2, 3], "a": (1, 2.5, None, True)},
        ["é", b"x", -5, 2**70],
        [],
        {},
        (),
        {1, 2},
        [[1, 2], [1, 2]],
        list(range(3000)),
        {number: [number] for number in range(2000)},
    ]
    shared = [1]
    values.append([shared, shared])
    for value in values:
        for protocol in range(6):
            path.write_bytes(pickle.dumps(value, protocol))
            if (protocol < 4 and isinstance(value, set)) or (
                protocol < 3 and b"x" in (value if isinstance(value, list) else [])
            ):
                with pytest.raises(DataError, match="more than plain data"):
                    read_plain_pickle(path)
            else:
                assert read_plain_pickle(path) == value
    for trap in (
        Trap(tmp_path / "boom"),
        OrderedDict(a=1),
        np.float32(1),
        [Trap(tmp_path / "boom")],
    ):
        for protocol in range(6):
            path.write_bytes(pickle.dumps(trap, protocol))
            with pytest.raises(DataError, match="the pickle holds more than plain data"):
                read_plain_pickle(path)
    assert not (tmp_path / "boom").exists()
    path.write_bytes(pickle.dumps([1, 2, 3], 2)[:-3])
    with pytest.raises(DataError, match=r"plain data|early"):
        read_plain_pickle(path)
    path.write_bytes(b"\x80\x04hello")
    with pytest.raises(DataError, match=r"x\.pkl"):
        read_plain_pickle(path)


@pytest.mark.parametrize("number", ["²", "01", "-1", "9" * 5_000])
def test_gcnz_numbers_of_nodes_are_whole_numbers(tmp_path: Path, number: str) -> None:
    """``"²".isdigit()`` is true, and no number for ``int``."""
    (tmp_path / "nodes.json").write_text(json.dumps({"0": "n02084071", number: "n02121620"}))
    (tmp_path / "g.pkl").write_bytes(pickle.dumps({0: [1]}))
    with pytest.raises(DataError, match=r"nodes\.json: expected a text for each node"):
        read_gcnz_graph(tmp_path / "g.pkl", tmp_path / "nodes.json", None)

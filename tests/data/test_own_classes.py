"""Own samples in every form make one data set; what does not fit is named with the way out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.data import load_samples

SYNSETS = ["dog.n.01", "wolf.n.01", "fox.n.01"]
WNIDS = ["n02084071", "n02114100", "n02118333"]
WORDS = ["dog", "wolf", "fox"]
#: [N, D] two samples of each class, in the order of the classes.
FEATURES = np.arange(12, dtype=np.float32).reshape(6, 2)
POSITIONS = np.repeat(np.arange(3), 2)
VECTORS = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=np.float32)
NAMED = dict(zip(WNIDS, VECTORS, strict=True))
SEEN, UNSEEN = WNIDS[:2], WNIDS[2:]


def _named(names: list[str]) -> list[str]:
    return [names[each] for each in POSITIONS]


def _is_the_data_set(data: gz.ZeroShotDataset) -> None:
    assert np.array_equal(data.samples.features, FEATURES)
    assert data.samples.labels == _named(WNIDS)
    assert (data.train, data.tests) == (SEEN, {"test": UNSEEN})
    assert np.array_equal(data.semantics.rows(WNIDS), VECTORS)


def _write(path: Path, features: Any = FEATURES, labels: Any = None) -> Path:
    """Features, and labels where they are given, as a file of the kind of its suffix."""
    if path.suffix == ".npy":
        np.save(path, features)
    elif path.suffix == ".npz":
        np.savez(path, features=features, **({} if labels is None else {"labels": labels}))
    elif path.suffix == ".parquet":
        columns = pa.table({f"f{at}": features[:, at] for at in range(features.shape[1])})
        pq.write_table(columns.append_column("label", pa.array(labels)), path)
    elif labels is None:
        torch.save(torch.from_numpy(features), path)
    else:
        kept = torch.from_numpy(labels) if isinstance(labels, np.ndarray) else labels
        torch.save({"features": torch.from_numpy(features), "labels": kept}, path)
    return path


@pytest.mark.parametrize("labels", [_named(WNIDS), _named(SYNSETS), _named(WORDS), POSITIONS])
@pytest.mark.parametrize("suffix", [".npz", ".pt", ".parquet", "array", "tensor", "frame"])
def test_every_form_is_one_data_set(tmp_path: Path, suffix: str, labels: Any) -> None:
    """Features with labels in one file, arrays, tensors and frames; labels are wnids, names, words
    or positions; vectors an array with the names of its rows. Columns go by their numbers."""
    more: dict[str, Any] = {"classes": SYNSETS, "seen": SEEN, "unseen": ["fox"]}
    if suffix == "frame":
        for library in (pd.DataFrame, pa.table):
            frame = library({"f1": FEATURES[:, 1], "label": labels, "f0": FEATURES[:, 0]})
            _is_the_data_set(gz.ZeroShotDataset.from_frame(frame, VECTORS, **more))
        return
    if suffix in ("array", "tensor"):
        features = FEATURES if suffix == "array" else torch.from_numpy(FEATURES)
        if suffix == "tensor" and isinstance(labels, np.ndarray):
            labels = torch.from_numpy(labels)
        _is_the_data_set(gz.ZeroShotDataset.from_arrays(features, labels, VECTORS, **more))
        return
    path = _write(tmp_path / f"x{suffix}", labels=labels)
    _is_the_data_set(gz.ZeroShotDataset.from_arrays(path, None, VECTORS, **more))


@pytest.mark.parametrize("suffix", [".npy", ".pt", ".npz"])
@pytest.mark.parametrize("labels", [".npy", ".pt", ".txt"])
def test_labels_of_their_own_file(tmp_path: Path, suffix: str, labels: str) -> None:
    """The command line and Python read the same from it; the manifest names both files."""
    features, own = _write(tmp_path / f"x{suffix}"), tmp_path / f"y{labels}"
    if labels == ".npy":
        np.save(own, POSITIONS)
    elif labels == ".pt":
        torch.save(torch.from_numpy(POSITIONS), own)
    else:
        own.write_text("\n".join(_named(WORDS)))
    (tmp_path / "classes.txt").write_text("\n".join(SYNSETS))
    (tmp_path / "seen.txt").write_text("\n".join(SEEN))
    (tmp_path / "unseen.txt").write_text("fox\n")
    np.save(tmp_path / "v.npy", VECTORS)
    files = {name: str(tmp_path / f"{name}.txt") for name in ("classes", "seen", "unseen")}
    made = gz.ZeroShotDataset.from_arrays(features, own, tmp_path / "v.npy", **files)
    _is_the_data_set(made)
    command = ["convert", "samples", str(features), "--labels", str(own)]
    command += ["--classes", files["classes"], "--semantics", str(tmp_path / "v.npy")]
    command += ["--train", files["seen"], "--test", files["unseen"]]
    done = CliRunner().invoke(main, [*command, "--out", str(tmp_path / "data")])
    assert done.exit_code == 0, done.output
    data = gz.ZeroShotDataset.load(tmp_path / "data")
    _is_the_data_set(data)
    assert data.metadata["features"] == features.name
    assert data.metadata["labels"]["file"] == own.name
    if labels == ".txt":
        assert "classes: 3 words are read, " in done.output


def test_vectors_of_words(tmp_path: Path) -> None:
    """Rows of a GloVe text: by the class's own text, by the words of its synset, by its name."""
    text = (
        "dog 1 0 0\ndomestic_dog 3 0 0\nwolf 0 1 0\nn02118333 0 0 1\npolar_bear 5 5 5\nlonely 9 9 9"
    )
    (tmp_path / "glove.txt").write_text(text)
    given = [*_named(WNIDS), "polar+bear"]
    data = gz.ZeroShotDataset.from_arrays(
        np.concatenate([FEATURES, [[1, 1]]]),
        given,
        tmp_path / "glove.txt",
        seen=SEEN,
        unseen=[*UNSEEN, "polar+bear"],
        held_out=0,
    )
    assert data.semantics.rows([*WNIDS, "polar+bear"]).tolist() == [
        [2, 0, 0],
        [0, 1, 0],
        [0, 0, 1],
        [5, 5, 5],
    ]
    assert data.semantics.metadata["semantics"] == "word vectors"
    with pytest.raises(DataError, match=r"no vector for 1 class of 3: 'n02121620'\. Call them"):
        gz.ZeroShotDataset.from_arrays(
            FEATURES, given[:6], tmp_path / "glove.txt", seen=SEEN, unseen=["n02121620"]
        )


def test_glosses_take_the_place_of_vectors(tmp_path: Path) -> None:
    """The vectors of `semantics lsi` on the graph of the classes and their ancestors, all of which
    have one."""
    from graphzsl.embeddings import embed_glosses, wordnet_subgraph

    np.savez(tmp_path / "x.npz", features=FEATURES, labels=_named(WNIDS))
    (tmp_path / "seen.txt").write_text("\n".join(SEEN))
    (tmp_path / "unseen.txt").write_text("\n".join(UNSEEN))
    command = ["convert", "samples", str(tmp_path / "x.npz"), "--train", str(tmp_path / "seen.txt")]
    command += ["--test", str(tmp_path / "unseen.txt"), "--out", str(tmp_path / "data")]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 0, done.output
    found = gz.ZeroShotDataset.load(tmp_path / "data").semantics
    graph = wordnet_subgraph(WNIDS)
    width = found.values.shape[1]
    assert 1 < width < len(graph.wnids)
    expected, missing = embed_glosses(graph, width)
    assert not missing
    assert found.wnids == expected.wnids == graph.wnids
    # singular vectors have no sign
    assert np.abs(found.values) == pytest.approx(np.abs(expected.values), abs=1e-5)


def test_a_class_in_both_lists_is_named_with_them(tmp_path: Path) -> None:
    np.savez(tmp_path / "x.npz", features=FEATURES, labels=_named(WNIDS))
    (tmp_path / "seen.txt").write_text("dog.n.01\ncat.n.01\nn02374451\n")
    (tmp_path / "unseen.txt").write_text("n02084071\nn02374451\n")
    command = ["convert", "samples", str(tmp_path / "x.npz"), "--train", str(tmp_path / "seen.txt")]
    command += ["--test", str(tmp_path / "unseen.txt"), "--out", str(tmp_path / "data")]
    done = CliRunner().invoke(main, command)
    assert done.exit_code == 1
    classes = "'n02084071 (dog.n.01)', 'n02374451'"
    assert f"2 duplicate classes in seen.txt and unseen.txt: {classes}. A class is" in done.stderr


def _error(**change: Any) -> str:
    given: dict[str, Any] = {
        "features": FEATURES,
        "labels": POSITIONS,
        "class_embeddings": VECTORS,
        "classes": WNIDS,
        "seen": SEEN,
        "unseen": UNSEEN,
    }
    with pytest.raises(DataError) as caught:
        gz.ZeroShotDataset.from_arrays(**{**given, **change})
    return str(caught.value)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"labels": POSITIONS + 1}, "labels: 3 is not a position from 0 to 2 in the 3 classes."),
        ({"labels": [0, 0, 1, 1, 9, 9]}, "labels: 9 is not a position from 0 to 2"),
        ({"labels": POSITIONS, "classes": None, "class_embeddings": NAMED},
         "labels are '0', '1', '2' (3 in all), the training classes 'n02084071', 'n02114100'"),
        ({"labels": None}, "Give the class of each sample"),
        ({"labels": POSITIONS[:5]}, "5 labels do not fit features of shape (6, 2)"),
        ({"classes": WNIDS[:2], "labels": _named(WNIDS)}, "of the shape (3, 3) does not fit 2"),
        ({"classes": None}, "An array holds class embeddings, and does not say whose"),
        ({"unseen": ["n02121620"]}, "no class embedding for 1 class of 3: 'n02121620'. The"),
        ({"unseen": [*UNSEEN, "zebra"]}, "no class embedding for 1 class of 4: 'zebra'"),
        ({"seen": [*SEEN, "n02121620"], "classes": [*WNIDS, "n02121620"],
          "class_embeddings": np.eye(4)},
         "1 training class has no sample to train on: 'n02121620'. Add some samples, or leave"),
        ({"labels": _named(["dog", "Wolf", "foxx"])}, "No sample is of an unseen class"),
        ({"features": FEATURES * np.nan}, "sample 0 (0) are not finite"),
        ({"held_out": 1}, "held_out is a share"),
    ],
)  # fmt: skip
def test_what_does_not_fit_is_named(change: dict[str, Any], said: str) -> None:
    assert said in _error(**change)


def test_a_word_of_several_classes_is_not_guessed() -> None:
    """Crane the bird and the machine are both among the classes."""
    cranes = ["n02012849", "n03126707"]
    said = _error(labels=["crane"] * 6, classes=[*cranes, WNIDS[2]], seen=cranes)
    assert "'crane' may be n03126707 (crane.n.04), n02012849 (crane.n.05)" in said
    assert "Write the wnid of the one meant" in said


def test_files_that_are_no_samples(tmp_path: Path) -> None:
    pickled = tmp_path / "x.pt"
    torch.save({"features": object}, pickled)
    with pytest.raises(DataError, match="other objects could run code"):
        load_samples(pickled)
    torch.save({"logits": torch.ones(2, 2)}, pickled)
    with pytest.raises(DataError, match="features is not in it; it holds logits"):
        load_samples(pickled)
    np.save(tmp_path / "x.npy", FEATURES)
    with pytest.raises(DataError, match=r"features without classes\. Give the labels too"):
        load_samples(tmp_path / "x.npy")
    np.savez(tmp_path / "x.npz", features=FEATURES, labels=_named(WNIDS))
    with pytest.raises(DataError, match="holds the classes of its samples: leave the labels out"):
        load_samples(tmp_path / "x.npz", _named(WNIDS))


def test_columns_that_are_no_features_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A score is no feature, and a feature of whole numbers is one."""
    frame = pd.DataFrame({"id": range(6), "f0": FEATURES[:, 0].astype(int)})
    frame = frame.assign(label=_named(WNIDS), f1=FEATURES[:, 1], path="x.png", score=0.5)
    more = {"classes": WNIDS, "seen": SEEN, "unseen": UNSEEN}
    _is_the_data_set(gz.ZeroShotDataset.from_frame(frame, VECTORS, **more))
    said = " ".join(capsys.readouterr().err.split())
    assert "the features are 2 columns, f0 to f1; left out: id, path, score." in said
    for wrong, message in (
        (frame.drop(columns="label"), "expected the columns features and wnid"),
        (frame[["id", "label", "score"]], "numbered columns .* it has id, label, score, and none"),
        (frame.assign(g0=1.0), "and several of 'f' and 'g'"),
        (FEATURES, "A frame is a DataFrame or a table of Arrow, not ndarray"),
    ):
        with pytest.raises(DataError, match=message):
            gz.ZeroShotDataset.from_frame(wrong, VECTORS, **more)


def test_lists_may_be_positions_too(tmp_path: Path) -> None:
    """Vectors are looked up by the names at these positions, and never for the numbers."""
    (tmp_path / "glove.txt").write_text(
        "dog 1 0 0\nwolf 0 1 0\nfox 0 0 1\n0 7 7 7\n1 8 8 8\n2 9 9 9"
    )
    for vectors in (VECTORS, tmp_path / "glove.txt"):
        data = gz.ZeroShotDataset.from_arrays(
            FEATURES, POSITIONS, vectors, classes=SYNSETS, seen=[0, 1], unseen=["2"]
        )
        _is_the_data_set(data)
    assert data.metadata["read_as"]["dog.n.01"] == "n02084071"


def test_names_that_are_numbers_are_not_taken_for_positions() -> None:
    """1 to 3 are names; 0 to 2 would be positions; where both are there somebody must say."""
    numbers = ["1", "2", "3"]
    more: dict[str, Any] = {"seen": numbers[:2], "unseen": numbers[2:]}
    labels = _named(numbers)
    rows = dict(zip(numbers, VECTORS, strict=True))
    data = gz.ZeroShotDataset.from_arrays(FEATURES, labels, rows, **more)
    assert data.samples.labels == labels
    for given in (POSITIONS, labels):
        with pytest.raises(DataError, match="is a class of that name, and the position of '"):
            gz.ZeroShotDataset.from_arrays(FEATURES, given, VECTORS, classes=numbers, **more)
    for given in (["٠"] * 6, ["00"] * 6):  # neither numbers as they are written, nor names
        with pytest.raises(DataError, match="No sample is to train on"):
            gz.ZeroShotDataset.from_arrays(
                FEATURES, given, VECTORS, classes=WNIDS, seen=SEEN, unseen=UNSEEN
            )
    same = ["0", "1", "2"]
    data = gz.ZeroShotDataset.from_arrays(
        FEATURES, POSITIONS, VECTORS, classes=same, seen=same[:2], unseen=same[2:]
    )
    assert data.samples.labels == _named(same)


def test_two_words_of_one_class_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    labels = ["dog", "domestic dog", "wolf", "wolf", "fox", "fox"]
    data = gz.ZeroShotDataset.from_arrays(FEATURES, labels, NAMED, seen=SEEN, unseen=UNSEEN)
    _is_the_data_set(data)
    said = " ".join(capsys.readouterr().err.split())
    assert "4 words are read, 'dog' as n02084071 (dog.n.01), 'domestic dog' as n02084071" in said
    assert "'dog' and 'domestic dog' are one class, n02084071." in said


def test_what_is_probably_wrong_is_said(capsys: pytest.CaptureFixture[str]) -> None:
    """Labels from 1 that fit the list, an unseen class without a sample, a class embedding of
    zeros, and a class that is no synset among others that are."""
    classes = ["cat.n.01", *SYNSETS, "robodog"]
    vectors = np.concatenate([np.zeros((1, 3)), VECTORS, np.ones((1, 3))])
    data = gz.ZeroShotDataset.from_arrays(
        FEATURES,
        POSITIONS + 1,
        vectors,
        classes=classes,
        seen=["dog.n.01", "wolf.n.01"],
        unseen=["fox.n.01", "cat.n.01"],
    )
    assert data.samples.labels == _named(WNIDS)
    assert data.tests == {"test": ["n02118333", "n02121620"]}
    said = " ".join(capsys.readouterr().err.split())
    assert "labels: none is 0, the position of 'cat.n.01'. Do they count from 1?" in said
    assert "1 unseen class has no sample, and is a candidate alone: 'n02121620'." in said
    assert "The class embedding of 'cat.n.01' is nothing but zeros" in said
    assert "'robodog': neither a wnid nor a name such as dog.n.01" in said


def test_tensors_of_training(tmp_path: Path) -> None:
    """Tensors that need gradients, and of 16 bits."""
    more: dict[str, Any] = {"seen": SEEN, "unseen": UNSEEN}
    for tensor in (torch.tensor(FEATURES, requires_grad=True), torch.tensor(FEATURES).bfloat16()):
        _is_the_data_set(gz.ZeroShotDataset.from_arrays(tensor, _named(WNIDS), NAMED, **more))

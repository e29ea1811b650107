"""Arrays, .npz files and frames as predictions, true classes from elsewhere, and files that hold no
predictions."""

from __future__ import annotations

import csv
import gzip
import json
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from graphzsl.audit import Predictions, read_predictions
from graphzsl.common import DataError
from tests.audit.kinds import of_arrays

A, B, C = "n00000010", "n00000020", "n00000030"
CLASSES = [A, B, C]
#: Scores that name their classes.
FRAME = pandas.DataFrame(np.zeros((2, 2)), columns=[A, B])


def listed(found: Predictions) -> list[list[str]]:
    return [[found.candidates[c] for c in row if c >= 0] for row in found.top.tolist()]


def _wide(folder: Path) -> Path:
    path = folder / "p.csv"
    path.write_text("file,top1,top2\nv/1.jpg,a,b\nv/2.jpg,b,a\nv/3.jpg,c,a\n")
    return path


@pytest.mark.parametrize(
    "text",
    [
        "file,class\n3.jpg,c\n1.jpg,a\n2.jpg,b\n",
        "class\tfile\nc\tv/3.jpg\na\tv/1.jpg\nb\tv/2.jpg\n",
        "3 c\n1 a\n2 b\n",
        "ImageId,PredictionString\n3,c\n1,a\n2,b\n",
        "a\nb\nc\n",
        "# true classes\na\n\nb\nc\n",
        "wnid\na\nb\nc\n",
        '["a", "b", "c"]',
    ],
)
def test_files_of_labels(tmp_path: Path, text: str) -> None:
    (tmp_path / "l.txt").write_text(text)
    found = read_predictions(_wide(tmp_path), labels=tmp_path / "l.txt")
    assert found.labels == ["a", "b", "c"]
    assert found.rank.tolist() == [1, 1, 1]
    assert found.metadata["true_classes"] == "l.txt"
    assert len(found.metadata["true_classes_sha256"]) == 64


def test_labels_of_kaggle_and_others(tmp_path: Path) -> None:
    """LOC_val_solution.csv names the image without its suffix, and boxes behind the wnid."""
    path = tmp_path / "p.jsonl"
    path.write_text('{"file": "ILSVRC2012_val_00048981.JPEG", "pred": ["n03995372"]}\n')
    (tmp_path / "LOC_val_solution.csv").write_text(
        "ImageId,PredictionString\nILSVRC2012_val_00048981,n03995372 85 1 499 272 \n"
    )
    found = read_predictions(path, labels=tmp_path / "LOC_val_solution.csv")
    assert found.labels == ["n03995372"]
    given: list[Any] = [["a", "b", "c"], {"1.jpg": "a", "v/2.jpg": "b", "3": "c"}]
    for labels in given:
        assert read_predictions(_wide(tmp_path), labels=labels).labels == ["a", "b", "c"]
    found = read_predictions(_wide(tmp_path), truth="folder", missing="miss")
    assert found.labels == ["v", "v", "v"]
    # caffe's val.txt: numbers are positions where the caller says so
    (tmp_path / "val.txt").write_text("1.jpg 0\n2.jpg 2\n3.jpg 1\n")
    (tmp_path / "n.csv").write_text("file,top1\n1.jpg,0\n2.jpg,2\n3.jpg,2\n")
    found = read_predictions(
        tmp_path / "n.csv", CLASSES, numbered=True, labels=tmp_path / "val.txt"
    )
    assert (found.labels, found.rank.tolist()) == ([A, C, B], [1, 1, 2])


def test_labels_beside_a_table_without_header(tmp_path: Path) -> None:
    """Every cell is a prediction then."""
    (tmp_path / "p.csv").write_text("a,b\nb,a,c\n")
    found = read_predictions(tmp_path / "p.csv", labels=["b", "b"])
    assert listed(found) == [["a", "b"], ["b", "a", "c"]]
    assert found.rank.tolist() == [2, 1]


def test_labels_that_do_not_fit(tmp_path: Path) -> None:
    def refused(text: str, message: str) -> None:
        (tmp_path / "l.txt").write_text(text)
        with pytest.raises(DataError, match=message):
            read_predictions(_wide(tmp_path), labels=tmp_path / "l.txt")

    refused("a\nb\n", r"l\.txt holds 2 true classes for 3 samples")
    refused("1.jpg,a\n2.jpg,b\n", r"p\.csv:4: .*l\.txt has no class for 'v/3\.jpg'")
    refused("other.jpg,a\nmore.jpg,b\n", r"p\.csv:2: .*l\.txt has no class for 'v/1\.jpg'")
    refused("u/1.jpg,a\nw/1.jpg,b\n2.jpg,b\n3.jpg,c\n", r"has no class for 'v/1\.jpg'")
    with pytest.raises(DataError, match="is not a file"):
        read_predictions(_wide(tmp_path), labels=tmp_path / "none.txt")
    # the first five of ILSVRC2012_validation_ground_truth.txt
    (tmp_path / "gt.txt").write_text("490\n361\n171\n822\n297\n")
    (tmp_path / "n.csv").write_text("file,top1\n" + "".join(f"{n}.jpg,{n}\n" for n in range(5)))
    for options in ({}, {"candidates": "ilsvrc2012", "numbered": True}):
        with pytest.raises(DataError, match=r"gt\.txt holds numbers from 171 to 822 .*n02119789"):
            read_predictions(tmp_path / "n.csv", labels=tmp_path / "gt.txt", **options)
    (tmp_path / "t.csv").write_text("label,top1\n490,5\n1000,6\n")
    with pytest.raises(DataError, match=r"the true classes go from 490 to 1,000.*meta\.mat"):
        read_predictions(tmp_path / "t.csv", "ilsvrc2012", numbered=True)
    (tmp_path / "t.csv").write_text("label,top1\n490,0\n1000,999\n")
    with pytest.raises(DataError, match=r"t\.csv:2: the true classes go from 490 to 1,000, the p"):
        read_predictions(tmp_path / "t.csv")
    for labels in (np.array([1000, 490]), torch.tensor([1000, 490])):
        with pytest.raises(DataError, match=r"the true classes go from 490 to 1,000.*meta\.mat"):
            of_arrays(labels, np.array([[1, 2], [3, 4]]), "ilsvrc2012")
    with pytest.raises(DataError, match="name no files"):
        read_predictions(pandas.DataFrame({"top1": ["a"]}), labels={"1.jpg": "a"})
    with pytest.raises(DataError, match="no column of true classes"):
        read_predictions(_wide(tmp_path), truth="column")
    with pytest.raises(DataError, match="truth is column or folder, not 'path'"):
        read_predictions(_wide(tmp_path), truth="path")  # type: ignore[arg-type]


LISTS = [[B, A], [B, C], [A, C]]
LABELS = [A, B, C]
SCORES = [[0.2, 0.5, 0.3], [0.1, 0.8, 0.1], [0.4, 0.3, 0.3]]


def _array_forms() -> list[tuple[Any, Any, Any]]:
    numbers = [[1, 0], [1, 2], [0, 2]]
    return [
        (LABELS, LISTS, None),
        (LABELS, LISTS, CLASSES),
        ([0, 1, 2], numbers, CLASSES),
        (np.array([0, 1, 2], np.uint8), np.array(numbers, np.int32), CLASSES),
        (torch.tensor([0, 1, 2]), torch.tensor(numbers), CLASSES),
        (pandas.Series(LABELS), pandas.DataFrame(LISTS), CLASSES),
        (np.array(LABELS, object), np.array(LISTS, object), iter(CLASSES)),
        (pa.chunked_array([LABELS]), np.array(LISTS), CLASSES),
        (np.array([[0], [1], [2]]), LISTS, CLASSES),
        (LABELS, np.array(numbers), CLASSES),
        ([0, 1, 2], LISTS, CLASSES),
    ]


@pytest.mark.parametrize("form", range(len(_array_forms())))
def test_arrays_of_lists(form: int) -> None:
    y_true, y_pred, classes = _array_forms()[form]
    found = of_arrays(y_true, y_pred, classes)
    assert found.labels == LABELS
    assert listed(found) == LISTS
    assert found.rank.tolist() == [2, 1, 2]


def test_arrays() -> None:
    scores = torch.tensor(SCORES, requires_grad=True)
    for given_scores in (SCORES, np.array(SCORES), scores, scores.bfloat16(), scores.double()):
        found = of_arrays([0, 1, 2], given_scores, CLASSES, seen=[A])
        assert found.complete
        assert found.rank.tolist() == [3, 1, 3]
        assert found.seen == [A]
    assert of_arrays(LABELS, [B, B, A]).rank.tolist() == [2, 1, 2]
    assert of_arrays(["b", "a"], [["a", "b"], ["a"]]).rank.tolist() == [2, 1]
    numbers = of_arrays([7, 9], [[9, 7], [9, 8]])
    assert (numbers.candidates, numbers.rank.tolist()) == (["7", "8", "9"], [2, 1])
    renamed = of_arrays(
        ["a"], [["b", "a"]], [A, B], rename=lambda names: [{"a": A, "b": B}[n] for n in names]
    )
    assert (renamed.labels, listed(renamed)) == ([A], [[B, A]])


@pytest.mark.parametrize(
    ("y_true", "y_pred", "classes", "message"),
    [
        ([0], np.zeros((1, 1000)), None, r"1,000 scores per sample.*\(ilsvrc2012 for a network"),
        ([0], np.zeros((1, 3)), None, "3 scores per sample, and nothing names their classes"),
        ([0, 1], np.zeros((2, 3)), CLASSES[:2], "there are 3 columns of scores for 2 candidates"),
        ([0, 1], np.array([[0.1, np.nan], [0, 0]]), [A, B], r"a score of sample 0 \(n00000010\)"),
        ([0, 1, 2], np.zeros((3, 3)), [A, B], "there are 3 columns of scores for 2 candidates"),
        ([0, 1], np.zeros((3, 2)), [A, B], r"scores \(3, 2\) do not fit 2 labels and 2 classes"),
        ([0, 1], [[0], [1], [0]], [A, B], "3 lists do not fit 2 labels"),
        ([0, 1], [[0, 1], [1, 1]], CLASSES, "sample 1: n00000020 is predicted twice"),
        ([0, 1], [[0], [5]], [A, B], "sample 1: '5' is not a position from 0 to 1"),
        ([0.0, np.nan], FRAME, [A, B], "sample 1: the true class is missing"),
        ([0, 1], [[0], [-1]], [A, B], "sample 1: '-1' is not a position from 0 to 1"),
        ([A, "q"], [[A], [B]], [A, B], "sample 1: the true class q is none of the 2 candidates"),
        (
            [A, B],
            [[A], ["q"]],
            [A, B],
            "sample 1: the predicted class .q. is none of the 2 candidates",
        ),
        ([A, B], [[A, B], []], [A, B], "sample 1: expected the true class and at least one"),
        ([], [], [A], "there is no sample"),
        (np.eye(2), [[0], [1]], [A, B], r"must be one per sample \[N\]; got the shape \(2, 2\)"),
        ([{"a": 1}], [[A]], [A], "must be names or numbers; got object"),
        (
            [A],
            [["cat"]],
            None,
            "sample 0: the true class is 'n00000010' and 'cat' is predicted: one",
        ),
        ([0], np.zeros((1, 2, 2)), [A, B], r"do not fit|must be \[N, C\]"),
    ],
)
def test_arrays_that_are_wrong(y_true: Any, y_pred: Any, classes: Any, message: str) -> None:
    with pytest.raises(DataError, match=message):
        of_arrays(y_true, y_pred, classes)


@pytest.mark.parametrize("labels", ["labels", "y_true", "targets", "target"])
def test_npz_of_lists(tmp_path: Path, labels: str) -> None:
    path = tmp_path / "p.npz"
    for key in ("topk", "y_pred", "predictions"):
        np.savez(path, **{labels: [0, 1, 2], key: [[1, 0], [1, 2], [0, 2]]}, classes=CLASSES)
        assert listed(read_predictions(path)) == LISTS
        np.savez(path, **{labels: [0, 1, 2], key: [[1, 0], [1, 2], [0, 2]]})
        assert listed(read_predictions(path, CLASSES)) == LISTS
        assert read_predictions(path).candidates == ["0", "1", "2"]
        np.savez(path, **{labels: LABELS, key: [B, B, A]})
        assert read_predictions(path).rank.tolist() == [2, 1, 2]
    for key in ("scores", "logits", "probs", "probabilities", "similarities"):
        np.savez(path, **{labels: LABELS, key: SCORES}, classes=CLASSES)
        assert read_predictions(path).rank.tolist() == [3, 1, 3]
    np.savez(path, **{labels: [0, 1, 2]}, logits=SCORES)
    assert read_predictions(path, CLASSES).rank.tolist() == [3, 1, 3]
    with pytest.raises(
        DataError, match=r"p\.npz: 3 scores per .* nothing names their classes.*in the order"
    ):
        read_predictions(path)


def test_npz_beside_labels_and_names(tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    np.savez(path, scores=SCORES, classes=["a", "b", "c"])
    assert read_predictions(path, labels=["a", "b", "c"]).rank.tolist() == [3, 1, 3]
    asked = []

    def rename(names: list[str]) -> list[str]:
        asked.append(names)
        return [name.upper() for name in names]

    found = read_predictions(path, labels=["a", "b", "c"], rename=rename)
    assert (found.candidates, found.labels) == (["A", "B", "C"], ["A", "B", "C"])
    assert asked == [["a", "b", "c"]]
    np.savez(path, topk=[[0, 1], [2, 1]], scores=[[0.1, 0.4], [0.4, 0.4]], labels=[0, 1])
    assert listed(read_predictions(path, CLASSES)) == [[B, A], [C, B]]
    np.savez(path, topk=[[0, 1]], scores=[[0.1, np.nan]], labels=[0])
    with pytest.raises(DataError, match=r"p\.npz: a score of sample 0 is not a number"):
        read_predictions(path, CLASSES)
    np.save(tmp_path / "q.npy", np.eye(2))
    (tmp_path / "q.npy").rename(path)
    with pytest.raises(DataError, match=r"this is one array of numpy"):
        read_predictions(path)


def _frames() -> list[Any]:
    columns = {"label": LABELS, "top1": [row[0] for row in LISTS], "top2": [r[1] for r in LISTS]}
    frame = pandas.DataFrame(columns)
    table = pa.table(columns)
    return [
        frame,
        frame.set_index("label"),
        frame.astype("category"),
        frame.convert_dtypes(),
        table,
        table.to_batches()[0],
        pa.table({"label": LABELS, "predictions": LISTS}),
        pandas.DataFrame({"label": LABELS, "predictions": LISTS}),
        pandas.DataFrame([[label, *row] for label, row in zip(LABELS, LISTS, strict=True)]),
    ]


@pytest.mark.parametrize("form", range(len(_frames())))
def test_frames(form: int) -> None:
    found = read_predictions(_frames()[form], CLASSES)
    assert (found.labels, listed(found)) == (LABELS, LISTS)


def test_missing_cells(tmp_path: Path) -> None:
    """pandas has three kinds of them; a line without any cell is none, and counts as a line."""
    frame = pandas.DataFrame({"label": [A, B], "top1": [A, C], "top2": [B, None]})
    for given_frame in (frame, frame.convert_dtypes(), frame.astype(object)):
        assert listed(read_predictions(given_frame)) == [[A, B], [C]]
    (tmp_path / "x.csv").write_text("label,top1,top2\na,a,b\n,,\nb,b,\n")
    assert listed(read_predictions(tmp_path / "x.csv")) == [["a", "b"], ["b"]]
    (tmp_path / "x.csv").write_text("label,top1,top2\na,a,\n,,\nb,b,\n")
    with pytest.raises(
        DataError, match=r"x\.csv:4: the predicted class .b. is none of the 1 candidate"
    ):
        read_predictions(tmp_path / "x.csv", ["a"])


def test_polars() -> None:
    """polars is none of the libraries that graphzsl brings, but of those of its tests."""
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame({"label": LABELS, "predictions": LISTS})
    assert listed(read_predictions(frame)) == LISTS
    found = of_arrays(polars.Series(LABELS), polars.Series([B, B, A]))
    assert found.rank.tolist() == [2, 1, 2]


def test_frames_that_are_wrong() -> None:
    twice = pandas.DataFrame([[A, A, B]], columns=["label", "top1", "top1"])
    with pytest.raises(DataError, match="DataFrame: two columns are called top1"):
        read_predictions(twice)
    with pytest.raises(DataError, match=r"expected a DataFrame of pandas or polars.*got int"):
        read_predictions(7)
    with pytest.raises(DataError, match=r"DataFrame:1: expected the true class"):
        read_predictions(pandas.DataFrame({"label": [A, None], "top1": [A, B]}))
    with pytest.raises(DataError, match=r"DataFrame: the columns a, b name no column of true"):
        read_predictions(pandas.DataFrame({"a": [A], "b": [B]}))


def _refused(path: Path, message: str) -> None:
    with pytest.raises(DataError, match=message) as raised:
        read_predictions(path)
    assert path.name in str(raised.value)
    assert "--" not in str(raised.value)


def test_metrics_are_no_predictions(tmp_path: Path) -> None:
    """What clip_benchmark.cli and timm's validate.py write, and graphzsl itself."""
    path = tmp_path / "r.json"
    result = {
        "dataset": "imagenet1k",
        "model": "ViT-B-32",
        "pretrained": "openai",
        "task": "zeroshot_classification",
        "metrics": {"acc1": 0.63, "acc5": 0.88, "mean_per_class_recall": 0.63},
        "language": "en",
    }
    path.write_text(json.dumps(result))
    _refused(path, "metrics of CLIP_benchmark. It holds no predictions.*run_classification")
    flat = {**{k: v for k, v in result.items() if k != "metrics"}, **result["metrics"]}  # type: ignore[dict-item]
    (tmp_path / "benchmark.csv").write_text(
        ",".join(flat) + "\n" + ",".join(str(value) for value in flat.values()) + "\n"
    )
    _refused(tmp_path / "benchmark.csv", "metrics of CLIP_benchmark")
    validated = {
        "model": "resnet50",
        "top1": 80.3,
        "top1_err": 19.7,
        "top5": 95.1,
        "top5_err": 4.9,
        "param_count": 25.56,
        "img_size": 224,
        "crop_pct": 0.95,
        "interpolation": "bicubic",
    }
    with (tmp_path / "v.csv").open("w") as file:
        writer = csv.DictWriter(file, fieldnames=list(validated))
        writer.writeheader()
        writer.writerows([validated, validated | {"model": "vit", "top1": 81.0}])
    _refused(tmp_path / "v.csv", "timm's validate.py. It holds no predictions; run timm's infere")
    for document in (validated, [validated]):
        path.write_text(json.dumps(document))
        _refused(path, "results of timm's validate.py")
    path.write_text(json.dumps({"graphzsl": "0.1", "kind": "evaluation", "metrics": {}}))
    _refused(path, "what graphzsl wrote itself")
    path.write_text(json.dumps({"model": "bioclip", "embeddings": {"a.jpg": [0.1]}}))
    _refused(path, "this is embeddings")


def test_weights_and_pickles_are_never_read(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> Any:
            return Path.touch, (tmp_path / "ran",)

    torch.save({"w": torch.eye(2)}, tmp_path / "head.pt")
    torch.save(torch.eye(2), tmp_path / "head.csv")
    (tmp_path / "old.pth").write_bytes(pickle.dumps(Trap()))
    _refused(tmp_path / "head.pt", "it holds 'w', and weights of a network are none")
    _refused(tmp_path / "head.csv", "weights of a network.*never unpickled.*numpy.savez")
    _refused(tmp_path / "old.pth", "other objects could run code, and are not read")
    for name in ("p.pkl", "p.csv", "p.parquet", "p.npz"):
        (tmp_path / name).write_bytes(pickle.dumps(Trap()))
        _refused(tmp_path / name, "pickle|not an .npz of plain arrays|not a Parquet file")
    assert not (tmp_path / "ran").exists()
    np.save(tmp_path / "s.npy", np.eye(2))
    _refused(tmp_path / "s.npy", "a confusion matrix of 2 classes needs 2 candidates")
    (tmp_path / "p.csv.gz").write_bytes(gzip.compress(b"a,a\n"))
    _refused(tmp_path / "p.csv.gz", "decompress it first")
    with zipfile.ZipFile(tmp_path / "p.xlsx", "w") as archive:
        archive.writestr("xl/workbook.xml", "")
    _refused(tmp_path / "p.xlsx", "this is an Excel workbook: save it as CSV")
    (tmp_path / "m.safetensors").write_bytes(b"12345678{}")
    _refused(tmp_path / "m.safetensors", "tensors of a network")
    np.savez(tmp_path / "p.npz", scores=SCORES, classes=CLASSES, labels=LABELS)
    (tmp_path / "p.npz").rename(tmp_path / "p.dat")
    assert read_predictions(tmp_path / "p.dat").complete, "an .npz under another name"


_NAMES = (
    st.text("abcxyzäß, '\"[]", min_size=1, max_size=4)
    .map(str.strip)
    .filter(lambda name: name and name[0] not in "[{" and not name.isdigit())
)


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_every_form_of_a_table_says_the_same(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    names = data.draw(st.lists(_NAMES, min_size=2, max_size=6, unique=True))
    width = data.draw(st.integers(1, len(names)))
    rows = data.draw(
        st.lists(
            st.tuples(
                st.sampled_from(names), st.lists(st.sampled_from(names), min_size=1, unique=True)
            ),
            min_size=1,
            max_size=6,
        )
    )
    rows = [(label, predicted[:width]) for label, predicted in rows]
    folder = tmp_path_factory.mktemp("forms")
    frame = pandas.DataFrame(
        [[label, *predicted, *[None] * (width - len(predicted))] for label, predicted in rows],
        columns=["label", *(f"top{place}" for place in range(1, width + 1))],
    )
    lists = pandas.DataFrame(rows, columns=["label", "predictions"])
    frame.to_csv(folder / "a.csv", index=False)
    frame.to_csv(folder / "a.tsv", index=False, sep="\t")
    frame.to_parquet(folder / "a.parquet")
    for kind in ("records", "split", "columns", "table"):
        frame.to_json(folder / f"{kind}.json", orient=kind)
    frame.to_json(folder / "a.jsonl", orient="records", lines=True)
    lists.to_json(folder / "l.jsonl", orient="records", lines=True)
    pq.write_table(pa.Table.from_pylist(lists.to_dict("records")), folder / "l.parquet")
    found = [read_predictions(path, names) for path in sorted(folder.iterdir())]
    found += [read_predictions(each, names) for each in (frame, lists)]
    found += [of_arrays(*zip(*rows, strict=True), names)]
    for each in found:
        assert each.labels == [label for label, _ in rows]
        assert listed(each) == [predicted for _, predicted in rows]


_CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 12),
    st.floats(),
    st.sampled_from(["a", "b", "label", "pred", "score", "[a b]", "v/n00000010/1.jpg", ""]),
)
_KEYS = st.sampled_from(
    [
        "label",
        "truth",
        "pred",
        "top1",
        "top2",
        "score",
        "prob_0",
        "prob_1",
        "index",
        "label_0",
        "index_0",
        "file",
        "id",
        "cat",
        "dog",
        "columns",
        "data",
        "predictions",
        "schema",
    ]
)
_DOCUMENTS = st.recursive(
    _CELLS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=12,
)


def _read_or_refused(path: Path, options: dict[str, Any]) -> None:
    said = ""
    try:
        found = read_predictions(path, **options)
        assert len(found.labels) == len(found.top) == len(found.rank) > 0
    except DataError as error:
        said = str(error)
    assert not said or path.name in said or said.startswith(("numbered", "labels"))


_OPTIONS = st.fixed_dictionaries(
    {},
    optional={
        "candidates": st.just(["a", "b"]),
        "numbered": st.booleans(),
        "missing": st.just("miss"),
        "truth": st.sampled_from(["column", "folder"]),
        "labels": st.just(["a"]),
    },
)


@settings(max_examples=150, deadline=None)
@given(_DOCUMENTS, _OPTIONS)
def test_any_json_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, document: Any, options: dict[str, Any]
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.json"
    path.write_text(json.dumps(document))
    _read_or_refused(path, options)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(_KEYS, min_size=1, max_size=5),
    st.lists(st.lists(_CELLS, max_size=6), max_size=4),
    _OPTIONS,
)
def test_any_table_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory,
    header: list[str],
    rows: list[list[Any]],
    options: dict[str, Any],
) -> None:
    path = tmp_path_factory.getbasetemp() / "any.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    _read_or_refused(path, options)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"classes": "a"},
            r"classes must be one name or number per class \[C\]; got the shape \(\)",
        ),
        ({"classes": [["a", "b"]]}, r"classes must be one name .* got the shape \(1, 2\)"),
        ({"classes": ["a", "b", "c"]}, "there are 2 columns of scores for 3 candidates"),
        ({"scores": [1.0, 2.0]}, r"scores must be \[N, C\]; got the shape \(2,\)"),
        ({"labels": "a"}, r"the true classes \(y_true, labels\) must be one per sample"),
    ],
)
def test_shapes_of_an_npz_are_named(tmp_path: Path, changed: dict[str, Any], said: str) -> None:
    good = {"scores": [[0.1, 0.9], [0.8, 0.2]], "classes": ["a", "b"], "labels": ["b", "b"]}
    path = tmp_path / "p.npz"
    np.savez(path, **{**good, **changed})
    with pytest.raises(DataError, match=rf"p\.npz: {said}"):
        read_predictions(path)
    for keys, said in (
        (("scores", "labels"), "2 scores per sample, and nothing names their classes"),
        (
            ("classes",),
            r"neither scores nor topk is in the archive, which holds classes\. Expected",
        ),
    ):
        np.savez(path, **{key: good[key] for key in keys})  # type: ignore[arg-type]
        with pytest.raises(DataError, match=rf"p\.npz: {said}"):
            read_predictions(path)
    for same in ({"classes": np.array([b"a", b"b"])}, {"labels": [1.0, 1.0]}):
        np.savez(path, **{**good, **same})
        assert read_predictions(path).rank.tolist() == [1, 2]


def test_images_of_no_class_are_refused_for_what_they_are(tmp_path: Path) -> None:
    """Lists of images of no class have -1."""
    path = tmp_path / "p.csv"
    path.write_text("file,top1\na.JPEG,65\nb.JPEG,970\n")
    labels = tmp_path / "ood.txt"
    labels.write_text("a.JPEG -1\nb.JPEG -1\n")
    with pytest.raises(DataError, match="'-1' is not a position from 0 to 999 in the candidates"):
        read_predictions(path, "ilsvrc2012", numbered=True, labels=labels)

"""Predictions that can be taken for something else: read as what they are, or refused."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow as pa
import pytest
import torch

import graphzsl as gz
from graphzsl.audit import Predictions, read_predictions
from graphzsl.audit.prediction_files import predictions_of_arrays
from graphzsl.common import DataError
from tests.audit.kinds import evaluated, of_arrays, ranked

ABC = ["a", "b", "c"]
SCORES = np.array([[0.1, 0.7, 0.2], [0.6, 0.1, 0.3]])


def listed(found: Predictions) -> list[list[str]]:
    return [[found.candidates[c] for c in row if c >= 0] for row in found.top.tolist()]


def read(path: Path, text: str, *arguments: Any, **options: Any) -> Predictions:
    path.write_text(text)
    return read_predictions(path, *arguments, **options)


def test_scores_of_all_classes_beside_lists(tmp_path: Path) -> None:
    """The scores are of the classes, and say more than the lists."""
    path = tmp_path / "b.npz"
    order = np.argsort(-SCORES, axis=1)
    for lists in (
        {"topk": order},
        {"y_pred": order},
        {"y_pred": order[:, 0]},
        {"topk": order[:, :2]},
        {"topk": np.array(ABC)[order]},
    ):
        np.savez(path, scores=SCORES, classes=ABC, labels=[1, 0], **lists)
        found = read_predictions(path)
        assert (found.complete, found.rank.tolist()) == (True, [1, 1])
        np.savez(path, scores=SCORES, labels=[1, 0], **lists)
        assert read_predictions(path, ABC).rank.tolist() == [1, 1]


def test_scores_of_the_places_of_lists(tmp_path: Path) -> None:
    """As torch.topk gives them: these fall from place to place."""
    path = tmp_path / "b.npz"
    order = np.argsort(-SCORES, axis=1)
    values = np.take_along_axis(SCORES, order, axis=1)
    np.savez(path, scores=values, topk=order, classes=ABC, labels=[1, 0])
    assert listed(read_predictions(path)) == [["b", "c", "a"], ["a", "c", "b"]]
    np.savez(path, scores=values[:, :2], topk=order[:, :2], classes=ABC, labels=[1, 0])
    assert listed(read_predictions(path)) == [["b", "c"], ["a", "c"]]


def test_one_row_per_prediction_by_rank(tmp_path: Path) -> None:
    text = "file,label,rank,prediction\nx,cat,2,cat\nx,cat,1,dog\ny,dog,1,dog\ny,dog,2,cat\n"
    found = read(tmp_path / "x.csv", text)
    assert (found.labels, listed(found)) == (["cat", "dog"], [["dog", "cat"], ["dog", "cat"]])
    assert found.rank.tolist() == [2, 1]
    answers = text.replace("prediction", "answer")
    assert listed(read(tmp_path / "x.csv", answers)) == [["dog", "cat"], ["dog", "cat"]]
    for changed, message in (
        (text.replace("x,cat,1", "x,cat,2"), r"x\.csv:3: x has the same rank in .*x\.csv:2"),
        (text.replace("x,cat,1", "x,cat,"), r"x\.csv:3: the rank is not a number"),
        (text.replace("x,cat,1", "x,cat,one"), r"x\.csv:3: 'one' is not"),
        (text.replace("rank", "note"), r"x\.csv:3: 'x' \(file\) is there in .*x\.csv:2 too"),
        (text.replace("rank", "note").replace("file", "id"), r"x\.csv:3: 'x' \(id\) is there"),
    ):
        with pytest.raises(DataError, match=message):
            read(tmp_path / "x.csv", changed)


def test_an_empty_cell_before_a_filled_one(tmp_path: Path) -> None:
    for text in (
        "label,top1,top2\ncat,cat,dog\ncat,,cat\n",
        "label,top1,top2,prob1,prob2\ncat,cat,dog,.6,.4\ncat,,cat,,.4\n",
        "cat,cat,dog\ncat,,cat\n",
    ):
        with pytest.raises(DataError, match=r"x\.csv:\d: place 1 of the predictions is empty"):
            read(tmp_path / "x.csv", text)
    with pytest.raises(DataError, match="record 0: place 2 of the predictions is empty"):
        read(tmp_path / "x.json", json.dumps([{"label": "a", "pred": ["a", None, "b"]}]))
    found = read(tmp_path / "x.json", json.dumps([{"label": "a", "pred": ["b", "a", None]}]))
    assert listed(found) == [["b", "a"]]


NAN = float("nan")


@pytest.mark.parametrize(
    "lists",
    [
        [["b", "a"], ["b", NAN]],
        [["b", "a"], ["b", None]],
        [["b", "a"], ["b", pandas.NA]],
        np.array([["b", "a"], ["b", None]], dtype=object),
        pandas.DataFrame([["b", "a"], ["b", NAN]]),
        pandas.DataFrame([["b", "a"], ["b", None]]).convert_dtypes(),
    ],
)
def test_missing_cells_end_a_list(lists: Any) -> None:
    found = of_arrays(["a", "b"], lists)
    assert (found.candidates, listed(found)) == (["a", "b"], [["b", "a"], ["b"]])


def test_missing_cells_of_arrays() -> None:
    assert listed(of_arrays([0, 1], [[1, 0], [1, None]], ["a", "b"])) == [
        ["b", "a"],
        ["b"],
    ]
    with pytest.raises(DataError, match="sample 1: place 1 of the predictions is empty, and later"):
        of_arrays(["a", "b"], [["b", "a"], [None, "b"]])
    with pytest.raises(DataError, match="sample 1: expected the true class and at least one"):
        of_arrays(["a", "b"], ["a", NAN])
    with pytest.raises(DataError, match="sample 1: the true class is missing"):
        of_arrays(["a", NAN], ["a", "b"])


def test_two_columns_of_true_classes(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    for truth in ("true", "target", "y_true"):
        for names in (("label", truth), (truth, "label")):
            head = ",".join((*names, "top1"))
            assert read(path, f"{head}\ncat,cat,dog\n").labels == ["cat"], "both say it"
            with pytest.raises(DataError, match=rf"x\.csv:3: {' and '.join(names)} may each hold"):
                read(path, f"{head}\ncat,cat,dog\ncat,dog,dog\n")
            for name, labels in zip(names, (["cat", "cat"], ["cat", "dog"]), strict=True):
                found = read_predictions(path, label_column=name)
                assert (found.labels, listed(found)) == (labels, [["dog"], ["dog"]])
    found = read(path, "label,target,top1\ncat,dog,dog\n", labels=["cow"])
    assert found.labels == ["cow"], "neither counts"
    found = read(path, "label,target,top1\n3,cat,dog\n7,dog,dog\n")
    assert found.labels == ["cat", "dog"], "a number and the name of one class"


def test_a_table_that_ends_within_quotes(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    for text in ('label,top1\ncat,dog\ndog,"cat\n', 'label,top1\ncat,dog\ndog,"cat\ncat,dog\n'):
        with pytest.raises(DataError, match=r"x\.csv:3: a quote opens in this row and is not clo"):
            read(path, text)
    found = read(path, 'label,id,top1\n"a ""cat""","1\n2",dog\n5" pipe,3,"dog"')
    assert found.labels == ['a "cat"', '5" pipe']


def test_a_second_column_of_predictions(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    text = "label,pred_clip,pred\ncat,cat,dog\ndog,dog,dog\n"
    with pytest.raises(DataError, match=r"pred_clip, pred may each hold predictions"):
        read(path, text)
    for name, lists in (("pred", [["dog"], ["dog"]]), ("pred_clip", [["cat"], ["dog"]])):
        assert listed(read_predictions(path, pred_column=name)) == lists
    other = text.replace("cat,cat,", "cat,a kitten,").replace("dog,dog,", "dog,a puppy,")
    assert listed(read(path, other)) == [["dog"], ["dog"]], "what holds no class is no prediction"


def test_a_header_of_unknown_words(tmp_path: Path) -> None:
    """The advice is the columns, not the candidates."""
    path = tmp_path / "x.csv"
    path.write_text("gt_class,mine\ntench,hen\nhen,hen\n")
    with pytest.raises(DataError, match="Where this is the header, say which column") as raised:
        gz.evaluate(path, rounds=9)
    assert raised.value.argument == "label_column"
    found = gz.evaluate(path, rounds=9, label_column="gt_class")
    assert found["hit@1"].per_sample == 0.5
    with pytest.raises(DataError, match="Correct it; or give the candidates"):
        evaluated(["gt_class", "tench", "hen"], ["hen", "hen", "hen"])


def test_what_pandas_and_sklearn_give_by_default(tmp_path: Path) -> None:
    frame = pandas.DataFrame({"gt_class": ["cat", "dog"], "mine": ["dog", "dog"]})
    frame.to_json(tmp_path / "x.json")
    with pytest.raises(DataError, match="columns gt_class, mine name no column of true classes"):
        read_predictions(tmp_path / "x.json")
    found = read_predictions(tmp_path / "x.json", label_column="gt_class")
    assert (found.labels, listed(found)) == (["cat", "dog"], [["dog"], ["dog"]])
    matrix = [[8, 2], [1, 9]]
    pandas.DataFrame(matrix, ["cat", "dog"], ["cat", "dog"]).to_json(tmp_path / "m.json")
    with pytest.raises(DataError, match=r"m\.json: numbers by two classes.*frame\.to_csv"):
        read_predictions(tmp_path / "m.json")
    with pytest.raises(DataError, match=r"matrix is pandas\.DataFrame\(matrix, classes, classes"):
        gz.evaluate(np.array(matrix), candidates=["cat", "dog"])


def test_columns_that_count_rows(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    frame = pandas.DataFrame({"label": ["cat", "dog"], "cat": [0.2, 0.1], "dog": [0.8, 0.9]})
    frame = frame.set_index(pandas.Index([5, 7]))
    frame.to_parquet(tmp_path / "x.parquet")
    frame.to_csv(tmp_path / "x.csv")
    unnamed = pandas.read_csv(tmp_path / "x.csv")
    assert "Unnamed: 0" in unnamed.columns
    unnamed.to_csv(tmp_path / "y.csv", index=False)
    found = [read_predictions(tmp_path / name) for name in ("x.parquet", "x.csv", "y.csv")]
    found += [read_predictions(pa.Table.from_pandas(frame)), read_predictions(unnamed)]
    for each in found:
        assert each.candidates == ["cat", "dog"]
        assert each.rank.tolist() == [2, 1]
    assert "2 columns of scores are taken as classes (cat, dog)" in capsys.readouterr().err
    answers = pandas.DataFrame({"Unnamed: 0": [0, 1], "label": ["a", "b"], "answer": ["a", "b"]})
    assert listed(read_predictions(answers)) == [["a"], ["b"]]


def test_columns_that_are_no_class_are_skipped(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = "label,{},cat,dog\ncat,{},.2,.8\ndog,{},.1,.9\n"
    for values in (("epoch", 3, 3), ("loss", 0.5, 0.7), ("note", "good", "bad")):
        found = read(tmp_path / "x.csv", text.format(*values), ["dog", "cat"])
        assert (found.candidates, found.rank.tolist()) == (["dog", "cat"], [2, 1])
        said = capsys.readouterr().err
        assert f"x.csv: 1 column skipped, not of a class: {values[0]}" in said
        assert "2 columns of scores are taken as classes (dog, cat)" in said


def test_a_frame_of_scores_names_its_columns() -> None:
    scores = pandas.DataFrame({"dog": [0.1, 0.9], "cat": [0.9, 0.1]})
    for given in (scores, (scores * 10).astype(int)):
        found = predictions_of_arrays(["cat", "dog"], given, "scores", ["cat", "dog"])
        assert (found.candidates, found.rank.tolist()) == (["cat", "dog"], [1, 1])
    assert of_arrays([0, 1], scores, ["cat", "dog"]).rank.tolist() == [1, 1]
    assert of_arrays(["cat", "dog"], scores).candidates == ["dog", "cat"]
    assert of_arrays([1, 0], scores).rank.tolist() == [1, 1], "positions in the columns"
    table = pa.Table.from_pandas(scores)
    assert of_arrays(["cat", "dog"], table, ["cat", "dog"]).rank.tolist() == [1, 1]
    numbered = scores.set_axis(["1", "0"], axis=1)
    assert of_arrays(["cat", "dog"], numbered, ["cat", "dog"]).rank.tolist() == [1, 1]
    renamed = of_arrays(
        ["cat", "dog"], scores, ["CAT", "DOG"], rename=lambda names: [n.upper() for n in names]
    )
    assert (renamed.candidates, renamed.rank.tolist()) == (["CAT", "DOG"], [1, 1])
    upper = of_arrays(
        ["cat", "dog"], numbered, ["CAT", "DOG"], rename=lambda names: [n.upper() for n in names]
    )
    assert upper.rank.tolist() == [1, 1]
    for classes in (["cat", "cow"], ["cat", "dog", "cow"], ["cat"]):
        with pytest.raises(DataError, match=r"cow is none of the 2|2 columns of scores for"):
            of_arrays(["cat", "dog"], scores, classes)


def test_classes_beside_an_npz_with_its_own(tmp_path: Path) -> None:
    path = tmp_path / "p.npz"
    np.savez(path, scores=SCORES, classes=ABC, labels=[1, 0])
    found = read_predictions(path, ["c", "b", "a"])
    assert (found.candidates, found.labels) == (["c", "b", "a"], ["b", "a"])
    assert found.rank.tolist() == [1, 1]
    np.savez(path, scores=SCORES, classes=ABC, labels=["b", "c"])
    some = read_predictions(path, ["c", "b"])
    assert (some.candidates, some.rank.tolist()) == (["c", "b"], [1, 1])
    for classes in (["x", "y", "z"], ["a", "b", "d"]):
        with pytest.raises(DataError, match=r"p\.npz: the candidate [xd] is none of the 3 class"):
            read_predictions(path, classes)
    np.savez(path, topk=[[1, 0], [2, 0]], classes=ABC, labels=[1, 0])
    assert listed(read_predictions(path, ["c", "b", "a"])) == [["b", "a"], ["c", "a"]]


def test_own_classes_that_are_positions(tmp_path: Path) -> None:
    """Column 0 holds the scores of class 2, that is of c."""
    path = tmp_path / "p.npz"
    np.savez(path, scores=SCORES, classes=[2, 0, 1], labels=[0, 2])
    found = read_predictions(path, ABC)
    assert (found.candidates, found.labels) == (ABC, ["a", "c"])
    assert found.rank.tolist() == [1, 1]
    with pytest.raises(DataError, match=r"p\.npz: class 0: '2' is not a position from 0 to 1"):
        read_predictions(path, ["a", "b"])
    np.savez(path, scores=SCORES, classes=[7, 8, 9], labels=[8, 7])
    assert read_predictions(path, ["9", "8", "7"]).rank.tolist() == [1, 1]


def test_labels_that_contradict_themselves(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("file,top1\n1.jpg,a\n2.jpg,b\n")
    labels = tmp_path / "l.csv"
    labels.write_text("file,class\n1.jpg,a\n2.jpg,b\n1.jpg,c\n")
    with pytest.raises(DataError, match=r"l\.csv: '1\.jpg' is of class a and of class c"):
        read_predictions(tmp_path / "p.csv", labels=labels)
    labels.write_text("file,class\n1.jpg,a\n2.jpg,b\n1.jpg,a\n")
    assert read_predictions(tmp_path / "p.csv", labels=labels).labels == ["a", "b"]


@pytest.mark.parametrize("text", ["1.jpg,a\n2.jpg,b\n", "file,class\n1,a\n", "1.jpg a\n2.png b\n"])
def test_labels_by_file_beside_predictions_without_files(tmp_path: Path, text: str) -> None:
    labels = tmp_path / "l.csv"
    labels.write_text(text)
    np.savez(tmp_path / "p.npz", topk=[["a"], ["b"]])
    (tmp_path / "p.csv").write_text("top1\na\nb\n")
    for name in ("p.npz", "p.csv"):
        with pytest.raises(DataError, match=r"l\.csv names classes by file, but the pred.* no fil"):
            read_predictions(tmp_path / name, labels=labels)


def test_numbers_beside_names(tmp_path: Path) -> None:
    for true, predicted in (([0, 1], ["cat", "dog"]), (["cat", "dog"], [0, 1])):
        with pytest.raises(
            DataError, match=r"sample 0: .* one side is of numbers, the other of na"
        ):
            of_arrays(true, predicted)
    for text in (
        "label,top1\n0,cat\n1,dog\n",
        "label,top1\n1.0,cat\n0.0,dog\n",
        "label,top1\ncat,0.0\ndog,1.0\n",
    ):
        with pytest.raises(DataError, match=r"x\.csv:2: .* one side is of numbers, the other of"):
            read(tmp_path / "x.csv", text)
    with pytest.raises(DataError, match=r"x\.csv:2: .* both are numbers, and no true class is"):
        read(tmp_path / "x.csv", "label,top1\n1,5\n2,6\n")
    with pytest.raises(DataError, match=r"x\.csv:2: the true class is '0', and the columns of sc"):
        read(tmp_path / "x.csv", "label,cat,dog\n0,.9,.1\n", missing="miss")
    same = read(tmp_path / "x.csv", "label,top1,top2\n1,1.0,0.0\n0,1.0,0.0\n")
    assert (same.candidates, same.rank.tolist()) == (["0", "1"], [1, 2])
    versions = read(tmp_path / "x.csv", "label,top1\n1.0,2.0\n", ["1.0", "2.0"])
    assert versions.candidates == ["1.0", "2.0"], "the classes are called so"
    known = of_arrays(["1", "2"], ["5", "6"], ["1", "2", "5", "6"])
    assert known.rank.tolist() == [2, 2], "all are candidates"


def test_json_columns_are_joined_by_their_keys(tmp_path: Path) -> None:
    columns = {"label": {"0": "a", "1": "b"}, "top1": {"1": "b", "0": "a"}}
    assert read(tmp_path / "x.json", json.dumps(columns)).rank.tolist() == [1, 1]
    for changed, message in (
        ({**columns, "top1": {"0": "a", "2": "b"}}, "row '1' is in one of the columns label and"),
        (
            {**columns, "top1": ["a", "b"]},
            ".*columns, each an array, or each an object row -> cell; got one object with label",
        ),
    ):
        with pytest.raises(DataError, match=rf"x\.json: {message}"):
            read(tmp_path / "x.json", json.dumps(changed))


def test_json_objects_that_have_a_key_twice(tmp_path: Path) -> None:
    twice = '{"label": "a", "pred": "b", "pred": "a"}'
    for name, text, place in (
        ("x.json", f"[{twice}]", ""),
        ("x.jsonl", f'{{"label": "a", "pred": "b"}}\n{twice}', ":2"),
        ("x.json", '{"1.jpg": ["a"], "1.jpg": ["b"]}', ""),
    ):
        with pytest.raises(DataError, match=rf"{name}{place}: an object has the key .* twice"):
            read(tmp_path / name, text)


def test_classes_that_are_there_twice(tmp_path: Path) -> None:
    for lists in ([["a"], ["b"]], [[0.9, 0.1, 0], [0.2, 0.8, 0]]):
        with pytest.raises(DataError, match="a is there twice: class 0"):
            of_arrays(["a", "b"], lists, ["a", "b", "a"])
    with pytest.raises(DataError, match="a is there twice: class 0"):
        ranked([["a"]], ["a"], ["a", "a"])
    np.savez(tmp_path / "p.npz", topk=[["a"]], labels=["a"], classes=["a", "a"])
    for classes in (None, ["a"]):
        with pytest.raises(DataError, match="a is there twice: class 0"):
            read_predictions(tmp_path / "p.npz", classes)


def test_integers_are_what_the_caller_says() -> None:
    """Whole numbers, one per candidate, may be scores or positions: the argument decides."""
    integers = np.array([[0, 1], [1, 0]])
    scores = gz.evaluate([1, 0], scores=integers, candidates=["a", "b"], wordnet=None, rounds=9)
    lists = gz.evaluate([1, 0], ranked=integers, candidates=["a", "b"], wordnet=None, rounds=9)
    assert (scores["hit@1"].per_sample, lists["hit@1"].per_sample) == (1, 0)
    for wrong, said in (
        ([[7, 3], [1, 9]], "sample 0: 7 is not a position from 0 to 1 .* Give scores as scores"),
        ([[1, 0], [1, 1]], "sample 1: b is predicted twice"),
        ([[0.5, 1], [1, 0.2]], "sample 0: 0.5 is no class. Where it is a score"),
    ):
        with pytest.raises(DataError, match=said):
            gz.evaluate([1, 0], ranked=wrong, candidates=["a", "b"], wordnet=None)
    for wrong in (integers, [["a", "b"], ["a"]]):
        with pytest.raises(DataError, match="predicted holds one class per sample"):
            gz.evaluate([1, 0], wrong, candidates=["a", "b"], wordnet=None)
    with pytest.raises(DataError, match="Give one of ranked and scores"):
        gz.evaluate([1, 0], ranked=integers, scores=integers, candidates=["a", "b"])
    with pytest.raises(DataError, match="expected a DataFrame of pandas or polars"):
        gz.evaluate(["a", "b"])


def test_whole_scores_in_a_table(tmp_path: Path) -> None:
    """The columns are called by the true classes, so these are scores, and line 1 is a header."""
    (tmp_path / "x.csv").write_text(
        "label,cat,dog,bird\ncat,5,1,2\ndog,1,7,2\nbird,0,1,2\ncat,9,1,2\n"
    )
    found = read_predictions(tmp_path / "x.csv")
    assert (found.complete, found.rank.tolist()) == (True, [1, 1, 1, 1])
    found = gz.evaluate(pandas.read_csv(tmp_path / "x.csv"), wordnet=None, rounds=10)
    assert found["hit@1"].per_sample == 1


def test_integers_that_are_said_to_be_lists(tmp_path: Path) -> None:
    np.savez(tmp_path / "p.npz", topk=[[7, 3], [1, 9]], classes=["a", "b"], labels=[0, 1])
    with pytest.raises(DataError, match=r"sample 0: 7 is not a pos.* Give scores as scores"):
        read_predictions(tmp_path / "p.npz")
    np.savez(tmp_path / "p.npz", topk=[[1.0, 0.0], [1.0, 0.0]], classes=["a", "b"], labels=[0, 1])
    found = read_predictions(tmp_path / "p.npz")
    assert (found.complete, found.rank.tolist()) == (False, [2, 1]), "the key says that it is lists"


def test_words_of_messages(tmp_path: Path) -> None:
    (tmp_path / "p.npz").write_bytes(os.urandom(64).replace(b"P", b"Q"))
    with pytest.raises(DataError, match=r"p\.npz: not an \.npz of plain arrays") as raised:
        read_predictions(tmp_path / "p.npz")
    assert "pickle" not in str(raised.value)
    with pytest.raises(DataError, match="there is no sample"):
        of_arrays([], [])
    said = str(of_arrays(["a"], ["a"]))
    assert said == "<Predictions: 1 sample of 1 class, 1 candidate, lists of 1>"


@pytest.mark.parametrize("missing", ["nan", "NaN", "None", "<NA>", "null"])
def test_what_is_missing_is_no_class(tmp_path: Path, missing: str) -> None:
    path = tmp_path / "x.csv"
    for more in ({}, {"missing": "miss", "candidates": ["cat", "dog"]}):
        with pytest.raises(DataError, match=rf"x\.csv:3: the true class is missing: '{missing}'"):
            read(path, f"label,top1\ncat,cat\n{missing},dog\n", **more)
    with pytest.raises(DataError, match="sample 1: the true class is missing"):
        of_arrays(["cat", missing], ["cat", "dog"])
    assert len(read(path, f"label,top1\ncat,{missing}\n{missing},dog\n").candidates) == 3
    found = of_arrays(["cat", missing], [[1.0, 0], [0, 1.0]], ["cat", missing])
    assert found.rank.tolist() == [1, 1], "it is a candidate"


def test_objects_as_true_classes() -> None:
    frame = pandas.DataFrame({"label": ["dog", {"cat": 1}], "top1": ["dog", "cat"]})
    with pytest.raises(DataError, match="DataFrame:1: the true class, in column 'label', is an ob"):
        read_predictions(frame)


TENCH, HEN, GOLDFISH = "n01440764", "n01514859", "n01443537"


@pytest.mark.parametrize(
    ("labels", "predicted", "said"),
    [
        ([TENCH, "n0144076"], [HEN, HEN], "the true class of sample 1: .* Did you mean n01440764"),
        ([TENCH, "n99999999"], [HEN, HEN], "sample 1: n99999999 is not a noun synset of WordNet"),
        ([TENCH, "tenhc"], [HEN, HEN], "sample 1: 'tenhc' is not .* Did you mean .*'tench'"),
        (
            ["tench", "tenhc"],
            ["hen", "hen"],
            r"sample 1: the true class 'tenhc' \(near 'tench': n",
        ),
    ],
)
def test_true_classes_that_are_nothing(labels: list[str], predicted: list[str], said: str) -> None:
    with pytest.raises(DataError, match=said):
        evaluated(labels, predicted, rounds=9)
    # where the candidates are known, or such a class is predicted, it is one
    with pytest.raises(DataError, match="is none of the 2 candidates"):
        evaluated(labels, predicted, candidates=[TENCH, HEN], wordnet=None, rounds=9)
    found = evaluated(labels, [predicted[0], labels[1]], rounds=9)
    assert found["hit@1"].per_sample == 0.5


def test_classes_that_no_list_holds_are_missed() -> None:
    for names in ([TENCH, HEN, GOLDFISH], ["tench", "hen", "goldfish"], ["left", "right", "up"]):
        found = evaluated(names, [names[1]] * 3, rounds=9)
        assert found["hit@1"].per_sample == pytest.approx(1 / 3)


def test_places_of_unknown_names(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    path.write_text("label,top1,top2\ntench,tench,hen\nhen,hen,goldfsh\n")
    with pytest.raises(DataError, match=r"x\.csv:3: 1 of 3 class names is unknown .*'goldfsh'"):
        gz.evaluate(path, candidates="ilsvrc2012")
    with pytest.raises(DataError, match=r"sample 1: 1 of 2 class names is unknown .*'goldfsh'"):
        evaluated(["hen", "hen"], ["hen", "goldfsh"], candidates="ilsvrc2012")
    for labels in (["hen", "goldfsh"], ["tench", "goldfsh"]):
        np.savez(tmp_path / "p.npz", topk=[["hen"], ["tench"]], labels=labels)
        with pytest.raises(DataError, match=r"p\.npz: sample 1: 1 of \d class names .*'goldfsh'"):
            gz.evaluate(tmp_path / "p.npz", candidates="ilsvrc2012")
    path.write_text("label,tench,hen\ntench,.9,.1\ngoldfsh,.1,.9\n")
    with pytest.raises(DataError, match=r"x\.csv:3: 1 of 3 class names is unknown"):
        gz.evaluate(path, candidates="ilsvrc2012")


def test_lines_of_predictions_with_one_each(tmp_path: Path) -> None:
    text = "file,label,rank,prediction\nx,cat,1,cat\ny,dog,1,dog\nx,cat,2,bird\ny,dog,2,{}\n"
    for prediction, message in (
        ("fish", r"x\.csv:5: the predicted class 'fish' is none of the 3 candidates"),
        ("dog", r"x\.csv:5: dog is predicted twice"),
    ):
        with pytest.raises(DataError, match=message):
            read(tmp_path / "x.csv", text.format(prediction), ["cat", "dog", "bird"])
    scored = text.replace("rank", "score").format("fish")
    with pytest.raises(DataError, match=r"x\.csv:5: the predicted class 'fish' is none"):
        read(tmp_path / "x.csv", scored, ["cat", "dog", "bird"])


def test_columns_without_a_number_are_named(tmp_path: Path) -> None:
    path = tmp_path / "x.csv"
    with pytest.raises(DataError, match=r"x\.csv:3: a score is not a number, in column 'dog'"):
        read(path, "label,cat,dog\ncat,.9,.1\ndog,.2,\n")
    with pytest.raises(DataError, match=r"x\.csv:2: .* in column 'dog'\. No row has one there"):
        read(path, "label,cat,dog\ncat,.9,nan\ndog,.2,nan\n")
    with pytest.raises(DataError, match=r"x\.csv:3: 'x' is not a score, in column 'dog'"):
        read(path, "label,cat,dog\ncat,.9,.1\ndog,.2,x\n")
    frame = pandas.DataFrame({"cat": [0.9, 0.2], "dog": [0.1, NAN]})
    with pytest.raises(DataError, match=r"score of sample 1 \(dog\) is not a number: that of dog"):
        of_arrays(["cat", "dog"], frame)


@pytest.mark.parametrize(
    "text",
    [
        "filename,label,scroe\na/1.jpg,cat,.5\na/2.jpg,dog,.7\n",
        "filename,label,scroe\na/1.jpg,cat,.5\na/1.jpg,dog,.3\n",
        "label,answer,scroe\ncat,cat,.5\ndog,cat,.7\n",
    ],
)
def test_scores_under_a_misspelt_name(tmp_path: Path, text: str) -> None:
    said = r"x\.csv:1: the column 'scroe' holds numbers such as \.5, which .* Is 'score' meant\?"
    for truth in (None, "folder"):
        with pytest.raises(DataError, match=said):
            read(tmp_path / "x.csv", text, truth=truth)
    versions = read(tmp_path / "x.csv", "label,answer\n3.5,4.5\n4.5,4.5\n")
    assert versions.rank.tolist() == [2, 1], "classes that are called so"


_HTML = "\ufeff\n<!DOCTYPE html>\n<html><body><table><tr><td>tench</td></tr></table></body></html>"
#: name of the file, its text -> what it is called.
SUMMARIES = {
    "p.ipynb": ('{\n "cells": [{"cell_type": "code"}], "nbformat": 4}', "a Jupyter notebook; in a"),
    "colab.json": ('{"nbformat": 4, "cells": []}', "a Jupyter notebook; in a cell of it save"),
    "page.csv": (_HTML, "a page of HTML, not a table"),
    "table.html": ('<table border="1"><tr><td>tench</td></tr></table>', "a page of HTML"),
    "report.txt": (
        "              precision    recall  f1-score   support\n\n   tench  0.90  0.80  0.85  50\n",
        "a classification report. It holds no predictions of samples",
    ),
    "report.json": (
        '{"tench": {"precision": 0.9, "recall": 0.8}, "accuracy": 0.85}',
        "a classification report. It holds no predictions of samples",
    ),
}


@pytest.mark.parametrize("name", SUMMARIES)
def test_documents_that_are_no_predictions(name: str, tmp_path: Path) -> None:
    text, kind = SUMMARIES[name]
    (tmp_path / name).write_text(text)
    for read_file in (gz.read_predictions, gz.evaluate_answers):
        with pytest.raises(DataError, match=f"this is {kind}"):
            read_file(tmp_path / name)


@pytest.mark.parametrize(
    "text",
    [
        '[[["n01440764", "tench", 0.9], ["n01443537", "goldfish", 0.05]],'
        ' [["n01443537", "goldfish", 0.8], ["n01440764", "tench", 0.1]]]',
        '[{"predictions": [["n01440764", "tench", 0.9], ["n01443537", "goldfish", 0.05]]},'
        ' {"predictions": [["n01443537", "goldfish", 0.8], ["n01440764", "tench", 0.1]]}]',
    ],
)
def test_decoded_predictions_of_keras(text: str, tmp_path: Path) -> None:
    """The first image is a tench, and so is the second: hit@1 is one half, by hand."""
    (tmp_path / "d.json").write_text(text)
    (tmp_path / "labels.txt").write_text("n01440764\nn01440764\n")
    found = gz.read_predictions(tmp_path / "d.json", labels=tmp_path / "labels.txt")
    assert sorted(found.candidates) == ["n01440764", "n01443537"]
    assert [found.hits(1).mean(), found.hits(2).mean()] == [0.5, 1]


def test_numbers_of_the_ground_truth_are_read_where_that_is_said(tmp_path: Path) -> None:
    """Numbers 490, 361 and 171 of meta.mat: sea snake, alp and Shetland sheepdog."""
    path, labels = tmp_path / "p.csv", tmp_path / "truth.txt"
    path.write_text("file,label,top1\na.JPEG,490,65\nb.JPEG,361,970\nc.JPEG,171,231\n")
    given: dict[str, Any] = {"candidates": "ilsvrc2012", "numbered": "devkit"}
    found = gz.read_predictions(path, **given)
    assert found.labels == ["n01751748", "n09193705", "n02105855"]
    assert found.rank.tolist() == [1, 1, 2], "one behind the list"
    path.write_text("file,top1\na.JPEG,n01751748\nb.JPEG,n09193705\n")
    labels.write_text("490\n361\n")
    found = gz.read_predictions(path, labels=labels, numbered="devkit")
    assert found.rank.tolist() == [1, 1]
    labels.write_text("490\n1001\n")
    with pytest.raises(DataError, match="'1001' is not a number of ILSVRC's ground truth"):
        gz.read_predictions(path, labels=labels, numbered="devkit")
    labels.write_text("490\n361\n")
    with pytest.raises(DataError, match="no 0, so they are not known") as refused:
        gz.read_predictions(path, labels=labels)
    assert (refused.value.argument, refused.value.value) == ("numbered", "devkit")
    # whole numbers beside an array are positions, as they are in an .npy
    np.save(tmp_path / "scores.npy", np.eye(4)[[1, 3]].astype(np.float16))
    four: Any = {"candidates": ["a", "b", "c", "d"], "labels": [1, 3]}
    for labels in ([1, 3], np.array([1, 3]), torch.tensor([1, 3])):
        four["labels"] = labels
        assert gz.read_predictions(tmp_path / "scores.npy", **four).labels == ["b", "d"]
    # as pandas writes numbers of a column with gaps; and only where a table is read so
    path.write_text("label,top1\n490.0,65\n361.0,970\n")
    assert gz.read_predictions(path, **given).labels == ["n01751748", "n09193705"]
    np.savez(tmp_path / "p.npz", labels=[490, 361], predictions=[[65], [970]])
    with pytest.raises(DataError, match=r"p.npz holds positions in its own classes"):
        gz.read_predictions(tmp_path / "p.npz", numbered="devkit")
    one: Any = 1
    with pytest.raises(DataError, match="numbered is True, False or 'devkit', not 1"):
        gz.read_predictions(path, candidates="ilsvrc2012", numbered=one)

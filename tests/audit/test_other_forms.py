"""Single arrays, tensors, confusion matrices, numbered columns, and columns that are named."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
import torch
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.audit.run_files import read_run
from graphzsl.cli import main
from graphzsl.common import DataError

NAMES = ["cat", "dog", "bird"]
#: The second of four is wrong.
SCORES = np.array([[0.7, 0.2, 0.1], [0.6, 0.3, 0.1], [0.1, 0.2, 0.7], [0.0, 0.9, 0.1]])
LABELS = np.array([0, 1, 2, 1])


def _hit(source: Any, **options: Any) -> float:
    return gz.evaluate(source, wordnet=None, rounds=9, **options)["hit@1"].per_sample


@pytest.mark.parametrize("labels", ["labels.npy", "names.npy", "labels.txt", "names.txt"])
def test_one_array_and_its_labels(tmp_path: Path, labels: str) -> None:
    np.save(tmp_path / "s.npy", SCORES.astype(np.float16))
    np.save(tmp_path / "labels.npy", LABELS)
    np.save(tmp_path / "names.npy", np.array(NAMES)[LABELS])
    (tmp_path / "labels.txt").write_text("\n".join(map(str, LABELS)))
    (tmp_path / "names.txt").write_text("\n".join(np.array(NAMES)[LABELS]))
    options = {"candidates": NAMES, "labels": tmp_path / labels}
    assert _hit(tmp_path / "s.npy", **options) == 0.75
    np.save(tmp_path / "s.npy", SCORES.argmax(axis=1))
    assert _hit(tmp_path / "s.npy", **options) == 0.75
    np.save(tmp_path / "s.npy", np.argsort(-SCORES, axis=1)[:, :2])
    assert _hit(tmp_path / "s.npy", **options) == 0.75


def test_one_array_that_may_be_either(tmp_path: Path) -> None:
    np.save(tmp_path / "s.npy", np.argsort(-SCORES, axis=1))
    (tmp_path / "l.txt").write_text("0\n1\n2\n1\n")
    with pytest.raises(DataError, match="one number per candidate: scores, or lists of classes"):
        _hit(tmp_path / "s.npy", candidates=NAMES, labels=tmp_path / "l.txt")
    with pytest.raises(
        DataError, match=r"s\.npy: an array \[4, 3\] of int64, and nothing says what"
    ):
        _hit(tmp_path / "s.npy", candidates=NAMES)
    np.save(tmp_path / "l.npy", np.array([0, 1, -1, 1]))
    np.save(tmp_path / "f.npy", SCORES)
    with pytest.raises(DataError, match="label -1 of sample 2 is not a position from 0 to 2"):
        _hit(tmp_path / "f.npy", candidates=NAMES, labels=tmp_path / "l.npy")
    (tmp_path / "l.txt").write_text("0\n1\n2\n")
    with pytest.raises(DataError, match=r"l\.txt holds 3 true classes for 4 samples"):
        _hit(tmp_path / "s.npy", labels=tmp_path / "l.txt")


def test_tensors(tmp_path: Path) -> None:
    path = tmp_path / "p.pt"
    for scores in (
        torch.tensor(SCORES),
        torch.tensor(SCORES).half(),
        torch.tensor(SCORES).bfloat16(),
    ):
        torch.save({"logits": scores, "labels": torch.tensor(LABELS)}, path)
        assert _hit(path, candidates=NAMES) == 0.75
    torch.save({"logits": torch.tensor(SCORES), "targets": LABELS.tolist(), "classes": NAMES}, path)
    assert _hit(path) == 0.75
    torch.save({"logits": torch.tensor(SCORES)}, path)
    with pytest.raises(DataError, match=r"p\.pt: labels are not in it: it holds 'logits'"):
        _hit(path, candidates=NAMES)
    assert _hit(path, candidates=NAMES, labels=np.array(NAMES)[LABELS].tolist()) == 0.75
    torch.save(torch.tensor(SCORES), path)
    with pytest.raises(DataError, match=r"an array \[4, 3\] of float32, and nothing says what is"):
        _hit(path, candidates=NAMES)
    assert _hit(path, candidates=NAMES, labels=np.array(NAMES)[LABELS].tolist()) == 0.75
    torch.save((torch.tensor(SCORES), torch.tensor(LABELS)), path)
    assert _hit(path, candidates=NAMES) == 0.75
    torch.save("text", path)
    with pytest.raises(DataError, match="it is no dictionary"):
        _hit(path, candidates=NAMES)


MATRIX = np.array([[45, 3, 2], [5, 44, 1], [0, 0, 50]])


@pytest.mark.parametrize(
    "corner", ["", "true/predicted", "predicted\\true", "label", "true", "pred"]
)
def test_confusion_matrices_of_text(tmp_path: Path, corner: str) -> None:
    """By hand: (45 + 44 + 50) / 150 are right, and 45 of 50 cats."""
    frame = pandas.DataFrame(MATRIX, index=NAMES, columns=NAMES)
    frame = frame.T if corner.startswith("pred") else frame
    frame.rename_axis(corner).to_csv(tmp_path / "cm.csv")
    found = gz.evaluate(tmp_path / "cm.csv", wordnet=None, rounds=9)
    assert found["hit@1"].per_sample == pytest.approx(139 / 150)
    of_cats = {row["wnid"]: row["hit@1"] for row in found.class_rows()}["cat"]
    assert of_cats == pytest.approx(45 / 50)
    worst = found.confusions()[0]
    assert (worst["true"], worst["predicted"], worst["samples"]) == ("dog", "cat", 5)
    assert "read as a confusion matrix of 150 samples, rows are true classes" in found.notes[0]


def test_confusion_matrices_as_pandas_makes_them(tmp_path: Path) -> None:
    """crosstab names its sides, and can add their sums."""
    rows, columns = np.divmod(np.repeat(np.arange(9), MATRIX.ravel()), 3)
    true = pandas.Series(np.array(NAMES)[rows], name="label")
    predicted = pandas.Series(np.array(NAMES)[columns], name="pred")
    for table in (
        pandas.crosstab(true, predicted),
        pandas.crosstab(predicted, true),
        pandas.crosstab(true, predicted, margins=True),
    ):
        found = gz.evaluate(table, wordnet=None, rounds=9)
        assert found["hit@1"].per_sample == pytest.approx(139 / 150)
        assert found.confusions()[0]["true"] == "dog"
        table.to_csv(tmp_path / "cm.csv")
        assert _hit(tmp_path / "cm.csv") == pytest.approx(139 / 150)
    names = ["kite, bird", "owl", "cat"]
    pandas.DataFrame(MATRIX, index=names, columns=names).to_csv(tmp_path / "cm.csv")
    assert _hit(tmp_path / "cm.csv") == pytest.approx(139 / 150)
    numbers = ["0", "1", "2"]
    pandas.DataFrame(MATRIX, index=numbers, columns=numbers).to_csv(tmp_path / "cm.csv")
    found = gz.evaluate(tmp_path / "cm.csv", candidates=NAMES, wordnet=None, rounds=9)
    assert found.confusions()[0]["true"] == "dog"
    with pytest.raises(DataError, match="labels and columns have no effect"):
        _hit(tmp_path / "cm.csv", candidates=NAMES, labels=NAMES * 50)


#: Cross-tabulations: counts by the true class, in the order of the predicted ones, and the hit@1
#: that follows from them by hand.
CROSSTABS = {
    "the cock is never true": (["cock", "cat", "owl"], {"cat": [1, 3, 0], "owl": [0, 2, 4]}, 0.7),
    "the owl is never predicted": (
        ["cat", "hen"],
        {"cat": [3, 1], "hen": [0, 2], "owl": [4, 0]},
        0.5,
    ),
    "both": (["cat", "cock"], {"cat": [3, 1], "owl": [2, 4]}, 0.3),
    "another order": (["cat", "owl"], {"owl": [1, 4], "cat": [3, 2]}, 0.7),
}


@pytest.mark.parametrize("what", CROSSTABS)
def test_cross_tabulations_that_are_not_square(tmp_path: Path, what: str) -> None:
    """They are no scores of as many samples as there are true classes."""
    columns, rows, hit = CROSSTABS[what]
    counts = pandas.DataFrame.from_dict(rows, orient="index", columns=columns)
    counts = counts.rename_axis("true").rename_axis("pred", axis="columns")
    sums = pandas.concat([counts, counts.sum().to_frame("All").T]).rename_axis("true")
    sums["All"] = sums.sum(axis=1)
    turned = counts.T
    for table in (counts, turned, sums) if min(counts.shape) > 2 else (counts, turned):
        table.to_csv(tmp_path / "cm.csv")
        for source in (table, tmp_path / "cm.csv"):
            found = gz.evaluate(source, wordnet=None, rounds=9)
            assert len(found.predictions.labels) == counts.to_numpy().sum()
            assert found["hit@1"].per_sample == pytest.approx(hit)
            lacking = set(columns) ^ set(rows)
            assert sum("in the confusion matrix" in note for note in found.notes) == len(lacking)


def test_numbers_that_are_no_cross_tabulation(tmp_path: Path) -> None:
    """Ranked positions in columns 0, 1, …, and scores of samples of which two are of one class."""
    lists = pandas.DataFrame([[2, 0, 1], [1, 2, 0]])
    lists.to_csv(tmp_path / "lists.csv", index=False)
    labels = {"labels": ["cat", "dog"], "candidates": NAMES}
    found = gz.evaluate(lists, wordnet=None, rounds=9, numbered=True, **labels)
    assert found["hit@1"].per_sample == 0.5, "bird, dog"
    scores = "label,cat,dog,bird\ncat,3,1,0\ncat,1,0,4\n"
    (tmp_path / "scores.csv").write_text(scores)
    assert _hit(tmp_path / "scores.csv") == 0.5
    # a matrix without its end passes for no cross-tabulation
    (tmp_path / "cut.csv").write_text(",cat,dog,bird\ncat,3,1,0\ndog,1,2,4\n")
    with pytest.raises(DataError, match="a confusion matrix of 3 columns has 2 rows"):
        _hit(tmp_path / "cut.csv")


def test_numbers_of_classes_in_a_cross_tabulation(tmp_path: Path) -> None:
    """Class 1 is never true; 4 of 6 samples are right."""
    true = pandas.Series([0, 0, 2, 2, 2, 0], name="true")
    table = pandas.crosstab(true, pandas.Series([0, 0, 2, 2, 1, 1], name="pred"))
    table.to_csv(tmp_path / "cm.csv")
    for source in (table, tmp_path / "cm.csv"):
        found = gz.evaluate(source, wordnet=None, rounds=9, candidates=NAMES)
        assert found["hit@1"].per_sample == pytest.approx(4 / 6)
        assert set(found.predictions.labels) == {"cat", "bird"}


@pytest.mark.parametrize(
    ("name", "cells", "corner"),
    [
        ("recall", [0.9, 0.88, 1], ""),
        ("accuracy", ["90%", "88%", "100%"], ""),
        ("total", [50, 50, 50], ""),
        ("total", [50, 50, 50], "true"),
    ],
)
def test_columns_and_rows_that_are_no_class(
    tmp_path: Path, name: str, cells: list[Any], corner: str
) -> None:
    """Sums of rows alone would be counts of a class that is never true."""
    frame = pandas.DataFrame(MATRIX, index=NAMES, columns=NAMES).assign(**{name: cells})
    frame.rename_axis(corner).to_csv(tmp_path / "cm.csv")
    sources = [tmp_path / "cm.csv"] if name == "accuracy" else [frame, tmp_path / "cm.csv"]
    for source in sources:
        with pytest.raises(DataError, match=f"no row is called as the column '{name}'"):
            _hit(source)
    if name != "total":
        return
    sums = pandas.DataFrame([*MATRIX, MATRIX.sum(axis=0)], index=[*NAMES, name], columns=NAMES)
    sums.rename_axis(corner).to_csv(tmp_path / "cm.csv")
    for source in (sums, tmp_path / "cm.csv"):
        with pytest.raises(DataError, match=f"no column is called as the row '{name}'"):
            _hit(source)


@pytest.mark.parametrize(
    ("rows", "expected"), [(["cat", "dog", "cat"], 2 / 3), (["cat", "dog"], 1)]
)
def test_scores_below_a_name_of_rows_are_no_matrix(rows: list[str], expected: float) -> None:
    scores = np.array([[0.9, 0.05, 0.05], [0.1, 0.7, 0.2], [0.2, 0.3, 0.5]])[: len(rows)]
    frame = pandas.DataFrame(scores, index=pandas.Index(rows, name="label"), columns=NAMES)
    assert _hit(frame) == pytest.approx(expected)


def test_a_class_may_have_the_counts_of_the_others_together() -> None:
    """emu is never predicted, and its samples are taken for a cat and a dog, once each."""
    true = pandas.Series(["cat", "dog", "emu", "emu"], name="true")
    table = pandas.crosstab(true, pandas.Series(["cat", "dog", "cat", "dog"], name="predicted"))
    assert _hit(table) == pytest.approx(2 / 4)


def test_confusion_matrices_of_arrays(tmp_path: Path) -> None:
    np.save(tmp_path / "cm.npy", MATRIX)
    assert _hit(tmp_path / "cm.npy", candidates=NAMES) == pytest.approx(139 / 150)
    assert _hit(pandas.DataFrame(MATRIX, index=NAMES, columns=NAMES)) == pytest.approx(139 / 150)
    with pytest.raises(DataError, match="matrix of 3 classes needs 3 candidates"):
        _hit(tmp_path / "cm.npy")
    shares = pandas.DataFrame(MATRIX / 50, index=NAMES, columns=NAMES)
    with pytest.raises(DataError, match="Shares do not say how many"):
        _hit(shares)
    text = ",cat,dog,bird\ncat,45,3,2\ndog,5,x,1\nbird,0,0,50\n"
    (tmp_path / "cm.csv").write_text(text)
    with pytest.raises(DataError, match=r"cm\.csv:3: 'x' is no count"):
        _hit(tmp_path / "cm.csv")
    (tmp_path / "cm.csv").write_text(text.replace("x", "4").replace("bird,0", "fish,0"))
    with pytest.raises(DataError, match=r"cm\.csv:4: expected the row of 'bird'"):
        _hit(tmp_path / "cm.csv")


@pytest.mark.parametrize("label_first", [True, False])
@pytest.mark.parametrize("numbered", [True, False])
def test_numbered_columns_of_scores(tmp_path: Path, label_first: bool, numbered: bool) -> None:
    frame = pandas.DataFrame(SCORES, columns=["0", "1", "2"])
    frame.insert(0 if label_first else 3, "label", LABELS)
    for index in (True, False):
        frame.to_csv(tmp_path / "w.csv", index=index)
        assert _hit(tmp_path / "w.csv", candidates=NAMES, numbered=numbered) == 0.75
    frame["label"] = np.array(NAMES)[LABELS]
    frame.to_csv(tmp_path / "w.csv", index=False)
    assert _hit(tmp_path / "w.csv", candidates=NAMES) == 0.75
    with pytest.raises(DataError, match="nothing names their classes"):
        _hit(tmp_path / "w.csv")
    frame.drop(columns="label").to_csv(tmp_path / "w.csv", index=False)
    labels = np.array(NAMES)[LABELS].tolist()
    assert _hit(tmp_path / "w.csv", candidates=NAMES, labels=labels) == 0.75


def test_columns_of_two_models(tmp_path: Path) -> None:
    """Their columns are never first and second choice."""
    path = tmp_path / "two.csv"
    path.write_text("gt_class,clip_pred,clip_p,resnet_pred\ncat,cat,.9,dog\ndog,cat,.8,dog\n")
    for name, hit in (("clip_pred", 0.5), ("resnet_pred", 0.5)):
        found = gz.evaluate(path, wordnet=None, rounds=9, label_column="gt_class", pred_column=name)
        assert (found["hit@1"].per_sample, found.predictions.top.shape[1]) == (hit, 1)
    turned = gz.evaluate(
        path,
        wordnet=None,
        rounds=9,
        label_column="gt_class",
        pred_column=["resnet_pred", "clip_pred"],
    )
    assert turned.predictions.rank.tolist() == [2, 1], "in the order that is given"
    both = gz.evaluate(
        path,
        wordnet=None,
        rounds=9,
        label_column="gt_class",
        pred_column=["clip_pred", "resnet_pred"],
    )
    assert both["hit@2"].per_sample == 1, "the caller says that they are one model's"
    path.write_text("label,clip_pred,resnet_pred\ncat,cat,dog\ndog,cat,dog\n")
    with pytest.raises(
        DataError, match=r"clip_pred, resnet_pred may each hold predictions.*\(pred_"
    ):
        raise _error(path)
    path.write_text("label,prediction,y_pred\ncat,cat,dog\ndog,cat,dog\n")
    with pytest.raises(DataError, match="prediction, y_pred may each hold predictions"):
        raise _error(path)
    for wrong, near in (("clip", "clip_pred"), ("nothing", "")):
        path.write_text("label,clip_pred,resnet_pred\ncat,cat,dog\ndog,cat,dog\n")
        with pytest.raises(DataError, match=f"no column is called '{wrong}'.*{near}"):
            gz.evaluate(path, pred_column=wrong)
    path.write_text("cat,cat,dog\ndog,cat,dog\n")
    with pytest.raises(DataError, match="has no header, so its columns have no names"):
        gz.evaluate(path, pred_column="clip")


def _error(path: Path) -> DataError:
    with pytest.raises(DataError) as error:
        gz.evaluate(path, wordnet=None)
    said = error.value
    return DataError(f"{said.message} ({said.argument})")


def test_columns_that_contradict(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("label,a,b,p\ncat,cat,dog,.5\ndog,cat,dog,.6\n")
    for options, said in (
        ({"pred_column": ["a", "b"], "score_column": "p"}, "One column of scores is of one column"),
        ({"pred_column": "a", "label_column": "label", "labels": ["cat", "dog"]}, "one of both"),
    ):
        with pytest.raises(DataError, match=said):
            gz.evaluate(path, wordnet=None, **options)
    path.write_text("file_name,kingdom,genus,species,score\nx/1.jpg,Animalia,cat,dog,.9\n")
    assert gz.read_predictions(path, pred_column="genus", truth="folder").candidates == ["cat", "x"]
    np.savez(tmp_path / "p.npz", topk=[["a"]], labels=["a"])
    with pytest.raises(DataError, match="holds arrays, which have no columns"):
        gz.read_predictions(tmp_path / "p.npz", label_column="label")


def test_numbers_that_are_names_in_an_archive(tmp_path: Path) -> None:
    """Folders in the order of texts: 0, 1, 10, 2. The labels are names, and no positions."""
    np.savez(tmp_path / "p.npz", scores=np.eye(3)[[0, 1]], classes=["2", "0", "1"])
    (tmp_path / "l.txt").write_text("2\n0\n")
    assert gz.read_predictions(tmp_path / "p.npz", labels=tmp_path / "l.txt").rank.tolist() == [
        1,
        1,
    ]


def test_scores_of_one_row_per_prediction_by_their_column(tmp_path: Path) -> None:
    path = tmp_path / "long.csv"
    path.write_text("file,gt,guess,how\n1,cat,dog,.2\n1,cat,cat,.8\n2,dog,dog,.1\n2,dog,cat,.9\n")
    found = gz.evaluate(path, wordnet=None, rounds=9, pred_column="guess", score_column="how")
    assert found["hit@1"].per_sample == 0.5


def test_the_command_line_takes_them(tmp_path: Path) -> None:
    (tmp_path / "two.csv").write_text(
        "what,clip_pred,resnet_pred\ntench,tench,hen\nhen,hen,tench\n"
    )
    np.save(tmp_path / "cm.npy", MATRIX)
    shutil.copy(tmp_path / "cm.npy", tmp_path / "again.npy")
    two = str(tmp_path / "two.csv")
    run = CliRunner().invoke
    refused = run(main, ["audit", two, "--label-column", "what"])
    assert refused.exit_code == 1
    assert "(--pred-column)" in refused.stderr
    found = run(
        main,
        ["audit", two, "--label-column", "what", "--pred-column", "clip_pred", "--format", "csv"],
    )
    assert found.exit_code == 0, found.output
    assert "hit@1,1.0" in found.stdout
    (tmp_path / "classes.txt").write_text("n02084071\nn02121620\nn02958343\n")
    matrix = [*("audit", str(tmp_path / "cm.npy")), "--candidates", str(tmp_path / "classes.txt")]
    found = run(main, [*matrix, "--format", "csv"])
    assert (found.exit_code, "hit@1,0.9266666666666667" in found.stdout) == (0, True)
    assert "--label-column has no effect" in run(main, [*matrix, "--label-column", "x"]).stderr


def test_accuracy_at_levels() -> None:
    """By hand: beagle has poodle's dog at level 1, dog is no cat there, and cat no dog."""
    pets = gz.Hierarchy.from_edges(
        [("poodle", "dog"), ("beagle", "dog"), ("dog", "pet"), ("cat", "pet")]
    )
    lists = [["beagle"], ["dog"], ["cat"]]
    found = gz.evaluate(["poodle", "cat", "poodle"], ranked=lists, wordnet=pets, rounds=9)
    rows = {row["name"]: (row["samples"], row["accuracy"]) for row in found.at(["0", 1, 2])}
    assert rows == {
        "level 0": (3, 1.0),
        "level 1": (3, pytest.approx(1 / 3)),
        "level 2": (3, 0.0),
    }
    assert [row["name"] for row in found.at(["dog", "cat", "1"])][2:] == ["all of these", "level 1"]
    with pytest.raises(DataError, match="deepest true class is at level 2 in the hierarchy, not 3"):
        found.at([3])


def test_accuracy_at_superclasses_and_below_a_node(tmp_path: Path) -> None:
    """By hand: two of three dogs stay dogs, the cat becomes a dog; the car is below neither."""
    path = tmp_path / "p.csv"
    rows = [
        "beagle,poodle",
        "beagle,beagle",
        "poodle,Egyptian cat",
        "Egyptian cat,beagle",
        "sports car,beagle",
    ]
    path.write_text("label,top1\n" + "\n".join(rows) + "\n")
    found = gz.evaluate(path, rounds=9)
    level = {row["name"]: (row["samples"], row["accuracy"]) for row in found.at(["dog", "cat"])}
    assert level == {
        "dog.n.01": (3, pytest.approx(2 / 3)),
        "cat.n.01": (1, 0.0),
        "all of these": (4, 0.5),
    }
    with pytest.raises(DataError, match="No true class is below these superclasses"):
        found.at(["bird"])
    with pytest.raises(DataError, match="There is no hierarchy for superclasses"):
        gz.evaluate(["a"], ["a"], wordnet=None, rounds=9).at(["dog"])
    audit = [
        "audit",
        str(path),
        "--at",
        "dog,cat,0",
        "--below",
        "carnivore.n.01",
        "--format",
        "csv",
    ]
    done = CliRunner().invoke(main, [*audit, "--out", str(tmp_path / "r.json")])
    assert done.exit_code == 0, done.output
    assert "accuracy at all of these,,0.5" in done.stdout
    assert "accuracy at level 0,,1.0" in done.stdout, "all are entities"
    assert "hit@1,0.25" not in done.stdout, "per class: beagle 1/2, poodle 0, cat 0"
    assert "Of 5 samples the 4 below carnivore.n.01 count" in done.stderr
    assert [row["samples"] for row in read_run(tmp_path / "r.json")["at"]] == [3, 1, 4, 4]
    for wrong, said in (
        ("bird.n.01", "No true class is below bird.n.01 (--below)"),
        ("fish", "'fish' names 4 noun synsets"),
        ("dog,,cat", "has an empty node"),
    ):
        done = CliRunner().invoke(main, ["audit", str(path), "--below", wrong])
        assert said in done.stderr

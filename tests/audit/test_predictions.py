"""Predictions from outside: labels by position, labels that are not candidates, headers, class
names, and files that are none."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

from graphzsl.audit import Predictions, read_predictions
from graphzsl.audit.evaluate import evaluate
from graphzsl.audit.evaluation_options import EvaluationOptions as Options
from graphzsl.cli import main
from graphzsl.common import DataError
from tests.audit.kinds import ranked
from tests.problems import mini_subgraph
from tests.reports.test_report import evaluation as _run

CLASSES = ["n00000010", "n00000020", "n00000030"]
A, B, C = CLASSES


def _scores(path: Path, labels: object, classes: object = CLASSES) -> Path:
    np.savez(path, scores=np.eye(3), classes=np.array(classes), labels=np.array(labels))
    return path


def test_integer_labels_beside_named_classes_are_positions(tmp_path: Path) -> None:
    """Scores are the identity: the predictions are class 0, 1, 2."""
    found = read_predictions(_scores(tmp_path / "x.npz", [0, 2, 2]))
    assert found.labels == [A, C, C]
    assert evaluate(found, Options(rounds=5))["metrics"]["hit@1"]["per_sample"] == pytest.approx(
        2 / 3
    )
    assert read_predictions(_scores(tmp_path / "x.npz", [7, 9, 9], [7, 8, 9])).labels == [
        "7",
        "9",
        "9",
    ]
    for bad in (3, -1):
        with pytest.raises(
            DataError, match=rf"label {bad} of sample 1 is not a position from 0 to 2 in classes"
        ):
            read_predictions(_scores(tmp_path / "x.npz", [0, bad, 1]))


def test_labels_that_are_no_candidates_are_an_error_or_misses(tmp_path: Path) -> None:
    path = _scores(tmp_path / "x.npz", [A, "n00000099", "n00000098"])
    with pytest.raises(
        DataError, match=r"sample 1: the true class n00000099 is none of the 3 candidates \(2 sampl"
    ):
        read_predictions(path)
    found = evaluate(read_predictions(path, missing="miss"), Options(rounds=5))
    assert found["metrics"]["hit@20"]["per_sample"] == pytest.approx(1 / 3)
    assert found["metrics"]["mean_rank"]["per_sample"] == pytest.approx((1 + 4 + 4) / 3)
    assert found["not_candidates"] == 2
    table = tmp_path / "x.csv"
    table.write_text(f"{A},{A}\nn00000099,{B}\n")
    with pytest.raises(
        DataError, match=r"x\.csv:2: the true class n00000099 is none of the 3 candidates"
    ):
        read_predictions(table, CLASSES)
    missed = read_predictions(table, CLASSES, missing="miss")
    assert missed.hits(1).tolist() == [1, 0]
    assert read_predictions(table).hits(1).tolist() == [
        1,
        0,
    ], "without candidates every name is one"


def _table(
    path: Path, text: str, classes: list[str] | None = None, numbered: bool = False
) -> Predictions:
    path.write_text(text)
    return read_predictions(path, classes, numbered=numbered)


@pytest.mark.parametrize(
    "text",
    [
        f"{A},{B},{A}\n{C},{C},\n",
        f"label,first,second\n{A},{B},{A}\n{C},{C},\n",
        f"image,label,top1,top2\n1.jpg,{A},{B},{A}\n2.jpg,{C},{C},\n",
        f"id\ttop2\ttop1\tTrue Label\n1\t{A}\t{B}\t{A}\n2\t\t{C}\t{C}\n",
        f",truth,pred-1,pred-2,pred-1-score\n0,{A},{B},{A},.7\n1,{C},{C},,.6\n",
        f"target,guess_2,score,guess_1\n{A},{A},.3,{B}\n{C},,.1,{C}\n",
    ],
)
@pytest.mark.parametrize("classes", [CLASSES, None])
def test_headers_by_their_columns(tmp_path: Path, text: str, classes: list[str] | None) -> None:
    found = _table(tmp_path / "x.csv", text, classes)
    assert found.labels == [A, C]
    listed = [[found.candidates[c] for c in row if c >= 0] for row in found.top.tolist()]
    assert listed == [[B, A], [C]]
    assert found.rank.tolist() == [2, 1]


def test_a_header_is_what_holds_no_class(tmp_path: Path) -> None:
    names = _table(tmp_path / "x.csv", "image,label\nlabel,file\n", ["image", "label", "file"])
    assert names.labels == ["image", "label"], "classes can be called like columns"
    assert _table(tmp_path / "x.csv", "image,file\nfile,image\n").labels == ["image", "file"]
    numbers = _table(
        tmp_path / "x.csv", "sample,y_true,y_pred\n17,0,2\n18,2,2\n", CLASSES, numbered=True
    )
    assert (numbers.labels, numbers.rank.tolist()) == ([A, C], [2, 1])
    with pytest.raises(
        DataError, match=r"x\.csv:1: none of image, answer is a candidate, and as a header"
    ):
        _table(tmp_path / "x.csv", f"image,answer\n{A},{B}\n", CLASSES)
    with pytest.raises(DataError, match=r"x\.csv:1: the header names no column of predictions"):
        _table(tmp_path / "x.csv", f"id,label\n1,{A}\n", CLASSES)
    longer = _table(tmp_path / "x.csv", f"id,label,pred\n1,{A},{B},{C},{A}\n", CLASSES)
    assert longer.rank.tolist() == [3], "the list goes on behind the header"
    with pytest.raises(DataError, match=r"x\.csv:2: 4 cells, but the header has 3"):
        _table(tmp_path / "x.csv", f"label,pred,id\n{A},{B},1,{C}\n", CLASSES)
    with pytest.raises(
        DataError, match=r"x\.csv:3: expected the true class and at least one prediction"
    ):
        _table(tmp_path / "x.csv", f"id,label,pred\n1,{A},{B}\n2,{A}\n", CLASSES)


def test_class_names_beside_a_hierarchy(tmp_path: Path) -> None:
    hierarchy = replace(mini_subgraph(), manifest={"whole": True}).hierarchy
    found = _table(tmp_path / "x.csv", "dog,cat\ncat,cat\n")
    with pytest.raises(
        DataError,
        match=r"'cat' is not a wnid: with a hierarchy, classes must be wnids such as n02121620",
    ):
        evaluate(found, Options(hierarchy, rounds=5))
    assert evaluate(found, Options(rounds=5))["metrics"]["hit@1"]["per_class"] == 0.5
    with pytest.raises(DataError, match="n00000001 is not a node of the hierarchy"):
        evaluate(
            _table(tmp_path / "x.csv", "n00000001,n00000001\n"),
            Options(hierarchy, rounds=5),
        )


def _refused(*arguments: object, status: int, message: str) -> None:
    found = CliRunner().invoke(main, [str(argument) for argument in arguments])
    assert found.exit_code == status, found.output
    assert message in " ".join(found.output.replace("│", " ").split()), found.output
    assert "Traceback" not in found.output


def test_what_the_command_refuses(tmp_path: Path) -> None:
    table = tmp_path / "x.csv"
    table.write_text(f"{A},{A}\n{B},{B}\n")
    audit, out = ("audit", table), ("--out", tmp_path / "o.json")
    _refused(
        "audit",
        tmp_path,
        *out,
        status=1,
        message="is a folder; expected an .npz of scores or a table",
    )
    _refused(*audit, "--rounds", -5, *out, status=2, message="-5 is not in the range")
    _refused(*audit, "--rounds", 0, *out, status=2, message="0 is not in the range")
    _refused(
        *audit,
        "--confidence",
        95,
        *out,
        status=2,
        message="95 is not between 0 and 1: write 0.95 for 95 %",
    )
    _refused(*audit, "--confidence", 1, *out, status=2, message="1 is not between 0 and 1")
    _refused(*audit, "--confidence", "nan", *out, status=2, message="nan is not between 0 and 1")
    _refused(*audit, "--seed", -1, *out, status=2, message="-1 is not in the range")
    _refused(
        "evaluate", "compare", table, table, "-k", 0, status=2, message="0 is not in the range"
    )
    _refused("evaluate", "words", table, "-k", 0, *out, status=2, message="'0' is not a whole")
    _refused("evaluate", "compare", table, status=2, message="Give two runs or more")
    _refused(
        "evaluate",
        "compare",
        table,
        table,
        status=1,
        message="x.csv: not a Parquet file that can be read",
    )
    (tmp_path / "r.json").write_text("{}")
    for name in ("compare", "agreement"):
        _refused(
            "evaluate", name, tmp_path / "r.json", table, status=1, message="r.json is not a run"
        )
    for name, candidates in (("r", 4), ("s", 5)):
        (tmp_path / f"{name}.json").write_text(json.dumps(_run(4) | {"candidates": candidates}))
    _refused(
        "evaluate",
        "compare",
        tmp_path / "r.json",
        table,
        status=1,
        message="r.samples.parquet does not exist",
    )
    _refused(
        "evaluate",
        "compare",
        tmp_path / "r.json",
        tmp_path / "s.json",
        status=1,
        message=f"{tmp_path}/r.json has 4 candidates, {tmp_path}/s.json 5: they are different"
        " tasks",
    )


def test_the_table_shows_what_ties_would_be_worth(tmp_path: Path) -> None:
    """Two of three samples tie with one other candidate: hit@1 is 1/3 at worst and 2/3 on
    average."""
    np.savez(
        tmp_path / "x.npz",
        scores=np.array([[1.0, 1, 0], [0, 1, 1], [0, 0, 1]]),
        classes=np.array(CLASSES),
        labels=np.array(CLASSES),
    )
    arguments = [
        "audit",
        f"{tmp_path}/x.npz",
        "--out",
        f"{tmp_path}/o.json",
        "--rounds",
        "50",
        "--format",
    ]
    found = CliRunner().invoke(main, [*arguments, "json"])
    assert found.exit_code == 0, found.output
    rows = {row["metric"]: row for row in json.loads(found.stdout)}
    assert rows["hit@1"]["per_class"] == pytest.approx(1 / 3)
    assert rows["hit@1"]["expected"] == pytest.approx(2 / 3)
    assert rows["hit@1"]["tied"] == pytest.approx(2 / 3)
    assert "expected" not in rows["hit@2"]
    assert "Ties count against the model" in found.stderr
    assert (
        "each end of a 95 % interval rests on 1.25 of the 50 bootstrap draws. Give --rounds 400"
        in found.stderr
    )
    assert ",expected,tied" in CliRunner().invoke(main, [*arguments, "csv"]).stdout.splitlines()[0]
    np.savez(
        tmp_path / "x.npz", scores=np.eye(3), classes=np.array(CLASSES), labels=np.array(CLASSES)
    )
    found = CliRunner().invoke(main, [*arguments, "csv"])
    assert "expected" not in found.output, "no tie, no column"


@pytest.mark.parametrize("kind", [np.uint8, np.int8])
def test_integer_scores_are_ordered_as_numbers(kind: type) -> None:
    """Negating them would wrap around."""
    scores = np.array([[0, 5, np.iinfo(kind).min]], kind)
    found = Predictions.from_scores(scores, ["a", "b", "c"], ["b"])
    assert found.rank.tolist() == [1]
    assert found.predicted() == ["b"]


def test_missing_candidates_and_classes_are_named() -> None:
    scores = [[0.9, 0.1, 0.2], [0.3, 0.4, 0.1]]
    for missing, said in (
        (None, "class 1: a class is a text, not None"),
        ("", "class 1: the class is empty"),
        (float("nan"), "candidate 1 is missing"),
    ):
        with pytest.raises(DataError, match=r"(?s)candidates, class 1: it is.*class 2: it is miss"):
            Predictions.from_scores(scores, ["a", missing, missing], ["a", "a"])
        with pytest.raises(DataError, match="the true class of sample 1: it is missing"):
            Predictions.from_scores(scores, ["a", "b", "c"], ["a", missing], missing="miss")
        with pytest.raises(DataError, match=said):
            ranked([["a"]], ["a"], ["a", missing])
        with pytest.raises(DataError, match="sample 0: the true class is missing"):
            ranked([["a"]], [missing])
        with pytest.raises(DataError, match=r"sample 0: expected .* at least one prediction, got"):
            ranked([[missing]], ["a"])
        assert ranked([["a", missing]], ["a"]).candidates == ["a"], "a list ends early"


def test_a_true_class_that_is_no_candidate_has_a_near_one() -> None:
    """Of wnids, one that is a slip away and a candidate; of others, what is spelt nearly so."""
    wnids, names = ["n02084071", "n02121620"], ["tench", "hen"]
    scores = [[0.9, 0.1]]
    for wrong, given, meant in (
        ("n02084017", wnids, " Did you mean 'n02084071'? Give"),
        ("n02084072", wnids, " Did you mean 'n02084071'? Give"),
        ("n02999999", wnids, "such a class). Give"),
        ("tensh", names, " Did you mean 'tench'? Give"),
    ):
        for read in (
            lambda: Predictions.from_scores(scores, given, [wrong]),  # noqa: B023
            lambda: ranked([given], [wrong], given),  # noqa: B023
        ):
            with pytest.raises(DataError) as error:
                read()
            assert f"the true class {wrong} is none of the 2 candidates (1 sample has" in str(
                error.value
            )
            assert meant in str(error.value)


@pytest.mark.parametrize(
    "seen",
    [
        ["cat", "dog", "cow"],
        {"cow", "dog", "cat"},
        {"dog": 1, "cow": 2, "cat": 3},
        ["cat"] * 3,
        frozenset({"cat"}),
        np.array(["dog", "cat", "dog"]),
        dict.fromkeys(["cat"]).keys(),
    ],
    ids=["list", "set", "dict", "repeats", "frozenset", "array", "keys"],
)
def test_training_classes_are_given_in_any_form(seen: Any) -> None:
    """A set of them, a dictionary by them, and some twice: a class is one of them or not."""
    scores, candidates = [[0.9, 0.1], [0.4, 0.6]], ["dog", "cat"]
    expected = sorted({"cat", "dog"} & set(seen))
    found = Predictions.from_scores(scores, candidates, candidates, seen=seen)
    assert sorted(found.seen) == expected
    lists = ranked([["dog"], ["cat"]], candidates, candidates, seen=seen)
    assert sorted(lists.seen) == expected


@pytest.mark.parametrize("seen", ["cat", b"cat", 3])
def test_what_is_no_list_of_training_classes(seen: Any) -> None:
    with pytest.raises(DataError, match="seen must be a list of classes, not"):
        Predictions.from_scores([[1.0]], ["cat"], ["cat"], seen=seen)

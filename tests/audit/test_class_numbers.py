"""Whole numbers among true classes, predicted ones and candidates mean the same in every form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow as pa
import pytest
import torch
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.cli import main
from graphzsl.common import DataError
from tests.audit.kinds import evaluated

#: Dog, cat and bird.
CLASSES = ["n02084071", "n02121620", "n01503061"]
NAMES = ["cat", "dog", "bird"]
#: Sample 0 and 2 right, sample 1 (a dog) taken for a bird.
SCORES = np.array([[0.9, 0.1, 0.0], [0.2, 0.3, 0.8], [0.1, 0.2, 0.7]])
LABELS: list[Any] = [
    [0, 1, 2],
    [0.0, 1.0, 2.0],
    np.array([0, 1, 2], np.uint8),
    np.array([0.0, 1.0, 2.0], np.float16),
    np.array([0, 1.0, 2], object),
    pandas.Series([0.0, 1.0, 2.0]),
    pandas.Series([0, 1, 2], dtype="Int64"),
    torch.tensor([[0.0], [1.0], [2.0]]),
]
PREDICTED: list[Any] = [
    SCORES,
    SCORES.tolist(),
    pandas.DataFrame(SCORES, columns=NAMES),
    torch.tensor(SCORES),
    [[0, 1], [2, 1], [2, 1]],
    [[0.0, 1.0], [2.0], [2.0, 1.0]],
    np.array([0.0, 2.0, 2.0]),
    ["cat", "bird", "bird"],
]


@pytest.mark.parametrize("labels", LABELS, ids=range(len(LABELS)))
def test_whole_numbers_are_positions_in_named_candidates(labels: Any) -> None:
    for predicted in PREDICTED:
        found = evaluated(labels, predicted, candidates=NAMES, wordnet=None, rounds=10)
        assert (found["hit@1"].per_sample, found.manifest["classes"]) == (2 / 3, 3)


def test_numbers_of_polars() -> None:
    polars: Any = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame(SCORES, schema=NAMES)
    for labels in (polars.Series([0.0, 1.0, 2.0]), polars.Series([0, 1, 2]), polars.Series(NAMES)):
        found = evaluated(labels, frame, candidates=NAMES, rounds=10)
        assert found["hit@1"].per_sample == 2 / 3


@pytest.mark.parametrize("labels", LABELS[:5], ids=range(5))
def test_predictions_of_scores_read_numbers_as_arrays_do(labels: Any) -> None:
    found = gz.Predictions.from_scores(SCORES, NAMES, labels)
    assert (found.labels, found.rank.tolist()) == (NAMES, [1, 2, 1])
    assert gz.Predictions.from_scores(SCORES, [1.0, 0.0, 2.0], labels).labels == ["0", "1", "2"]


@pytest.mark.parametrize("candidates", [[1, 0, 2], [1.0, 0.0, 2.0], np.array([1, 0, 2])])
def test_numbers_that_are_candidates_are_names(candidates: Any) -> None:
    """The first column is class 1, and no position is meant."""
    for labels in (*LABELS, ["0", "1", "2"]):
        told = {"candidates": candidates, "wordnet": None, "rounds": 10}
        assert evaluated(labels, SCORES, **told)["hit@1"].per_sample == 1 / 3
        assert evaluated(labels, [1.0, 2.0, 2.0], **told)["hit@1"].per_sample == 1 / 3


def test_numbers_are_no_words() -> None:
    """Numbers stay numbers where names are looked up in WordNet."""
    for candidates in ([1, 0, 2], range(3)):
        found = evaluated([0.0, 1.0, 2.0], SCORES, candidates=candidates, train=[0], rounds=10)
        assert found.generalized is not None


def test_a_table_of_numbers_has_numbers_as_candidates() -> None:
    table = pandas.DataFrame({"label": [0, 1, 2], "top1": [0, 2, 2]})
    for candidates in ([0, 1, 2], [2.0, 1.0, 0.0], ["0", "1", "2"], range(3)):
        found = gz.evaluate(table, candidates=candidates, wordnet=None, rounds=10)
        assert found["hit@1"].per_sample == 2 / 3


@pytest.mark.parametrize(
    ("y_true", "predicted", "candidates", "said"),
    [
        ([0.5, 1, 2], SCORES, NAMES, "sample 0: the true class is 0.5, neither a name nor a whole"),
        ([0, np.nan, 2], SCORES, NAMES, "sample 1: the true class is missing"),
        ([0, None, 2], SCORES, NAMES, "sample 1: the true class is missing"),
        ([0, 1, np.inf], SCORES, NAMES, "sample 2: the true class is inf, neither"),
        ([0, 1, 1e30], SCORES, [0, 1, 2], r"sample 2: the true class is 1e\+30, neither"),
        (["cat", "dog"], [0.9, 0.2], None, "sample 0: a predicted class is 0.9, neither"),
        (["cat", "dog"], [[1], [0.5, 1]], NAMES, "sample 1: a predicted class is 0.5, neither"),
        ([0, 1, 2], SCORES, [0, 1, 2.5], "candidate 2 is 2.5, neither a name nor a whole number"),
        (
            [0, 1, 2],
            SCORES,
            ["cat", "dog", None],
            "candidates, class 2: a class is a text, not None",
        ),
        ([-1, 1], ["c-1", "c-2"], None, "is '-1' and 'c-1' is predicted: one side is of numbers"),
    ],
)
def test_other_numbers_are_refused(y_true: Any, predicted: Any, candidates: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        evaluated(y_true, predicted, candidates=candidates, wordnet=None)


@pytest.mark.parametrize(
    ("labels", "lists"),
    [
        (["0", "1"], [["0", "1"], ["1", "0"]]),
        (["0", "1"], ["0", "1"]),
        (["0", "1"], [CLASSES[:2], CLASSES[1::-1]]),
        (CLASSES[:2], [["0", "1"], ["1", "0"]]),
        (["0", "1"], [[0.9, 0.1, 0.0], [0.1, 0.9, 0.0]]),
    ],
)
def test_what_is_recommended_for_texts_of_numbers_works(labels: list[str], lists: Any) -> None:
    """Arrays say by their type that classes are positions, tables by an argument."""

    def as_integers(values: Any) -> Any:
        array = np.array(values)
        is_number = array.dtype.kind == "U" and np.char.isdecimal(array).all()
        return array.astype(int) if is_number else array

    with pytest.raises(
        DataError, match=r"such as '0'\..*as integers, values\.astype\(int\)\.$"
    ) as e:
        evaluated(labels, lists, candidates=CLASSES)
    assert e.value.argument is None
    done = evaluated(as_integers(labels), as_integers(lists), candidates=CLASSES)
    assert done["hit@1"].per_class == 1


def test_names_and_numbers_in_one_array_are_no_positions() -> None:
    with pytest.raises(DataError, match=r"Give names alone, or positions alone as integers\.$"):
        evaluated([CLASSES[0], "1"], [[0, 1], [1, 0]], candidates=CLASSES)


def test_a_frame_is_told_that_its_numbers_are_positions() -> None:
    frame = pa.table({"label": ["0", "1"], "pred": ["0", "1"]})
    with pytest.raises(DataError, match=r"positions in the candidates \(numbered=True\)\.$"):
        gz.evaluate(frame, candidates=CLASSES)
    assert gz.evaluate(frame, candidates=CLASSES, numbered=True)["hit@1"].per_class == 1


def test_the_option_of_numbers_is_named_where_it_has_an_effect(tmp_path: Path) -> None:
    (tmp_path / "c.txt").write_text("\n".join(CLASSES))
    (tmp_path / "p.csv").write_text("label,pred\n0,0\n1,1\n")
    np.savez(tmp_path / "p.npz", topk=[["0", "1"]], labels=["0"])
    options = ["--candidates", str(tmp_path / "c.txt")]
    done = CliRunner().invoke(main, ["audit", str(tmp_path / "p.csv"), *options])
    assert done.stderr.endswith("say that they are positions in the candidates (--numbered).\n")
    done = CliRunner().invoke(main, ["audit", str(tmp_path / "p.csv"), *options, "--numbered"])
    assert done.exit_code == 0, done.stderr
    done = CliRunner().invoke(main, ["audit", str(tmp_path / "p.npz"), *options])
    assert "p.npz: the classes are texts of numbers, such as '0'." in done.stderr
    assert "numbered" not in done.stderr

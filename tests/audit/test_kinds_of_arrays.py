"""What else people have their scores, lists and classes in: every kind of array says the same, or
is refused with what is wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pyarrow as pa
import pytest
import torch
from scipy import sparse

import graphzsl as gz
from graphzsl.common import DataError
from graphzsl.data import load_samples
from graphzsl.embeddings import read_class_head
from tests.audit.kinds import evaluated, of_arrays, ranked

NAMES = ["cat", "dog", "bird"]
LABELS = ["cat", "dog", "bird"] * 4
#: All right but samples 1 and 7, dogs that are taken for birds.
SCORES = np.eye(3)[[0, 2, 2, 0, 1, 2, 0, 2, 2, 0, 1, 2]] + 0.25
FRAME = pandas.DataFrame(SCORES, columns=NAMES)
LISTS = [[NAMES[place], NAMES[place - 1]] for place in SCORES.argmax(axis=1)]


def _hits(y_true: Any, predicted: Any, **told: Any) -> float:
    found = evaluated(y_true, predicted, wordnet=None, rounds=10, **told)
    return found["hit@1"].per_sample * len(LABELS)


@pytest.mark.parametrize(
    "labels",
    [
        pandas.Series(LABELS, dtype="category"),
        pandas.Series(LABELS, index=range(12, 0, -1), dtype="string"),
        pa.array(LABELS),
        pa.array(LABELS).dictionary_encode(),
        pa.chunked_array([LABELS[:5], LABELS[5:]]),
        np.array(LABELS, np.dtypes.StringDType()),
        np.array(LABELS, "S"),
        tuple(LABELS),
        torch.arange(12).bfloat16() % 3,
    ],
    ids=range(9),
)
def test_classes(labels: Any) -> None:
    assert _hits(labels, SCORES, candidates=NAMES) == 10


@pytest.mark.parametrize(
    "scores",
    [
        FRAME.convert_dtypes(),
        FRAME.convert_dtypes(dtype_backend="pyarrow"),
        FRAME.astype(np.float16),
        pa.Table.from_pandas(FRAME),
        pandas.Series(SCORES.tolist()),
        pandas.Series(list(SCORES)),
        pa.FixedSizeListArray.from_arrays(pa.array(SCORES.ravel()), 3),
        SCORES.astype(object),
        SCORES.astype(">f8"),
        np.ma.masked_array(SCORES, mask=False),
        torch.tensor(SCORES, requires_grad=True).bfloat16(),
        torch.tensor(SCORES).to(torch.float8_e4m3fn),
        [torch.tensor(row) for row in SCORES],
    ],
    ids=range(13),
)
def test_scores(scores: Any) -> None:
    assert _hits(LABELS, scores, candidates=NAMES) == 10


@pytest.mark.parametrize(
    "lists",
    [
        pandas.Series(LISTS),
        pandas.Series([np.array(each) for each in LISTS]),
        pandas.Series([each[: 1 + place % 2] for place, each in enumerate(LISTS)]),
        pa.array(LISTS),
        pa.array([each[: 1 + place % 2] for place, each in enumerate(LISTS)]),
    ],
    ids=range(5),
)
def test_lists(lists: Any) -> None:
    assert _hits(LABELS, lists) == 10


def test_candidates() -> None:
    for candidates in (pa.array(NAMES), pandas.Index(NAMES), pandas.Categorical(NAMES), (*NAMES,)):
        assert _hits(LABELS, SCORES, candidates=candidates) == 10
    numbers = np.arange(12) % 3
    for places in (torch.arange(3), range(3), pa.array([0, 1, 2])):
        assert _hits(numbers, SCORES, candidates=places) == 10


def test_infinite_half_floats_are_scores() -> None:
    scores = SCORES.astype(np.float16)
    scores[7, 1] = np.inf
    assert _hits(LABELS, scores, candidates=NAMES) == 11
    scores[7] = [-np.inf, np.inf, np.inf]  # which tie, against the model
    assert _hits(LABELS, scores, candidates=NAMES) == 10


def _without_row_7() -> list[Any]:
    half = SCORES.astype(np.float16)
    half[7, 1] = np.nan
    nullable = FRAME.convert_dtypes()
    nullable.iloc[7, 1] = pandas.NA
    mask = np.zeros_like(SCORES, dtype=bool)
    mask[7, 1] = True
    cells = SCORES.astype(object)
    cells[7, 1] = None
    return [
        half,
        pandas.DataFrame(half, columns=NAMES),
        nullable,
        nullable.convert_dtypes(dtype_backend="pyarrow"),
        np.ma.masked_array(SCORES, mask=mask),
        pa.table({name: [*cells[:, place]] for place, name in enumerate(NAMES)}),
    ]


@pytest.mark.parametrize("scores", _without_row_7(), ids=range(6))
def test_a_score_that_is_missing_is_named(scores: Any) -> None:
    with pytest.raises(DataError, match=r"a score of sample 7 \(dog\) is not a number"):
        _hits(LABELS, scores, candidates=NAMES)


LEVELS = pandas.MultiIndex.from_tuples([("score", name) for name in NAMES])
MASKED = np.ma.masked_array(np.arange(12) % 3, mask=[False] * 7 + [True] * 5)


@pytest.mark.parametrize(
    ("y_true", "predicted", "said"),
    [
        (LABELS, torch.tensor(SCORES).to_sparse(), "predictions: numpy cannot read this tensor"),
        (LABELS, torch.empty(12, 3, device="meta"), "predictions: numpy cannot read this tensor"),
        (LABELS, sparse.csr_array(SCORES), "must be names or numbers; got csr_array"),
        (LABELS, [{"cat"}] * 12, "must be names or numbers; got object"),
        ((each for each in LABELS), SCORES, "y_true must be names or numbers; got generator"),
        (LABELS, FRAME.assign(file="1.jpg"), "predictions hold names and the number 1.25, which"),
        (LABELS, FRAME.set_axis(LEVELS, axis=1), "columns of the DataFrame have 2 levels. Keep"),
        (LABELS[:11], SCORES, r"scores \(12, 3\) do not fit 11 labels and 3 classes"),
        (LABELS, SCORES[:, :1], r"there is 1 column of scores for 3 candidates\."),
        (MASKED, SCORES, "sample 7: the true class is missing"),
        ([], np.zeros((0, 3)), "there is no sample"),
    ],
)
def test_what_is_no_array(y_true: Any, predicted: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        _hits(y_true, predicted, candidates=NAMES)


def test_frames_off_the_path() -> None:
    table = pandas.DataFrame({"label": LABELS, "top1": [each[0] for each in LISTS]})
    rows = pandas.MultiIndex.from_tuples([("a", row) for row in range(12)], names=["set", "id"])
    for frame in (table, table.astype("category"), table.set_axis(rows)):
        assert _hits(frame, None) == 10
    with pytest.raises(DataError, match="columns of the DataFrame have 2 levels"):
        _hits(table.set_axis(LEVELS[:2], axis=1), None)
    with pytest.raises(DataError, match="holds no prediction"):
        _hits(table[:0], None)
    with pytest.raises(DataError, match="two columns are called label"):
        _hits(table.set_axis(["label", "label"], axis=1), None)
    with pytest.raises(DataError, match="cat is there twice: class 0 and class 1"):
        _hits(LABELS, FRAME.set_axis(["cat", "cat", "dog"], axis=1))


def test_predictions_of_odd_scores_and_lists() -> None:
    scores = torch.tensor(SCORES, requires_grad=True).bfloat16()
    assert (gz.Predictions.from_scores(scores, NAMES, pandas.Series(LABELS)).rank == 1).sum() == 10
    with pytest.raises(DataError, match=r"labels must be one class per sample \[N\]; they are"):
        gz.Predictions.from_scores(SCORES, NAMES, np.zeros((12, 2), int))
    with pytest.raises(DataError, match="scores are complex128, and neither names nor"):
        gz.Predictions.from_scores(SCORES + 0j, NAMES, LABELS)
    numbers = ranked([[1.0, 0.0]], [0.0], [0, 1])
    assert (numbers.candidates, numbers.labels, numbers.rank.tolist()) == (["0", "1"], ["0"], [2])
    assert ranked(["cat"], ["cat"]).candidates == ["cat"], "a text is a class, not letters"


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ({"rounds": 0}, "rounds must be a whole number of at least 1, not 0"),
        ({"confidence": 2}, "confidence must be a number above 0 and below 1, not 2"),
        ({"seed": -1}, "seed must be a whole number of at least 0, not -1"),
        ({"k": 2.5}, r"k must be one number or several, such as \[1, 5\], not 2\.5"),
        ({"candidates": 3}, "3 is neither a file, an ImageNet list, nor several classes"),
    ],
)
def test_wrong_options_are_named(told: dict[str, Any], said: str) -> None:
    with pytest.raises(DataError, match=said):
        evaluated(LABELS, SCORES, **{"candidates": NAMES, "wordnet": None, **told})
    assert len(evaluated(LABELS, FRAME, k=np.array([1, 2]), rounds=10)) > 2
    one, several = (evaluated(LABELS, FRAME, k=k, rounds=10) for k in (2, [2]))
    assert {*one} == {*several} > {"hit@2"}


def test_one_class_alone() -> None:
    found = evaluated([0] * 3, np.ones((3, 1)), candidates=["cat"], wordnet=None)
    assert repr(found) == ("<Evaluation: hit@1 1 per class, 3 samples of 1 class, 1 candidate>")


ROWS = [f"image {row}" for row in range(12)]


def test_rows_go_by_the_index_of_pandas(capsys: pytest.CaptureFixture[str]) -> None:
    """The same rows in another order, for scores, lists, and classes; by hand: 10 of 12 right."""
    labels = pandas.Series(LABELS, index=ROWS)
    scores, lists = FRAME.set_axis(ROWS), pandas.Series(LISTS, index=ROWS)
    first = lists.map(lambda each: each[0])
    for given in (scores, lists, first, labels.to_frame().assign(top=first)["top"]):
        assert _hits(labels, given, candidates=NAMES) == 10
        assert capsys.readouterr().err == ""
        assert _hits(labels, given[::-1], candidates=NAMES) == 10
        said = " ".join(capsys.readouterr().err.split())
        assert "predictions is put in the order of y_true, by their indices" in said
    assert (gz.Predictions.from_scores(scores[::-1], NAMES, labels).rank == 1).sum() == 10
    assert (ranked(lists[::-1], labels).rank == 1).sum() == 10
    frame = pandas.DataFrame({"top1": first})
    assert gz.evaluate(frame, labels=labels[::-1], wordnet=None)["hit@1"].per_sample == 10 / 12


def test_columns_of_scores_go_by_their_names(capsys: pytest.CaptureFixture[str]) -> None:
    """By hand: 10 of 12 right, in whatever order the columns are; fewer when taken by place."""
    named = FRAME.set_axis(NAMES, axis=1)
    turned = named[NAMES[::-1]]

    def hits(scores: Any) -> int:
        return int((gz.Predictions.from_scores(scores, NAMES, LABELS).rank == 1).sum())

    assert hits(named) == hits(FRAME.to_numpy()) == 10
    assert capsys.readouterr().err == ""
    assert hits(turned.to_numpy()) < 10
    for each in (turned, pa.Table.from_pandas(turned)):
        assert hits(each) == 10
        said = " ".join(capsys.readouterr().err.split())
        assert "columns of the scores are put in the order of the candidates" in said
    other = FRAME.set_axis([f"score {name}" for name in NAMES], axis=1)
    assert hits(other) == 10
    assert "they go by their places" in " ".join(capsys.readouterr().err.split())
    mixed = named.rename(columns={NAMES[1]: "x"})
    with pytest.raises(gz.DataError, match=rf"no column '{NAMES[1]}'.*they have 'x'"):
        hits(mixed)


def test_columns_of_scores_that_are_numbers() -> None:
    """Those of 0, 1, 2 are positions in the candidates, in whatever order; or the candidates."""
    frame = pandas.DataFrame(np.eye(3))[[2, 0, 1]]
    for columns in (frame, frame.rename(columns=str)):
        found = evaluated([0, 1, 2], columns, candidates=["a", "b", "c"], wordnet=None)
        assert found["hit@1"].per_sample == 1
        assert evaluated([0, 1, 2], columns, wordnet=None)["hit@1"].per_sample == 1
        made = gz.Predictions.from_scores(columns, ["a", "b", "c"], [0, 1, 2])
        assert made.rank.tolist() == [1, 1, 1]
    numbers = frame.rename(columns={0: 7, 1: 8, 2: 9})
    found = evaluated([7, 8, 9], numbers, candidates=[8, 9, 7], wordnet=None)
    assert found["hit@1"].per_sample == 1
    with pytest.raises(gz.DataError, match="are numbered 9, 7, 8, which are no positions from 0"):
        evaluated([0, 1, 2], numbers, candidates=["a", "b", "c"])


def test_rows_without_an_index_go_by_their_places(capsys: pytest.CaptureFixture[str]) -> None:
    labels = pandas.Series(LABELS, index=ROWS)
    assert _hits(labels, FRAME, candidates=NAMES) == 10
    assert _hits(LABELS, FRAME[::-1].set_axis(range(12)), candidates=NAMES[::-1]) < 10
    capsys.readouterr()
    shuffled = pandas.Series(LABELS, index=range(11, -1, -1)).rename(index=int)
    shuffled.index = pandas.Index([*range(11, -1, -1)])
    assert _hits(shuffled, FRAME, candidates=NAMES) == 10
    said = " ".join(capsys.readouterr().err.split())
    assert "y_true has an index in another order than predictions, which counts rows" in said


@pytest.mark.parametrize(
    ("index", "said"),
    [
        ([*ROWS[:11], "image 99"], "2 rows are in one of them only; predictions has no row 'image"),
        ([*ROWS[:11], "image 3"], "predictions has the row 'image 3' twice"),
        (range(100, 112), "24 rows are in one of them only"),
    ],
)
def test_indices_of_other_rows_are_refused(index: Any, said: str) -> None:
    with pytest.raises(DataError, match=f"indices of y_true and predictions differ, and {said}"):
        _hits(pandas.Series(LABELS, index=ROWS), FRAME.set_axis(index), candidates=NAMES)


def test_hierarchical_metrics_go_by_the_index() -> None:
    pets = gz.Hierarchy.from_edges([("poodle", "dog"), ("dog", "pet"), ("cat", "pet")])
    true = pandas.Series(["poodle", "cat"], index=["a", "b"])
    predicted = pandas.Series(["cat", "dog"], index=["b", "a"])
    assert gz.hierarchical.lca_heights(pets, true, predicted).tolist() == [1, 0]
    lists = predicted.to_frame()
    assert gz.hierarchical.distance_at_k(pets, true, lists) == 0.5
    with pytest.raises(DataError, match="indices of y_true and y_pred differ"):
        gz.hierarchical.lca_heights(pets, true, predicted.set_axis(["b", "c"]))


def test_several_infinite_scores_are_said(capsys: pytest.CaptureFixture[str]) -> None:
    scores = SCORES.astype(np.float16)
    scores[7, 1] = np.inf
    _hits(LABELS, scores, candidates=NAMES)
    assert "inf" not in capsys.readouterr().err
    scores[7:9, 1:] = np.inf
    _hits(LABELS, scores, candidates=NAMES)
    said = " ".join(capsys.readouterr().err.split())
    assert "2 samples have several scores of +inf, the first is sample 7: they tie" in said


@pytest.mark.parametrize(
    ("predicted", "said"),
    [
        ("cat", "predictions are the text 'cat', and not an array of classes"),
        (SCORES > 1, "sample 0: (True|False) is no class. Where it is a score, give scores"),
        (SCORES.astype(str), "sample 0: '1.25' is no class. Where it is a score, give"),
        ([[0.5, "cat", 0.1]] * 12, "sample 0: '0.5' is no class"),
        ([*SCORES.tolist()[:4], [0.5], *SCORES.tolist()[:7]], "sample 4 has 1 of 3 scores. Each"),
        ([*SCORES.tolist()[:11], [0.5, None, 1.0]], "sample 11 has 2 of 3 scores"),
        ([["cat"], [0.5, None]] * 6, "the predicted class '0.5' is none of the 3 candidates"),
        ([[[0.5]], [[0.5, 1]]] * 6, "predictions are rows of different lengths"),
    ],
)
def test_scores_of_another_kind(predicted: Any, said: str) -> None:
    with pytest.raises(DataError, match=said):
        gz.evaluate(LABELS, ranked=predicted, candidates=NAMES, wordnet=None)


def test_scores_that_are_no_numbers() -> None:
    for scores, said in (
        (
            SCORES.astype(str),
            r"they are texts, such as '1.25'. Give floats: values.astype\(",
        ),
        (SCORES > 1, "they are True and False, which rank nothing"),
        ([*SCORES.tolist()[:11], [0.5]], "rows of different lengths: 3 in row 0, 1 in row 11"),
    ):
        with pytest.raises(DataError, match=said):
            gz.Predictions.from_scores(scores, NAMES, LABELS)


def test_labels_as_bytes_are_utf_8() -> None:

    scores = [[0.9, 0.1], [0.2, 0.8]]
    labels = np.array(["café".encode(), b"dog"])
    found = of_arrays(labels, scores, ["café", "dog"])
    assert found.labels == ["café", "dog"]
    with pytest.raises(DataError, match="bytes that are not UTF-8 text"):
        of_arrays(np.array([b"\xff", b"dog"]), scores, ["cat", "dog"])


NUMBERS = np.array([0, 1, 2])
#: Arrays that numpy turns into whole numbers, decimals or bytes, and that are none of them.
OF_OTHER_KINDS = {
    "days": NUMBERS.astype("m8[D]"),
    "nanoseconds": NUMBERS.astype("m8[ns]"),
    "dates": NUMBERS.astype("M8[D]"),
    "times": NUMBERS.astype("M8[ns]"),
    "complex numbers": NUMBERS.astype(complex),
    "raw bytes": np.array([b"a", b"b", b"c"], "V1"),
    "records": np.array([(1, 2.0), (2, 3.0), (3, 4.0)], [("a", int), ("b", float)]),
}
EYE = np.eye(3)


def _saved(path: Path, **arrays: Any) -> Path:
    np.savez(path, **arrays)
    return path


#: What such an array is given as.
GIVEN_AS: dict[str, Callable[[Any, Path], Any]] = {
    "true classes beside named ones": lambda given, at: _hits(given, EYE, candidates=NAMES),
    "true and predicted classes": lambda given, at: _hits(given, given),
    "true classes, one by one": lambda given, at: _hits([*given], [*given]),
    "predicted classes": lambda given, at: _hits(NAMES, given),
    "scores": lambda given, at: _hits(NAMES, np.array([given] * 3), candidates=NAMES),
    "candidates": lambda given, at: _hits(NUMBERS, EYE, candidates=given),
    "training classes": lambda given, at: _hits(NAMES, EYE, candidates=NAMES, train=given),
    "labels of scores": lambda given, at: gz.Predictions.from_scores(EYE, NAMES, given),
    "classes of scores": lambda given, at: gz.Predictions.from_scores(EYE, given, NUMBERS),
    "seen classes": lambda given, at: gz.Predictions.from_scores(EYE, NAMES, NAMES, seen=given),
    "ranked lists": lambda given, at: ranked(given[:, None], NAMES),
    "labels of lists": lambda given, at: ranked([["cat"]] * 3, given),
    "labels of samples": lambda given, at: gz.Samples.from_arrays(EYE, given),
    "features": lambda given, at: gz.Samples.from_arrays(np.array([given] * 3), NAMES),
    "embeddings": lambda given, at: gz.ClassMatrix.from_rows({"cat": given}),
    "labels of an .npz": lambda given, at: gz.evaluate(
        _saved(at / "p.npz", scores=EYE, classes=np.array(NAMES), labels=given), wordnet=None
    ),
    "classes of an .npz": lambda given, at: gz.evaluate(
        _saved(at / "p.npz", scores=EYE, classes=given, labels=NUMBERS), wordnet=None
    ),
    "labels of an .npz of samples": lambda given, at: load_samples(
        _saved(at / "s.npz", features=EYE, labels=given)
    ),
    "classes of a class head": lambda given, at: read_class_head(
        _saved(at / "h.npz", classifier=EYE, classes=given)
    ),
}


@pytest.mark.parametrize("kind", OF_OTHER_KINDS)
@pytest.mark.parametrize("role", GIVEN_AS)
def test_what_is_neither_names_nor_numbers(role: str, kind: str, tmp_path: Path) -> None:
    """numpy's durations are whole numbers to ``np.issubdtype``, and index nothing."""
    with pytest.raises(DataError, match=r"neither names nor numbers|names or numbers|is a text"):
        GIVEN_AS[role](OF_OTHER_KINDS[kind], tmp_path)

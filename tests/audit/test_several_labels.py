"""Samples of which several classes are true: ranks, nearest classes, ReaL's rule."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas
import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

import graphzsl as gz
from graphzsl.audit import prepare, read_predictions
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.sources.imagenet import listed_classes

NAMES = ["a", "b", "c", "d", "e"]


def _rank(scores: list[int], true: set[int]) -> int:
    """The place of the best true class behind all that are not true and score as much."""
    best = max(scores[each] for each in true)
    return 1 + sum(score >= best for at, score in enumerate(scores) if at not in true)


@settings(deadline=None)
@given(st.data())
def test_a_sample_is_right_where_any_of_its_classes_is_predicted(data: Any) -> None:
    """Whole scores, so that true classes tie with each other and with others."""
    count = data.draw(st.integers(1, 6))
    row = st.lists(st.integers(0, 3), min_size=5, max_size=5)
    scores = data.draw(st.lists(row, min_size=count, max_size=count))
    some = st.lists(st.integers(0, 4), max_size=3)
    true = data.draw(st.lists(some, min_size=count, max_size=count))
    if not any(true) or all(len(each) == 1 for each in true):
        return
    labels = [[NAMES[each] for each in some] for some in true]
    found = gz.evaluate(
        labels, scores=np.array(scores), candidates=NAMES, wordnet=None, rounds=1, k=[1, 2, 3]
    )
    kept = [(row, set(each)) for row, each in zip(scores, true, strict=True) if each]
    ranks = [_rank(*each) for each in kept]
    assert found.predictions.rank.tolist() == ranks
    for k in (1, 2, 3):
        assert found[f"hit@{k}"].per_sample == pytest.approx(np.mean(np.array(ranks) <= k))
    predicted = found.predictions.predicted()
    for name, rank, (_, classes) in zip(predicted, ranks, kept, strict=True):
        assert (NAMES.index(str(name)) in classes) == (rank == 1)
    lists = [
        [NAMES[at] for at in sorted(range(5), key=lambda at: (-row[at], at))] for row in scores
    ]
    of_lists = gz.evaluate(labels, ranked=lists, wordnet=None, candidates=NAMES, rounds=1)
    firsts = [lists[at][0] in some for at, some in enumerate(labels) if some]
    assert of_lists["hit@1"].per_sample == pytest.approx(np.mean(firsts))
    # of all true classes, each behind whatever else scores as much
    share = [
        np.mean([sum(other >= row[at] for other in row) <= len(some) for at in some])
        for row, some in kept
    ]
    assert found["variable_top_k"].per_sample == pytest.approx(np.mean(share))


def test_the_class_is_the_one_nearest_to_the_prediction() -> None:
    """By hand: a poodle is one step from the dog of the two, a cat two from the car."""
    tree = gz.Hierarchy.from_edges(
        [("poodle", "dog"), ("dog", "pet"), ("cat", "pet"), ("pet", "thing"), ("car", "thing")]
    )
    found = gz.evaluate(
        [["car", "dog"], ["car", "cat"], ["car"], ["cat", "dog"]],
        ["poodle", "poodle", "car", "dog"],
        candidates=["poodle", "dog", "cat", "car"],
        wordnet=tree,
        rounds=9,
    )
    assert found.predictions.labels == ["dog", "cat", "car", "dog"]
    assert found["correct"].per_sample == 0.5
    assert found["child"].per_sample == 0.25, "the poodle is a dog"
    assert found["lca_height@1"].per_sample == (1 + 2 + 0 + 0) / 4
    facts = found.manifest["features"]["true_classes_of_samples"]
    assert (facts["several"], facts["left_out"]) == (3, 0)


@pytest.mark.parametrize("form", ["csv", "json", "python", "frame", "labels.json", "by file"])
def test_lists_of_true_classes_in_any_form(tmp_path: Path, form: str) -> None:
    """One right by its second class, one wrong, one without a class."""
    lists, first = [["cat", "dog"], ["cat"], []], ["dog", "dog", "cat"]
    path, options = tmp_path / "p.csv", {}
    if form == "csv":
        path.write_text("label,top1\n\"['cat', 'dog']\",dog\n['cat'],dog\n[],cat\n")
    elif form == "json":
        path = tmp_path / "p.json"
        rows = [{"label": a, "pred": b} for a, b in zip(lists, first, strict=True)]
        path.write_text(json.dumps(rows))
    elif form == "python":
        found = gz.evaluate(lists, first, wordnet=None, rounds=9)
    elif form == "frame":
        frame = pandas.DataFrame({"label": lists, "top1": first})
        found = gz.evaluate(frame, wordnet=None, rounds=9)
    else:
        path.write_text("file,top1\n1.jpg,dog\n2.jpg,dog\n3.jpg,cat\n")
        by_file = {f"v/{at}.jpg": each for at, each in enumerate(lists, 1)}
        document = lists if form == "labels.json" else by_file
        (tmp_path / "l.json").write_text(json.dumps(document))
        options = {"labels": tmp_path / "l.json"}
    if form not in ("python", "frame"):
        found = gz.evaluate(path, wordnet=None, rounds=9, **options)
    assert found["hit@1"].per_sample == 0.5
    assert found.manifest["samples"] == 2
    assert "Left out: 1 sample without a true class" in " ".join(found.notes)


def test_real_labels_are_those_of_timm(tmp_path: Path) -> None:
    """Scores of all 50,000 images: the accuracy of timm's own class, to the last digit."""
    torch, real = pytest.importorskip("torch"), pytest.importorskip("timm.data")
    rng = np.random.default_rng(0)
    files = [f"val/ILSVRC2012_val_{number:08d}.JPEG" for number in range(1, 50_001)]
    order = rng.permutation(50_000)
    judge = real.RealLabelsImagenet(files)
    predicted = rng.integers(0, 1000, (50_000, 5))
    for row in range(0, 50_000, 2):  # half of them are right somewhere
        known = judge.real_labels[Path(files[row]).name]
        if known:
            predicted[row, rng.integers(0, 5)] = known[rng.integers(0, len(known))]
    for row in range(50_000):
        while len(set(predicted[row])) < 5:
            predicted[row] = rng.permutation(1000)[:5]
    scores = torch.full((50_000, 1000), -1.0)
    scores.scatter_(1, torch.tensor(predicted), torch.arange(5, 0, -1.0).expand(50_000, 5))
    for start in range(0, 50_000, 1000):
        judge.add_result(scores[start : start + 1000])
    path = tmp_path / "p.csv"
    header = "file,top1,top2,top3,top4,top5\n"
    lines = (",".join([files[row], *map(str, predicted[row])]) for row in order.tolist())
    path.write_text(header + "\n".join(lines) + "\n")
    found = gz.evaluate(
        path, candidates="ilsvrc2012", numbered=True, labels="real", wordnet=None, rounds=1
    )
    for k in (1, 5):
        assert 100 * found[f"hit@{k}"].per_sample == pytest.approx(judge.get_accuracy(k), abs=1e-12)
    assert found.manifest["samples"] == 50_000 - 3163
    assert found.manifest["features"]["true_classes_of_samples"]["several"] == 7443
    few = read_predictions(path, "ilsvrc2012", numbered=True, labels="real")
    image_141 = judge.real_labels["ILSVRC2012_val_00000141.JPEG"]
    assert [listed_classes("ilsvrc2012")[each] for each in image_141] == ["n02088466"]
    assert len(few.labels) == 50_000 - 3163


def test_samples_below_a_node_are_chosen_by_their_classes() -> None:
    """A dog and a car is no animal alone, whatever is predicted."""
    tree = gz.Hierarchy.from_edges(
        [("dog", "animal"), ("cat", "animal"), ("car", "thing"), ("animal", "thing")]
    )
    found = prepare(
        [["dog", "car"], ["dog", "cat"], ["cat"], ["car", "dog"]],
        ["car", "dog", "dog", "cat"],
        candidates=["dog", "cat", "car"],
        wordnet=tree,
    ).below(["animal"])
    run = found.evaluate(rounds=9)
    assert run.predictions.labels == ["dog", "cat"]
    assert run["hit@1"].per_sample == 0.5


def test_two_runs_of_several_classes_are_not_compared(tmp_path: Path) -> None:
    lists = [["cat", "dog"], ["cat"]]
    for name, first in (("a", ["dog", "cat"]), ("b", ["cat", "dog"])):
        gz.evaluate(lists, first, wordnet=None, rounds=9).save(tmp_path / f"{name}.json")
    files = [str(tmp_path / f"{name}.json") for name in "ab"]
    done = CliRunner().invoke(main, ["evaluate", "compare", *files])
    assert done.exit_code == 1
    assert "several true classes" in done.stderr


@pytest.mark.parametrize(
    ("labels", "said"),
    [
        ([[0, 1, 1], [1, 0, 0]], "The true classes are lists of 3 marks, 0 or 1"),
        ([[], []], "there is no sample"),
        ([["cat"], [["dog"]]], "cells of different kinds|holds classes, not"),
    ],
)
def test_what_is_no_list_of_classes(labels: Any, said: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=said):
        gz.evaluate(labels, scores=np.eye(3)[:2], candidates=["cat", "dog", "fox"], wordnet=None)
    (tmp_path / "p.csv").write_text("file,top1\n1.jpg,0\n2.jpg,1\n")
    (tmp_path / "l.json").write_text(json.dumps(labels))
    with pytest.raises(DataError, match=f"{said}|no sample has a true class"):
        gz.read_predictions(
            tmp_path / "p.csv", ["cat", "dog", "fox"], numbered=True, labels=tmp_path / "l.json"
        )


def test_lists_go_in_order_where_there_are_as_many(tmp_path: Path) -> None:
    path, labels = tmp_path / "p.csv", tmp_path / "l.json"
    rows = [(3, "cat"), (1, "dog"), (2, "cat")]
    lines = [f"ILSVRC2012_val_{number:08d}.JPEG,{name}" for number, name in rows]
    path.write_text("file,top1\n" + "\n".join(lines) + "\n")
    as_python = tmp_path / "l.txt"
    as_python.write_text("['cat']\n['dog']\n['cat']\n")
    assert read_predictions(path, labels=as_python).rank.tolist() == [1, 1, 1]
    for text in ('[["cat"], ["dog"], ["cat"]]', '["cat", "dog", "cat"]'):
        labels.write_text(text)
        assert read_predictions(path, labels=labels).rank.tolist() == [1, 1, 1]
    assert read_predictions(path, labels=iter(["cat", "dog", "cat"])).rank.tolist() == [1, 1, 1]
    with pytest.raises(DataError, match="4 true classes for 3 samples"):
        read_predictions(path, labels=iter(["bird", "cat", "dog", "cat"]))
    by_file = {line.partition(",")[0]: name for line, (_, name) in zip(lines, rows, strict=True)}
    labels.write_text(json.dumps(by_file))
    assert read_predictions(path, labels=labels).rank.tolist() == [1, 1, 1]
    sets = [{"cat", "dog"}, np.array(["dog"]), ("cat", "bird")]
    assert read_predictions(path, labels=sets).rank.tolist() == [1, 1, 1]


def test_what_is_wrong_with_several_classes_is_named(tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    path.write_text("file,top1\nILSVRC2012_val_00050001.JPEG,tench\n")
    with pytest.raises(
        DataError, match=r"p\.csv:2: real has 50,000 lists, and none for image 50,0"
    ):
        gz.evaluate(path, labels="real")
    path.write_text("file,top1\nmine.jpg,tench\n")
    with pytest.raises(DataError, match="real holds 50,000 true classes for 1 samples"):
        gz.evaluate(path, labels="real")
    with pytest.raises(
        DataError, match="sample 1: the true class dodo is none of the 2 candidates"
    ):
        gz.evaluate(
            [["cat", "dog"], ["cat", "dodo"]],
            scores=np.eye(2),
            candidates=["cat", "dog"],
            wordnet=None,
        )
    with pytest.raises(DataError, match="a score of sample 1 is not a number"):
        gz.evaluate(
            [["cat", "dog"], ["cat"]],
            scores=[[1, 0], [np.nan, 0]],
            candidates=["cat", "dog"],
            wordnet=None,
        )
    with pytest.raises(DataError, match="2 lists do not fit 3 labels"):
        gz.evaluate([["a"], ["a", "b"], "b"], ["a", "b"], wordnet=None)

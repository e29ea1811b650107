"""Answers in words against true classes: outcomes and metrics by hand."""

from __future__ import annotations

import csv
import json
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.audit import read_run_samples
from graphzsl.audit.answers import AnswerEvaluation
from graphzsl.audit.run_files import read_run
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.names.answers import MappedAnswer

BEAGLE, TABBY, DOG, CAT = "n02088364", "n02123045", "n02084071", "n02121620"
LISTED = "ilsvrc2012"
LABELS = [BEAGLE, BEAGLE, DOG, TABBY, TABBY, TABBY]
ANSWERS = ["It's a beagle.", "a dog", "a beagle", "a beagle or a hound", "I can't tell.", "a chair"]
OUTCOMES = ["correct", "above", "below", "several", "unmapped", "other"]


def test_outcomes_and_shares() -> None:
    found = gz.evaluate_answers(LABELS, ANSWERS, [BEAGLE, TABBY, DOG], rounds=9)
    assert found.outcomes == OUTCOMES
    assert found.shares == dict.fromkeys(OUTCOMES, 1 / 6)
    rows = {row["metric"]: row for row in found.metrics()}
    # of three classes: beagle has one of two right, the others none
    assert rows["correct"]["per_class"] == pytest.approx(1 / 6)
    assert rows["above"]["per_class"] == pytest.approx(1 / 6)
    assert rows["unmapped"]["per_class"] == pytest.approx(1 / 9)


def test_overlap_with_the_truth_by_hand() -> None:
    """pet > dog > beagle, pet > cat: A(beagle) = {dog, beagle} without the root."""
    edges = [("n00000002", "n00000001"), ("n00000003", "n00000002"), ("n00000004", "n00000001")]
    hierarchy = gz.Hierarchy.from_edges(edges)
    found = AnswerEvaluation(
        [["n00000003"]] * 3,
        [
            MappedAnswer("", (wnid,), "", "candidate", "")
            for wnid in ("n00000003", "n00000002", "n00000004")
        ],
        hierarchy,
        ["n00000003", "n00000004"],
        rounds=9,
    )
    rows = {row["metric"]: row["per_sample"] for row in found.metrics()}
    assert found.outcomes == ["correct", "above", "other"]
    assert rows["hP"] == pytest.approx((1 + 1 + 0) / 3)
    assert rows["hR"] == pytest.approx((1 + 1 / 2 + 0) / 3)
    assert rows["hF"] == pytest.approx((1 + 2 / 3 + 0) / 3)
    # two leaves: beagle is worth 1 bit, dog (of which beagle is the only leaf) too
    assert rows["information"] == pytest.approx(2 / 3)


def _csv(path: Path, header: list[str], rows: list[list[str]]) -> Path:
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([header, *rows])
    return path


FORMS = ("label,answer", "target,prediction", "question,answer,prediction", "lmms-eval")


@pytest.mark.parametrize("form", FORMS)
def test_files_in_the_forms_of_other_programs(form: str, tmp_path: Path) -> None:
    if form == "lmms-eval":
        path = tmp_path / "a.jsonl"
        rows = [
            {"doc_id": at, "target": label, "resps": [["x"]], "filtered_resps": [answer]}
            for at, (label, answer) in enumerate(zip(LABELS, ANSWERS, strict=True))
        ]
        path.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    else:
        header = form.split(",")
        before = [["What is it?"]] * 6 if len(header) == 3 else [[]] * 6
        given = zip(before, LABELS, ANSWERS, strict=True)
        path = _csv(tmp_path / "a.csv", header, [[*first, *rest] for first, *rest in given])
    found = gz.evaluate_answers(path, candidates=[BEAGLE, TABBY, DOG], rounds=9)
    assert found.outcomes == OUTCOMES


@pytest.mark.parametrize(
    ("header", "rows", "said"),
    [
        (["label", "text", "output"], [["x", "a", "b"]], "several of its columns may be meant"),
        (["id", "words"], [["x", "a"]], "none of its columns, 'id', 'words', is called"),
        (["label", "answer"], [[BEAGLE, ""]], "a.csv, column 'answer': none has any text"),
        (["label", "answer"], [["", "a dog"]], "Row 1 has no true class"),
        (["label", "wnid", "answer"], [["hen", DOG, "a dog"]], "may be meant: 'label', 'wnid'"),
        (["label", "answer"], [["0", "a dog"]], "say that they are positions in the candidates"),
        (["label", "answer"], [["no such class", "a dog"]], "'no such class'"),
    ],
)
def test_files_that_are_not_clear(
    header: list[str], rows: list[list[str]], said: str, tmp_path: Path
) -> None:
    path = _csv(tmp_path / "a.csv", header, rows)
    with pytest.raises(DataError, match=said):
        gz.evaluate_answers(path, rounds=9)
    with pytest.raises(DataError, match="2 labels and 1 answers"):
        gz.evaluate_answers(["n02088364"] * 2, ["a dog"])


def test_the_command_writes_what_it_reads_back(tmp_path: Path) -> None:
    given = zip(LABELS, ANSWERS, strict=True)
    path = _csv(tmp_path / "a.csv", ["label", "answer"], [list(each) for each in given])
    named = tmp_path / "named.csv"
    base = ["--text", "--rounds", "9", "--candidates", "ilsvrc2012"]
    done = CliRunner().invoke(main, ["audit", str(path), *base, "--mapped-out", str(named)])
    assert done.exit_code == 0, done.output
    rows = list(csv.DictReader(named.open()))
    assert [row["outcome"] for row in rows] == OUTCOMES
    assert rows[1] == {
        "label": BEAGLE,
        "answer": "a dog",
        "wnid": DOG,
        "name": "dog.n.01",
        "outcome": "above",
        "distance": "3",  # beagle, hound, hunting dog, dog
        "step": "above",
        "why": "'dog' by above",
    }
    # what a person corrects counts
    rows[4]["wnid"] = "tabby.n.01"
    _csv(named, list(rows[0]), [list(row.values()) for row in rows])
    found = gz.evaluate_answers(named, rounds=9)
    assert found.outcomes == [*OUTCOMES[:4], "correct", OUTCOMES[5]]
    assert found.mapped[4].step == "by hand"
    done = CliRunner().invoke(main, ["audit", str(path), "--text", "--train", "ilsvrc2012"])
    assert done.exit_code == 2
    assert "--train has no effect with --text" in done.output
    done = CliRunner().invoke(main, ["audit", str(path), "--mapped-out", str(named)])
    assert "--mapped-out has no effect here: it needs --text" in done.output


def test_no_answer_is_a_formula_of_a_spreadsheet(tmp_path: Path) -> None:
    """The table is opened and corrected by hand; read back, the answer names the same."""
    path = _csv(tmp_path / "a.csv", ["label", "answer"], [[BEAGLE, "=beagle"], [BEAGLE, "- dog"]])
    named = tmp_path / "named.csv"
    given = ["audit", str(path), "--text", "--rounds", "9", "--mapped-out", str(named)]
    done = CliRunner().invoke(main, given)
    assert done.exit_code == 0, done.output
    assert [row["answer"] for row in csv.DictReader(named.open())] == ["'=beagle", "'- dog"]
    assert gz.evaluate_answers(named, rounds=9).outcomes == ["correct", "above"]


def test_an_embedder_is_asked_for_what_words_do_not_say() -> None:
    """Vectors by hand: the xyzzy is nearest to the beagle; an answer that names something stays."""
    asked: list[list[str]] = []

    def embed(texts: list[str]) -> list[list[float]]:
        asked.append(texts)
        return [[1.0, 0.1] if "beagle" in each or "xyzzy" in each else [0.1, 1.0] for each in texts]

    labels, said = [BEAGLE, BEAGLE, BEAGLE], ["xyzzy qwrk", "a tabby", ""]
    given = {"candidates": [BEAGLE, TABBY]}
    plain = gz.evaluate_answers(labels, said, **given)
    assert plain.outcomes == ["unmapped", "other", "unmapped"]
    found = gz.evaluate_answers(labels, said, **given, embed=embed)
    assert found.outcomes == ["correct", "other", "unmapped"]
    assert asked == [["beagle", "tabby"], ["xyzzy qwrk"]]
    assert {row["step"]: row["answers"] for row in found.steps()}["embedding"] == 1
    with pytest.raises(DataError, match=r"embed gave \(1,\) for 2 texts"):
        gz.evaluate_answers(labels, said, **given, embed=lambda texts: [1.0])


def test_the_folder_of_a_run(tmp_path: Path) -> None:
    """lmms-eval and lmms-owc write …_samples_TASK.jsonl below a folder of the model."""
    (tmp_path / "model").mkdir()
    file = tmp_path / "model" / "20260101_samples_imagenet.jsonl"
    file.write_text('{"doc_id": 0, "target": "beagle", "filtered_resps": [["a beagle"]]}\n')
    (tmp_path / "model" / "20260101_results.json").write_text("{}")
    assert gz.evaluate_answers(tmp_path).outcomes == ["correct"]
    file.with_name("20260101_samples_pets.jsonl").write_text(file.read_text())
    with pytest.raises(DataError, match=r"several files of samples: .*imagenet.*pets"):
        gz.evaluate_answers(tmp_path)
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match="no file of samples"):
        gz.evaluate_answers(tmp_path / "empty")


def test_the_face_takes_answers() -> None:
    found = gz.evaluate([BEAGLE], answers=["a dog"], candidates=[BEAGLE, TABBY])
    assert found.outcomes == ["above"]
    with pytest.raises(DataError, match="Beside answers only candidates, names, numbered, wordnet"):
        gz.evaluate([BEAGLE], answers=["a dog"], k=[1])
    with pytest.raises(DataError, match="There are 1 labels and 2 answers"):
        gz.evaluate([BEAGLE], answers=["a dog", "a cat"])


def test_a_column_of_true_wnids_is_not_what_the_answers_name(tmp_path: Path) -> None:
    """Only a table that --mapped-out wrote has wnids by hand."""
    rows = [["tench", "n01440764", "a goldfish"], ["hen", "n01514859", "a dog"]]
    path = _csv(tmp_path / "a.csv", ["label", "wnid", "answer"], rows)
    for column in ("label", "wnid"):
        found = gz.evaluate_answers(path, label_column=column, rounds=9)
        assert found.outcomes == ["other", "other"]
    path = _csv(tmp_path / "b.csv", ["wnid", "answer"], [row[1:] for row in rows])
    assert gz.evaluate_answers(path, rounds=9).outcomes == ["other", "other"]


def test_missing_answers_are_empty() -> None:
    said = [None, float("nan"), np.nan, pd.NA, "a hen"]
    found = gz.evaluate(["hen"] * 5, answers=said)
    assert found.outcomes == ["unmapped"] * 4 + ["correct"]
    with pytest.raises(DataError, match="Row 2 has no true class"):
        gz.evaluate(["hen", np.nan], answers=["a hen", "a hen"])


def test_series_go_by_their_indices() -> None:
    labels = pd.Series(["tench", "hen"], index=["a", "b"])
    answers = pd.Series(["a hen", "a tench"], index=["b", "a"])
    assert gz.evaluate(labels, answers=answers).outcomes == ["correct", "correct"]
    with pytest.raises(DataError, match=r"indices of labels and answers differ"):
        gz.evaluate(labels, answers=answers.rename({"a": "c"}))


def test_several_true_classes(tmp_path: Path) -> None:
    """Right where any is named; else the nearest counts: a dog is above a beagle and no cat."""
    several = [["tench", "hen"], ["tench", "hen"], [TABBY, BEAGLE], ["tench"]]
    said = ["a hen", "a tench", "a dog", "a hen"]
    path = tmp_path / "a.jsonl"
    pairs = zip(several, said, strict=True)
    path.write_text("".join(f"{json.dumps({'label': a, 'answer': b})}\n" for a, b in pairs))
    named = tmp_path / "named.csv"
    expected = ["correct", "correct", "above", "other"]
    for found in (gz.evaluate_answers(path, rounds=9), gz.evaluate(several, answers=said)):
        assert found.outcomes == expected
        assert found.labels[2] == BEAGLE
    _csv(named, list(found.rows()[0]), [[*map(str, row.values())] for row in found.rows()])
    assert gz.evaluate_answers(named, rounds=9).outcomes == expected


def test_the_last_turn_is_the_answer(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    turns = [["It has stripes like a tiger. Let me think.", "a tench"]]
    path.write_text(json.dumps({"target": "tench", "filtered_resps": turns}) + "\n")
    assert gz.evaluate_answers(path, rounds=9).outcomes == ["correct"]


def test_true_classes_by_their_numbers(tmp_path: Path) -> None:
    """0 and 1 of ILSVRC 2012 are tench and goldfish; 1 of its ground truth is the kit fox."""
    path = _csv(tmp_path / "a.csv", ["label", "answer"], [["0", "a tench"], ["1", "a hen"]])
    given = ["audit", str(path), "--text", "--rounds", "9", "--format", "json", "--numbered"]
    done = CliRunner().invoke(main, [*given, "--candidates", "ilsvrc2012"])
    assert done.exit_code == 0, done.output
    found = gz.evaluate([0, 1], answers=["a tench", "a hen"], candidates=LISTED, numbered=True)
    assert found.outcomes == ["correct", "other"]
    done = CliRunner().invoke(main, given)
    assert "Numbers of classes need the candidates (--candidates)" in done.output
    kit_fox = gz.evaluate([1], answers=["a kit fox"], candidates=LISTED, numbered="devkit")
    assert kit_fox.outcomes == ["correct"]
    with pytest.raises(DataError, match="row 2: '1000' is not a position from 0 to 999"):
        gz.evaluate([0, 1000], answers=["", "a hen"], candidates=LISTED, numbered=True)


def test_a_workbook_is_called_one(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "")
    with pytest.raises(DataError, match="this is an Excel workbook: save it as CSV"):
        gz.evaluate_answers(path)


def test_distances_in_edges() -> None:
    """WordNet: beagle, hound, hunting dog, dog; an own parent is one edge away."""
    said = ["a beagle", "a hound", "a hunting dog", "a dog", "a cat", "a beagle or a cat"]
    rows = gz.evaluate([BEAGLE] * 6, answers=said).rows()
    assert [row["distance"] for row in rows] == [0, 1, 2, 3, None, None]
    below = gz.evaluate([DOG], answers=["a beagle"]).rows()
    assert (below[0]["outcome"], below[0]["distance"]) == ("below", 3)


def test_words_of_several_classes_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """A crane is the machine (crane.n.04) and the bird (crane.n.05), both classes of ILSVRC; a
    word's senses that are tagged five times as often as the others, such as a dog's, are clear."""
    machine, bird = "n03126707", "n02012849"
    said, labels = ["a white crane", "a dog", "a crane or a dog"], [bird, DOG, bird]
    rows = gz.evaluate(labels, answers=said).rows()
    as_read = "by candidate, read as crane.n.04, not crane.n.05"
    assert [row["wnid"] for row in rows] == [machine, DOG, f"{machine} {DOG}"]
    whys = [f"'white crane' {as_read}", "'dog' by above", f"'crane' {as_read}; 'dog' by above"]
    assert [row["why"] for row in rows] == whys
    note = f"2 answers have words of several classes (names that are given decide): {whys[0]}"
    assert note in " ".join(capsys.readouterr().err.split())
    found = gz.evaluate(labels, answers=said, names={"crane": bird})
    assert found.outcomes == ["correct", "correct", "several"]
    assert "several classes" not in capsys.readouterr().err


def test_answers_as_a_run(tmp_path: Path) -> None:
    """An answer above the truth is a parent, below it a child; several and none predict nothing."""
    given = zip(LABELS, ANSWERS, strict=True)
    path = _csv(tmp_path / "a.csv", ["label", "answer"], [list(each) for each in given])
    run = tmp_path / "run.json"
    options = ["--text", "--rounds", "9", "--candidates", "ilsvrc2012"]
    done = CliRunner().invoke(main, ["audit", str(path), *options, "--out", str(run)])
    assert done.exit_code == 0, done.output
    found = {name: each["per_sample"] for name, each in read_run(run)["metrics"].items()}
    # the beagle; the dog that is above, the beagle that is below; a beagle or a hound, none, chair
    expected = {"hit@1": 1 / 6, "correct": 1 / 6, "parent": 1 / 6, "child": 1 / 6, "unrelated": 0.5}
    assert {name: found[name] for name in expected} == pytest.approx(expected)
    samples = read_run_samples(run)
    assert samples.predicted == [BEAGLE, DOG, BEAGLE, None, None, "n03001627"]
    assert len(samples.candidates) == 82115, "answers may name any synset"
    done = CliRunner().invoke(main, ["report", str(run), "--out", str(tmp_path / "r.html")])
    assert done.exit_code == 0, done.output


def test_an_answer_that_names_nothing_is_as_far_as_the_root() -> None:
    """pet > dog > beagle, pet > cat, with heights 2, 1, 0 and 0."""
    pet, dog, beagle, cat = "n00000001", "n00000002", "n00000003", "n00000004"
    hierarchy = gz.Hierarchy.from_edges([(dog, pet), (beagle, dog), (cat, pet)])
    said = [MappedAnswer("", wnids) for wnids in ((beagle,), (dog,), (cat,), (), (dog, cat))]
    found = AnswerEvaluation([[beagle]] * 5, said, hierarchy, [beagle, cat], rounds=9).run()
    assert found["lca_height@1"].per_sample == pytest.approx((0 + 1 + 2 + 2 + 2) / 5)

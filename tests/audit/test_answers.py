"""Answers in words against true classes: outcomes and metrics by hand."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

import graphzsl as gz
from graphzsl.audit.answers import AnswerEvaluation
from graphzsl.cli import main
from graphzsl.common import DataError
from graphzsl.names.answers import MappedAnswer

BEAGLE, TABBY, DOG, CAT = "n02088364", "n02123045", "n02084071", "n02121620"
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
        ["n00000003"] * 3,
        [
            MappedAnswer("", (wnid,), "", "candidate", "")
            for wnid in ("n00000003", "n00000002", "n00000004")
        ],
        hierarchy,
        2,
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
        (["label", "answer"], [[BEAGLE, ""]], "No answer has any text"),
        (["label", "answer"], [["", "a dog"]], "row 1 has no true class"),
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
        "step": "above",
        "why": "'dog' by above",
    }
    # what a person corrects counts
    rows[4]["wnid"] = TABBY
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
    with pytest.raises(DataError, match="Beside answers only candidates, names, wordnet"):
        gz.evaluate([BEAGLE], answers=["a dog"], k=[1])
    with pytest.raises(DataError, match="There are 1 labels and 2 answers"):
        gz.evaluate([BEAGLE], answers=["a dog", "a cat"])

"""``study ilsvrc labelling`` and the lists and entries of ``study ilsvrc``: the examples of
their help, and what they print."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from tests.cli.test_help import LEAVES, examples
from tests.command import run

OWN = sorted(path for path in LEAVES if path.startswith("study ilsvrc labelling "))
CAT, DOG, POODLE, DALMATIAN = "n02121620", "n02084071", "n02113624", "n02110341"


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the examples name."""
    monkeypatch.chdir(tmp_path)
    written = {
        "votes.csv": ["image,vote", *(f"a,{vote % 3 > 0:d}" for vote in range(10)), "b,yes"],
        "judged.csv": [
            "image,class,right",
            f"1,{POODLE},yes",
            "2,dalmatian.n.02,no",
            f"3,{DALMATIAN},yes",
        ],
        "mine.csv": ["image,class", f"1,{POODLE}", f"4,{POODLE}"],
        "other.csv": ["image,class", f"3,{DALMATIAN}"],
        "labels.csv": ["image,annotator,right", "1,A,1", "1,B,0", "2,A,1", "2,B,1"],
        "mistakes.csv": [
            "image,type,true,predicted",
            f"1,,{POODLE},n02113799",
            f"2,small,{DALMATIAN},n02958343",
        ],
        "scale.csv": [f"{DALMATIAN},0.6"],
        "by-hand.txt": ["n02110958"],
        "boxes.csv": ["image,class,xmin", f"1,{DALMATIAN},0", f"2,{DOG},0", f"3,{POODLE},5"],
        "mine.txt": [CAT, DOG, "car.n.01"],
        "2010.txt": [CAT, DOG],
        "2011.txt": [CAT, DALMATIAN],
        "submissions.csv": ["task,data,team,value", "cls,provided,A,6.7", "cls,provided,B,7.3"],
    }
    for name, lines in written.items():
        Path(name).write_text("\n".join(lines) + "\n")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("path", [*OWN, "study ilsvrc changes", "study ilsvrc leaderboard"])
def test_examples_run(path: str) -> None:
    found = examples(path)
    assert found
    for words in found:
        done = CliRunner().invoke(main, words)
        assert (done.exit_code, bool(done.stdout)) == (0, True), done.output


def _named(rows: list[dict[str, Any]], *names: str) -> list[tuple[Any, ...]]:
    return [tuple(row[name] for name in names) for row in rows]


@pytest.mark.usefixtures("files")
def test_what_classes_are_merged_into_has_its_name() -> None:
    each = run(
        "study",
        "ilsvrc",
        "labelling",
        "merge",
        "--scale",
        "scale.csv",
        "--without",
        "by-hand.txt",
        "--each",
    )
    found = {row["wnid"]: row for row in each}
    assert len(each) == 1000
    assert found[POODLE]["into_name"] == "dog.n.01"
    assert _named([found[DALMATIAN]], "name", "into", "into_name", "reason") == [
        ("dalmatian.n.02", None, None, "objects too large")
    ]
    assert found["n02110958"]["reason"] == "left out"
    members = {
        row["wnid"]: row for row in run("study", "ilsvrc", "labelling", "merge", "--members")
    }
    assert members[DOG]["classes"] == len(members[DOG]["members"]) == 118
    assert members[DOG]["name"] == "dog.n.01"
    assert "dalmatian.n.02" in members[DOG]["member_names"]
    Path("nested.txt").write_text(f"{DOG}\n{DALMATIAN}\n")
    done = CliRunner().invoke(
        main, ["study", "ilsvrc", "labelling", "merge", "--into", "nested.txt"]
    )
    assert f"{DALMATIAN} (dalmatian.n.02) of nested.txt is below another" in done.stderr
    (said,) = run("study", "ilsvrc", "labelling", "merge", "--largest", "0.4", code=2)
    assert "--largest has no effect here: it needs --scale" in said["said"]


@pytest.mark.usefixtures("files")
def test_images_to_annotate_again() -> None:
    each = run("study", "ilsvrc", "labelling", "repair", "boxes.csv", "--each")
    assert _named(each, "image", "wnid", "name", "member_names") == [
        ("1", DOG, "dog.n.01", ["dalmatian.n.02"]),
        ("3", DOG, "dog.n.01", ["toy_poodle.n.01"]),
    ]
    (row,) = run("study", "ilsvrc", "labelling", "repair", "boxes.csv")
    assert (row["images"], row["images_again"], row["questions"]) == (3, 2, 2)
    Path("boxes.csv").write_text("image,class\n1,dalmatian.n.02\n2,crane\n")
    (said,) = run("study", "ilsvrc", "labelling", "repair", "boxes.csv", code=1)
    assert "boxes.csv:3: 'crane' names 5 noun synsets" in said["said"]


@pytest.mark.usefixtures("files")
def test_audits_name_roots_and_classes() -> None:
    rows = run("study", "ilsvrc", "labelling", "audit", "mammal", "--number", "30")
    assert {row["root_name"] for row in rows} == {"mammal.n.01"}
    assert all(row["name"] for row in rows)
    assert len(rows) == 30
    Path("two.txt").write_text(f"{POODLE}\n{DALMATIAN}\n")
    rows = run(
        "study",
        "ilsvrc",
        "labelling",
        "audit",
        DOG,
        "--judgements",
        "judged.csv",
        "--set",
        "two.txt",
    )
    assert _named(rows, "root", "root_name", "depth", "judged", "right") == [
        (DOG, "dog.n.01", 1, 2, 1),
        (DOG, "dog.n.01", 2, 1, 1),
        ("all", None, None, 3, 2),
    ]
    Path("judged.csv").write_text(f"image,class,right\n1,{CAT},yes\n")
    arguments = ["audit", DOG, "--judgements", "judged.csv", "--set", "two.txt"]
    (said,) = run("study", "ilsvrc", "labelling", *arguments, code=1)
    assert f"judged.csv:2: {CAT} is not a class at or below the roots" in said["said"]


def _with_column(path: str, name: str, cells: list[str]) -> None:
    """Add a column to a table, as a spreadsheet does."""
    with Path(path).open(newline="") as file:
        header, *rows = csv.reader(file)
    with Path(path).open("w", newline="") as file:
        csv.writer(file).writerows(
            [[*header, name], *([*row, cell] for row, cell in zip(rows, cells, strict=True))]
        )


@pytest.mark.usefixtures("files")
def test_tables_that_are_saved_are_read_again() -> None:
    """What audit draws, with an image and a judgement of each; the outcome of votes as labels."""
    arguments = ["audit", DOG, "--set", "mine.txt"]
    Path("mine.txt").write_text(f"{POODLE}\n{DALMATIAN}\n")
    drawn = run("study", "ilsvrc", "labelling", *arguments, "--save", "drawn.csv")
    assert len(drawn) == 2
    assert "1 row in one.csv." in _said(
        "study",
        "ilsvrc",
        "labelling",
        "audit",
        POODLE,
        "--number",
        "1",
        "--set",
        "mine.txt",
        "--save",
        "one.csv",
    )
    _with_column("drawn.csv", "image", ["1", "2"])
    _with_column("drawn.csv", "right", ["yes", "no"])
    rows = run("study", "ilsvrc", "labelling", *arguments, "--judgements", "drawn.csv")
    assert _named(rows, "depth", "judged", "right") == [(1, 1, 1), (2, 1, 0), (None, 2, 1)]
    lines = [f"{image},{wnid},1" for image, wnid in (("1", DALMATIAN), ("2", DOG), ("3", POODLE))]
    Path("votes.csv").write_text("\n".join(["image,class,vote", *lines]))
    rows = run(
        "study",
        "ilsvrc",
        "labelling",
        "consensus",
        "votes.csv",
        "--first-votes",
        "1",
        "--each",
        "--save",
        "l.csv",
    )
    assert {row["label"] for row in rows} == {"good"}
    each = run("study", "ilsvrc", "labelling", "repair", "l.csv", "--each")
    assert _named(each, "image", "wnid") == [("1", DOG), ("3", DOG)]


@pytest.mark.usefixtures("files")
def test_precision_and_what_nobody_judged() -> None:
    done = CliRunner().invoke(
        main,
        [
            "study",
            "ilsvrc",
            "labelling",
            "precision",
            "judged.csv",
            "mine.csv",
            "--unjudged",
            "ask.csv",
            "--format",
            "table",
        ],
    )
    assert "100.0 % [20.7, 100.0]" in done.stdout, done.output
    assert "1 prediction that nobody judged: ask.csv." in done.stderr
    assert Path("ask.csv").read_text() == f"image,class\n4,{POODLE}\n"
    each = run("study", "ilsvrc", "labelling", "precision", "judged.csv", "--each")
    assert [row["name"] for row in each if row["wnid"] == POODLE] == ["toy_poodle.n.01"]
    (said,) = run(
        "study", "ilsvrc", "labelling", "precision", "judged.csv", "--unjudged", "ask.csv", code=2
    )
    assert "--unjudged has no effect here: it needs ENTRIES" in said["said"]


@pytest.mark.usefixtures("files")
def test_simulated_judgements_are_called_so_in_every_row() -> None:
    Path("judged.csv").write_text(f"image,class,right,simulated\n1,{POODLE},1,true\n")
    for more in ([], ["mine.csv"], ["--each"]):
        rows = run("study", "ilsvrc", "labelling", "precision", "judged.csv", *more)
        assert rows
        assert all(row["simulated"] is True for row in rows)
    rows = run("study", "ilsvrc", "labelling", "consensus", "--simulate", "200", "--sampled", "50")
    assert all(row["simulated"] is True for row in rows)
    lines = ["image,annotator,right,simulated", "1,A,1,1", "1,B,0,1"]
    Path("labels.csv").write_text("\n".join(lines))
    assert run("study", "ilsvrc", "labelling", "annotators", "labels.csv")[0]["simulated"] is True
    arguments = ["audit", DOG, "--judgements", "judged.csv", "--set", "mine.txt"]
    Path("mine.txt").write_text(f"{POODLE}\n")
    assert all(row["simulated"] for row in run("study", "ilsvrc", "labelling", *arguments))


@pytest.mark.usefixtures("files")
def test_types_of_mistakes_by_people_and_by_height() -> None:
    rows = run("study", "ilsvrc", "labelling", "errors", "mistakes.csv", "--fine-grained", "1")
    assert _named(rows, "type", "count", "share") == [
        ("small", 1, 0.5),
        ("fine-grained by height", 1, 0.5),
    ]
    (said,) = run("study", "ilsvrc", "labelling", "errors", "--fine-grained", "1", code=2)
    assert "--fine-grained has no effect here" in said["said"]
    Path("mistakes.csv").write_text("image,type\n1,small\n")
    (said,) = run(
        "study", "ilsvrc", "labelling", "errors", "mistakes.csv", "--fine-grained", "1", code=1
    )
    assert "no row has a true and a predicted class" in said["said"]


@pytest.mark.usefixtures("files")
def test_queries_have_the_first_words_of_their_classes() -> None:
    rows = run("study", "ilsvrc", "labelling", "queries", "--set", "mine.txt")
    assert _named(rows, "query", "names") == [
        ("cat dog", ["cat.n.01", "dog.n.01"]),
        ("cat car", ["cat.n.01", "car.n.01"]),
        ("dog car", ["dog.n.01", "car.n.01"]),
    ]


def _said(*arguments: str) -> str:
    """What a command that ends well says on stderr."""
    done = CliRunner().invoke(main, [*arguments, "--format", "json"])
    assert done.exit_code == 0, done.output
    return done.stderr


@pytest.mark.usefixtures("files")
def test_scales_come_from_the_tables_of_boxes() -> None:
    head = "wnid,name,scale_share,small_share\n"
    Path("be.csv").write_text(f"{head}{DALMATIAN},dalmatian.n.02,0.6,0\n{POODLE},x,0.1,0.9\n")
    for text, large in (("be.csv", DALMATIAN), ("be.csv:small_share", POODLE)):
        each = run("study", "ilsvrc", "labelling", "merge", "--scale", text, "--each")
        assert [row["wnid"] for row in each if row["reason"] == "objects too large"] == [large]
    said = _said("study", "ilsvrc", "labelling", "merge", "--scale", "be.csv")
    assert "The scale is known for 2 of 1,000 classes" in said
    for text, message in (
        ("be.csv:hit@1", "be.csv has no column hit@1; it has wnid, name, scale_share"),
        ("none.csv", "none.csv is no file. Give a wnid,value table, or TABLE:COLUMN (--scale)"),
    ):
        (failed,) = run("study", "ilsvrc", "labelling", "merge", "--scale", text, code=1)
        assert message in failed["said"]
    Path("be.csv").write_text(f"wnid,name,hit@1\n{DALMATIAN},x,0.6\n")
    (failed,) = run("study", "ilsvrc", "labelling", "merge", "--scale", "be.csv", code=1)
    assert "no column scale_share or value; it has wnid, name, hit@1. Name" in failed["said"]
    Path("scale.csv").write_text("n99999999,0.6\n")
    (failed,) = run("study", "ilsvrc", "labelling", "merge", "--scale", "scale.csv", code=1)
    assert "scale.csv: n99999999 is not a node of the hierarchy" in failed["said"]


@pytest.mark.usefixtures("files")
def test_classes_that_are_left_out_count_nowhere() -> None:
    Path("scale.csv").write_text(f"{POODLE},0.6\n")
    Path("mine.txt").write_text(f"{POODLE}\n{DALMATIAN}\n")
    arguments = ["--set", "mine.txt", "--into", "mine.txt", "--scale", "scale.csv"]
    (row,) = run("study", "ilsvrc", "labelling", "merge", *arguments)
    assert _named([row], "too_large", "same", "above", "without") == [(1, 1, 0, 1)]
    assert row["consistent"] is False


@pytest.mark.usefixtures("files")
def test_simulated_labels_and_mistakes_are_called_so() -> None:
    Path("other.csv").write_text(
        f"image,class,simulated\n3,{DALMATIAN},yes\n4,{POODLE},yes\n5,{POODLE},yes\n"
    )
    Path("judged.csv").write_text(f"image,class,right\n1,{POODLE},yes\n")
    arguments = ["judged.csv", "mine.csv", "other.csv", "--unjudged", "ask.csv"]
    rows = run("study", "ilsvrc", "labelling", "precision", *arguments)
    assert _named(rows, "entry", "simulated") == [("mine", False), ("other", True)]
    assert Path("ask.csv").read_text().split() == [
        "image,class,simulated",
        f"3,{DALMATIAN},yes",
        f"4,{POODLE},no",
        f"5,{POODLE},yes",
    ]
    for more in ([], ["--each"]):
        rows = run("study", "ilsvrc", "labelling", "repair", "other.csv", *more)
        assert rows
        assert all(row["simulated"] is True for row in rows)
    assert "simulated" not in run("study", "ilsvrc", "labelling", "repair", "boxes.csv")[0]
    Path("mistakes.csv").write_text("image,type,simulated\n1,small,no\n2,,yes\n")
    rows = run("study", "ilsvrc", "labelling", "errors", "mistakes.csv")
    assert [row["simulated"] for row in rows] == [True, True]


@pytest.mark.usefixtures("files")
def test_what_is_right_is_no_mistake() -> None:
    Path("mistakes.csv").write_text(
        f"image,true,predicted\n1,{POODLE},{DALMATIAN}\n2,{DALMATIAN},dalmatian.n.02\n"
    )
    (said,) = run(
        "study", "ilsvrc", "labelling", "errors", "mistakes.csv", "--fine-grained", "1", code=1
    )
    assert (
        f"mistakes.csv:3: true and predicted are the same class {DALMATIAN} (dalmatian.n.02)"
        in said["said"]
    )


@pytest.mark.usefixtures("files")
def test_entries_with_other_spellings_are_named() -> None:
    Path("mine.csv").write_text("image,class\n1,toy_poodle.n.01\n")
    said = _said("study", "ilsvrc", "labelling", "precision", "judged.csv", "mine.csv", "other.csv")
    assert (
        f"None of the classes of mine.csv, such as toy_poodle.n.01, is in judged.csv, which has"
        f" {POODLE}." in said
    )
    assert "of other.csv" not in said
    Path("mine.csv").write_text(f"image,class\n1,{POODLE}\n2,Fire-engine\n3,unknown thing\n")
    Path("judged.csv").write_text(f"image,class,right\n1,{POODLE},yes\n2,fire engine,no\n")
    said = _said("study", "ilsvrc", "labelling", "precision", "judged.csv", "mine.csv", "other.csv")
    assert (
        "1 class of mine.csv that nobody judged may be spelt in another way in judged.csv:"
        " Fire-engine there is fire engine." in said
    )
    (failed,) = run(
        "study", "ilsvrc", "labelling", "precision", "judged.csv", "mine.csv", "./mine.csv", code=2
    )
    assert "Give each of the ENTRIES once" in failed["said"]


def test_a_root_below_another_is_named() -> None:
    said = _said("study", "ilsvrc", "labelling", "audit", "animal.n.01", "dog.n.01")
    assert f"classes of {DOG} (dog.n.01) are below roots before it, and count there." in said
    assert said.count("All 118 classes") == 1
    said = _said("study", "ilsvrc", "labelling", "audit", "dog.n.01", "animal.n.01")
    assert "118 of 398 classes of n00015388 (animal.n.01) are below roots before it" in said
    assert "All " not in said
    (failed,) = run("study", "ilsvrc", "labelling", "audit", "dog.n.01", DOG, code=1)
    assert f"{DOG} (dog.n.01) is given twice" in failed["said"]


@pytest.mark.usefixtures("files")
def test_classes_without_a_first_sample_are_named() -> None:
    lines = ["image,class,vote", "1,cat,1", "1,cat,1", "2,dog,1", "3,cow,0"]
    Path("votes.csv").write_text("\n".join(lines))
    arguments = ["study", "ilsvrc", "labelling", "consensus", "votes.csv", "--first-votes"]
    for more in ([], ["--table"], ["--each"]):
        assert {row["wnid"] for row in run(*arguments, "2", *more)} == {"cat"}
    assert "2 classes have no image with 2 votes, and no table: 'dog', 'cow'." in _said(
        *arguments, "2"
    )
    assert "no table" not in _said(*arguments, "1")
    (failed,) = run(*arguments, "3", code=1)
    assert "votes.csv: no image has 3 votes, which make the table" in failed["said"]


@pytest.mark.usefixtures("files")
def test_one_class_needs_nothing() -> None:
    Path("boxes.csv").write_text(f"image,class\n1,{DALMATIAN}\n2,oak.n.02\n")
    assert "1 class of boxes.csv has no class of ilsvrc-detection at or above, and needs" in _said(
        "study", "ilsvrc", "labelling", "repair", "boxes.csv"
    )
    Path("boxes.csv").write_text("image,class\n1,pine.n.01\n2,oak.n.02\n")
    assert "2 classes of boxes.csv have no class" in _said(
        "study", "ilsvrc", "labelling", "repair", "boxes.csv"
    )


@pytest.mark.usefixtures("files")
def test_changes_of_lists_name_their_classes() -> None:
    rows = run("study", "ilsvrc", "changes", "2010.txt", "2011.txt", "ilsvrc2012")
    assert _named(rows, "from", "to", "kept", "gone", "new") == [
        ("2010.txt", "2011.txt", 1, 1, 1),
        ("2011.txt", "ilsvrc2012", 1, 1, 999),
        ("2010.txt", "ilsvrc2012", 0, None, None),
    ]
    each = run("study", "ilsvrc", "changes", "2010.txt", "2011.txt", "--each")
    assert _named(each, "change", "name") == [
        ("kept", "cat.n.01"),
        ("gone", "dog.n.01"),
        ("new", "dalmatian.n.02"),
    ]
    (said,) = run("study", "ilsvrc", "changes", "ilsvrc2012", "ilsvrc2012", code=2)
    assert "Give each of the LISTS once" in said["said"]

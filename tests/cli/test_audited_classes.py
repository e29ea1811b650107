"""``graphzsl audit``: classes that take the hierarchy away, and names kept as a table."""

from __future__ import annotations

import io
import json
import re
from contextlib import redirect_stderr
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

from graphzsl.cli import main
from tests.audit.kinds import evaluated

#: One digit of the dog's wnid, n02084071, is wrong in the third line.
SLIP = "label,top1\nn02121620,n02084071\nn02084072,n02121620\nn02374451,n02084072\n"
#: The crane is a bird and a machine, both of which are classes; all else is clear.
NAMES = "label,top1\ncat,dog\ncrane,cat\nhorse,horse\ndog,dog\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("slip.csv").write_text(SLIP)
    Path("names.csv").write_text(NAMES)
    Path("clear.csv").write_text(NAMES.replace("crane", "tench"))


def run(*arguments: str, code: int = 0) -> Result:
    done = CliRunner().invoke(main, list(arguments))
    assert done.exit_code == code, done.output
    assert "Traceback" not in done.output
    return done


@pytest.mark.parametrize(("file", "name"), [("slip", "n02084072"), ("names", "crane")])
def test_the_last_line_says_that_the_hierarchy_was_dropped(file: str, name: str) -> None:
    done = run("audit", f"{file}.csv")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("Warning: hit@k alone, without the hierarchy")
    assert f"{name} (line 3)" in last
    assert "--strict" in last
    assert "hp@" not in done.stdout
    assert "lca_height" not in done.stdout


def test_what_names_mean_is_asked_of_unclear_ones_alone() -> None:
    """Hen, cup and tabby have several synsets each, and are read beside one class each; the crane
    alone is both a bird and a machine among ImageNet's classes."""
    Path("mixed.csv").write_text(
        "label,top1,top2\ntabby,n02123159,hen\nn01514668,n02123045,cup\ncup,hen,crane\n"
    )
    for file in ("mixed", "names"):
        done = run("audit", f"{file}.csv")
        said = [line for line in done.stderr.splitlines() if "hierarchy" in line]
        assert [line.split(":")[0] for line in said] == [
            "Names stay names, and there is no hierarchy",
            "Warning",
        ]
        assert "crane" in said[1]
        assert not any(f"'{name}'" in done.stderr for name in ("tabby", "hen", "cup", "cat"))
    # a wnid that is wrong besides is said, too, on a line of its own
    Path("both.csv").write_text(Path("mixed.csv").read_text() + "n02084072,n02084072,hen\n")
    said = [line for line in run("audit", "both.csv").stderr.splitlines() if "hierarchy" in line]
    assert "n02084072 is not a noun synset of WordNet 3.0. Did you mean n02084071" in said[1]
    assert "Classes outside WordNet (1 of 8 classes) have no place" in said[1]
    frame = [["n02123159", "hen"], ["n02123045", "cup"], ["hen", "crane"]]
    with redirect_stderr(io.StringIO()) as told:
        evaluated(["tabby", "n01514668", "cup"], frame)
    assert "'crane' may mean" in told.getvalue()
    assert "noun synsets" not in told.getvalue()


def test_a_slip_in_a_name_is_said_once_with_its_line() -> None:
    Path("slips.csv").write_text(NAMES.replace("crane", "German shephard"))
    done = run("audit", "slips.csv", code=1)
    assert "Names stay names" not in done.stderr
    assert done.stderr.startswith("Error: sample 1: the true class 'German shephard' (near")
    assert "\nFirst in slips.csv: German shephard (line 3).\n" in done.stderr
    Path("letter.csv").write_text(SLIP.replace("n02084072", "n02084072x", 1))
    assert "Did you mean n02084071" in run("audit", "letter.csv", code=1).stderr


def test_numbers_name_the_options_that_say_what_they_count() -> None:
    Path("numbers.csv").write_text("target,pred1,pred2\n0,0,207\n999,3,999\n")
    told = run("audit", "numbers.csv").stderr
    assert "--names" not in told
    (options,) = re.findall("`(.*?)`", told)
    assert options == "--candidates ilsvrc2012 --numbered"
    done = run("audit", "numbers.csv", *options.split(), "--format", "json")
    first = json.loads(done.stdout)[0]
    assert (first["metric"], first["per_sample"]) == ("hit@1", 0.5)
    assert "lca_height_wordnet@1" in done.stdout
    # more than ILSVRC 2012 has
    Path("more.csv").write_text("target,pred1,pred2\n0,0,207\n1000,3,1000\n")
    assert "`--candidates FILE --numbered`" in run("audit", "more.csv").stderr
    np.savez("logits.npz", scores=np.eye(2, 1000), labels=[0, 1])
    said = run("audit", "logits.npz", code=1).stderr
    assert "candidates in the order of the scores (ilsvrc2012 for a network of ImageNet-1k)" in said


def test_the_first_page_has_the_area_under_the_curve() -> None:
    """Both classes are right where the margin of the training class is between 0.2 and 0.8, so the
    curve goes through (1, 1); without a margin all is taken for the training class."""
    classes = ["n02084071", "n02121620"]
    np.savez("scores.npz", scores=[[0.9, 0.1], [0.6, 0.4]], classes=classes, labels=classes)
    Path("train.txt").write_text(f"{classes[0]}\n")
    done = run("audit", "scores.npz", "--train", "train.txt", "--format", "table")
    rows = dict(re.findall(r"^generalized (\w+) +([\d.]+)(?: %)?", done.stdout, re.M))
    assert rows == {"ts": "0.0", "tr": "100.0", "h": "0.0", "ausuc": "100.0"}


def test_nothing_is_dropped_and_nothing_said(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Warning" not in run("audit", "clear.csv").stderr
    run("audit", "clear.csv", "--strict")
    # a data set of classes that nobody takes for WordNet's
    Path("own.csv").write_text("label,top1\nglorp,fnord\nfnord,fnord\n")
    assert "Warning" not in run("audit", "own.csv").stderr


def test_strict_names_the_line_and_near_wnids() -> None:
    done = run("audit", "slip.csv", "--strict", code=1)
    assert "n02084072 is not a node of the hierarchy. Did you mean n02084071" in done.stderr
    assert "First in slip.csv: n02084072 (line 3)." in done.stderr
    done = run("audit", "names.csv", "--strict", code=1)
    assert "1 name is not clear: 'crane'." in done.stderr
    assert "First in names.csv: crane (line 3)." in done.stderr
    assert "--names" in done.stderr
    done = run("audit", "slip.csv", "--strict", "--wordnet", "none", code=2)
    assert "--strict has no effect here" in done.stderr


def test_names_are_kept_as_a_table_that_is_a_list_and_says_what_names_mean() -> None:
    done = run("audit", "clear.csv", "--names-out", "read.csv")
    assert "4 names with their wnids in read.csv." in done.stderr
    rows = sorted(Path("read.csv").read_text().splitlines()[1:])
    assert rows == ["n01440764,tench", "n02084071,dog", "n02121620,cat", "n02374451,horse"]
    listed = run("names", "--set", "read.csv", "--rule", "first").stdout.splitlines()
    assert sorted(line.split("\t")[0] for line in listed) == [row.split(",")[0] for row in rows]
    again = run("audit", "clear.csv", "--names", "read.csv", "--format", "jsonl")
    assert "most usual" not in again.stderr
    assert "lca_height_wordnet@1" in again.stdout


def test_names_that_are_not_clear_are_left_out_and_said() -> None:
    done = run("audit", "names.csv", "--names-out", "read.csv")
    assert "1 name left out that is not clear: crane" in done.stderr
    assert "crane" not in Path("read.csv").read_text()
    with Path("read.csv").open("a") as file:
        file.write("n02012849,crane\n")
    run("audit", "names.csv", "--names", "read.csv", "--strict")


def test_there_is_no_table_without_names() -> None:
    done = run("audit", "slip.csv", "--names-out", "read.csv", code=1)
    assert "No name of a class was read" in done.stderr
    assert not Path("read.csv").exists()


def test_a_result_of_training_classes_alone_says_so() -> None:
    Path("known.csv").write_text("label,top1\ntench,tench\ngoldfish,tench\n")
    Path("both.csv").write_text("label,top1\ntench,tench\npoodle,tench\n")
    said = "No candidate is unseen: all 2 are training classes"
    assert said in run("audit", "known.csv", "--train", "ilsvrc2012").stderr
    assert said not in run("audit", "known.csv").stderr
    assert "unseen" not in run("audit", "both.csv", "--train", "ilsvrc2012").stderr


def test_a_near_file_is_offered_for_one_that_is_not_there() -> None:
    Path("my.txt").write_text("n02084071\n")
    Path("mine.json").mkdir()
    assert "Did you mean my.txt" in run("audit", "clear.csv", "--train", "my.csv", code=1).stderr
    assert "Did you mean my.txt" in run("audit", "clear.csv", "--train", "my", code=1).stderr
    Path("lists").mkdir()
    Path("lists/animals.txt").write_text("n02084071\n")
    done = run("audit", "clear.csv", "--train", "lists/animal.txt", code=1)
    assert "Did you mean lists/animals.txt?" in done.stderr


def test_runs_are_compared_or_refused_before_what_their_rates_are_of_is_said() -> None:
    classes = ["n02084071", "n02121620"]
    np.savez("scores.npz", scores=[[0.9, 0.1], [0.6, 0.4]], classes=classes, labels=classes)
    Path("train.txt").write_text(f"{classes[0]}\n")
    run("audit", "scores.npz", "--train", "train.txt", "--out", "run.json")
    done = run("evaluate", "compare", "run.json", "scores.npz", code=1)
    assert done.stderr.startswith("Error: scores.npz: not a Parquet file that can be read")
    done = run("evaluate", "compare", "run.json", "run.samples.parquet")
    assert "samples of seen and of unseen classes" in done.stderr

"""``study ilsvrc localization | detection | boxes``: the examples of their help, and what they
print."""

from __future__ import annotations

import tarfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from graphzsl.cli import main
from tests.cli.test_help import examples
from tests.command import run
from tests.ilsvrc.boxes.simulated import detection_files
from tests.ilsvrc.boxes.test_localization import GUESSES, HEAD, TRUTH
from tests.ilsvrc.boxes.test_readers import XML


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What the examples name."""
    monkeypatch.chdir(tmp_path)
    table = "\n".join([f"{HEAD},image_width,image_height", *(f"{x},500,400" for x in TRUTH)])
    Path("val.csv").write_text(table)
    guesses = "\n".join([f"{HEAD},score", *GUESSES])
    Path("mine.csv").write_text(guesses)
    Path("other.csv").write_text(guesses.replace("200,0,289", "0,0,289"))
    regions = [f"{image},0,0,99,99" for image in "abc"]
    Path("regions.csv").write_text("\n".join(["image,xmin,ymin,xmax,ymax", *regions]))
    truth, results = detection_files(Path())
    truth.rename("instances.json")
    results.rename("results.json")
    Path("one.xml").write_text(XML.replace("n02121620", "n02084071"))
    with tarfile.open("val-xml.tar", "w") as archive:
        archive.add("one.xml")
    Path("guesses.csv").write_text(f"{HEAD}\none,n02084071,1,2,10,20\n")


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", ["localization", "detection", "boxes"])
def test_examples_run(command: str) -> None:
    found = examples(f"study ilsvrc {command}")
    assert len(found) == 2
    for words in found:
        done = CliRunner().invoke(main, words)
        assert (done.exit_code, bool(done.stdout)) == (0, True), done.output


@pytest.mark.usefixtures("files")
def test_names_stand_beside_wnids_and_remarks_on_stderr() -> None:
    rows = run("study", "ilsvrc", "localization", "val.csv", "mine.csv", "--each")
    assert [row["name"] for row in rows] == ["dog.n.01", "cat.n.01", "car.n.01"]
    Path("part.csv").write_text("\n".join([f"{HEAD},score", *GUESSES[:2], *GUESSES[3:]]))
    Path("without.txt").write_text("a\n")
    arguments = ["part.csv", "--guesses", "2", "--without", "without.txt"]
    done = CliRunner().invoke(main, ["study", "ilsvrc", "localization", "val.csv", *arguments])
    assert "part: 1 image without a guess, counted as errors." in done.stderr
    assert "part: 1 image with more than 2 guesses; the best count." in done.stderr
    assert "1 image left out by without.txt." in done.stderr
    assert "in without.txt" not in done.stderr


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", ["localization", "detection"])
def test_boxes_without_an_area_are_counted(command: str) -> None:
    lines = [f"{HEAD},score", *GUESSES]
    for more, said in (
        (["a,n02084071,5,5,4,9,1"], "mine: 1 box has no area, and matches nothing."),
        (["a,n02084071,5,5,4,9,1"] * 2, "mine: 2 boxes have no area, and match nothing."),
    ):
        Path("mine.csv").write_text("\n".join([*lines, *more]))
        done = CliRunner().invoke(main, ["study", "ilsvrc", command, "val.csv", "mine.csv"])
        assert (done.exit_code, said in done.stderr) == (0, True), done.output


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", ["localization", "detection"])
def test_boxes_outside_the_image_are_counted(command: str) -> None:
    """Left of an image of 500 × 400 pixels, and right of it."""
    lines = [f"{HEAD},score", *GUESSES]
    left, right = "a,n02084071,-9,5,-1,9,1", "a,n02084071,500,5,509,9,1"
    for more, said in (
        ([left], "mine: 1 box lies outside the image, and matches nothing inside it."),
        ([left, right], "mine: 2 boxes lie outside the image, and match nothing inside it."),
    ):
        Path("mine.csv").write_text("\n".join([*lines, *more]))
        done = CliRunner().invoke(main, ["study", "ilsvrc", command, "val.csv", "mine.csv"])
        assert (done.exit_code, said in done.stderr) == (0, True), done.output


def test_the_first_pixel_is_said_where_it_is_one(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text(f"{HEAD},image_width,image_height\na,dog,1,1,100,50,100,50\n")
    said = "count pixels from 1, as PASCAL's do; --first-pixel 0: from 0."
    for words, share, noted in (
        ([], 1, True),
        (["--first-pixel", "1"], 1, False),
        (["--first-pixel", "0"], 99 * 49 / 5000, False),
    ):
        done = CliRunner().invoke(main, ["study", "ilsvrc", "boxes", str(path), *words])
        assert (done.exit_code, said in done.stderr) == (0, noted), done.output
        (row,) = run("study", "ilsvrc", "boxes", str(path), *words)
        assert row["scale_share"] == pytest.approx(share)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("empty", ["empty.json", "empty.csv", "empty.parquet"])
def test_an_entry_that_found_nothing_is_as_bad_as_can_be(empty: str) -> None:
    """Alone and beside another; of the four objects none is found."""
    Path("empty.json").write_text("[]\n")
    Path("empty.csv").write_text(f"{HEAD},score\n")
    columns: dict[str, list[str]] = {name: [] for name in f"{HEAD},score".split(",")}
    pq.write_table(pa.table(columns), "empty.parquet")
    for more in ([], ["mine.csv"]):
        rows = run("study", "ilsvrc", "localization", "val.csv", empty, *more)
        own = [row for row in rows if row["entry"] == "empty"]
        assert [(row["per_image"], row["low"], row["high"]) for row in own] == [(1, 1, 1)] * 4
        assert [row["per_class"] for row in own] == [1] * 4
        row = run("study", "ilsvrc", "detection", "val.csv", empty, *more)[0]
        assert (row["entry"], row["objects"], row["detections"]) == ("empty", 4, 0)
        assert row["mean_average_precision"] == row["mean_recall"] == row["low"] == row["high"] == 0
        if more:
            assert row["won"] == 0
            assert row["difference"] < 0
    each = run("study", "ilsvrc", "detection", "val.csv", empty, "--each")
    assert [row["average_precision"] for row in each] == [0] * 3
    each = run("study", "ilsvrc", "localization", "val.csv", empty, "--each")
    assert [row["localization_error"] for row in each] == [1] * 3
    done = CliRunner().invoke(main, ["study", "ilsvrc", "localization", "val.csv", empty])
    assert "empty: 3 images without a guess, counted as errors." in done.stderr
    done = CliRunner().invoke(main, ["study", "ilsvrc", "detection", "val.csv", empty])
    assert "empty has no detection that counts." in done.stderr
    # COCO's results against COCO's ground truth
    row = run("study", "ilsvrc", "detection", "instances.json", empty)[0]
    assert (row["mean_average_precision"], row["detections"]) == (0, 0)


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", ["localization", "detection"])
def test_no_rounds_are_no_intervals(command: str) -> None:
    """All other columns and values are there."""
    words = ["study", "ilsvrc", command, "val.csv", "mine.csv", "other.csv"]
    whole, without = run(*words), run(*words, "--rounds", "0")
    ends = {"low", "high", "interval", "difference_low", "difference_high"}
    assert ends & {*whole[0]}
    assert without == [{key: row[key] for key in row if key not in ends} for row in whole]
    assert any(row["difference"] for row in without)
    done = CliRunner().invoke(main, [*words, "--rounds", "0", "--format", "table"])
    assert (done.exit_code, "[" in done.stdout) == (0, False), done.output
    assert "No intervals: --rounds is 0." in done.stderr
    (said,) = run(*words, "--rounds", "0", "--confidence", "0.9", code=2)
    assert "--confidence has no effect here: it needs --rounds above 0." in said["said"]


@pytest.mark.usefixtures("files")
def test_ignored_boxes_are_said() -> None:
    """The only box of c is difficult."""
    lines = [f"{HEAD},difficult", *(f"{line},{int(line[0] == 'c')}" for line in TRUTH)]
    Path("val.csv").write_text("\n".join(lines))
    for command, said in (
        (["localization", "val.csv", "mine.csv"], "and is not what is looked for."),
        (["localization", "val.csv", "mine.csv"], "1 image of val.csv has no other box, and is"),
        (["detection", "val.csv", "mine.csv"], "and is neither found nor missed."),
        (["boxes", "val.csv"], "1 box of val.csv need not be found, and is in no statistic."),
    ):
        done = CliRunner().invoke(main, ["study", "ilsvrc", *command])
        assert (done.exit_code, said in done.stderr) == (0, True), done.output


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize("command", ["localization", "detection"])
def test_names_to_leave_out_that_are_no_images_are_said(command: str) -> None:
    """An index in the place of an image's name would leave out nothing."""
    Path("without.txt").write_text("a\n36\n")
    arguments = ["val.csv", "mine.csv", "--without", "without.txt"]
    done = CliRunner().invoke(main, ["study", "ilsvrc", command, *arguments])
    assert done.exit_code == 0, done.output
    assert "1 image left out by without.txt." in done.stderr
    assert "1 name in without.txt is no image of val.csv: 36." in done.stderr


@pytest.mark.usefixtures("files")
def test_a_table_on_a_terminal_has_per_cents() -> None:
    arguments = ["localization", "val.csv", "mine.csv", "--format", "table"]
    done = CliRunner().invoke(main, ["study", "ilsvrc", *arguments])
    assert "33.3 % [0.0, 100.0]" in done.stdout
    arguments = ["detection", "val.csv", "mine.csv", "--format", "table"]
    done = CliRunner().invoke(main, ["study", "ilsvrc", *arguments])
    assert "mean_average_precision" in done.stdout
    assert " %" in done.stdout


@pytest.mark.usefixtures("files")
def test_corners_are_pixels_or_edges() -> None:
    """A box of 10 × 10 pixels is one of 9 × 9 by its edges."""
    scales = [
        run("study", "ilsvrc", "boxes", "val.csv", *more)[0]["scale_share"]
        for more in ([], ["--corners", "edges"])
    ]
    assert scales[0] == pytest.approx(100 * 100 / (500 * 400))
    assert scales[1] == pytest.approx(99 * 99 / (500 * 400))


@pytest.mark.usefixtures("files")
def test_errors_name_the_option_that_mends_them() -> None:
    Path("numbers.csv").write_text(f"{HEAD}\na,1,1,1,2,2\n")
    (said,) = run("study", "ilsvrc", "localization", "val.csv", "numbers.csv", code=1)
    assert "no class of it is a class of val.csv" in said["said"]
    assert "--candidates" in said["said"]
    (said,) = run("study", "ilsvrc", "entries", "--gains", "--task", "cls", code=2)
    assert "--task has no effect here" in said["said"]

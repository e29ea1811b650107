"""Detection against COCO's own evaluation, scikit-learn, and counts by hand."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.ilsvrc import detection
from tests.ilsvrc.boxes.simulated import CATEGORIES, add_empty_boxes, detection_files


@pytest.mark.parametrize("empty", [False, True])
@pytest.mark.parametrize("crowds", [False, True])
def test_average_precision_is_that_of_coco(
    tmp_path: Path, crowds: bool, empty: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Simulated boxes, every class at IoU 0.5 and 0.75, of all sizes; boxes without an area are
    false positives, in crowds too."""
    pytest.importorskip("pycocotools", reason="pycocotools is not installed")
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    truth, results = detection_files(tmp_path, crowds=crowds)
    count = add_empty_boxes(results) if empty else 0
    coco = COCO(str(truth))
    evaluation = COCOeval(coco, coco.loadRes(str(results)), "bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    for at, overlap in ((0, 0.5), (5, 0.75)):
        expected = evaluation.eval["precision"][at, :, :, 0, 2].mean(axis=0)
        recall = evaluation.eval["recall"][at, :, 0, 2]
        ours = detection(
            truth, [results], overlap=overlap, relax=False, interpolation="101", rounds=0
        )
        assert ours.empty.tolist() == [count]
        place = [ours.classes.index(each["name"]) for each in CATEGORIES]
        assert ours.precision[0, place] == pytest.approx(expected, abs=1e-12)
        assert ours.recall[0, place] == pytest.approx(recall, abs=1e-12)
        assert 0.1 < expected.mean() < 0.9


def test_boxes_without_an_area_match_nothing(files: tuple[Path, Path]) -> None:
    """A miss before the five of ``FOUND``: the hits of class 1 have precision 1/2, 2/4 and 3/5,
    which made to fall are all 3/5. An overlap of 0, which every other box reaches, is no match."""
    truth, found = files
    lines = FOUND.splitlines()
    # the last pixel before the first, as what is cut at an edge has it
    found.write_text("\n".join([*lines, "a,one,10,0,9,99,0.95"]) + "\n")
    ours = detection(truth, [found], rounds=0)
    assert ours.precision[0] == pytest.approx([3 / 5, 1])
    assert (ours.empty.tolist(), ours.detections.tolist()) == ([1], [[5, 1]])
    found.write_text("\n".join([lines[0], "a,one,10,0,9,99,0.95"]) + "\n")
    assert detection(truth, [found], overlap=0, rounds=0).recall.tolist() == [[0, 0]]
    truth.write_text(TRUTH + "b,two,10,0,9,99,400,400\n")
    with pytest.raises(DataError, match=r"truth\.csv:6 .* no area: width 0, height 100.* left < "):
        detection(truth, [found])
    truth.write_text(TRUTH)
    found.write_text("\n".join([lines[0], "a,one,10,0,8,99,0.95"]) + "\n")
    with pytest.raises(DataError, match=r"no area: width -1, height 100\. Expected left ≤ right"):
        detection(truth, [found])


HEAD = "image,class,xmin,ymin,xmax,ymax"
#: Class 1: two objects in one image, one small one in another. Class 2: one object.
TRUTH = f"""{HEAD},image_width,image_height
a,one,0,0,99,99,400,400
a,one,200,0,299,99,400,400
b,one,50,50,59,59,400,400
b,two,100,100,199,199,400,400
"""
#: The small one is found with an overlap of 64 / 136 = 0.47 alone; its own threshold is 0.25.
FOUND = f"""{HEAD},score
a,one,0,0,99,99,0.9
a,one,0,0,99,95,0.8
a,one,200,0,299,99,0.7
b,one,52,52,61,61,0.6
b,two,100,100,199,199,0.3
"""


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    truth, found = tmp_path / "truth.csv", tmp_path / "found.csv"
    truth.write_text(TRUTH)
    found.write_text(FOUND)
    return truth, found


def test_average_precision_by_hand(files: tuple[Path, Path]) -> None:
    """Hit, miss (the object is taken), hit, hit for class 1 of three objects."""
    truth, found = files
    ours = detection(truth, [found], interpolation="none", rounds=0)
    assert ours.classes == ["one", "two"]
    assert ours.precision[0] == pytest.approx([(1 + 2 / 3 + 3 / 4) / 3, 1])
    assert ours.recall.tolist() == [[1, 1]]
    all_points = detection(truth, [found], rounds=0)
    assert all_points.precision[0] == pytest.approx([(1 + 3 / 4 + 3 / 4) / 3, 1])
    (row,) = all_points.rows()
    assert row["mean_average_precision"] == pytest.approx((2.5 / 3 + 1) / 2)
    assert (row["classes"], row["images"], row["objects"], row["detections"]) == (2, 2, 4, 5)


def test_small_objects_need_less_where_thresholds_are_relaxed(files: tuple[Path, Path]) -> None:
    strict = detection(files[0], [files[1]], relax=False, rounds=0)
    assert strict.recall[0].tolist() == [pytest.approx(2 / 3), 1]
    assert detection(files[0], [files[1]], relax=True, rounds=0).recall[0].tolist() == [1, 1]


def test_parts_and_blocks_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated: one part and one block, and 256 parts with blocks of single images: the same
    values, and the same intervals, since groups follow the images."""
    truth, results = detection_files(tmp_path, crowds=True)
    whole = detection(truth, [results], rounds=50)
    monkeypatch.setattr("graphzsl.ilsvrc.boxes.partitions.PART_BYTES", 1)
    monkeypatch.setattr("graphzsl.ilsvrc.boxes.detection.PAIRS", 1)
    parts = detection(truth, [results], rounds=50)
    assert (parts.precision == whole.precision).all()
    assert parts.rows() == whole.rows()
    assert parts.class_rows() == whole.class_rows()


@pytest.mark.parametrize("interpolation", ["all", "none", "11", "101"])
def test_classes_of_more_detections_than_memory_holds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, interpolation: str
) -> None:
    """Simulated: average precision from parts by score is that of all at once, with ties, too; the
    rounds, which take their steps otherwise, differ little."""
    truth, results = detection_files(tmp_path, images=200)
    rounded = re.sub(r'"score": (0\.\d\d)\d*', r'"score": \1', results.read_text())
    for text in (results.read_text(), rounded):
        results.write_text(text)
        settings = {"interpolation": interpolation, "rounds": 100}
        whole = detection(truth, [results], **settings)  # type: ignore[arg-type]
        with monkeypatch.context() as patch:
            patch.setattr("graphzsl.ilsvrc.boxes.class_files.MOST", 20)
            parts = detection(truth, [results], **settings)  # type: ignore[arg-type]
        assert (whole.detections > 100).all()
        assert parts.precision == pytest.approx(whole.precision, abs=1e-12)
        assert parts.recall == pytest.approx(whole.recall)
        assert parts.mean_rounds == pytest.approx(whole.mean_rounds, abs=0.02)


def test_what_is_ignored_is_neither_right_nor_wrong(tmp_path: Path) -> None:
    truth, found = tmp_path / "truth.csv", tmp_path / "found.csv"
    truth.write_text(f"{HEAD},difficult\na,one,0,0,99,99,1\nb,one,0,0,99,99,0\n")
    found.write_text(f"{HEAD},score\na,one,0,0,99,99,0.9\nb,one,0,0,99,99,0.8\n")
    ours = detection(truth, [found], rounds=0)
    assert (ours.objects.tolist(), ours.detections.tolist()) == ([1], [[1]])
    assert ours.precision.tolist() == [[1]]
    assert ours.ignored == 1


def test_classes_won_and_the_difference(files: tuple[Path, Path], tmp_path: Path) -> None:
    """Both are best in class 2."""
    truth, found = files
    worse = tmp_path / "worse.csv"
    worse.write_text("\n".join(FOUND.splitlines()[i] for i in (0, 1, 5)) + "\n")
    ours = detection(truth, [worse, found], rounds=200)
    assert ours.won.tolist() == [1, 2]
    first, second = ours.rows()
    assert first["difference"] == pytest.approx((1 / 3 - 2.5 / 3) / 2)
    assert first["difference_low"] <= first["difference"] <= first["difference_high"]
    assert second["difference"] is None
    assert ours.class_rows()[0]["entry"] == "worse"


def test_classes_that_the_truth_does_not_have_are_left_out(
    files: tuple[Path, Path],
) -> None:
    truth, found = files
    found.write_text(found.read_text() + "a,three,0,0,9,9,0.9\n")
    ours = detection(truth, [found], rounds=0)
    assert ours.foreign.tolist() == [1]
    assert ours.precision[0] == pytest.approx([2.5 / 3, 1])


def test_interval_lies_around_the_value(tmp_path: Path) -> None:
    truth, results = detection_files(tmp_path)
    ours = detection(truth, [results], rounds=300, level=0.9)
    (row,) = ours.rows()
    assert row["low"] < row["mean_average_precision"] < row["high"]
    wide = detection(truth, [results], rounds=300, level=0.99)
    assert wide.rows()[0]["high"] - wide.rows()[0]["low"] > row["high"] - row["low"]
    again = detection(truth, [results], rounds=300, level=0.9)
    assert again.rows() == [row]


def test_files_that_cannot_be_scored(files: tuple[Path, Path]) -> None:
    truth, found = files
    found.write_text(FOUND.replace(",score", ",other"))
    with pytest.raises(DataError, match=r"found\.csv:2 \(image a\): a detection without a score"):
        detection(truth, [found])
    found.write_text(FOUND.replace("b,two", "c,two"))
    with pytest.raises(DataError, match=r"found\.csv:6 \(image c\): .*truth\.csv has no image c"):
        detection(truth, [found])
    truth.write_text(f"{HEAD},ignore\na,one,0,0,99,99,1\n")
    found.write_text("\n".join(FOUND.splitlines()[:3]))
    with pytest.raises(DataError, match="There is no object that counts"):
        detection(truth, [found])


def test_categories_of_results_are_those_of_the_truth(tmp_path: Path) -> None:
    truth, results = detection_files(tmp_path)
    text = results.read_text().replace('"category_id": 1,', '"category_id": 2,')
    results.write_text(text)
    with pytest.raises(DataError, match="there is no category with id 2 among the 5"):
        detection(truth, [results])


def test_images_that_are_left_out_count_nowhere(files: tuple[Path, Path], tmp_path: Path) -> None:
    """As if they were in no file: their objects, their detections, and themselves."""
    truth, found = files
    without = tmp_path / "without.txt"
    without.write_text("b\nnowhere\n")
    less = tmp_path / "less"
    less.mkdir()
    for path in files:
        lines = path.read_text().splitlines()
        kept = [line for line in lines if not line.startswith("b,")]
        (less / path.name).write_text("\n".join(kept) + "\n")
    ours = detection(truth, [found], without=without, rounds=50)
    expected = detection(less / truth.name, [less / found.name], rounds=50)
    assert ours.rows() == expected.rows()
    assert ours.class_rows() == expected.class_rows()
    # by hand: image a has two objects of one class, and three detections
    assert (ours.images, ours.objects.tolist(), ours.detections.tolist()) == (1, [2], [[3]])
    assert (ours.left_out, ours.unmet) == (1, ["nowhere"])

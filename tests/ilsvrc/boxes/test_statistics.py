"""Statistics of annotations, counted by hand."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from graphzsl.common import DataError
from graphzsl.ilsvrc import box_statistics, flag_file, large_file
from graphzsl.ilsvrc.boxes import statistics

HEAD = "image,class,x,y,width,height,image_width,image_height\n"
#: In a two touching dogs and a cat on the first of them; in b the same dog in an image of half the
#: size; c is empty.
TRUTH = (
    HEAD
    + """a,dog,0,0,100,100,200,200
a,dog,100,0,100,100,200,200
a,cat,2,2,100,100,200,200
b,dog,0,0,50,50,100,100
c,,,,,,100,100
"""
)


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    path = tmp_path / "truth.csv"
    path.write_text(TRUTH)
    return path


def test_statistics_by_hand(truth: Path) -> None:
    found = box_statistics(truth)
    row = found.row()
    assert (row["classes"], row["images"], row["images_with_boxes"], row["boxes"]) == (2, 3, 2, 4)
    assert row["boxes_per_image"] == pytest.approx(4 / 3)
    # dogs: 3 in 2 images; cats: 1 in 1
    assert row["instances_per_positive_image"] == pytest.approx((1.5 + 1) / 2)
    assert row["neighbours_per_instance"] == 2 / 4
    assert row["scale_share"] == 0.25
    cat, dog = found.class_rows()
    # of the three dogs, in images of one size, the first and the last are the same
    assert dog["chance_performance_share"] == pytest.approx(2 / 6)
    assert cat["chance_performance_share"] is None
    assert (dog["class"], dog["images"], dog["boxes"]) == ("dog", 2, 3)
    assert row["small_share"] == 0
    # cat and first dog overlap by 98² / (2 · 100² - 98²)
    assert row["other_class_overlap_share"] == 2 / 4
    assert row["same_class_overlap_share"] == 0


def test_ignored_boxes_are_in_no_statistic(truth: Path, tmp_path: Path) -> None:
    """All is as without them, but that their images are there."""
    windows, flagged = tmp_path / "windows.csv", tmp_path / "flagged.csv"
    windows.write_text("image,x,y,width,height\na,0,0,100,100\nb,0,0,50,50\n")
    plain = box_statistics(truth, regions=windows)
    marked = [f"{line},{'ignore' if not at else 0}" for at, line in enumerate(TRUTH.splitlines())]
    more = ["a,dog,0,0,90,90,200,200,1", "d,dog,0,0,9,9,200,200,1", "b,cow,1,1,9,9,100,100,1"]
    truth.write_text("\n".join([*marked, *more]) + "\n")
    with flag_file(flagged) as write:
        found = box_statistics(truth, regions=windows, flag=write)
    # one image more, without a box that counts, and with no windows
    images = {"images": 4, "boxes_per_image": 4 / 4, "ignored": 3}
    assert plain.row()["ignored"] == 0
    assert found.row() == plain.row() | images
    assert found.class_rows() == plain.class_rows()
    assert len(flagged.read_text().splitlines()) == 2
    truth.write_text("\n".join([marked[0], *more]) + "\n")
    with pytest.raises(DataError, match=r"truth\.csv has no box that counts"):
        box_statistics(truth)


def test_what_reaches_over_the_edge_is_cut(tmp_path: Path) -> None:
    """Of 100 × 100 pixels around the corner of an image of that size a quarter is inside, and half
    of what reaches over one side: each the half of the other."""
    path = tmp_path / "truth.csv"
    path.write_text(HEAD + "a,dog,-50,-50,100,100,100,100\nb,dog,-50,0,100,50,100,100\n")
    row = box_statistics(path).row()
    assert row["scale_share"] == pytest.approx((0.25 + 0.25) / 2)
    assert row["chance_performance_share"] == 1
    path.write_text(HEAD + "a,dog,-50,-50,100,100,100,100\nb,dog,0,0,90,100,100,100\n")
    row = box_statistics(path).row()
    assert row["scale_share"] == pytest.approx((0.25 + 0.9) / 2)
    # 2,500 / 9,000 of the image
    assert row["chance_performance_share"] == 0


def test_images_that_an_object_nearly_fills_are_named(tmp_path: Path) -> None:
    """5,000 of 10,000 pixels are not more than half. Of a box over an edge what is inside counts.
    Two halves are not one object."""
    path, names = tmp_path / "truth.csv", tmp_path / "large.txt"
    boxes = ["half,dog,0,0,100,50", "more,dog,0,0,100,51", "edge,dog,-50,0,150,100"]
    boxes += ["cut,dog,-60,0,100,100", "two,dog,0,0,50,100", "two,cat,50,0,50,100"]
    lines = [f"{box},100,100" for box in [*boxes, "more,cat,0,0,90,90"]]
    path.write_text(HEAD + "\n".join(lines) + "\n")
    with large_file(names) as write:
        box_statistics(path, large=write)
    assert sorted(names.read_text().split()) == ["edge", "more"]
    path.write_text("image,class,x,y,width,height\na,dog,0,0,9,9\n")
    with (
        pytest.raises(
            DataError, match=r"truth\.csv:2 \(image a\): the size of the image is not known"
        ),
        large_file(names) as write,
    ):
        box_statistics(path, large=write)
    assert sorted(names.read_text().split()) == ["edge", "more"], "as it was"


@pytest.mark.parametrize(("apart", "same"), [(4.9, True), (5, False)])
def test_boxes_are_the_same_below_five_pixels(tmp_path: Path, apart: float, same: bool) -> None:
    """At any one corner."""
    path, flagged = tmp_path / "truth.csv", tmp_path / "flagged.csv"
    for sides in ((apart, 0, 100 - apart, 100), (0, 0, 100, 100 + apart)):
        moved = ",".join(f"{side:g}" for side in sides)
        path.write_text(f"{HEAD}a,dog,0,0,100,100,400,400\na,dog,{moved},400,400\n")
        with flag_file(flagged) as write:
            box_statistics(path, flag=write)
        with flagged.open(newline="") as file:
            assert [row["same"] for row in csv.DictReader(file)] == [str(same)]


def test_without_sizes_of_images_there_is_no_scale(tmp_path: Path) -> None:
    path = tmp_path / "truth.csv"
    path.write_text("image,class,x,y,width,height\na,dog,0,0,10,10\nb,dog,0,0,10,10\n")
    row = box_statistics(path).row()
    assert row["scale_share"] is None
    assert row["chance_performance_share"] is None
    assert row["small_share"] == 1


def test_classes_are_in_order_whatever_the_order_of_rows(truth: Path, tmp_path: Path) -> None:
    """By their names, or by their numbers in a list."""
    listed = tmp_path / "classes.txt"
    lines = TRUTH.splitlines()
    for names in (("dog", "cat"), ("cat", "dog")):
        listed.write_text("\n".join(names) + "\n")
        for rows in (lines[1:], lines[:0:-1]):
            truth.write_text("\n".join([lines[0], *rows]) + "\n")
            assert [row["class"] for row in box_statistics(truth).class_rows()] == ["cat", "dog"]
            found = box_statistics(truth, candidates=listed).class_rows()
            assert tuple(row["class"] for row in found) == names


def test_flagged_pairs_are_written(truth: Path, tmp_path: Path) -> None:
    path = tmp_path / "flagged.csv"
    truth.write_text(TRUTH + "b,dog,0,0,50,40,100,100\n")
    with flag_file(path) as write:
        found = box_statistics(truth, flag=write)
    with path.open(newline="") as file:
        rows = sorted(csv.DictReader(file), key=lambda row: row["image"])
    assert [(row["image"], row["kind"], row["same"]) for row in rows] == [
        ("a", "other class", "True"),
        ("b", "same class", "False"),
    ]
    assert float(rows[1]["overlap"]) == pytest.approx(0.8)
    assert rows[1]["box"] == "0 0 50 50"
    assert found.flagged == (2, 2)
    truth.write_text("image")
    with pytest.raises(DataError, match="no column is called"), flag_file(path) as write:
        box_statistics(truth, flag=write)
    assert path.read_text().count("\n") == 3


def test_clutter_by_hand(truth: Path, tmp_path: Path) -> None:
    """The second window of a is the second dog, and the third the cat; no window of b is right."""
    windows = tmp_path / "windows.csv"
    lines = ["image,xmin,ymin,xmax,ymax", "a,150,150,160,160", "a,100,0,199,99", "a,2,2,101,101"]
    windows.write_text("\n".join([*lines, "b,80,80,90,90"]) + "\n")
    found = box_statistics(truth, regions=windows)
    cat, dog = found.class_rows()
    assert dog["clutter"] == pytest.approx(math.log2((2 + 1001) / 2))
    assert cat["clutter"] == pytest.approx(math.log2(3))
    assert found.row()["not_localized_share"] == pytest.approx(1 / 3)
    windows.write_text("\n".join(lines) + "\n")
    with pytest.raises(DataError, match="image b has boxes and no regions"):
        box_statistics(truth, regions=windows)


def test_many_boxes_of_a_class_are_drawn(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulated: chance performance of 300 of 3,000 boxes is near that of all."""
    random = np.random.default_rng(0)
    lines = [
        f"{at},dog,{x:.0f},{y:.0f},{w:.0f},{h:.0f},400,400"
        for at, (x, y, w, h) in enumerate(random.uniform(20, 180, (3000, 4)))
    ]
    path = tmp_path / "truth.csv"
    path.write_text(HEAD + "\n".join(lines))
    whole = box_statistics(path, seed=1)
    monkeypatch.setattr(statistics, "SAMPLE", 300)
    part = box_statistics(path, seed=1)
    assert part.chance[0] == pytest.approx(whole.chance[0], rel=0.1)
    assert part.chance[0] != whole.chance[0]
    assert box_statistics(path, seed=1).chance[0] == part.chance[0]

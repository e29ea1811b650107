"""Begin and end of images: pixels that count from 0 or from 1, and boxes outside."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from graphzsl.common import DataError
from graphzsl.ilsvrc import box_statistics, detection, large_file, localization
from tests.ilsvrc.boxes.simulated import CATEGORIES, detection_files

HEAD = "image,class,xmin,ymin,xmax,ymax"
SIZED = f"{HEAD},image_width,image_height"


def _xml(folder: Path, *boxes: tuple[int, int, int, int]) -> Path:
    """An annotation of an image of 100 × 50 pixels for each box."""
    folder.mkdir(exist_ok=True)
    for at, sides in enumerate(boxes):
        corners = "".join(
            f"<{name}>{side}</{name}>"
            for name, side in zip(("xmin", "ymin", "xmax", "ymax"), sides, strict=True)
        )
        (folder / f"{at}.xml").write_text(
            "<annotation><size><width>100</width><height>50</height></size><object>"
            f"<name>dog</name><bndbox>{corners}</bndbox></object></annotation>"
        )
    return folder


def _table(path: Path, *lines: str, head: str = SIZED) -> Path:
    path.write_text("\n".join([head, *lines]) + "\n")
    return path


@pytest.mark.parametrize(
    ("whole", "first"),
    [
        # PASCAL's: 1 to width and height; ImageNet's: 0 to one less
        ((1, 1, 100, 50), 1),
        ((0, 0, 99, 49), 0),
    ],
)
def test_a_box_over_the_whole_image_has_scale_one(
    tmp_path: Path, whole: tuple[int, int, int, int], first: int
) -> None:
    line = ",".join(map(str, whole))
    for truth in (
        _xml(tmp_path / "xml", whole),
        _table(tmp_path / "a.csv", f"a,dog,{line},100,50"),
    ):
        found = box_statistics(truth)
        assert (found.first_pixel, found.row()["scale_share"]) == (first, 1)
        # told otherwise, a column and a row are outside
        other = box_statistics(truth, first_pixel=1 - first)
        assert other.row()["scale_share"] == pytest.approx(99 * 49 / (100 * 50))


def test_boxes_on_the_last_column_and_row_are_in_the_image(tmp_path: Path) -> None:
    """Counted from 1: 50 pixels of 5,000, and 100 of them."""
    truth = _xml(tmp_path / "xml", (100, 1, 100, 50), (1, 50, 100, 50))
    found = box_statistics(truth)
    assert found.first_pixel == 1
    assert found.row()["scale_share"] == pytest.approx((50 + 100) / 2 / 5000)
    entry = _table(tmp_path / "e.csv", "0,dog,100,1,100,50,1", "1,dog,1,50,100,50,1")
    entry.write_text(entry.read_text().replace(SIZED, f"{HEAD},score"))
    assert detection(truth, [entry], rounds=0).precision.tolist() == [[1]]
    with pytest.raises(DataError, match=r"lies outside its image of 100 × 50 pixels, whose edges"):
        box_statistics(truth, first_pixel=0)


@pytest.mark.parametrize("boxes", [[(0, 0, 100, 50)], [(1, 1, 100, 50), (0, 5, 9, 9)]])
def test_pixels_count_from_zero_where_a_corner_is_zero(
    tmp_path: Path, boxes: list[tuple[int, int, int, int]]
) -> None:
    """ImageNet has corners at 0 and at the width of the image; what is over the edge is cut."""
    found = box_statistics(_xml(tmp_path / "xml", *boxes))
    assert found.first_pixel == 0
    first = {0: 1.0, 1: 99 * 49 / 5000}[boxes[0][0]]
    shares = [first, 10 * 5 / 5000][: len(boxes)]
    assert found.row()["scale_share"] == pytest.approx(np.mean(shares))


def test_what_reaches_beyond_the_width_tells_nothing(tmp_path: Path) -> None:
    for boxes in ([(1, 1, 101, 50)], [(1, 1, 100, 50), (2, 2, 102, 9)], [(3, 3, 99, 49)]):
        assert box_statistics(_xml(tmp_path / "xml", *boxes)).first_pixel == 0


def test_chance_and_large_images_follow_the_first_pixel(tmp_path: Path) -> None:
    """Half of the image is not more than half: columns 51 to 100 counted from 1."""
    truth = _xml(tmp_path / "xml", (51, 1, 100, 50), (50, 1, 100, 50))
    names = tmp_path / "large.txt"
    with large_file(names) as write:
        found = box_statistics(truth, large=write)
    assert names.read_text().split() == ["1"]
    assert found.row()["scale_share"] == pytest.approx((50 + 51) / 2 / 100)
    with large_file(names) as write:
        box_statistics(truth, large=write, first_pixel=0)
    assert names.read_text().split() == [], "49 of 49 columns, and 50 of them with 49 rows"


@pytest.mark.parametrize("first_pixel", [None, 0, 1])
def test_overlaps_do_not_depend_on_it(tmp_path: Path, first_pixel: int | None) -> None:
    """9 × 10 pixels of 10 × 10 and of 9 × 10: 0.9."""
    truth = _table(tmp_path / "t.csv", "a,dog,1,1,10,10,100,50", "b,dog,1,1,100,50,100,50")
    entry = _table(tmp_path / "e.csv", "a,dog,2,1,10,10,1", head=f"{HEAD},score")
    for overlap, recall in ((0.9, 0.5), (0.901, 0)):
        found = detection(
            truth, [entry], overlap=overlap, relax=False, rounds=0, first_pixel=first_pixel
        )
        assert found.recall.tolist() == [[recall]]


#: Wholly left of the image, above it, right of it, and below it.
OUTSIDE = ((-60, 5), (5, -60), (400, 5), (5, 300))


@pytest.mark.parametrize("sizes", [True, False])
def test_detections_outside_their_image_are_those_of_coco(
    tmp_path: Path, sizes: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    """Simulated boxes; each detection outside is a false positive, whether sizes are known."""
    pytest.importorskip("pycocotools", reason="pycocotools is not installed")
    from pycocotools.coco import COCO
    from pycocotools.cocoeval import COCOeval

    truth, results = detection_files(tmp_path)
    found: list[dict[str, Any]] = json.loads(results.read_text())
    outside = [
        each | {"bbox": [*OUTSIDE[at % 4], 50, 50], "score": 1 + each["score"]}
        for at, each in enumerate(found[::3])
    ]
    results.write_text(json.dumps(found + outside))
    coco = COCO(str(truth))
    evaluation = COCOeval(coco, coco.loadRes(str(results)), "bbox")
    evaluation.evaluate()
    evaluation.accumulate()
    if not sizes:
        document = json.loads(truth.read_text())
        document["images"] = [{"id": each["id"]} for each in document["images"]]
        truth.write_text(json.dumps(document))
    ours = detection(truth, [results], relax=False, interpolation="101", rounds=0)
    place = [ours.classes.index(each["name"]) for each in CATEGORIES]
    expected = evaluation.eval["precision"][0, :, :, 0, 2].mean(axis=0)
    assert ours.precision[0, place] == pytest.approx(expected, abs=1e-12)
    assert ours.recall[0, place] == pytest.approx(evaluation.eval["recall"][0, :, 0, 2], abs=1e-12)
    # without sizes nobody knows what lies right of an image or below it
    lost = sum(at % 4 < 2 for at in range(len(outside)))
    assert ours.outside.tolist() == [len(outside) if sizes else lost]
    assert 0.05 < expected.mean() < 0.9


def test_guesses_outside_their_image_have_their_class_alone(tmp_path: Path) -> None:
    truth = _table(tmp_path / "t.csv", "a,dog,0,0,9,9,100,50", "b,dog,0,0,9,9,100,50")
    lines = ["a,dog,-20,0,-1,9,100,50", "b,dog,100,0,109,9,100,50"]
    for head, cells in ((SIZED, 8), (HEAD, 6)):
        cut = (",".join(line.split(",")[:cells]) for line in lines)
        found = localization(truth, [_table(tmp_path / "e.csv", *cut, head=head)])
        assert found.outside.tolist() == [2]
        assert [row["per_image"] for row in found.rows(0)] == [0, 0, 1, 1]


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("a,dog,100,1,110,5,100,50", r"t\.csv:2 \(image a\): the box with the edges \(100, 1, 111"),
        (
            "a,dog,1,-9,5,-1,100,50",
            r"lies outside its image of 100 × 50 pixels, whose edges are \(",
        ),
        ("a,dog,-9,1,-1,5,,", "lies left of its image or above it, which begins at 0"),
        ("a,dog,1,1,5,5,0,50", "an image cannot be 0 × 50"),
    ],
)
def test_boxes_of_the_truth_outside_their_image_are_wrong(
    tmp_path: Path, line: str, said: str
) -> None:
    truth = _table(tmp_path / "t.csv", line)
    entry = _table(tmp_path / "e.csv", "a,dog,1,1,5,5,1", head=f"{HEAD},score")
    for read in (
        lambda: box_statistics(truth),
        lambda: detection(truth, [entry]),
        lambda: localization(truth, [entry]),
    ):
        with pytest.raises(DataError, match=said) as told:
            read()
        assert "nan" not in str(told.value)


def test_boxes_over_the_edge_are_not_outside(tmp_path: Path) -> None:
    truth = _table(tmp_path / "t.csv", "a,dog,-5,-5,5,5,100,50")
    assert box_statistics(truth).row()["scale_share"] == pytest.approx(6 * 6 / 5000)

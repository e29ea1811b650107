"""Classification with localization: counts by hand, any order of rows, and files that do not go
together."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.ilsvrc import localization
from graphzsl.ilsvrc.boxes import partitions
from graphzsl.ilsvrc.boxes.localization import TASKS

HEAD = "image,class,xmin,ymin,xmax,ymax"
DOG, CAT, CAR = "n02084071", "n02121620", "n02958343"
#: Two dogs in one image, a cat, a car.
TRUTH = [
    f"a,{DOG},0,0,99,99",
    f"a,{DOG},200,0,299,99",
    f"b,{CAT},0,0,99,99",
    f"c,{CAR},0,0,99,99",
]
#: a: the second guess finds the second dog. b: the class is right, the box is not. c: the right
#: class and box are the third guess.
GUESSES = [
    f"a,{CAT},0,0,99,99,0.9",
    f"a,{DOG},200,0,289,99,0.8",
    f"b,{CAT},300,300,399,399,0.9",
    f"c,{DOG},0,0,99,99,0.5",
    f"c,{CAT},0,0,99,99,0.4",
    f"c,{CAR},0,0,99,99,0.3",
]


def _write(path: Path, lines: list[str], head: str = HEAD) -> Path:
    path.write_text("\n".join([head, *lines]) + "\n")
    return path


@pytest.fixture
def truth(tmp_path: Path) -> Path:
    return _write(tmp_path / "truth.csv", TRUTH)


@pytest.fixture
def guesses(tmp_path: Path) -> Path:
    return _write(tmp_path / "guesses.csv", GUESSES, f"{HEAD},score")


def test_errors_by_hand(truth: Path, guesses: Path) -> None:
    found = localization(truth, [guesses])
    rows = {(row["task"], row["guesses"]): row for row in found.rows(200)}
    assert rows["classification", 1]["per_image"] == pytest.approx(2 / 3)
    assert rows["classification", 5]["per_image"] == 0
    assert rows["localization", 1]["per_image"] == 1
    assert rows["localization", 5]["per_image"] == pytest.approx(1 / 3)
    assert (rows["localization", 5]["low"], rows["localization", 5]["high"]) == (0, 1)
    assert found.images.tolist() == [1, 1, 1]
    assert found.class_rows() == [
        {"wnid": DOG, "images": 1, "classification_error": 0, "localization_error": 0}
        | {"wrong_box_share": 0},
        {"wnid": CAT, "images": 1, "classification_error": 0, "localization_error": 1}
        | {"wrong_box_share": 1},
        {"wnid": CAR, "images": 1, "classification_error": 0, "localization_error": 0}
        | {"wrong_box_share": 0},
    ]
    two = localization(truth, [guesses], guesses=2)
    assert [row["per_image"] for row in two.rows(10)] == pytest.approx([2 / 3, 1 / 3, 1, 2 / 3])
    assert two.more.tolist() == [1]


def test_mean_over_classes_is_not_the_mean_over_images(tmp_path: Path, guesses: Path) -> None:
    """Three images of cats, of which one is right, and one of a dog, which is."""
    truth = _write(tmp_path / "t.csv", [f"{x},{CAT},0,0,9,9" for x in "bde"] + TRUTH[:1])
    guessed = _write(tmp_path / "g.csv", [f"a,{DOG},0,0,99,99", f"d,{CAT},0,0,9,9"])
    row = localization(truth, [guessed]).rows(10)[-1]
    assert row["per_image"] == 2 / 4
    assert row["per_class"] == pytest.approx((0 + 2 / 3) / 2)
    assert localization(truth, [guessed]).missing.tolist() == [2]


@pytest.mark.parametrize("size", [1, 100, 16 << 20])
def test_rows_may_stand_in_any_order(
    tmp_path: Path, guesses: Path, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    """On as many parts as there are bytes, too."""
    monkeypatch.setattr(partitions, "PART_BYTES", size)
    monkeypatch.setattr(partitions, "BATCH", 3)
    truth, shuffled = TRUTH * 1, GUESSES * 1
    random.Random(size).shuffle(truth)
    random.Random(size).shuffle(shuffled)
    found = localization(
        _write(tmp_path / "t.csv", truth), [_write(tmp_path / "g.csv", shuffled, f"{HEAD},score")]
    )
    expected = [2 / 3, 0, 1, 1 / 3]
    assert [row["per_image"] for row in found.rows(10)] == pytest.approx(expected)


def test_a_box_without_an_area_is_wrong(tmp_path: Path, truth: Path) -> None:
    """Its class counts."""
    lines = [f"a,{DOG},0,0,-1,99", f"a,{DOG},0,0,99,99", f"b,{CAT},0,0,99,-1"]
    path = _write(tmp_path / "g.csv", lines)
    found = [row["per_image"] for row in localization(truth, [path]).rows(10)]
    assert found == pytest.approx([1 / 3, 1 / 3, 1, 2 / 3])
    assert localization(truth, [path]).empty.tolist() == [2]


def test_guesses_without_scores_count_in_their_order(tmp_path: Path, truth: Path) -> None:
    lines = [line.rpartition(",")[0] for line in GUESSES]
    one = localization(truth, [_write(tmp_path / "g.csv", lines)], guesses=2)
    assert one.rows(10)[-1]["per_image"] == pytest.approx(2 / 3)
    other = localization(truth, [_write(tmp_path / "g.csv", lines[::-1])], guesses=2)
    assert other.rows(10)[-1]["per_image"] == pytest.approx(1 / 3)


def test_numbers_and_names_are_classes_of_a_list(tmp_path: Path, truth: Path) -> None:
    listed = tmp_path / "classes.txt"
    listed.write_text(f"{CAR}\n{CAT}\n{DOG}\n")
    numbers = {DOG: "3", CAT: "2", CAR: "1"}
    names = {DOG: "dog", CAT: "domestic cat", CAR: "automobile"}
    for called in (numbers, names):
        lines = [
            line.replace(wnid, text)
            for line in GUESSES
            for wnid, text in called.items()
            if wnid in line
        ]
        path = _write(tmp_path / "g.csv", lines, f"{HEAD},score")
        if called is names:
            path.write_text(path.read_text().replace("domestic cat", "cat"))
        found = localization(truth, [path], candidates=listed)
        assert found.rows(10)[-1]["per_image"] == pytest.approx(1 / 3)
    path = _write(tmp_path / "g.csv", ["a,4,1,1,2,2"])
    with pytest.raises(DataError, match=r"g\.csv: class number 4 is not among the 3 classes"):
        localization(truth, [path], candidates=listed)
    with pytest.raises(DataError, match=r"no class of it is a class of .*truth\.csv: '1' against"):
        localization(truth, [_write(tmp_path / "g.csv", ["a,1,1,1,2,2"])])


def test_the_better_of_two_entries_and_the_difference(
    tmp_path: Path, truth: Path, guesses: Path
) -> None:
    worse = _write(tmp_path / "worse.csv", GUESSES[:2], f"{HEAD},score")
    found = localization(truth, [worse, guesses])
    rows = [row for row in found.rows(500) if (row["task"], row["guesses"]) == ("localization", 5)]
    assert [row["entry"] for row in rows] == ["worse", "guesses"]
    # both miss b, one c
    assert rows[0]["difference"] == pytest.approx(1 / 3)
    assert (rows[0]["difference_low"], rows[0]["difference_high"]) == (0, 1)
    assert rows[1]["difference"] is None
    assert found.only.tolist() == [[0, 1], [0, 0]]


def test_images_that_do_not_count(tmp_path: Path, truth: Path, guesses: Path) -> None:
    """Neither those nor what is guessed of them, of which the truth need not know."""
    without = tmp_path / "without.txt"
    without.write_text("# ambiguous\nb\nz\n")
    guesses.write_text(guesses.read_text() + f"z,{DOG},1,1,5,5,1\n")
    found = localization(truth, [guesses], without=without)
    assert found.left_out == 1
    assert [row["per_image"] for row in found.rows(10)] == [1, 0, 1, 0]
    without.write_text("a\nb\nc\nz\n")
    with pytest.raises(DataError, match="There is nothing to count: every image is"):
        localization(truth, [guesses], without=without)


def test_ignored_objects_are_no_targets(tmp_path: Path, truth: Path) -> None:
    """The second dog of a and the only car are difficult, and b has a dog beside its cat that is.
    Finding the second dog is no success, and fills a place of the guesses; c counts nowhere."""
    lines = [f"{line},{int(at in (1, 3))}" for at, line in enumerate(TRUTH)]
    truth = _write(truth, [*lines, f"b,{DOG},0,0,9,9,1"], f"{HEAD},difficult")
    second, first = f"a,{DOG},200,0,299,99", f"a,{DOG},0,0,99,99"
    path = _write(tmp_path / "g.csv", [second, first, f"b,{DOG},0,0,9,9", f"c,{CAT},0,0,99,99"])
    found = localization(truth, [path], guesses=2)
    assert found.images.sum() == 2
    # the dog of b is none: the class of the image is cat
    assert [row["per_image"] for row in found.rows(10)] == [1 / 2, 1 / 2, 1, 1 / 2]
    assert (found.ignored, found.ignored_images) == (3, 1)
    # the right box is beyond the one guess that counts
    (row,) = (
        row for row in localization(truth, [path], guesses=1).rows(10) if row["task"] != TASKS[0]
    )
    assert row["per_image"] == 1
    without = tmp_path / "without.txt"
    without.write_text("c\n")
    left = localization(truth, [path], without=without)
    assert (left.ignored, left.ignored_images, left.left_out) == (2, 0, 1)
    _write(truth, [f"{line},1" for line in TRUTH], f"{HEAD},difficult")
    with pytest.raises(DataError, match="or has ignored boxes alone") as told:
        localization(truth, [path])
    assert told.value.argument is None


def test_files_that_do_not_go_together(tmp_path: Path, truth: Path, guesses: Path) -> None:
    path = _write(tmp_path / "g.csv", [f"a,{DOG},1,1,2,2", f"x.JPEG,{DOG},1,1,2,2"])
    with pytest.raises(DataError, match=r"g\.csv:3 \(image x\.JPEG\): .*truth\.csv has no image"):
        localization(truth, [path])
    both = _write(tmp_path / "t.csv", [*TRUTH, f"b,{DOG},1,1,2,2"])
    with pytest.raises(DataError, match=r"image b\): the image has boxes of n\d+ and of n\d+"):
        localization(both, [guesses])
    empty = _write(tmp_path / "t.csv", [*TRUTH, "d,,,,,"])
    with pytest.raises(DataError, match="image d has no box, so its class is not known"):
        localization(empty, [guesses])
    twice = _write(tmp_path / "t.csv", [*TRUTH, "d,,,,,", "d,,,,,"])
    with pytest.raises(DataError, match="the image is there 2 times"):
        localization(twice, [guesses])
    with pytest.raises(DataError, match="is there twice: entry 1 and entry 2"):
        localization(truth, [guesses, guesses])
    sizes = f"{HEAD},image_width,image_height"
    other = _write(tmp_path / "t.csv", [f"{TRUTH[0]},500,375", f"{TRUTH[1]},500,400"], sizes)
    with pytest.raises(DataError, match="the image is 500 × 375 pixels here, and 500 × 400"):
        localization(other, [guesses])
    nothing = _write(tmp_path / "t.csv", ["d,,,,,"])
    with pytest.raises(DataError, match="has no boxes: there is nothing to find"):
        localization(nothing, [guesses])

"""Tables of votes, judgements, mistakes and entries, and what is said of wrong ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from graphzsl.common import DataError
from graphzsl.ilsvrc import table
from graphzsl.sources import (
    leaderboard,
    read_judgements,
    read_labels,
    read_mistakes,
    read_submissions,
    read_votes,
)
from graphzsl.sources.leaderboard import Submission
from graphzsl.sources.named_columns import named_rows


def _file(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    return path


def test_columns_stand_in_any_order_and_have_several_names(tmp_path: Path) -> None:
    path = _file(
        tmp_path, '\ufeffCorrect,other,Filename,wnid\nYES,1,"a, b.jpg",n1\n\nfalse,2,c,n2\n'
    )
    found = read_judgements(path, ("class",))
    assert [(row.image, row.label, row.right, row.line) for row in found.rows] == [
        ("a, b.jpg", "n1", True, 2),
        ("c", "n2", False, 4),
    ]
    assert not found.simulated
    tabs = _file(tmp_path, "image\tvote\tsimulated\na\t1\tno\na\t0\tyes\n")
    votes = read_votes(tabs)
    assert (votes.of_class, votes.simulated) == ({"": {"a": [True, False]}}, True)
    labels = _file(tmp_path, "image,class,score\na,x,1\nb,x,2\na,x,3\n")
    assert read_labels(labels).line_of == {("a", "x"): 2, ("b", "x"): 3}


@pytest.mark.parametrize("header", ["wnid,name,label", "Name,label,wnid", "label,class,name"])
def test_a_wnid_is_the_class_beside_its_name(tmp_path: Path, header: str) -> None:
    """graphzsl's own tables have the name of each wnid, and consensus calls its outcome a label."""
    known = {"wnid": "n1", "class": "n1", "name": "x.n.01", "label": "good"}
    cells = ",".join(known[column.lower()] for column in header.split(","))
    path = _file(tmp_path, f"image,{header},right,vote\na,{cells},1,1\n")
    assert read_judgements(path, ("class",)).rows[0].label == "n1"
    assert read_labels(path).line_of == {("a", "n1"): 2}
    assert list(read_votes(path).of_class) == ["n1"]


@pytest.mark.parametrize("column", ["label", "name"])
def test_a_name_is_the_class_where_there_is_no_wnid(tmp_path: Path, column: str) -> None:
    path = _file(tmp_path, f"image,{column},right,kind,type\na,dog.n.01,1,x,y\n")
    assert read_judgements(path, ("class",)).rows[0].label == "dog.n.01"
    path = _file(tmp_path, "image,label,name,right\na,x,y,1\n")
    with pytest.raises(DataError, match=r"t\.csv:1: 'label' and 'name' both are the class"):
        read_judgements(path)
    assert read_mistakes(_file(tmp_path, "image,label,name,type\na,x,y,z\n")).rows[0].type == "z"


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", r"t\.csv is empty\. Expected a header with image, right, and where they are known"),
        ("image,right\n", "has a header and no rows"),
        ("image,vote\na,1\n", "t.csv:1: no column is called right; the header is 'image', 'vote'"),
        ("image,right,good\na,1,1\n", "t.csv:1: 'right' and 'good' both are the right"),
        ("image,right\na\n", "t.csv:2: 1 cell, and the header has 2"),
        ("image,right\n,1\n", "t.csv:2: image is empty"),
        ("image,right\na,1\nb,maybe\n", "t.csv:3: right must be yes or no .*not 'maybe'"),
        ('image,right\na,1\nb,"1\n', "t.csv:3: "),
        (
            "image,right\na\u200eb,1\n",
            r"t.csv:2: image 'a.*b' holds the invisible character U\+200E",
        ),
        ("image,right,simulated\na,1,perhaps\n", "t.csv:2: simulated must be yes or no"),
    ],
)
def test_wrong_tables_are_named(tmp_path: Path, text: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_judgements(_file(tmp_path, text))


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"none\.csv cannot be read: No such file"):
        list(named_rows(tmp_path / "none.csv", ("image",)))


def test_a_mistake_has_each_type_once(tmp_path: Path) -> None:
    path = _file(tmp_path, "image,type,entry\na,small,m\na,filter,m\na,small,o\na,,n\n")
    assert [(row.image, row.type, row.entry) for row in read_mistakes(path).rows] == [
        ("a", "small", "m"),
        ("a", "filter", "m"),
        ("a", "small", "o"),
        ("a", "", "n"),
    ]
    path = _file(tmp_path, "image,type\na,small\na,small\n")
    with pytest.raises(DataError, match=r"t\.csv:3: a has the type 'small' on line 2 already"):
        read_mistakes(path)


def test_classes_that_look_alike_are_refused_across_columns(tmp_path: Path) -> None:
    """Classes of one table are one list of names; types and entries are others."""
    composed, decomposed = "caf\u00e9", "cafe\u0301"
    rows = (f"a,{composed},bar", f"b,bar,{decomposed}")
    path = _file(tmp_path, "image,true,predicted\n" + "\n".join(rows) + "\n")
    with pytest.raises(
        DataError, match=r"t\.csv:3: predicted 'cafe\\u0301' looks like 'caf\\xe9', and is another"
    ):
        read_mistakes(path)
    path = _file(tmp_path, f"image,true,predicted\na,bar,bar\nb,bar,{composed}\nc,bar  ,bar\n")
    assert [row.true for row in read_mistakes(path).rows] == ["bar"] * 3
    path = _file(tmp_path, f"image,true,type,entry\n{composed},bar,{composed},{decomposed}\n")
    assert read_mistakes(path).rows[0].entry == decomposed


# entries


def test_the_best_entry_of_each_team_counts_in_each_track() -> None:
    rows = leaderboard(
        [
            Submission("cls", "provided", "A", "a1", 7.0),
            Submission("cls", "provided", "A", "a2", 6.5),
            Submission("cls", "provided", "B", "", 7.3),
            Submission("cls", "provided", "C", "", 6.5),
            Submission("cls", "outside", "A", "a3", 5.0),
            Submission("cls", "outside", "A", "a4", 5.0),
            Submission("det", "provided", "A", "", 37.2),
            Submission("det", "provided", "B", "b1", 40.0),
            Submission("det", "provided", "B", "b2", 22.0),
        ]
    )
    assert [
        (row["task"], row["data"], row["place"], row["team"], row["value"], row["entries"])
        for row in rows
    ] == [
        ("cls", "provided", 1, "A", 6.5, 2),
        ("cls", "provided", 1, "C", 6.5, 1),
        ("cls", "provided", 3, "B", 7.3, 1),
        ("cls", "outside", 1, "A", 5.0, 2),
        ("det", "provided", 1, "B", 40.0, 2),
        ("det", "provided", 2, "A", 37.2, 1),
    ]
    # of the equal a3 and a4 the first
    assert [row["entry"] for row in rows] == ["a2", None, None, "a3", "b1", None]


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("seg,provided,A,1", "t.csv:2: task must be cls or loc or det, not 'seg'"),
        ("cls,private,A,1", "t.csv:2: data must be provided or outside, not 'private'"),
        ("cls,provided,A,nan", "t.csv:2: value must be a number, not 'nan'"),
        ("cls,provided,,1", "t.csv:2: team is empty"),
    ],
)
def test_wrong_entries_are_named(tmp_path: Path, row: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        read_submissions(_file(tmp_path, f"task,data,team,value\n{row}\n"))


# printed tables


def test_printed_sizes_fit_together() -> None:
    """Table 2: between the fewest and the most of 1,000 classes, and evaluation sets are even."""
    rows = table("ilsvrc-table-2").rows()
    for row in rows:
        classes, images = row["classes"], row["images"]
        assert classes * row["least"] <= images <= classes * row["most"], row
        if row["boxed_images"] is not None:
            least, boxed, most = (row[f"boxed_{end}"] for end in ("least", "images", "most"))
            assert classes * least <= boxed <= classes * most
            assert boxed <= images
        if row["boxes"] is not None:
            assert classes * row["boxes_least"] < row["boxes"] < classes * row["boxes_most"]
            assert row["boxes"] > row["boxed_images"]
    assert {row["images"] for row in rows if row["part"] == "val"} == {50_000}
    assert [row["images"] for row in rows if row["part"] == "test"] == [150_000, 100_000, 100_000]


def test_printed_scales_have_twenty_pairs_and_their_means() -> None:
    *pairs, mean = table("ilsvrc-table-3").rows()
    assert len({row["pascal"] for row in pairs}) == len({row["detection"] for row in pairs}) == 20
    assert [row["detection"] for row in pairs if row["pascal"] in ("boat", "potted plant")] == [
        "watercraft",
        "flower pot",
    ]
    # objects of seven classes take a larger share in the detection set: bird, boat, dining table,
    # person, sheep, sofa and wine bottle
    larger = [row for row in pairs if row["detection_scale"] > row["pascal_scale"]]
    assert len(larger) == 7
    assert (mean["pascal_scale"], mean["detection_scale"]) == (24.1, 20.3)


def test_printed_classes_of_the_detection_set_lie_in_order() -> None:
    """Table 4: fewest, median and most of a class, and no class has more than all."""
    for row in table("ilsvrc-table-4").rows():
        for what, all_of in (("positive", "images"), ("negative", "images"), ("boxes", "boxes")):
            least, median, most = (row[f"{what}_{end}"] for end in ("least", "median", "most"))
            if least is not None:
                assert least < median < most < row[all_of], (row["part"], what)

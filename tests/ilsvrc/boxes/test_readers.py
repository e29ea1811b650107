"""Readers of boxes: formats with the same content, and what entries may be."""

from __future__ import annotations

import io
import json
import math
import tarfile
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphzsl.common import DataError
from graphzsl.common.reading import json_parts
from graphzsl.ilsvrc.boxes.readers.choice import source_of
from graphzsl.ilsvrc.boxes.rows import CROWD, DIFFICULT, Row

XML = """<annotation>
  <folder>val</folder><filename>one</filename>
  <size><width>500</width><height>375</height><depth>3</depth></size>
  <object>
    <name>n02084071</name><pose>Unspecified</pose><difficult>0</difficult>
    <bndbox><xmin>1</xmin><ymin>2</ymin><xmax>10</xmax><ymax>20</ymax></bndbox>
    <part><name>head</name>
      <bndbox><xmin>1</xmin><ymin>1</ymin><xmax>2</xmax><ymax>2</ymax></bndbox></part>
  </object>
  <object>
    <name>n02121620</name><difficult>1</difficult>
    <bndbox><xmax>40</xmax><xmin>30</xmin><ymin>30</ymin><ymax>40</ymax></bndbox>
  </object>
</annotation>
"""
#: What XML, a table and COCO's JSON of it say.
EXPECTED = [
    ("n02084071", (1.0, 2.0, 11.0, 21.0), 0),
    ("n02121620", (30.0, 30.0, 41.0, 41.0), DIFFICULT),
]
CSV = "image,class,xmin,ymin,xmax,ymax,score\n"


def boxes_of(rows: list[Row]) -> list[tuple[str | None, Any, int]]:
    return [(row.label, row.box, row.ignore) for row in rows if row.box is not None]


def archive_of(path: Path, files: dict[str, str], mode: str = "w") -> Path:
    with tarfile.open(path, mode) as archive:  # type: ignore[call-overload]
        for name, text in files.items():
            member = tarfile.TarInfo(name)
            member.size = len(text)
            archive.addfile(member, io.BytesIO(text.encode()))
    return path


def test_folders_and_archives_of_xml(tmp_path: Path) -> None:
    folder = tmp_path / "val" / "part"
    folder.mkdir(parents=True)
    (folder / "one.xml").write_text(XML)
    (folder / "notes.txt").write_text("not an annotation")
    files = {"val/one.xml": XML, "val/readme.txt": "no"}
    for path in (
        tmp_path / "val",
        archive_of(tmp_path / "val.tar", files),
        archive_of(tmp_path / "val.tar.gz", files, "w:gz"),
    ):
        rows = list(source_of(path).rows())
        assert boxes_of(rows) == EXPECTED
        assert {row.image for row in rows} == {"one"}
        assert {row.size for row in rows} == {(500, 375)}
        assert [row.place for row in rows] == [1, 4, 10]
    (edges, _) = boxes_of(list(source_of(tmp_path / "val.tar", edges=True).rows()))
    assert edges[1] == (1, 2, 10, 20)


def test_tables_of_any_separator_and_parquet(tmp_path: Path) -> None:
    header = "ImageID,Label,x1,y1,x2,y2,difficult,Image_Width,image_height,extra"
    lines = [
        header,
        "one,n02084071,1,2,10,20,0,500,375,",
        "one,n02121620,30,30,40,40,1,500,375,x",
    ]
    for mark, name in ((",", "a.csv"), ("\t", "a.tsv"), (";", "b.txt")):
        path = tmp_path / name
        path.write_text("\n".join(lines).replace(",", mark), encoding="utf-8-sig")
        rows = list(source_of(path).rows())
        assert boxes_of(rows) == EXPECTED
        assert [row.place for row in rows] == [2, 3]
        assert {row.size for row in rows} == {(500, 375)}
    spaces = tmp_path / "spaces.txt"
    spaces.write_text("image  class x y width height\none n02084071 1 2  10 19\n")
    assert boxes_of(list(source_of(spaces).rows())) == EXPECTED[:1]
    parquet = tmp_path / "a.parquet"
    columns = {
        "image": [1, 1],
        "class": [each[0] for each in EXPECTED],
        "x": [1.0, 30.0],
        "y": [2, 30],
        "width": [10, 11],
        "height": [19, 11],
        "ignore": [False, True],
    }
    pq.write_table(pa.table(columns), parquet)
    rows = list(source_of(parquet).rows())
    assert boxes_of(rows) == EXPECTED
    assert [(row.image, row.place) for row in rows] == [("1", 1), ("1", 2)]


@pytest.mark.parametrize("also", ["name", "Label"])
@pytest.mark.parametrize("column", ["wnid", "class", "category", "category_id"])
def test_names_beside_classes_are_not_read(tmp_path: Path, column: str, also: str) -> None:
    """As in graphzsl's own tables; alone they are the class."""
    text = f"image,{also},{column},x,y,w,h\none,dog.n.01,n02084071,1,2,10,19\n"
    (tmp_path / "a.csv").write_text(text)
    (tmp_path / "b.csv").write_text(text.replace(column, "other"))
    table = pa.table({"image": [1], also: ["dog.n.01"], column: ["n02084071"]})
    for at, side in enumerate(("x", "y", "w", "h")):
        table = table.append_column(side, pa.array([at + 1]))
    pq.write_table(table, tmp_path / "a.parquet")
    found = {
        path.name: [row.label for row in source_of(path).rows()] for path in tmp_path.iterdir()
    }
    assert found == {"a.csv": ["n02084071"], "a.parquet": ["n02084071"], "b.csv": ["dog.n.01"]}


def test_an_image_without_boxes_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_text("image,class,xmin,ymin,xmax,ymax\none,,,,,\n")
    assert next(iter(source_of(path).rows()))[:3] == ("one", None, None)


def test_coco_in_any_order_of_its_keys(tmp_path: Path) -> None:
    path = tmp_path / "truth.json"
    annotation = {"image_id": 7, "category_id": 3, "bbox": [1, 2, 10, 19], "iscrowd": 1}
    document = {
        "annotations": [annotation | {"segmentation": [[1.5] * 8], "area": 190}],
        "info": {"year": 2017},
        "images": [{"id": 7, "width": 500, "height": 375}, {"id": 8}],
        "licenses": [],
        "categories": [{"id": 3, "name": "dog"}],
    }
    path.write_text(json.dumps(document, indent=1))
    source = source_of(path)
    box, seven, eight = source.rows()
    assert box[:3] == ("7", "3", (1, 2, 11, 21))
    assert box.ignore == CROWD
    assert source.label("3") == "dog"
    assert seven.size == (500, 375)
    assert math.isnan(eight.size[0])


@pytest.mark.parametrize("chunk", [1, 2, 7, 1000])
def test_json_is_the_same_in_whatever_parts_it_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(json_parts, "CHUNK", chunk)
    document = {"a": [{"x": 1.25e3}, [], "ü\n"], "b": -12.5, "c": [], "d": {"e": [1]}, "f": [True]}
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document, indent=2), encoding="utf-8")
    found: dict[str, Any] = {}
    for key, number, element in json_parts.parts(path):
        if number < 0:
            found[key] = element
        else:
            found.setdefault(key, []).append(element)
            assert len(found[key]) == number + 1
    assert found == {key: value for key, value in document.items() if value != []}


def test_an_entry_that_found_nothing_has_no_rows(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text(" []")
    (tmp_path / "a.csv").write_text(CSV)
    assert list(source_of(tmp_path / "a.json").rows()) == []
    assert list(source_of(tmp_path / "a.csv").rows()) == []


def test_boxes_of_entries_and_windows_may_be_without_an_area(tmp_path: Path) -> None:
    """In every format, and at the edge of an image, where a detector cuts them; those of the truth
    may not."""
    head = "image,class,x,y,width,height,image_width,image_height"
    (tmp_path / "a.csv").write_text(f"{head}\none,n02084071,500,2,0,19,500,375\n")
    columns = dict(zip(head.split(","), ("one", "n02084071", 500, 2, 0, 19, 500, 375), strict=True))
    table = pa.table({name: [value] for name, value in columns.items()})
    pq.write_table(table, tmp_path / "a.parquet")
    (tmp_path / "a.json").write_text(
        '[{"image_id": "one", "category_id": 1, "bbox": [500, 2, 0, 19], "score": 1}]'
    )
    text = XML.partition("  <object>\n    <name>n02121620")[0].replace("<xmin>1<", "<xmin>501<", 1)
    files = {"one.xml": f"{text.replace('<xmax>10<', '<xmax>500<', 1)}</annotation>"}
    archive_of(tmp_path / "a.tar", files)
    for name in ("a.csv", "a.parquet", "a.json", "a.tar"):
        box = list(source_of(tmp_path / name, entry=True).rows())[-1].box
        assert box in ((500, 2, 500, 21), (501, 2, 501, 21)), name
        with pytest.raises(DataError, match=r"has no area: width 0, height 19"):
            list(source_of(tmp_path / name).rows())
    (row,) = source_of(tmp_path / "a.csv", regions=True).rows()
    assert row.box == (500, 2, 500, 21)


def test_an_entry_may_have_the_categories_of_the_truth(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(
        '{"categories": [{"id": 1, "name": "cat"}], "images": [{"id": 1}], "annotations":'
        ' [{"image_id": 1, "category_id": 1, "bbox": [1, 1, 2, 2], "score": 0.5}]}'
    )
    assert len(list(source_of(path, categories={"1": "cat"}).rows())) == 2
    with pytest.raises(DataError, match="1 is 'cat' here and 'dog' in the ground truth"):
        list(source_of(path, categories={"1": "dog"}).rows())

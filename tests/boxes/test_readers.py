"""Readers of boxes: formats with the same content, and files that are wrong."""

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

from graphzsl.boxes.readers.choice import source_of
from graphzsl.boxes.rows import CROWD, DIFFICULT, Row
from graphzsl.errors import DataError
from graphzsl.reading import json_parts

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


def _boxes(rows: list[Row]) -> list[tuple[str | None, Any, int]]:
    return [(row.label, row.box, row.ignore) for row in rows if row.box is not None]


def _archive(path: Path, files: dict[str, str], mode: str = "w") -> Path:
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
        _archive(tmp_path / "val.tar", files),
        _archive(tmp_path / "val.tar.gz", files, "w:gz"),
    ):
        rows = list(source_of(path).rows())
        assert _boxes(rows) == EXPECTED
        assert {row.image for row in rows} == {"one"}
        assert {row.size for row in rows} == {(500, 375)}
        assert [row.place for row in rows] == [1, 4, 10]
    (edges, _) = _boxes(list(source_of(tmp_path / "val.tar", edges=True).rows()))
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
        assert _boxes(rows) == EXPECTED
        assert [row.place for row in rows] == [2, 3]
        assert {row.size for row in rows} == {(500, 375)}
    spaces = tmp_path / "spaces.txt"
    spaces.write_text("image  class x y width height\none n02084071 1 2  10 19\n")
    assert _boxes(list(source_of(spaces).rows())) == EXPECTED[:1]
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
    assert _boxes(rows) == EXPECTED
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


CSV = "image,class,xmin,ymin,xmax,ymax,score\n"
WRONG_TABLES = {
    CSV + "a,dog,1,1,5,5\n": r":2: 6 cells, and the header has 7",
    CSV + "a,dog,1,1,5,5,1\na,dog,9,1,5,5,1\n": r":3 \(image a\): the box .* has no area: width -3",
    CSV + "a,dog,1,x,5,5,1\n": r":2 \(image a\): ymin must be a number, not 'x'",
    CSV + "a,dog,1,nan,5,5,1\n": r":2 \(image a\): ymin must be a number",
    CSV + "a,dog,1,,5,5,1\n": r":2 \(image a\): ymin is empty",
    CSV + "a,dog,1,1,5,5,\n": r":2 \(image a\): the score is empty",
    CSV + "a,dog,1,1,5,5,inf\n": r":2 \(image a\): score must be a number, not 'inf'",
    CSV + "a,,1,1,5,5,1\n": r":2 \(image a\): a box without a class",
    CSV + ",dog,1,1,5,5,1\n": r":2: no image",
    CSV + "a,dog,1,1,5e9,5,1\n": r"is not four numbers of pixels",
    CSV + 'a,"dog,1,1,5,5,1\n': r":2: unexpected end of data",
    "": "is empty. Expected a header with image, class",
    "image,class,xmin,ymin,xmax\na,b,1,1,1\n": r":1: no column is called ymax; the header is",
    "image,xmin,ymin,xmax,ymax\na,1,1,1,1\n": r":1: no column is called class",
    "image,class,wnid,x,y,w,h\n": r":1: 'class' and 'wnid' both are the class",
    "image,label,name,x,y,w,h\n": r":1: 'label' and 'name' both are the class",
    CSV.replace("score", "x") + "a,b,1,1,1,1,1\n": "both by corners and by x, y",
    CSV.replace("score", "image_width") + "a,b,1,1,1,1,1\n": "go together",
    CSV + "a,d\0og,1,1,5,5,1\n": r":2: a NUL byte",
}


@pytest.mark.parametrize("text", WRONG_TABLES, ids=range(len(WRONG_TABLES)))
def test_wrong_tables_are_named_with_line_and_image(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=WRONG_TABLES[text]) as told:
        list(source_of(path).rows())
    assert str(path) in str(told.value)


def test_text_that_is_not_utf_8_is_named_by_its_line(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    path.write_bytes((CSV + "a,dog,1,1,5,5,1\n").encode() + b"\xe4,dog,1,1,5,5,1\n")
    with pytest.raises(DataError, match=r"a\.csv:3: not UTF-8 text"):
        list(source_of(path).rows())
    path.write_text(CSV, encoding="utf-16")
    with pytest.raises(DataError, match=r"a\.csv is UTF-16; save it as UTF-8"):
        list(source_of(path).rows())
    damaged = tmp_path / "a.parquet"
    damaged.write_bytes(b"PAR1 and so on")
    with pytest.raises(DataError, match="not a Parquet file"):
        list(source_of(damaged).rows())


WRONG_JSON = {
    '{"images": [{"id": 1}], "images": []}': "the key 'images' is there twice",
    '{"annotations": [{"image_id": 1, "image_id": 2}]}': "has the key 'image_id' twice",
    '{"annotations": [{"image_id": 1, "category_id": 2, "bbox": [1, 2, 3]}]}': (
        r"annotations\[0\]: bbox must be \[x, y, width, height\]"
    ),
    '{"annotations": [{"category_id": 2}]}': r"annotations\[0\]: image_id must be a whole number",
    '{"images": {"id": 1}}': "images must be a list",
    '{"images": [3]}': r"images\[0\] must be an object",
    '{"images": [{"id": 1, "width": NaN}]}': r"images\[0\]: NaN is not a number of JSON",
    '{"categories": [{"id": 1}]}': r"categories\[0\]: a category needs a name",
    '[{"image_id": 1, "category_id": 2, "bbox": [1, 1, 3, 3]}]': (
        r"\[0\]: score must be a number, not None"
    ),
    '[{"image_id": 1, "category_id": 2, "bbox": [1, 1, 0, 3], "score": 1}]': "has no area",
    '{"images": [{"id": 1}, {"id": 2': r"images\[1\]: not valid JSON",
    '{"images": [{"id": 1} {"id": 2}]}': r"images\[0\]: not valid JSON: expected , or \], not '{'",
    "[] []": "more text behind the end",
    "3": "neither a list nor an object",
    "": "neither a list nor an object",
    "[" * 100_000: "too deep",
}


@pytest.mark.parametrize("text", WRONG_JSON, ids=range(len(WRONG_JSON)))
def test_wrong_json_is_named_by_its_element(tmp_path: Path, text: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(text)
    with pytest.raises(DataError, match=WRONG_JSON[text]) as told:
        list(source_of(path).rows())
    assert str(path) in str(told.value)


@pytest.mark.parametrize("chunk", [1, 1000])
def test_wrong_json_is_named_by_its_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chunk: int
) -> None:
    monkeypatch.setattr(json_parts, "CHUNK", chunk)
    path = tmp_path / "a.json"
    path.write_text('{"images": [\n {"id": 1},\n {"id": 2},\n {"id": oops}\n]}\n')
    with pytest.raises(DataError, match=r"a\.json:4: images\[2\]: not valid JSON: Expecting value"):
        list(source_of(path).rows())


def test_a_value_without_end_is_not_read_into_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(json_parts, "LONGEST", 1000)
    monkeypatch.setattr(json_parts, "CHUNK", 100)
    path = tmp_path / "a.json"
    path.write_text('[{"image_id": "' + "a" * 5000)
    with pytest.raises(DataError, match="a value is longer than 1,000 characters"):
        list(source_of(path).rows())


WRONG_XML = {
    XML.replace("</object>", "", 1): r"one\.xml:\d+: not well-formed XML",
    XML.replace("<name>n02084071</name>", ""): r"one\.xml:4: an <object> without a <name>",
    XML.replace("<xmax>10</xmax>", ""): r"one\.xml:4: a <bndbox> without <xmax>",
    XML.replace("<xmax>10</xmax>", "<xmax>ten</xmax>"): "<xmax> must be a number, not 'ten'",
    XML.replace("<xmax>10</xmax>", "<xmax>-10</xmax>"): "has no area",
    XML.replace("annotation>", "page>"): "<page> is not an annotation of ImageNet",
    '<!DOCTYPE a [<!ENTITY b "c">]>' + XML: "entities or external references is refused",
    "": "not well-formed XML",
}


@pytest.mark.parametrize("text", WRONG_XML, ids=range(len(WRONG_XML)))
def test_wrong_annotations_are_named_by_file_and_line(tmp_path: Path, text: str) -> None:
    (tmp_path / "one.xml").write_text(text)
    with pytest.raises(DataError, match=WRONG_XML[text]):
        list(source_of(tmp_path).rows())


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (tarfile.SYMTYPE, r"two\.xml is a link to one\.xml\. Write the archive with the files"),
        (tarfile.LNKTYPE, r"two\.xml is a link to one\.xml"),
        (tarfile.FIFOTYPE, r"two\.xml is neither a file nor a folder"),
    ],
)
def test_links_to_annotations_are_not_left_out(tmp_path: Path, kind: bytes, said: str) -> None:
    path = _archive(tmp_path / "a.tar", {"one.xml": XML})
    with tarfile.open(path, "a") as archive:
        member = tarfile.TarInfo("two.xml")
        member.type, member.linkname = kind, "one.xml"
        archive.addfile(member)
    with pytest.raises(DataError, match=said):
        list(source_of(path).rows())


def test_wrong_archives_folders_and_files(tmp_path: Path) -> None:
    archive = _archive(tmp_path / "val.tar.gz", {f"{at}.xml": XML for at in range(200)}, "w:gz")
    archive.write_bytes(archive.read_bytes()[:-300])
    with pytest.raises(DataError, match="not a tar archive that can be read to its end"):
        list(source_of(archive).rows())
    (tmp_path / "empty").mkdir()
    with pytest.raises(DataError, match=r"holds no \.xml file"):
        list(source_of(tmp_path / "empty").rows())
    with pytest.raises(DataError, match=r"does not exist\. Expected a folder or tar"):
        source_of(tmp_path / "none.csv")
    (tmp_path / "a.pkl").write_bytes(b"")
    with pytest.raises(DataError, match="boxes are read from a folder"):
        source_of(tmp_path / "a.pkl")
    big = tmp_path / "big"
    big.mkdir()
    with (big / "one.xml").open("wb") as file:
        file.truncate(5 << 20)
    with pytest.raises(DataError, match=r"one\.xml has 5,242,880 bytes"):
        list(source_of(big).rows())


ENCODINGS = ["big5", "utf-7", "utf-32", "idna", "hex", "rot13", "x"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings_that_the_parser_does_not_know_are_refused(tmp_path: Path, encoding: str) -> None:
    text = f'<?xml version="1.0" encoding="{encoding}"?>{XML}'
    with pytest.raises(DataError, match=r"a\.tar: one\.xml: XML that cannot be read .* UTF-8"):
        list(source_of(_archive(tmp_path / "a.tar", {"one.xml": text})).rows())


def test_deep_annotations_are_refused(tmp_path: Path) -> None:
    text = "<annotation>" + "<a>" * 101 + "</a>" * 101 + "</annotation>"
    with pytest.raises(DataError, match=r"one\.xml:1: elements more than 100 deep"):
        list(source_of(_archive(tmp_path / "a.tar", {"one.xml": text})).rows())


@pytest.mark.parametrize("name", ["\u202ecat", "cat\x01", "a\x00b", "\ud800"])
def test_names_that_nobody_can_read_are_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / "a.json"
    document = {
        "images": [{"id": 1}],
        "categories": [{"id": 1, "name": name}],
        "annotations": [{"image_id": 1, "category_id": 1, "bbox": [1, 1, 2, 2]}],
    }
    path.write_text(json.dumps(document))
    with pytest.raises(DataError, match=r"categories\[0\]: the category .* invisible character"):
        list(source_of(path).rows())
    document["categories"] = [{"id": name, "name": "cat"}]
    path.write_text(json.dumps(document))
    with pytest.raises(DataError, match=r"categories\[0\]: id .* invisible character"):
        list(source_of(path).rows())
    if name.isprintable() or name[0] == "\u202e":
        table = tmp_path / "a.csv"
        for cells in (f"a,{name},1,1,5,5,1", f"{name},a,1,1,5,5,1"):
            table.write_text(f"{CSV}{cells}\n")
            with pytest.raises(DataError, match=r":2 .*invisible character"):
                list(source_of(table).rows())


def test_categories_of_one_name_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text('{"categories": [{"id": 1, "name": "cat"}, {"id": 2, "name": "cat "}]}')
    with pytest.raises(DataError, match=r"\[1\]: 'cat' is the name of .*\[0\] too"):
        list(source_of(path).rows())


@pytest.mark.parametrize(
    ("element", "said"),
    [
        (f'{{"id": 1, "width": {"9" * 400}, "height": 1}}', "a number of more than 300 digits"),
        (f'{{"id": 1, "x": {"[" * 101}1{"]" * 101}}}', "more than 100 deep"),
        ('{"id": 1, "width": 1e400, "height": 1}', "width must be a number"),
    ],
)
def test_numbers_and_depths_have_bounds(tmp_path: Path, element: str, said: str) -> None:
    path = tmp_path / "a.json"
    path.write_text(f'{{"images": [{element}]}}')
    with pytest.raises(DataError, match=said):
        list(source_of(path).rows())


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
    _archive(tmp_path / "a.tar", files)
    for name in ("a.csv", "a.parquet", "a.json", "a.tar"):
        box = list(source_of(tmp_path / name, entry=True).rows())[-1].box
        assert box in ((500, 2, 500, 21), (501, 2, 501, 21)), name
        with pytest.raises(DataError, match=r"has no area: width 0, height 19"):
            list(source_of(tmp_path / name).rows())
    (row,) = source_of(tmp_path / "a.csv", windows=True).rows()
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

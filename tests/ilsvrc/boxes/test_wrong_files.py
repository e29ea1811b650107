"""Files of boxes that are wrong: each is named with its line, element or image."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from graphzsl.common import DataError
from graphzsl.common.reading import json_parts
from graphzsl.ilsvrc.boxes.readers.choice import source_of
from tests.ilsvrc.boxes.test_readers import CSV, XML, archive_of

WRONG_TABLES = {
    CSV + "a,dog,1,1,5,5\n": r":2: 6 cells, and the header has 7",
    CSV + "a,dog,1,1,5,5,1\na,dog,9,1,5,5,1\n": r":3 \(image a\): the box .* has no area: width -3",
    CSV + "a,dog,1,x,5,5,1\n": r":2 \(image a\): ymin must be a number, not 'x'",
    CSV + "a,dog,1,nan,5,5,1\n": r":2 \(image a\): ymin must be a number",
    CSV + "a,dog,1,,5,5,1\n": r":2 \(image a\): ymin is empty",
    CSV + "a,dog,1,1,5,5,\n": r":2 \(image a\): the score is empty",
    CSV + "a,dog,1,1,5,5,inf\n": r":2 \(image a\): score must be a number, not 'inf'",
    CSV + "a,dog,1_0,1,20,20,1\n": r":2 \(image a\): xmin must be a number, not '1_0'",
    CSV + "a,dog,1,1,5,5,1\na,dog,1,1,20,٣0,1\n": r":3 \(image a\): ymax must be a number",
    CSV + f"a,dog,1,1,20,20,{'0' * 2000}1\n": r":2 \(image a\): score must be a number",
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


@pytest.mark.parametrize("cell", [b"1", "1_0", "٣"])
def test_bytes_and_texts_of_parquet_are_read_as_those_of_text(tmp_path: Path, cell: object) -> None:
    path = tmp_path / "a.parquet"
    row = {"image": "a", "class": "dog", "xmin": 1, "ymin": "1", "xmax": 20, "ymax": 20.5}
    pq.write_table(pa.Table.from_pylist([row]), path)
    assert [each.box for each in source_of(path).rows()] == [(1, 1, 21, 21.5)]
    pq.write_table(pa.Table.from_pylist([row | {"xmin": cell}]), path)
    with pytest.raises(DataError, match=r"row 1 \(image a\): xmin must be a number, not b?'"):
        list(source_of(path).rows())


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
    XML.replace("<xmax>10</xmax>", "<xmax>1_0</xmax>"): "<xmax> must be a number, not '1_0'",
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
    path = archive_of(tmp_path / "a.tar", {"one.xml": XML})
    with tarfile.open(path, "a") as archive:
        member = tarfile.TarInfo("two.xml")
        member.type, member.linkname = kind, "one.xml"
        archive.addfile(member)
    with pytest.raises(DataError, match=said):
        list(source_of(path).rows())


def test_wrong_archives_folders_and_files(tmp_path: Path) -> None:
    archive = archive_of(tmp_path / "val.tar.gz", {f"{at}.xml": XML for at in range(200)}, "w:gz")
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
        list(source_of(archive_of(tmp_path / "a.tar", {"one.xml": text})).rows())


def test_deep_annotations_are_refused(tmp_path: Path) -> None:
    text = "<annotation>" + "<a>" * 101 + "</a>" * 101 + "</annotation>"
    with pytest.raises(DataError, match=r"one\.xml:1: elements more than 100 deep"):
        list(source_of(archive_of(tmp_path / "a.tar", {"one.xml": text})).rows())


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

"""Files of boxes, features in parts, and shards of evaluations."""

from __future__ import annotations

import io
import json
import tarfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Any

import numpy as np

from tests.fuzz.damage.texts import json_, text
from tests.fuzz.target import Target, must, names
from tests.fuzz.targets.common import written

_TABLE = """image,class,xmin,ymin,xmax,ymax,score,image_width,image_height
a,dog,0,0,99,99,0.9,400,300
a,cat,200,0,299,99,0.5,400,300
b,dog,50.5,50,59,59,0.25,640,480
"""
_COCO = {
    "images": [{"id": number, "width": 400, "height": 300} for number in (1, 2)],
    "categories": [{"id": 3, "name": "dog"}, {"id": 7, "name": "cat"}],
    "annotations": [
        {"id": 1, "image_id": 1, "category_id": 3, "bbox": [0, 0, 100, 50.5], "iscrowd": 0},
        {"id": 2, "image_id": 2, "category_id": 7, "bbox": [10, 20, 30, 40], "iscrowd": 1},
    ],
}
_RESULTS = [
    {"image_id": 1, "category_id": 3, "bbox": [1, 2, 30, 40], "score": 0.9},
    {"image_id": 2, "category_id": 7, "bbox": [1.5, 2, 30, 40], "score": 0.1},
]
_XML = """<annotation>
  <size><width>400</width><height>300</height><depth>3</depth></size>
  <object><name>n02084071</name><difficult>0</difficult>
    <bndbox><xmin>1</xmin><ymin>2</ymin><xmax>30</xmax><ymax>40</ymax></bndbox></object>
  <object><name>n02121620</name>
    <bndbox><xmin>5</xmin><ymin>6</ymin><xmax>70</xmax><ymax>80</ymax></bndbox></object>
</annotation>
"""
#: A number beside which a coordinate is no pixel.
_FAR = 1e8


def _rows(name: str) -> Callable[[Path], Any]:
    def read(folder: Path) -> Any:
        from graphzsl.ilsvrc.boxes.readers.choice import source_of

        return list(source_of(folder / name, False).rows())

    return read


def _boxes(rows: Any) -> None:
    """Images and classes with names, boxes that are some, scores and sizes that are numbers."""
    names([row.image for row in rows], "images", once=False)
    names([row.label for row in rows if row.label is not None], "classes", once=False)
    for row in rows:
        must(not np.isinf([row.score, *row.size]).any(), "a score or size without end")
        if row.box is not None:
            x1, y1, x2, y2 = row.box
            must(np.isfinite(row.box).all() and max(map(abs, row.box)) < _FAR, "far out")
            must(x1 < x2 and y1 < y2, "no area")


def _in_folder(folder: Path) -> None:
    (folder / "xml").mkdir()
    for name in ("a", "b"):
        (folder / "xml" / f"{name}.xml").write_text(_XML)


def _in_tar(folder: Path) -> None:
    with tarfile.open(folder / "xml.tar", "w") as archive:
        for name in ("a", "b", "c"):
            member = tarfile.TarInfo(f"val/{name}.xml")
            member.size = len(_XML)
            archive.addfile(member, io.BytesIO(_XML.encode()))


def _read_tar(folder: Path) -> Any:
    return _rows("xml.tar")(folder), _annotations(folder / "xml.tar")


def _annotations(path: Path) -> set[str] | None:
    """The names in an archive that ends where archives end; None for what Python's own reader does
    not read to its end."""
    data = path.read_bytes()
    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            members = archive.getmembers()
            end = data[archive.offset :]  # type: ignore[attr-defined]
    except (tarfile.TarError, OSError, ValueError, EOFError, RecursionError):
        return None
    if len(end) < tarfile.BLOCKSIZE or end.strip(b"\0"):
        return None
    files = (PurePosixPath(each.name).name for each in members if each.isreg())
    return {name.removesuffix(".xml") for name in files if name.endswith(".xml")}


def _all_or_error(found: Any) -> None:
    """All images of the archive: a damaged one must not be read as a shorter one."""
    rows, whole = found
    _boxes(rows)
    must({row.image for row in rows} == (whole or {"a", "b", "c"}), "images are missing")


def _parquet(folder: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    header, *lines = (line.split(",") for line in _TABLE.split())
    columns = {
        name: [line[at] if at < 2 else float(line[at]) for line in lines]
        for at, name in enumerate(header)
    }
    pq.write_table(pa.table(columns), folder / "b.parquet")


def _features(folder: Path) -> None:
    import pyarrow.parquet as pq

    from graphzsl.common import manifest
    from graphzsl.data.feature_folder import KIND, feature_table, part_name

    own = folder / "features"
    own.mkdir()
    for number in range(2):
        table = feature_table(["a", "b"], ["dog", "cat"], np.ones((2, 3), np.float32))
        pq.write_table(table, own / part_name(number))
    (own / "manifest.json").write_text(
        json.dumps(manifest(KIND, files={}, images=4, dimensions=3, rows=[2, 2], made_of={}))
    )
    _checksums(folder)


def _checksums(folder: Path) -> None:
    from graphzsl.common import sha256

    path = folder / "features" / "manifest.json"
    try:
        document = json.loads(path.read_bytes())
        document["files"] = {each.name: sha256(each) for each in path.parent.glob("*.parquet")}
    except (ValueError, TypeError, RecursionError, UnicodeDecodeError):
        return
    path.write_text(json.dumps(document))


def _read_features(folder: Path) -> Any:
    from graphzsl.data.feature_folder import FeatureFolder

    found = FeatureFolder.open(folder / "features")
    return found.labels, found.read()


def _check_features(value: Any) -> None:
    labels, features = value
    must(len(labels) == len(features) and np.isfinite(features).all(), "features")


def _shard(folder: Path) -> None:
    from graphzsl.audit import Part, Predictions, shard_of

    scores = np.random.default_rng(0).normal(size=(6, 4)).round(1)
    whole = Predictions.from_scores(scores, list("abcd"), ["a", "b"] * 3, seen=["c"])
    shard_of(whole, Part(1, 2), {}, ["c", "e"], {}).save(folder / "s.npz")


def _read_shard(folder: Path) -> Any:
    from graphzsl.audit import read_shard

    found = read_shard(folder / "s.npz")
    return found, found.shared


def _check_shard(value: Any) -> None:
    shard = value[0]
    names(shard.predictions.labels, "labels", once=False)
    names(shard.predictions.candidates, "candidates")
    names(shard.train, "train")
    must((np.asarray(shard.predictions.rank) >= 1).all(), "ranks")


TARGETS = (
    Target("boxes, csv", written("b.csv", _TABLE), _rows("b.csv"), _boxes),
    Target("boxes, parquet", _parquet, _rows("b.parquet"), _boxes),
    Target(
        "boxes, COCO",
        written("c.json", json.dumps(_COCO)),
        _rows("c.json"),
        _boxes,
        2,
        changes={"c.json": json_},
    ),
    Target(
        "boxes, COCO's results",
        written("r.json", json.dumps(_RESULTS)),
        _rows("r.json"),
        _boxes,
        changes={"r.json": json_},
    ),
    Target("boxes, XML", _in_folder, _rows("xml"), _boxes, changes={"a.xml": text}),
    Target("boxes, XML in a tar", _in_tar, _read_tar, _all_or_error),
    Target("features in parts", _features, _read_features, _check_features, 0.5, fix=_checksums),
    Target("shard of an evaluation", _shard, _read_shard, _check_shard, 0.5),
)

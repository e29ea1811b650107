"""Choice of the reader that a file or folder of boxes needs."""

from __future__ import annotations

from pathlib import Path

from graphzsl.common.errors import DataError
from graphzsl.ilsvrc.boxes.readers.coco import CocoFile
from graphzsl.ilsvrc.boxes.readers.tables import BoxTable
from graphzsl.ilsvrc.boxes.readers.xml_annotations import XmlAnnotations
from graphzsl.ilsvrc.boxes.rows import Source

_ARCHIVES = (".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz")
_TABLES = (".csv", ".tsv", ".txt", ".parquet")
FORMATS = (
    "a folder or tar archive of ImageNet's .xml files, COCO's .json, or a table: .csv, .tsv, .txt"
    " or .parquet"
)


def source_of(
    path: Path,
    edges: bool = False,
    categories: dict[str, str] | None = None,
    regions: bool = False,
    entry: bool = False,
) -> Source:
    """The reader of a file or folder, by its suffix.

    Args:
        path: see ``FORMATS``.
        edges: corners are edges, not pixels.
        categories: id -> name, which COCO's ground truth fills and its results use.
        regions: it holds regions without classes, in a table.
        entry: boxes may be without an area, as regions may; else they are an error.

    Raises:
        DataError: there is no such file, or it is of another kind.
    """
    path = Path(path)
    name = path.name.lower()
    if not path.exists():
        raise DataError(f"{path} does not exist. Expected {FORMATS}.")
    if path.is_file() and name.endswith(_TABLES):
        return BoxTable(path, edges, regions or entry, regions)
    if regions:
        raise DataError(f"{path}: regions are read from a table: .csv, .tsv, .txt or .parquet.")
    if path.is_dir() or name.endswith(_ARCHIVES):
        return XmlAnnotations(path, edges, entry)
    if name.endswith(".json"):
        return CocoFile(path, {} if categories is None else categories, entry)
    raise DataError(f"{path}: boxes are read from {FORMATS}.")

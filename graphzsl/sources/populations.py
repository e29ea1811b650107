"""Number of ImageNet images per class: ReleaseStatus XML, a wnid,images table, or a folder of image
folders."""

from __future__ import annotations

from pathlib import Path

from graphzsl.common.errors import DataError
from graphzsl.common.reading.xml_files import elements
from graphzsl.sources.tables import (
    WNID,
    WNIDS,
    Column,
    UniqueKeys,
    checked_wnid,
    is_count,
    table_rows,
    whole_number,
)

IMAGE_SUFFIXES = frozenset({".jpeg", ".jpg", ".png", ".webp", ".bmp", ".gif", ".tif", ".tiff"})

#: The second column of a table.
_IMAGES = Column("images", ("count", "counts", "n", "population", "num_images", "size"), is_count)
#: (line in the file, wnid, images); for a folder the line is the folder's rank
PopulationRow = tuple[int, str, int]


def read_populations(path: Path) -> list[PopulationRow]:
    """All rows of the source, checked: DataError names file and line of the first wrong one."""
    path = Path(path)
    if path.is_dir():
        return _folder(path)
    rows = _release_status(path) if path.suffix.lower() == ".xml" else _table(path)
    if not rows:
        raise DataError(f"{path} holds no populations.")
    return rows


def _table(path: Path) -> list[PopulationRow]:
    once, rows = UniqueKeys(path), []
    for line, wnid, images in table_rows(path, WNIDS, _IMAGES):
        once.add(checked_wnid(wnid, path, line), line)
        rows.append((line, wnid, whole_number(images, "images", path, line)))
    return rows


def _release_status(path: Path) -> list[PopulationRow]:
    """<synset wnid=… numImages=…> elements of ImageNet's ReleaseStatus file."""
    once, rows = UniqueKeys(path), []
    for line, attributes, _ in elements(path, "synset"):
        if not {"wnid", "numImages"} <= attributes.keys():
            raise DataError(f"{path}:{line}: expected <synset wnid=… numImages=…>.")
        wnid = checked_wnid(attributes["wnid"], path, line)
        once.add(wnid, line)
        rows.append((line, wnid, whole_number(attributes["numImages"], "numImages", path, line)))
    return rows


def _folder(path: Path) -> list[PopulationRow]:
    folders = sorted(child for child in path.iterdir() if child.is_dir() and WNID.match(child.name))
    if not folders:
        raise DataError(
            f"{path} has no folder named after a wnid; expected one folder of images per class."
        )
    return [
        (
            rank,
            folder.name,
            sum(1 for image in folder.iterdir() if image.suffix.lower() in IMAGE_SUFFIXES),
        )
        for rank, folder in enumerate(folders, 1)
    ]

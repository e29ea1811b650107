"""Bars of reading boxes: they have an end where a file says how much it holds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pyarrow.csv as pc
import pyarrow.parquet as pq
import pytest

from graphzsl.ilsvrc import box_statistics
from graphzsl.ilsvrc.boxes import partitions
from tests.ilsvrc.boxes.test_memory import coco_file, table_file, xml_file

IMAGES = 60


def _parquet(path: Path, images: int) -> Path:
    pq.write_table(pc.read_csv(table_file(path.with_suffix(".csv"), images)), path)
    return path


@pytest.mark.parametrize(
    ("name", "write", "total"),
    [
        ("t.csv", table_file, 100),
        ("t.parquet", _parquet, 100),
        ("t.tar", xml_file, 100),
        # two boxes of each image, and the image
        ("t.json", coco_file, None),
    ],
)
def test_reading_ends_at_the_end_of_its_bar(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, write: Any, total: int | None
) -> None:
    shown: dict[str, tuple[int | None, int]] = {}

    def progress(items: Iterable[Any], label: str, total: int | None = None) -> Iterator[Any]:
        count = 0
        for item in items:
            count += 1
            yield item
        shown[label] = total, count

    monkeypatch.setattr(partitions, "progress_bar", progress)
    monkeypatch.setattr(partitions, "BATCH", 7)
    box_statistics(write(tmp_path / name, IMAGES))
    found, count = next(said for label, said in shown.items() if name in label)
    assert found == total
    if total is None:
        assert count == 3 * IMAGES
    else:
        # an archive ends in blocks without members
        assert 80 <= count <= total

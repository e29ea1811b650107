"""What is in memory does not grow with images: peaks of SIMULATED boxes of n and of 10 n images."""

from __future__ import annotations

import gc
import io
import json
import tarfile
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from graphzsl.common.reading import json_parts
from graphzsl.ilsvrc import box_statistics, detection, localization
from graphzsl.ilsvrc.boxes import class_files, partitions, statistics
from graphzsl.ilsvrc.boxes import detection as detection_module

pytestmark = pytest.mark.thorough("a machine without memory")

IMAGES = 300
CLASSES = 5
#: Bytes that a box more may cost at most. The corners of one take 32, its row hundreds; more parts
#: on disk have more files open.
MOST_BYTES = 16


def _small_parts() -> None:
    """What bounds memory, so small that n images fill it."""
    partitions.PART_BYTES = 1 << 13
    partitions.BATCH = 200
    json_parts.CHUNK = 1 << 12
    class_files.MOST = 100
    statistics.SAMPLE = 50
    detection_module.GROUPS = 20


def _boxes(images: int) -> Iterator[tuple[int, int, int, int]]:
    """(image, class, x, y): two boxes of 50 × 40 pixels in each image of 400 × 300."""
    for image in range(images):
        for at in range(2):
            yield image, image % CLASSES, 1 + 7 * image % 300, 1 + 11 * (image + at) % 200


def table_file(path: Path, images: int, scores: bool = False) -> Path:
    head = "image,class,x,y,width,height," + ("score" if scores else "image_width,image_height")
    with path.open("w") as file:
        file.write(head + "\n")
        for image, label, x, y in _boxes(images):
            more = f"0.{image % 997:03d}" if scores else "400,300"
            file.write(f"{image:06d},thing {label},{x},{y},50,40,{more}\n")
    return path


def coco_file(path: Path, images: int) -> Path:
    document = {
        "images": [{"id": at, "width": 400, "height": 300} for at in range(images)],
        "categories": [{"id": at, "name": f"thing {at}"} for at in range(CLASSES)],
        "annotations": [
            {"image_id": image, "category_id": label, "bbox": [x, y, 50, 40]}
            for image, label, x, y in _boxes(images)
        ],
    }
    path.write_text(json.dumps(document))
    return path


def xml_file(path: Path, images: int) -> Path:
    objects = [""] * images
    for image, label, x, y in _boxes(images):
        corners = f"<xmin>{x}</xmin><ymin>{y}</ymin><xmax>{x + 49}</xmax><ymax>{y + 39}</ymax>"
        objects[image] += f"<object><name>thing {label}</name><bndbox>{corners}</bndbox></object>"
    size = "<size><width>400</width><height>300</height></size>"
    with tarfile.open(path, "w") as archive:
        for at, text in enumerate(objects):
            content = f"<annotation>{size}{text}</annotation>".encode()
            member = tarfile.TarInfo(f"{at:06d}.xml")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return path


FORMATS: dict[str, Callable[[Path, int], Path]] = {
    "t.csv": table_file,
    "t.json": coco_file,
    "t.tar": xml_file,
}


Run = Callable[[int], Callable[[], object]]


def _peak(work: Callable[[], object]) -> int:
    """The largest memory of Python and numpy while it runs, and of Arrow, which Python does not
    count, in bytes."""
    before = pa.default_memory_pool()
    pool = pa.proxy_memory_pool(before)
    pa.set_memory_pool(pool)
    gc.collect()
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1] + int(pool.max_memory())
    finally:
        tracemalloc.stop()
        pa.set_memory_pool(before)


def _bytes_per_box(run: Run, boxes: int = 2) -> float:
    """What each box beyond those of ``IMAGES`` images adds to the peak."""
    _small_parts()
    run(20)()  # what is imported and kept by the first of all
    peaks = [_peak(run(images)) for images in (IMAGES, 10 * IMAGES)]
    return (peaks[1] - peaks[0]) / (boxes * 9 * IMAGES)


def _of_statistics(folder: Path, name: str) -> float:
    def run(images: int) -> Callable[[], object]:
        path = FORMATS[name](folder / name, images)
        return lambda: box_statistics(path)

    return _bytes_per_box(run)


def _of_task(folder: Path, name: str) -> float:
    """Boxes of truth and entry."""
    task: Any = {"localization": localization, "detection": partial(detection, rounds=0)}[name]

    def run(images: int) -> Callable[[], object]:
        truth = table_file(folder / "t.csv", images)
        entry = table_file(folder / "e.csv", images, True)
        return lambda: task(truth, [entry])

    return _bytes_per_box(run, 4)


def _alone(measure: Callable[[Path, str], float], folder: Path, name: str) -> float:
    """In a process of its own: threads that other tests left behind would be counted too."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        return process.submit(measure, folder, name).result()


@pytest.mark.parametrize("name", FORMATS)
def test_statistics_of_any_format(tmp_path: Path, name: str) -> None:
    """COCO's one document, too, which is read element by element."""
    assert _alone(_of_statistics, tmp_path, name) < MOST_BYTES


@pytest.mark.parametrize("name", ["localization", "detection"])
def test_tasks(tmp_path: Path, name: str) -> None:
    assert _alone(_of_task, tmp_path, name) < MOST_BYTES

"""Memory and time of ILSVRC's tasks on boxes at 50,000 and 500,000 SIMULATED images."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

import click
import numpy as np
import pyarrow as pa
import pyarrow.csv as pc

from graphzsl.sources.imagenet import listed_classes

SIZES = (50_000, 500_000)
#: Rows that are made at once: this process is not what is measured, but shares the machine.
_AT_ONCE = 100_000
#: Runs a command and says its own largest resident memory: what a parent knows of its children
#: counts the parent's.
_MEASURED = """
import sys
from graphzsl.cli import main
main(sys.argv[1:], standalone_mode=False)
status = open("/proc/self/status").read().split()
print(status[status.index("VmHWM:") + 1], file=sys.stderr)
"""


def bench_boxes() -> None:
    """Wall time and largest resident memory of each command, a process of its own."""
    click.echo("Simulated images and boxes.")
    for images in SIZES:
        with tempfile.TemporaryDirectory() as name:
            truth, guesses = localization_files(Path(name), images)
            _report("localization", images, [truth, guesses])
        with tempfile.TemporaryDirectory() as name:
            truth, found = detection_files(Path(name), images)
            _report("detection", images, [truth, found])
            _report("boxes", images, [truth])


def localization_files(folder: Path, images: int, seed: int = 0) -> tuple[Path, Path]:
    """A class per image of ILSVRC's 1,000, 1.6 instances, five guesses."""
    random = np.random.default_rng(seed)
    wnids = np.array(listed_classes("ilsvrc2012"))
    label = random.integers(0, len(wnids), images)
    image = np.repeat(np.arange(images), random.choice([1, 2, 3], images, p=[0.6, 0.2, 0.2]))
    boxes = _boxes(random, len(image))
    truth = folder / "truth.csv"
    _write(truth, image, wnids[label[image]], boxes)
    guessed = np.repeat(np.arange(images), 5)
    right = random.random(len(guessed)) < 0.4
    wrong = random.integers(0, len(wnids), len(guessed))
    first = np.searchsorted(image, guessed)
    moved = boxes[first] + random.integers(-20, 20, (len(guessed), 4)).clip(-8, 8)
    guesses = folder / "guesses.csv"
    score = random.random(len(guessed))
    _write(guesses, guessed, wnids[np.where(right, label[guessed], wrong)], moved, score)
    return truth, guesses


def detection_files(folder: Path, images: int, seed: int = 0) -> tuple[Path, Path]:
    """2.8 objects of 200 classes per image, ten detections."""
    random = np.random.default_rng(seed)
    wnids = np.array(listed_classes("ilsvrc2012")[:200])
    image = np.repeat(np.arange(images), 1 + random.poisson(1.8, images))
    label, boxes = random.integers(0, 200, len(image)), _boxes(random, len(image))
    truth = folder / "truth.csv"
    _write(truth, image, wnids[label], boxes, None, sizes=True)
    of = random.integers(0, len(image), 10 * images)
    real = random.random(len(of)) < 0.3
    moved = boxes[of] + random.integers(-20, 20, (len(of), 4)).clip(-8, 8)
    named = np.where(real, label[of], random.integers(0, 200, len(of)))
    score = random.random(len(of)) + 0.5 * real
    found = folder / "found.csv"
    _write(found, image[of], wnids[named], moved, score)
    return truth, found


def _boxes(random: np.random.Generator, count: int) -> np.ndarray:
    corner = random.integers(0, 250, (count, 2))
    return np.concatenate([corner, corner + random.integers(20, 240, (count, 2))], axis=1)


def _write(
    path: Path,
    image: np.ndarray,
    wnid: np.ndarray,
    boxes: np.ndarray,
    score: np.ndarray | None = None,
    sizes: bool = False,
) -> None:
    boxes = boxes.astype(np.float64)
    boxes[:, 2:] = np.maximum(boxes[:, 2:], boxes[:, :2] + 1)
    columns = {"class": wnid, **dict(zip(("xmin", "ymin", "xmax", "ymax"), boxes.T, strict=True))}
    if score is not None:
        columns["score"] = score.round(6)
    if sizes:
        columns |= {name: np.full(len(image), 500) for name in ("image_width", "image_height")}
    writer = None
    for at in range(0, len(image), _AT_ONCE):
        part = slice(at, at + _AT_ONCE)
        names = pa.array([f"simulated_{each:08d}" for each in image[part].tolist()])
        cells = {key: pa.array(np.ascontiguousarray(each[part])) for key, each in columns.items()}
        table = pa.table({"image": names, **cells})
        writer = writer or pc.CSVWriter(str(path), table.schema)
        writer.write_table(table)
    if writer:
        writer.close()


def _report(command: str, images: int, files: list[Path]) -> None:
    started = time.perf_counter()
    arguments = ["ilsvrc", command, *map(str, files), "--format", "csv"]
    done = subprocess.run(
        [sys.executable, "-c", _MEASURED, *arguments], capture_output=True, text=True, check=True
    )
    size = sum(path.stat().st_size for path in files) / 1e6
    click.echo(
        f"ilsvrc {command}: {images:,} images, {size:,.0f} MB:"
        f" {time.perf_counter() - started:.0f} s, {int(done.stderr.split()[-1]) / 1024:,.0f} MiB"
        " at most"
    )

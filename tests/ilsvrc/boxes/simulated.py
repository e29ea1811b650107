"""SIMULATED boxes: objects in images, and detections that are some of them, moved, and others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

#: Category ids of COCO have gaps.
CATEGORIES = [{"id": 3 * at + 1, "name": f"thing {at}"} for at in range(5)]


def detection_files(
    folder: Path, images: int = 60, seed: int = 0, crowds: bool = False
) -> tuple[Path, Path]:
    """(ground truth, results) as COCO writes them; scores have no ties."""
    random = np.random.default_rng(seed)
    truth: dict[str, list[dict[str, Any]]] = {
        "images": [{"id": 7 * at + 5, "width": 400, "height": 300} for at in range(images)],
        "annotations": [],
        "categories": CATEGORIES,
    }
    results = []
    for image in truth["images"]:
        for _ in range(random.integers(0, 6)):
            category = int(random.choice(CATEGORIES)["id"])
            box = _box(random)
            crowd = int(crowds and random.random() < 0.2)
            truth["annotations"].append(
                {
                    "id": len(truth["annotations"]) + 1,
                    "image_id": image["id"],
                    "category_id": category,
                    "bbox": box,
                    "area": box[2] * box[3],
                    "iscrowd": crowd,
                }
            )
            for _ in range(random.integers(0, 4)):
                moved = [value + random.normal(0, 3) for value in box]
                moved[2:] = [max(4.0, side) for side in moved[2:]]
                results.append(_result(random, image["id"], category, moved))
        for _ in range(random.integers(0, 4)):
            category = int(random.choice(CATEGORIES)["id"])
            results.append(_result(random, image["id"], category, _box(random)))
    paths = folder / "truth.json", folder / "results.json"
    for path, document in zip(paths, (truth, results), strict=True):
        path.write_text(json.dumps(document))
    return paths


def add_empty_boxes(results: Path) -> int:
    """Put a line and a point inside every third detection, better scored than all; how many."""
    found = json.loads(results.read_text())
    empty = []
    for at, each in enumerate(found[::3]):
        x, y, width, height = each["bbox"]
        sides = [(width, 0), (0, height), (0, 0)][at % 3]
        empty.append(each | {"bbox": [x, y, *sides], "score": 1 + each["score"]})
    results.write_text(json.dumps(found + empty))
    return len(empty)


def _box(random: np.random.Generator) -> list[float]:
    x, y = random.uniform(0, 250), random.uniform(0, 180)
    return [x, y, *random.uniform(12, 110, 2)]


def _result(
    random: np.random.Generator, image: int, category: int, box: list[float]
) -> dict[str, Any]:
    return {
        "image_id": image,
        "category_id": category,
        "bbox": [float(value) for value in box],
        "score": float(random.random()),
    }

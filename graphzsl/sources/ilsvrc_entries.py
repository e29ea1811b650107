"""Tasks of ILSVRC, and the size of a submission."""

from __future__ import annotations

#: Bytes of a detection in a submission (Russakovsky et al. 2015, section 4.3).
DETECTION_BYTES = 28
#: Task -> what its value is, and whether more of it is better.
TASKS = {
    "cls": ("error", False),
    "loc": ("error", False),
    "det": ("mean average precision", True),
}


def submission_size(
    images: int, classes: int, boxes: float, size: int = DETECTION_BYTES
) -> tuple[int, int]:
    """(detections, bytes) of a submission with so many boxes per class and image.

    Reference:
        Russakovsky et al. 2015, section 4.3: 40,000 images × 200 classes × 10 boxes are 80 million
        detections and 2.24 GB.

    >>> submission_size(40_000, 200, 10)
    (80000000, 2240000000)
    """
    detections = round(images * classes * boxes)
    return detections, detections * size

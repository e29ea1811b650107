"""Entries of ILSVRC 2010 to 2014, how much better they became, and how large a submission is."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphzsl.errors import DataError
from graphzsl.files import read_lines
from graphzsl.sources.published import published

#: Bytes of a detection in a submission (Russakovsky et al. 2015, section 4.3).
DETECTION_BYTES = 28
#: Task -> what its value is, and whether more of it is better.
TASKS = {
    "cls": ("error", False),
    "loc": ("error", False),
    "det": ("mean average precision", True),
}


@dataclass(frozen=True)
class ChallengeEntry:
    """An entry of a year and a task; what is not held here is None.

    ``data`` is what it learned from, ``provided`` or ``outside``; ``value`` and its 99.9 % interval
    are in per cent, and ``place`` counts from the best of its year, task and data.
    """

    task: str
    year: int | None
    data: str | None
    entry: str | None
    value: float | None
    low: float | None
    high: float | None
    place: int | None


@dataclass(frozen=True)
class PrintedRatio:
    """How many times better the best entry became between two years, as it is printed."""

    task: str
    from_year: int
    from_data: str
    to_year: int
    to_data: str
    printed: float
    remark: str | None


@dataclass(frozen=True)
class PrintedGain:
    """What a part of a gain is, in points, as it is printed, and the values that it lies between
    where they are known."""

    entry: str
    start: float | None
    end: float | None
    printed: float


def read_entries(path: Path) -> list[ChallengeEntry]:
    """The rows of a table of entries; DataError names file and line of a wrong one."""
    return [
        ChallengeEntry(
            row["task"],
            _whole(row["year"]),
            _known(row["data"]),
            _known(row["entry"]),
            _number(row["value"]),
            _number(row["low"]),
            _number(row["high"]),
            _whole(row["place"]),
        )
        for row in _rows(path)
    ]


def read_ratios(path: Path) -> list[PrintedRatio]:
    """The rows of a table of ratios; DataError names file and line of a wrong one."""
    return [
        PrintedRatio(
            row["task"],
            int(row["from_year"]),
            row["from_data"],
            int(row["to_year"]),
            row["to_data"],
            float(row["printed"]),
            _known(row["remark"]),
        )
        for row in _rows(path)
    ]


def read_gains(path: Path) -> list[PrintedGain]:
    """The rows of a table of gains; DataError names file and line of a wrong one."""
    return [
        PrintedGain(row["entry"], _number(row["from"]), _number(row["to"]), float(row["printed"]))
        for row in _rows(path)
    ]


def entries() -> list[ChallengeEntry]:
    """The entries that are shipped."""
    return read_entries(published()["ilsvrc-entries"].path)


def ratio_rows() -> list[dict[str, Any]]:
    """One row per gain of section 6.1 and per year and the next with an entry on the same data:
    both values, their ratio, and the printed one.

    Reference:
        Russakovsky et al. 2015, section 6.1.
    """
    best = {
        (each.task, each.year, each.data): each.value
        for each in entries()
        if each.place == 1
        and each.year is not None
        and each.data is not None
        and each.value is not None
    }
    said = read_ratios(published()["ilsvrc-ratios"].path)
    rows = [
        _ratio(
            each.task,
            (each.from_year, each.from_data, best[each.task, each.from_year, each.from_data]),
            (each.to_year, each.to_data, best[each.task, each.to_year, each.to_data]),
        )
        | {"printed": each.printed, "remark": each.remark}
        for each in said
    ]
    for (task, year, data), value in best.items():
        following = best.get((task, year + 1, data))
        if following is not None:
            ratio = _ratio(task, (year, data, value), (year + 1, data, following))
            rows.append(ratio | {"printed": None, "remark": None})
    return rows


def gain_rows() -> list[dict[str, Any]]:
    """One row per printed part of the gain of the detection task: the difference of its values, in
    points, where they are known, and the printed one.

    Reference:
        Russakovsky et al. 2015, section 6.1.
    """
    return [
        {
            "entry": each.entry,
            "from": each.start,
            "to": each.end,
            "points": None
            if each.start is None or each.end is None
            else round(each.end - each.start, 6),
            "printed": each.printed,
        }
        for each in read_gains(published()["ilsvrc-gains"].path)
    ]


def _ratio(task: str, one: tuple[int, str, float], other: tuple[int, str, float]) -> dict[str, Any]:
    # the paper divides what its tables print, with one digit
    start, end = round(one[2], 1), round(other[2], 1)
    return {
        "task": task,
        "from_year": one[0],
        "to_year": other[0],
        "data": one[1] if one[1] == other[1] else f"{one[1]}, then {other[1]}",
        "from": start,
        "to": end,
        "times_better": end / start if TASKS[task][1] else start / end,
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


def _rows(path: Path) -> Iterator[dict[str, str]]:
    lines = read_lines(path)
    header = lines[0][1].split("\t") if lines else []
    for (number, _), row in zip(
        lines[1:], csv.reader((text for _, text in lines[1:]), delimiter="\t"), strict=True
    ):
        if len(row) != len(header):
            raise DataError(f"{path}:{number}: expected {len(header)} cells, got {len(row)}.")
        cells = dict(zip(header, row, strict=True))
        if cells.get("task", "cls") not in TASKS:
            raise DataError(
                f"{path}:{number}: {cells['task']!r} is not a task; known are {', '.join(TASKS)}."
            )
        yield cells


def _known(text: str) -> str | None:
    return None if text == "-" else text


def _number(text: str) -> float | None:
    return None if text == "-" else float(text)


def _whole(text: str) -> int | None:
    return None if text == "-" else int(text)

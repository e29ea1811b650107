"""Entries of ILSVRC 2010 to 2014, how much better they became, and how large a submission is."""

from __future__ import annotations

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

from graphzsl.sources.printed_rows import printed_rows
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
    """Part of a gain in points, as printed, and the values at its start and end if they are
    known."""

    entry: str
    start: float | None
    end: float | None
    printed: float


def read_entries(path: Path) -> list[ChallengeEntry]:
    """The rows of a table of entries; DataError names file and line of a wrong one."""
    return [
        ChallengeEntry(
            row.one_of("task", TASKS),
            row.known_count("year"),
            row.known("data"),
            row.known("entry"),
            row.known_number("value"),
            row.known_number("low"),
            row.known_number("high"),
            row.known_count("place"),
        )
        for row in printed_rows(path, [each.name for each in fields(ChallengeEntry)])
    ]


def read_ratios(path: Path) -> list[PrintedRatio]:
    """The rows of a table of ratios; DataError names file and line of a wrong one."""
    return [
        PrintedRatio(
            row.one_of("task", TASKS),
            row.count("from_year"),
            row.text("from_data"),
            row.count("to_year"),
            row.text("to_data"),
            row.number("printed"),
            row.known("remark"),
        )
        for row in printed_rows(path, [each.name for each in fields(PrintedRatio)])
    ]


def read_gains(path: Path) -> list[PrintedGain]:
    """The rows of a table of gains; DataError names file and line of a wrong one."""
    return [
        PrintedGain(
            row.text("entry"),
            row.known_number("from"),
            row.known_number("to"),
            row.number("printed"),
        )
        for row in printed_rows(path, ("entry", "from", "to", "printed"))
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

"""Leaders in each task and track of a challenge: the best entry of every team."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.sources.ilsvrc_entries import TASKS
from graphzsl.sources.named_columns import named_rows
from graphzsl.sources.tables import finite_number

#: What entries learned from: the images that the challenge provides, or others too.
TRACKS = ("provided", "outside")


@dataclass(frozen=True)
class Submission:
    """Entry of a team: its value is an error or a mean average precision, by its task."""

    task: str
    data: str
    team: str
    entry: str
    value: float


def read_submissions(path: Path) -> list[Submission]:
    """A table of entries: task (cls, loc, det), data (provided, outside), team, value, and entry
    where it has a name.

    Raises:
        DataError: names file and line of a row that is not one.
    """
    found = []
    for line, row in named_rows(path, ("task", "data", "team", "value"), ("entry",)):
        for column, known in (("task", tuple(TASKS)), ("data", TRACKS)):
            if row[column] not in known:
                raise DataError(
                    f"{path}:{line}: {column} must be {' or '.join(known)}, not {row[column]!r}."
                )
        value = finite_number(row["value"], "value", path, line)
        found.append(Submission(row["task"], row["data"], row["team"], row.get("entry", ""), value))
    return found


def leaderboard(submissions: Sequence[Submission]) -> list[dict[str, Any]]:
    """One row per task, track and team, its best entry alone: ``place`` is 1 + the number of teams
    that are better, so that equal ones share it.

    An error is better where it is lower, a mean average precision where it is higher; of a team's
    equal entries the first counts. Entries that learned from other images are a track of their own.

    Reference:
        Russakovsky et al. 2015, sections 5.1 and 7.2.
    """
    best: dict[tuple[str, str, str], Submission] = {}
    entries: dict[tuple[str, str, str], int] = {}
    for each in submissions:
        at = (each.task, each.data, each.team)
        entries[at] = entries.get(at, 0) + 1
        if at not in best or _worse(best[at]) > _worse(each):
            best[at] = each
    rows = []
    for task in TASKS:
        for data in TRACKS:
            track = [each for each in best.values() if (each.task, each.data) == (task, data)]
            for each in sorted(track, key=lambda each: (_worse(each), each.team)):
                rows.append(
                    {
                        "task": task,
                        "data": data,
                        "place": 1 + sum(_worse(other) < _worse(each) for other in track),
                        "team": each.team,
                        "entry": each.entry or None,
                        "value": each.value,
                        "entries": entries[task, data, each.team],
                    }
                )
    return rows


def _worse(submission: Submission) -> float:
    """Sort key of an entry: smaller is better."""
    return -submission.value if TASKS[submission.task][1] else submission.value

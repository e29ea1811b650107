"""Evaluations as one self-contained HTML page that explains: tables, plots, classes, confusions,
comparisons, provenance."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from graphzsl.errors import DataError
from graphzsl.evaluation.evaluated_run import AUTO, load_hierarchy
from graphzsl.files import checked_suffix, write_text
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.progress import log
from graphzsl.reports.page import render
from graphzsl.reports.runs import ReportedRun, read_runs
from graphzsl.reports.tasks import Task, tasks_of
from graphzsl.sources.tables import WNID

#: Heading of a page that is given none.
TITLE = "Zero-shot evaluation"


def write_report(
    paths: Sequence[Path | str],
    out: Path | str,
    title: str = "Runs",
    wordnet: Hierarchy | Path | str | None = AUTO,
) -> int:
    """Write one HTML page of evaluated runs, with tables and curves; it needs no network.

    Args:
        paths: JSON files of runs (``Evaluation.save``, `graphzsl evaluate`), or folders of them.
        out: the page, ending in .html.
        title: its heading.
        wordnet: the hierarchy of the classes, see ``graphzsl.report``.

    Returns:
        The number of runs.

    Raises:
        DataError: a file is not a run, or there is none.

    >>> predictions = gz.Predictions.from_ranked([["cat"], ["dog"]], labels=["cat", "dog"])
    >>> gz.evaluate(predictions).save("run.json")
    >>> gz.write_report(["run.json"], "report.html")
    1
    """
    out = Path(out)
    checked_suffix(out, (".html",))
    runs = read_runs(paths)
    tasks = tasks_of(runs)
    write_text(out, render(tasks, title, command(paths, out, title), hierarchy_for(tasks, wordnet)))
    return len(runs)


def command(paths: Sequence[Path | str], out: Path | str, title: str) -> str:
    """The command that makes a page again."""
    return shlex.join(["graphzsl", "report", *map(str, paths), "--out", str(out), "--title", title])


def hierarchy_for(tasks: Sequence[Task], given: Hierarchy | Path | str | None) -> Hierarchy | None:
    """The hierarchy that is given; for ``auto`` WordNet where a run has classes that are wnids, and
    WordNet is on this machine or can be fetched.

    Raises:
        DataError: what is given is not a hierarchy.
    """
    if given != AUTO:
        found = load_hierarchy(given) if isinstance(given, Path | str) else given
        if not isinstance(found, Hierarchy | None):
            raise DataError(
                f"{given!r} is no hierarchy: give a Hierarchy, the folder of an exported one,"
                " 'wordnet', 'auto' or None.",
                argument="wordnet",
            )
        return found
    if not any(_has_wnids(run) for task in tasks for run in task.runs):
        return None
    try:
        return Hierarchy.load()
    except DataError as error:
        log(f"The report has no ways between classes: {error}")
        return None


def _has_wnids(run: ReportedRun) -> bool:
    return any(WNID.match(wnid) for wnid in (run.classes or {}).get("wnid", ())[:1])

"""Evaluations as one self-contained HTML page that explains: tables, plots, classes, confusions,
comparisons, provenance."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from graphzsl.audit.hierarchy_choice import AUTO, load_hierarchy
from graphzsl.common.errors import DataError
from graphzsl.common.pages import Page
from graphzsl.common.progress import log, step
from graphzsl.common.wording import counted
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.reports.headline import Headline, headline_of
from graphzsl.reports.page import render
from graphzsl.reports.runs import ReportedRun, missing_of
from graphzsl.reports.tasks import Task, tasks_of
from graphzsl.sources.tables import WNID

#: Heading of a page that is given none.
TITLE = "Zero-shot evaluation"


@dataclass(frozen=True, eq=False)
class Report(Page):
    """The page of some runs; ``graphzsl.report`` makes it.

    Args:
        title: its heading.
        html: the document, which needs no network.
        tasks: its tables, each with the runs of one question.
        hierarchy: that of the classes, where there is one.
        headlines: models, metrics and marks of each table.
    """

    tasks: Sequence[Task]
    hierarchy: Hierarchy | None = None
    headlines: Sequence[Headline] = ()

    def __repr__(self) -> str:
        runs = sum(len(list(task.runs)) for task in self.tasks)
        questions = counted(len(self.tasks), "question")
        return f"<Report {self.title}: {counted(runs, 'run')} of {questions}>"

    def write_figures(self, folder: Path | str) -> list[Path]:
        """Write the plots, and each shown model's accuracy over the hierarchy, as .svg and .png for
        a paper; the files.

        Raises:
            MissingExtra: matplotlib is not installed.
        """
        from graphzsl.reports.figures import write_figures

        return write_figures(self.tasks, Path(folder), self.hierarchy)

    def save_table(self, path: Path | str) -> None:
        """Write models × metrics for a paper (.tex, .md: mean ± deviation, the best in bold), or
        every number for programs (.csv).

        Raises:
            DataError: the path ends in none of these.
        """
        from graphzsl.reports.table_files import save_table

        save_table(path, self.tasks, self.headlines)


def report_of(
    runs: Sequence[ReportedRun],
    title: str = TITLE,
    wordnet: Hierarchy | Path | str | None = AUTO,
    command: str = "",
) -> Report:
    """The report of runs that are read.

    Args:
        runs: any number, of one question or several.
        title: the heading.
        wordnet: the hierarchy of the classes, see ``graphzsl.report``.
        command: what makes the page again; empty where no command does.

    Raises:
        DataError: there is no run, or the hierarchy is none.
    """
    for missing in missing_of(runs):
        log(missing)
    with step(f"making the page of {counted(len(runs), 'run')}"):
        questions = questions_of(runs)
        tasks, headlines = [task for task, _ in questions], [headline for _, headline in questions]
        hierarchy = _hierarchy(runs, wordnet)
        html = render(tasks, title, command, hierarchy, headlines)
        return Report(title, html, tasks, hierarchy, headlines)


def questions_of(runs: Sequence[ReportedRun]) -> list[tuple[Task, Headline]]:
    """The questions of runs that are read, each with its models, metrics and marks.

    Raises:
        DataError: there is no run.
    """
    if not runs:
        raise DataError(
            "There is no run to report. Give JSON files of `graphzsl evaluate`, or folders of them."
        )
    return [(task, headline_of(task)) for task in tasks_of(runs)]


def command_of(
    paths: Sequence[Path | str],
    out: Path | str,
    title: str,
    wordnet: Hierarchy | Path | str | None = AUTO,
) -> str:
    """The command that makes a page again; empty for a hierarchy that no file holds."""
    if isinstance(wordnet, Hierarchy):
        return ""
    given = [] if wordnet == AUTO else ["--wordnet", "none" if wordnet is None else str(wordnet)]
    options = shlex.join(["--out", str(out), "--title", title, *given])
    return " ".join(["graphzsl report", *_patterns(paths), options])


def _patterns(paths: Sequence[Path | str]) -> Iterator[str]:
    """Paths as words of a shell; several that are all JSON files of their folder, in order, as
    ``FOLDER/*.json``."""
    for folder, group in groupby(map(Path, paths), lambda path: path.parent):
        members = [*group]
        shown = sorted(path for path in folder.glob("*.json") if not path.name.startswith("."))
        if len(members) > 1 and members == shown:
            yield shlex.quote(str(folder)) + "/*.json"
        else:
            yield from (shlex.quote(str(path)) for path in members)


def _hierarchy(
    runs: Sequence[ReportedRun], given: Hierarchy | Path | str | None
) -> Hierarchy | None:
    """The hierarchy that is given; for ``auto`` WordNet where classes are wnids, and WordNet is on
    this machine or can be fetched."""
    if given != AUTO:
        found = load_hierarchy(given) if isinstance(given, Path | str) else given
        if not isinstance(found, Hierarchy | None):
            raise DataError(
                f"{given!r} is no hierarchy: give a Hierarchy, the folder of an exported one,"
                " 'wordnet', 'auto' or None.",
                argument="wordnet",
            )
        return found
    first = [run.classes["wnid"][0] for run in runs if run.classes]
    if not any(map(WNID.match, first)):
        if first:
            log("Without wnids there is no hierarchy: the page has no icicle, and no ways.")
        return None
    try:
        return Hierarchy.load()
    except DataError as error:
        log(f"The report has no icicle, and no ways between classes: {error}")
        return None

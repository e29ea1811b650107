"""``graphzsl.report``: runs as one page that explains."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from graphzsl.audit.evaluation import Evaluation
from graphzsl.audit.hierarchy_choice import AUTO
from graphzsl.audit.runs import RunSamples
from graphzsl.common.errors import DataError
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.reports.report import TITLE, Report, command_of, report_of
from graphzsl.reports.runs import ReportedRun, read_runs

#: A run: its JSON, a folder of such, or what ``graphzsl.evaluate`` returned.
Run = str | Path | Evaluation


def report(
    runs: Run | Iterable[Run],
    *,
    title: str = TITLE,
    wordnet: Hierarchy | str | Path | None = AUTO,
) -> Report:
    """Runs as one page that needs neither server nor network: a table with significance, curves,
    accuracy over the hierarchy, classes, confusions, and every two models compared.

    Args:
        runs: evaluations, JSON files of runs, or folders of those; one or several.
        title: the heading.
        wordnet: adds names, the icicle and the ways between confused classes: a ``Hierarchy``,
            "wordnet" for ``Hierarchy.load()``, the folder of an exported subgraph, or "auto": that
            of an evaluation, else WordNet where classes are wnids. None: no hierarchy.

    Returns:
        The report: ``save("report.html")``, ``show()``, ``write_figures("figures")``,
        ``save_table("table.tex")``, and in a notebook the value of a cell.

    Raises:
        DataError: a file is not a run, something is neither a file nor an evaluation, or there is
            no run.

    >>> result = gz.evaluate(["tench", "goldfish"], ["tench", "tench"])
    >>> report = gz.report(result, title="Two fish")
    >>> report
    <Report Two fish: 1 run of 1 question>
    >>> report.save("fish.html")
    """
    given = [runs] if isinstance(runs, str | Path | Evaluation) else list(runs)
    if wordnet == AUTO:
        known = [each.hierarchy for each in given if isinstance(each, Evaluation)]
        wordnet = next((hierarchy for hierarchy in known if hierarchy is not None), AUTO)
    paths = [_checked(each) for each in given if not isinstance(each, Evaluation)]
    evaluations = [
        _of_evaluation(each, number)
        for number, each in enumerate(given, 1)
        if isinstance(each, Evaluation)
    ]
    read = [*read_runs(paths), *evaluations]
    command = command_of(paths, "report.html", title, wordnet) if len(paths) == len(given) else ""
    return report_of(read, title, wordnet, command)


def _checked(given: str | Path) -> str | Path:
    if not isinstance(given, str | Path):
        raise DataError(
            f"{given!r} is no run: give what graphzsl.evaluate returned, a JSON file of a run, or a"
            " folder of them.",
            argument="runs",
        )
    return given


def _of_evaluation(result: Evaluation, number: int) -> ReportedRun:
    rows = result.class_rows()
    columns = {name: [row[name] for row in rows] for name in rows[0]}
    predictions = result.predictions
    samples = RunSamples(
        predictions.labels,
        predictions.predicted(result.hierarchy),
        predictions.rank,
        list(predictions.candidates),
    )
    return ReportedRun(result.manifest, f"evaluation {number}", columns, samples)

"""The runs of a grid: what is not done yet is done here or by processes of Dask, and the tables are
written."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from graphzsl.audit.run_files import read_run
from graphzsl.common.cluster import connected
from graphzsl.common.errors import GraphZSLError
from graphzsl.common.files import check_result
from graphzsl.common.progress import log
from graphzsl.models.runs.grid import Grid, Run
from graphzsl.models.runs.grid_tables import write_tables


def run_grid(
    path: Path, *, force: bool = False, scheduler: str | None = None
) -> tuple[Grid, dict[str, str]]:
    """Run what is not done yet and write the tables.

    Args:
        path: the configuration.
        force: run again what is done.
        scheduler: processes of Dask do the runs (``common.cluster``), which read and write the
            files of the configuration under the same paths.

    Returns:
        The grid, and the errors of runs that failed.
    """
    grid = Grid(path)
    runs = list(grid.runs())
    failed: dict[str, str] = {}
    for run in runs:
        check_result(grid.file(run), "evaluation")
    numbered = list(enumerate(runs, 1))
    if scheduler is not None:
        numbered = [(number, run) for number, run in numbered if force or not grid.is_done(run)]
    for number, run, found in _executed(grid, numbered, force, scheduler):
        if isinstance(found, str):
            failed[run.name] = found
            log(f"[{number}/{len(runs)}] {run.name}: {found}")
        else:
            log(f"[{number}/{len(runs)}] {run.name}: hit@1 {100 * found:.1f}")
    write_tables(grid.out, results(grid))
    return grid, failed


def _executed(
    grid: Grid, numbered: list[tuple[int, Run]], force: bool, scheduler: str | None
) -> Iterator[tuple[int, Run, float | str]]:
    """(number, run, its hit@1 or what went wrong) of every run that was to be done, in order."""
    if scheduler is None:
        for number, run in numbered:
            if force or not grid.is_done(run):
                yield number, run, _try(grid, run)
        return
    if not numbered:
        return
    shared = _OfConfig(grid.path.absolute())
    with connected(scheduler) as workers:
        found = workers.map(_run_of, [run.name for _, run in numbered], "runs", shared)
        for (number, run), each in zip(numbered, found, strict=True):
            yield number, run, each


def _try(grid: Grid, run: Run) -> float | str:
    """hit@1 per class of a run that is done and written, or what went wrong."""
    try:
        return float(grid.execute(run)["metrics"]["hit@1"]["per_class"])
    except GraphZSLError as error:
        return str(error)


class _OfConfig:
    """A grid in a worker, where its inputs are loaded once."""

    def __init__(self, path: Path):
        self.path = path

    @cached_property
    def runs(self) -> tuple[Grid, dict[str, Run]]:
        """The grid, and its runs by name."""
        grid = Grid(self.path)
        return grid, {run.name: run for run in grid.runs()}


def _run_of(shared: _OfConfig, name: str) -> float | str:
    grid, runs = shared.runs
    return _try(grid, runs[name])


def results(grid: Grid) -> list[dict[str, Any]]:
    """The JSON of the runs that are done, in the grid's order."""
    return [read_run(grid.file(run)) for run in grid.runs() if grid.is_done(run)]

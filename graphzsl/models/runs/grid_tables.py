"""Tables of a grid's runs: means and spreads per model, and mean ranks in every metric."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.audit.averages import average, expected_value, values_of
from graphzsl.audit.run_identity import groups, question, seed_of
from graphzsl.common.files import write_text
from graphzsl.metrics import EXPECTED
from graphzsl.metrics.names import direction
from graphzsl.metrics.significance import Friedman


def table(runs: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """One row per model of a question: mean and standard deviation over seeds of the per-class
    values, shares as fractions.

    Where ties decide a value, ``expected`` is its mean under random order of tied candidates. Only
    runs of one entry are averaged (see ``run_identity`` and ``averages``). With validation
    seeds a seed's value is the mean over them; ``validation sd`` is their own spread. A metric that
    one of the runs lacks is left out.
    """
    rows = []
    for members in groups(runs):
        first = members[0]
        row: dict[str, Any] = {
            "model": first.get("model_label"),
            "split": first["split"].partition(":")[0],
            "semantics": first.get("semantics_name"),
            "seeds": len({seed_of(run) for run in members}),
            "candidates": first["candidates"],
        }
        values = [values_of(run) for run in members]
        for name in (each for each in values[0] if all(each in other for other in values)):
            averaged = average(members, [own[name] for own in values])
            row[name] = averaged.mean
            row[f"{name} sd"] = averaged.seed_spread
            if averaged.validation_spread is not None:
                row[f"{name} validation sd"] = averaged.validation_spread
            if any(EXPECTED in run["metrics"].get(name, {}) for run in members):
                expected = [expected_value(run, name) for run in members]
                row[f"{name} expected"] = average(members, expected).mean
        rows.append({**row, "note": first.get("note", "")})
    return sorted(rows, key=lambda row: (row["split"], row["semantics"], -row["hit@1"]))


def mean_ranks(runs: Sequence[dict[str, Any]]) -> dict[str, Friedman]:
    """metric -> ranks of the models over splits × semantics × seeds, of the cells that every model
    has.

    A model that was never asked the same question as another is left out: ``softmax`` chooses among
    training classes. Metrics of which smaller is better are ranked so; a metric with too few cells
    or models, or in which no two models differ, is left out.
    """
    cells: dict[tuple[str, str, Any], dict[str, list[dict[str, float]]]] = {}
    for run in runs:
        cell = cells.setdefault((question(run), str(run.get("semantics_name")), seed_of(run)), {})
        cell.setdefault(str(run.get("model_label")), []).append(values_of(run))
    together = {label for cell in cells.values() if len(cell) > 1 for label in cell}
    labels = list(dict.fromkeys(str(run.get("model_label")) for run in runs))
    labels = [label for label in labels if label in together]
    names = dict.fromkeys(name for run in runs for name in values_of(run) if direction(name))
    tests = {}
    for name in names:
        rows = [
            [float(np.mean([values[name] for values in cell[label]])) for label in labels]
            for cell in cells.values()
            if all(
                label in cell and all(name in values for values in cell[label]) for label in labels
            )
        ]
        if len(rows) > 1 and len(labels) > 2 and np.ptp(rows, axis=1).any():
            tests[name] = Friedman.from_scores(labels, direction(name) * np.array(rows))
    return tests


def write_tables(folder: Path, runs: Sequence[dict[str, Any]]) -> None:
    """``table.csv`` and, where there are enough runs, ``ranks.csv``.

    Where there are too few, one of an earlier state of the grid is taken away. Ranks come without
    Friedman's test: the runs of a grid share classes, and it is of independent observations.
    """
    if runs:
        write_text(folder / "table.csv", _csv(table(runs)))
    ranks = [
        {"metric": name, **row, "observations": len(each.ranks)}
        for name, each in mean_ranks(runs).items()
        for row in each.rows()
    ]
    if ranks:
        write_text(folder / "ranks.csv", _csv(ranks))
    else:
        (folder / "ranks.csv").unlink(missing_ok=True)


def _csv(rows: list[dict[str, Any]]) -> str:
    columns = list(dict.fromkeys(column for row in rows for column in row))
    text = io.StringIO()
    writer = csv.DictWriter(text, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()

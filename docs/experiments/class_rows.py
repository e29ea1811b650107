"""The tables and the figure of class rows in docs/results.md, from the runs of the grids here.

    python docs/experiments/class_rows.py collect runs/rows-lite0 runs/rows-lite1 … runs/slow-models
    python docs/experiments/class_rows.py tables
    python docs/experiments/class_rows.py figure

``collect`` writes class_rows.csv beside this file: a row for each grid, split, model and metric,
with the interval over the distinct hidden classes of all seeds and how far the model is behind the
best one of its table. The other two read that file.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

DATA = Path(__file__).with_name("class_rows.csv")
FIGURE = Path(__file__).parents[1] / "structural-ratio.svg"
#: What is kept of a run's metrics.
METRICS = ("hit@1", "hit@5", "hp@5", "lca_height@1", "mean_rank")
#: What is kept of a row of the report's table.
NUMBERS = ("structural_ratio", "mean", "low", "high", "behind", "behind low", "behind high")
KEPT = ("model", "metric", *NUMBERS[1:], "seeds", "candidates", "note")
NETWORKS = {
    "rows-lite0": "EfficientNet-Lite0",
    "rows-lite1": "EfficientNet-Lite1",
    "rows-lite2": "EfficientNet-Lite2",
    "rows-mobilenet": "MobileNet v1",
}
#: Models of the figure, best first.
SHOWN = ("graph-exem", "graph-linear", "eszsl", "conse", "closest-eszsl", "closest")

Row = dict[str, Any]


def collected(folders: Sequence[Path]) -> Iterator[Row]:
    """Rows of some grids' runs; shares are fractions."""
    from graphzsl.reports import questions_of, read_files, runs_in
    from graphzsl.reports.table import value_rows

    for folder in folders:
        for task, headline in questions_of(read_files(runs_in([folder])[0])):
            documents = [run.document for run in task.runs]
            ratio = np.mean([document["structural_ratio"] for document in documents])
            place = {
                "grid": folder.name,
                "split": documents[0]["split_definition"]["name"],
                "structural_ratio": round(float(ratio), 4),
            }
            for row in value_rows(task, headline):
                if row["metric"] in METRICS:
                    yield place | {name: row[name] for name in KEPT}


def rows_of() -> list[Row]:
    """The rows of the file, numbers as numbers."""
    with DATA.open(encoding="utf-8", newline="") as file:
        return [
            {name: float(text) if name in NUMBERS and text else text for name, text in row.items()}
            for row in csv.DictReader(file)
        ]


def table_of_networks(rows: Sequence[Row], split: str) -> list[str]:
    """hit@1: a row for each model, a column for each network, the best first."""
    cells = {
        (row["model"], row["grid"]): row
        for row in rows
        if row["metric"] == "hit@1" and row["split"] == split and row["grid"] in NETWORKS
    }
    models = dict.fromkeys(model for model, _ in cells)
    means = {model: np.mean([cells[model, grid]["mean"] for grid in NETWORKS]) for model in models}
    lines = [f"| model | {' | '.join(NETWORKS.values())} |", "|---" * 5 + "|"]
    for model in sorted(models, key=lambda model: -means[model]):
        shown = (_shown(cells[model, grid]) for grid in NETWORKS)
        lines.append(f"| {model} | {' | '.join(shown)} |")
    return lines


def table_of_one(rows: Sequence[Row], grids: Sequence[str], splits: Sequence[str]) -> list[str]:
    """A row for each model of some grids, those that are not as their papers have them last; for
    each split hit@1, hit@5, hp@5 and the height of the lowest common ancestor."""
    metrics = ("hit@1", "hit@5", "hp@5", "lca_height@1")
    heads = [f"{split}: {metric}" for split in splits for metric in metrics]
    cells = {
        (row["model"], row["split"], row["metric"]): row for row in rows if row["grid"] in grids
    }
    notes = {row["model"] for row in rows if row["grid"] in grids and row["note"]}
    models = dict.fromkeys(model for model, _, _ in cells)
    order = sorted(
        models, key=lambda model: (model in notes, -cells[model, splits[0], "hit@1"]["mean"])
    )
    lines = [f"| model | {' | '.join(heads)} |", "|---" * (1 + len(heads)) + "|"]
    for model in order:
        shown = (
            _shown(cells[model, split, metric]) if (model, split, metric) in cells else "–"
            for split in splits
            for metric in metrics
        )
        lines.append(f"| {model}{'*' if model in notes else ''} | {' | '.join(shown)} |")
    return lines


def _shown(row: Row) -> str:
    scale, digits = (1, 2) if row["metric"] == "lca_height@1" else (100, 1)
    mean, low, high = (f"{scale * row[name]:.{digits}f}" for name in ("mean", "low", "high"))
    return f"{mean} [{low}, {high}]"


def draw(rows: Sequence[Row]) -> None:
    """hit@1 against structural ratio, a panel for each network."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    plt.rcParams.update({"svg.hashsalt": "graphzsl", "svg.fonttype": "none"})
    figure, panels = plt.subplots(1, 4, figsize=(13, 3.8), sharey=True, layout="constrained")
    for panel, (grid, name) in zip(panels, NETWORKS.items(), strict=True):
        for marker, model in zip("osD^vx", SHOWN, strict=True):
            own = sorted(
                (
                    row
                    for row in rows
                    if (row["grid"], row["model"], row["metric"]) == (grid, model, "hit@1")
                ),
                key=lambda row: row["structural_ratio"],
            )
            x, y, low, high = (
                np.array([row[key] for row in own])
                for key in ("structural_ratio", "mean", "low", "high")
            )
            panel.errorbar(
                x,
                100 * y,
                [100 * (y - low), 100 * (high - y)],
                marker=marker,
                label=model,
                capsize=2,
            )
        panel.set(title=name, xlabel="structural ratio of the hidden classes", ylim=(0, 85))
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("hit@1, % of 200 candidates")
    figure.legend(*panels[0].get_legend_handles_labels(), loc="outside lower center", ncols=6)
    figure.savefig(FIGURE, metadata={"Date": None})


def main() -> None:
    what, *given = sys.argv[1:] or [""]
    if what == "collect" and given:
        rows = [*collected([Path(each) for each in given])]
        with DATA.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, rows[0], lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
    elif what == "tables":
        rows = rows_of()
        for split in ("random", "branches"):
            print("\n".join([f"hit@1, {split}:", "", *table_of_networks(rows, split), ""]))
        print("\n".join(table_of_one(rows, ["rows-lite0"], ["random", "branches"])))
        print("\n".join(["", *table_of_one(rows, ["slow-models"], ["random", "branches"])]))
    elif what == "figure":
        draw(rows_of())
    else:
        raise SystemExit(__doc__)


if __name__ == "__main__":
    main()

"""The grids' tables as one Markdown table: a row for each model, a column for each grid, mean ±
standard deviation over seeds, shares in per cent.

A cell of fewer seeds than the others of its column says how many in brackets.

python docs/experiments/table.py hit@1 runs/rows-lite0 runs/rows-lite1 runs/rows-lite2
runs/rows-mobilenet python docs/experiments/table.py ts,tr,h,ausuc runs/images-generalized
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from graphzsl.metrics.names import is_share


def cells(folder: Path, columns: list[str]) -> dict[str, list[str]]:
    """model -> its values in the grid's ``table.csv``; a standard deviation is left out where there
    is one seed."""
    path = folder / "table.csv"
    if not path.is_file():
        raise SystemExit(f"{path} does not exist. Run `graphzsl evaluate grid` first.")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    missing = [column for column in columns if rows and column not in rows[0]]
    if missing:
        raise SystemExit(f"{path} has no column {missing[0]!r}; it has {', '.join(rows[0])}.")
    twice = [
        row["model"] for row in rows if sum(row["model"] == other["model"] for other in rows) > 1
    ]
    if twice:
        raise SystemExit(
            f"{path} has several rows of {twice[0]}: one split and one kind of semantics are"
            " expected."
        )
    most = max((int(row["seeds"]) for row in rows), default=0)
    return {row["model"]: [_cell(row, column, most) for column in columns] for row in rows}


def _cell(row: dict[str, str], column: str, most: int) -> str:
    if not row[column]:  # AUSUC of a model that has no score for unseen classes
        return "–"
    spread, fewer = (
        row.get(f"{column} sd"),
        f" ({row['seeds']})" if int(row["seeds"]) < most else "",
    )
    scale = 100 if is_share(column) else 1
    text = f"{scale * float(row[column]):.1f}"
    return text + (f" ± {scale * float(spread):.1f}" if spread else "") + fewer


def markdown(folders: list[Path], columns: list[str]) -> str:
    """The table, in the order of the mean of the first column over the grids; a model that a grid
    lacks has an empty cell."""
    grids = [cells(folder, columns) for folder in folders]
    models = {model: None for grid in grids for model in grid}

    def order(model: str) -> float:
        found = [
            float(grid[model][0].split(" ")[0])
            for grid in grids
            if model in grid and grid[model][0] != "–"
        ]
        return -sum(found) / len(found) if found else 1.0

    heads = [f"{folder.name} {column}" for folder in folders for column in columns]
    lines = ["| model | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for model in sorted(models, key=order):
        found = [cell for grid in grids for cell in grid.get(model, [""] * len(columns))]
        lines.append(f"| {model} | " + " | ".join(found) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    print(markdown([Path(each) for each in sys.argv[2:]], sys.argv[1].split(",")))

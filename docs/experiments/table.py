"""The grids' tables as one Markdown table: a row for each model, a column for each grid, or for
each kind of semantics of a grid that has several; mean ± standard deviation over seeds, shares in
per cent.

A cell of fewer seeds than the others of its column says how many in brackets.

    python docs/experiments/table.py hit@1 runs/rows-lite0 runs/rows-lite1
    python docs/experiments/table.py ts,tr,h,ausuc runs/images-generalized
    python docs/experiments/table.py hit@1 runs/semantics
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path

from graphzsl.metrics import is_share

#: model -> its values, in the order of the columns that were asked for.
Cells = dict[str, list[str]]


def cells(folder: Path, columns: list[str]) -> dict[str, Cells]:
    """Kind of semantics -> the values of the grid's ``table.csv``; a standard deviation is left out
    where there is one seed."""
    path = folder / "table.csv"
    if not path.is_file():
        raise SystemExit(f"{path} does not exist. Run `graphzsl evaluate grid` first.")
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    missing = [column for column in columns if rows and column not in rows[0]]
    if missing:
        raise SystemExit(f"{path} has no column {missing[0]!r}; it has {', '.join(rows[0])}.")
    found: dict[str, Cells] = {}
    for row in rows:
        model, kind = row["model"], row["semantics"]
        own = found.setdefault(kind, {})
        if model in own:
            raise SystemExit(
                f"{path} has several rows of {model} with {kind}: one split is expected."
            )
        most = max(int(each["seeds"]) for each in rows if each["semantics"] == kind)
        own[model] = [_cell(row, column, most) for column in columns]
    return found


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
    found = {folder: cells(folder, columns) for folder in folders}
    grids = [grid for kinds in found.values() for grid in kinds.values()]
    models = {model: None for grid in grids for model in grid}

    def order(model: str) -> float:
        values = [
            float(grid[model][0].split(" ")[0])
            for grid in grids
            if model in grid and grid[model][0] != "–"
        ]
        return -sum(values) / len(values) if values else 1.0

    names = [
        f"{folder.name} {kind}" if len(kinds) > 1 else folder.name
        for folder, kinds in found.items()
        for kind in kinds
    ]
    heads = [f"{name} {column}" for name in names for column in columns]
    lines = ["| model | " + " | ".join(heads) + " |", "|---" * (len(heads) + 1) + "|"]
    for model in sorted(models, key=order):
        row = [cell for grid in grids for cell in grid.get(model, [""] * len(columns))]
        lines.append(f"| {model} | " + " | ".join(row) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        raise SystemExit(__doc__)
    print(markdown([Path(each) for each in sys.argv[2:]], sys.argv[1].split(",")))

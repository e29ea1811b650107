"""A picture of accuracy against a property of windows of classes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.files import checked_suffix
from graphzsl.reports.names import legend_text
from graphzsl.reports.picture_files import PICTURES, save_picture


def draw(
    rows: Sequence[Mapping[str, Any]],
    by: str,
    logarithmic: bool | None,
    level: float,
    path: Path,
) -> None:
    """Accuracy against the windows' means, one line per model and series, as .svg, .png or .pdf by
    the ending of ``path``; the scale is logarithmic by default but for distances and ratios.
    ``level`` is that of the intervals, for the legend."""
    require("matplotlib")
    from matplotlib.figure import Figure

    checked_suffix(path, PICTURES)
    lines: dict[str, list[Mapping[str, Any]]] = defaultdict(list)
    several = len({row["series"] for row in rows}) > 1
    for row in rows:
        if row["mean"] is not None:
            lines[f"{row['model']}, {row['series']}" if several else row["model"]].append(row)
    if not lines:
        raise DataError(
            "The windows have no mean of a property to draw against. Give one.", argument="by"
        )
    figure = Figure(figsize=(6.2, 3.8), layout="constrained")
    axes = figure.subplots()
    for mark, (name, members) in zip("osv^D<>ph*" * 9, lines.items(), strict=False):
        ordered = sorted(members, key=lambda row: row["mean"])
        middle = np.array([row["hit@1"] for row in ordered])
        spread = np.array(
            [middle - [row["low"] for row in ordered], [row["high"] for row in ordered] - middle]
        )
        axes.errorbar(
            [row["mean"] for row in ordered],
            100 * middle,
            yerr=100 * np.maximum(spread, 0),
            marker=mark,
            markersize=4,
            capsize=2,
            linewidth=1,
            label=legend_text(name),
        )
    axes.axhline(
        100 * float(np.mean([row["chance"] for row in rows])),
        color="grey",
        linestyle=":",
        label="chance",
    )
    if logarithmic is None:
        logarithmic = by not in ("ratio", "train-distance")
    if logarithmic:
        axes.set_xscale("log")
    axes.set_ylim(bottom=0)
    axes.set_xlabel(f"mean {legend_text(by)} of the window's classes")
    axes.set_ylabel("hit@1, per class (%)")
    axes.grid(alpha=0.3)
    axes.legend(
        fontsize="small",
        title=f"bars: {100 * level:g} % bootstrap interval over classes",
        title_fontsize="small",
    )
    save_picture(figure, path)

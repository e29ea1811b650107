"""A picture of the nearest words of some words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphzsl.common.extras import require
from graphzsl.reports.colours import COLOURS, SHAPES
from graphzsl.reports.names import legend_text
from graphzsl.reports.picture_files import save_picture

#: Rows up to which every neighbour's word is written in.
FEW = 40


def draw_neighbours(rows: Sequence[Mapping[str, Any]], path: Path) -> None:
    """Rows of ``nearest_words`` in their plane, one colour and shape per word, as .svg, .png or
    .pdf by the ending of ``path``; the words themselves are written in, and of few rows
    their neighbours too."""
    require("matplotlib")
    from matplotlib.figure import Figure
    from matplotlib.patheffects import withStroke

    figure = Figure(figsize=(6.2, 5.2), layout="constrained")
    axes = figure.subplots()
    few = len(rows) <= FEW
    words = list(dict.fromkeys(row["word"] for row in rows))
    for place, word in enumerate(words):
        colour = COLOURS[place % len(COLOURS)]
        shape = SHAPES[place % len(SHAPES)]
        own = [row for row in rows if row["word"] == word]
        axes.scatter(
            [row["x"] for row in own],
            [row["y"] for row in own],
            s=14,
            color=colour,
            marker=shape,
            alpha=0.7,
            label=legend_text(word),
        )
        for row in own if few else own[:1]:
            is_word = row["rank"] == 0
            axes.annotate(
                legend_text(row["neighbour"]),
                (row["x"], row["y"]),
                fontweight="bold" if is_word else "normal",
                fontsize="medium" if is_word else "x-small",
                color=colour,
                xytext=(4, 4),
                textcoords="offset points",
                path_effects=[withStroke(linewidth=2, foreground="white")],
                zorder=3 if is_word else 2,
            )
    axes.set_xlabel("first principal component")
    axes.set_ylabel("second principal component")
    axes.legend(fontsize="small", frameon=False)
    save_picture(figure, path)

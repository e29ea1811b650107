"""The pictures of a report as files for a paper, drawn by matplotlib."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from textwrap import wrap
from typing import Any

from graphzsl.common.extras import require
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.reports.charts import Chart, Series, band_of, charts_of
from graphzsl.reports.colours import COLOURS, DASHES, SHAPES
from graphzsl.reports.icicle_figures import icicles_of
from graphzsl.reports.names import legend_text
from graphzsl.reports.picture_files import save_picture
from graphzsl.reports.tasks import SHOWN, Task

#: Inches of a picture without its legend: as wide as a column and a half of a paper.
WIDTH, HEIGHT = 5.2, 3.4
#: Inches of the legend: of a letter, a mark with the space around it, and a line.
_LETTER, _MARK, _LINE = 0.075, 0.6, 0.19
#: Letters of a line of the legend's title.
LONGEST = 72
#: What every picture is written as.
KINDS = ("svg", "png")


def write_figures(
    tasks: Sequence[Task], folder: Path, hierarchy: Hierarchy | None = None
) -> list[Path]:
    """Every plot of every task as .svg and .png in a folder, of the models that a page draws at
    first, and accuracy over the hierarchy, a picture per model; the files. Names begin with the
    number of the task where there are several.

    Raises:
        MissingExtra: matplotlib is not installed.
    """
    require("matplotlib")
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, task in enumerate(tasks, 1):
        for key, figure in _figures(task, hierarchy):
            stem = f"{number}-{key}" if len(tasks) > 1 else key
            for kind in KINDS:
                paths.append(folder / f"{re.sub('[^a-z0-9-]', '-', stem)}.{kind}")
                save_picture(figure, paths[-1], dpi=200)
    return paths


def _figures(task: Task, hierarchy: Hierarchy | None) -> Iterator[tuple[str, Any]]:
    yield from ((chart.key, figure_of(chart)) for chart in charts_of(task))
    yield from icicles_of(task, hierarchy)


def figure_of(chart: Chart) -> Any:
    """A plot as a figure of matplotlib: its legend stands below the axes, over no data, and says
    what is around means, and how many models there are where not all of them are drawn."""
    from matplotlib.figure import Figure

    shown = chart.series[:SHOWN]
    longest = max((len(legend_text(series.name)) for series in shown), default=0)
    columns = max(1, min(len(shown), int(WIDTH / (_LETTER * longest + _MARK))))
    rows = -(-len(shown) // columns)
    is_part = len(chart.series) > len(shown)
    said = [f"the first {len(shown)} of {len(chart.series):,} models"] if is_part else []
    said += wrap(chart.intervals, LONGEST)
    high = HEIGHT + _LINE * (rows + len(said) + 1)
    figure = Figure(figsize=(WIDTH, high), layout="constrained")
    axes = figure.subplots()
    axes.set_title(chart.title, fontsize="medium")
    for row, series in enumerate(shown):
        _draw(axes, chart, series, chart.aside(row))
    _set_axes(axes, chart)
    figure.legend(
        loc="outside lower center",
        ncols=columns,
        fontsize="small",
        frameon=False,
        title="\n".join(said),
        title_fontsize="small",
    )
    return figure


def _draw(axes: Any, chart: Chart, series: Series, aside: float) -> None:
    place = series.place
    colour, dashes = COLOURS[place % len(COLOURS)], DASHES[place % len(DASHES)]
    look = {
        "color": colour,
        "linewidth": 1.4,
        "linestyle": (0, dashes) if dashes else "-",
        "marker": SHAPES[place % len(SHAPES)],
        "markersize": 5,
        "clip_on": False,  # marks on an axis are whole
    }
    name: str | None = legend_text(series.name)
    if chart.kind == "curve":
        for line in series.lines:
            axes.plot([p.x for p in line], [p.y for p in line], **{**look, "marker": ""})
        marks = series.marks
        # the legend shows the line, and the mark where the model stands
        (drawn,) = axes.plot([], [], label=name, **look)
        drawn.set_in_layout(False)
        axes.plot([p.x for p in marks], [p.y for p in marks], **{**look, "linestyle": ""})
        return
    for own in series.lines:
        line = [replace(point, x=point.x + aside) for point in own]
        solid = [point for point in line if not point.is_faint]
        (drawn,) = axes.plot([p.x for p in solid], [p.y for p in solid], label=name, **look)
        drawn.set_in_layout(bool(solid))  # the layout would make room for a mark of no place
        name = None
        for point in line:
            if point.is_faint:
                axes.plot([point.x], [point.y], **{**look, "alpha": 0.35})
        if chart.kind == "groups":
            ends = [point for point in line if point.low is not None]
            places, lows, highs = ([getattr(p, n) for p in ends] for n in ("x", "low", "high"))
            axes.vlines(places, lows, highs, colors=[(colour, 0.7)], linewidth=1.1)
        elif band := band_of(line):
            edge = {"edgecolor": (colour, 0.4), "linewidth": 0.8}
            axes.fill(*zip(*band, strict=True), facecolor=(colour, 0.09), **edge)


def _set_axes(axes: Any, chart: Chart) -> None:
    if chart.kind == "logarithmic":
        axes.set_xscale("log")
    if chart.ticks:
        counts = chart.counts or [""] * len(chart.ticks)
        texts = [legend_text(text) for _, text in chart.ticks]
        for place, count in enumerate(counts):
            gap = "\n\n" if chart.is_crowded and place % 2 else "\n"
            texts[place] += f"{gap}({count})" if count else ""
        axes.set_xticks([x for x, _ in chart.ticks], texts)
        axes.minorticks_off()
    else:
        axes.set_xlim(0, chart.right)
    axes.set_ylim(0, chart.top * 1.02)
    axes.set_xlabel(f"{chart.x_label} (classes)" if chart.counts else chart.x_label)
    axes.set_ylabel(chart.y_label)
    axes.grid(alpha=0.3)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)

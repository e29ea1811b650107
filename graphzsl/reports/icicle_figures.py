"""Accuracy over the hierarchy as a figure of matplotlib: the icicle of a page, with all of its
columns, since nobody can look into a box on paper."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from graphzsl.common.wording import counted
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.reports.classes import class_table
from graphzsl.reports.confusions import names_of
from graphzsl.reports.names import legend_text, spoken
from graphzsl.reports.over_hierarchy import key_of, tree_of_classes
from graphzsl.reports.pictures.boxes import SCALE, Box, boxes_of, colour_of, ink_on
from graphzsl.reports.pictures.tree import PictureTree
from graphzsl.reports.tasks import SHOWN, Task

#: Inches of a figure: as wide as the text of a paper; the boxes are at most so high.
WIDTH, HIGHEST = 7.2, 8.2
#: Inches of a class, where there is room, of the least that boxes have, and beside the boxes.
_CLASS, _LEAST, _TITLE, _BAR, _MARGIN = 0.3, 1.5, 0.3, 0.6, 0.08
#: Points: of letters, of a line, and of the space before a caption.
_FONT, _LINE, _PAD = 5.0, 6.5, 1.8
#: Lines of a name.
_NAME = 3
#: Points: boxes less high have a thin edge, and those still less high none.
_THIN, _MANY = 4.0, 2.0
#: More boxes than these are pixels in an .svg, too: a file of all of them is slow to open.
_VECTORS = 4_000
#: Letters of a model's name in the name of a file.
_LONGEST = 60


def icicles_of(task: Task, hierarchy: Hierarchy | None) -> Iterator[tuple[str, Any]]:
    """(``icicle-MODEL``, figure) of each model of a task that a page draws at first; nothing where
    no class is in the hierarchy."""
    classes = class_table(task, {}, names_of(task, hierarchy)) if hierarchy else None
    tree = tree_of_classes(classes, hierarchy) if classes and hierarchy else None
    if classes is None or tree is None:
        return
    shown = {entry.name for entry in task.entries[:SHOWN]}
    used: set[str] = set()
    for number, model in enumerate(classes["models"]):
        if model["name"] in shown and (boxes := boxes_of(tree, key_of(number))):
            name = legend_text(" ".join(model["name"].split()))
            title = f"{name}: hit@1 of {counted(boxes[0].height, 'class', 'classes')}"
            figure = _figure_of(tree, number, boxes, f"{title}, {task.candidates}")
            yield _stem(model["name"], used), figure


def _stem(model: str, used: set[str]) -> str:
    """A name of a file for a model, which no other one has."""
    plain = re.sub("[^a-z0-9]+", "-", model.lower())[:_LONGEST].strip("-") or "model"
    names = (f"icicle-{plain}" + (f"-{copy}" if copy > 1 else "") for copy in range(1, 1_000))
    stem = next(name for name in names if name not in used)
    used.add(stem)
    return stem


def _figure_of(tree: PictureTree, number: int, boxes: list[Box], title: str) -> Any:
    from matplotlib.cm import ScalarMappable
    from matplotlib.colors import LinearSegmentedColormap, Normalize
    from matplotlib.figure import Figure

    classes, columns = boxes[0].height, max(box.column for box in boxes) + 1
    high = min(HIGHEST, max(_LEAST, _CLASS * classes))
    whole = high + _TITLE + _BAR
    figure = Figure(figsize=(WIDTH, whole))
    wide = 1 - 2 * _MARGIN / WIDTH
    axes = figure.add_axes((_MARGIN / WIDTH, _BAR / whole, wide, high / whole))
    axes.set_axis_off()
    axes.set_xlim(0, columns)
    axes.set_ylim(classes, 0)
    figure.text(0.5, 1 - 0.5 * _TITLE / whole, title, ha="center", va="center", fontsize=8)
    least, most = domain = tree.domains[key_of(number)]
    fills = [colour_of(box.value, domain) for box in boxes]
    _draw(axes, boxes, fills, 72 * high / classes)
    _name(axes, tree, boxes, fills, 72 * (WIDTH - 2 * _MARGIN) / columns, 72 * high / classes)
    colours = LinearSegmentedColormap.from_list("shares", SCALE)
    scale = ScalarMappable(Normalize(100 * least, 100 * most), colours)
    place = (0.25, 0.62 * _BAR / whole, 0.5, 0.12 / whole)
    # an arrow at an end with values beyond it
    beyond = any(box.value < least for box in boxes), any(box.value > most for box in boxes)
    extend = {(True, True): "both", (True, False): "min", (False, True): "max"}.get(beyond)
    bar = figure.colorbar(
        scale, cax=figure.add_axes(place), orientation="horizontal", extend=extend or "neither"
    )
    bar.set_ticks([100 * least + 25 * part * (most - least) for part in range(5)])
    bar.ax.xaxis.set_major_formatter("{x:.3g}")
    bar.set_label("hit@1 per class, mean of the classes at or below a synset (%)", fontsize=7)
    bar.ax.tick_params(labelsize=7, length=2)
    bar.outline.set_linewidth(0.4)
    return figure


def _draw(axes: Any, boxes: list[Box], fills: list[str], points: float) -> None:
    """The rectangles; ``points`` is how high a class is."""
    from matplotlib.collections import PolyCollection

    corners = [
        [(box.column + x, box.top + y * box.height) for x, y in ((0, 0), (1, 0), (1, 1), (0, 1))]
        for box in boxes
    ]
    high = [box.height * points for box in boxes]
    edges = [0.5 if each >= _THIN else 0.2 if each >= _MANY else 0.0 for each in high]
    drawn = PolyCollection(corners, facecolors=fills, edgecolors="white", linewidths=edges)
    drawn.set_gid("boxes")
    drawn.set_rasterized(len(boxes) > _VECTORS)
    axes.add_collection(drawn, autolim=False)


def _name(
    axes: Any, tree: PictureTree, boxes: list[Box], fills: list[str], wide: float, points: float
) -> None:
    """Names, and values where two lines fit; ``wide`` and ``points`` are the points of a column and
    of a class."""
    for box, fill in zip(boxes, fills, strict=True):
        high = box.height * points
        if high < _LINE:
            continue
        name = spoken(tree.names.get(box.wnid, "")) or box.wnid
        room = max(1, int(high / _LINE - 0.5))
        lines = _lines(name, wide - 2 * _PAD, max(1, min(_NAME, room - 1)))
        if room > 1:
            lines.append(f"{100 * box.value:.1f} %")
        first = min(high / 2, 0.9 * _LINE)
        for number, line in enumerate(lines):
            axes.text(
                box.column + _PAD / wide,
                box.top + (first + number * _LINE) / points,
                legend_text(line),
                color=ink_on(fill),
                fontsize=_FONT,
                va="center_baseline",
            )


def _lines(text: str, points: float, most: int) -> list[str]:
    """A text in lines that are so many points long at most, the last of which ends in dots where
    there are too many."""
    words = text.split()
    lines: list[str] = []
    while words:
        taken = 1
        while taken < len(words) and (
            len(lines) == most - 1 or _long(" ".join(words[: taken + 1])) <= points
        ):
            taken += 1
        lines.append(_cut(" ".join(words[:taken]), points))
        words = words[taken:]
    return lines


def _cut(text: str, points: float) -> str:
    """A text that is so many points long at most."""
    if _long(text) <= points:
        return text
    parts = (f"{text[:length].rstrip()}…" for length in range(len(text) - 1, 1, -1))
    return next((part for part in parts if _long(part) <= points), "")


def _long(text: str) -> float:
    """Points from the beginning of a line to its end."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.textpath import TextToPath

    font = FontProperties(size=_FONT)
    long, _, _ = TextToPath().get_text_width_height_descent(text, font, ismath=False)
    return float(long)

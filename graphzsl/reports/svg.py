"""A plot as SVG for the page: drawn without a library, so that a report needs none."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace
from html import escape

from graphzsl.reports.charts import Chart, Point, Series, band_of
from graphzsl.reports.colours import COLOURS, DASHES, SHAPES

#: Units of the drawing; a page shows it about as wide as that, and so text is about its size.
WIDTH, HEIGHT = 440, 300
LEFT, RIGHT, TOP, BOTTOM = 46, 18, 10, 44
#: Shape -> its outline around (0, 0); a circle has none.
_OUTLINES = {
    "s": "M-3.6-3.6h7.2v7.2h-7.2z",
    "^": "M0-4.6 4.4 3.4h-8.8z",
    "D": "M0-4.8 4.8 0 0 4.8-4.8 0z",
    "v": "M0 4.6-4.4-3.4h8.8z",
    "P": "M-1.5-4.5h3v3h3v3h-3v3h-3v-3h-3v-3h3z",
    "X": "M-4.2-2.2-2.2-4.2 0-2 2.2-4.2 4.2-2.2 2 0 4.2 2.2 2.2 4.2 0 2-2.2 4.2-4.2 2.2-2 0z",
    "*": "M0-5.4 1.5-1.7 5.3-1.7 2.2.7 3.4 4.5 0 2.2-3.4 4.5-2.2.7-5.3-1.7-1.5-1.7z",
}


def shape_of(place: int) -> str:
    """The mark of the model at a place, around (0, 0)."""
    shape = SHAPES[place % len(SHAPES)]
    return f'<path d="{_OUTLINES[shape]}"/>' if shape in _OUTLINES else '<circle r="3.8"/>'


def style_of(place: int) -> tuple[str, str]:
    """(class of its colour, dashes) of the model at a place."""
    dashes = DASHES[place % len(DASHES)]
    return f"c{place % len(COLOURS)}", " ".join(map(str, dashes))


def swatch(place: int) -> str:
    """The line and mark of a model, for a legend."""
    colour, dashes = style_of(place)
    return (
        f'<svg class="swatch {colour}" viewBox="-14 -6 28 12" aria-hidden="true">'
        f'<path class="line" d="M-14 0h28" stroke-dasharray="{dashes}"/>'
        f'<g class="mark">{shape_of(place)}</g></svg>'
    )


def drawn(chart: Chart, shown: int) -> str:
    """The plot; series from ``shown`` on are there, and hidden until their name is pressed."""
    return _Drawing(chart).text(shown)


class _Drawing:
    """Axes of one plot: where a value lies."""

    def __init__(self, chart: Chart):
        self.chart = chart
        self.bottom = HEIGHT - BOTTOM - (14 if chart.counts else 0) - 10 * chart.is_crowded

    def x(self, value: float) -> float:
        width, chart = WIDTH - LEFT - RIGHT, self.chart
        if chart.kind == "curve":
            return LEFT + width * value / chart.right
        if chart.kind == "groups":
            return LEFT + width * (value + 0.5) / len(chart.ticks)
        first, last = (math.log(chart.ticks[end][0]) for end in (0, -1))
        return LEFT + 16 + (width - 32) * (math.log(value) - first) / (last - first)

    def y(self, value: float) -> float:
        return self.bottom - (self.bottom - TOP) * value / self.chart.top

    def text(self, shown: int) -> str:
        chart = self.chart
        series = "".join(
            self.one_series(each, chart.aside(place), place >= shown)
            for place, each in enumerate(chart.series)
        )
        name = escape(f"{chart.title}; horizontal axis: {chart.x_label}", quote=True)
        return (
            f'<svg class="plot" role="img" aria-label="{name}" viewBox="0 0 {WIDTH} {HEIGHT}">'
            f"<title>{name}</title>{self.axes()}{series}</svg>"
        )

    def axes(self) -> str:
        chart, parts = self.chart, []
        for value in _steps(chart.top):
            at = self.y(value)
            parts.append(f'<path class="grid" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>')
            parts.append(_text(LEFT - 6, at + 4, _number(value), "end"))
        ticks = chart.ticks or [(value, _number(value)) for value in _steps(chart.right)]
        small = " small" if sum(len(text) for _, text in ticks) > 45 else ""
        for place, (value, text) in enumerate(ticks):
            at = self.x(value)
            parts.append(f'<path class="axis" d="M{at:.1f} {self.bottom}v4"/>')
            parts.append(_text(at, self.bottom + 17, text, "middle", small))
            if chart.counts:
                lower = 10 * (chart.is_crowded and place % 2)
                line = self.bottom + 30 + lower
                parts.append(_text(at, line, chart.counts[place], "middle", " count"))
        if chart.counts:
            parts.append(_text(2, self.bottom + 30, "classes", "start", " count"))
        parts.append(f'<path class="axis" d="M{LEFT} {TOP}V{self.bottom}H{WIDTH - RIGHT}"/>')
        parts.append(_text((LEFT + WIDTH) / 2, HEIGHT - 8, chart.x_label, "middle"))
        middle = (TOP + self.bottom) / 2
        parts.append(
            f'<text transform="translate(12 {middle:.0f}) rotate(-90)" text-anchor="middle">'
            f"{escape(chart.y_label)}</text>"
        )
        return "".join(parts)

    def one_series(self, series: Series, aside: float, hidden: bool) -> str:
        colour, dashes = style_of(series.place)
        parts = []
        for own in series.lines:
            line = [replace(point, x=point.x + aside) for point in own]
            if self.chart.kind == "groups":
                parts += [self.interval(point) for point in line if point.low is not None]
            elif band := band_of(line):
                parts.append(f'<polygon class="band" points="{self.way(band)}"/>')
            way = self.way((point.x, point.y) for point in line if not point.is_faint)
            parts.append(f'<polyline class="line" points="{way}" stroke-dasharray="{dashes}"/>')
        marked = (
            series.marks if self.chart.kind == "curve" else [p for e in series.lines for p in e]
        )
        for point in marked:
            parts.append(self.one_point(series, point, aside))
        state = " hidden" if hidden else ""
        return f'<g class="{colour}{state}" data-series="{series.place}">{"".join(parts)}</g>'

    def way(self, places: Iterable[tuple[float, float]]) -> str:
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in places)

    def interval(self, point: Point) -> str:
        """A line through a mark."""
        low, high = (self.y(end or 0) for end in (point.low, point.high))
        return f'<path class="interval" d="M{self.x(point.x):.1f} {low:.1f}V{high:.1f}"/>'

    def one_point(self, series: Series, point: Point, aside: float) -> str:
        faint = " faint" if point.is_faint else ""
        return (
            f'<g class="mark{faint}"'
            f' transform="translate({self.x(point.x + aside):.1f} {self.y(point.y):.1f})">'
            f"<title>{escape(said(self.chart, series, point))}</title>"
            f"{shape_of(series.place)}</g>"
        )


def said(chart: Chart, series: Series, point: Point) -> str:
    """A point in words."""
    if chart.kind == "curve":
        return f"{series.name}: unseen {point.x:.1f} %, seen {point.y:.1f} %"
    at = next((text for value, text in chart.ticks if value == point.x), _number(point.x))
    return f"{series.name}, {chart.x_label} {at}: {point_text(point)} %"


def point_text(point: Point) -> str:
    """The value, with the ends of its interval where there is one."""
    ends = "" if point.low is None else f" ({point.low:.1f} to {point.high:.1f})"
    return f"{point.y:.1f}{ends}"


def _steps(top: float) -> Sequence[float]:
    step = next(step for step in (1, 2, 5, 10, 20, 25) if top / step <= 6)
    return [step * place for place in range(int(top // step) + 1)]


def _number(value: float) -> str:
    return f"{value:g}"


def _text(x: float, y: float, text: str, anchor: str, kind: str = "") -> str:
    return (
        f'<text class="tick{kind}" x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">'
        f"{escape(text)}</text>"
    )

"""Growth of stages with a size: tables of seconds and of memory, and a plot of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import click
import numpy as np

from tests.benchmarks.cost import Cost


@dataclass
class Grown:
    """Stages at several sizes of one axis.

    Args:
        axis: what grows.
        sizes: of it.
        costs: stage -> its cost at each size, or at the first of them.
        held: what else takes memory or disk -> MB at each size.
    """

    axis: str
    sizes: list[int]
    costs: dict[str, list[Cost]] = field(default_factory=dict)
    held: dict[str, list[float]] = field(default_factory=dict)

    def add(self, costs: Mapping[str, Cost], held: Mapping[str, float] | None = None) -> None:
        """What was measured at the next size."""
        for stage, took in costs.items():
            self.costs.setdefault(stage, []).append(took)
            click.echo(f"{self.axis}: {stage}: {took}", err=True)
        for what, size in (held or {}).items():
            self.held.setdefault(what, []).append(size)

    @property
    def seconds(self) -> dict[str, list[float]]:
        """Stage -> processor seconds at each size."""
        return {stage: [each.cpu for each in taken] for stage, taken in self.costs.items()}

    @property
    def memory(self) -> dict[str, list[float]]:
        """Stage, and what else is held -> MB at each size."""
        own = {stage: [each.memory for each in taken] for stage, taken in self.costs.items()}
        return own | self.held


def exponent(sizes: Sequence[float], values: Sequence[float]) -> float:
    """Of a power law through the values: 1 is linear."""
    return float(np.polyfit(np.log(sizes), np.log(np.maximum(values, 1e-9)), 1)[0])


def say_tables(grown: Grown, *more: tuple[str, list[int]]) -> None:
    """Both tables, in Markdown; ``more`` are other sizes, for lines of their own."""
    head = f"| {grown.axis} | {' | '.join(f'{size:,}' for size in grown.sizes)} |"
    rule = "|---|" + "---|" * len(grown.sizes)
    click.echo(f"\nProcessor seconds\n\n{head} exponent |\n{rule}---|")
    for name, sizes in more:
        click.echo(f"| {name} | {' | '.join(f'{size:,}' for size in sizes)} | |")
    for stage, values in grown.seconds.items():
        cells = [f"{each:.3g} s" for each in values] + [""] * (len(grown.sizes) - len(values))
        grows = exponent(grown.sizes[: len(values)], values)
        click.echo(f"| {stage} | {' | '.join(cells)} | {grows:.2f} |")
    click.echo(f"\nMB\n\n{head}\n{rule}")
    for stage, values in grown.memory.items():
        cells = ["< 1" if each < 1 else f"{each:,.0f}" for each in values]
        cells += [""] * (len(grown.sizes) - len(values))
        click.echo(f"| {stage} | {' | '.join(cells)} |")


def plot(found: Sequence[Grown], path: Path) -> None:
    """Seconds above, memory below, against each size; one column for each axis."""
    import matplotlib

    matplotlib.use("svg")
    from matplotlib import pyplot
    from matplotlib.ticker import FixedLocator, NullFormatter, NullLocator, StrMethodFormatter

    pyplot.rcParams["svg.fonttype"] = "none"
    width = 4.4 * len(found) if len(found) > 1 else 7
    figure, panels = pyplot.subplots(2, len(found), figsize=(width, 8.5), squeeze=False)
    for column, grown in enumerate(found):
        names = [*grown.costs, *grown.held]
        marks = dict(zip(names, "osD^vPX*hd", strict=False))
        for axes, rows, what in (
            (panels[0][column], grown.seconds, "seconds of one core"),
            (panels[1][column], grown.memory, "MB"),
        ):
            for stage, values in rows.items():
                shown = np.maximum(values, 1.0 if what == "MB" else 1e-3)
                colour = f"C{names.index(stage)}"
                axes.loglog(
                    grown.sizes[: len(values)],
                    shown,
                    marker=marks[stage],
                    color=colour,
                    label=stage.replace("`", ""),
                )
            axes.set(xlabel=grown.axis, ylabel=what)
            axes.xaxis.set_major_locator(FixedLocator(grown.sizes))
            axes.xaxis.set_minor_locator(NullLocator())
            axes.set_xticklabels([f"{size:,}" for size in grown.sizes], fontsize=8)
            low, high = (np.log10(end) for end in axes.get_ylim())
            axes.set_ylim(10 ** np.floor(low), 10 ** np.ceil(high))
            axes.yaxis.set_major_formatter(StrMethodFormatter("{x:g}"))
            axes.yaxis.set_minor_formatter(NullFormatter())
            axes.grid(alpha=0.3)
        columns = 1 if len(found) > 1 else 2
        panels[1][column].legend(
            loc="upper center",
            bbox_to_anchor=(0.5, -0.15),
            frameon=False,
            fontsize=8,
            ncols=columns,
        )
    figure.tight_layout()
    path.parent.mkdir(exist_ok=True)
    figure.savefig(path, metadata={"Date": None})
    click.echo(f"{path} is written.", err=True)

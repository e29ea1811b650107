"""``graphzsl study``: what the papers ask of words, counts, levels and labels."""

from __future__ import annotations

import click

from graphzsl.cli.groups import Lazy

SECTIONS = {
    "Commands": {
        "words": (
            "graphzsl.cli.words",
            "Polysemy, primary meanings and nearest words.",
        ),
        "frequencies": (
            "graphzsl.cli.frequencies",
            "Count word labels in text; how their frequencies are distributed.",
        ),
        "populations": (
            "graphzsl.cli.populations",
            "Most and least populated classes, distribution, population and depth.",
        ),
        "granularity": (
            "graphzsl.cli.granularity",
            "Semantic groups, re-ranking by them, superclasses.",
        ),
        "ilsvrc": (
            "graphzsl.cli.ilsvrc",
            "The ILSVRC paper: boxes, labelling, properties and accuracy of classes, costs.",
        ),
        "papers": (
            "graphzsl.cli.papers",
            "Tables of five papers, claims with a verdict, and where each of 171 things is here.",
        ),
    }
}


@click.group(cls=Lazy, sections=SECTIONS)
def command() -> None:
    """Study words, populations, levels and labels, as the papers do.

    \b
    graphzsl study words polysemy
    graphzsl study populations depth
    graphzsl study ilsvrc accuracy linear.classes.parquet --extremes 5
    """

"""The group ``study granularity``: the other files of this folder add their commands to it."""

from __future__ import annotations

import click

from graphzsl.cli.groups import Group


@click.group("granularity", cls=Group)
def command() -> None:
    """Levels of granularity: is it a poodle, a dog or an animal?

    Semantic groups trade the naturalness of a word against the distance to it (Wang et al. 2014),
    hedging trades detail against accuracy (Deng et al. 2012);
    superclasses are the nodes of a level (BREEDS) or the highest ones of a size (tieredImageNet).

    \b
    graphzsl study granularity groups --lambda 0.5 --top 20
    graphzsl study granularity superclasses --shape living17
    graphzsl study granularity tiers
    """

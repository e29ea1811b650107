"""The group ``graphzsl split``: the other files of this folder add their commands to it."""

from __future__ import annotations

import click

from graphzsl.cli.groups import Group


@click.group(cls=Group)
def command() -> None:
    """Build, check, measure, explain, compare and export splits.

    Names state true distances: hops-1, hops-2, all. What the literature calls "2-hops" is hops-1
    by its definition, and "3-hops" hops-2 (Hascoet et al. 2019): those names are understood as
    aliases. The lists published as that have other classes: published-2-hops, published-3-hops.
    Sets are cumulative.

    \b
    graphzsl split hops --max-hops 2
    graphzsl split check hops-2
    graphzsl split report hops-2
    graphzsl split overlap imagenet-a ilsvrc2012
    graphzsl split export hops-2 hops-2.txt
    """

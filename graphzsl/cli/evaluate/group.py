"""The group ``graphzsl evaluate``: the other files of this folder add their commands to it."""

from __future__ import annotations

import click

from graphzsl.cli.groups import Group


@click.group(cls=Group)
def command() -> None:
    """Score a model or a grid of runs; compare two runs.

    One evaluation for all of them: hit@k, hp@k, parents and children, lowest common ancestors,
    groups by hops and population, and ts, tr, H and the seen-unseen curve where training classes
    are candidates. Per-class means are the headline. Ties count against the model in every metric;
    where they decide a value, its mean under random order of tied candidates stands beside it.

    \b
    graphzsl evaluate model linear --classifiers classifiers.safetensors \\
      --out runs/linear.json
    graphzsl evaluate compare runs/clip.json runs/linear.json
    """

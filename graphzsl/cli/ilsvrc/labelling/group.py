"""The group ``graphzsl study ilsvrc labelling``: files of this folder add their commands to it."""

from __future__ import annotations

import click

from graphzsl.cli.groups import Group


@click.group("labelling", cls=Group)
def command() -> None:
    """How ImageNet's labels are made and checked: votes, audits, judgements, costs, merged classes.

    No command needs a database. What people say comes from your tables; simulated people and what
    follows from them are called simulated in every row (`graphzsl study ilsvrc annotate` simulates
    a walk down a hierarchy of questions).

    \b
    graphzsl study ilsvrc labelling consensus votes.csv
    graphzsl study ilsvrc labelling audit mammal.n.01 vehicle.n.01 \\
      --save audit.csv
    graphzsl study ilsvrc labelling merge --each
    """

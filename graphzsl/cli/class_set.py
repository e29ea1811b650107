"""``graphzsl class-set``: what concerns lists, selections and splits alike."""

from __future__ import annotations

import click

from graphzsl.cli.common import force_option, note
from graphzsl.cli.completion import CLASS_SETS
from graphzsl.cli.connection import database
from graphzsl.cli.groups import Group


@click.group(cls=Group)
def command() -> None:
    """Delete class sets: lists, selections and splits.

    `graphzsl load class-set` loads them, `graphzsl split list` shows all.

    \b
    graphzsl class-set delete hidden
    """


@command.command()
@click.argument("name", shell_complete=CLASS_SETS)
@force_option
def delete(name: str, force: bool) -> None:
    """Delete the class set NAME, and say what it was; the synsets stay.

    \b
    graphzsl class-set delete hidden
    """
    from graphzsl.database import delete_class_set, described

    note(f"Deleted {described(delete_class_set(database(), name, force=force))}.")

"""``graphzsl split paint``: the roles of a split in the pictures of Neo4j Browser."""

from __future__ import annotations

import click

from graphzsl import splits
from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.connection import database, settings
from graphzsl.cli.options import STORED, output_options, train_option, universe_option
from graphzsl.cli.output import emit, note
from graphzsl.cli.split.group import command
from graphzsl.cli.types import Synset
from graphzsl.common import step


@command.command()
@click.argument("name", required=False, shell_complete=NAMED_CLASSES, is_eager=True)
@click.option(
    "--around",
    type=Synset("name"),
    metavar="SYNSET",
    help="Mark this synset as the centre of pictures.",
)
@click.option("--clear", is_flag=True, help="Remove what was painted.")
@train_option(f"{STORED} (default: the split's own)", None)
@universe_option(f"{STORED} (default: the split's own)", None)
@output_options
def paint(
    name: str | None,
    around: str | None,
    clear: bool,
    train: str | None,
    universe: str | None,
    output_format: str,
) -> None:
    """Paint the roles of a split, for looking at it in Neo4j Browser: which classes are Unseen,
    which Training, Candidate or Ancestor.

    Roles are labels of the synsets, set in one transaction in place of those of the split painted
    before. Splits, checks, analyses and exports do not see them.

    \b
    graphzsl split paint hops-1
    graphzsl split paint hops-1 --around dog.n.01
    graphzsl split paint --clear
    """
    from graphzsl.database import LocalServer

    if clear == (name is not None):
        both = "not both: --clear takes every role off" if clear else "or give --clear"
        raise click.UsageError(f"Name the split to paint, {both}.")
    if clear and (around or train or universe):
        raise click.UsageError("--clear takes no other option.")
    db = database()
    if name is None:
        splits.paint.clear_paint(db)
        note("Cleared.")
        return
    with step(f"painting {name}"):
        rows = splits.paint.paint(db, name, train, universe, around)
    config = settings()
    if config.local:
        splits.paint.prepare_browser(db, LocalServer(config).home)
    emit(rows, output_format)
    look = f"see_neighbourhood -p wnid={around}" if around else ""
    command = f"db browser {look}".strip() if config.local else f"query show {look} --browser"
    if look or config.local:
        note(f"Look at it: `graphzsl {command}`.")

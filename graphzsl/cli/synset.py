"""Type of a parameter that names a synset: a wnid, a name like dog.n.01, or a word."""

from __future__ import annotations

import click

from graphzsl.cli.connection import database


class Synset(click.ParamType):
    """A noun synset by its wnid, its name or a word that no other synset has; the value is its
    wnid.

    ``of`` is the eager parameter of the command that names a split or class set: if both are
    wrong, the error is about that parameter.
    """

    name = "SYNSET"

    def __init__(self, of: str | None = None) -> None:
        self.of = of

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        from graphzsl.sources import WNID

        text = str(value)
        if WNID.match(text):
            return text
        from graphzsl import splits
        from graphzsl.database import require_class_set, resolve_wnid

        db = database()
        if ctx is not None and self.of is not None and ctx.params.get(self.of):
            require_class_set(db, splits.resolve_name(ctx.params[self.of]))
        return resolve_wnid(db, text)


SYNSET = Synset()

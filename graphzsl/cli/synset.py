"""The class that a person means: a wnid, a name like dog.n.01, or a word."""

from __future__ import annotations

import click

from graphzsl.cli.connection import database


class Synset(click.ParamType):
    """A noun synset by its wnid, its name or a word that no other synset has; the value is its
    wnid."""

    name = "SYNSET"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> str:
        from graphzsl.sources.tables import WNID

        text = str(value)
        return text if WNID.match(text) else self.resolved(text)

    def resolved(self, text: str) -> str:
        """The wnid of a text that is none; DataError offers synsets."""
        from graphzsl.database.names import resolve_wnid

        return resolve_wnid(database(), text)


SYNSET = Synset()

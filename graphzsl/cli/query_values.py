"""The parameters of a query on the command line: -p NAME=VALUE."""

from __future__ import annotations

import click

from graphzsl.cli.completion import PARAMETERS
from graphzsl.cli.connection import database
from graphzsl.database import Query, resolve_wnid
from graphzsl.sources import WNID

param_option = click.option(
    "-p",
    "--param",
    "pairs",
    multiple=True,
    metavar="NAME=VALUE",
    shell_complete=PARAMETERS,
    help="A parameter or a vary choice; repeat it.",
)


def values(entry: Query, pairs: tuple[str, ...]) -> dict[str, str]:
    """The texts of -p by name; names of synsets, where the query takes wnids, become their
    wnids."""
    found = texts(pairs)
    for key, value in found.items():
        kind = entry.params.get(key)
        if kind == "WNID":
            found[key] = _wnid(value)
        elif kind == "LIST<WNID>" and not value.startswith("["):
            items = (item.strip() for item in value.split(","))
            found[key] = ",".join(_wnid(item) for item in items if item)
    return found


def texts(pairs: tuple[str, ...]) -> dict[str, str]:
    """The texts of -p by name."""
    found = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise click.UsageError(f"-p takes NAME=VALUE, not {pair!r}.")
        found[key] = value
    return found


def _wnid(text: str) -> str:
    return text if WNID.match(text) else resolve_wnid(database(), text)

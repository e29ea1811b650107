"""Values that TAB offers: names that are shipped, and class sets of a running server.

A TAB never starts a server, never waits long for one and never fails: what is not known is not
offered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

import click
from click.shell_completion import CompletionItem

from graphzsl import benchmark, database, ilsvrc, sources

Completion = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]
#: Seconds that a server has to accept a connection before a TAB goes without it.
PATIENCE = 0.3
#: Hop splits that need no server.
_HOP_SPLITS = ("hops-1", "hops-2", "all")
#: Endings of the files that are drawn: runs, lists of classes.
_DRAWN = (".json", ".txt", ".csv", ".tsv")
#: The predictions that come with the package, by their name in `graphzsl audit`.
SAMPLE = "sample"
#: What commands call their query.
_QUERY = ("statement", "name")


def _values(known: Callable[[], Iterable[str]]) -> Completion:
    def complete(
        ctx: click.Context, parameter: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        with suppress(Exception), ctx.scope():
            return [CompletionItem(name) for name in known() if name.startswith(incomplete)]
        return []

    return complete


def _queries() -> list[str]:
    return list(database.library())


def _recipes() -> list[str]:
    return [path.stem for path in benchmark.shipped_recipes()]


def _lists() -> list[str]:
    return list(sources.class_lists())


def _ids() -> list[str]:
    return [each.id for each in ilsvrc.systems()]


def _printed() -> list[str]:
    """The papers' tables, and the ids that have one."""
    names = [each.name for each in ilsvrc.tables()]
    return [*names, *dict.fromkeys(one for each in ilsvrc.tables() for one in each.ids)]


def _stored(kinds: tuple[str, ...] = ()) -> list[str]:
    """Class sets of the server that runs, of these kinds where any are given."""
    from graphzsl.cli.connection import running_database

    if not _answers():
        return []
    db = running_database()
    rows = db.rows(database.query("class_sets")) if db else []
    return [row["name"] for row in rows if not kinds or row["kind"] in kinds]


def _names() -> list[str]:
    """The lists of names that are shipped."""
    from graphzsl.names import shipped_lists

    return list(shipped_lists())


def _files(incomplete: str, suffixes: tuple[str, ...] = ()) -> list[CompletionItem]:
    """Files of the current folder, of these suffixes where any are given, and folders that may
    hold them."""
    folder = Path(incomplete).parent if not incomplete.endswith("/") else Path(incomplete)
    found = []
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or not str(path).startswith(incomplete):
            continue
        if path.is_dir():
            found.append(CompletionItem(f"{path}/"))
        elif not suffixes or path.suffix.lower() in suffixes:
            found.append(CompletionItem(str(path)))
    return found


def _drawn(ctx: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete the argument of `graphzsl picture`: lists, hop splits, class sets of a running
    server, files."""
    items: list[CompletionItem] = []
    with suppress(Exception), ctx.scope():
        known = dict.fromkeys([*_lists(), *_HOP_SPLITS, *_stored()])
        items += [CompletionItem(name) for name in known if name.startswith(incomplete)]
    with suppress(Exception):
        items += _files(incomplete, _DRAWN)
    return items


def _predictions(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete the argument of `graphzsl audit`: the predictions that are shipped, and files."""
    items = [CompletionItem(SAMPLE)] if SAMPLE.startswith(incomplete) else []
    with suppress(Exception):
        items += _files(incomplete)
    return items


def _parameters(
    ctx: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Complete -p: the parameters of the query that the line names."""
    with suppress(Exception):
        # a line that ends with -p is not parsed to its end: its arguments are left over
        named = next(filter(None, (ctx.params.get(key) for key in _QUERY)), None)
        entry = database.library()[named or ctx.args[0]]
        given = {pair.partition("=")[0] for pair in ctx.params.get("pairs") or ()}
        names = [name for name in (*entry.params, *entry.vary) if name not in given]
        return [CompletionItem(f"{name}=") for name in names if name.startswith(incomplete)]
    return []


def _answers() -> bool:
    """True if a server accepts connections at the database's address: tested before the driver is
    used, which waits long for a server that does not answer."""
    import socket
    from urllib.parse import urlsplit

    from graphzsl.cli.connection import settings

    config = settings()
    if config.local:
        return database.LocalServer(config).state() is not None
    address = urlsplit(config.uri or "")
    with suppress(OSError):
        socket.create_connection((address.hostname, address.port or 7687), PATIENCE).close()
        return True
    return False


#: What the values of a parameter may be, by what it takes.
QUERIES = _values(_queries)
RECIPES = _values(_recipes)
LISTS = _values(_lists)
IDS = _values(_ids)
PRINTED = _values(_printed)
SPLITS = _values(lambda: _stored(("split",)))
CLASS_SETS = _values(_stored)
DRAWN: Completion = _drawn
PREDICTIONS: Completion = _predictions
PARAMETERS: Completion = _parameters
NAMED_CLASSES = _values(lambda: [*dict.fromkeys([*_lists(), *_stored()])])
NAMES_OR_CLASSES = _values(lambda: [*dict.fromkeys([*_lists(), *_names(), *_stored()])])

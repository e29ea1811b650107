"""Classes and hierarchies of commands that need no database: files, shipped lists, and stored class
sets where a database runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.paths import WORDNET, wordnet_option

if TYPE_CHECKING:
    from graphzsl.hierarchy.graph import Hierarchy

F = TypeVar("F", bound=Callable[..., Any])


def set_option(function: F) -> F:
    """--set: a list of classes, which may be a file."""
    return click.option(
        "--set",
        "class_set",
        shell_complete=NAMED_CLASSES,
        default="ilsvrc2012",
        show_default=True,
        help=(
            "The classes: a file with a wnid or a name such as dog.n.01 per line, a shipped list,"
            " or a class set of a database that runs."
        ),
    )(function)


#: --wordnet of the commands that read the hierarchy alone.
hierarchy_folder_option = wordnet_option("The hierarchy")


def read_hierarchy(wordnet: Path | str) -> Hierarchy:
    """The hierarchy of --wordnet."""
    if wordnet == WORDNET:
        from graphzsl.cli.connection import settings
        from graphzsl.hierarchy.graph import Hierarchy

        return Hierarchy.load(settings())
    from graphzsl.data.subgraph import Subgraph

    return Subgraph.load(wordnet).hierarchy


def read_classes(text: str, hierarchy: Hierarchy) -> list[str]:
    """The wnids of a file, of a shipped list, or of a class set of a database that runs, looked
    for in this order; no server is started. DataError where there is none of them."""
    from graphzsl.hierarchy.class_lists import classes_of_file, classes_of_list

    if Path(text).is_file():
        return classes_of_file(hierarchy, Path(text))
    shipped = classes_of_list(hierarchy, text)
    if shipped is not None:
        return shipped
    stored = stored_classes(text)
    hierarchy.positions(stored)
    return stored


def stored_classes(text: str, lists: tuple[str, ...] = ()) -> list[str]:
    """The members of a class set of a database that runs; DataError names what else a list of
    classes can be, ``lists`` among it."""
    from graphzsl.cli.connection import open_database, running_database
    from graphzsl.errors import DataError
    from graphzsl.sources.published import class_lists

    db = open_database() or running_database()
    if db is not None:
        from graphzsl.database.class_sets import members
        from graphzsl.database.library import query
        from graphzsl.splits.store import resolve_name

        name = resolve_name(text)
        if name in {row["name"] for row in db.rows(query("class_sets"))}:
            return members(db, name)
    without = (
        "a class set of the database"
        if db
        else "a class set of a database that runs (none does: `graphzsl db start`)"
    )
    known = ", ".join((*class_lists(), *lists))
    raise DataError(f"{text!r} is neither a file, nor a shipped list ({known}), nor {without}.")

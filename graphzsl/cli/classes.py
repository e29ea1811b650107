"""Classes and hierarchies of commands that need no database: files, shipped lists, and stored class
sets where a database runs."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.paths import WORDNET, wordnet_option
from graphzsl.wording import did_you_mean, near

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
            "The classes: a file with a wnid, a name such as dog.n.01 or a word per line, a"
            " shipped list, or a class set of a database that runs."
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


def read_classes(text: str, hierarchy: Hierarchy | None = None) -> list[str]:
    """The wnids of a file, of a shipped list, or of a class set of a database that runs, looked
    for in this order; no server is started.

    Classes of a file are wnids, names of synsets, or words of one synset alone. With ``hierarchy``
    they must be its nodes. DataError names file and line of what is not clear, and what else a list
    can be.
    """
    from graphzsl.cli.connection import settings
    from graphzsl.hierarchy.resolver import placed, resolve_placed
    from graphzsl.hierarchy.vocabulary import HierarchyVocabulary, WordNetVocabulary
    from graphzsl.sources.published import class_lists

    config = settings()
    vocabulary = (
        WordNetVocabulary(settings=config)
        if hierarchy is None
        else HierarchyVocabulary(hierarchy, config)
    )
    if Path(text).is_file() or text in class_lists():
        return resolve_placed(placed(text), vocabulary)
    stored = stored_classes(text)
    return stored if hierarchy is None else resolve_placed([(text, w) for w in stored], vocabulary)


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
    offer = did_you_mean(near(text, [*class_lists(), *lists]))
    raise DataError(
        f"{text!r} is neither a file, nor a shipped list ({known}), nor {without}.{offer}"
    )

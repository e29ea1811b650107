"""Classes and hierarchies of commands that need no database: files, shipped lists, and stored class
sets where a database runs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from graphzsl import data, database, sources, splits
from graphzsl.cli.options import REFUSE, USUAL, chosen_senses
from graphzsl.cli.types import WORDNET
from graphzsl.common import DataError, did_you_mean, near, of_list

if TYPE_CHECKING:
    from graphzsl.common import Entry
    from graphzsl.hierarchy import Hierarchy

#: Endings of files that are lists of classes.
_LISTS = (".txt", ".csv", ".tsv", ".json")


def read_hierarchy(wordnet: Path | str) -> Hierarchy:
    """The hierarchy of --wordnet."""
    if wordnet == WORDNET:
        from graphzsl.hierarchy import Hierarchy

        return Hierarchy.load()
    return data.Subgraph.load(wordnet).hierarchy


def read_classes(
    text: str, hierarchy: Hierarchy | None = None, argument: str | None = "class_set"
) -> list[str]:
    """The wnids of a file, of a shipped list, or of a class set of a database that runs, looked
    for in this order; no server is started.

    Classes of a file are wnids, names of synsets, or words whose synset is clear; with --senses
    usual of the command, where it has that, also others. With ``hierarchy`` they must be its nodes.
    ``argument`` is the parameter of the command that names the list.
    DataError names file and line of what is not clear, and what else a list can be.
    """
    from graphzsl.hierarchy import Vocabulary, WordNetVocabulary, resolve_entries

    vocabulary: Vocabulary = WordNetVocabulary()
    if hierarchy is not None:
        from graphzsl.hierarchy import HierarchyVocabulary

        vocabulary = HierarchyVocabulary(hierarchy)
    if hierarchy is None and not is_listed(text):
        return stored_classes(text, (), argument)
    entries = list_entries(text, argument)
    with senses_named():
        return resolve_entries(entries, vocabulary, argument=argument, usual=is_usual())


def is_usual() -> bool:
    """True if the command was given --senses usual."""
    return chosen_senses() == USUAL


@contextmanager
def senses_named() -> Iterator[None]:
    """Name --senses in an error about words of several synsets, if the command has the option,
    ``usual`` was not chosen and would settle one of the words."""
    from graphzsl.hierarchy import SeveralMeanings

    try:
        yield
    except SeveralMeanings as error:
        if chosen_senses() != REFUSE:
            raise
        raise SeveralMeanings(
            f"{error.message}\nOr give --senses usual: an open word is read in the sense that is"
            " tagged most often in text, if one is.",
            argument=error.argument,
        ) from None


def is_listed(text: str) -> bool:
    """True if a text names a file, or a list that is shipped."""
    return Path(text).is_file() or text in sources.class_lists()


def list_entries(
    text: str, argument: str | None = None, lists: Mapping[str, Sequence[str]] | None = None
) -> list[Entry]:
    """The classes of a file, of a shipped list, of one of some other ``lists``, or of a class set
    of a database that runs, as they are written; see ``read_classes``."""
    if is_listed(text):
        return sources.class_entries(text, argument)
    if lists and text in lists:
        return [of_list(name, text, at, "class") for at, name in enumerate(lists[text])]
    stored = stored_classes(text, tuple(lists or ()), argument)
    return [of_list(wnid, text, at, "class") for at, wnid in enumerate(stored)]


def stored_classes(
    text: str, lists: tuple[str, ...] = (), argument: str | None = None
) -> list[str]:
    """The members of a class set of a running database. Raises DataError that says what a list of
    classes can be otherwise, ``lists`` among it."""
    from graphzsl.cli.connection import open_database, running_database
    from graphzsl.names import shipped_lists

    db = open_database() or running_database()
    stored: set[str] = set()
    if db is not None:
        name = splits.resolve_name(text)
        stored = {row["name"] for row in db.rows(database.query("class_sets"))}
        if name in stored:
            return database.members(db, name)
    without = (
        "a class set of the database"
        if db
        else "a class set of a database that runs (none does: `graphzsl db start`)"
    )
    of_names = [name for name in shipped_lists() if name not in lists]
    offered = near(text, [*sources.class_lists(), *lists, *of_names, *sorted(stored)])
    offered = list(dict.fromkeys([*_near_files(text), *offered]))
    only = "are lists of names, for `split overlap` alone"
    if text in of_names:
        raise DataError(f"{', '.join(of_names)} {only}.", argument=argument)
    known = ", ".join((*sources.class_lists(), *lists))
    if of_names:
        known += f"; {', '.join(of_names)} {only}"
    raise DataError(
        f"{text!r} is {'a folder, and ' * Path(text).is_dir()}neither a file, nor a shipped list"
        f" ({known}), nor {without}.{did_you_mean(offered)}",
        argument=argument,
    )


def _near_files(text: str) -> list[str]:
    """Lists of classes in the folder of a file that is not there: of its name with another ending,
    and the nearest."""
    folder = Path(text).parent
    with suppress(OSError):
        there = [each for each in folder.iterdir() if each.suffix.lower() in _LISTS]
        names = sorted(str(each) for each in there if each.is_file())
        same = [name for name in names if Path(name).stem == Path(text).stem]
        return list(dict.fromkeys([*same, *near(text, names, 1)]))
    return []

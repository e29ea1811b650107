"""``graphzsl picture``: classes in the hierarchy, as one page."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphzsl import database, reports, splits
from graphzsl.cli.benchmark_folders import own_training, test_classes
from graphzsl.cli.completion import DRAWN
from graphzsl.cli.groups import Command
from graphzsl.cli.options import (
    LISTED,
    hierarchy_folder_option,
    out_option,
    root_option,
    senses_option,
    title_option,
    train_option,
    universe_option,
)
from graphzsl.cli.output import note
from graphzsl.cli.types import Written
from graphzsl.common import DataError, check_writable, step

if TYPE_CHECKING:
    from collections.abc import Iterator

    from graphzsl.reports import SplitLike

#: What every page of this command holds.
_MADE = b"Made by graphzsl "
#: Those of ``graphzsl.reports.pictures.subjects``, which is imported late.
COLOURINGS = ("role", "accuracy", "population", "ratio")


@click.command(cls=Command)
@click.argument("what", shell_complete=DRAWN)
@out_option(
    Written(".html"),
    "The page to write (.html): one file, which needs no network (default: what it is of, in"
    " the current folder: hops-1.html).",
    required=False,
)
@train_option(
    f"{LISTED}, or none (default: ilsvrc2012; the own ones of a stored split or a run)", None
)
@universe_option(
    f"what else is shown, {LISTED}, or none (default: imagenet-fall11 of hop splits and of a class;"
    " the own one of a stored split; none of lists and runs)",
    None,
)
@click.option(
    "--colour",
    type=click.Choice(COLOURINGS),
    help=(
        "What is coloured by at first, which the page can change: accuracy is of runs, population"
        " counts images, ratio is the structural ratio in hops (default: accuracy of runs, role of"
        " all else)."
    ),
)
@root_option("a wnid, a name or a word; only what is at or below it is shown", metavar="CLASS")
@title_option("of the picture (default: what it is of)")
@hierarchy_folder_option
@senses_option
def command(
    what: str,
    out: Path | None,
    train: str | None,
    universe: str | None,
    colour: str | None,
    root: str | None,
    title: str | None,
    wordnet: Path | str,
) -> None:
    """Classes in the hierarchy, as one page to look at, search and zoom: no server is needed.

    WHAT is a list (a file with a class per line, a shipped list, or the folder of a published
    benchmark, whose training classes are then those shown), a split, a class (a wnid, a
    name or a word) or a run (RUN.json of `graphzsl evaluate` or `audit`), looked for in this order:
    file, shipped list, class set of a database that runs, hop split (hops-1, hops-2-exact, all:
    computed from the hierarchy), class. A stored split of another name needs its database:
    `graphzsl db start`. Of a word the sense that `graphzsl look` takes, which stderr names.

    The page has an icicle of the hierarchy (root at the left, a box as high as it has classes) and
    the neighbourhood of the class in focus. Keys: arrows, Enter, Escape, Home, / to search.

    \b
    graphzsl picture hops-1
    graphzsl picture hops-2 --root dog.n.01 --colour ratio --out dogs.html
    graphzsl picture "german shepherd" --out shepherd.html
    graphzsl picture classes.txt --train none --out classes.html
    graphzsl picture runs/linear.json --out linear.html
    """
    from graphzsl.cli.classes import read_classes, read_hierarchy

    train = own_training(what, train)
    listed = test_classes(what)
    if listed != what:  # the folder of a benchmark is called so, not as its list is
        title = title or Path(what).resolve().name
        out = out or _own_file(title)
    out, what = out or _own_file(what), listed
    with step(f"drawing {what}"):
        hierarchy = read_hierarchy(wordnet)
        subject = reports.subject_of(
            what,
            hierarchy,
            train,
            universe,
            lambda given, argument: read_classes(str(given), hierarchy, argument),
            _stored,
            _stored_lists,
        )
        made = reports.picture_of(subject, hierarchy, colour, root, title)
        made.save(out)
    classes = repr(made.tree).removeprefix("<PictureTree: ").removesuffix(">")
    focus = subject.focus if subject.focus in made.tree.wnids else None
    among = f"{hierarchy.names.get(focus, focus)} ({focus}) among " if focus else ""
    note(f"{among}{classes} in {out}. Open it in a web browser.")


def _own_file(what: str) -> Path:
    """Path of a page in the current folder, named after its subject. Raises DataError if that file
    exists and is no page of this package."""
    name = re.sub(r"[^\w@.-]+", "-", Path(what).stem if Path(what).is_file() else what).strip("-.")
    path = Path(f"{name or 'picture'}.html")
    if path.exists() and (not path.is_file() or _MADE not in path.read_bytes()):
        raise DataError(
            f"{path} is there, and was not written by `graphzsl picture`. Name another file.",
            argument="out",
        )
    check_writable(path)
    return path


def _stored(text: str) -> SplitLike | None:
    """The split or class set of that name in the database that runs; no server is started."""
    from graphzsl.cli.connection import open_database, running_database

    db = open_database() or running_database()
    if db is None:
        return None
    name = splits.resolve_name(text)
    found = database.class_set(db, name)
    if found is None:
        return None
    own = found["properties"]
    name_of = own.get("hierarchy")

    def measured(classes: list[str]) -> reports.Measured:
        # the database's own edges: the release may be of another file than the shipped one
        return reports.Measured(
            name_of, database.read_hierarchy(db, name_of, classes), "the edges in the database"
        )

    lists = own.get("train"), own.get("universe")
    return reports.StoredClasses(name, database.members(db, name), *lists, name_of, measured)


def _stored_lists(number: int) -> Iterator[reports.Listed]:
    """The class sets of so many classes in the database that runs; no server is started."""
    from graphzsl.cli.connection import open_database, running_database

    db = open_database() or running_database()
    if db is None:
        return
    for row in db.rows(database.query("class_sets")):
        if row["size"] == number:
            yield reports.Listed(row["name"], database.members(db, row["name"]))

"""The roles of a split as labels of the synsets, which is what Neo4j Browser colours by."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from graphzsl.common.errors import SplitError
from graphzsl.common.progress import log, step
from graphzsl.database.browser.examples import own_examples
from graphzsl.database.browser.guide import Own
from graphzsl.database.browser.site import write_content
from graphzsl.database.class_sets import class_set, require_class_set
from graphzsl.database.client import Database
from graphzsl.database.library import query
from graphzsl.database.names import check_names
from graphzsl.database.paths import check_hierarchy
from graphzsl.splits.store import resolve_name


def paint(
    database: Database,
    name: str,
    train: str | None = None,
    universe: str | None = None,
    around: str | None = None,
) -> list[dict[str, Any]]:
    """Label the training classes of a split Training, its classes Unseen, the rest of its universe
    Candidate, and what is above the first two and has none of these roles Ancestor; synsets with
    images by their number. In one transaction, in place of what was painted before;
    of two who paint at once the second counts.

    A class in several of the sets has the first of these roles, as in pictures. Nothing else of
    graphzsl reads the labels. They are as of now: a split that is built anew is painted anew.

    Args:
        database: where the split is stored.
        name: the split; a list of classes needs ``train``.
        train: class set of the training classes (default: the split's own).
        universe: class set of all candidates (default: the split's own, if it has one).
        around: a wnid to label Centre; else a Centre of before goes.

    Returns:
        Rows split, role, classes: what has which label now.

    Raises:
        SplitError: a class set is not there, or the training classes are not known.
    """
    name = resolve_name(name)
    require_class_set(database, name)
    found = class_set(database, name)
    own = found["properties"] if found else {}
    train, universe = train or own.get("train"), universe or own.get("universe")
    hierarchy = own.get("hierarchy", "wordnet")
    if train is None:
        raise SplitError(
            f"{name!r} is a {own['kind']} that knows no training classes, so nothing was painted."
            " Say which they are.",
            argument="train",
        )
    check_hierarchy(database, hierarchy)
    for other in filter(None, (train, universe)):
        require_class_set(database, other)
    steps = [
        (query("clear_paint"), {}),
        (query("paint_training"), {"train": train}),
        (query("paint_unseen"), {"split": name}),
    ]
    if universe:
        steps.append((query("paint_candidates"), {"universe": universe}))
    steps += [
        (query("paint_ancestors", hierarchy=hierarchy), {}),
        (query("paint_populations"), {}),
    ]
    if around:
        centre = query("mark_centre")
        check_names(database, centre, {"wnid": around})
        steps.append((centre, {"wnid": around}))
    database.write(*steps)
    return painted(database)


def clear_paint(database: Database) -> None:
    """Remove the labels of painting, those of a split that is gone too."""
    database.write((query("clear_paint"), {}))


def painted(database: Database) -> list[dict[str, Any]]:
    """Rows split, role, classes of what is painted; empty when nothing is, and when the painted
    split was deleted or built anew since."""
    return database.rows(query("painted"))


def prepare_browser(
    database: Database, home: Path, paint_one: bool = True, about: str | None = None
) -> Own:
    """Make Neo4j Browser of the local server of ``home`` ready for this database: the guide about
    the sets that are here, and circles as large as the populations that are loaded now.

    Args:
        database: that of the server.
        home: of the server.
        paint_one: paint ``about``, where it is a split and another one or none is painted, and
            where it is none and nothing is painted, a split that is here.
        about: the class set that pictures will be about.

    Returns:
        What the guide's statements are about.
    """
    own = own_examples(database, about)
    split = own.values.get("split")
    before = next((row["split"] for row in painted(database)), None)
    if paint_one and split and (before is None or (split == about and split != before)):
        with step(f"painting {split}"):
            paint(database, split)
        if before:
            log(f"{split} is painted now, in place of {before}.")
    else:
        database.write((query("paint_populations"), {}))
    write_content(home, own)
    return own

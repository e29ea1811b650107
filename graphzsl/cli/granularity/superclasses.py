"""``study granularity superclasses``: superclasses at a level, beside the published ones; and
what it shares with ``tiers``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from graphzsl import analysis, sources
from graphzsl.analysis import (
    SUPERCLASS_SHAPES,
    Shape,
    draw_superclasses,
    find_superclasses,
)
from graphzsl.cli.classes import is_listed, read_classes
from graphzsl.cli.classes import read_hierarchy as hierarchy_of_files
from graphzsl.cli.connection import database, open_database
from graphzsl.cli.granularity.group import command
from graphzsl.cli.names import with_names
from graphzsl.cli.options import (
    STORED,
    hierarchy_option,
    option,
    option_requires,
    output_options,
    root_option,
    seed_option,
    set_option,
    store_option,
)
from graphzsl.cli.output import emit, is_table, keep, note, show
from graphzsl.cli.types import WORDNET, Whole
from graphzsl.database import NAME_COLUMNS, resolve_wnid

if TYPE_CHECKING:
    from graphzsl.hierarchy import Hierarchy

#: What tables call the columns of a comparison.
WORDS = {
    "in": "found",
    "classes_published": "published classes",
    "classes_here": "classes here",
    "both": "in both",
}
SET = set_option(
    f"{STORED}, or a file or shipped list, which need no database unless --store or --hierarchy"
    " does",
    "ilsvrc2012",
)
COMPARE = click.option(
    "--compare",
    is_flag=True,
    help="The published superclasses beside these: which both have, and why one lacks others.",
)


@command.command()
@SET
@click.option(
    "--shape",
    type=click.Choice(list(SUPERCLASS_SHAPES)),
    help="Root and sizes of a BREEDS benchmark.",
)
@root_option("a wnid, a name or a word; superclasses lie below it", "n00001740", metavar="CLASS")
@option("--superclasses count", Whole(2), 10, "How many superclasses.")
@option("--subclasses", Whole(2), 4, "Sub-classes of each; half for training, half for testing.")
@click.option(
    "--level",
    type=Whole(1),
    help=(
        "Longest way down from the root (default: the first level that holds enough, else the most"
        " specific nodes)."
    ),
)
@COMPARE
@click.option(
    "--published",
    is_flag=True,
    help="The published superclasses and their random draw, in place of these.",
)
@seed_option()
@store_option("class sets NAME-source and NAME-target")
@hierarchy_option
@output_options
def superclasses(
    class_set: str,
    shape: str | None,
    root: str,
    count: int,
    subclasses: int,
    level: int | None,
    compare: bool,
    published: bool,
    seed: int,
    store: str | None,
    hierarchy: str,
    output_format: str,
) -> None:
    """Superclasses at a level of the hierarchy, their sub-classes split into source and target for
    subpopulation shift.

    The published BREEDS sets come from a hierarchy edited by hand; here the sizes are the same and
    the hierarchy is WordNet. --compare shows what that changes.

    \b
    graphzsl study granularity superclasses --shape living17 --store living17
    graphzsl study granularity superclasses --shape living17 --compare
    graphzsl study granularity superclasses --shape living17 --published
    """
    _check_options(shape, published, draws=bool(store) or not compare)
    wanted = SUPERCLASS_SHAPES[shape] if shape else Shape(root, count, subclasses)
    if published:
        rows = _published(str(shape))
    else:
        nodes, classes = inputs_of(class_set, hierarchy, store)
        if shape is None:  # a database may hold other words than WordNet's files
            opened = open_database()
            wnid = resolve_wnid(opened, root) if opened else nodes.wnid(root)
            wanted = replace(wanted, root=wnid)
        drawn = draw_superclasses(nodes, classes, wanted, level, seed)
        rows = [
            {"superclass": r.wnid, "level": r.level, "source": r.source, "target": r.target}
            for r in drawn
        ]
    if compare and shape:
        found = find_superclasses(nodes, classes, wanted, level)
        theirs = analysis.Published.of(sources.breeds(shape))
        compared = analysis.compare_superclasses(
            nodes, classes, found, theirs, wanted.root, wanted.subclasses
        )
        print_compared(compared, output_format, analysis.COMPARED_COLUMNS)
    else:
        emit(rows, output_format)
    if store:
        parts = {
            side: sorted(wnid for row in rows for wnid in row[side])
            for side in ("source", "target")
        }
        parameters = {**vars(wanted), "level": level, "seed": seed}
        if published:
            parameters = {"published": f"BREEDS {shape}"}
        store_parts(store, parts, class_set, hierarchy, parameters)


def _check_options(shape: str | None, published: bool, *, draws: bool) -> None:
    """Raise UsageError for an option that has no effect beside the others."""
    own = "the command without --shape, which has its own"
    option_requires("root", "count", "subclasses", when=shape is None, needs=own)
    named = "--shape, which names what is published"
    option_requires("compare", "published", when=shape, needs=named)
    option_requires(
        *("compare", "class_set", "level", "seed", "hierarchy"),
        when=not published,
        needs="the command without --published, which takes what is published",
    )
    option_requires(
        "seed",
        when=draws,
        needs="--store, or the command without --compare, which shows nothing of the draw",
    )


def _published(shape: str) -> list[dict[str, Any]]:
    """The published superclasses, with what they are called and their draw."""
    rows: dict[str, dict[str, Any]] = {}
    for each in sources.breeds(shape):
        empty = {"superclass": each.superclass, "name": each.name, "source": [], "target": []}
        row = rows.setdefault(each.superclass, empty)
        if each.part:
            row[each.part].append(each.wnid)
    return list(rows.values())


def inputs_of(class_set: str, hierarchy: str, store: str | None) -> tuple[Hierarchy, list[str]]:
    """The hierarchy and the classes: of files and shipped lists where they do, else of the
    database."""
    if is_listed(class_set) and hierarchy == "wordnet" and not store:
        nodes = hierarchy_of_files(WORDNET)
        return nodes, read_classes(class_set, nodes)
    from graphzsl.database import members, read_hierarchy

    db = database()
    return read_hierarchy(db, hierarchy), members(db, class_set)


def emit_short(
    rows: list[dict[str, Any]],
    output_format: str,
    columns: Sequence[str],
    without: Sequence[str],
) -> bool:
    """Rows as ``emit`` writes them; a table, with words for its columns, is ``without`` lists of
    classes, which would make it as long as they are. Whether it was a table."""
    named, shown = with_names(rows, columns)
    keep(named, shown)
    table = is_table(output_format)
    left_out = {*without, *(name for each in without for name in NAME_COLUMNS.get(each, ()))}
    kept = [name for name in shown or () if not (table and name in left_out)]
    show(named, output_format, kept, WORDS)
    return table


def print_compared(rows: list[dict[str, Any]], output_format: str, columns: Sequence[str]) -> None:
    """Print the rows of a comparison, and a note that sums them up."""
    is_short = emit_short(rows, output_format, columns, ("only_published", "only_here"))
    _note_shared(rows)
    if is_short:
        note("--format jsonl or csv lists the classes that one side has alone.")


def _note_shared(rows: list[dict[str, Any]]) -> None:
    both = [row for row in rows if row["in"] == "both"]
    published = sum(row["in"] != "here" for row in rows)
    shared = sum(row["both"] for row in both)
    note(
        f"{len(both)} of {published} published superclasses, with {shared:,} of"
        f" {sum(row['classes_published'] for row in rows):,} classes."
    )


def store_parts(
    name: str,
    parts: Mapping[str, list[str]],
    class_set: str,
    hierarchy: str,
    parameters: Mapping[str, Any],
) -> None:
    """Store each part as a class set NAME-PART."""
    from graphzsl.database import store_class_set

    provenance = {"universe": class_set, "hierarchy": hierarchy, "parameters": parameters}
    for part, wnids in parts.items():
        store_class_set(database(), f"{name}-{part}", wnids, provenance)
    *first, last = (f"{name}-{part}" for part in parts)
    note(f"Stored as {', '.join(first)} and {last}.")

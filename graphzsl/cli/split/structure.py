"""``graphzsl split report | candidates | windows``: how much of a split its structure gives
away."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl import analysis, data, splits
from graphzsl.analysis import DATABASE_COUNTS, RATIO_DISTANCES, WINDOW_ORDERS
from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.connection import database
from graphzsl.cli.options import (
    counts_option,
    distance_option,
    each_option,
    hierarchy_option,
    option_requires,
    out_option,
    output_options,
    own_hierarchy_option,
    own_train_option,
    size_option,
    store_option,
    window_step_option,
)
from graphzsl.cli.output import emit, note
from graphzsl.cli.split.group import command
from graphzsl.cli.types import Written
from graphzsl.common import counted
from graphzsl.common import step as step_of
from graphzsl.database import query


@command.command()
@click.argument("name", shell_complete=NAMED_CLASSES)
@own_train_option
@own_hierarchy_option
@distance_option(
    "hops, height of the lowest common ancestor (trimmed hierarchy), Jiang–Conrath, Lin",
    kind=click.Choice(RATIO_DISTANCES),
)
@counts_option("for information content (jcn, lin)", kind=click.Choice(DATABASE_COUNTS))
@each_option("the structural ratio of every class")
@output_options
def report(
    name: str,
    train: str | None,
    hierarchy: str | None,
    distance: str,
    counts: str,
    each: bool,
    output_format: str,
) -> None:
    """Report what a split, or any class set, gives away: structural ratios, overlaps, shared
    closest training classes, spread over branches.

    The structural ratio of a class is its distance to the closest training class / its distance to
    the closest other test class. Near or below 1, knowing the closest training class answers most
    questions; the larger, the less the structure gives away (Hascoet et al. 2019, equation 5).
    Training classes are left out. Nothing here is an error (`split check` fails on those); it is
    what a paper should say about its split. The split is read from the database: a local server is
    started if none runs.

    \b
    graphzsl split report hops-1
    graphzsl split report hops-1 --distance lin --each --save lin.csv
    """
    option_requires("counts", when=distance in ("jcn", "lin"), needs="--distance jcn or lin")
    db = database()
    with step_of(f"measuring {name}"):
        if each:
            rows = analysis.split_ratios(db, name, train, hierarchy, distance, counts).rows()
        else:
            rows = analysis.split_report(db, name, train, hierarchy, distance, counts)
    emit(rows, output_format)


@command.command()
@click.argument("name", shell_complete=NAMED_CLASSES)
@click.option(
    "--among",
    shell_complete=NAMED_CLASSES,
    help=(
        "Class set of the candidates (default: the split itself; its training classes for the"
        " generalized setting)."
    ),
)
@hierarchy_option
@output_options
def candidates(name: str, among: str | None, hierarchy: str, output_format: str) -> None:
    """Ancestors and descendants of each class among the candidates: predictions that differ only in
    granularity.

    \b
    graphzsl split candidates hops-1 --among ilsvrc2012
    """
    from graphzsl.database import members

    db = database()
    name, among = splits.resolve_name(name), splits.resolve_name(among or name)
    total = len(members(db, name))
    members(db, among)
    with step_of(f"ancestors and descendants among {among}"):
        rows = db.many_rows(
            query("outcome_candidates", hierarchy=hierarchy), split=name, among=among
        )
    emit(rows, output_format, list(query("outcome_candidates").returns))
    parents, children = (
        sum(len(row[side]) for row in rows) / total for side in ("parents", "children")
    )
    note(
        f"{len(rows):,} of {total:,} classes have some; a class has {parents:.2f} ancestors and"
        f" {children:.2f} descendants there on average."
    )


@command.command()
@click.argument("name", shell_complete=NAMED_CLASSES)
@click.option(
    "--by",
    type=click.Choice(WINDOW_ORDERS),
    required=True,
    help="What the classes are ordered by, smallest first.",
)
@size_option(default=100)
@window_step_option
@store_option("each window is a split, NAME-001, NAME-002, …")
@out_option(
    Written(".jsonl"),
    "Write the windows with their classes as JSON lines (.jsonl), for `graphzsl evaluate windows`.",
    required=False,
)
@own_train_option
@own_hierarchy_option
@output_options
def windows(
    name: str,
    by: str,
    size: int,
    step: int | None,
    store: str | None,
    out: Path | None,
    train: str | None,
    hierarchy: str | None,
    output_format: str,
) -> None:
    """Splits of 100 classes in the order of structural ratio, distance, population or word
    frequency; ties by wnid. `tied` counts the classes of a window that have the value of a class
    outside it: their wnid alone decided.

    What accuracy depends on shows when a model is scored on each of them (`graphzsl evaluate
    windows`): frequency in Hascoet et al. (2019, figure 3), population in figure 5, structural
    ratio in figure 9.

    \b
    graphzsl split windows all --by ratio --size 100 --out windows.jsonl
    graphzsl split windows all --by population --store populated
    """
    option_requires(
        "hierarchy", when=by in ("ratio", "train-distance"), needs="--by ratio or train-distance"
    )
    db = database()
    with step_of(f"{name} by {by}"):
        cut, left_over = analysis.cut_split(db, name, by, size, step, train, hierarchy, store)
        if store:
            analysis.store_windows(db, cut, name, size, step, train, hierarchy)
    emit(
        (
            {
                "name": window.name,
                "classes": len(window.classes),
                f"mean {by}": window.mean,
                "tied": window.tied,
                "first": window.classes[0],
                "last": window.classes[-1],
            }
            for window in cut
        ),
        output_format,
    )
    if left_over:
        note(f"{left_over:,} classes with the largest values fill no window.")
    cut_through = sum(bool(window.tied) for window in cut)
    if cut_through:
        note(
            f"{cut_through:,} of {counted(len(cut), 'window')} are cut within equal values: of"
            " classes with the same value those with the smaller wnid come first."
        )
    if out:
        data.write_windows(cut, out)
        note(f"{len(cut):,} windows in {out}.")
    if store:
        note(f"{len(cut):,} splits are stored: {cut[0].name} to {cut[-1].name}.")

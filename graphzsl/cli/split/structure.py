"""``graphzsl split ratio | report | candidates | windows``: how much of a split its structure gives
away."""

from __future__ import annotations

import math
from pathlib import Path

import click

from graphzsl.analysis import DATABASE_COUNTS, RATIO_DISTANCES, WINDOW_ORDERS
from graphzsl.cli.common import (
    Whole,
    each_option,
    emit,
    hierarchy_option,
    note,
    option_requires,
    output_options,
    own_hierarchy_option,
    own_train_option,
    store_option,
    window_step_option,
)
from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.connection import database
from graphzsl.cli.paths import Written
from graphzsl.cli.split.group import command
from graphzsl.common import counted
from graphzsl.common import step as step_of
from graphzsl.database import query


@command.command()
@click.argument("name", shell_complete=NAMED_CLASSES)
@own_train_option
@own_hierarchy_option
@click.option(
    "--pruned",
    is_flag=True,
    help="Measure on the hierarchy of these classes alone, single-child nodes contracted.",
)
@click.option(
    "--distance",
    type=click.Choice(RATIO_DISTANCES),
    default="path",
    show_default=True,
    help="Hops, height of the lowest common ancestor (trimmed hierarchy), Jiang–Conrath, Lin.",
)
@click.option(
    "--counts",
    type=click.Choice(DATABASE_COUNTS),
    default="senses",
    show_default=True,
    help="What information content is counted in (jcn, lin).",
)
@each_option()
@output_options
def ratio(
    name: str,
    train: str | None,
    hierarchy: str | None,
    pruned: bool,
    distance: str,
    counts: str,
    each: bool,
    output_format: str,
) -> None:
    """Structural ratio of any class set: distance to the training classes / distance to the other
    test classes.

    Near or below 1, knowing the closest training class answers most questions; the larger, the less
    the structure gives away (Hascoet et al. 2019, equation 5). The mean is over the classes; one
    class alone has no ratio.

    \b
    graphzsl split ratio hops-1
    graphzsl split ratio hops-1 --distance lin --each --format csv
    """
    from graphzsl import splits
    from graphzsl.analysis import own_settings, split_ratios
    from graphzsl.database import members

    option_requires("counts", when=distance in ("jcn", "lin"), needs="--distance jcn or lin")
    db = database()
    with step_of(f"structural ratios of {name}"):
        train, hierarchy = own_settings(db, name, train, hierarchy)
        ratios = split_ratios(db, name, train, hierarchy, pruned, distance, counts)
    if each:
        values = zip(
            ratios.wnids, ratios.train_distance, ratios.test_distance, ratios.ratio, strict=True
        )
        columns = ("wnid", "train_distance", "test_distance", "structural_ratio")
        emit(
            (
                {**dict(zip(columns, (w, *map(_finite, numbers)), strict=True))}
                for w, *numbers in values
            ),
            output_format,
            columns,
        )
        return
    left_out = len(members(db, splits.resolve_name(name))) - len(ratios.wnids)
    if left_out:
        note(f"{left_out:,} classes of {name} are training classes of {train} and left out.")
    defined = [value for value in ratios.ratio if not math.isnan(value)]
    emit(
        [
            {
                "name": splits.resolve_name(name),
                "structural_ratio": ratios.structural_ratio,
                "classes": len(ratios.wnids),
                "defined_for": len(defined),
                "train": train,
                "train_distance_mean": _mean(ratios.train_distance),
                "test_distance_mean": _mean(ratios.test_distance),
                "distance": distance,
                "hierarchy": hierarchy,
                "pruned": pruned,
                **({"counts": counts} if distance in ("jcn", "lin") else {}),
            }
        ],
        output_format,
    )


@command.command()
@click.argument("name", shell_complete=NAMED_CLASSES)
@own_train_option
@own_hierarchy_option
@output_options
def report(name: str, train: str | None, hierarchy: str | None, output_format: str) -> None:
    """Report what a split gives away: structural ratios, overlaps, shared closest training classes,
    spread over branches.

    Nothing here is an error (`split check` fails on those); it is what a paper should say about its
    split.

    \b
    graphzsl split report hops-1
    """
    from graphzsl.analysis import split_report

    db = database()
    with step_of(f"measuring {name}"):
        rows = split_report(db, name, train, hierarchy)
    emit(rows, output_format, ("measure", "value", "share"))


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
    from graphzsl import splits
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
@click.option("--size", type=Whole(1), default=100, show_default=True, help="Classes of a window.")
@window_step_option
@store_option("Store each window as a split of this name and its number: NAME-001, NAME-002, …")
@click.option(
    "--out",
    type=Written(".jsonl"),
    help=(
        "Write the windows with their classes as JSON lines (.jsonl), for `graphzsl evaluate"
        " windows`."
    ),
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
    from graphzsl.analysis import cut_split, store_windows
    from graphzsl.data import write_windows

    option_requires(
        "hierarchy", when=by in ("ratio", "train-distance"), needs="--by ratio or train-distance"
    )
    db = database()
    with step_of(f"{name} by {by}"):
        cut, left_over = cut_split(db, name, by, size, step, train, hierarchy, store)
        if store:
            store_windows(db, cut, name, size, step, train, hierarchy)
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
        write_windows(cut, out)
        note(f"{len(cut):,} windows in {out}.")
    if store:
        note(f"{len(cut):,} splits are stored: {cut[0].name} to {cut[-1].name}.")


def _mean(values: object) -> float | None:
    finite = [value for value in values if math.isfinite(value)]  # type: ignore[attr-defined]
    return float(sum(finite) / len(finite)) if finite else None


def _finite(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None

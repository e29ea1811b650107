"""``study ilsvrc accuracy | accuracy-by``: which classes are easy, what several entries reach,
accuracy by bin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from graphzsl.cli.ilsvrc.group import command
from graphzsl.cli.options import (
    bootstrap_options,
    each_option,
    option_requires,
    output_options,
    wordnet_option,
)
from graphzsl.cli.output import emit, note, note_thin_tails
from graphzsl.cli.types import INPUT, Whole
from graphzsl.common import counted

TABLES = click.argument("tables", nargs=-1, required=True, type=INPUT)
COLUMN = click.option(
    "--column", default="hit@1", show_default=True, help="Column of a table of classes."
)


@command.command()
@TABLES
@COLUMN
@click.option(
    "--extremes",
    "count",
    type=Whole(1),
    help="The easiest and the hardest classes, so many of each.",
)
@each_option("One row per class, hardest first.")
@output_options
def accuracy(
    tables: tuple[Path, ...],
    column: str,
    count: int | None,
    each: bool,
    output_format: str,
) -> None:
    """Accuracy by class of one or several entries, and the best of them for every class.

    TABLES are RUN.classes.parquet of `graphzsl evaluate`, or wnid,value tables, all of the same
    classes. With several, `optimistic` is the largest accuracy of any entry in each class, an upper
    bound (Russakovsky et al. 2015, section 6.3); --extremes and --each are then about it.

    \b
    graphzsl study ilsvrc accuracy linear.classes.parquet sgcn.classes.parquet \\
      --extremes 5
    """
    from graphzsl.ilsvrc import distribution, extremes

    option_requires("count", when=not each, needs="the command without --each")
    entries, best = _entries(tables, column)
    values = {wnid: value for wnid, (value, _) in best.items()}
    if count is None and not each:
        rows = [{"entry": name, **distribution(accuracies)} for name, accuracies in entries.items()]
        if len(entries) > 1:
            rows.append({"entry": "optimistic", **distribution(values)})
        emit(rows, output_format)
        return
    names = _names(tables)
    if each:
        wnids = [("", wnid) for wnid in extremes(values, len(values))[1]]
    else:
        easiest, hardest = extremes(values, count or 0)
        wnids = [("easiest", wnid) for wnid in easiest] + [("hardest", wnid) for wnid in hardest]
    shown = []
    for side, wnid in wnids:
        row: dict[str, Any] = {"side": side} if side else {}
        row |= {"wnid": wnid, "name": names.get(wnid), "accuracy": values[wnid]}
        shown.append(row | ({"entries": best[wnid][1]} if len(entries) > 1 else {}))
    emit(shown, output_format, list(shown[0]))


@command.command("accuracy-by")
@TABLES
@COLUMN
@click.option(
    "--by",
    default="natural",
    show_default=True,
    help=(
        "natural (natural, man-made, both, other), hops, depth, population, ancestors, another"
        " number of the first table, a wnid,value file, or TABLE:COLUMN."
    ),
)
@click.option(
    "--bins",
    "count",
    type=Whole(1),
    default=5,
    show_default=True,
    help="Bins of a number.",
)
@click.option(
    "--within",
    help=(
        "Bins of --by within bins of this, each normalised apart: natural, or as --by a number, in"
        " --bins bins."
    ),
)
@wordnet_option("For natural")
@click.option(
    "--normalise",
    help=(
        "Make the mean of this equal across bins first: a number of the first table, a wnid,value"
        " file, that of `graphzsl study ilsvrc boxes --each` (its scale_share), or TABLE:COLUMN."
    ),
)
@bootstrap_options(2000)
@output_options
def accuracy_by(
    tables: tuple[Path, ...],
    column: str,
    by: str,
    count: int,
    within: str | None,
    wordnet: Path | str,
    normalise: str | None,
    rounds: int,
    level: float,
    seed: int,
    output_format: str,
) -> None:
    """Mean accuracy of bins of classes, with intervals from resampled classes; bins of fewer than 5
    classes are dropped.

    With several TABLES the accuracy of a class is the best of any entry. --normalise discards the
    classes with the largest value from each bin until its mean is that of the smallest bin mean, or
    as near as possible (Russakovsky et al. 2015, section 6.3.4).

    \b
    graphzsl study ilsvrc accuracy-by linear.classes.parquet --by natural \\
      --normalise population
    graphzsl study ilsvrc accuracy-by linear.classes.parquet --by hops \\
      --within natural
    """
    from graphzsl.ilsvrc import by_bin_within
    from graphzsl.names import VALUE_COLUMNS

    natural = "natural" in (by, within)
    option_requires("count", when={by, within} - {"natural", None}, needs="--by a number")
    option_requires("wordnet", when=natural, needs="--by natural or --within natural")
    if by == within:
        raise click.UsageError(f"--within {within} is what --by is: give another property.")
    _, best = _entries(tables, column)
    values = {wnid: value for wnid, (value, _) in best.items()}
    scale = _numbers(normalise, tables[0], values, VALUE_COLUMNS) if normalise else None
    inner = _bins(by, values, tables[0], count, wordnet)
    outer = _bins(within, values, tables[0], count, wordnet) if within else None
    rows, small = by_bin_within(values, inner, outer, scale, rounds, level, seed)
    apart = {"within": within} if within else {}
    emit(({"by": by, **apart, **row, "level": level} for row in rows), output_format)
    note_thin_tails(rounds, level)
    if small:
        note(f"Fewer than 5 classes, left out: {'; '.join(small)}.")


def _bins(
    by: str, values: Mapping[str, float], table: Path, count: int, wordnet: Path | str
) -> dict[str, list[str]]:
    """Bin -> its classes among those with an accuracy: natural ones, or bins of a number."""
    from graphzsl.ilsvrc import numeric_bins

    if by == "natural":
        return _natural(list(values), wordnet)
    numbers = _numbers(by, table, values)
    without = len(values) - len(numbers)
    if without:
        note(f"{counted(without, 'class has', 'classes have')} no {by}: in no bin.")
    return numeric_bins(numbers, count)


def _entries(
    tables: tuple[Path, ...], column: str
) -> tuple[dict[str, dict[str, float]], dict[str, tuple[float, list[str]]]]:
    """(entry -> accuracy by class, class -> (best accuracy, entries)). Entries are named after
    their files."""
    from graphzsl.ilsvrc import optimistic
    from graphzsl.names import class_values

    names = [path.name.removesuffix(path.suffix).removesuffix(".classes") for path in tables]
    if len(set(names)) < len(names):
        names = [str(path) for path in tables]
    entries = {name: class_values(path, column) for name, path in zip(names, tables, strict=True)}
    return entries, optimistic(entries)


def _names(tables: tuple[Path, ...]) -> dict[str, str]:
    from graphzsl.names import class_name_column

    columns = map(class_name_column, reversed(tables))
    return {wnid: name for names in columns for wnid, name in names.items()}


def _numbers(
    name: str, table: Path, accuracy: Mapping[str, float], columns: Sequence[str] = ("hit@1",)
) -> dict[str, float]:
    """A number of classes with an accuracy, from a file (``file_values``), or else from a column of
    the table of classes; DataError where none of them has one."""
    from graphzsl.common import DataError
    from graphzsl.names import class_values, file_values

    found = file_values(name, columns)
    if found is None:
        found = class_values(table, name)
    own = {wnid: number for wnid, number in found.items() if wnid in accuracy}
    if not own:
        known = f"; it has {min(found)}" if found else ""
        raise DataError(
            f"{name} has none of the {counted(len(accuracy), 'class', 'classes')} of {table}, such"
            f" as {min(accuracy)}{known}. Give a table of the same classes, by wnid."
        )
    return own


def _natural(wnids: list[str], wordnet: Path | str) -> dict[str, list[str]]:
    from graphzsl.audit import load_hierarchy
    from graphzsl.ilsvrc import bins

    hierarchy = load_hierarchy(wordnet)
    hierarchy.positions(wnids)
    sides = bins(hierarchy, wnids)
    names = ("natural", "man-made", "both", "other")
    return {
        name: inside
        for name in names
        if (inside := [wnid for wnid in wnids if sides[wnid] == name])
    }

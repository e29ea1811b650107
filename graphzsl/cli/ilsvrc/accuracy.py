"""``study ilsvrc accuracy | accuracy-by``: which classes are easy, what several entries reach,
accuracy by bin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import click

from graphzsl import audit, ilsvrc
from graphzsl.cli.ilsvrc.group import command, entry_paths
from graphzsl.cli.options import (
    bootstrap_options,
    each_option,
    option,
    option_requires,
    output_options,
    wordnet_option,
)
from graphzsl.cli.output import emit, note, note_thin_tails
from graphzsl.cli.types import INPUT, Whole
from graphzsl.common import DataError, counted

TABLES = click.argument("tables", nargs=-1, required=True, type=INPUT)
COLUMN = option("--column", None, "hit@1", "Column of a table of classes.")


@command.command()
@TABLES
@COLUMN
@option("--extremes count", Whole(1), None, "The easiest and the hardest classes, so many of each.")
@each_option("one per class, hardest first")
@output_options
def accuracy(
    tables: tuple[Path, ...], column: str, count: int | None, each: bool, output_format: str
) -> None:
    """Accuracy by class of one or several entries, and the best of them for every class.

    TABLES are RUN.classes.parquet of `graphzsl evaluate`, or wnid,value tables, all of the same
    classes. With several, `optimistic` is the largest accuracy of any entry in each class, an upper
    bound (Russakovsky et al. 2015, section 6.3); --extremes and --each are then about it.

    \b
    graphzsl study ilsvrc accuracy linear.classes.parquet sgcn.classes.parquet \\
      --extremes 5
    """
    from graphzsl.names import class_name_column

    option_requires("count", when=not each, needs="the command without --each")
    entries, best = _entries(tables, column)
    values = {wnid: value for wnid, (value, _) in best.items()}
    several = len(entries) > 1
    if count is None and not each:
        whole = entries | ({"optimistic": values} if several else {})
        rows = [{"entry": name, **ilsvrc.distribution(own)} for name, own in whole.items()]
        emit(rows, output_format)
        return
    names = {wnid: name for path in tables[::-1] for wnid, name in class_name_column(path).items()}
    easiest, hardest = ilsvrc.extremes(values, len(values) if each else count or 0)
    sides: dict[str, list[str]] = (
        {"": hardest} if each else {"easiest": easiest, "hardest": hardest}
    )
    rows = [
        {
            **({"side": side} if side else {}),
            **{"wnid": wnid, "name": names.get(wnid), "accuracy": values[wnid]},
            **({"entries": best[wnid][1]} if several else {}),
        }
        for side, wnids in sides.items()
        for wnid in wnids
    ]
    emit(rows, output_format, list(rows[0]))


@command.command("accuracy-by")
@TABLES
@COLUMN
@option(
    "--by",
    None,
    "natural",
    "natural (natural, man-made, both, other), hops, depth, population, ancestors, another"
    " number of the first table, a wnid,value file, or TABLE:COLUMN, of numbers or of texts.",
)
@option("--bins count", Whole(1), 5, "Bins of a number.")
@click.option(
    "--within",
    help=(
        "Bins of --by within bins of this, each normalised apart: natural, or as --by a number, in"
        " --bins bins."
    ),
)
@wordnet_option(", for natural")
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
    rows, small = ilsvrc.by_bin_within(values, inner, outer, scale, rounds, level, seed)
    apart = {"within": within} if within else {}
    emit(({"by": by, **apart, **row, "level": level} for row in rows), output_format)
    note_thin_tails(rounds, level)
    if small:
        note(f"Fewer than 5 classes, left out: {'; '.join(small)}.")


def _bins(
    by: str, values: Mapping[str, float], table: Path, count: int, wordnet: Path | str
) -> dict[str, list[str]]:
    """Bin -> its classes among those with an accuracy: natural ones, those of a text, or bins of a
    number."""
    from graphzsl.names import class_kinds

    if by == "natural":
        return ilsvrc.natural_bins(audit.load_hierarchy(wordnet), list(values))
    kinds = class_kinds(by)
    if kinds:
        return {
            kind: [wnid for wnid in values if kinds.get(wnid) == kind]
            for kind in sorted(set(kinds.values()))
        }
    numbers = _numbers(by, table, values)
    without = len(values) - len(numbers)
    if without:
        note(f"{counted(without, 'class has', 'classes have')} no {by}: in no bin.")
    return ilsvrc.numeric_bins(numbers, count)


def _entries(
    tables: tuple[Path, ...], column: str
) -> tuple[dict[str, dict[str, float]], dict[str, tuple[float, list[str]]]]:
    """(entry -> accuracy by class, class -> (best accuracy, entries)). Entries are named after
    their files."""
    from graphzsl.names import class_values

    paths = entry_paths(tables, ".classes")
    entries = {name: class_values(path, column) for name, path in paths.items()}
    return entries, ilsvrc.optimistic(entries)


def _numbers(
    name: str, table: Path, accuracy: Mapping[str, float], columns: Sequence[str] = ("hit@1",)
) -> dict[str, float]:
    """A number of classes with an accuracy, from a file (``file_values``), or else from a column of
    the table of classes; DataError where none of them has one."""
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

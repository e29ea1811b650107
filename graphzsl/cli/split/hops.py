"""``graphzsl split``: hop splits and what can be asked of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphzsl import benchmark, sources, splits
from graphzsl.cli.completion import CLASS_SETS, NAMED_CLASSES, SPLITS
from graphzsl.cli.connection import database
from graphzsl.cli.options import (
    STORED,
    each_option,
    force_option,
    hierarchy_option,
    lengths_option,
    name_option,
    output_options,
    stored_universe_option,
    train_option,
)
from graphzsl.cli.output import emit, is_table, keep, note
from graphzsl.cli.output import show as show_rows
from graphzsl.cli.split.group import command
from graphzsl.cli.tables import table_lines, terminal_width
from graphzsl.cli.types import Read, Synset, Written
from graphzsl.common import counted, unsigned
from graphzsl.database import query
from graphzsl.sources import LITERATURE_NAMES, said_of_literature


def _hops(text: str) -> int | None:
    if text == "all":
        return None
    if number := unsigned(text):
        return number
    raise ValueError("expected a whole number of at least 1, or all")


@command.command()
@click.option(
    "--max-hops",
    type=Read("N|all", _hops),
    required=True,
    help="Largest distance to a training class, in edges; or all.",
)
@train_option(STORED)
@stored_universe_option
@hierarchy_option
@click.option(
    "--exact", is_flag=True, help="The shell at that distance alone, not everything up to it."
)
@name_option("the split (default: hops-N and what differs from the defaults)")
def hops(
    max_hops: int | None, train: str, universe: str, hierarchy: str, exact: bool, name: str | None
) -> None:
    """Unseen classes within N hierarchy edges of a training class, stored as a class set.

    \b
    graphzsl split hops --max-hops 2
    graphzsl split hops --max-hops all --name unseen
    """
    if exact and max_hops is None:
        raise click.UsageError("--exact needs a number of hops.")
    db = database()
    split = splits.hop_split(
        db,
        max_hops,
        train=train,
        universe=universe,
        hierarchy=hierarchy,
        exact=exact,
        name=name,
    ).store(db)
    alias = next((old for old, new in LITERATURE_NAMES.items() if new == split.name), None)
    said = f" {said_of_literature(alias)}" if alias else ""
    note(f"Split {split.name}: {counted(len(split.wnids), 'class', 'classes')}.{said}")


@command.command("list")
@output_options
def list_(output_format: str) -> None:
    """All class sets and splits with their provenance.

    \b
    graphzsl split list --save splits.csv
    """
    rows = []
    for row in database().rows(query("class_sets")):
        properties = row["properties"]
        shown = {
            key: properties.get(key)
            for key in ("train", "universe", "hierarchy", "max_hops", "source")
        }
        rows.append({"name": row["name"], "kind": row["kind"], "size": row["size"], **shown})
    columns = ["name", "kind", "size", "train", "universe", "hierarchy", "max_hops", "source"]
    if is_table(output_format):
        keep(rows, columns)
        show_rows(rows, output_format, _whole(rows, columns))
    else:
        emit(rows, output_format, columns)


def _whole(rows: list[dict[str, Any]], columns: list[str]) -> list[str]:
    """The columns that leave every name in one piece in this terminal: what says least goes first;
    all of them where even the names alone are too wide."""
    texts = [str(row[column]) for row in rows for column in columns[:1]]
    for without in ((), ("source",), ("source", "max_hops"), ("source", "max_hops", "universe")):
        kept = [column for column in columns if column not in without]
        lines = "\n".join(table_lines(rows, kept, terminal_width()))
        names = [str(row[name]) for row in rows for name in ("train", "universe") if name in kept]
        if all(text in lines for text in (*texts, *names) if text != "None"):
            return kept
    return columns


@command.command()
@click.argument("name", shell_complete=NAMED_CLASSES)
@output_options
def show(name: str, output_format: str) -> None:
    """The classes of a class set or split. It is read from the database: a local server is started
    if none runs.

    \b
    graphzsl split show hops-1 --save hops-1.csv
    """
    from graphzsl.database import require_class_set

    db = database()
    name = splits.resolve_name(name)
    require_class_set(db, name)
    emit(
        db.many_rows(query("members"), class_set=name),
        output_format,
        list(query("members").returns),
    )


@command.command()
@click.argument("name", shell_complete=SPLITS)
@output_options
def check(name: str, output_format: str) -> None:
    """Is the split sound? Exit status 3 and one row per problem when it is not.

    \b
    graphzsl split check hops-1
    """
    problems = splits.check_split(database(), name)
    if problems:
        emit(problems, output_format)
        raise SystemExit(3)
    note(f"Split {name} is sound.")


@command.command()
@click.argument("name", shell_complete=SPLITS)
@click.argument("other", shell_complete=NAMED_CLASSES)
@each_option()
@output_options
def diff(name: str, other: str, each: bool, output_format: str) -> None:
    """Differences between a split and OTHER: a split, a class set, a shipped list, or a file with
    one class per line: a wnid, a name or a word.

    The reason is a class's distance; for a split that a recipe built it is the step that the class
    fails, or its rank.

    \b
    graphzsl split diff hops-1 published-2-hops
    graphzsl split diff hops-2 published-3-hops
    """
    path = Path(other)
    against = path if path.exists() else other
    if path.exists():
        sources.class_entries(path, "other")  # a wrong file starts no server
    db = database()
    rows = benchmark.recipe_differences(db, name, against)
    if rows is None:
        rows = splits.diff(db, name, against)
    if not each:
        rows = splits.group_differences(rows)
    emit(rows, output_format)
    if not rows:
        note("No difference.")


@command.command()
@click.argument("name", shell_complete=SPLITS, is_eager=True)
@click.argument("wnids", nargs=-1, required=True, type=Synset("name"), metavar="SYNSET...")
@output_options
def explain(name: str, wnids: tuple[str, ...], output_format: str) -> None:
    """Explain why a synset is in or out of a split, with the path to a training class. The split is
    read from the database: a local server is started if none runs.

    A SYNSET is a wnid, a name, or a word whose synset is clear:

    \b
    graphzsl split explain hops-1 n00015388 dog.n.01 "german shepherd"
    """
    db = database()
    emit([splits.explain(db, name, wnid) for wnid in wnids], output_format)


@command.command()
@click.argument("name", shell_complete=SPLITS)
@click.option(
    "--with",
    "others",
    shell_complete=NAMED_CLASSES,
    multiple=True,
    help="Class set whose classes are valid labels too; repeat it.",
)
@lengths_option()
@hierarchy_option
@output_options
def hcorrect(
    name: str, others: tuple[str, ...], k: list[int], hierarchy: str, output_format: str
) -> None:
    """Measure the hCorrectSets of the classes of a split: DeViSE's Table 1.

    Its label sets are the unseen classes with the training classes, and their distances those of
    the release:

    \b
    graphzsl split hcorrect ilsvrc2012 --hierarchy release
    graphzsl split hcorrect hops-1 --with ilsvrc2012 --hierarchy release
    """
    from graphzsl.splits import hcorrect_sizes

    emit(hcorrect_sizes(database(), splits.resolve_name(name), others, k, hierarchy), output_format)


@command.command()
@click.argument("name", shell_complete=SPLITS)
@click.argument("path", type=Written(".txt", dash=True))
def export(name: str, path: Path) -> None:
    """Write the classes of a split to a .txt file, one wnid per line (- is stdout).

    \b
    graphzsl split export hops-1 hops-1.txt
    """
    from graphzsl.database import members

    if str(path) == "-":
        for wnid in members(database(), splits.resolve_name(name)):
            click.echo(wnid)
        return
    note(f"{splits.export_split(database(), name, path):,} classes in {path}.")


@command.command()
@click.argument("name", shell_complete=CLASS_SETS)
@force_option("delete it although other class sets or splits are derived from it")
def delete(name: str, force: bool) -> None:
    """Delete a split or another class set, and say what it was; the synsets stay.

    \b
    graphzsl split delete hops-1
    """
    from graphzsl.database import delete_class_set, described

    deleted = delete_class_set(database(), splits.resolve_name(name), force=force)
    note(f"Deleted {described(deleted)}.")

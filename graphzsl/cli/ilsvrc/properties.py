"""``graphzsl study ilsvrc``: what Russakovsky et al. (2015) do with the hierarchy."""

from __future__ import annotations

from typing import Any

import click

from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.connection import database
from graphzsl.cli.ilsvrc.group import SET, command
from graphzsl.cli.options import (
    bootstrap_options,
    each_option,
    hierarchy_option,
    output_options,
    seed_option,
)
from graphzsl.cli.output import emit, note, note_thin_tails
from graphzsl.cli.types import Real, Synset, Whole
from graphzsl.ilsvrc import MAN_MADE, NATURAL


@command.command()
@SET
@click.option("--edges", is_flag=True, help="The edges (child, parent) instead of the sizes.")
@hierarchy_option
@output_options
def trim(class_set: str, edges: bool, hierarchy: str, output_format: str) -> None:
    """Trim the hierarchy to a class set: the classes are leaves unless one is above another, and
    all nodes below them are removed.

    \b
    graphzsl study ilsvrc trim --edges --save edges.csv
    """
    from graphzsl.ilsvrc import trimmed_sizes

    _, graph, classes = _read(class_set, hierarchy)
    if edges:
        part = graph.trimmed(classes)
        child, parent = part.up.nonzero()
        emit(
            (
                {"child": part.wnids[c], "parent": part.wnids[p]}
                for c, p in zip(child, parent, strict=True)
            ),
            output_format,
            ("child", "child_name", "parent", "parent_name"),
        )
        return
    emit([trimmed_sizes(graph, classes)], output_format)


@command.command()
@SET
@click.option(
    "--natural",
    type=Synset("class_set"),
    multiple=True,
    default=NATURAL,
    show_default=True,
    help="Synset whose classes are natural; repeat it.",
)
@click.option(
    "--man-made",
    type=Synset("class_set"),
    multiple=True,
    default=MAN_MADE,
    show_default=True,
    help="Synset whose classes are man-made; repeat it.",
)
@each_option()
@hierarchy_option
@output_options
def bins(
    class_set: str,
    natural: tuple[str, ...],
    man_made: tuple[str, ...],
    each: bool,
    hierarchy: str,
    output_format: str,
) -> None:
    """Natural and man-made classes by the synsets above them; what is below neither is "other".

    \b
    graphzsl study ilsvrc bins
    graphzsl study ilsvrc bins --each --save bins.csv
    """
    from graphzsl.ilsvrc import bins as sides

    _, graph, classes = _read(class_set, hierarchy)
    side_of = sides(graph, classes, natural, man_made)
    if each:
        emit(
            ({"wnid": wnid, "bin": name} for wnid, name in side_of.items()),
            output_format,
            ("wnid", "name", "bin"),
        )
        return
    names = ("natural", "man-made", "both", "other")
    emit(
        (
            {"bin": name, "classes": sum(value == name for value in side_of.values())}
            for name in names
        ),
        output_format,
    )


@command.command()
@click.argument("values")
@SET
@hierarchy_option
@output_options
def inherit(values: str, class_set: str, hierarchy: str, output_format: str) -> None:
    """Values of coarse classes: means over the annotated classes below them. VALUES is
    `population`, `depth`, `frequency`, `ratio`, a wnid,value table or RUN.classes.parquet.

    \b
    graphzsl study ilsvrc inherit population
    """
    from graphzsl.ilsvrc import inherited

    db, graph, classes = _read(class_set, hierarchy)
    own = _values(db, graph, classes, class_set, values)
    rows = inherited(graph, own)
    emit(
        ({"wnid": wnid, "value": value, "classes": count} for wnid, (value, count) in rows.items()),
        output_format,
        ("wnid", "name", "value", "classes"),
    )


@command.command()
@SET
@hierarchy_option
@output_options
def order(class_set: str, hierarchy: str, output_format: str) -> None:
    """The classes in the order of a label browser: a walk down the hierarchy, related classes side
    by side.

    \b
    graphzsl study ilsvrc order --save order.csv
    """
    from graphzsl.database import query
    from graphzsl.ilsvrc import browser_order

    db, graph, classes = _read(class_set, hierarchy)
    details = {
        row["wnid"]: row
        for row in db.rows_in_batches(
            query("synset_properties"), sorted(graph.trimmed(classes).wnids)
        )
    }
    names = {wnid: row["words"][0] for wnid, row in details.items()}
    ordered = browser_order(graph, classes, names)
    emit(
        (
            {"position": place, "wnid": wnid, "name": names[wnid]}
            for place, wnid in enumerate(ordered)
        ),
        output_format,
    )


@command.command()
@click.argument("one")
@click.argument("other")
@SET
@bootstrap_options(20_000)
@hierarchy_option
@output_options
def correlate(
    one: str,
    other: str,
    class_set: str,
    rounds: int,
    level: float,
    seed: int,
    hierarchy: str,
    output_format: str,
) -> None:
    """Correlation of two properties over classes, with intervals from resampled classes.

    ONE and OTHER are `population`, `depth`, `frequency`, `ratio` (structural, to the training
    classes ilsvrc2012), `natural` (1 or 0; classes that are neither are left out), a wnid,value
    table, or RUN.classes.parquet of an evaluation: its hit@1, or FILE:COLUMN. Two files need no
    database.

    \b
    graphzsl study ilsvrc correlate linear.classes.parquet \\
      linear.classes.parquet:population
    """
    from graphzsl.ilsvrc import correlation
    from graphzsl.names import file_values

    first, second = file_values(one), file_values(other)
    if first is None or second is None:
        db, graph, classes = _read(class_set, hierarchy)
        first, second = (_values(db, graph, classes, class_set, name) for name in (one, other))
    emit(
        (
            {"one": one, "other": other, **row}
            for row in correlation(first, second, rounds, level, seed)
        ),
        output_format,
    )
    note_thin_tails(rounds, level)


@command.command()
@click.option(
    "--set",
    "class_set",
    shell_complete=NAMED_CLASSES,
    help=(
        "Class set whose trimmed hierarchy gives the questions (default: ILSVRC's 200 detection"
        " classes)."
    ),
)
@click.option(
    "--present",
    type=Whole(0),
    multiple=True,
    default=(0, 1, 2, 3, 5),
    show_default=True,
    help="Labels per image; repeat it.",
)
@click.option("--images", type=Whole(1), default=500, show_default=True, help="Simulated images.")
@click.option(
    "--false-yes",
    type=Real(0, 1),
    default=0.0,
    show_default=True,
    help="Rate of wrong yes answers.",
)
@click.option(
    "--false-no", type=Real(0, 1), default=0.0, show_default=True, help="Rate of wrong no answers."
)
@click.option(
    "--safe",
    is_flag=True,
    help="A no closes a question below only when all questions above it are no.",
)
@seed_option("Seed of the simulation.")
@hierarchy_option
@output_options
def annotate(
    class_set: str | None,
    present: tuple[int, ...],
    images: int,
    false_yes: float,
    false_no: float,
    safe: bool,
    seed: int,
    hierarchy: str,
    output_format: str,
) -> None:
    """Compute what labelling costs by walking the hierarchy's questions, against asking for every
    label (SIMULATED annotators and images).

    A wrong yes costs questions, a wrong no loses labels.

    \b
    graphzsl study ilsvrc annotate --present 3 --false-no 0.05
    """
    from graphzsl.ilsvrc import annotation_cost, class_questions, detection_questions

    if class_set:
        _, graph, labels = _read(class_set, hierarchy)
        questions = class_questions(graph, labels)
    else:
        questions, labels = detection_questions()
    rows = [
        annotation_cost(questions, labels, count, images, seed, false_yes, false_no, safe)
        for count in present
    ]
    emit(rows, output_format)
    note(f"{len(labels):,} labels, {len(questions.wnids):,} questions. Simulated.")


def _read(class_set: str, hierarchy: str) -> tuple[Any, Any, list[str]]:
    from graphzsl.database import members, read_hierarchy

    db = database()
    classes = members(db, class_set)
    graph = read_hierarchy(db, hierarchy)
    graph.positions(classes)
    return db, graph, classes


def _values(db: Any, graph: Any, classes: list[str], class_set: str, name: str) -> dict[str, float]:
    from graphzsl.analysis import property_values
    from graphzsl.ilsvrc import naturalness
    from graphzsl.names import file_values

    if name == "natural" and file_values(name) is None:
        return naturalness(graph, classes)
    return property_values(db, graph, classes, class_set, name)

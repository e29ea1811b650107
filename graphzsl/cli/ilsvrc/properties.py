"""``graphzsl study ilsvrc``: what Russakovsky et al. (2015) do with the hierarchy."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import click

from graphzsl import analysis, ilsvrc
from graphzsl.cli.connection import database
from graphzsl.cli.ilsvrc.group import SET, command, false_no_option, false_yes_option, flag
from graphzsl.cli.options import (
    STORED,
    bootstrap_options,
    each_option,
    hierarchy_option,
    images_option,
    option,
    option_requires,
    output_options,
    seed_option,
    set_option,
)
from graphzsl.cli.output import emit, note, note_thin_tails
from graphzsl.cli.types import Synset, Whole
from graphzsl.ilsvrc import MAN_MADE, NATURAL, SIDES

if TYPE_CHECKING:
    from graphzsl.database import Database
    from graphzsl.hierarchy import Hierarchy


@command.command()
@SET
@flag("--edges", "The edges (child, parent) instead of the sizes.")
@hierarchy_option
@output_options
def trim(class_set: str, edges: bool, hierarchy: str, output_format: str) -> None:
    """Trim the hierarchy to a class set: the classes are leaves unless one is above another, and
    all nodes below them are removed.

    \b
    graphzsl study ilsvrc trim --edges --save edges.csv
    """
    _, graph, classes = _read(class_set, hierarchy)
    if not edges:
        emit([ilsvrc.trimmed_sizes(graph, classes)], output_format)
        return
    part = graph.trimmed(classes)
    pairs = zip(*part.up.nonzero(), strict=True)
    rows = ({"child": part.wnids[one], "parent": part.wnids[other]} for one, other in pairs)
    emit(rows, output_format, ("child", "child_name", "parent", "parent_name"))


@command.command()
@SET
@option(
    "--natural",
    Synset("class_set"),
    NATURAL,
    "Synset whose classes are natural; repeat it.",
    multiple=True,
)
@option(
    "--man-made",
    Synset("class_set"),
    MAN_MADE,
    "Synset whose classes are man-made; repeat it.",
    multiple=True,
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
    _, graph, classes = _read(class_set, hierarchy)
    side_of = ilsvrc.bins(graph, classes, natural, man_made)
    if each:
        rows = ({"wnid": wnid, "bin": name} for wnid, name in side_of.items())
        emit(rows, output_format, ("wnid", "name", "bin"))
        return
    counts = Counter(side_of.values())
    emit(({"bin": name, "classes": counts[name]} for name in SIDES), output_format)


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
    db, graph, classes = _read(class_set, hierarchy)
    means = ilsvrc.inherited(graph, _values(db, graph, classes, class_set, values)).items()
    rows = ({"wnid": wnid, "value": value, "classes": count} for wnid, (value, count) in means)
    emit(rows, output_format, ("wnid", "name", "value", "classes"))


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

    db, graph, classes = _read(class_set, hierarchy)
    nodes = sorted(graph.trimmed(classes).wnids)
    details = db.rows_in_batches(query("synset_properties"), nodes)
    names = {row["wnid"]: row["words"][0] for row in details}
    ordered = enumerate(ilsvrc.browser_order(graph, classes, names))
    rows = ({"position": place, "wnid": wnid, "name": names[wnid]} for place, wnid in ordered)
    emit(rows, output_format)


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
    from graphzsl.names import file_values

    first, second = file_values(one), file_values(other)
    are_files = first is not None and second is not None
    needs = "a property of the database: two files say which classes they are of"
    option_requires("class_set", "hierarchy", when=not are_files, needs=needs)
    if first is None or second is None:
        db, graph, classes = _read(class_set, hierarchy)
        first, second = (_values(db, graph, classes, class_set, name) for name in (one, other))
    rows = ilsvrc.correlation(first, second, rounds, level, seed)
    emit(({"one": one, "other": other, **row} for row in rows), output_format)
    note_thin_tails(rounds, level)


@command.command()
@set_option(
    f"{STORED}, whose trimmed hierarchy gives the questions (default: ILSVRC's 200 detection"
    " classes)"
)
@option("--present", Whole(0), (0, 1, 2, 3, 5), "Labels per image; repeat it.", multiple=True)
@images_option("simulated", 500)
@false_yes_option(default=0.0)
@false_no_option(default=0.0)
@seed_option()
@hierarchy_option
@output_options
def annotate(
    class_set: str | None,
    present: tuple[int, ...],
    images: int,
    false_yes: float,
    false_no: float,
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
    if class_set:
        _, graph, labels = _read(class_set, hierarchy)
        questions = graph.pruned(labels)
    else:
        questions, labels = ilsvrc.detection_questions()
    rows = [
        ilsvrc.annotation_cost(questions, labels, count, images, seed, false_yes, false_no)
        for count in present
    ]
    emit(rows, output_format)
    note(f"{len(labels):,} labels, {len(questions.wnids):,} questions. Simulated.")


def _read(class_set: str, hierarchy: str) -> tuple[Database, Hierarchy, list[str]]:
    from graphzsl.database import members, read_hierarchy

    db = database()
    classes = members(db, class_set)
    graph = read_hierarchy(db, hierarchy)
    graph.positions(classes)
    return db, graph, classes


def _values(
    db: Database, graph: Hierarchy, classes: list[str], class_set: str, name: str
) -> dict[str, float]:
    from graphzsl.names import file_values

    if name == "natural" and file_values(name) is None:
        return ilsvrc.naturalness(graph, classes)
    return analysis.property_values(db, graph, classes, class_set, name)

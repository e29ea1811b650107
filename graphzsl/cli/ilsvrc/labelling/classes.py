"""``study ilsvrc labelling merge | repair | queries``: fine classes into basic-level ones, what
must be annotated again, and which scenes to search for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from graphzsl import ilsvrc
from graphzsl.cli.classes import read_classes, read_hierarchy
from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.ilsvrc.group import flag, labelling
from graphzsl.cli.options import (
    LISTED,
    each_option,
    hierarchy_folder_option,
    listed_set_option,
    number_option,
    option,
    option_requires,
    output_options,
    seed_option,
    set_option,
    without_option,
)
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import INPUT, Real
from graphzsl.common import DataError, counted

if TYPE_CHECKING:
    from graphzsl.hierarchy import Hierarchy

into_option = option(
    "--into",
    None,
    "ilsvrc-detection",
    "The basic-level classes, as --set takes them.",
    shell_complete=NAMED_CLASSES,
)


@labelling.command()
@listed_set_option
@into_option
@click.option(
    "--scale",
    metavar="TABLE[:COLUMN]",
    help=(
        "Mean share of the image that an object of a class takes: a wnid,value table, that of"
        " `graphzsl study ilsvrc boxes --each` (its scale_share), or TABLE:COLUMN."
    ),
)
@option("--largest", Real(0, 1), 0.5, "Leave out classes with a larger scale.")
@without_option("classes, which are left out, too")
@each_option("one per class: what it goes to, or why it goes nowhere")
@flag("--members", "One row per basic-level class, with the classes that go to it.")
@hierarchy_folder_option
@output_options
def merge(
    class_set: str,
    into: str,
    scale: str | None,
    largest: float,
    without: Path | None,
    each: bool,
    members: bool,
    wordnet: Path | str,
    output_format: str,
) -> None:
    """Fine classes merged into basic-level ones, and how these stand to them.

    Every class goes to the basic-level class at or above it, the nearest of several. Classes whose
    objects are too large for detection are left out first, then those of --without. Of the merged
    classes `same` counts those that are basic-level classes themselves, `above` basic-level classes
    that others alone go to; `consistent` says that every basic-level class is either, `disjoint`
    that none is above another (Russakovsky et al. 2015, sections 3.3.1, 3.3.2 and 6.3.4). With
    --set imagenet-fall11 the classes are those whose images can be taken too: "or their children in
    the ImageNet hierarchy".

    \b
    graphzsl study ilsvrc labelling merge
    graphzsl study ilsvrc labelling merge --scale scale.csv \\
      --without by-hand.txt --each
    graphzsl study ilsvrc labelling merge --set imagenet-fall11 --members
    """
    if each and members:
        raise click.UsageError("Give --each or --members, not both.")
    option_requires("largest", when=scale, needs="--scale")
    hierarchy = read_hierarchy(wordnet)
    classes = read_classes(class_set, hierarchy)
    scales = _scales(scale, hierarchy) if scale else None
    merged = ilsvrc.merge_classes(
        hierarchy,
        classes,
        read_classes(into, hierarchy, "into"),
        scales,
        largest,
        read_classes(str(without), hierarchy, "without") if without else (),
    )
    names = hierarchy.names
    emit(
        merged.rows(names) if each else merged.member_rows(names) if members else [merged.counts()],
        output_format,
    )
    for wnid in merged.overlapping[:1]:
        others = len(merged.overlapping) - 1
        more = f", and {others} more are" if others else ""
        note(f"{wnid} ({names.get(wnid)}) of {into} is below another of its classes{more}.")
    if scales is not None and (known := len(scales.keys() & set(classes))) < len(classes):
        note(f"The scale is known for {known:,} of {counted(len(classes), 'class', 'classes')}.")


def _scales(text: str, hierarchy: Hierarchy) -> dict[str, float]:
    """wnid -> scale, of --scale; DataError for a class that is not in the hierarchy."""
    from graphzsl.names import VALUE_COLUMNS, file_values

    found = file_values(text, VALUE_COLUMNS)
    if found is None:
        raise DataError(
            f"{text} is no file. Give a wnid,value table, or TABLE:COLUMN.", argument="scale"
        )
    try:
        hierarchy.positions(found)
    except DataError as error:
        raise error.at(f"{text}: ") from None
    return found


@labelling.command()
@click.argument("labels", type=INPUT)
@into_option
@each_option("one per image and basic-level class")
@hierarchy_folder_option
@output_options
def repair(labels: Path, into: str, each: bool, wordnet: Path | str, output_format: str) -> None:
    """List the images that must be annotated again when fine classes become basic-level ones.

    LABELS is a table of what images are annotated with: the columns image and class, such as a
    table of boxes. An image with all of its dalmatians may have other dogs: where dalmatians become
    dogs, all of its dogs must be annotated. One that is annotated with the basic-level class itself
    needs nothing (Russakovsky et al. 2015, appendix E).

    \b
    graphzsl study ilsvrc labelling repair boxes.csv
    graphzsl study ilsvrc labelling repair boxes.csv --each --save again.csv
    """
    hierarchy = read_hierarchy(wordnet)
    basic = read_classes(into, hierarchy, "into")
    again, counts = ilsvrc.images_to_annotate_again(labels, hierarchy, basic)
    if each:
        mark = ("simulated",) if "simulated" in counts else ()
        columns = ("image", "wnid", "name", "members", "member_names", *mark)
        emit((one.row(hierarchy.names) for one in again), output_format, columns)
    else:
        emit([counts], output_format)
    outside = counts["outside"]
    if outside:
        has = f"class of {labels} has", f"classes of {labels} have"
        needs = "needs" if outside == 1 else "need"
        note(f"{counted(outside, *has)} no class of {into} at or above, and {needs} nothing.")


@labelling.command()
@set_option(LISTED, "ilsvrc-detection")
@number_option("pairs are drawn at random (default: all)")
@seed_option()
@hierarchy_folder_option
@output_options
def queries(
    class_set: str, number: int | None, seed: int, wordnet: Path | str, output_format: str
) -> None:
    """Queries for scenes with several objects: the names of two classes, "tiger lion".

    The name of a class is the first word of its synset. The challenge's 129 further queries are
    written by hand (Russakovsky et al. 2015, appendix C).

    \b
    graphzsl study ilsvrc labelling queries --number 20
    graphzsl study ilsvrc labelling queries --set mine.txt
    """
    option_requires("seed", when=number, needs="--number")
    hierarchy = read_hierarchy(wordnet)
    classes = read_classes(class_set, hierarchy)
    words = {
        wnid: hierarchy.names.get(wnid, wnid).partition(".")[0].replace("_", " ")
        for wnid in classes
    }
    emit(ilsvrc.scene_queries(words, number, seed), output_format)

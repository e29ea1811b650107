"""``graphzsl study ilsvrc localization | detection | boxes``: ILSVRC's tasks on boxes, and what
annotations are like."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from graphzsl import ilsvrc
from graphzsl.cli.completion import LISTS
from graphzsl.cli.ilsvrc.group import command
from graphzsl.cli.options import (
    bootstrap_options,
    candidates_option,
    each_option,
    option,
    option_requires,
    output_options,
    overlap_option,
    seed_option,
    together,
    without_option,
)
from graphzsl.cli.output import emit, note, note_thin_tails
from graphzsl.cli.types import FILE, INPUT, Whole, Written
from graphzsl.common import counted

TRUTH = click.argument("truth", type=INPUT)
ENTRIES = click.argument("entries", nargs=-1, required=True, type=INPUT)
#: How boxes are read.
box_options = together(
    candidates_option(
        "in the order of their numbers, from 1; a shipped list (ilsvrc2012), or a file, needed"
        " where files have numbers, or names beside wnids that are not clear",
        metavar="LIST|FILE",
        shell_complete=LISTS,
    ),
    option(
        "--corners",
        click.Choice(("pixels", "edges")),
        "pixels",
        "What xmax and ymax are: the last pixel inside (ImageNet, PASCAL: a width is"
        " xmax - xmin + 1), or the edge behind it.",
    ),
    option(
        "--first-pixel",
        Whole(0, 1),
        None,
        "The number of an image's first pixel: 0 (ImageNet, COCO) or 1 (PASCAL). It decides"
        " what is inside an image, and no overlap. Default: 1 where no corner is below 1 and"
        " one is the width or height of its image, else 0.",
    ),
)


@command.command()
@TRUTH
@ENTRIES
@option("--guesses", Whole(1), 5, "How many guesses of an image count, best first.")
@overlap_option("a box is right where it overlaps by more than this")
@box_options
@without_option("images, one per line")
@each_option()
@bootstrap_options(2000, or_none=True)
@output_options
def localization(
    truth: Path,
    entries: tuple[Path, ...],
    corners: str,
    each: bool,
    rounds: int,
    level: float,
    seed: int,
    output_format: str,
    **how: Any,
) -> None:
    """Classification with localization: the error of five guesses, a class and a box each.

    TRUTH has the boxes of every image, all of one class: a folder or tar archive of ImageNet's XML,
    COCO's JSON, or a table (.csv, .tsv, .txt, .parquet) with the columns image, class, xmin, ymin,
    xmax, ymax. ENTRIES are guesses, as tables or COCO's results; a column score puts them in order,
    else their order is that of the file. Several entries are compared. An image is an error where
    no guess has its class and the box of an instance (Russakovsky et al. 2015, section 4.2).

    \b
    graphzsl study ilsvrc localization val-xml.tar guesses.csv
    graphzsl study ilsvrc localization val.csv mine.csv other.csv --each
    """
    option_requires("rounds", "level", "seed", when=not each, needs="the command without --each")
    option_requires("level", "seed", when=rounds, needs="--rounds above 0")
    found = ilsvrc.localization(truth, entries, edges=corners == "edges", **how)
    if each:
        emit(found.class_rows(), output_format)
    else:
        emit(found.rows(rounds, level, seed), output_format)
        used = counted(int((found.images > 0).sum()), "class", "classes")
        note(f"{counted(int(found.images.sum()), 'image')} of {used}.")
        note_thin_tails(rounds, level)
    _note_all(found.notes())


@command.command()
@TRUTH
@ENTRIES
@overlap_option("what a detection needs at least")
@option(
    "--relax/--no-relax",
    None,
    True,
    "Small objects need less: min(overlap, wh / ((w + 10)(h + 10))).",
)
@option(
    "--interpolation",
    click.Choice(("all", "none", "11", "101")),
    "all",
    "Average precision: area under precision made to fall with recall (PASCAL since"
    " 2010), the sum without that, or mean at 11 (PASCAL 2007) or 101 (COCO) levels of recall.",
)
@box_options
@without_option("images, one per line")
@each_option()
@bootstrap_options(2000, or_none=True)
@output_options
def detection(
    truth: Path,
    entries: tuple[Path, ...],
    corners: str,
    each: bool,
    rounds: int,
    level: float,
    output_format: str,
    **how: Any,
) -> None:
    """Object detection: average precision by class, its mean, and classes won.

    TRUTH and ENTRIES are files as `graphzsl study ilsvrc localization` takes them; detections have
    scores. In each image the detections of a class take its objects greedily, best score first.
    Intervals come from images drawn again. Several entries are compared: who is best in how many
    classes, and how far behind the best mean the others are (Russakovsky et al. 2015, section 4.3).

    \b
    graphzsl study ilsvrc detection instances.json results.json
    graphzsl study ilsvrc detection val.csv mine.csv other.csv --each \\
      --save ap.csv
    """
    option_requires("level", "seed", when=rounds, needs="--rounds above 0")
    found = ilsvrc.detection(
        truth, entries, edges=corners == "edges", rounds=rounds, level=level, **how
    )
    emit(found.class_rows() if each else found.rows(), output_format)
    note_thin_tails(rounds, level)
    _note_all(found.notes())


@command.command()
@TRUTH
@option(
    "--regions",
    FILE,
    None,
    "For clutter: a table of regions that may hold any object, with the columns image, xmin,"
    " ymin, xmax, ymax, best first or with a column score.",
)
@option(
    "--flag",
    Written(".csv"),
    None,
    "Also write the pairs of boxes that overlap by more than --overlap to this table.",
)
@option(
    "--large",
    Written(".txt"),
    None,
    "Also write the names of images of which one object takes more than half, one per line:"
    " ILSVRC's test images for detection are without them (--without takes the list).",
)
@overlap_option("boxes of one image that overlap by more than this are flagged")
@box_options
@each_option()
@seed_option("which draws from classes of more than 2,000 boxes")
@output_options
def boxes(
    truth: Path,
    flag: Path | None,
    large: Path | None,
    overlap: float,
    corners: str,
    first_pixel: int | None,
    each: bool,
    output_format: str,
    **how: Any,
) -> None:
    """Statistics of annotated boxes: instances, neighbours, scale, chance performance, clutter.

    TRUTH is a file as `graphzsl study ilsvrc localization` takes it. Scale and chance performance
    need sizes of images: those in XML and COCO's JSON, or the columns image_width and image_height
    (Russakovsky et al. 2015, sections 3.2.2 and 3.3.4, appendices B and E).

    \b
    graphzsl study ilsvrc boxes val-xml.tar --flag overlapping.csv \\
      --large large.txt
    graphzsl study ilsvrc boxes val.csv --regions regions.csv --each
    """
    with ilsvrc.flag_file(flag) as write, ilsvrc.large_file(large) as name:
        found = ilsvrc.box_statistics(
            truth,
            edges=corners == "edges",
            first_pixel=first_pixel,
            overlap=overlap,
            flag=write,
            large=name,
            **how,
        )
    emit(found.class_rows() if each else [found.row()], output_format)
    _note_all(found.notes)
    if found.first_pixel and first_pixel is None:
        note(f"Corners of {truth} count pixels from 1, as PASCAL's do; --first-pixel 0: from 0.")
    if flag is not None:
        note(f"Pairs of boxes that overlap by more than {overlap:g}: {flag}.")
    if large is not None:
        note(f"Images of which one object takes more than half: {large}.")


def _note_all(notes: Iterable[str]) -> None:
    for text in notes:
        note(text)

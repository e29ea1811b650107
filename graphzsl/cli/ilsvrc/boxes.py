"""``graphzsl study ilsvrc localization | detection | boxes``: ILSVRC's tasks on boxes, and what
annotations are like."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from graphzsl.cli.completion import LISTS
from graphzsl.cli.ilsvrc.group import command
from graphzsl.cli.options import (
    bootstrap_options,
    each_option,
    option_requires,
    output_options,
    seed_option,
)
from graphzsl.cli.output import emit, note, note_thin_tails
from graphzsl.cli.types import INPUT, Real, Whole, Written
from graphzsl.common import counted

F = TypeVar("F", bound=Callable[..., Any])
TRUTH = click.argument("truth", type=INPUT)
ENTRIES = click.argument("entries", nargs=-1, required=True, type=INPUT)


def box_options(function: F) -> F:
    """--candidates, --corners and --first-pixel: how boxes are read."""
    function = click.option(
        "--first-pixel",
        type=Whole(0, 1),
        help=(
            "The number of an image's first pixel: 0 (ImageNet, COCO) or 1 (PASCAL). It decides"
            " what is inside an image, and no overlap. Default: 1 where no corner is below 1 and"
            " one is the width or height of its image, else 0."
        ),
    )(function)
    function = click.option(
        "--corners",
        type=click.Choice(("pixels", "edges")),
        default="pixels",
        show_default=True,
        help=(
            "What xmax and ymax are: the last pixel inside (ImageNet, PASCAL: a width is"
            " xmax - xmin + 1), or the edge behind it."
        ),
    )(function)
    return click.option(
        "--candidates",
        metavar="LIST|FILE",
        shell_complete=LISTS,
        help=(
            "The classes in the order of their numbers, from 1: a shipped list (ilsvrc2012), or a"
            " file. Needed where files have numbers, or names beside wnids that are not clear."
        ),
    )(function)


without_option = click.option(
    "--without",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="A file of images that do not count, one per line.",
)


def overlap_option(text: str) -> Callable[[F], F]:
    """--overlap: intersection over union."""
    return click.option("--overlap", type=Real(0, 1), default=0.5, show_default=True, help=text)


@command.command()
@TRUTH
@ENTRIES
@click.option(
    "--guesses",
    type=Whole(1),
    default=5,
    show_default=True,
    help="How many guesses of an image count, best first.",
)
@overlap_option("A box is right where it overlaps by more than this (intersection over union).")
@box_options
@without_option
@each_option()
@bootstrap_options(2000, or_none=True)
@output_options
def localization(
    truth: Path,
    entries: tuple[Path, ...],
    guesses: int,
    overlap: float,
    candidates: str | None,
    corners: str,
    first_pixel: int | None,
    without: Path | None,
    each: bool,
    rounds: int,
    level: float,
    seed: int,
    output_format: str,
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
    from graphzsl.ilsvrc import localization as measure

    option_requires("rounds", "level", "seed", when=not each, needs="the command without --each")
    option_requires("level", "seed", when=rounds, needs="--rounds above 0")
    found = measure(
        truth,
        entries,
        guesses=guesses,
        overlap=overlap,
        candidates=candidates,
        edges=corners == "edges",
        first_pixel=first_pixel,
        without=without,
    )
    if each:
        emit(found.class_rows(), output_format)
    else:
        emit(found.rows(rounds, level, seed), output_format)
        used = counted(int((found.images > 0).sum()), "class", "classes")
        note(f"{_images(found.images.sum())} of {used}.")
        note_thin_tails(rounds, level)
    for name, missing, more in zip(found.entries, found.missing, found.more, strict=True):
        if missing:
            note(f"{name}: {_images(missing)} without a guess, counted as errors.")
        if more:
            note(
                f"{name}: {_images(more)} with more than {counted(guesses, 'guess', 'guesses')};"
                " the best count."
            )
    _note_empty(found.entries, found.empty.tolist())
    _note_outside(found.entries, found.outside.tolist())
    _note_ignored(found.ignored, truth, "are not what is looked for")
    if count := found.ignored_images:
        have, are = ("has", "is") if count == 1 else ("have", "are")
        note(f"{_images(count)} of {truth} {have} no other box, and {are} left out.")
    _note_left_out(found.left_out, found.unmet, truth, without)


@command.command()
@TRUTH
@ENTRIES
@overlap_option("Overlap that a detection needs at least (intersection over union).")
@click.option(
    "--relax/--no-relax",
    default=True,
    show_default=True,
    help="Small objects need less: min(overlap, wh / ((w + 10)(h + 10))).",
)
@click.option(
    "--interpolation",
    type=click.Choice(("all", "none", "11", "101")),
    default="all",
    show_default=True,
    help=(
        "Average precision: area under precision made to fall with recall (PASCAL since"
        " 2010), the sum without that, or mean at 11 (PASCAL 2007) or 101 (COCO) levels of recall."
    ),
)
@box_options
@without_option
@each_option()
@bootstrap_options(2000, or_none=True)
@output_options
def detection(
    truth: Path,
    entries: tuple[Path, ...],
    overlap: float,
    relax: bool,
    interpolation: str,
    candidates: str | None,
    corners: str,
    first_pixel: int | None,
    without: Path | None,
    each: bool,
    rounds: int,
    level: float,
    seed: int,
    output_format: str,
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
    from graphzsl.ilsvrc import detection as measure

    option_requires("level", "seed", when=rounds, needs="--rounds above 0")
    found = measure(
        truth,
        entries,
        overlap=overlap,
        relax=relax,
        interpolation=interpolation,
        candidates=candidates,
        edges=corners == "edges",
        first_pixel=first_pixel,
        without=without,
        rounds=rounds,
        level=level,
        seed=seed,
    )
    emit(found.class_rows() if each else found.rows(), output_format)
    note_thin_tails(rounds, level)
    own = found.detections.sum(axis=1)
    for name, count, foreign in zip(found.entries, own, found.foreign, strict=True):
        if not count and not foreign:
            note(f"{name} has no detection that counts.")
        if foreign:
            said = counted(int(foreign), "detection is", "detections are")
            note(f"{name}: {said} of classes without an object in {truth}, and left out.")
    _note_empty(found.entries, found.empty.tolist())
    _note_outside(found.entries, found.outside.tolist())
    _note_ignored(found.ignored, truth, "are neither found nor missed")
    _note_left_out(found.left_out, found.unmet, truth, without)


@command.command()
@TRUTH
@click.option(
    "--windows",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help=(
        "For clutter: a table of regions that may hold any object, with the columns image, xmin,"
        " ymin, xmax, ymax, best first or with a column score."
    ),
)
@click.option(
    "--flag",
    type=Written(".csv"),
    help="Also write the pairs of boxes that overlap by more than --overlap to this table.",
)
@click.option(
    "--large",
    type=Written(".txt"),
    help=(
        "Also write the names of images of which one object takes more than half, one per line:"
        " ILSVRC's test images for detection are without them (--without takes the list)."
    ),
)
@overlap_option("Boxes of one image that overlap by more than this are flagged.")
@box_options
@each_option()
@seed_option("Seed of the boxes that are drawn of classes with more than 2,000.")
@output_options
def boxes(
    truth: Path,
    windows: Path | None,
    flag: Path | None,
    large: Path | None,
    overlap: float,
    candidates: str | None,
    corners: str,
    first_pixel: int | None,
    each: bool,
    seed: int,
    output_format: str,
) -> None:
    """Statistics of annotated boxes: instances, neighbours, scale, chance performance, clutter.

    TRUTH is a file as `graphzsl study ilsvrc localization` takes it. Scale and chance performance
    need sizes of images: those in XML and COCO's JSON, or the columns image_width and image_height
    (Russakovsky et al. 2015, sections 3.2.2 and 3.3.4, appendices B and E).

    \b
    graphzsl study ilsvrc boxes val-xml.tar --flag overlapping.csv \\
      --large large.txt
    graphzsl study ilsvrc boxes val.csv --windows windows.csv --each
    """
    from graphzsl.ilsvrc import box_statistics, flag_file, large_file

    with flag_file(flag) as write, large_file(large) as name:
        found = box_statistics(
            truth,
            windows=windows,
            candidates=candidates,
            edges=corners == "edges",
            first_pixel=first_pixel,
            overlap=overlap,
            seed=seed,
            flag=write,
            large=name,
        )
    emit(found.class_rows() if each else [found.row()], output_format)
    _note_ignored(found.ignored, truth, "are in no statistic")
    if found.first_pixel and first_pixel is None:
        note(f"Corners of {truth} count pixels from 1, as PASCAL's do; --first-pixel 0: from 0.")
    if flag is not None:
        note(f"Pairs of boxes that overlap by more than {overlap:g}: {flag}.")
    if large is not None:
        note(f"Images of which one object takes more than half: {large}.")


def _images(count: int) -> str:
    return counted(int(count), "image")


def _note_ignored(count: int, truth: Path, what: str) -> None:
    """A line about objects that need not be found: difficult ones, and crowds."""
    if count == 1:
        what = what.replace("are", "is", 1)
    if count:
        note(f"{counted(count, 'box', 'boxes')} of {truth} need not be found, and {what}.")


def _note_empty(entries: Sequence[str], empty: Sequence[int]) -> None:
    for name, count in zip(entries, empty, strict=True):
        if count:
            has, match = ("has", "matches") if count == 1 else ("have", "match")
            note(
                f"{name}: {counted(int(count), 'box', 'boxes')} {has} no area, and {match} nothing."
            )


def _note_outside(entries: Sequence[str], outside: Sequence[int]) -> None:
    for name, count in zip(entries, outside, strict=True):
        if count:
            lies, match = ("lies", "matches") if count == 1 else ("lie", "match")
            note(
                f"{name}: {counted(int(count), 'box', 'boxes')} {lies} outside the image, and"
                f" {match} nothing inside it."
            )


def _note_left_out(count: int, unmet: list[str], truth: Path, without: Path | None) -> None:
    if without is None:
        return
    note(f"{_images(count)} left out by {without}.")
    if unmet:
        names = counted(len(unmet), "name")
        said = "is no image" if len(unmet) == 1 else "are no images"
        note(f"{names} in {without} {said} of {truth}: {', '.join(unmet[:3])}.")

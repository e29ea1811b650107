"""``study ilsvrc entries | leaderboard | submission | changes``: what the challenge's entries
reached, how large a submission is, and how its lists of classes changed."""

from __future__ import annotations

from itertools import zip_longest
from pathlib import Path
from typing import Any

import click

from graphzsl import ilsvrc, sources
from graphzsl.cli.completion import NAMED_CLASSES
from graphzsl.cli.ilsvrc.group import command, flag
from graphzsl.cli.options import each_option, images_option, option, option_requires, output_options
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import INPUT, NUMBERS, Whole


@command.command()
@flag("--ratios", "How many times better the best became between two years.")
@flag("--gains", "What the gain of detection from 2013 to 2014 comes of.")
@option(
    "--task",
    click.Choice(("cls", "loc", "det")),
    None,
    "Of one task: classification, localization or detection.",
)
@output_options
def entries(ratios: bool, gains: bool, task: str | None, output_format: str) -> None:
    """Entries of ILSVRC 2010 to 2014 that have an interval in the paper, and the winners before
    2012: error in per cent (cls, loc), or mean average precision in per cent (det), with 99.9 %
    intervals.

    `data` is what an entry learned from; `study papers show I30` has all teams. --ratios computes
    the ratios of section 6.1 from these values beside the printed ones, and those from each year to
    the next; --gains has the parts of a gain in points.

    \b
    graphzsl study ilsvrc entries
    graphzsl study ilsvrc entries --ratios --task loc
    """
    if ratios and gains:
        raise click.UsageError("Give --ratios or --gains, not both.")
    option_requires("task", when=not gains, needs="entries or --ratios")
    if gains:
        rows = _gains()
    else:
        every = _ratios() if ratios else ilsvrc.table("ilsvrc-entries").rows()
        rows = [row for row in every if task in (None, row["task"])]
    emit(rows, output_format)
    note("Russakovsky et al. 2015, Tables 5 to 8 and section 6.1.")


def _ratios() -> list[dict[str, Any]]:
    """Ratios computed from the entries, the first of them beside the printed ones."""
    printed = ilsvrc.table("ilsvrc-ratios")
    beside = [{"printed": row["printed"], "remark": row["remark"]} for row in printed.rows()]
    empty = {"printed": None, "remark": None}
    return [row | more for row, more in zip_longest(ilsvrc.ours(printed), beside, fillvalue=empty)]


def _gains() -> list[dict[str, Any]]:
    """Printed parts of the gain, each beside the points between its values where both are known."""
    printed = ilsvrc.table("ilsvrc-gains")
    points = {row["entry"]: row["points"] for row in ilsvrc.ours(printed)}
    return [
        {"entry": entry, "from": start, "to": end, "points": points.get(entry), "printed": gain}
        for entry, start, end, gain in (row.values() for row in printed.rows())
    ]


@command.command()
@images_option(default=40_000)
@option("--categories count", Whole(1), 200, "Classes.")
@option("--boxes", NUMBERS, "1,10,100", "Boxes per class and image; several with commas.")
@option("--bytes size", Whole(1), 28, "Bytes of a detection.")
@flag("--growth", "Also with twice the images, and twice the classes.")
@output_options
def submission(
    images: int, count: int, boxes: list[int], size: int, growth: bool, output_format: str
) -> None:
    """Compute the size of a submission to the detection task: images × classes × boxes × bytes
    (Russakovsky et al. 2015, section 4.3: 80 million detections, 2.24 GB).

    \b
    graphzsl study ilsvrc submission --boxes 10
    graphzsl study ilsvrc submission --categories 1000 --growth
    """
    shapes = [(images, count)]
    if growth:
        shapes += [(2 * images, count), (images, 2 * count)]
    columns = ("images", "classes", "boxes", "detections", "bytes", "gigabytes")
    sizes = (
        (*shape, each, *sources.submission_size(*shape, each, size))
        for shape in shapes
        for each in boxes
    )
    emit((dict(zip(columns, (*row, row[-1] / 1e9), strict=True)) for row in sizes), output_format)


@command.command()
@click.argument("submissions", type=INPUT)
@output_options
def leaderboard(submissions: Path, output_format: str) -> None:
    """Who leads in each task and track: the best entry of every team.

    SUBMISSIONS is a table with the columns task (cls, loc: errors; det: mean average precision),
    data (provided, or outside for entries that learned from other images too), team, value, and
    entry where it has a name. Equal values share a place (Russakovsky et al. 2015, sections 5.1 and
    7.2).

    \b
    graphzsl study ilsvrc leaderboard submissions.csv
    """
    emit(sources.leaderboard(sources.read_submissions(submissions)), output_format)


@command.command()
@click.argument("lists", nargs=-1, required=True, shell_complete=NAMED_CLASSES)
@each_option("the classes")
@output_options
def changes(lists: tuple[str, ...], each: bool, output_format: str) -> None:
    """Compare a list of classes from year to year: classes that stay, go and come.

    LISTS are files with a wnid, a name such as dog.n.01 or a word per line, shipped lists, or class
    sets of a database that runs, in the order of the years. Of more than two, the last row has what
    is in all of them (Russakovsky et al. 2015, section 3.1.1: 639 of 1,000 in all five years; the
    lists before 2012 are not shipped).

    \b
    graphzsl study ilsvrc changes 2010.txt 2011.txt ilsvrc2012
    graphzsl study ilsvrc changes 2011.txt ilsvrc2012 --each
    """
    from graphzsl.cli.classes import read_classes, read_hierarchy

    if len(set(lists)) < len(lists):
        raise click.UsageError("Give each of the LISTS once.")
    # names are looked up among the nodes; a list of wnids needs no hierarchy
    hierarchy = read_hierarchy("wordnet")
    found = {text: read_classes(text, hierarchy, "lists") for text in lists}
    rows = ilsvrc.list_changes(found)
    if each:
        wnids = (
            {"from": row["from"], "to": row["to"], "change": change, "wnid": wnid}
            for row in rows
            for change in ("kept", "gone", "new")
            for wnid in row[change] or ()
        )
        emit(wnids, output_format, ("from", "to", "change", "wnid", "name"))
        return
    sizes = (
        {name: len(cell) if isinstance(cell, list) else cell for name, cell in row.items()}
        for row in rows
    )
    emit(sizes, output_format)

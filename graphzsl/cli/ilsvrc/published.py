"""``graphzsl ilsvrc entries | submission``: what the challenge's entries reached, and how large a
submission is."""

from __future__ import annotations

from dataclasses import asdict

import click

from graphzsl.cli.common import Numbers, effective, emit, note, output_options
from graphzsl.cli.ilsvrc.group import command


@command.command()
@click.option(
    "--ratios", is_flag=True, help="How many times better the best became between two years."
)
@click.option(
    "--gains", is_flag=True, help="What the gain of detection from 2013 to 2014 comes of."
)
@click.option(
    "--task",
    type=click.Choice(("cls", "loc", "det")),
    help="Of one task: classification, localization or detection.",
)
@output_options
def entries(ratios: bool, gains: bool, task: str | None, output_format: str | None) -> None:
    """Winning entries of ILSVRC 2010 to 2014 as the paper prints them, in part: error in per cent
    (cls, loc), or mean average precision in per cent (det), with 99.9 % intervals.

    `data` is what an entry learned from. --ratios computes the ratios of section 6.1 from these
    values beside the printed ones, and those from each year to the next; --gains has the parts of a
    gain in points.

    \b
    graphzsl ilsvrc entries
    graphzsl ilsvrc entries --ratios --task loc
    """
    from graphzsl.sources.ilsvrc_entries import entries as shipped
    from graphzsl.sources.ilsvrc_entries import gain_rows, ratio_rows

    if ratios and gains:
        raise click.UsageError("Give --ratios or --gains, not both.")
    effective("task", when=not gains, needs="entries or --ratios")
    if gains:
        emit(gain_rows(), output_format)
    else:
        rows = ratio_rows() if ratios else [asdict(each) for each in shipped()]
        emit((row for row in rows if task in (None, row["task"])), output_format)
    note("Russakovsky et al. 2015, Tables 5 to 8 and section 6.1.")


@command.command()
@click.option("--images", type=click.IntRange(1), default=40_000, show_default=True, help="Images.")
@click.option(
    "--categories", "count", type=click.IntRange(1), default=200, show_default=True, help="Classes."
)
@click.option(
    "--boxes",
    type=Numbers(),
    default="1,10,100",
    show_default=True,
    help="Boxes per class and image; several with commas.",
)
@click.option(
    "--bytes",
    "size",
    type=click.IntRange(1),
    default=28,
    show_default=True,
    help="Bytes of a detection.",
)
@click.option("--growth", is_flag=True, help="Also with twice the images, and twice the classes.")
@output_options
def submission(
    images: int, count: int, boxes: list[int], size: int, growth: bool, output_format: str | None
) -> None:
    """How large a submission to the detection task is: images × classes × boxes × bytes
    (Russakovsky et al. 2015, section 4.3: 80 million detections, 2.24 GB).

    \b
    graphzsl ilsvrc submission --boxes 10
    graphzsl ilsvrc submission --categories 1000 --growth
    """
    from graphzsl.sources.ilsvrc_entries import submission_size

    shapes = [(images, count)]
    if growth:
        shapes += [(2 * images, count), (images, 2 * count)]
    rows = []
    for number, classes in shapes:
        for each in boxes:
            detections, total = submission_size(number, classes, each, size)
            rows.append(
                {
                    "images": number,
                    "classes": classes,
                    "boxes": each,
                    "detections": detections,
                    "bytes": total,
                    "gigabytes": total / 1e9,
                }
            )
    emit(rows, output_format)

"""``graphzsl study ilsvrc labelling consensus | cost``: how many people to ask, and its cost."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from graphzsl import ilsvrc, sources
from graphzsl.cli.ilsvrc.group import false_no_option, false_yes_option, flag, labelling
from graphzsl.cli.options import each_option, option, option_requires, output_options, seed_option
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import INPUT, Real, Whole
from graphzsl.common import DataError, counted, some


@labelling.command()
@click.argument("votes", type=INPUT, required=False)
@option(
    "--simulate", Whole(2), None, "Simulate the votes on so many images instead.", metavar="IMAGES"
)
@option("--first-votes", Whole(1), 10, "Images with so many votes or more make the table.")
@option("--sure", Real(0.5, 1), 0.95, "How sure the table must be that an image is good, or bad.")
@option(
    "--prior",
    Real(0),
    0.0,
    "Good and bad images that every place of the table has beforehand, each so many.",
)
@flag("--table of_table", "The table: one row per yes and no.")
@each_option("one per image: good, bad or open, which takes more votes")
@option("--sampled", Whole(1), 100, "Simulated images that make the table.")
@option("--good-share", Real(0, 1), 0.5, "Good simulated images.")
@false_yes_option("for a bad image, simulated", 0.1)
@false_no_option("for a good image, simulated", 0.1)
@seed_option()
@output_options
def consensus(
    votes: Path | None,
    simulate: int | None,
    first_votes: int,
    sure: float,
    prior: float,
    of_table: bool,
    each: bool,
    sampled: int,
    good_share: float,
    false_yes: float,
    false_no: float,
    seed: int,
    output_format: str,
) -> None:
    """Dynamic consensus: images count as good or bad as soon as a table of votes is sure.

    VOTES is a table with the columns image, vote (yes or no, in the order in which they were
    given), and class where there are several. Of each class, images with --first-votes or more make
    its table: the share of good images after so many yes and no, by the majority of all their
    votes. The votes of every other image are read until the table is sure (Russakovsky et al. 2015,
    section 3.1.3). Classes without such images are left out, and named.

    --simulate compares this with majorities of fixed numbers of votes, on SIMULATED images and
    people.

    \b
    graphzsl study ilsvrc labelling consensus votes.csv
    graphzsl study ilsvrc labelling consensus votes.csv --table
    graphzsl study ilsvrc labelling consensus --simulate 2000 --false-no 0.2
    """
    if (votes is None) == (simulate is None):
        raise click.UsageError("Give a table of VOTES, or --simulate IMAGES.")
    if of_table and each:
        raise click.UsageError("Give --table or --each, not both.")
    option_requires("of_table", "each", when=votes is not None, needs="a table of VOTES")
    simulated = ("sampled", "good_share", "false_yes", "false_no", "seed")
    option_requires(*simulated, when=simulate is not None, needs="--simulate")
    if votes is not None:
        emit(_of_table(votes, first_votes, sure, prior, of_table, each), output_format)
        return

    assert simulate is not None
    people = (simulate, sampled, good_share, false_yes, false_no)
    emit(ilsvrc.simulated_consensus(*people, first_votes, sure, prior, seed), output_format)
    note("Simulated images and people.")


def _of_table(
    path: Path, first_votes: int, sure: float, prior: float, of_table: bool, each: bool
) -> Iterator[dict[str, Any]]:
    """The rows of a table of votes, class by class; a note names classes without a first sample.
    DataError where none has one."""
    found = sources.read_votes(path)
    most = {name: max(map(len, images.values())) for name, images in found.of_class.items()}
    without = [name for name in most if most[name] < first_votes]
    votes = counted(first_votes, "vote")
    if len(without) == len(most):
        raise DataError(
            f"{path}: no image has {votes}, which make the table. Ask more people about some images"
            " drawn at random, or lower it.",
            argument="first_votes",
        )
    for name in (name for name in most if most[name] >= first_votes):
        own: dict[str, Any] = {"wnid": name} if name else {}
        table, decisions = ilsvrc.consensus(found, first_votes, sure, prior, of_class=name)
        if of_table:
            yield from (own | row for row in table.rows())
        elif each:
            yield from (own | one.row(image) for image, one in decisions.items())
        else:
            yield own | ilsvrc.consensus_counts(decisions)
    if without:
        classes = counted(len(without), "class has", "classes have")
        listed = some([name or "without a name" for name in without])
        note(f"{classes} no image with {votes}, and no table: {listed}.")


@labelling.command()
@click.argument("plans", nargs=-1, required=True, metavar="IMAGESxQUESTIONS...")
@option("--votes", Real(0, min_open=True), 1.0, "People per question.")
@option("--seconds", Real(0, min_open=True), None, "Seconds that a question takes.")
@output_options
def cost(plans: tuple[str, ...], votes: float, seconds: float | None, output_format: str) -> None:
    """Compute the cost of labelling plans: images × questions of each × people, beside the
    cheapest.

    Every one of 200 labels on 60,000 images takes 80 times as many questions as one label on
    150,000 (Russakovsky et al. 2015, section 3.3.3). Questions that form a hierarchy take fewer:
    their mean is questions_mean of `graphzsl study ilsvrc annotate`, which simulates it.

    \b
    graphzsl study ilsvrc labelling cost 60000x200 150000x1
    graphzsl study ilsvrc labelling cost 60000x200 60000x29.06 --votes 3 \\
      --seconds 2
    """
    emit(ilsvrc.plan_rows([ilsvrc.plan_of(text) for text in plans], votes, seconds), output_format)

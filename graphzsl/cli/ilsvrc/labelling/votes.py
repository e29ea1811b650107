"""``graphzsl study ilsvrc labelling consensus | cost``: how many people to ask, and its cost."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import click

from graphzsl.cli.ilsvrc.labelling.group import command
from graphzsl.cli.options import each_option, option_requires, output_options, seed_option
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import INPUT, Real, Whole
from graphzsl.common import counted, some


@command.command()
@click.argument("votes", type=INPUT, required=False)
@click.option(
    "--simulate",
    type=Whole(2),
    metavar="IMAGES",
    help="Simulate the votes on so many images instead.",
)
@click.option(
    "--first-votes",
    type=Whole(1),
    default=10,
    show_default=True,
    help="Images with so many votes or more make the table.",
)
@click.option(
    "--sure",
    type=Real(0.5, 1),
    default=0.95,
    show_default=True,
    help="How sure the table must be that an image is good, or bad.",
)
@click.option(
    "--prior",
    type=Real(0),
    default=0.0,
    show_default=True,
    help="Good and bad images that every place of the table has beforehand, each so many.",
)
@click.option("--table", "of_table", is_flag=True, help="The table: one row per yes and no.")
@each_option("One row per image: good, bad or open, which takes more votes.")
@click.option(
    "--sampled",
    type=Whole(1),
    default=100,
    show_default=True,
    help="Simulated images that make the table.",
)
@click.option(
    "--good-share", type=Real(0, 1), default=0.5, show_default=True, help="Good simulated images."
)
@click.option(
    "--false-yes",
    type=Real(0, 1),
    default=0.1,
    show_default=True,
    help="Rate of a simulated yes for a bad image.",
)
@click.option(
    "--false-no",
    type=Real(0, 1),
    default=0.1,
    show_default=True,
    help="Rate of a simulated no for a good image.",
)
@seed_option("Seed of the simulation.")
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
    if simulate is not None:
        from graphzsl.ilsvrc import simulated_consensus

        rows = simulated_consensus(
            simulate,
            sampled,
            good_share,
            false_yes,
            false_no,
            first_votes=first_votes,
            confidence=sure,
            prior=prior,
            seed=seed,
        )
        emit(rows, output_format)
        note("Simulated images and people.")
        return
    assert votes is not None
    emit(_of_table(votes, first_votes, sure, prior, of_table, each), output_format)


def _of_table(
    path: Path, first_votes: int, sure: float, prior: float, of_table: bool, each: bool
) -> Iterator[dict[str, Any]]:
    """The rows of a table of votes, class by class; a note names classes without a first sample.
    DataError where none has one."""
    from graphzsl.common import DataError
    from graphzsl.ilsvrc import consensus, consensus_counts
    from graphzsl.sources import read_votes

    found = read_votes(path)
    mark = {"simulated": True} if found.simulated else {}
    without = [
        name
        for name, images in found.of_class.items()
        if max(map(len, images.values())) < first_votes
    ]
    votes = counted(first_votes, "vote")
    if len(without) == len(found.of_class):
        raise DataError(
            f"{path}: no image has {votes}, which make the table. Ask more people about some images"
            " drawn at random, or lower it.",
            argument="first_votes",
        )
    left_out = set(without)
    for name in found.of_class:
        if name in left_out:
            continue
        own: Mapping[str, Any] = {"wnid": name} if name else {}
        table, decisions = consensus(found, first_votes, sure, prior, of_class=name)
        if of_table:
            yield from ({**own, **row} for row in table.rows())
        elif each:
            for image, one in decisions.items():
                label = "open" if one.good is None else "good" if one.good else "bad"
                row = {"image": image, "label": label, "votes": one.votes}
                yield {**own, **row, "good_share": one.share, "sampled": one.sampled, **mark}
        else:
            yield {**own, **consensus_counts(decisions)}
    if without:
        classes = counted(len(without), "class has", "classes have")
        listed = some([name or "without a name" for name in without])
        note(f"{classes} no image with {votes}, and no table: {listed}.")


@command.command()
@click.argument("plans", nargs=-1, required=True, metavar="IMAGESxQUESTIONS...")
@click.option(
    "--votes",
    type=Real(0, min_open=True),
    default=1.0,
    show_default=True,
    help="People per question.",
)
@click.option("--seconds", type=Real(0, min_open=True), help="Seconds that a question takes.")
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
    from graphzsl.ilsvrc import plan_of, plan_rows

    emit(plan_rows([plan_of(text) for text in plans], votes, seconds), output_format)

"""``graphzsl look``: one synset on one screen."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from graphzsl import analysis
from graphzsl.cli.connection import running_database
from graphzsl.cli.groups import Command
from graphzsl.cli.options import (
    LISTED,
    length_option,
    option_requires,
    output_options,
    train_option,
    valid_option,
)
from graphzsl.cli.output import emit, is_table, keep, note, show
from graphzsl.cli.tables import terminal_width
from graphzsl.common import counted, step

if TYPE_CHECKING:
    from graphzsl.analysis import Named, SynsetPage

#: Columns of the longest lines: in longer ones the eye loses its line.
WIDEST = 200
#: Synsets of a list that are shown, columns of the labels, lines of a value.
SHOWN, LABEL, LINES = 6, 13, 3
#: A space at which no line ends: a name and its wnid stay together.
TIED = "\xa0"


@click.command(cls=Command)
@click.argument("synset")
@click.argument("other", required=False)
@train_option(LISTED)
@valid_option(f"{LISTED}; the inherited population is of these", "imagenet-fall11")
@length_option("least number of members of the hCorrectSet", 5)
@output_options
def command(
    synset: str, other: str | None, train: str, valid: str, k: int, output_format: str
) -> None:
    """All that is known of one class: SYNSET is a wnid, a name, or a word. Beside OTHER: the lowest
    common ancestors of both, their heights, and the hops between the two.

    Of a word the sense that is tagged most often in text; where none is, the first that is a
    valid label.
    Words, gloss, other senses, hypernyms, hyponyms, population, class sets, the closest training
    classes, and its hCorrectSet. No server is needed; one that runs adds its class sets and
    populations.

    \b
    graphzsl look dog
    graphzsl look "german shepherd"
    graphzsl look fox -k 20 --valid imagenet-fall11 --train ilsvrc2012
    graphzsl look n02084071 --format json
    graphzsl look dog cat
    """
    option_requires("train", "k", when=other is None, needs="one class, without OTHER")
    if other is not None:
        with step(f"looking up {synset} and {other}"):
            rows = analysis.look_between(synset, other, valid, running_database())
        emit(rows, output_format)
        return
    with step(f"looking up {synset}"):
        page = analysis.look(synset, train, valid, k, running_database())
    row = page.to_dict()
    keep([row])
    if is_table(output_format):
        click.echo("\n".join(page_lines(page, min(terminal_width(), WIDEST))))
    elif output_format == "json":
        click.echo(json.dumps(row, ensure_ascii=False, indent=2))
    else:
        show([row], output_format)
    if page.hcorrect_set and len(page.hcorrect_set.members) < k:
        reached = counted(len(page.hcorrect_set.members), "class", "classes")
        note(f"The hCorrectSet has fewer than k = {k:,} members: {reached} of {valid} is all.")


def page_lines(page: SynsetPage, width: int) -> Iterator[str]:
    """The page in lines of at most so many columns."""
    head = f"{page.name}{TIED * 2}{page.wnid}{TIED * 2}{', '.join(page.words)}"
    for line in wrap(head, width, subsequent_indent="  ", break_on_hyphens=False):
        yield line.replace(TIED, " ")
    yield from _wrapped("", page.gloss, width)
    for label, value in _values(page):
        yield from _wrapped(label, value, width)


def _values(page: SynsetPage) -> Iterator[tuple[str, str]]:
    if page.other_senses:
        total = counted(len(page.other_senses), "other sense")
        yield "senses", f"{total} of {page.word} (* a class): {_listed(page.other_senses)}"
    yield "hypernyms", _listed(page.hypernyms) or "none: it is a root"
    if len(page.way_up) > 1:
        yield "up to root", " > ".join(each.name for each in page.way_up)
    yield "depth", str(page.depth)
    below = f"{len(page.hyponyms):,}, {counted(page.descendants, 'descendant')}: "
    yield "hyponyms", below + _listed(page.hyponyms) if page.hyponyms else "none: it is a leaf"
    if page.population is not None:
        yield "population", counted(page.population, "image")
    elif page.inherited_population:
        yield "population", "unknown"
    inherited = page.inherited_population
    if inherited and inherited.classes:
        yield (
            "inherited",
            f"{inherited.population_mean:,.1f}".removesuffix(".0") + " images, mean of the"
            f" {counted(inherited.classes, 'class', 'classes')} of {inherited.valid} at or"
            " below it",
        )
    yield "class sets", ", ".join(page.class_sets) or "none"
    training = page.training
    if training.hops is None:
        yield "training", f"no class of {training.train} is reachable"
    elif training.hops == 0:
        yield "training", f"it is a training class ({training.train})"
    else:
        ties = f", {len(training.closest):,} ties" if len(training.closest) > 1 else ""
        yield (
            "training",
            f"{counted(training.hops, 'hop')} to {training.train}{ties}:"
            f" {_listed(training.closest)}",
        )
    hcorrect = page.hcorrect_set
    if hcorrect:
        yield (
            "hCorrectSet",
            f"k {hcorrect.k}: {counted(len(hcorrect.members), 'class', 'classes')} of"
            f" {hcorrect.valid} within {counted(hcorrect.radius, 'hop')}:"
            f" {_listed(hcorrect.members)}",
        )


def _listed(synsets: Sequence[Named]) -> str:
    text = ", ".join(
        f"{each.name}{TIED}{each.wnid}{'*' if getattr(each, 'is_class', False) else ''}"
        for each in synsets[:SHOWN]
    )
    more = len(synsets) - SHOWN
    return text + (f" and {more:,} more" if more > 0 else "")


def _wrapped(label: str, value: str, width: int) -> Iterator[str]:
    indent = " " * LABEL
    lines = wrap(
        value,
        width,
        initial_indent=label.ljust(LABEL) if label else "  ",
        subsequent_indent=indent if label else "  ",
        max_lines=LINES,
        placeholder=" …",
        break_on_hyphens=False,
        break_long_words=False,
    )
    yield from (line.replace(TIED, " ") for line in lines)

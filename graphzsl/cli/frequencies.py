"""``graphzsl study frequencies``: counting word labels in text, and how they are distributed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from graphzsl import analysis, sources
from graphzsl.analysis import LABEL_REDUCERS
from graphzsl.cli.connection import database, settings
from graphzsl.cli.groups import Group
from graphzsl.cli.options import (
    option,
    option_requires,
    out_option,
    output_options,
    scheduler_option,
    stored_universe_option,
    workers_option,
)
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import FILE_OR_URL, Whole, Written


@click.group("frequencies", cls=Group)
def command() -> None:
    """Count the word labels of WordNet's nouns in text, and look at their distribution.

    \b
    graphzsl study frequencies count \\
      enwiki-latest-pages-articles-multistream.xml.bz2 \\
      --out words.csv
    graphzsl load frequencies words.csv
    graphzsl study frequencies distribution
    graphzsl split windows all --by frequency
    """


@command.command()
@click.argument("texts", metavar="TEXT...", type=FILE_OR_URL, nargs=-1, required=True)
@out_option(Written(".csv"), "Table word,frequency to write: all 119,034 labels, with a manifest.")
@click.option(
    "--match-case", is_flag=True, help="Upper and lower case differ (default: they are one)."
)
@workers_option("read (default: one a core)", kind=Whole(1))
@click.option(
    "--index",
    type=FILE_OR_URL,
    help=(
        "With --scheduler: the index of a multistream dump (default: the file of that name beside"
        " it)."
    ),
)
@scheduler_option
def count(texts: tuple[str, ...], out: Path, **how: Any) -> None:
    """Count every word label in TEXT: a text file (also .gz, .bz2, .xz) or a MediaWiki dump
    (.xml.bz2); of several, all occurrences together.

    One pass for all labels, phrases too. An occurrence is a whole word or phrase; overlapping ones
    all count. Case is ignored, apostrophes are dropped, every other sign separates words. A written
    form that is a label itself counts for that label; any other counts for the labels that
    WordNet's noun morphology derives from it (dogs for dog, geese for goose). What is done is kept
    in OUT.state: the same command goes on there when it was interrupted. A text may also be a URL
    that fsspec opens (s3://bucket/file). With --scheduler, processes read parts of the texts by
    themselves: of plain text, and of a multistream dump by its index.

    \b
    graphzsl study frequencies count \\
      enwiki-latest-pages-articles-multistream.xml.bz2 \\
      --out words.csv
    graphzsl study frequencies count \\
      enwiki-latest-pages-articles-multistream.xml.bz2 \\
      --scheduler local:8 --out words.csv
    """
    option_requires("index", when=how["scheduler"], needs="--scheduler")
    option_requires(
        "workers", when=how["scheduler"] is None, needs="the command without --scheduler"
    )
    if how["index"] is not None and len(texts) > 1:
        raise click.UsageError("--index is of one dump. Give one TEXT, or leave --index out.")
    counted = analysis.write_frequencies(
        texts, out, sources.WordNet(sources.wordnet_folder(settings())), **how
    )
    speed = counted.read / 1e6 / counted.seconds
    went_on = f", going on at {counted.resumed_at:,}" if counted.resumed_at else ""
    note(
        f"{counted.counts.sum():,} occurrences of {int((counted.counts > 0).sum()):,} of"
        f" {len(counted.counts):,} labels in {out}{went_on} ({counted.read / 1e6:,.1f} MB of text,"
        f" {speed:.1f} MB/s)."
    )


@command.command()
@stored_universe_option
@option(
    "--reducer",
    click.Choice(list(LABEL_REDUCERS)),
    "max",
    "How the frequencies of a class's labels become one.",
)
@output_options
def distribution(universe: str, reducer: str, output_format: str) -> None:
    """Count the labels and classes that occur fewer than so many times (cumulative; labels are
    distinct words, case ignored).

    Those whose frequency is unknown (phrases, where a package of single words was loaded) are in no
    row and no share; how many they are stands below the table.

    \b
    graphzsl study frequencies distribution --reducer max
    """
    from graphzsl.database import frequency_scale

    db = database()
    words = analysis.read_words(db, universe)
    emit(analysis.frequency_distribution(words, reducer), output_format)
    labels, classes = analysis.without_frequency(words, reducer)
    if labels:
        note(f"{labels:,} labels and {classes:,} classes have no frequency, and are not counted.")
    note(f"Frequencies: {frequency_scale(db)}.")

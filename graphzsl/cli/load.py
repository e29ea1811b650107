"""``graphzsl load``: sources into the database."""

from __future__ import annotations

from pathlib import Path

import click

from graphzsl import sources
from graphzsl.cli.classes import is_usual, senses_named
from graphzsl.cli.completion import LISTS
from graphzsl.cli.connection import database, settings
from graphzsl.cli.groups import Group
from graphzsl.cli.options import (
    PACKAGED_FREQUENCIES,
    force_option,
    list_option,
    option_requires,
    output_options,
    senses_option,
)
from graphzsl.cli.output import emit, note
from graphzsl.cli.types import INPUT, NameOrFile
from graphzsl.common import step


@click.group(cls=Group)
def command() -> None:
    """Load WordNet, class sets, populations, frequencies, the release hierarchy.

    A file is checked to its last row before anything of it is kept. Loading again replaces what
    that source gave.

    \b
    graphzsl load wordnet
    graphzsl load class-set imagenet-fall11
    graphzsl load class-set mine --file classes.txt
    """


@command.command()
@force_option("load again although this WordNet is already there")
@click.option(
    "--folder",
    type=INPUT,
    help="Folder with the WordNet 3.0 database files (default: found or fetched).",
)
@click.option(
    "--relations",
    is_flag=True,
    help="Also meronyms, antonyms, topics and regions, which no hierarchy or split counts.",
)
def wordnet(force: bool, folder: Path | None, relations: bool) -> None:
    """The nouns of WordNet 3.0: synsets, hypernym edges, words and labels (about half a minute).

    In an empty home Neo4j is fetched and started first, which makes it about two minutes. An empty
    database of graphzsl's own is filled by Neo4j's importer, for which its server is stopped and
    started again; others through the driver. The graph is the same. A database that an earlier
    version of graphzsl loaded is brought up to date.

    \b
    graphzsl load wordnet
    """
    from contextlib import nullcontext
    from dataclasses import replace

    from graphzsl.database import LocalServer, alone, load_relations, load_wordnet, loaded_wordnet

    config = settings()
    own = force or folder or config.wordnet
    # a home that is not there has no server to be stopped
    with alone(config) if LocalServer(config).home.exists() else nullcontext():
        is_new = config.local and LocalServer(config).is_new()
        if not (is_new or own or relations) and (there := loaded_wordnet(database())):
            # WordNet's files are not read for this answer
            note(
                f"WordNet 3.0 is already loaded: {there['synsets']:,} synsets,"
                f" {there['hypernyms'] + there['instance_hypernyms']:,} hypernym edges,"
                f" {there['words']:,} words, {there['labels']:,} labels (--force loads it again)."
            )
            return
        if folder:
            config = replace(config, wordnet=folder)
        with step("checking WordNet's files"):
            source = sources.WordNet(sources.wordnet_folder(config))
        loaded = load_wordnet(config, source, force)
        note(
            "WordNet 3.0 is loaded."
            if loaded
            else "WordNet 3.0 is already loaded (--force loads it again)."
        )
        if relations:
            with step("loading other relations"):
                count = load_relations(database(), source)
            note(f"Other relations: {count:,} edges.")


@command.command("class-set")
@click.argument("name", required=False, shell_complete=LISTS)
@click.option(
    "--file",
    "path",
    type=INPUT,
    help="File with one class per line, as a wnid, a name like dog.n.01 or a word"
    " (default: the shipped list NAME).",
)
@click.option(
    "--replace",
    is_flag=True,
    help="Also replace a split or selection of that name, or a list that others derive from.",
)
@senses_option
@list_option("the names that need no file")
@output_options
def class_set(
    name: str | None, path: Path | None, replace: bool, is_listed: bool, output_format: str
) -> None:
    """A set of classes: a shipped list by NAME, or your own from a file under the NAME that you
    give it.

    \b
    graphzsl load class-set imagenet-fall11
    graphzsl load class-set mine --file mine.txt
    """
    from graphzsl.database import load_class_set

    option_requires("path", "replace", when=not is_listed, needs="a NAME to load, without --list")
    if is_listed and name:
        raise click.UsageError(f"--list loads nothing: leave out {name!r}, or --list.")
    if is_listed:
        rows = (
            {"name": key, "classes": shipped.title}
            for key, shipped in sources.class_lists().items()
        )
        emit(rows, output_format)
        return
    if not name:
        raise click.UsageError("Give a NAME, or --list to see the known ones.")
    option_requires("senses", when=path, needs="--file: shipped lists are of wnids")
    with step(f"loading {name}"), senses_named():
        count = load_class_set(database, name, path, replace, is_usual())
    note(f"Class set {name}: {count:,} classes.")


@command.command()
@click.argument("path", type=INPUT, required=False)
def populations(path: Path | None) -> None:
    """Images per class. Without PATH: those of ImageNet's Fall 2011 release.

    PATH is ImageNet's ReleaseStatus XML, a wnid,images table, or a folder of image folders to
    count.

    \b
    graphzsl load populations
    graphzsl load populations ReleaseStatus.xml
    """
    from graphzsl.database import load_populations

    with step("loading populations"):
        count = load_populations(database, path)
    note(f"Populations of {count:,} classes.")


@command.command()
@click.argument(
    "source", type=NameOrFile(*PACKAGED_FREQUENCIES), metavar="wordfreq|symspell|wikipedia|FILE"
)
def frequencies(source: Path | str) -> None:
    """Occurrences of word labels in a corpus: a word,frequency table, or a package's.

    wordfreq (occurrences per billion words, of several corpora), symspell (counts of Google's
    n-grams) and wikipedia (counts of the English Wikipedia) are read from the packages wordfreq,
    symspellpy and pywordfreq where they are installed (pip install 'graphzsl[words]'), for labels
    of a single word. Phrases and words that they do not list have no frequency then: that is
    unknown, not 0. Their scales differ, and one load replaces all frequencies of before.

    \b
    graphzsl load frequencies words.csv
    graphzsl load frequencies wordfreq
    """
    from graphzsl.database import load_frequencies, load_packaged_frequencies

    with step("loading frequencies"):
        if isinstance(source, str):
            found, single, every = load_packaged_frequencies(database, source)
        else:
            count, unknown = load_frequencies(database, source)
    if isinstance(source, str):
        note(
            f"Frequencies of {found:,} words: of {single:,} labels of one word among {every:,}."
            f" The other {every - found:,} have none."
        )
        return
    note(f"Frequencies of {count:,} words.")
    if unknown:
        note(
            f"{len(unknown):,} words of the file label no noun synset and were left out, e.g."
            f" {', '.join(unknown[:5])}."
        )


@command.command()
@click.argument("path", type=INPUT, required=False)
def hierarchy(path: Path | None) -> None:
    """ImageNet's release hierarchy. Without PATH: that of the Fall 2011 release.

    PATH is a structure_released.xml, or a child,parent table.

    \b
    graphzsl load hierarchy
    graphzsl load hierarchy structure_released.xml
    """
    from graphzsl.database import load_hierarchy

    with step("loading the release hierarchy"):
        count = load_hierarchy(database, path)
    note(f"Release hierarchy: {count:,} edges.")

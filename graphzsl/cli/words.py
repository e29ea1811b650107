"""``graphzsl study words``: polysemy and primary meanings."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl import analysis, data, embeddings, reports
from graphzsl.analysis import MEANING_RULES
from graphzsl.cli.classes import is_listed, read_classes
from graphzsl.cli.columns import Kind, number
from graphzsl.cli.connection import database, running_database
from graphzsl.cli.groups import Group
from graphzsl.cli.options import (
    LISTED,
    figure_option,
    hierarchy_option,
    length_option,
    option,
    option_requires,
    output_options,
    packaged_vectors_option,
    store_option,
    universe_option,
)
from graphzsl.cli.output import emit, is_table, keep, note, show
from graphzsl.cli.types import NEW_NAME, WORDNET
from graphzsl.common import require, step
from graphzsl.database import query

if TYPE_CHECKING:
    from graphzsl.analysis import Words
    from graphzsl.database import Database

#: What a word may be shared with.
SHARED = ("other_classes", "other_synsets", "any_part_of_speech")
UNIVERSE = universe_option(f"{LISTED}; all of its classes count")


@click.group("words", cls=Group)
def command() -> None:
    """Analyse the words of classes: shared labels, primary meanings, neighbours.

    \b
    graphzsl study words polysemy
    """


@command.command()
@UNIVERSE
@output_options
def polysemy(universe: str, output_format: str) -> None:
    """Count labels and classes that share a word, under every reading of the literature's 50 %
    and 38 %.

    A word is shared with another class of the set, with another noun synset, or with any part of
    speech; counted over labels, over labels of one word, and over classes (a class counts when one
    of its labels is shared). Case is ignored. No server is needed for a shipped list or a file of
    classes; senses in other parts of speech are known to the database alone.

    \b
    graphzsl study words polysemy
    """
    db = _database_with(universe)
    rows = _words(universe, db).polysemy()
    for row in rows:
        for key in SHARED:
            is_known = row[key] is not None and row["total"]
            row[f"{key}_share"] = row[key] / row["total"] if is_known else None
    keep(rows)
    show(_joined(rows) if is_table(output_format) else rows, output_format)
    if db is None:
        note("any_part_of_speech needs the database: WordNet's files of nouns have no other parts.")


def _joined(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with each count and its share in one column, which 80 columns hold."""
    return [
        {"unit": row["unit"], "total": row["total"]}
        | {
            key.replace("_", " "): f"{row[key]:,} ({number(row[f'{key}_share'], Kind.SHARE)})"
            for key in SHARED
            if row[f"{key}_share"] is not None
        }
        for row in rows
    ]


def _database_with(universe: str) -> Database | None:
    """The database that runs, unless it lacks a class set that is a shipped list or a file."""
    db = running_database()
    if db is None or not is_listed(universe):
        return db
    stored = {row["name"] for row in db.rows(query("class_sets"))}
    return db if universe in stored else None


def _words(universe: str, db: Database | None) -> Words:
    """The words of a class set of the database; without one, of a shipped list or a file."""
    from graphzsl.hierarchy import Lexicon

    if db is not None:
        return analysis.read_words(db, universe)
    return analysis.words_of(Lexicon.load(), universe, read_classes(universe, argument="universe"))


@command.command()
@click.argument("words", nargs=-1, required=True, metavar="WORD...")
@packaged_vectors_option(required=True)
@length_option("neighbours of each word", 100)
@figure_option("all of them in their plane")
@output_options
def neighbours(
    words: tuple[str, ...],
    vectors: str | Path,
    k: int,
    figure: Path | None,
    output_format: str,
) -> None:
    """The nearest words of each WORD by the cosine of word vectors, and their places in a plane.

    Where a word of several meanings has its neighbours shows which of them its vector is of
    (Hascoet et al. 2019, figure 4, with 100 neighbours). x and y are the first two principal
    components of the unit vectors listed. Rank 0 is the word itself. No server is needed.

    \b
    graphzsl study words neighbours crane queen --vectors glove-6b-50d -k 10
    graphzsl study words neighbours crane --vectors glove-6b-50d \\
      --figure crane.svg
    """
    if figure:
        require("matplotlib")
    with step("word vectors"):
        rows = embeddings.nearest_words(data.open_vectors(vectors), words, k)
    if figure:
        reports.draw_neighbours(rows, figure)
        note(f"The picture is {figure}.")
    emit(rows, output_format)


@command.command()
@option(
    "--rule",
    click.Choice(MEANING_RULES),
    "sense-counts",
    "single: the word names one synset; first-sense: WordNet's first; sense-counts: most tagged"
    " among the classes; neighbours: by word vectors.",
)
@packaged_vectors_option("for neighbours, ")
@click.option("--term", "word", help="Only this word.")
@store_option("the classes that are primary for a label")
@click.option(
    "--store-secondary",
    type=NEW_NAME,
    help="Store the other classes too, which are primary for none of their labels.",
)
@UNIVERSE
@hierarchy_option
@output_options
def meaning(
    rule: str,
    vectors: Path | str | None,
    word: str | None,
    store: str | None,
    store_secondary: str | None,
    universe: str,
    hierarchy: str,
    output_format: str,
) -> None:
    """Show the class that each shared word means first, and the classes that are primary for at
    least one of their labels.

    No server is needed for a shipped list or a file of classes; --store, and --hierarchy other
    than wordnet, need one.

    \b
    graphzsl study words meaning --term queen
    graphzsl study words meaning --rule first-sense --store primary
    graphzsl study words meaning --rule neighbours --vectors glove-6b-50d
    """
    option_requires("vectors", "hierarchy", when=rule == "neighbours", needs="--rule neighbours")
    loaded = None
    if rule == "neighbours":
        if vectors is None:
            raise click.UsageError("--rule neighbours needs --vectors glove-6b-50d or a FILE.")
        loaded = data.open_vectors(vectors)
    is_stored = store or store_secondary or hierarchy != WORDNET
    db = database() if is_stored else _database_with(universe)
    if word is not None:
        word = word.replace("_", " ")
        if db is None:
            analysis.require_word(word)
        else:
            db.rows(query("synsets_of_word"), text=word)  # DataError for an unknown word
    with step(f"meanings of the words of {universe}"):
        rows = analysis.meanings(db, _words(universe, db), rule, hierarchy, loaded)
    kept = analysis.survivors(rows)
    shared = [row for row in rows if row.classes > 1]
    shown = shared if word is None else [row for row in rows if row.text.lower() == word.lower()]
    columns = ("wnid", "name", "text", "primary", "score", "classes")
    emit((vars(row) for row in shown), output_format, columns)
    if word is not None and not shown:
        note(f"No class of {universe} has the word {word!r}.")
    others = {row.wnid for row in rows} - kept
    total = len(kept) + len(others)
    note(
        f"{len(kept):,} of {total:,} classes are the primary meaning of one of their labels"
        f" ({rule})."
    )
    for name, classes, side in ((store, kept, "primary"), (store_secondary, others, "secondary")):
        if name:
            chosen = {"universe": universe, "rule": rule, "meaning": side}
            _store(name, classes, {**chosen, "parameters": {"vectors": vectors and str(vectors)}})


def _store(name: str, classes: Iterable[str], provenance: dict[str, Any]) -> None:
    from graphzsl.database import store_class_set

    wnids = sorted(classes)
    store_class_set(database(), name, wnids, {**provenance, "query": "class_labels"})
    note(f"Stored as {name}: {len(wnids):,} classes.")

"""``graphzsl study populations``: images per class."""

from __future__ import annotations

import click

from graphzsl import analysis, splits
from graphzsl.cli.connection import database
from graphzsl.cli.groups import Group
from graphzsl.cli.options import (
    STORED,
    option,
    output_options,
    size_option,
    store_option,
    stored_universe_option,
    train_option,
)
from graphzsl.cli.output import emit, note, store_classes
from graphzsl.cli.types import Whole
from graphzsl.database import query


@click.group("populations", cls=Group)
def command() -> None:
    """Populations: images per class, from `graphzsl load populations`.

    \b
    graphzsl load populations
    graphzsl study populations distribution
    """


@command.command()
@click.argument("which", type=click.Choice(["most", "least"]))
@size_option("several by repeating it", (500, 1000, 5000), multiple=True)
@store_option("each set is a split, NAME-500, NAME-1000, …")
@train_option(STORED)
@stored_universe_option
@output_options
def ranked(
    which: str,
    size: tuple[int, ...],
    store: str | None,
    train: str,
    universe: str,
    output_format: str,
) -> None:
    """The MOST or LEAST populated classes outside the training classes, nested (Xian et al. 2017:
    500, 1K, 5K).

    \b
    graphzsl study populations ranked most --size 500 --size 1000 --store most
    """
    rows = splits.populated_splits(database(), size, which == "most", train, universe, store)
    if store:
        for row in rows:
            note(f"Stored as {row['name']}.")
    emit(rows, output_format)


@command.command("filter")
@option("--above", Whole(0), 300, "Keep classes with more images than this.")
@store_option()
@stored_universe_option
@output_options
def filter_(above: int, store: str | None, universe: str, output_format: str) -> None:
    """Classes with more than so many images; unknown is not more.

    \b
    graphzsl study populations filter --above 300 --store populated
    """
    db = database()
    known = analysis.require_populations(db, universe)
    rows = db.rows(query("populated_above"), class_set=universe, images=above)
    emit(rows, output_format, ("wnid", "name", "population"))
    note(
        f"{len(rows):,} of the {len(known):,} classes of {universe} with a population have more"
        f" than {above:,} images."
    )
    if store:
        statement = query("populated_above")
        store_classes(
            store,
            [row["wnid"] for row in rows],
            universe=universe,
            query=statement.name,
            query_sha256=statement.sha256,
            parameters={"images": above},
        )


@command.command()
@stored_universe_option
@output_options
def distribution(universe: str, output_format: str) -> None:
    """Count the classes by their numbers of images.

    \b
    graphzsl study populations distribution
    """
    db = database()
    analysis.require_populations(db, universe)
    emit(
        analysis.population_steps(db.rows(query("population_distribution"), class_set=universe)),
        output_format,
    )


@command.command()
@click.option(
    "--by-depth", is_flag=True, help="Mean population at every distance to the root instead."
)
@stored_universe_option
@output_options
def depth(by_depth: bool, universe: str, output_format: str) -> None:
    """Correlation of population and depth: Pearson, Spearman.

    \b
    graphzsl study populations depth --by-depth
    """
    db = database()
    if by_depth:
        analysis.require_populations(db, universe)
        emit(db.rows(query("population_by_depth"), class_set=universe), output_format)
        return
    emit(analysis.population_depth_correlations(db, universe), output_format)

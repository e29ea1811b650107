"""``graphzsl split build | recipes | publish | verify``: benchmarks from recipes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl.cli.common import INPUT, emit, is_table, keep, note, output_options, show
from graphzsl.cli.completion import RECIPES, SPLITS
from graphzsl.cli.connection import database, settings
from graphzsl.cli.names import with_names
from graphzsl.cli.paths import Folder
from graphzsl.cli.split.group import command

if TYPE_CHECKING:
    from graphzsl.benchmark.build import Built

#: With more exclusions than these a table shows their sum.
FEW = 20


@command.command("build")
@click.argument("recipes", nargs=-1, shell_complete=RECIPES)
@click.option("--dry-run", is_flag=True, help="Print without storing the class sets.")
@output_options
def build_(recipes: tuple[str, ...], dry_run: bool, output_format: str | None) -> None:
    """Choose the test classes of a benchmark by a recipe, and store them as a split under the
    recipe's name.

    RECIPES are names of shipped recipes (`graphzsl split recipes`) or .toml files; without one,
    `default`. Every step prints what it keeps; several recipes print side by side. R is the mean
    structural ratio, and `bound` is what no choice under the same rules exceeds. Sets of one R
    exist: `tied_classes` counts the classes that another candidate could replace at the same R.

    \b
    graphzsl split build                     # the default benchmark
    graphzsl split build default max-ratio   # what spreading over branches costs
    graphzsl split build my-recipe.toml
    """
    from graphzsl.benchmark.build import build, store
    from graphzsl.benchmark.recipe import DEFAULT, find_recipe

    db, checked = database(), [find_recipe(name) for name in recipes or (DEFAULT,)]
    done: list[Built] = []
    for recipe in checked:
        built = build(db, recipe)
        done.append(built)
        if not dry_run:
            store(db, built)
        note(
            f"{recipe.name}: {len(built.wnids):,} classes"
            + (" (not stored)." if dry_run else f", stored as the split {recipe.name}.")
        )
        _say_ties(built)
    summaries, columns = with_names([_summary(built) for built in done])
    keep(summaries, columns)
    if not is_table(output_format):
        show(summaries, output_format, columns)
        return
    for built in done:
        show(({"recipe": built.recipe.name, **row} for row in _folded(built)), "table")
    others = ("recipe", "steps", "recipe_sha256")
    measures = dict.fromkeys(key for row in summaries for key in row if key not in others)
    show(
        (
            {"measure": measure, **{row["recipe"]: row.get(measure) for row in summaries}}
            for measure in measures
        ),
        "table",
    )


@command.command()
@click.argument("name", required=False, shell_complete=RECIPES)
@output_options
def recipes(name: str | None, output_format: str | None) -> None:
    """List the shipped recipes, or print one as a file to start from.

    \b
    graphzsl split recipes
    graphzsl split recipes default > my-recipe.toml
    """
    from graphzsl.benchmark.recipe import find_recipe, read_recipe, shipped_recipes

    if name:
        click.echo(find_recipe(name).text, nl=False)
        return
    rows = []
    for path in shipped_recipes():
        recipe = read_recipe(path)
        rows.append(
            {"recipe": recipe.name, "size": recipe.size, "spread": recipe.spread, "doc": recipe.doc}
        )
    emit(rows, output_format)


@command.command("publish")
@click.argument("name", shell_complete=SPLITS)
@click.option("--out", type=Folder("benchmark"), required=True, help="Folder to write.")
def publish_(name: str, out: Path) -> None:
    """Write a benchmark as one folder that others can cite, use and check: a data set card,
    classes, names, hops, closest training classes, baselines of structure alone, statistics,
    recipe, Croissant, manifest.

    The same benchmark gives the same bytes. `graphzsl split verify FOLDER` re-checks it.

    \b
    graphzsl split publish default --out my-benchmark
    """
    from graphzsl.benchmark.publish import publish
    from graphzsl.hierarchy.lexicon import Lexicon

    published = publish(database(), name, out, Lexicon.load(settings()))
    note(
        f"{published['classes']:,} classes in {out}. Cite it with the recipe's checksum:"
        f" {published['recipe_sha256'][:12]}."
    )


@command.command("verify")
@click.argument("folder", type=INPUT)
@click.option(
    "--offline", is_flag=True, help="Check all but the recipe, without a database or a server."
)
@output_options
def verify_(folder: Path, offline: bool, output_format: str | None) -> None:
    """Re-check a published benchmark: checksums, overlaps, every file and statistic computed again,
    and the recipe run again. Exit status 3 when it fails; file and line of what differs are named.

    \b
    graphzsl split verify my-benchmark
    graphzsl split verify my-benchmark --offline   # all but the recipe
    """
    from graphzsl.benchmark.verify import verify
    from graphzsl.hierarchy.graph import Hierarchy
    from graphzsl.hierarchy.lexicon import Lexicon

    lexicon = Lexicon.load(settings())
    if offline:
        rows = verify(folder, None, lexicon, Hierarchy.load(settings()))
    else:
        rows = verify(folder, database(), lexicon)
    emit(rows, output_format)
    if any(row["ok"] is False for row in rows):
        raise SystemExit(3)
    unchecked = [row["check"] for row in rows if row["ok"] is None]
    note(
        f"{folder} is as published."
        + (f" Not checked here: {', '.join(unchecked)}." if unchecked else "")
    )


def _folded(built: Built) -> list[dict[str, Any]]:
    """The steps as rows of a table, with those of many exclusions as one."""
    rows = [step.row() for step in built.steps]
    excluded = [row for row in rows if row["step"] == "exclusion"]
    if len(excluded) <= FEW:
        return rows
    dropped, kept = sum(row["dropped"] for row in excluded), excluded[-1]["kept"]
    rule = f"not below {len(excluded)} synsets; each with its reason in `graphzsl split recipes`"
    counts = {"kept": kept, "dropped": dropped, "keep_ratio": kept / (kept + dropped)}
    one = {"step": "exclusion", "rule": rule, **counts}
    place = rows.index(excluded[0])
    return [*rows[:place], one, *rows[place + len(excluded) :]]


def _say_ties(built: Built) -> None:
    """On stderr, where a set of the same R could have been chosen."""
    found = built.statistics
    if found.get("tied_classes"):
        note(
            f"Ties: {found['tied_classes']:,} of them could each be exchanged for another candidate"
            f" at the same R. Which is in was decided by {found['ties_cut_by']}."
        )


def _summary(built: Built) -> dict[str, Any]:
    steps = [step.row() for step in built.steps]
    return {
        "recipe": built.recipe.name,
        **built.statistics,
        "steps": steps,
        "recipe_sha256": built.recipe.sha256,
    }

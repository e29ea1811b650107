"""``graphzsl split build | recipes | publish | verify``: benchmarks from recipes."""

from __future__ import annotations

from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from graphzsl import benchmark
from graphzsl.cli.classes import read_classes, read_hierarchy
from graphzsl.cli.completion import RECIPES, SPLITS
from graphzsl.cli.connection import database
from graphzsl.cli.names import with_names
from graphzsl.cli.options import (
    each_option,
    name_option,
    option_requires,
    out_option,
    output_options,
    senses_option,
    train_option,
    universe_option,
    wordnet_option,
)
from graphzsl.cli.output import emit, is_table, keep, note, show
from graphzsl.cli.split.group import command
from graphzsl.cli.types import INPUT, Folder
from graphzsl.common import DatabaseError, step

if TYPE_CHECKING:
    from collections.abc import Sequence

    from graphzsl.benchmark import Built, Compared, Inputs, Recipe

#: What tables call columns and statistics.
WORDS = {
    "keep_ratio": "share kept",
    "structural_ratio": "structural ratio R",
    "bound": "bound on R",
    "simple_bound": "simple bound on R",
    "gap": "gap to the bound",
    "tied_classes": "classes tied at the cut",
    "tied_candidates": "candidates tied with them",
    "nearly_tied_classes": "classes nearly tied",
    "nearly_tied_candidates": "candidates nearly tied",
    "ties_cut_by": "ties cut by",
    "train_hops_mean": "hops to the closest training class, mean",
    "train_hops_min": "the same, smallest",
    "effective_branches": "effective branches",
    "largest_branch": "largest branch",
    "largest_branch_name": "its name",
    "largest_branch_share": "its share of the classes",
    "population_min": "images of a class, fewest",
    "population_median": "the same, median",
    "population_max": "the same, most",
    "ancestor_pairs": "pairs of a class and its ancestor",
    "solvable_by_closest_class": "solvable by the closest training class",
    "nearest": "distance of the nearest class",
    "farthest": "distance of the farthest class",
    "published_size": "published classes",
    "size": "classes here",
    "both": "in both",
    "only_published": "only published",
    "only_here": "only here",
    "only_in": "only in",
    "example_name": "its name",
    "rank_by": "ranked by",
}
#: With more exclusions than these a table shows their sum.
FEW = 20
#: What is said where there is no database.
_WITHOUT_DATABASE = (
    "Without a database `--out FOLDER` writes the classes as lists, from files and shipped lists."
)
#: More checks than this that were not made are one row of a table.
_FEW_UNCHECKED = 3
#: A part of the reasons that name a way to make a check.
_WITH_DATABASE = "erify with a database"


@command.command("build")
@click.argument("recipes", nargs=-1, shell_complete=RECIPES)
@click.option("--dry-run", is_flag=True, help="Print without storing the class sets.")
@train_option("others than the recipe's; with --name, or its split is replaced", None)
@universe_option("another than the recipe's, from which the classes are drawn", None)
@name_option("what is built, in place of the recipe's name")
@out_option(
    Folder("classes"),
    "Write the classes as lists to this folder instead of storing them. Class sets are then"
    " files or shipped lists, and no database is needed.",
    required=False,
)
@wordnet_option(", of --out", populations="takes the populations of ImageNet's Fall 2011")
@senses_option
@each_option("every class that a published list and a level do not share")
@output_options
def build_(
    recipes: tuple[str, ...],
    dry_run: bool,
    train: str | None,
    universe: str | None,
    name: str | None,
    out: Path | None,
    wordnet: Path | str,
    each: bool,
    output_format: str,
) -> None:
    """Choose the test classes of a benchmark by a recipe, and store them as a split under the
    recipe's name.

    RECIPES are names of shipped recipes (`graphzsl split recipes`) or .toml files; without one,
    `default`. docs/benchmarks.md has all keys of a recipe. Every step prints what it keeps; several
    recipes print side by side. R is the mean structural ratio, and `bound` is what no choice under
    the same rules exceeds. Sets of one R exist: `tied_classes` counts the classes that another
    candidate could replace at the same R.

    A recipe that ranks classes by their distance to the training classes makes a split of each
    level, ssb-easy and ssb-hard for one, and compares them with the published lists: how many
    classes both have, and why one lacks the others.

    \b
    graphzsl split build                     # the default benchmark
    graphzsl split build default max-ratio   # what spreading over branches costs
    graphzsl split build my-recipe.toml
    graphzsl split build ssb --out ssb-lists # without a database
    graphzsl split build ssb --train seen.txt --name mine --out mine
    """
    option_requires(
        "wordnet", when=out, needs="--out, without which the hierarchy is the database's"
    )
    option_requires(
        "senses", when=out, needs="--out, without which lists are those of the database"
    )
    changes = {"train": train, "universe": universe, "name": name}
    given = {key: value for key, value in changes.items() if value is not None}
    if given and len(recipes) > 1:
        raise click.UsageError(f"--{next(iter(given))} is for one recipe, not {len(recipes)}.")
    checked = [
        benchmark.find_recipe(text).changed(**given)
        for text in recipes or (benchmark.DEFAULT_RECIPE,)
    ]
    option_requires(
        "each",
        when=any(recipe.compare for recipe in checked),
        needs="a recipe with compare, and its own training classes and universe",
    )
    inputs = _checked_inputs(checked, out, wordnet, stores=out is None and not dry_run)
    done: list[Built] = []
    compared: list[Compared] = []
    for recipe in checked:
        built = benchmark.run(inputs, recipe, checked=True)
        done.append(built)
        with step(f"{recipe.name}: comparing with published lists"):
            compared += benchmark.compare(inputs, built)
        if not dry_run and out is None:
            benchmark.store(database(), built)
        for part in built.splits:
            stored = " (not stored)." if dry_run or out else f", stored as {part.recipe.name}."
            note(f"{part.recipe.name}: {len(part.wnids):,} classes{stored}")
            _say_ties(part)
    if out is not None and not dry_run:
        _write(out, done)
    _print(done, compared, each, output_format)


def _checked_inputs(
    recipes: Sequence[Recipe], out: Path | None, wordnet: Path | str, *, stores: bool
) -> Inputs:
    """Inputs in which all recipes can run; errors of a recipe come before a server starts where
    they can."""
    benchmark.check_names(recipes)
    if out is None:
        for recipe in recipes:
            benchmark.check_files(recipe)
    inputs = _inputs(out, wordnet)
    made: set[str] = set()
    for recipe in recipes:
        benchmark.check_inputs(inputs, recipe, made)
        # what the database is to hold by the time of the next recipe
        made |= {*recipe.names_of_splits} if stores else set()
    return inputs


def _inputs(out: Path | None, wordnet: Path | str) -> Inputs:
    """Inputs of the recipes: the database, or with --out files and shipped lists."""
    if out is None:
        try:
            return benchmark.StoredInputs(database())
        except DatabaseError as error:
            raise type(error)(f"{error} {_WITHOUT_DATABASE}") from error
    hierarchy = read_hierarchy(wordnet)
    return benchmark.FileInputs(
        hierarchy, partial(read_classes, hierarchy=hierarchy, argument=None)
    )


def _write(out: Path, done: list[Built]) -> None:
    """The lists and their recipes, as one folder."""
    benchmark.write_lists(out, done)
    note(f"Lists, recipes and statistics in {out}.")


def _print(done: list[Built], compared: list[Compared], each: bool, output_format: str) -> None:
    by_split = {found.split: found for found in compared}
    summaries, columns = with_names(
        [
            _summary(part, by_split.get(part.recipe.name), each)
            for built in done
            for part in built.splits
        ]
    )
    keep(summaries, columns)
    if not is_table(output_format):
        show(summaries, output_format, columns)
        return
    for built in done:
        levels = [part.steps[-1].row() for _, part in built.levels]
        rows = [*_folded(built), *levels]
        show(({"recipe": built.recipe.name, **row} for row in rows), "table", words=WORDS)
    others = ("recipe", "steps", "recipe_sha256", "published")
    measures = dict.fromkeys(key for row in summaries for key in row if key not in others)
    show(
        (
            {"measure": measure, **{row["recipe"]: row.get(measure) for row in summaries}}
            for measure in measures
        ),
        "table",
        words=WORDS,
    )
    if not compared:
        return
    show([found.row() for found in compared], "table", words=WORDS)
    for found in compared:
        show(with_names(found.rows if each else found.reasons())[0], "table", words=WORDS)


@command.command()
@click.argument("name", required=False, shell_complete=RECIPES)
@output_options
def recipes(name: str | None, output_format: str) -> None:
    """List the shipped recipes, or print one as a file to start from.

    \b
    graphzsl split recipes
    graphzsl split recipes default > my-recipe.toml
    """
    if name:
        option_requires("output_format", "save", when=False, needs="no NAME: a recipe is TOML")
        click.echo(benchmark.find_recipe(name).text, nl=False)
        return
    rows = []
    for path in benchmark.shipped_recipes():
        recipe = benchmark.read_recipe(path)
        rows.append(
            {
                "recipe": recipe.name,
                "size": recipe.size,
                "spread": recipe.spread,
                "levels": recipe.levels if recipe.rank_by else None,
                "rank_by": recipe.rank_by,
                "doc": recipe.doc,
            }
        )
    emit(rows, output_format)


@command.command("publish")
@click.argument("name", shell_complete=SPLITS)
@out_option(Folder("benchmark"))
def publish_(name: str, out: Path) -> None:
    """Write a benchmark as one folder that others can cite, use and check: a data set card,
    classes, names, hops, closest training classes, baselines of structure alone, statistics,
    recipe, Croissant, manifest.

    The same benchmark gives the same bytes. `graphzsl split verify FOLDER` re-checks it.

    \b
    graphzsl split publish default --out my-benchmark
    """
    from graphzsl.hierarchy import Lexicon

    published = benchmark.publish(database(), name, out, Lexicon.load())
    note(
        f"{published['classes']:,} classes in {out}. Cite it with the recipe's checksum:"
        f" {published['recipe_sha256'][:12]}."
    )


@command.command("verify")
@click.argument("folder", type=INPUT)
@click.option(
    "--offline",
    is_flag=True,
    help="Without a database or a server: what only a database tells is not checked, and says so.",
)
@output_options
def verify_(folder: Path, offline: bool, output_format: str) -> None:
    """Re-check a published benchmark: checksums, overlaps, every file and statistic computed again,
    and the recipe run again. Exit status 3 when it fails; file and line of what differs are named.

    A row per check. A check that was not made is a row too, with the reason and where it can be
    made; a table has one row for all such, and the last line says how many were made. Offline the
    recipe runs where it needs nothing but WordNet, the lists and the populations that come with
    graphzsl.

    \b
    graphzsl split verify my-benchmark
    graphzsl split verify my-benchmark --offline   # without a database
    """
    from graphzsl.hierarchy import Hierarchy, Lexicon

    benchmark.read_manifest(folder)  # what is no benchmark starts no server
    lexicon = Lexicon.load()
    if offline:
        rows = benchmark.verify(folder, None, lexicon, Hierarchy.load())
    else:
        rows = benchmark.verify(folder, database(), lexicon)
    emit(_unchecked_folded(rows) if is_table(output_format) else rows, output_format)
    note(benchmark.conclusion(folder, rows))
    if any(row["ok"] is False for row in rows):
        raise SystemExit(3)


def _unchecked_folded(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows of a table in which one row stands for all checks that were not made and says how to
    make them; other formats have a row for each."""
    unchecked = [row for row in rows if row["ok"] is None]
    if len(unchecked) <= _FEW_UNCHECKED:
        return rows
    # what most of them say, and of that what names a way
    details = (row["detail"].removeprefix("not checked: ") for row in unchecked)
    reasons = Counter(detail.rpartition("not run: ")[2] for detail in details)
    told = [reason for reason, _ in reasons.most_common()]
    why = next((reason for reason in told if _WITH_DATABASE in reason), told[0])
    how = "" if _WITH_DATABASE in why else ". Mend what failed, and verify again"
    detail = f"not checked: {why}{how} (--format json has each with its reason)"
    one = {"check": f"{len(unchecked)} checks", "ok": None, "detail": detail}
    return [*(row for row in rows if row["ok"] is not None), one]


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


def _summary(built: Built, compared: Compared | None, each: bool) -> dict[str, Any]:
    steps = [step.row() for step in built.steps]
    row = {
        "recipe": built.recipe.name,
        **built.statistics,
        "steps": steps,
        "recipe_sha256": built.recipe.sha256,
    }
    if compared is not None:
        differences, _ = with_names(compared.rows if each else compared.reasons())
        row["published"] = {**compared.row(), "differences": differences}
    return row

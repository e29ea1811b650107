"""The recipe of a published benchmark run again, where what it reads is at hand."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphzsl.benchmark.build import Built, run
from graphzsl.benchmark.contents import lines
from graphzsl.benchmark.folder import WITH_DATABASE, counts_are_shipped, shipped_list
from graphzsl.benchmark.inputs import FileInputs, Inputs, StoredInputs
from graphzsl.benchmark.publish import sources_of
from graphzsl.benchmark.recipe import Recipe, read_recipe
from graphzsl.common.errors import GraphZSLError
from graphzsl.common.files import sha256_text
from graphzsl.database.client import Database
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.sources.wordnet_content import CONTENT


def rerun(
    folder: Path,
    described: Mapping[str, Any],
    training: Sequence[str],
    database: Database | None,
    graph: Hierarchy,
    lexicon: Lexicon,
) -> tuple[Built | None, str]:
    """Run the recipe of a folder: in a database, or from WordNet's files and the shipped lists.

    Args:
        folder: of a published benchmark.
        described: its manifest.
        training: its training classes.
        database: where its sources are loaded; None for files.
        graph: the hierarchy of files, where there is no database.
        lexicon: WordNet's nouns.

    Returns:
        What was built, or None and why the recipe cannot be run here, and where it can.
    """
    try:
        recipe = read_recipe(folder / "recipe.toml")
        inputs: Inputs
        if database is not None:
            refused = _other_sources(database, described, recipe)
            inputs = StoredInputs(database)
        else:
            refused = _not_shipped(described, recipe)
            inputs = FileInputs(graph, shipped_list, lambda: lexicon)
        if not refused:
            refused = _other_classes(inputs, described, recipe, training)
        if refused:
            return None, refused
        return run(inputs, recipe).splits[0], ""
    except GraphZSLError as error:
        return None, str(error).removesuffix(".")


def _other_sources(database: Database, described: Mapping[str, Any], recipe: Recipe) -> str:
    ours, theirs = sources_of(database, recipe.text), described["sources"]
    different = sorted(name for name in theirs if ours.get(name) != theirs[name])
    if not different:
        return ""
    return (
        f"other sources are loaded here ({', '.join(different)}); verify where those are loaded"
        " whose checksums manifest.json has"
    )


def _not_shipped(described: Mapping[str, Any], recipe: Recipe) -> str:
    """Reason why a recipe cannot be run from files; empty where it can."""
    sources = described["sources"]
    other = sources.keys() - {"wordnet", "populations"}
    if sources.get("wordnet") != CONTENT["data.noun"]:
        other.add("wordnet")
    if recipe.population_above is not None and not counts_are_shipped(described):
        other.add("populations")
    if not other:
        return ""
    return f"its sources are not all shipped ({', '.join(sorted(other))}): {WITH_DATABASE}"


def _other_classes(
    inputs: Inputs, described: Mapping[str, Any], recipe: Recipe, training: Sequence[str]
) -> str:
    if sha256_text(lines(inputs.members(recipe.universe))) != described["universe_sha256"]:
        return f"the universe {recipe.universe} has other classes here than where it was published"
    if set(inputs.members(recipe.train)) != set(training):
        return f"the class set {recipe.train} has other classes here than training_classes.txt"
    return ""

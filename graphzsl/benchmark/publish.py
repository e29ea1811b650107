"""A benchmark as one folder that another group can cite, use and re-check."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from graphzsl.benchmark.contents import contents, lines
from graphzsl.benchmark.inputs import StoredInputs
from graphzsl.benchmark.record import Benchmark
from graphzsl.common.errors import SplitError
from graphzsl.common.files import MANIFEST, atomic_folder, atomic_write, sha256_text
from graphzsl.common.progress import step
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.database.class_sets import members, statistics_of, steps_of
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.database.library import query
from graphzsl.database.sources import source_checksums
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.sources.wordnet_content import CONTENT, KNOWN_FILES
from graphzsl.splits.store import load_split, split_properties


def publish(
    database: Database, name: str, folder: Path, lexicon: Lexicon | None = None
) -> dict[str, Any]:
    """Write the folder of a split that a recipe built.

    The same split from the same sources gives the same bytes, so that a changed folder shows what
    changed.

    Args:
        database: where the split is stored.
        name: the split.
        folder: what is written; a folder of an earlier benchmark is replaced.
        lexicon: WordNet's nouns, for the class names; by default those of the package.

    Returns:
        The manifest.

    Raises:
        SplitError: the split was not built by a recipe.
    """
    split, properties = load_split(database, name), split_properties(database, name)
    if "recipe" not in properties:
        raise SplitError(
            f"{name} was not built by a recipe. Build one with `graphzsl split build`, or export it"
            " with `graphzsl split export`."
        )
    training, universe = members(database, split.train), members(database, split.universe)
    benchmark = Benchmark(
        name=split.name,
        train=split.train,
        universe=split.universe,
        hierarchy=split.hierarchy,
        test=split.wnids,
        training=training,
        recipe=properties["recipe"],
        statistics=statistics_of(properties),
        steps=steps_of(properties),
        populations=StoredInputs(database).populations_of(split.wnids),
        universe_sha256=sha256_text(lines(universe)),
        sources=sources_of(database, properties["recipe"]),
        queries={"adjacency": query("adjacency", hierarchy=split.hierarchy).sha256},
        # a class that no edge of this hierarchy touches is a node too
        graph=read_hierarchy(database, split.hierarchy, [*training, *split.wnids]),
        lexicon=lexicon or Lexicon.load(),
    )
    with step(f"writing {folder.name}"), atomic_folder(folder) as partial:
        files = contents(benchmark)
        for file, content in files.items():
            with atomic_write(partial / file) as part:
                part.write_bytes(content)
    described: dict[str, Any] = parsed_json(files[MANIFEST].decode(), MANIFEST)
    return described


def sources_of(database: Database, recipe: str) -> dict[str, str | None]:
    """Checksums of the loaded sources that a recipe reads; the builds of WordNet 3.0 have one
    checksum here, since their nouns are the same."""
    given = tomllib.loads(recipe)
    wanted = {"wordnet", "populations"}
    wanted |= {"frequencies"} if "frequency_above" in given else set()
    wanted |= {"release-hierarchy"} if given.get("hierarchy") == "release" else set()
    found = source_checksums(database)
    if found.get("wordnet") in KNOWN_FILES["data.noun"]:
        found["wordnet"] = CONTENT["data.noun"]
    return {name: checksum for name, checksum in found.items() if name in wanted}

"""The classes of recipes as a folder of lists, with the recipes that they come from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphzsl.benchmark.build import Built
from graphzsl.benchmark.recipe import Recipe
from graphzsl.common.errors import SettingsError
from graphzsl.common.files import (
    MANIFEST,
    atomic_folder,
    manifest,
    sha256,
    write_json,
    write_text,
)

#: What the manifest of a folder calls it.
KIND = "classes"


def check_names(recipes: Sequence[Recipe]) -> None:
    """Raise SettingsError if two splits have one name, which can be known before their classes
    are."""
    named: dict[str, Recipe] = {}
    for recipe in recipes:
        for name in recipe.names_of_splits:
            if name in named:
                told = f"{named[name].where('name')} makes a split {name!r} too"
                raise SettingsError(
                    f"{recipe.where('name')}: {told}. Build one of them under another name."
                )
            named[name] = recipe


def write_lists(folder: Path, built: Sequence[Built]) -> None:
    """Write ``NAME.txt``, one wnid per line in the order of the classes, and ``NAME.toml``, the
    recipe, of every split, and a manifest with steps, statistics and checksums.

    SettingsError as for ``check_names``.
    """
    splits = [part for each in built for part in each.splits]
    check_names([part.recipe for part in splits])
    with atomic_folder(folder) as partial:
        for part in splits:
            name = part.recipe.name
            write_text(partial / f"{name}.txt", "".join(f"{wnid}\n" for wnid in part.wnids))
            write_text(partial / f"{name}.toml", part.recipe.text)
        described = manifest(
            KIND,
            splits={
                part.recipe.name: {
                    "classes": len(part.wnids),
                    "train": part.recipe.train,
                    "universe": part.recipe.universe,
                    "hierarchy": part.recipe.hierarchy,
                    "recipe_sha256": part.recipe.sha256,
                    "steps": [step.row() for step in part.steps],
                    "statistics": part.statistics,
                }
                for part in splits
            },
            files={path.name: sha256(path) for path in sorted(partial.iterdir())},
        )
        write_json(partial / MANIFEST, described)

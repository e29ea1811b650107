"""The classes of recipes as a folder of lists, with the recipes that they come from."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from graphzsl.benchmark.build import Built
from graphzsl.benchmark.recipe import Recipe
from graphzsl.errors import SettingsError
from graphzsl.files import (
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
    """SettingsError for two recipes of one name, and for a name that is not one of a file: what
    can be known before their classes are."""
    names = [recipe.name for recipe in recipes]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise SettingsError(f"Two recipes are called {name!r}; build one under another name.")
        if Path(name).name != name:
            raise SettingsError(f"{name!r} is not a name of a file; take another one.")


def write_lists(folder: Path, built: Sequence[Built]) -> None:
    """Write ``NAME.txt``, one wnid per line in the order of the classes, and ``NAME.toml``, the
    recipe, of every split, and a manifest with steps, statistics and checksums.

    SettingsError where two splits would have one name, or a name that is not one of a file.
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

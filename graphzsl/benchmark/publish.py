"""A benchmark as one folder that another group can cite and re-check: classes, training classes,
recipe, statistics, manifest."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

from graphzsl.analysis.structure.ratio import structural_ratios
from graphzsl.benchmark.build import build, statistics
from graphzsl.benchmark.recipe import read_recipe
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.database.library import query
from graphzsl.database.names import names_of
from graphzsl.database.sources import source_checksums
from graphzsl.errors import DataError, GraphZSLError, SplitError
from graphzsl.files import (
    MANIFEST,
    atomic_folder,
    manifest,
    read_json,
    read_lines,
    sha256,
    sha256_text,
    write_json,
    write_text,
)
from graphzsl.hierarchy.distances import Path as PathDistance
from graphzsl.progress import step
from graphzsl.splits.store import load_split, split_properties
from graphzsl.wording import called

KIND = "benchmark"
FILES = (
    "test_classes.txt",
    "training_classes.txt",
    "classes.csv",
    "recipe.toml",
    "statistics.json",
)
COLUMNS = ("wnid", "name", "words", "population", "train_hops", "test_hops", "structural_ratio")


def publish(database: Database, name: str, folder: Path) -> dict[str, Any]:
    """Write the folder of a split that a recipe built; returns the manifest. SplitError for a split
    without a recipe."""
    split, properties = load_split(database, name), split_properties(database, name)
    if "recipe" not in properties:
        raise SplitError(
            f"{name} was not built by a recipe. Build one with `graphzsl split build`, or export it"
            " with `graphzsl split export`."
        )
    train = members(database, split.train)
    with step(f"writing {folder.name}"), atomic_folder(folder) as partial:
        write_text(partial / "test_classes.txt", _lines(split.wnids))
        write_text(partial / "training_classes.txt", _lines(train))
        write_text(partial / "classes.csv", _table(database, split.hierarchy, train, split.wnids))
        write_text(partial / "recipe.toml", properties["recipe"])
        write_json(
            partial / "statistics.json",
            {
                "statistics": json.loads(properties["statistics"]),
                "steps": json.loads(properties["steps"]),
            },
        )
        described = manifest(
            KIND,
            name=split.name,
            train=split.train,
            universe=split.universe,
            hierarchy=split.hierarchy,
            classes=len(split.wnids),
            recipe_sha256=properties["recipe_sha256"],
            universe_sha256=sha256_text(_lines(members(database, split.universe))),
            queries={"adjacency": query("adjacency", hierarchy=split.hierarchy).sha256},
            sources=source_checksums(database),
            files={file: sha256(partial / file) for file in FILES},
        )
        write_json(partial / MANIFEST, described)
    return described


def verify(database: Database, folder: Path) -> list[dict[str, Any]]:
    """Check a published folder, one row per check: ``check``, ``ok`` (None: could not be checked
    here), ``detail``.

    Files against their checksums, classes against WordNet and each other, every statistic computed
    again, and the recipe run again: the same classes must come out. The recipe can only run where
    the sources it reads are loaded with the same checksums.
    """
    if not folder.is_dir() or not (folder / MANIFEST).is_file():
        place = folder if folder.is_dir() else folder.parent
        raise DataError(
            f"{folder} is not the folder of a benchmark. `graphzsl split publish` writes one, with"
            f" a {MANIFEST}; "
            + (
                f"verify its folder: {place}"
                if (place / MANIFEST).is_file()
                else "give that folder."
            )
        )
    manifest = read_json(folder / MANIFEST)
    if manifest.get("kind") != KIND:
        raise DataError(
            f"{folder / MANIFEST} describes a {manifest.get('kind')!r}, not a benchmark. `graphzsl"
            " split publish` writes one."
        )
    changed = [
        file
        for file in FILES
        if not (folder / file).exists() or sha256(folder / file) != manifest["files"].get(file)
    ]
    rows = [
        _check(
            "files",
            not changed,
            (
                f"{len(FILES)} files are as published"
                if not changed
                else f"changed or missing: {', '.join(changed)}"
            ),
        )
    ]
    if changed:
        return rows
    test, train = (
        [line for _, line in read_lines(folder / file)]
        for file in ("test_classes.txt", "training_classes.txt")
    )
    unknown = [
        row["wnid"]
        for row in database.rows_in_batches(query("unknown_wnids"), sorted({*test, *train}))
    ]
    rows.append(
        _check(
            "wnids",
            not unknown,
            "all are synsets of WordNet 3.0" if not unknown else f"{unknown[0]} is none",
        )
    )
    if unknown:
        return rows
    with step("reading the hierarchy"):
        hierarchy = read_hierarchy(database, manifest["hierarchy"])
    inside, both = (
        hierarchy.related(hierarchy.positions(test)),
        hierarchy.related(hierarchy.positions([*test, *train])),
    )
    across = both[: len(test), len(test) :].nnz + both[len(test) :, : len(test)].nnz
    rows.append(
        _check(
            "in one list",
            not set(test) & set(train),
            f"{len(set(test) & set(train))} classes are in both lists",
        )
    )
    rows.append(
        _check(
            "disjoint",
            not inside.nnz + across,
            f"{inside.nnz} pairs within the test classes, {across} with training classes",
        )
    )
    ours, theirs = source_checksums(database), manifest["sources"]
    different = sorted(name for name in theirs if ours.get(name) != theirs[name])
    published = read_json(folder / "statistics.json")
    with step("computing the statistics again"):
        rows += _same_statistics(
            database, hierarchy, published["statistics"], test, train, manifest
        )
    rows.append(_rebuilt(database, folder, test, different))
    return rows


def _same_statistics(
    database: Database,
    hierarchy: Any,
    published: dict[str, Any],
    test: list[str],
    train: list[str],
    manifest: dict[str, Any],
) -> list[dict[str, Any]]:
    try:
        universe = members(database, manifest["universe"])
    except SplitError as error:
        return [_check("statistics", None, str(error))]
    again = statistics(database, hierarchy, test, train, universe)
    rows = []
    for name, value in again.items():
        same = value == published.get(name) or (
            isinstance(value, float) and abs(value - (published.get(name) or 0)) < 1e-9
        )
        rows.append(
            _check(
                name, same, f"{value}" if same else f"{value}, published as {published.get(name)}"
            )
        )
    return rows


def _rebuilt(
    database: Database, folder: Path, test: list[str], different: list[str]
) -> dict[str, Any]:
    if different:
        return _check(
            "recipe", None, f"not run: other sources are loaded here ({', '.join(different)})"
        )
    try:
        again = set(build(database, read_recipe(folder / "recipe.toml")).wnids)
    except GraphZSLError as error:
        return _check("recipe", None, f"not run: {error}")
    apart = again ^ set(test)
    example = called(min(apart), names_of(database, apart)) if apart else ""
    return _check(
        "recipe",
        not apart,
        (
            f"gives the same {len(test)} classes"
            if not apart
            else f"gives {len(apart) // 2} other classes, such as {example}"
        ),
    )


def _table(database: Database, hierarchy: str, train: list[str], test: list[str]) -> str:
    graph = read_hierarchy(database, hierarchy)
    ratios = structural_ratios(graph, PathDistance(graph), train, test)
    rows = {row["wnid"]: row for row in database.rows_in_batches(query("synset_properties"), test)}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    for place, wnid in enumerate(test):
        row = rows[wnid]
        distances = (ratios.train_distance[place], ratios.test_distance[place], ratios.ratio[place])
        writer.writerow(
            [
                wnid,
                row["name"],
                "; ".join(row["words"]),
                row["population"],
                *(f"{value:g}" for value in distances),
            ]
        )
    return text.getvalue()


def _check(name: str, ok: bool | None, detail: str) -> dict[str, Any]:
    return {"check": name, "ok": ok, "detail": detail}


def _lines(wnids: list[str]) -> str:
    return "".join(f"{wnid}\n" for wnid in wnids)

"""The folder of a published benchmark, as it is read."""

from __future__ import annotations

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphzsl.benchmark.contents import BASIS, KIND, lines
from graphzsl.benchmark.record import Benchmark
from graphzsl.benchmark.statistics import problem_of, problem_of_step
from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError
from graphzsl.common.files import MANIFEST, read_json, sha256, sha256_text
from graphzsl.common.reading.json_places import line_of_value
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.reading.schema import check_document
from graphzsl.common.text_files import open_text, read_text
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.sources.imagenet import read_class_list, shipped_classes
from graphzsl.sources.populations import read_populations
from graphzsl.sources.published import class_lists, populations_path, published

#: There are no distances of very large benchmarks.
OPTIONAL = {"distances.npy"}
REQUIRED = (
    *BASIS,
    *("README.md", "baselines.csv", "classes.csv", "closest_training_classes.csv"),
    *("croissant.json", "names.json"),
)
#: What to do about a folder that somebody changed.
REMEDY = "Take the folder from where it came from again, or publish the benchmark again."


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest; DataError where the folder has none, one of something else, or a damaged
    one: it names file and line."""
    path = folder / MANIFEST
    if not folder.is_dir() or not path.is_file():
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
    described = read_json(path)
    kind = described.get("kind") if isinstance(described, dict) else None
    if kind != KIND:
        raise DataError(
            f"{path} describes a {kind!r}, not a benchmark. `graphzsl split publish` writes one."
        )
    return check_document(described, KIND, path, "manifest", REMEDY)


def files_of(described: Mapping[str, Any]) -> list[str]:
    """The files that a benchmark has: those it must have, whatever its manifest lists."""
    return sorted({*REQUIRED, *(OPTIONAL & described["files"].keys())})


def as_published(folder: Path, described: Mapping[str, Any], name: str) -> bool:
    """True if a file exists and has the manifest's checksum."""
    path = folder / name
    return path.is_file() and sha256(path) == described["files"].get(name)


def other_files(folder: Path) -> tuple[list[str], list[str]]:
    """(visible names, hidden names) in the folder that are no files of a benchmark; a repository's
    own files begin with a dot."""
    known = {*REQUIRED, *OPTIONAL, MANIFEST}
    others = sorted(path.name for path in folder.iterdir() if path.name not in known)
    hidden = [name for name in others if name.startswith(".")]
    return [name for name in others if name not in hidden], hidden


def read_classes(path: Path) -> list[str]:
    """Read the wnids of a list. Raises DataError with the line of an invalid or repeated wnid."""
    return [wnid for _, wnid in read_class_list(path)]


def read_rows(path: Path, *columns: str) -> list[tuple[int, dict[str, str]]]:
    """(line, row) of a table with a header. Raises DataError with the line of an invalid row, or
    with the missing column."""
    try:
        reader = csv.DictReader(open_text(path), strict=True)
        missing = [each for each in columns if each not in (reader.fieldnames or ())]
        if missing:
            raise DataError(f"{path}:1: the column {missing[0]} is missing. {REMEDY}")
        rows = []
        for row in reader:
            # DictReader fills up short rows, and keeps what is too much under None
            if None in row or None in row.values():
                raise DataError(
                    f"{path}:{reader.line_num}: not a row of {len(reader.fieldnames or ())} values."
                    f" {REMEDY}"
                )
            rows.append((reader.line_num, row))
    except csv.Error as error:
        raise DataError(f"{path}: not a table in UTF-8 ({error}). {REMEDY}") from None
    return rows


def read_statistics(path: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """(statistics, steps) of statistics.json. Raises DataError with the line and key of an invalid
    value."""
    document = read_json(path)

    def refuse(problem: str, *keys: str | int) -> DataError:
        return DataError(f"{path}:{line_of_value(path, *keys)}: {problem}. {REMEDY}")

    if not isinstance(document, dict):
        raise refuse("an object with statistics and steps was expected")
    found, steps = document.get("statistics"), document.get("steps")
    if not isinstance(found, dict):
        raise refuse("statistics must be an object of names and numbers", "statistics")
    if not isinstance(steps, list) or not steps:
        raise refuse("steps must be a list of objects", "steps")
    problem = problem_of(found)
    if problem is not None:
        raise refuse(problem[1], "statistics", problem[0])
    for place, each in enumerate(steps):
        wrong = problem_of_step(each)
        if wrong is not None:
            raise refuse(wrong[1], "steps", place, wrong[0])
    return found, steps


def read_benchmark(
    folder: Path,
    described: Mapping[str, Any],
    graph: Hierarchy,
    lexicon: Lexicon,
    populations: Mapping[str, int],
) -> Benchmark:
    """The benchmark, from the lists, recipe, statistics and manifest of its folder alone.

    Args:
        folder: where it is.
        described: its manifest.
        graph: what hops are counted in.
        lexicon: WordNet's nouns.
        populations: wnid -> images, such as those of ``known_populations``.

    Raises:
        DataError: a file cannot be read.
    """
    test, training = (read_classes(folder / name) for name in BASIS[:2])
    statistics, steps = read_statistics(folder / "statistics.json")
    return benchmark_of(
        described,
        test=test,
        training=training,
        recipe=read_text(folder / "recipe.toml"),
        statistics=statistics,
        steps=steps,
        populations=populations,
        graph=graph,
        lexicon=lexicon,
    )


def benchmark_of(described: Mapping[str, Any], **known: Any) -> Benchmark:
    """Build a benchmark from a manifest and from the content of the other files."""
    keys = ("name", "train", "universe", "hierarchy", "universe_sha256", "sources", "queries")
    return Benchmark(**{key: described[key] for key in keys}, **known)


def counts_are_shipped(described: Mapping[str, Any]) -> bool:
    """True if a benchmark was made with the populations that are shipped."""
    shipped = published()[populations_path().stem].sha256
    return bool(described["sources"].get("populations") == shipped)


def known_populations(
    folder: Path, described: Mapping[str, Any], test: Sequence[str]
) -> dict[str, int]:
    """The shipped populations if the folder was made with them; else those of its table."""
    if counts_are_shipped(described):
        wanted = set(test)
        rows = read_populations(populations_path())
        return {wnid: images for _, wnid, images in rows if wnid in wanted}
    path = folder / "classes.csv"
    found = {}
    for line, row in read_rows(path, "wnid", "population"):
        if not (text := row["population"]):
            continue
        images = unsigned(text)
        if images is None or images >= 2**63:
            raise DataError(
                f"{path}:{line}: the population must be a whole number or empty, not {shown(text)}."
                f" {REMEDY}"
            )
        found[row["wnid"]] = images
    return found


def known_universe(described: Mapping[str, Any]) -> list[str]:
    """Read the universe from the shipped lists. Raises DataError if it is not one of them, or had
    other classes when the benchmark was published."""
    name = described["universe"]
    if name not in class_lists():
        raise DataError(
            f"the universe {name} is not a shipped list. Verify with a database where it is loaded"
        )
    universe = shipped_classes(name)
    if sha256_text(lines(universe)) != described["universe_sha256"]:
        raise DataError(
            f"the universe {name} had other classes where this was published. Verify where that one"
            " is loaded"
        )
    return universe

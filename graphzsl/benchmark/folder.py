"""The folder of a published benchmark, as it is read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphzsl.benchmark.contents import BASIS, KIND
from graphzsl.benchmark.record import Benchmark
from graphzsl.benchmark.statistics import problem_of, problem_of_step
from graphzsl.common.errors import DataError
from graphzsl.common.files import MANIFEST, folder_manifest, read_json, sha256
from graphzsl.common.reading.json_places import line_of_value
from graphzsl.common.text_files import read_text
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.sources.imagenet import read_class_list, shipped_classes
from graphzsl.sources.named_columns import named_rows
from graphzsl.sources.populations import read_populations
from graphzsl.sources.published import class_lists, populations_path, published
from graphzsl.sources.tables import whole_number

#: There are no distances of very large benchmarks.
OPTIONAL = {"distances.npy"}
REQUIRED = (
    *BASIS,
    *("README.md", "baselines.csv", "classes.csv", "closest_training_classes.csv"),
    *("croissant.json", "names.json"),
)
#: What to do about a folder that somebody changed.
REMEDY = "Take the folder from where it came from again, or publish the benchmark again."
#: How to check what was not checked.
WITH_DATABASE = "verify with a database where they are loaded"


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest; DataError where the folder has none, one of something else, or a damaged
    one: it names file and line."""
    if not folder.is_dir() and (folder.parent / MANIFEST).is_file():
        raise DataError(
            f"{folder} is not the folder of a benchmark; verify its folder: {folder.parent}"
        )
    return folder_manifest(folder, KIND, "a benchmark", "graphzsl split publish", REMEDY)


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
    path, found = folder / "classes.csv", {}
    try:
        for line, row in named_rows(path, ("wnid",), ("population",)):
            if row["population"]:
                wnid, images = row["wnid"], row["population"]
                found[wnid] = whole_number(images, f"the population of {wnid}", path, line)
    except KeyError:
        raise DataError(f"{path}:1: the column population is missing. {REMEDY}") from None
    except DataError as error:
        raise DataError(f"{error} {REMEDY}") from None
    return found


def shipped_list(name: str) -> list[str]:
    """Read the classes of a shipped list; raises DataError if there is no such list."""
    if name not in class_lists():
        raise DataError(f"the class set {name} is not a shipped list: {WITH_DATABASE}")
    return shipped_classes(name)

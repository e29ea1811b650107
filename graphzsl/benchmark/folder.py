"""The folder of a published benchmark, as it is read."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphzsl.benchmark.contents import BASIS, KIND, Benchmark, lines
from graphzsl.database.query import HIERARCHIES
from graphzsl.errors import DataError
from graphzsl.files import MANIFEST, read_json, sha256, sha256_text
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.sources.imagenet import read_class_list
from graphzsl.sources.populations import read_populations
from graphzsl.sources.published import class_lists, list_path, populations_path, published

#: There are no distances of very large benchmarks.
OPTIONAL = {"distances.npy"}
REQUIRED = (
    *BASIS,
    *("README.md", "baselines.csv", "classes.csv", "closest_training_classes.csv"),
    *("croissant.json", "names.json"),
)
#: What a manifest says in words.
_TEXTS = ("name", "train", "universe", "hierarchy")


def read_manifest(folder: Path) -> dict[str, Any]:
    """The manifest; DataError where the folder has none, one of something else, or a damaged
    one."""
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
    described = read_json(folder / MANIFEST)
    kind = described.get("kind") if isinstance(described, dict) else None
    if kind != KIND:
        raise DataError(
            f"{folder / MANIFEST} describes a {kind!r}, not a benchmark. `graphzsl split publish`"
            " writes one."
        )
    if not isinstance(described.get("files"), dict) or not all(
        isinstance(described.get(key), str) for key in _TEXTS
    ):
        raise DataError(
            f"{folder / MANIFEST} was changed, or is of an earlier version: it needs files,"
            f" {', '.join(_TEXTS)}. Publish the benchmark again."
        )
    if described["hierarchy"] not in HIERARCHIES:
        raise DataError(
            f"{folder / MANIFEST} names the hierarchy {described['hierarchy']!r}, which is none of"
            f" {', '.join(HIERARCHIES)}: it was changed."
        )
    return dict(described)


def files_of(described: Mapping[str, Any]) -> list[str]:
    """The files that a benchmark has: those it must have, whatever its manifest lists."""
    return sorted({*REQUIRED, *(OPTIONAL & described["files"].keys())})


def as_published(folder: Path, described: Mapping[str, Any], name: str) -> bool:
    """Whether a file is there with the manifest's checksum."""
    path = folder / name
    return path.is_file() and sha256(path) == described["files"].get(name)


def read_classes(path: Path) -> list[str]:
    """The wnids of a list; DataError names the line of what is none, or is there twice."""
    return [wnid for _, wnid in read_class_list(path)]


def read_rows(path: Path) -> list[dict[str, str]]:
    """The rows of a table with a header."""
    return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))


def read_benchmark(
    folder: Path,
    described: Mapping[str, Any],
    graph: Hierarchy,
    lexicon: Lexicon,
    populations: Mapping[str, int] | None = None,
) -> Benchmark:
    """The benchmark, from the lists, recipe, statistics and manifest of its folder alone.

    Args:
        folder: where it is.
        described: its manifest.
        graph: what hops are counted in.
        lexicon: WordNet's nouns.
        populations: wnid -> images; by default those of ``known_populations``.

    Raises:
        DataError: a file cannot be read.
    """
    test, training = (read_classes(folder / name) for name in BASIS[:2])
    document = read_json(folder / "statistics.json")
    if not isinstance(document, dict) or not {"statistics", "steps"} <= document.keys():
        raise DataError(f"{folder / 'statistics.json'} needs statistics and steps.")
    if populations is None:
        populations = known_populations(folder, described, test)
    return Benchmark(
        name=described["name"],
        train=described["train"],
        universe=described["universe"],
        hierarchy=described["hierarchy"],
        test=test,
        training=training,
        recipe=(folder / "recipe.toml").read_text(encoding="utf-8"),
        statistics=document["statistics"],
        steps=document["steps"],
        populations=populations,
        universe_sha256=described.get("universe_sha256", ""),
        sources=described.get("sources", {}),
        queries=described.get("queries", {}),
        graph=graph,
        lexicon=lexicon,
    )


def known_populations(
    folder: Path, described: Mapping[str, Any], test: Sequence[str]
) -> dict[str, int]:
    """The shipped populations, where the folder was made with them; else what its table says."""
    path, wanted = populations_path(), set(test)
    if described.get("sources", {}).get("populations") == published()[path.stem].sha256:
        return {wnid: images for _, wnid, images in read_populations(path) if wnid in wanted}
    rows = read_rows(folder / "classes.csv")
    return {
        row["wnid"]: int(row["population"]) for row in rows if (row["population"] or "").isdigit()
    }


def known_universe(described: Mapping[str, Any]) -> list[str]:
    """The universe from the shipped lists; DataError where it is not one of them, or was another
    one when the benchmark was published."""
    name = described["universe"]
    if name not in class_lists():
        raise DataError(f"the universe {name} takes the database")
    universe = read_classes(list_path(name))
    if sha256_text(lines(universe)) != described.get("universe_sha256"):
        raise DataError(f"the universe {name} had other classes where this was published")
    return universe


def line_of(path: Path, text: str) -> int:
    """The first line with a text; 1 where there is none."""
    numbered = enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
    return next((number for number, line in numbered if text in line), 1)

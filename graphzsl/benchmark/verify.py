"""Re-checking a published benchmark: every file against its checksum, against WordNet and against
what it is computed from; and, with the database, the recipe run again."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from graphzsl import __version__
from graphzsl.benchmark import croissant
from graphzsl.benchmark.build import build
from graphzsl.benchmark.contents import BASIS, Benchmark, contents
from graphzsl.benchmark.differences import first_difference, where_changed
from graphzsl.benchmark.folder import (
    as_published,
    files_of,
    known_universe,
    line_of,
    read_benchmark,
    read_classes,
    read_manifest,
)
from graphzsl.benchmark.inputs import StoredInputs
from graphzsl.benchmark.publish import sources_of
from graphzsl.benchmark.recipe import read_recipe
from graphzsl.benchmark.statistics import statistics
from graphzsl.database.class_sets import members
from graphzsl.database.client import Database
from graphzsl.database.hierarchy import read_hierarchy
from graphzsl.errors import DataError, GraphZSLError, SplitError
from graphzsl.files import MANIFEST, read_json
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.progress import step
from graphzsl.wording import called

Rows = list[dict[str, Any]]
#: Files whose words may change with graphzsl while the benchmark stays the same.
WORDED = ("README.md", "croissant.json", MANIFEST)
#: A statistic is the same within this.
SAME = 1e-8


def verify(
    folder: Path,
    database: Database | None = None,
    lexicon: Lexicon | None = None,
    hierarchy: Hierarchy | None = None,
) -> Rows:
    """Check a published folder.

    All files against their checksums; the classes against WordNet and each other; classes, names,
    distances, closest training classes, baselines, card and Croissant's checksums against what they
    are computed from, and every statistic. With a database the recipe runs again, and the same
    classes must come out; it can only run where the sources it reads are loaded with the same
    checksums.

    Args:
        folder: what ``publish`` wrote.
        database: where WordNet and the class sets are loaded; None checks what needs none.
        lexicon: WordNet's nouns; by default the cached ones.
        hierarchy: all of WordNet, where there is no database; by default the cached one.

    Returns:
        A row per check: ``check``, ``ok`` (None: could not be checked here), ``detail``, which
        names file and line of what differs.

    Raises:
        DataError: the folder is not that of a benchmark.
    """
    described = read_manifest(folder)
    changed = [name for name in files_of(described) if not as_published(folder, described, name)]
    lexicon = lexicon or Lexicon.load()
    graph = _graph(described, database, hierarchy)
    if changed:
        details = [where_changed(folder, described, name, graph, lexicon) for name in changed]
        return [_check("files", False, "; ".join(details))]
    rows = [_check("files", True, f"{len(files_of(described))} files are as published")]
    try:
        test, training = (read_classes(folder / name) for name in BASIS[:2])
        given = tomllib.loads((folder / "recipe.toml").read_text(encoding="utf-8"))
    except (DataError, tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        return [*rows, _check("lists", False, str(error))]
    unknown = [wnid for wnid in (*test, *training) if wnid not in lexicon.index]
    detail = f"{unknown[0]} is none" if unknown else "all are synsets of WordNet 3.0"
    rows.append(_check("wnids", not unknown, detail))
    if unknown:
        return rows
    both = len(set(test) & set(training))
    rows.append(_check("in one list", not both, f"{both} classes are in both lists"))
    if graph is None:
        where = f"the hierarchy {described['hierarchy']} takes the database"
        rows.append(_check("disjoint", None, where))
    else:
        rows.append(_disjoint(graph, test, training, given.get("disjoint", True)))
        populations = None if database is None else StoredInputs(database).populations_of(test)
        try:
            benchmark = read_benchmark(folder, described, graph, lexicon, populations)
            rows += _computed(folder, described, benchmark)
            rows += _statistics(folder, described, database, benchmark)
        # what a file that somebody wrote by hand may hold
        except (DataError, AttributeError, KeyError, TypeError, ValueError) as error:
            detail = f"statistics.json or {MANIFEST} does not hold what it should ({error})"
            rows.append(_check("statistics.json", False, detail))
    return [*rows, _recipe(folder, described, database, test, lexicon)]


def _graph(
    described: Mapping[str, Any], database: Database | None, hierarchy: Hierarchy | None
) -> Hierarchy | None:
    """What distances are measured in; None where only the database would have it."""
    if database is not None:
        return read_hierarchy(database, described["hierarchy"])
    if described["hierarchy"] != "wordnet":
        return None
    return hierarchy or Hierarchy.load()


def _disjoint(
    graph: Hierarchy, test: Sequence[str], training: Sequence[str], asked: bool
) -> dict[str, Any]:
    """No class above another, of the test classes or across; where the recipe does not ask for
    it, how many are."""
    inside = graph.related(graph.positions(test))
    both = graph.related(graph.positions([*test, *training]))
    across = both[: len(test), len(test) :].nnz + both[len(test) :, : len(test)].nnz
    detail = f"{inside.nnz} pairs within the test classes, {across} with training classes"
    if not asked:
        return _check("disjoint", None, f"not asked for by the recipe: {detail}")
    return _check("disjoint", not inside.nnz + across, detail)


def _computed(folder: Path, described: Mapping[str, Any], benchmark: Benchmark) -> Rows:
    """Every file that follows from others, computed again."""
    with step("computing its files again"):
        expected = contents(benchmark)
    other = described.get("graphzsl") != __version__
    rows = []
    for name in sorted(expected.keys() - {*BASIS}):
        path = folder / name
        found = path.read_bytes() if path.is_file() else b""
        if found == expected[name]:
            rows.append(_check(name, True, "as computed"))
        elif other and name in WORDED:
            version = described.get("graphzsl")
            rows.append(_check(name, None, f"not compared: written by graphzsl {version}"))
        else:
            rows.append(_check(name, False, first_difference(name, found, expected[name])))
    told = croissant.checksums(read_json(folder / "croissant.json"))
    files = {name: described["files"][name] for name in files_of(described)}
    del files["croissant.json"]
    wrong = sorted(name for name in {*files, *told} if told.get(name) != files.get(name))
    if wrong:
        line = line_of(folder / "croissant.json", f'"{wrong[0]}"')
        detail = f"croissant.json:{line}: another checksum of {wrong[0]}"
    else:
        detail = f"{len(told)} checksums are those of the files"
    return [*rows, _check("croissant", not wrong, detail)]


def _statistics(
    folder: Path, described: Mapping[str, Any], database: Database | None, benchmark: Benchmark
) -> Rows:
    """Every statistic that follows from the lists, computed again."""
    try:
        universe = (
            known_universe(described)
            if database is None
            else members(database, described["universe"])
        )
    except (DataError, SplitError) as error:
        return [_check("statistics", None, str(error))]
    classes = benchmark.test, benchmark.training, universe
    with step("computing the statistics again"):
        again = statistics(benchmark.graph, *classes, benchmark.populations)
    rows = []
    for name, value in again.items():
        told = benchmark.statistics.get(name)
        close = (
            isinstance(value, float)
            and isinstance(told, float | int)
            and abs(value - told) <= SAME * max(1.0, abs(value))
        )
        same = close or value == told
        line = line_of(folder / "statistics.json", f'"{name}"')
        detail = f"{value}" if same else f"{value}; statistics.json:{line} says {told}"
        rows.append(_check(name, same, detail))
    return rows


def _recipe(
    folder: Path,
    described: Mapping[str, Any],
    database: Database | None,
    test: Sequence[str],
    lexicon: Lexicon,
) -> dict[str, Any]:
    """The recipe run again."""
    if database is None:
        return _check("recipe", None, "not run: it takes the database")
    text = (folder / "recipe.toml").read_text(encoding="utf-8")
    ours, theirs = sources_of(database, text), described.get("sources", {})
    different = sorted(name for name in theirs if ours.get(name) != theirs[name])
    if different:
        detail = f"not run: other sources are loaded here ({', '.join(different)})"
        return _check("recipe", None, detail)
    try:
        again = set(build(database, read_recipe(folder / "recipe.toml")).wnids)
    except GraphZSLError as error:
        return _check("recipe", None, f"not run: {error}")
    apart = again ^ set(test)
    if not apart:
        return _check("recipe", True, f"gives the same {len(test)} classes")
    wnid = min(apart)
    names = {wnid: lexicon.names[lexicon.index[wnid]]} if wnid in lexicon.index else {}
    detail = f"gives {len(apart) // 2} other classes, such as {called(wnid, names)}"
    return _check("recipe", False, detail)


def _check(name: str, ok: bool | None, detail: str) -> dict[str, Any]:
    return {"check": name, "ok": ok, "detail": detail}

"""Where a file of a published benchmark differs from what it should be: file and line."""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping
from itertools import zip_longest
from pathlib import Path
from textwrap import shorten
from typing import Any

import numpy as np

from graphzsl.benchmark.contents import BASIS, contents, lines, statistics_text
from graphzsl.benchmark.folder import (
    as_published,
    known_universe,
    read_benchmark,
    read_classes,
    read_rows,
)
from graphzsl.benchmark.recipe import find_recipe, shipped_recipes
from graphzsl.benchmark.statistics import statistics
from graphzsl.errors import GraphZSLError
from graphzsl.files import MANIFEST
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.sources.published import class_lists, list_path

#: What reading a damaged file can end in.
_DAMAGED = (GraphZSLError, KeyError, TypeError, ValueError)


def where_changed(
    folder: Path,
    described: Mapping[str, Any],
    name: str,
    graph: Hierarchy | None,
    lexicon: Lexicon,
) -> str:
    """What is wrong with a file that does not have its checksum: the line, where what it held can
    be told from the other files, from WordNet, or from what is shipped.

    Args:
        folder: the published folder.
        described: its manifest.
        name: the file.
        graph: what hops are counted in; None where it is not known here.
        lexicon: WordNet's nouns.
    """
    path = folder / name
    if name not in described["files"]:
        return f"{MANIFEST} does not list {name}"
    if not path.is_file():
        return f"{name} is missing"
    for expected in _expected(folder, described, name, graph, lexicon):
        if hashlib.sha256(expected).hexdigest() == described["files"][name]:
            return first_difference(name, path.read_bytes(), expected)
    return f"{name} is changed"


def first_difference(name: str, found: bytes, expected: bytes) -> str:
    """The first line of a text, or the first place of an array, that is not what it should be."""
    if name.endswith(".npy"):
        return _first_number(name, found, expected)
    ours, theirs = (part.decode("utf-8", "replace").splitlines() for part in (found, expected))
    for number, (line, right) in enumerate(zip_longest(ours, theirs), 1):
        if line != right:
            told = "the file ends" if line is None else _quoted(line)
            wanted = "its end" if right is None else _quoted(right)
            return f"{name}:{number}: {told}, expected {wanted}"
    return f"{name}: other line ends, or {MANIFEST} has another checksum of it"


def _quoted(line: str) -> str:
    return repr(shorten(line, 80, placeholder=" …"))


def _first_number(name: str, found: bytes, expected: bytes) -> str:
    try:
        ours, theirs = (np.load(io.BytesIO(part), allow_pickle=False) for part in (found, expected))
    except (ValueError, EOFError, OSError):
        return f"{name} is not an array of numbers"
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        wanted = f"{theirs.dtype} {list(theirs.shape)}"
        return f"{name}: {ours.dtype} {list(ours.shape)}, expected {wanted}"
    places = np.argwhere(ours != theirs)
    if not len(places):
        return f"{name}: other bytes around the same numbers"
    row, column = places[0]
    return (
        f"{name}: row {row + 1}, column {column + 1} is {ours[row, column]}, expected"
        f" {theirs[row, column]} ({len(places):,} such places)"
    )


def _expected(
    folder: Path,
    described: Mapping[str, Any],
    name: str,
    graph: Hierarchy | None,
    lexicon: Lexicon,
) -> Iterator[bytes]:
    """What a changed file may have held."""
    whole = all(as_published(folder, described, each) for each in BASIS)
    if name == "test_classes.txt" and as_published(folder, described, "classes.csv"):
        yield lines(row["wnid"] for row in read_rows(folder / "classes.csv")).encode()
    elif name == "training_classes.txt" and described["train"] in class_lists():
        yield lines(read_classes(list_path(described["train"]))).encode()
    elif name == "recipe.toml":
        shipped = {each.stem for each in shipped_recipes()} & {described["name"]}
        yield from (find_recipe(each).text.encode() for each in shipped)
    elif graph is not None and (whole or name == "statistics.json"):
        try:
            benchmark = read_benchmark(folder, described, graph, lexicon)
            if whole:
                yield contents(benchmark).get(name, b"")
                return
            classes = benchmark.test, benchmark.training, known_universe(described)
            again = statistics(graph, *classes, benchmark.populations)
            told = {**benchmark.statistics, **again}
            yield statistics_text(told, benchmark.steps).encode()
        except _DAMAGED:
            return

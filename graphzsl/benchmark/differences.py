"""Differences between a file of a published benchmark and what it should be: file and line."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import takewhile, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from graphzsl.benchmark.build import Built
from graphzsl.benchmark.contents import BASIS, contents, lines, statistics_text
from graphzsl.benchmark.folder import (
    as_published,
    benchmark_of,
    known_populations,
)
from graphzsl.benchmark.recipe import find_recipe, shipped_recipes
from graphzsl.common.errors import DataError, GraphZSLError
from graphzsl.common.files import MANIFEST
from graphzsl.common.reading.json_places import line_of_value
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.numpy_files import npy_of_bytes
from graphzsl.hierarchy.graph import Hierarchy
from graphzsl.hierarchy.lexicon import Lexicon
from graphzsl.sources.imagenet import shipped_classes
from graphzsl.sources.named_columns import named_rows
from graphzsl.sources.published import class_lists


def where_changed(
    folder: Path,
    described: Mapping[str, Any],
    changed: Sequence[str],
    graph: Hierarchy | None,
    lexicon: Lexicon,
    rebuild: Callable[[], tuple[Built | None, str]],
) -> dict[str, str]:
    """Describe the damage of each file that does not match its checksum: the line, if the published
    content follows from the other files, from WordNet, or from shipped data.

    Args:
        folder: the published folder.
        described: its manifest.
        changed: the files.
        graph: what hops are counted in; None where it is not known here.
        lexicon: WordNet's nouns.
        rebuild: runs the recipe of the folder again, as ``rerun`` does.
    """
    expected = _Expected(folder, described, graph, lexicon, rebuild)
    found = {}
    for name in changed:
        path = folder / name
        if name not in described["files"]:
            line = line_of_value(folder / MANIFEST, "files")
            found[name] = f"{MANIFEST}:{line} does not list {name}"
        elif not path.is_file():
            found[name] = f"{name} is missing"
        elif (held := expected.of(name)) is not None:
            found[name] = first_difference(name, path.read_bytes(), held)
        elif path.read_bytes() == expected.computed.get(name):
            line = line_of_value(folder / MANIFEST, "files", name)
            found[name] = f"{MANIFEST}:{line} has another checksum of it, and {name} is as computed"
        else:
            found[name] = (
                f"{name} is changed, and what it held cannot be told from the other files: take it"
                " from where the folder came from"
            )
    return found


def first_difference(name: str, found: bytes, expected: bytes) -> str:
    """The first line of a text, or the first place of an array, that differs from the published
    one."""
    if name.endswith(".npy"):
        return _first_number(name, found, expected)
    ours, theirs = (part.decode("utf-8", "replace").splitlines() for part in (found, expected))
    for number, (line, right) in enumerate(zip_longest(ours, theirs), 1):
        if line != right:
            same = (one == other for one, other in zip(line or "", right or "", strict=False))
            start = sum(takewhile(bool, same))
            told = "the file ends" if line is None else _quoted(line, start)
            wanted = "its end" if right is None else _quoted(right, start)
            return f"{name}:{number}: {told}, expected {wanted}"
    return f"{name}: other line ends, or {MANIFEST} has another checksum of it"


def _quoted(line: str, start: int) -> str:
    """80 characters of a line, around the place where it differs."""
    start -= len(line) - len(line.lstrip())
    line = line.strip()
    begin = max(0, min(start - 20, len(line) - 80))
    cut = line[begin : begin + 80]
    return repr(f"{'… ' * (begin > 0)}{cut}{' …' * (begin + 80 < len(line))}")


def _first_number(name: str, found: bytes, expected: bytes) -> str:
    if found[:2] == b"PK":
        return f"{name} is an archive of arrays, expected an array"
    try:
        ours, theirs = (npy_of_bytes(part, name, "numbers") for part in (found, expected))
    except DataError:
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


#: What reading files ends in that somebody changed together with their checksums: the checks behind
#: those of the checksums name the place.
_DAMAGED = (GraphZSLError, KeyError, TypeError, ValueError)


@dataclass(frozen=True, eq=False)
class _Expected:
    """Published content of a folder's files, as far as the other files tell it."""

    folder: Path
    described: Mapping[str, Any]
    graph: Hierarchy | None
    lexicon: Lexicon
    rebuild: Callable[[], tuple[Built | None, str]]

    def of(self, name: str) -> bytes | None:
        """Published content of a file: bytes that have its checksum; None if unknown."""
        held = self.basis.get(name) if name in BASIS else self.computed.get(name)
        return held if held is not None and self._is(name, held) else None

    @cached_property
    def basis(self) -> dict[str, bytes]:
        """The files that all others follow from, as far as they are known."""
        found: dict[str, bytes] = {}
        for name in BASIS:
            try:
                held = next((each for each in self._candidates(name) if self._is(name, each)), None)
            except _DAMAGED:
                continue  # a file that it would follow from is damaged too
            if held is not None:
                found[name] = held
        return found

    @cached_property
    def computed(self) -> dict[str, bytes]:
        """The files that follow from others; empty where those are not known."""
        if self.graph is None or len(self.basis) < len(BASIS):
            return {}
        test, training = (self.basis[name].decode().split() for name in BASIS[:2])
        try:
            document = parsed_json(self.basis["statistics.json"].decode(), "statistics.json")
            benchmark = benchmark_of(
                self.described,
                test=test,
                training=training,
                recipe=self.basis["recipe.toml"].decode(),
                statistics=document["statistics"],
                steps=document["steps"],
                populations=known_populations(self.folder, self.described, test),
                graph=self.graph,
                lexicon=self.lexicon,
            )
            return contents(benchmark)
        except _DAMAGED:
            return {}

    def _is(self, name: str, content: bytes) -> bool:
        return bool(hashlib.sha256(content).hexdigest() == self.described["files"].get(name))

    def _candidates(self, name: str) -> Iterator[bytes]:
        """Possible contents of a file of the basis."""
        path = self.folder / name
        if path.is_file():
            yield path.read_bytes()
        if name == "test_classes.txt":
            for table in ("classes.csv", "closest_training_classes.csv"):
                if as_published(self.folder, self.described, table):
                    rows = named_rows(self.folder / table, ("wnid",))
                    yield lines(row["wnid"] for _, row in rows).encode()
        elif name == "training_classes.txt" and self.described["train"] in class_lists():
            yield lines(shipped_classes(self.described["train"])).encode()
        elif name == "recipe.toml":
            shipped = {each.stem for each in shipped_recipes()} & {self.described["name"]}
            yield from (find_recipe(each).text.encode() for each in shipped)
        elif name == "statistics.json":
            # the recipe tells, where the files that it runs from are as they were
            there = (as_published(self.folder, self.described, each) for each in BASIS[:3])
            if self.graph is not None and all(there):
                built, _ = self.rebuild()
                if built is not None:
                    steps = [step.row() for step in built.steps]
                    yield statistics_text(built.statistics, steps).encode()

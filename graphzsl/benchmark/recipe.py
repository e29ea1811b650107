"""A recipe: how the test classes of a benchmark are chosen, as a readable TOML file. ::

    name = "my-benchmark"                # the class set that `graphzsl split build` stores
    doc = "What it is for, in a sentence."
    universe = "imagenet-fall11"         # class set the test classes are drawn from
    train = "ilsvrc2012"                 # class set of the training classes
    hierarchy = "wordnet"                # wordnet, hypernym or release

    frequency_above = 500                # keep classes a label of which occurs more often in the
                                         # corpus that was counted (unknown ones are dropped)
    frequency_of = "max"                 # max, mean, min or first: how the labels of a class
                                         # become one number
    meaning = "single"                   # keep classes that are the primary meaning of a label:
                                         # single, first-sense, sense-counts, neighbours
    vectors = "glove-6b-50d"             # word vectors for neighbours: a package by its name, or
                                         # a file, relative to this one
    population_above = 300               # keep classes with more images
    exclude = ["n00007846 person"]       # drop these synsets and everything below them; words
                                         # after the wnid are for people
    exclude_sets = ["imagenet-r"]        # drop the classes of these sets

    size = 500                           # test classes; leave it out to keep all that pass
    spread = 2.0                         # no branch holds more than this many times its share;
                                         # leave it out for the largest R

Training classes are always dropped, and classes above or below one too, unless the recipe says
``disjoint = false``; no test class of a ``size`` is above another: that is what "zero-shot" and
"mutually exclusive" mean. Steps run in the order above.

Levels of difficulty are cut out of a ranking by distance instead, and each becomes a split ``NAME-
LEVEL``::

    leaves = true                        # keep classes that have no class of the universe below
                                         # them
    disjoint = false                     # keep classes above and below training classes
    rank_by = "lin"                      # path, ancestor-path, lca, lin, jcn or class-tree
    rank_of = "nearest"                  # the distance to the nearest training class; or total: the
                                         # sum of the distances to all of them
    levels = 5                           # spread evenly over the ranking: the first holds the
                                         # nearest classes, the last the farthest
    level_names = ["1", "2", "3", "4", "5"]
    size = 1000                          # classes per level; leave it out to keep all that pass
    level = 2                            # this level alone, under the recipe's own name; leave it
                                         # out for all of them
    compare = ["list-1", "list-2"]       # published lists, one per level, that `split build`
                                         # compares the levels with
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, get_type_hints

from graphzsl.analysis.words.labels import REDUCERS
from graphzsl.analysis.words.meaning import RULES
from graphzsl.benchmark.ranking import KINDS, OF
from graphzsl.database.query import HIERARCHIES
from graphzsl.errors import SettingsError
from graphzsl.files import sha256_text
from graphzsl.sources.tables import WNID
from graphzsl.wording import counted

SHIPPED = Path(__file__).parent / "recipes"
#: The recipe of `graphzsl split build` without a name.
DEFAULT = "default"


@dataclass(frozen=True)
class Recipe:
    """A checked recipe; ``text`` is the file as written."""

    name: str
    doc: str = ""
    universe: str = "imagenet-fall11"
    train: str = "ilsvrc2012"
    hierarchy: str = "wordnet"
    frequency_above: int | None = None
    frequency_of: str = "max"
    meaning: str | None = None
    vectors: str | None = None
    population_above: int | None = None
    exclude: tuple[str, ...] = ()
    exclude_sets: tuple[str, ...] = ()
    size: int | None = None
    spread: float | None = None
    leaves: bool = False
    disjoint: bool = True
    rank_by: str | None = None
    rank_of: str = "nearest"
    levels: int = 1
    level_names: tuple[str, ...] = ()
    level: int | None = None
    compare: tuple[str, ...] = ()
    text: str = ""
    path: Path = Path()

    @property
    def sha256(self) -> str:
        """Checksum of the text."""
        return sha256_text(self.text)

    @cached_property
    def excluded(self) -> list[str]:
        """The wnids of ``exclude``."""
        return [entry.split()[0] for entry in self.exclude]

    @property
    def names_of_levels(self) -> list[str]:
        """What each level is called: 1, 2, … where the recipe has no names."""
        return list(self.level_names) or [str(place + 1) for place in range(self.levels)]

    def of_level(self, level: int) -> Recipe:
        """The recipe of one of its levels alone, from 1: under the name of its split, with a text
        that says so."""
        name = f"{self.name}-{self.names_of_levels[level - 1]}"
        text = self.text if self.text.endswith("\n") else f"{self.text}\n"
        alone = parse_recipe(_with(f"{text}level = {level}\n", name=name), self.path)
        return replace(alone, compare=self.compare)

    def changed(self, **values: str) -> Recipe:
        """The recipe with other texts for ``name``, ``universe`` or ``train``, in its text too.

        It is compared with nothing when its training classes or universe are others than those of
        the published lists.
        """
        changed = parse_recipe(_with(self.text, **values), self.path)
        own = changed.universe == self.universe and changed.train == self.train
        return changed if own else replace(changed, compare=())

    def where(self, key: str, entry: str = "") -> str:
        """``file:line`` of a key, or of the line at or after it that holds an entry of its list,
        for messages."""
        line = _line(self.text, key)
        lines = self.text.splitlines()[line - 1 :] if entry else []
        # the path of an installed package helps nobody
        place = (
            f"recipe {self.path.stem}, line " if self.path.parent == SHIPPED else f"{self.path}:"
        )
        further = next((number for number, text in enumerate(lines) if entry in text), 0)
        return f"{place}{line + further}"


def shipped_recipes() -> list[Path]:
    """The recipes that come with the package, by name."""
    return sorted(SHIPPED.glob("*.toml"))


def find_recipe(name: str) -> Recipe:
    """A shipped recipe by name, whatever else is called so, or one by file; SettingsError lists the
    names."""
    path = Path(name)
    shipped = {path.stem: path for path in shipped_recipes()}
    if name in shipped:
        return read_recipe(shipped[name])
    if path.suffix == ".toml" or path.is_file():
        return read_recipe(path)
    raise SettingsError(
        f"There is no recipe {name!r}. Shipped: {', '.join(shipped)}; or give a .toml file."
    )


def read_recipe(path: Path) -> Recipe:
    """SettingsError says ``file:line: what is wrong``: not TOML, an unknown key, a wrong type or
    value."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: the recipe cannot be read ({error}).") from None
    return parse_recipe(text, path)


def parse_recipe(text: str, path: Path) -> Recipe:
    """The recipe of a text; ``path`` is what errors call its file."""
    try:
        given = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        line = re.search(r"line (\d+)", str(error))
        raise SettingsError(f"{path}:{line[1] if line else 1}: {error}.") from None
    known = {field.name for field in fields(Recipe)} - {"text", "path"}
    for key, value in given.items():
        if key not in known:
            raise SettingsError(
                f"{path}:{_line(text, key)}: unknown key {key!r}; a recipe has"
                f" {', '.join(sorted(known))}."
            )
        wrong = _wrong(key, value)
        if wrong:
            raise SettingsError(f"{path}:{_line(text, key)}: {key} {wrong}, not {value!r}.")
    if "name" not in given:
        raise SettingsError(f"{path}:1: the recipe has no name.")
    conflict = next(_conflicts(given), None)
    if conflict:
        key, problem = conflict
        raise SettingsError(f"{path}:{_line(text, key)}: {problem}.")
    lists = {key: tuple(value) for key, value in given.items() if isinstance(value, list)}
    return Recipe(**{**given, **lists}, text=text, path=path)


def _conflicts(given: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """(key, what is wrong with it) for keys that do not go with the others."""
    if given.get("meaning") == "neighbours" and "vectors" not in given:
        problem = "needs vectors: a file of word vectors, or the name of a package, glove-6b-50d"
        yield "meaning", f'meaning = "neighbours" {problem}'
    if "spread" in given and "size" not in given:
        yield "spread", "spread needs a size"
    if "spread" in given and "rank_by" in given:
        yield "spread", "spread is for the largest structural ratio, and rank_by cuts levels"
    for key in ("rank_of", "levels", "level_names", "level", "compare"):
        if key in given and "rank_by" not in given:
            yield key, f"{key} needs rank_by, the distance that classes are ranked by"
    levels = given.get("levels", 1)
    for key in ("level_names", "compare"):
        if len(given.get(key, [""] * levels)) != levels:
            yield key, f"{key} has {len(given[key])} entries for {counted(levels, 'level')}"
    if len(set(given.get("level_names", ()))) < len(given.get("level_names", ())):
        yield "level_names", "two levels have one name"
    if given.get("level", 1) > levels:
        yield "level", f"there is no level {given['level']} of {levels}"
    if given.get("disjoint") is False and "size" in given and "rank_by" not in given:
        yield "disjoint", "disjoint = false needs rank_by: a size takes disjoint classes"


def _wrong(key: str, value: Any) -> str | None:
    """What a key's value must be, when it is not."""
    kind = get_type_hints(Recipe)[key]
    choices = {
        "hierarchy": HIERARCHIES,
        "meaning": RULES,
        "frequency_of": REDUCERS,
        "rank_by": KINDS,
        "rank_of": OF,
    }.get(key)
    if choices:
        return None if value in choices else f"must be one of {', '.join(choices)}"
    if kind is bool:
        return None if isinstance(value, bool) else "must be true or false"
    if key in ("exclude", "exclude_sets", "level_names", "compare"):
        if not isinstance(value, list) or not all(
            isinstance(entry, str) and entry.split() for entry in value
        ):
            return "must be a list of texts"
        if key == "exclude" and not all(WNID.match(entry.split()[0]) for entry in value):
            return "must start each entry with a wnid (n and 8 digits)"
        return None
    if kind in (str, str | None):
        return None if isinstance(value, str) and value else "must be a text"
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if key == "spread":
        return None if number and value >= 1 else "must be a number of at least 1"
    least = {"size": 2, "levels": 1, "level": 1}.get(key, 0)
    return (
        None
        if isinstance(value, int) and number and value >= least
        else f"must be a whole number of at least {least}"
    )


def _with(text: str, **values: str) -> str:
    """The text of a recipe with other values of keys whose value is a text on one line, or with
    the keys as its first lines."""
    for key, value in values.items():
        line = f"{key} = {json.dumps(value, ensure_ascii=False)}"
        there = re.search(rf"(?m)^\s*{key}\s*=.*$", text)
        text = text[: there.start()] + line + text[there.end() :] if there else f"{line}\n{text}"
    return text


def _line(text: str, key: str) -> int:
    """The line of a key, 1 when it is not found."""
    pattern = re.compile(rf"\s*['\"]?{re.escape(key)}['\"]?\s*=")
    return next(
        (number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1
    )

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

Classes that are training classes, or above or below one, are always dropped, and no test class is
above another: that is what "zero-shot" and "mutually exclusive" mean. Steps run in the order above.
"""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, get_type_hints

from graphzsl.analysis.words.labels import REDUCERS
from graphzsl.analysis.words.meaning import RULES
from graphzsl.database.query import HIERARCHIES
from graphzsl.errors import SettingsError
from graphzsl.files import sha256_text
from graphzsl.sources.tables import WNID

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
    """A recipe by file, or a shipped one by name; SettingsError lists the names."""
    path = Path(name)
    if path.suffix == ".toml" or path.exists():
        return read_recipe(path)
    shipped = {path.stem: path for path in shipped_recipes()}
    if name not in shipped:
        raise SettingsError(
            f"There is no recipe {name!r}. Shipped: {', '.join(shipped)}; or give a .toml file."
        )
    return read_recipe(shipped[name])


def read_recipe(path: Path) -> Recipe:
    """SettingsError says ``file:line: what is wrong``: not TOML, an unknown key, a wrong type or
    value."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: the recipe cannot be read ({error}).") from None
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
    if given.get("meaning") == "neighbours" and "vectors" not in given:
        raise SettingsError(
            f'{path}:{_line(text, "meaning")}: meaning = "neighbours" needs vectors: a file of word'
            " vectors, or the name of a package, glove-6b-50d."
        )
    if "spread" in given and "size" not in given:
        raise SettingsError(f"{path}:{_line(text, 'spread')}: spread needs a size.")
    lists = {key: tuple(value) for key, value in given.items() if isinstance(value, list)}
    return Recipe(**{**given, **lists}, text=text, path=path)


def _wrong(key: str, value: Any) -> str | None:
    """What a key's value must be, when it is not."""
    kind = get_type_hints(Recipe)[key]
    choices = {"hierarchy": HIERARCHIES, "meaning": RULES, "frequency_of": REDUCERS}.get(key)
    if choices:
        return None if value in choices else f"must be one of {', '.join(choices)}"
    if key in ("exclude", "exclude_sets"):
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
    least = 2 if key == "size" else 0
    return (
        None
        if isinstance(value, int) and number and value >= least
        else f"must be a whole number of at least {least}"
    )


def _line(text: str, key: str) -> int:
    """The line of a key, 1 when it is not found."""
    pattern = re.compile(rf"\s*['\"]?{re.escape(key)}['\"]?\s*=")
    return next(
        (number for number, line in enumerate(text.splitlines(), 1) if pattern.match(line)), 1
    )

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
    exclude = ["n00007846 person"]       # drop these synsets and everything below them: wnids,
                                         # names (person.n.01) or words of one synset; words after
                                         # a wnid or a name are for people; or, with reasons,
                                         # tables [[exclude]] as below
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

At the end of the file stand tables: exclusions with their reasons, and what `split publish` writes
into the data set card. All of it may be left out; a card claims nothing that no recipe says::

    [[exclude]]
    reason = "not mutually exclusive"
    synsets = ["n00007846 person"]

    [card]
    about = "What is in it, in some sentences."
    criterion = "What a class must be, for the section on what is left out."
    limits = ["What the choice does not promise.", "One sentence each."]
    creator = "Who chose the classes"
    license = "MIT"                      # of the choice of the classes and of the card
    cite_as = "How to cite it."
    date = 2026-01-31                    # when it was published
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import Any

from graphzsl.benchmark.recipe_keys import CHECKS, entries_of, problems
from graphzsl.benchmark.recipe_text import toml_text
from graphzsl.common.class_entries import Entry
from graphzsl.common.errors import DataError, SettingsError
from graphzsl.common.files import sha256_text
from graphzsl.common.text_files import parsed_toml, read_text
from graphzsl.common.toml_problems import line_of_entry, line_of_key, refusal
from graphzsl.common.wording import did_you_mean, near
from graphzsl.sources.class_lines import class_of_line

SHIPPED = Path(__file__).parent / "recipes"
#: The recipe of `graphzsl split build` without a name.
DEFAULT_RECIPE = "default"


@dataclass(frozen=True)
class Card:
    """Sentences and data of a recipe for the readers of its published benchmark."""

    about: str = ""
    criterion: str = ""
    limits: tuple[str, ...] = ()
    creator: str = ""
    license: str = ""
    cite_as: str = ""
    date: date | None = None


@dataclass(frozen=True)
class Recipe:
    """A checked recipe; ``text`` is the file as written, or with other values as TOML."""

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
    card: Card = Card()
    #: why each entry of ``exclude`` is in it; empty where nothing says so
    reasons: tuple[str, ...] = ()
    text: str = ""
    path: Path = Path()
    #: the text of the file, whose lines messages name, and the keys that have other values now
    source: str = ""
    other: frozenset[str] = frozenset()

    @property
    def sha256(self) -> str:
        """Checksum of the text."""
        return sha256_text(self.text)

    @property
    def excluded(self) -> list[Entry]:
        """The classes of ``exclude``, as they are written."""
        line = line_of_key(self.source, "exclude")
        entries = []
        for number, text in enumerate(self.exclude, 1):
            line = line_of_entry(self.source, text, line)
            entries.append(Entry(class_of_line(text), self.place(line), f"entry {number}"))
        return entries

    @property
    def names_of_levels(self) -> list[str]:
        """Name of each level: 1, 2, … if the recipe gives no names."""
        return list(self.level_names) or [str(place + 1) for place in range(self.levels)]

    @property
    def names_of_splits(self) -> list[str]:
        """Names that the recipe's splits are stored under: its own name, or one per level."""
        if self.rank_by is None or self.level is not None:
            return [self.name]
        return [f"{self.name}-{level}" for level in self.names_of_levels]

    def of_level(self, level: int) -> Recipe:
        """The recipe of one of its levels alone, from 1: under the name of its split, with a text
        that says so."""
        return self._with(name=self.names_of_splits[level - 1], level=level)

    def changed(self, **values: str) -> Recipe:
        """The recipe with other texts for ``name``, ``universe`` or ``train``, in its text too.

        With other training classes or another universe it is compared with no published list, and
        its card names neither creator, licence, citation nor date. SettingsError names the argument
        that is not a text.
        """
        for key, value in values.items():
            problem = CHECKS[key](value)
            if problem is not None:
                raise SettingsError(f"{key} {problem}, not {value!r}.", argument=key)
        other: dict[str, Any] = {
            key: value for key, value in values.items() if getattr(self, key) != value
        }
        if not other.keys() & {"universe", "train"}:
            return self._with(**other) if other else self
        # the benchmark of other classes is not that of the card's authors
        card = tomllib.loads(self.text).get("card", {})
        kept = {
            key: value for key, value in card.items() if key in ("about", "criterion", "limits")
        }
        return self._with("compare", *(() if kept else ("card",)), **other, card=kept)

    def where(self, key: str, entry: str = "") -> str:
        """``file:line`` of a key, or of the line at or after it that holds an entry of its list,
        for messages."""
        line = line_of_key(self.source, key)
        return self.place(line_of_entry(self.source, entry, line) if entry else line)

    def place(self, line: int) -> str:
        """``file:line`` of a line, from 1."""
        return _place(self.path, line)

    def _with(self, *without: str, **values: Any) -> Recipe:
        """The recipe with other values, and without some keys."""
        given = {**tomllib.loads(self.text), **values}
        text = toml_text({key: value for key, value in given.items() if key not in without})
        changed = parse_recipe(text, self.path)
        return replace(changed, source=self.source, other=self.other | (values.keys() - {"card"}))


def shipped_recipes() -> list[Path]:
    """The recipes that come with the package, by name."""
    return sorted(SHIPPED.glob("*.toml"))


def find_recipe(name: str) -> Recipe:
    """Find a shipped recipe by name, even if a file has that name, or read one from a file. Raises
    SettingsError with the names of the recipes, or as ``read_recipe`` does."""
    path = Path(name)
    shipped = {path.stem: path for path in shipped_recipes()}
    if name in shipped:
        return read_recipe(shipped[name])
    if path.exists() and (path.suffix == ".toml" or path.is_file()):
        return read_recipe(path)
    is_file = path.suffix == ".toml"
    said = f"There is no file {name}" if is_file else f"There is no recipe {name!r}"
    offer = did_you_mean(near(path.stem if is_file else name, shipped))
    raise SettingsError(
        f"{said}.{offer} Shipped recipes, by name: {', '.join(shipped)}; or give a .toml file, to"
        " which `graphzsl split recipes NAME > my-recipe.toml` is a start."
    )


def read_recipe(path: Path) -> Recipe:
    """Read a recipe. Raises SettingsError with a line ``file:line: problem`` for every problem (of
    more than 20 their number): an unknown key, a wrong type or value, keys that do not go together.
    A text that is not TOML is reported up to its first mistake."""
    try:
        text = read_text(path)
    except DataError as error:
        raise SettingsError(str(error)) from None
    return parse_recipe(text, path)


def parse_recipe(text: str, path: Path) -> Recipe:
    """Parse the text of a recipe; errors call its file ``path``. Raises SettingsError as
    ``read_recipe`` does."""
    given = parsed_toml(text, lambda line: _place(path, line))
    if found := list(problems(given)):
        raise refusal(found, text, lambda line: _place(path, line))
    return _recipe(given, text, path)


def _recipe(given: Mapping[str, Any], text: str, path: Path) -> Recipe:
    values: dict[str, Any] = {
        key: tuple(each) if isinstance(each, list) else each for key, each in given.items()
    }
    exclusions = list(entries_of(given.get("exclude", ())))
    values["exclude"] = tuple(entry for entry, _ in exclusions)
    values["reasons"] = tuple(reason for _, reason in exclusions)
    card = given.get("card", {})
    values["card"] = Card(**{**card, "limits": tuple(card.get("limits", ()))})
    return Recipe(**values, text=text, path=path, source=text)


def _place(path: Path, line: int) -> str:
    # the path of an installed package helps nobody
    shipped = path.parent == SHIPPED
    return f"recipe {path.stem}, line {line}" if shipped else f"{path}:{line}"

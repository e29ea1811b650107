"""Valid values of the keys of a recipe, and combinations of keys."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from datetime import date, datetime
from pathlib import PurePath
from typing import Any

from graphzsl.analysis.words.labels import LABEL_REDUCERS
from graphzsl.analysis.words.meaning import MEANING_RULES
from graphzsl.benchmark.ranking import KINDS, OF
from graphzsl.common.checked_names import LONGEST, name_problem
from graphzsl.common.toml_problems import Problem
from graphzsl.common.wording import counted, near
from graphzsl.database.query_file import HIERARCHIES

#: Levels are cut out of a ranking of WordNet's 82,115 nouns at most.
MOST_LEVELS = 1_000
#: What a value must be, when it is not.
Check = Callable[[Any], str | None]


def problems(given: Mapping[str, Any]) -> Iterator[Problem]:
    """Find all problems of the keys and values of a recipe, as its TOML has them; a problem that
    only follows from another one is left out."""
    of_keys = list(_of_table(given, CHECKS, (), "a recipe has"))
    yield from of_keys
    card = given.get("card", {})
    if isinstance(card, dict):
        yield from _of_table(card, CARD, ("card",), "[card] has")
    yield from _of_exclude(given.get("exclude", ()))
    doubtful = {each.path[0] for each in of_keys}
    right = {key: value for key, value in given.items() if key not in doubtful}
    # a key with a wrong value is there, and so is what an unknown one was meant as
    there = {*given, *_meant(given, CHECKS)}
    if "name" not in there:
        yield Problem((), "the recipe has no name")
    yield from _conflicts(right, there)


def entries_of(exclude: Sequence[Any]) -> Iterator[tuple[str, str]]:
    """(entry, reason) of everything that ``exclude`` names, in its order."""
    for each in exclude:
        if isinstance(each, str):
            yield each, ""
        else:
            yield from ((entry, each.get("reason", "")) for entry in each["synsets"])


def _of_table(
    table: Mapping[str, Any], checks: Mapping[str, Check], path: tuple[str | int, ...], has: str
) -> Iterator[Problem]:
    for key, value in table.items():
        if key not in checks:
            close = near(key, checks, 1)
            meant = f"; {close[0]} is meant, perhaps" if close else ""
            yield Problem((*path, key), f"unknown key {key!r}{meant}; {has} {_listed(checks)}")
        elif (problem := checks[key](value)) is not None:
            yield Problem((*path, key), f"{key} {problem}, not {value!r}")


def _meant(table: Mapping[str, Any], checks: Mapping[str, Check]) -> Iterator[str]:
    """Known keys that are spelt like an unknown key of a table."""
    return (close for key in table.keys() - checks.keys() for close in near(key, checks, 1))


def _listed(keys: Mapping[str, Any]) -> str:
    return ", ".join(sorted(keys))


def _of_exclude(exclude: Any) -> Iterator[Problem]:
    """Find problems inside of ``exclude``, if it is a list."""
    if _exclude(exclude) is not None:
        return
    for place, each in enumerate(exclude):
        if isinstance(each, dict):
            yield from _of_table(each, EXCLUSION, ("exclude", place), "an exclusion has")
            # what is wrong with an unknown key is said already where it was meant so
            there = {*each, *_meant(each, EXCLUSION)}
            if "synsets" not in there:
                yield Problem(("exclude", place), "the exclusion names no synsets")


def _conflicts(right: Mapping[str, Any], there: Collection[str]) -> Iterator[Problem]:
    """Find keys that contradict others, or have no effect beside them: among the keys with valid
    values (``right``), beside all keys that are ``there``."""
    neighbours = right.get("meaning") == "neighbours"
    if neighbours and "vectors" not in there:
        needs = "needs vectors: a file of word vectors, or the name of a package, glove-6b-50d"
        yield Problem(("meaning",), f'meaning = "neighbours" {needs}')
    if "vectors" in right and not neighbours and ("meaning" in right or "meaning" not in there):
        yield Problem(("vectors",), 'vectors has no effect without meaning = "neighbours"')
    if "frequency_of" in right and "frequency_above" not in there:
        yield Problem(("frequency_of",), "frequency_of has no effect without frequency_above")
    if "spread" in right and "rank_by" in there:
        told = "spread is for the largest structural ratio, and rank_by cuts levels"
        yield Problem(("spread",), told)
    if "spread" in right and "size" not in there:
        yield Problem(("spread",), "spread needs a size")
    for key in ("rank_of", "levels", "level_names", "level", "compare"):
        if key in right and "rank_by" not in there:
            told = f"{key} needs rank_by, the distance that classes are ranked by"
            yield Problem((key,), told)
    yield from _of_levels(right, right.get("levels", None if "levels" in there else 1))
    if right.get("disjoint") is False and "size" in there and "rank_by" not in there:
        told = "disjoint = false needs rank_by: a size takes disjoint classes"
        yield Problem(("disjoint",), told)


def _of_levels(given: Mapping[str, Any], levels: int | None) -> Iterator[Problem]:
    """Find problems of the names and numbers of levels; ``levels`` is how many there are, None if
    that is unknown."""
    for key in ("level_names", "compare"):
        if key in given and levels is not None and len(given[key]) != levels:
            has = counted(len(given[key]), "entry", "entries")
            yield Problem((key,), f"{key} has {has} for {counted(levels, 'level')}")
    names = given.get("level_names", ())
    for place, name in enumerate(names):
        if name in names[:place]:
            yield Problem(("level_names",), f"two levels have one name, {name!r}", name)
        if (problem := _file_name(name)) is not None:
            yield Problem(("level_names",), f"level_names: {name!r} {problem}", name)
    if levels is not None and given.get("level", 1) > levels:
        yield Problem(("level",), f"there is no level {given['level']} of {levels}")


def _text(value: Any) -> str | None:
    return None if isinstance(value, str) and value.strip() else "must be a text"


def _file_name(value: Any) -> str | None:
    """Requirement that the name of a split violates; its file has the same name."""
    if (problem := _text(value)) is not None:
        return problem
    if problem := name_problem(value, LONGEST):
        return f"must be a name, and {problem}"
    good = PurePath(value).name == value and value.isprintable() and value != ".."
    return None if good else "must be a name that a file can have"


def _texts(value: Any) -> str | None:
    good = isinstance(value, list | tuple) and all(_text(each) is None for each in value)
    return None if good else "must be a list of texts"


def _exclude(value: Any) -> str | None:
    good = isinstance(value, list | tuple) and all(
        isinstance(each, dict) or _text(each) is None for each in value
    )
    return None if good else "must be a list of texts, or tables [[exclude]] of reason and synsets"


def _truth(value: Any) -> str | None:
    return None if isinstance(value, bool) else "must be true or false"


def _one_of(choices: Sequence[str]) -> Check:
    def check(value: Any) -> str | None:
        return None if value in choices else f"must be one of {', '.join(choices)}"

    return check


def _whole(least: int, most: int | None = None) -> Check:
    wanted = f"of at least {least}" if most is None else f"from {least} to {most:,}"

    def check(value: Any) -> str | None:
        good = isinstance(value, int) and not isinstance(value, bool) and value >= least
        good = good and (most is None or value <= most)
        return None if good else f"must be a whole number {wanted}"

    return check


def _spread(value: Any) -> str | None:
    number = isinstance(value, int | float) and not isinstance(value, bool)
    good = number and math.isfinite(value) and value >= 1
    return None if good else "must be a number of at least 1"


def _date(value: Any) -> str | None:
    good = isinstance(value, date) and not isinstance(value, datetime)
    return None if good else "must be a date such as 2026-01-31, without quotation marks"


def _table(value: Any) -> str | None:
    return None if isinstance(value, dict) else "must be a table"


#: Key of a recipe -> the check of its value.
CHECKS: dict[str, Check] = {
    "name": _file_name,
    **dict.fromkeys(("doc", "universe", "train", "vectors"), _text),
    "hierarchy": _one_of(tuple(HIERARCHIES)),
    "frequency_above": _whole(0),
    "frequency_of": _one_of(tuple(LABEL_REDUCERS)),
    "meaning": _one_of(MEANING_RULES),
    "population_above": _whole(0),
    "exclude": _exclude,
    "exclude_sets": _texts,
    "size": _whole(2),
    "spread": _spread,
    "leaves": _truth,
    "disjoint": _truth,
    "rank_by": _one_of(KINDS),
    "rank_of": _one_of(OF),
    "levels": _whole(1, MOST_LEVELS),
    "level_names": _texts,
    "level": _whole(1, MOST_LEVELS),
    "compare": _texts,
    "card": _table,
}
#: Key of the table [card] -> the check of its value.
CARD: dict[str, Check] = {
    **dict.fromkeys(("about", "criterion", "creator", "license", "cite_as"), _text),
    "limits": _texts,
    "date": _date,
}
#: Key of a table [[exclude]] -> the check of its value.
EXCLUSION: dict[str, Check] = {"reason": _text, "synsets": _texts}

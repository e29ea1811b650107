"""The configuration file of a grid: what it may hold, checked before any run starts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import shown
from graphzsl.common.errors import GraphZSLError
from graphzsl.common.text_files import read_toml
from graphzsl.common.toml_problems import Problem, refusal
from graphzsl.common.wording import near
from graphzsl.models.registry import model_module

_KEYS = (
    "classifiers",
    "compute",
    "data",
    "features",
    "graph",
    "keep_samples",
    "models",
    "out",
    "seeds",
    "semantics",
    "setting",
    "splits",
    "validation_seeds",
    "wordnet",
)
_SPLIT_KEYS = ("branches", "hide", "of", "test", "train")
#: What [models.NAME] may hold beside the model's options.
MODEL_KEYS = {"calibrate", "model", "note"}
#: Names become parts of file names.
_NAME = re.compile(r"[^\W_](?:[\w .+-]*[\w+])?")


def read_config(path: Path) -> dict[str, Any]:
    """The settings of a file.

    Raises:
        DataError: there is no such file.
        SettingsError: names everything that is wrong in it, by line.
    """
    file = read_toml(path)
    if found := list(_problems(file.given)):
        raise refusal(found, file.text, lambda line: f"{path}:{line}")
    return file.given


def _problems(given: dict[str, Any]) -> Iterator[Problem]:
    """Everything that is wrong with the settings of a file, before any run starts; what only
    follows from another problem is left out."""
    unknown = [name for name in given if name not in _KEYS]
    for name in unknown:
        yield Problem((name,), f"there is no setting {_unknown(name, _KEYS)}")
    there = {*given, *(close for name in unknown for close in near(name, _KEYS, 1))}
    for name in ("out", "models"):
        if name not in there:
            yield Problem((), f"{name!r} is missing")
    if ("data" in there) == ("classifiers" in there):
        yield Problem((), "give either `classifiers` (with `splits`) or `data`")
    of_values = list(_of_values(given))
    yield from of_values
    doubtful = {each.path for each in of_values}
    tables = {
        section: {
            name: value for name, value in given[section].items() if (section, name) not in doubtful
        }
        for section in ("models", "splits", "semantics")
        if section in given and (section,) not in doubtful
    }
    for section, table in tables.items():
        for name in table:
            if not _NAME.fullmatch(name):
                told = (
                    f"[{section}] {name!r} becomes part of a file's name: use letters, digits,"
                    " spaces and . _ + -, with a letter or digit at its ends"
                )
                yield Problem((section, name), told)
    yield from _of_splits(tables.get("splits", {}), "data" in there)
    yield from _of_models(tables.get("models", {}), given.get("setting") == "generalized")


def _of_splits(splits: dict[str, Any], has_data: bool) -> Iterator[Problem]:
    for split, given in splits.items():
        for name, why in _without_effect(given, has_data):
            told = f"[splits.{split}] {name} has no effect: {why}"
            yield Problem(("splits", split, name), told)
        for name in given:
            if name not in _SPLIT_KEYS:
                told = f"[splits.{split}] has no {_unknown(name, _SPLIT_KEYS)}"
                yield Problem(("splits", split, name), told)
        for name in ("of", "test", "train"):
            if not isinstance(given.get(name, ""), str):
                told = (
                    f"[splits.{split}] {name} is a class set of the graph or a file of wnids, not"
                    f" {shown(given[name])}"
                )
                yield Problem(("splits", split, name), told)
        hide = given.get("hide", 0.2)
        if not (type(hide) in (int, float) and 0 < hide < 1):
            told = f"[splits.{split}] hide is a share above 0 and below 1, not {shown(hide)}"
            yield Problem(("splits", split, "hide"), told)
        branches = given.get("branches", 0)
        if not (type(branches) in (int, float) and 0 <= branches <= 1):
            told = (
                f"[splits.{split}] branches is the share of the hidden classes that go as whole"
                f" branches, from 0 to 1, not {shown(branches)}"
            )
            yield Problem(("splits", split, "branches"), told)


def _without_effect(split: dict[str, Any], has_data: bool) -> Iterator[tuple[str, str]]:
    """Settings of a split that another one overrules, and which."""
    names: tuple[str, ...] = ()
    why = ""
    if has_data:
        names, why = ("of", "hide", "branches", "train"), "`data` has its own training classes"
    elif "of" in split:
        names, why = ("train", "test"), "`of` names the classes of which some are hidden"
    elif {"train", "test"} <= split.keys():
        names, why = ("hide", "branches"), "`train` and `test` are whole lists; `of` draws from one"
    return ((name, why) for name in names if name in split)


def _of_models(models: dict[str, Any], is_generalized: bool) -> Iterator[Problem]:
    for label, options in models.items():
        model = options.get("model", label)
        if not isinstance(model, str):
            told = f"[models.{label}] model is the name of a model, not {shown(model)}"
            yield Problem(("models", label, "model"), told)
            continue
        try:
            fields = model_module(model).Options.__dataclass_fields__
        except GraphZSLError as error:
            key = ("model",) if "model" in options else ()
            yield Problem(("models", label, *key), str(error).removesuffix("."))
            continue
        for name in options:
            if name not in fields and name not in MODEL_KEYS:
                told = f"[models.{label}] has no option {_unknown(name, fields)}"
                yield Problem(("models", label, name), told)
        calibrate = options.get("calibrate", False)
        if not isinstance(calibrate, bool):
            told = f"[models.{label}] calibrate is true or false, not {shown(calibrate)}"
            yield Problem(("models", label, "calibrate"), told)
        elif calibrate and not is_generalized:
            told = f'[models.{label}] calibrate has no effect without `setting = "generalized"`'
            yield Problem(("models", label, "calibrate"), told)


def _of_values(config: dict[str, Any]) -> Iterator[Problem]:
    """Values that are not of their setting's kind."""

    def check(path: tuple[str, ...], name: str, expected: str, right: bool) -> Iterator[Problem]:
        if not right:
            value: Any = config
            for key in path:
                value = value[key]
            yield Problem(path, f"{name} is {expected}, not {shown(value)}")

    for name in ("out", "graph", "wordnet", "classifiers", "data", "features"):
        yield from check((name,), name, "a path", isinstance(config.get(name, ""), str))
    for name in ("seeds", "validation_seeds"):
        seeds = config.get(name, [0])
        right = (
            isinstance(seeds, list)
            and len(seeds) > 0
            and all(type(seed) is int and 0 <= seed < 2**32 for seed in seeds)
        )
        yield from check((name,), name, "a list of whole numbers from 0 to 4294967295", right)
        different = not right or len(set(seeds)) == len(seeds)
        yield from check((name,), name, "a list of different numbers", different)
    keeps = isinstance(config.get("keep_samples", True), bool)
    yield from check(("keep_samples",), "keep_samples", "true or false", keeps)
    setting = config.get("setting", "standard") in ("standard", "generalized")
    yield from check(("setting",), "setting", "standard or generalized", setting)
    for section in ("models", "splits", "semantics", "compute"):
        table = config.get(section, {})
        yield from check((section,), f"[{section}]", "a table", isinstance(table, dict))
        if not isinstance(table, dict) or section == "compute":
            continue
        for name, value in table.items():
            if section == "semantics":
                right, said, expected = isinstance(value, str), f"semantics {name}", "a path"
            else:
                right, said, expected = isinstance(value, dict), f"[{section}.{name}]", "a table"
            yield from check((section, name), said, expected, right)


def _unknown(name: str, known: Iterable[str]) -> str:
    """An unknown key, the known one that is near, and all of them."""
    close = near(name, known, 1)
    meant = f" (did you mean {close[0]!r}?)" if close else ""
    return f"{name!r}{meant}; known: {', '.join(known)}"

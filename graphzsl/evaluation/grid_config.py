"""The configuration file of a grid: what it may hold, checked before any run starts."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

from graphzsl.errors import DataError, SettingsError
from graphzsl.evaluation.run_files import OLD_SETTING
from graphzsl.models import model_module

_KEYS = {
    "out",
    "graph",
    "wordnet",
    "classifiers",
    "data",
    "features",
    "seeds",
    "setting",
    "semantics",
    "splits",
    "models",
    "compute",
    "validation_seeds",
    "keep_samples",
}
_SPLIT_KEYS = {"of", "hide", "train", "test"}
#: Keys of earlier versions -> what they are called now.
_OLD_KEYS = {"hierarchy": "wordnet"}
#: What [models.NAME] may hold beside the model's options.
MODEL_KEYS = {"model", "note"}
#: Names become parts of file names.
_NAME = re.compile(r"[^\W_](?:[\w .+-]*[\w+])?")


def read_config(path: Path) -> dict[str, Any]:
    """The settings of a file; SettingsError names what is wrong in it."""
    try:
        config = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not valid TOML: {error}.") from None
    for old, new in _OLD_KEYS.items():
        if old in config:
            if new in config:
                raise SettingsError(f"{path}: give {new!r} alone; {old!r} is its former name.")
            config[new] = config.pop(old)
    unknown = set(config) - _KEYS
    if unknown:
        raise SettingsError(
            f"{path}: there is no setting {min(unknown)!r}; known: {', '.join(sorted(_KEYS))}."
        )
    for name in ("out", "models"):
        if name not in config:
            raise SettingsError(f"{path}: {name!r} is missing.")
    _check_types(path, config)
    if config.get("setting") == OLD_SETTING:
        config["setting"] = "generalized"
    if ("data" in config) == ("classifiers" in config):
        raise SettingsError(f"{path}: give either `classifiers` (with `splits`) or `data`.")
    if config.get("setting", "standard") not in ("standard", "generalized"):
        raise SettingsError(
            f"{path}: setting is standard or generalized, not {config['setting']!r}."
        )
    for section in ("models", "splits", "semantics"):
        for name in config.get(section, {}):
            if not _NAME.fullmatch(name):
                raise SettingsError(
                    f"{path}: [{section}] {name!r} becomes part of a file's name: use letters,"
                    " digits, spaces and . _ + -, with a letter or digit at its ends."
                )
    for split, given in config.get("splits", {}).items():
        if set(given) - _SPLIT_KEYS:
            raise SettingsError(
                f"{path}: [splits.{split}] has no {min(set(given) - _SPLIT_KEYS)!r}; known:"
                f" {', '.join(sorted(_SPLIT_KEYS))}."
            )
    for label, options in config["models"].items():
        fields = model_module(options.get("model", label)).Options.__dataclass_fields__
        unknown = set(options) - set(fields) - MODEL_KEYS
        if unknown:
            raise SettingsError(
                f"{path}: [models.{label}] has no option {min(unknown)!r}; known:"
                f" {', '.join(fields)}."
            )
    return config


def _check_types(path: Path, config: dict[str, Any]) -> None:
    """SettingsError for a value that is not of its setting's kind, before any run starts."""

    def check(name: str, value: Any, expected: str, right: bool) -> None:
        if not right:
            raise SettingsError(f"{path}: {name} is {expected}, not {value!r}.")

    for name in ("out", "graph", "wordnet", "classifiers", "data", "features"):
        check(name, config.get(name), "a path", isinstance(config.get(name, ""), str))
    for name in ("seeds", "validation_seeds"):
        seeds = config.get(name, [0])
        right = (
            isinstance(seeds, list)
            and len(seeds) > 0
            and all(type(seed) is int and 0 <= seed < 2**32 for seed in seeds)
        )
        check(name, seeds, "a list of whole numbers from 0 to 4294967295", right)
        check(name, seeds, "a list of different numbers", len(set(seeds)) == len(seeds))
    check(
        "keep_samples",
        config.get("keep_samples"),
        "true or false",
        isinstance(config.get("keep_samples", True), bool),
    )
    for name in ("models", "splits", "semantics", "compute"):
        check(f"[{name}]", config.get(name), "a table", isinstance(config.get(name, {}), dict))
    for name in ("models", "splits"):
        for label, value in config.get(name, {}).items():
            check(f"[{name}.{label}]", value, "a table", isinstance(value, dict))
    for name, file in config.get("semantics", {}).items():
        check(f"semantics {name}", file, "a path", isinstance(file, str))
    for name, split in config.get("splits", {}).items():
        hide = split.get("hide", 0.2)
        right = type(hide) in (int, float) and 0 < hide < 1
        check(f"[splits.{name}] hide", hide, "a share above 0 and below 1", right)

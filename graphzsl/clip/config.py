"""The configuration file of a CLIP run: what it may hold, checked before anything is computed.

::

    # paths are relative to this file
    out = "runs/vit-b-32"              # folder of the results
    name = "ViT-B-32, our names"       # what to call it (default: the model)
    simulated = false                  # say in the result that weights or features are simulated

    model = "ViT-B-32"                 # open_clip's name, local-dir:FOLDER, hf-hub:REPOSITORY
    pretrained = "open_clip_model.safetensors"  # a file, or a tag of open_clip
    head = "head.npz"                  # in place of names: a class head [D, C]

    set = "ilsvrc2012"                 # classes: a shipped list or a file
    names = "wordnet"                  # or "openai", or a file of names
    rule = "first+word+parent+gloss"   # how names of WordNet are told apart
    templates = "neutral"              # or "openai", "bare", or a file of templates
    shared = "error"                   # or "keep": classes that have one name

    images = "val"                     # a folder, tars, wds/FOLDER, hfds/NAME
    split = "test"                     # of a data set or webdataset
    image_key = "image"                # of them, too
    label_key = "label"
    features = "features.parquet"      # in place of images

    top = 20                           # length of the lists in predictions.parquet
    missing = "error"                  # or "miss": samples of classes that are no candidates
    normalize = true                   # features to length 1, as CLIP's are

    [compute]
    device = "auto"                    # cpu, cuda, cuda:1, mps
    precision = "float32"              # or bfloat16
    batch = 64                         # images at once
    text_batch = 256                   # texts at once
    workers = 0                        # processes that read images

    [audit]
    wordnet = "wordnet"                # the hierarchy; or a folder, or "none"
    train = "ilsvrc2012"               # training classes: groups by hops, generalized setting
    valid = "devise"                   # valid set of hp@k (default: the candidates)
    rounds = 2000                      # of the bootstrap
    confidence = 0.95
    seed = 0
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from graphzsl.clip.predictions import MISSING
from graphzsl.clip.prompts import SHARED
from graphzsl.compute import PRECISIONS
from graphzsl.errors import DataError, GraphZSLError, SettingsError
from graphzsl.features.image_readers import SHARDS
from graphzsl.wording import near


def _text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _whole(low: int, high: int = 2**32 - 1) -> tuple[str, Callable[[Any], bool]]:
    said = f"a whole number from {low}" + (f" to {high}" if high < 2**31 or low == 0 else "")
    return said, lambda value: type(value) is int and low <= value <= high


def _one_of(*known: str) -> tuple[str, Callable[[Any], bool]]:
    return " or ".join(known), lambda value: value in known


_TEXT = "a text", _text
_FLAG = "true or false", lambda value: isinstance(value, bool)
_SHARE = (
    "a number above 0 and below 1",
    lambda value: type(value) is float and math.isfinite(value) and 0 < value < 1,
)
#: Setting -> (what it must be, whether a value is that).
_KEYS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    **dict.fromkeys(("out", "name", "model", "pretrained", "head", "set", "names"), _TEXT),
    **dict.fromkeys(("rule", "templates", "images", "split"), _TEXT),
    **dict.fromkeys(("image_key", "label_key", "features"), _TEXT),
    "simulated": _FLAG,
    "normalize": _FLAG,
    "shared": _one_of(*SHARED),
    "missing": _one_of(*MISSING),
    "top": _whole(1),
}
#: The same of the tables.
_TABLES: dict[str, dict[str, tuple[str, Callable[[Any], bool]]]] = {
    "compute": {
        "device": _TEXT,
        "precision": _one_of(*PRECISIONS),
        "batch": _whole(1),
        "text_batch": _whole(1),
        "workers": _whole(0),
    },
    "audit": {
        **dict.fromkeys(("wordnet", "train", "valid"), _TEXT),
        "rounds": _whole(1),
        "confidence": _SHARE,
        "seed": _whole(0),
    },
}
#: Settings that have no effect beside another one.
_WITHOUT_EFFECT = {
    "head": ("set", "names", "rule", "templates", "shared"),
    "features": ("images", "split", "image_key", "label_key"),
}
#: The same of [compute]: what each needs.
_NEEDED_BY = {"text_batch": "names", "batch": "images", "workers": "images"}


def read_config(path: Path) -> dict[str, Any]:
    """The settings of a file, as it has them.

    Raises:
        DataError: there is no such file.
        SettingsError: it is not TOML, or a setting is unknown, of a wrong kind, missing or without
            effect; file, line and setting are named.
    """
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        config = tomllib.loads(text)
    except FileNotFoundError:
        raise DataError(f"{path} does not exist.") from None
    except IsADirectoryError:
        raise DataError(f"{path} is a folder; a file was expected.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path}: not valid TOML: {error}.") from None
    except RecursionError:
        raise SettingsError(f"{path}: not valid TOML: too deep.") from None
    place = _Places(Path(path), text)
    tables = {name: config.pop(name, {}) for name in _TABLES}
    _check(place, "", config, _KEYS, [*_KEYS, *(f"[{name}]" for name in _TABLES)])
    for name, table in tables.items():
        if not isinstance(table, dict):
            raise SettingsError(f"{place.of(name)}: [{name}] is a table, not {table!r}.")
        _check(place, name, table, _TABLES[name], _TABLES[name])
    _check_together(place, config)
    _check_compute(place, config, tables["compute"])
    return {**config, **tables}


def with_setting(error: GraphZSLError, path: Path) -> GraphZSLError:
    """The error that names the line of the setting that mends it, in place of an argument."""
    name = error.argument
    if name is None or (name not in _KEYS and name not in _TABLES["compute"]):
        return error
    try:
        place = _Places(path, path.read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError):
        return error
    table = "" if name in _KEYS else "compute"
    if not place.has(name, table):
        return type(error)(f"{path}: {error} (The setting is {name}.)")
    return type(error)(f"{place.of(name, table)}: {error}")


def _check(
    place: _Places, table: str, given: dict[str, Any], known: dict[str, Any], said: Any
) -> None:
    where = f"[{table}] has no setting" if table else "there is no setting"
    for name, value in given.items():
        if name not in known:
            raise SettingsError(
                f"{place.of(name, table)}: {where} {name!r}{_near(name, table)}; known:"
                f" {', '.join(said)}."
            )
        expected, right = known[name]
        if not right(value):
            raise SettingsError(f"{place.of(name, table)}: {name} is {expected}, not {value!r}.")


def _near(name: str, table: str) -> str:
    """What an unknown setting may have been meant as: ``; did you mean 'out'?``"""
    homes = {key: each for each, keys in _TABLES.items() for key in keys}
    homes |= dict.fromkeys(_KEYS, "")
    if name in homes and homes[name] != table:
        home = f"in [{homes[name]}]" if homes[name] else "above all tables"
        return f" (it stands {home})"
    known = [*_KEYS, *_TABLES] if not table else [*_TABLES[table]]
    found = near(name, known, 1, 0.6) or near(name, homes, 1, 0.75)
    if not found:
        return ""
    home = homes.get(found[0], table)
    shown = f"[{found[0]}]" if found[0] in _TABLES else repr(found[0])
    return f" (did you mean {shown}{f' in [{home}]' if home and home != table else ''}?)"


def _check_compute(place: _Places, config: dict[str, Any], compute: dict[str, Any]) -> None:
    """SettingsError for what is set of a computation that does not take place."""
    for name, needed in _NEEDED_BY.items():
        given = "head" if needed == "names" else "features"
        if name in compute and given in config:
            raise SettingsError(
                f"{place.of(name, 'compute')}: {name} has no effect beside {given}."
            )
    if compute.get("workers") and str(config.get("images")).startswith(SHARDS):
        raise SettingsError(
            f"{place.of('workers', 'compute')}: workers has no effect: one process reads the shards"
            f" of {SHARDS}FOLDER."
        )
    if {"head", "features"} <= config.keys():
        lost = next((name for name in ("device", "precision") if name in compute), None)
        if lost is not None:
            raise SettingsError(
                f"{place.of(lost, 'compute')}: {lost} has no effect: with head and features no"
                " model is computed."
            )


def _check_together(place: _Places, config: dict[str, Any]) -> None:
    if "out" not in config:
        raise SettingsError(f"{place.path}: 'out' is missing: the folder to write.")
    if ("images" in config) == ("features" in config):
        raise SettingsError(f"{place.path}: give either `images` or `features`.")
    for setting, others in _WITHOUT_EFFECT.items():
        lost = next((name for name in others if name in config), None)
        if setting in config and lost is not None:
            raise SettingsError(f"{place.of(lost)}: {lost} has no effect beside {setting}.")
    if {"head", "features"} <= config.keys():
        lost = next((name for name in ("model", "pretrained") if name in config), None)
        if lost is not None:
            raise SettingsError(f"{place.of(lost)}: {lost} has no effect: head and features do.")
    elif "model" not in config:
        raise SettingsError(
            f"{place.path}: 'model' is missing: it makes"
            f" {'the class head' if 'images' not in config else 'the features of images'}."
        )


class _Places:
    """Where settings stand in a file."""

    def __init__(self, path: Path, text: str):
        self.path = path
        self._lines: dict[tuple[str, str], int] = {}
        table = ""
        for number, line in enumerate(text.splitlines(), 1):
            stripped = line.strip()
            if stripped.startswith("["):
                table = stripped.strip("[]").partition("]")[0].strip()
                self._lines.setdefault(("", table), number)
            elif "=" in stripped:
                name = stripped.partition("=")[0].strip().strip("\"'")
                self._lines.setdefault((table, name), number)

    def of(self, name: str, table: str = "") -> str:
        """``FILE:LINE``, or the file where the line is not clear."""
        line = self._lines.get((table, name))
        return f"{self.path}:{line}" if line else str(self.path)

    def has(self, name: str, table: str = "") -> bool:
        """Whether the file sets it."""
        return (table, name) in self._lines

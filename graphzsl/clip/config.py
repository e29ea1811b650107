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
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from graphzsl.clip.predictions import MISSING
from graphzsl.clip.prompts import SHARED
from graphzsl.common.compute import PRECISIONS
from graphzsl.common.errors import GraphZSLError, MissingExtra, SettingsError
from graphzsl.common.text_files import read_toml
from graphzsl.common.toml_problems import Problem, has_key, refusal
from graphzsl.common.wording import near
from graphzsl.embeddings.features.image_readers import SHARDS


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
#: Arguments of functions that settings have under another name.
_ARGUMENTS = {"classes": "set"}
#: The same of [compute]: what each needs.
_NEEDED_BY = {"text_batch": "names", "batch": "images", "workers": "images"}


def read_config(path: Path) -> dict[str, Any]:
    """The settings of a file, as it has them.

    Raises:
        DataError: there is no such file.
        SettingsError: it is not TOML, or settings are unknown, of a wrong kind, missing or without
            effect; file, line and setting of each are named.
    """
    checks = Checks(path)
    checks.raise_any()
    return checks.config


class Checks:
    """The settings of a file, and everything that is wrong with them, collected for one error.

    Args:
        path: the file; errors are those of ``graphzsl.common.text_files.read_toml``.
    """

    def __init__(self, path: Path):
        self._file = read_toml(path)
        given = self._file.given
        self._problems = list(_problems(given))
        self._kinds: set[type[GraphZSLError]] = {SettingsError} if self._problems else set()
        doubtful = {each.path for each in self._problems}
        #: the settings that are right by themselves
        self.config: dict[str, Any] = {
            name: value
            for name, value in given.items()
            if name not in _TABLES and (name,) not in doubtful
        }
        for name in _TABLES:
            table = given.get(name, {}) if (name,) not in doubtful else {}
            self.config[name] = {
                key: value for key, value in table.items() if (name, key) not in doubtful
            }

    @contextmanager
    def at(self, *path: str) -> Iterator[None]:
        """Attribute errors inside the block to a setting, unless they name another one."""
        try:
            yield
        except MissingExtra:
            raise
        except GraphZSLError as error:
            self._problems.append(self._problem(error, path))
            self._kinds.add(type(error))

    def has(self, *path: str) -> bool:
        """True if a setting has a problem."""
        return any(each.path == path for each in self._problems)

    def raise_any(self) -> None:
        """The error that names all that was found, by line; of the class that it would have
        alone."""
        if self._problems:
            kind = self._kinds.pop() if len(self._kinds) == 1 else SettingsError
            raise self._refusal(self._problems, kind) from None

    def placed(self, error: GraphZSLError) -> GraphZSLError:
        """The error with the line of the setting that its argument comes from; as it is where it
        comes from none."""
        path = _setting(error.argument)
        return error if path is None else self._refusal([self._problem(error, path)], type(error))

    def _problem(self, error: GraphZSLError, path: tuple[str, ...]) -> Problem:
        path, message = _setting(error.argument) or path, str(error)
        if not has_key(self._file.given, *path):
            message = f"{message} (The setting is {path[-1]}.)"
        return Problem(path, message)

    def _refusal(self, problems: list[Problem], kind: type[GraphZSLError]) -> GraphZSLError:
        path = self._file.path
        return refusal(problems, self._file.text, lambda line: f"{path}:{line}", kind=kind)


def _setting(argument: str | None) -> tuple[str, ...] | None:
    """The keys of the setting that an argument comes from; None where it comes from none."""
    name = _ARGUMENTS.get(argument or "", argument)
    if name in _KEYS:
        return (name,)
    table = next((table for table, keys in _TABLES.items() if name in keys), None)
    return None if name is None or table is None else (table, name)


def _problems(given: dict[str, Any]) -> Iterator[Problem]:
    """Find all problems of the settings of a file; a problem that only follows from another one is
    left out."""
    settings = {name: value for name, value in given.items() if name not in _TABLES}
    yield from _of_table("", settings, _KEYS, [*_KEYS, *(f"[{name}]" for name in _TABLES)])
    compute: dict[str, Any] = {}
    for name, known in _TABLES.items():
        table = given.get(name, {})
        if not isinstance(table, dict):
            yield Problem((name,), f"[{name}] is a table, not {table!r}")
            continue
        yield from _of_table(name, table, known, known)
        compute = table if name == "compute" else compute
    # an unknown setting is there as what it was meant as
    meant = [each for name in settings.keys() - _KEYS.keys() for each in near(name, _KEYS, 1, 0.6)]
    there = {*settings, *meant}
    yield from _missing(there)
    # what has no effect beside another has none whatever its value is
    yield from _without_effect(settings)
    yield from _compute_without_effect(settings, compute)


def _of_table(
    table: str, given: dict[str, Any], known: dict[str, Any], said: Iterable[str]
) -> Iterator[Problem]:
    where = f"[{table}] has no setting" if table else "there is no setting"
    for name, value in given.items():
        path = (table, name) if table else (name,)
        if name not in known:
            told = f"{where} {name!r}{_near(name, table)}; known: {', '.join(said)}"
            yield Problem(path, told)
        elif not known[name][1](value):
            yield Problem(path, f"{name} is {known[name][0]}, not {value!r}")


def _near(name: str, table: str) -> str:
    """Suggestion for an unknown setting, such as ``did you mean 'out'?``; empty if there is
    none."""
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


def _missing(there: Collection[str]) -> Iterator[Problem]:
    """Find problems of the settings that a run needs; ``there`` are the settings given."""
    if "out" not in there:
        yield Problem((), "'out' is missing: the folder to write")
    if ("images" in there) == ("features" in there):
        have = "has both" if "images" in there else "has neither"
        yield Problem((), f"give either `images` or `features`; the file {have}")
    if "model" not in there and not {"head", "features"} <= {*there}:
        makes = "the class head" if "images" not in there else "the features of images"
        yield Problem((), f"'model' is missing: it makes {makes}")


def _without_effect(config: dict[str, Any]) -> Iterator[Problem]:
    """Settings that have no effect beside another one."""
    for setting, others in _WITHOUT_EFFECT.items():
        for name in others:
            # either images or features: which of them is too much is said already
            if setting in config and name in config and name != "images":
                yield Problem((name,), f"{name} has no effect beside {setting}")
    if {"head", "features"} <= config.keys():
        for name in ("model", "pretrained"):
            if name in config:
                yield Problem((name,), f"{name} has no effect: head and features do")


def _compute_without_effect(config: dict[str, Any], compute: dict[str, Any]) -> Iterator[Problem]:
    """Find settings of a computation that does not take place."""
    for name, needed in _NEEDED_BY.items():
        given = "head" if needed == "names" else "features"
        if name in compute and given in config:
            yield Problem(("compute", name), f"{name} has no effect beside {given}")
    if compute.get("workers") and str(config.get("images")).startswith(SHARDS):
        told = f"workers has no effect: one process reads the shards of {SHARDS}FOLDER"
        yield Problem(("compute", "workers"), told)
    if {"head", "features"} <= config.keys():
        for name in ("device", "precision"):
            if name in compute:
                told = f"{name} has no effect: with head and features no model is computed"
                yield Problem(("compute", name), told)

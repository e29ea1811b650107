"""Class names as data sets write them: the lists that are shipped, and which word label a name
is."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path

from graphzsl.errors import DataError
from graphzsl.hierarchy.spelling import key, readings
from graphzsl.sources.imagenet import read_names

#: Class names of AWA and aPY: ``[data set]`` with ``classes``, and the names of test classes by
#: split.
SHIPPED = Path(__file__).with_name("class_names.toml")


def shipped_lists() -> dict[str, list[str]]:
    """Name -> class names: ``awa``, ``awa-standard`` (its test classes), ``awa-proposed``, and the
    same of ``apy``."""
    lists = {}
    for data_set, entry in tomllib.loads(SHIPPED.read_text(encoding="utf-8")).items():
        lists[data_set] = entry["classes"]
        lists |= {f"{data_set}-{split}": names for split, names in entry["test"].items()}
    return lists


def outside_names(text: str) -> list[str]:
    """The classes of a file (a wnid or a name per line), or of a shipped list; DataError names the
    known ones."""
    if Path(text).is_file():
        return read_names(Path(text))
    lists = shipped_lists()
    if text not in lists:
        raise DataError(
            f"{text!r} is neither a class set, a file, nor a shipped list of names"
            f" ({', '.join(lists)})."
        )
    return lists[text]


def matches(names: Sequence[str], labels: Mapping[str, Sequence[str]]) -> dict[str, str | None]:
    """Name -> its first reading whose key is in ``labels``, or None."""
    return {
        name: next((text for text in readings(name) if labels.get(key(text))), None)
        for name in names
    }

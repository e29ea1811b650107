"""Class names as data sets write them: the lists that are shipped, which word label a name is, and
which synset a class is."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from graphzsl.common.class_entries import Entry
from graphzsl.hierarchy.resolver import resolve_entries
from graphzsl.hierarchy.vocabulary import Vocabulary, WordNetVocabulary

#: Class names of AWA and aPY: ``[data set]`` with ``classes`` and their ``synsets``, and the names
#: of test classes by split.
SHIPPED = Path(__file__).with_name("class_names.toml")


def _shipped() -> dict[str, Any]:
    return tomllib.loads(SHIPPED.read_text(encoding="utf-8"))


def shipped_lists() -> dict[str, list[str]]:
    """Name -> class names: ``awa``, ``awa-standard`` (its test classes), ``awa-proposed``, and the
    same of ``apy``."""
    lists = {}
    for data_set, entry in _shipped().items():
        lists[data_set] = entry["classes"]
        lists |= {f"{data_set}-{split}": names for split, names in entry["test"].items()}
    return lists


def class_synsets(classes: Sequence[str], vocabulary: Vocabulary | None = None) -> dict[str, str]:
    """Find the noun synset of each class of a data set.

    Args:
        classes: wnids, names of synsets, or words that name one synset. The classes of a shipped
            data set, all of them, are the synsets that are shipped with them.
        vocabulary: where they are looked up (default: WordNet's nouns).

    Returns:
        Class -> wnid, in the order of ``classes``.

    Raises:
        DataError: names every class that is no synset, or may be several, with what it may be; or
            two classes are one synset.
    """
    vocabulary = vocabulary or WordNetVocabulary()
    called, names = {}, set(classes)
    for entry in _shipped().values():
        synsets = dict(zip(entry["classes"], entry["synsets"], strict=True))
        if synsets.keys() == names:
            called = synsets
    entries = [Entry(called.get(name, name), f"class {name!r}", name) for name in classes]
    return dict(zip(classes, resolve_entries(entries, vocabulary), strict=True))

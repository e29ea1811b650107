"""Texts that describe classes: a JSON file of a list of texts per class.

``graphzsl.names.class_texts`` has the forms of the file. Its keys are wnids, the names of synsets
(``dog.n.01``), words that mean one of the classes, or all of them the names that CLIP was evaluated
with, which are those of CuPL's own file; they are read from ``clip-benchmark``.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from graphzsl.common.errors import DataError, MissingExtra
from graphzsl.hierarchy.meanings import settle_list
from graphzsl.hierarchy.resolver import unclear
from graphzsl.hierarchy.spelling import synset_name
from graphzsl.hierarchy.vocabulary import WordNetVocabulary
from graphzsl.names.class_texts import read_class_texts
from graphzsl.names.clip_benchmark import Descriptions, openai_names
from graphzsl.sources.tables import WNID


def read_descriptions(path: Path, names: Mapping[str, str]) -> Descriptions:
    """The descriptions of a JSON file, in its order.

    Args:
        path: the file, in one of the forms above.
        names: wnid -> name of its synset (``dog.n.01``), of the classes that there may be.

    Returns:
        wnid -> its texts. A name that CLIP's list gives to two classes gives its texts to both,
        and is listed as ``shared``; so is what graphzsl's own file lists.

    Raises:
        DataError: not one of the forms, a key that is no class or may mean several, two keys of one
            class, a class without a text, or a text that is empty or none; file and key are named.
        MissingExtra: keys are no words of WordNet's, and ``clip-benchmark``, which knows CLIP's, is
            not installed.
    """
    given = read_class_texts(path)
    if given.templates:
        raise DataError(
            f"{path} holds templates, which have a slot for a name, and no texts of classes."
        )
    texts_of: dict[str, list[str]] = {}
    key_of: dict[str, str] = {}
    shared = dict(given.shared)
    for key, wnids in _classes(path, list(given.of_key), names).items():
        if len(wnids) > 1:
            shared[key] = wnids
        for wnid in wnids:
            if wnid in key_of:
                raise DataError(f"{path}: {key_of[wnid]!r} and {key!r} are one class, {wnid}.")
            key_of[wnid], texts_of[wnid] = key, given.of_key[key]
    return Descriptions(texts_of, shared)


def _classes(path: Path, keys: Sequence[str], names: Mapping[str, str]) -> dict[str, list[str]]:
    """Key -> the classes that it names."""
    of_synset = {name: wnid for wnid, name in names.items()}
    found: dict[str, list[str]] = {}
    for key in keys:
        if WNID.match(key):
            found[key] = [key]
        elif wnid := of_synset.get(synset_name(key) or ""):
            found[key] = [wnid]
    others = [key for key in keys if key not in found]
    if others:
        found |= _named(path, others, names)
    for key in keys:
        for wnid in found[key]:
            if wnid not in names:
                what = wnid if wnid == key else f"{key!r}, {wnid},"
                raise DataError(
                    f"{path}: {what} is not a node of the graph. Take it out, or export a graph"
                    " that holds it."
                )
    return {key: found[key] for key in keys}


def _named(path: Path, keys: Sequence[str], classes: Collection[str]) -> dict[str, list[str]]:
    """The classes of keys that are CLIP's names, where all of them are, else words of WordNet's."""
    of_name: dict[str, list[str]] = defaultdict(list)
    lacking: MissingExtra | None = None
    try:
        for wnid, name in openai_names().names.items():
            of_name[name].append(wnid)
    except MissingExtra as error:
        lacking = error
    if of_name and all(key in of_name for key in keys):
        return {key: of_name[key] for key in keys}
    vocabulary = WordNetVocabulary()
    read = settle_list(keys, vocabulary, classes)
    meant = read.meanings
    found = {key: some if len(some) == 1 else of_name.get(key, []) for key, some in meant.items()}
    wrong = [key for key, some in found.items() if not some]
    if not wrong:
        read.note(vocabulary)
        return found
    first = f"{path}: the key {wrong[0]!r}: {unclear(wrong[0], meant[wrong[0]], vocabulary)}"
    if lacking is not None and len(wrong) < len(keys):
        raise MissingExtra(f"{first} Where it is a name of CLIP's evaluation: {lacking}") from None
    more = f"\nSo {'is' if len(wrong) == 2 else 'are'} {len(wrong) - 1:,} more of the keys."
    raise DataError(first + more * (len(wrong) > 1))

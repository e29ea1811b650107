"""Texts that describe classes: a JSON file of a list of texts per class.

====================================  ==========================================================
``{"n02084071": [texts]}``            classes by wnid
``{"dog.n.01": [texts]}``             classes by the names of their synsets
``{"descriptions": {…}}``             what ``graphzsl names --from cupl --out`` writes
``{"tench": [texts]}``,               by the names that CLIP was evaluated with, which are those of
``{"imagenet1k": {"tench": …}}``      CuPL's own file; they are read from ``clip-benchmark``
====================================  ==========================================================
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from graphzsl.data.class_names import synset_name
from graphzsl.data.clip_benchmark import Descriptions, openai_names
from graphzsl.errors import DataError
from graphzsl.files import read_json
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
        DataError: not one of the forms, a key that names no class, two keys of one class, a class
            without a text, or a text that is empty or none; file and key are named.
        MissingExtra: the classes are named as CLIP names them, and ``clip-benchmark`` is not
            installed.
    """
    whole = read_json(path)
    document = _table(path, whole)
    texts_of: dict[str, list[str]] = {}
    key_of: dict[str, str] = {}
    shared = _known_shared(whole)
    for key, wnids in _classes(path, document, names).items():
        texts = _checked(path, key, document[key])
        if len(wnids) > 1:
            shared[key] = wnids
        for wnid in wnids:
            if wnid in key_of:
                raise DataError(f"{path}: {key_of[wnid]!r} and {key!r} are one class, {wnid}.")
            key_of[wnid], texts_of[wnid] = key, texts
    return Descriptions(texts_of, shared)


def _known_shared(document: Any) -> dict[str, list[str]]:
    """Name -> classes that have one name and the same texts, as graphzsl's own file has them."""
    given = document.get("shared", {}) if "descriptions" in document else {}
    return {
        name: wnids
        for name, wnids in (given.items() if isinstance(given, dict) else ())
        if isinstance(wnids, list) and all(isinstance(wnid, str) for wnid in wnids)
    }


def _table(path: Path, document: Any) -> dict[str, Any]:
    """The object whose keys are classes."""
    for inner in ("descriptions", "imagenet1k"):
        if isinstance(document, dict) and isinstance(document.get(inner), dict):
            document = document[inner]
    if not isinstance(document, dict) or not document:
        raise DataError(
            f'{path}: expected an object with a list of texts per class, {{"n02084071": ["…"]}}.'
        )
    return document


def _classes(
    path: Path, document: Mapping[str, Any], names: Mapping[str, str]
) -> dict[str, list[str]]:
    """Key -> the classes that it names."""
    of_synset = {name: wnid for wnid, name in names.items()}
    found: dict[str, list[str]] = {}
    others = []
    for key in document:
        wnid = key if WNID.match(key) else of_synset.get(synset_name(key) or "")
        if wnid is None:
            others.append(key)
        elif wnid not in names:
            raise DataError(
                f"{path}: {wnid} is not a node of the graph. Take it out, or export a graph that"
                " holds it."
            )
        else:
            found[key] = [wnid]
    if others:
        of_name: dict[str, list[str]] = defaultdict(list)
        for wnid, name in openai_names().names.items():
            of_name[name].append(wnid)
        unknown = [key for key in others if key not in of_name]
        if unknown:
            raise DataError(
                f"{path}: {unknown[0]!r} names no class ({len(unknown):,} such keys). Expected"
                " wnids, names of synsets in the graph (dog.n.01), or the class names that CLIP was"
                " evaluated with."
            )
        found |= {key: of_name[key] for key in others}
    return {key: found[key] for key in document}


def _checked(path: Path, key: str, texts: Any) -> list[str]:
    if not isinstance(texts, list) or not texts:
        raise DataError(f"{path}: {key!r} has no list of texts.")
    wrong = next((each for each in texts if not isinstance(each, str) or not each.strip()), None)
    if wrong is not None or not all(isinstance(each, str) for each in texts):
        raise DataError(f"{path}: {key!r}: {str(wrong)[:60]!r} is not a text.")
    return texts

"""Files of texts for text encoders: templates for any class, or texts per class.

====================================  ==========================================================
``["a photo of a {}.", …]``           templates, with ``{c}`` or ``{}`` where the name goes
``{"imagenet1k": [templates]}``       the same, as CLIP_benchmark reads them
``{"templates": [templates], …}``     the same, in what ``graphzsl names`` writes
text, one template per line           the same, as webdatasets have them
``{"n02084071": [texts], …}``         texts per class, in which no name is to be put
``{"imagenet1k": {"tench": …}}``      the same, as CuPL's file has them
``{"descriptions": {…}}``             what ``graphzsl names --from cupl --out`` writes
====================================  ==========================================================

Texts with a slot for a name are templates, texts without one describe a class. Sentences that
others wrote hold control characters now and then; one of them does not make a whole file useless,
and no encoder knows it: a space takes its place. Templates, which are few, are refused with one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import name_problem, without_acting
from graphzsl.common.errors import DataError
from graphzsl.common.files import installed_file, read_json
from graphzsl.common.wording import counted, some
from graphzsl.names.name_files import PROMPT_SLOT, checked_templates
from graphzsl.names.name_lists import read_name_list

#: What other tools write for ``PROMPT_SLOT``.
_OTHER_SLOT = "{}"
#: The data set that is meant where CuPL's file holds several.
DATA_SET = "imagenet1k"


@dataclass(frozen=True, eq=False)
class ClassTexts:
    """Texts of a file: ``templates``, or ``of_key`` key of a class -> its texts, in the file's
    order. ``shared`` lists classes of one name, if the file does."""

    path: Path
    templates: list[str] = field(default_factory=list)
    of_key: dict[str, list[str]] = field(default_factory=dict)
    shared: dict[str, list[str]] = field(default_factory=dict)

    def __repr__(self) -> str:
        said = (
            counted(len(self.templates), "template")
            if self.templates
            else f"texts of {counted(len(self.of_key), 'class', 'classes')}"
        )
        return f"<ClassTexts {self.path.name}: {said}>"


def read_class_texts(path: str | Path) -> ClassTexts:
    """Read templates, or texts per class.

    Args:
        path: the file, in one of the forms above, or ``PACKAGE:PATH``.

    Raises:
        DataError: none of the forms, a class without texts, a text that is empty or none, templates
            of several data sets, or templates among descriptions; file and key are named.
    """
    path = installed_file(str(path))
    if path.suffix.lower() != ".json":
        lines = [entry.name or "" for entry in read_name_list(path).entries]
        return ClassTexts(path, _templates(path, lines))
    document = read_json(path)
    if isinstance(document, list):
        return ClassTexts(path, _templates(path, document))
    if not isinstance(document, dict) or not document:
        raise _unknown(path)
    if isinstance(document.get("descriptions"), dict):
        texts = _described(path, document["descriptions"])
        return ClassTexts(path, of_key=texts, shared=_shared(document.get("shared")))
    if isinstance(document.get("templates"), list):
        return ClassTexts(path, _templates(path, document["templates"]))
    return _of_keys(path, document)


def _of_keys(path: Path, document: dict[str, Any]) -> ClassTexts:
    """Data set -> templates or texts per class, or class -> texts."""
    inner = [key for key, value in document.items() if isinstance(value, dict)]
    if inner:
        chosen = DATA_SET if DATA_SET in inner else inner[0]
        if len(inner) < len(document):
            raise _unknown(path, f"{some([key for key in document if key not in inner], 1)}")
        if len(inner) > 1 and chosen != DATA_SET:
            raise DataError(
                f"{path} holds texts of {len(inner)} data sets, {some(inner)}: keep one of them."
            )
        return ClassTexts(path, of_key=_described(path, document[chosen]))
    with_slot = {key: _slots(texts) for key, texts in document.items()}
    if not any(with_slot.values()):
        return ClassTexts(path, of_key=_described(path, document))
    if len(document) == 1:
        return ClassTexts(path, _templates(path, next(iter(document.values()))))
    whole = [
        key
        for key, value in document.items()
        if isinstance(value, list) and with_slot[key] == len(value)
    ]
    if len(whole) == len(document):
        raise DataError(
            f"{path} holds templates of {len(document)} data sets, {some(list(document))}: keep one"
            " of them in a file of its own."
        )
    raise _mixed(path, document)


def _slots(texts: Any) -> int:
    """Number of texts that have a slot for a name."""
    return sum(map(_has_slot, texts)) if isinstance(texts, list) else 0


def _has_slot(text: Any) -> bool:
    return isinstance(text, str) and (PROMPT_SLOT in text or _OTHER_SLOT in text)


def _mixed(path: Path, of_key: dict[str, Any]) -> DataError:
    key, text = next(
        (key, text)
        for key, texts in of_key.items()
        if isinstance(texts, list)
        for text in texts
        if _has_slot(text)
    )
    return DataError(
        f"{path}: the texts of {key!r} hold a template, {text[:60]!r}, which has a slot for a name;"
        " other texts of the file have none. A file holds templates for all classes, or texts of"
        " each class."
    )


def _templates(path: Path, texts: Sequence[Any]) -> list[str]:
    if not texts:
        raise _unknown(path)
    try:
        return checked_templates(
            [
                text.replace(_OTHER_SLOT, PROMPT_SLOT)
                if isinstance(text, str) and PROMPT_SLOT not in text
                else text
                for text in texts
            ]
        )
    except DataError as error:
        raise DataError(f"{path}: {error}") from None


def _described(path: Path, of_key: dict[str, Any]) -> dict[str, list[str]]:
    if not of_key:
        raise _unknown(path)
    found = {key: _checked(path, key, texts) for key, texts in of_key.items()}
    if any(map(_slots, found.values())):
        raise _mixed(path, found)
    return found


def _checked(path: Path, key: str, texts: Any) -> list[str]:
    if problem := name_problem(key):
        raise DataError(f"{path}: a key {problem}.")
    if not isinstance(texts, list) or not texts:
        raise DataError(f"{path}: {key!r} has no list of texts.")
    for place, text in enumerate(texts):
        if not isinstance(text, str) or not text.strip():
            raise DataError(f"{path}: {key!r}: {str(text)[:60]!r} (text {place}) is not a text.")
    return list(map(without_acting, texts))


def _shared(given: Any) -> dict[str, list[str]]:
    """Name -> classes that have one name and the same texts, as graphzsl's own file has them."""
    return {
        name: wnids
        for name, wnids in (given.items() if isinstance(given, dict) else ())
        if isinstance(wnids, list) and all(isinstance(wnid, str) for wnid in wnids)
    }


def _unknown(path: Path, other: str = "") -> DataError:
    got = f"; {other} is neither" if other else ""
    return DataError(
        f'{path}: expected a list of templates, ["a photo of a {PROMPT_SLOT}."], or an object with'
        f' a list of texts per class, {{"n02084071": ["…"]}}{got}.'
    )

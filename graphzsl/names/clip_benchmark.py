"""Names and texts of ILSVRC 2012's classes in the installed package ``clip-benchmark``: OpenAI's
names and templates, CuPL's descriptions, and names in 92 other languages.

Its files are read where they lie; nothing of the package is imported, and so neither is torch.
Classes are numbered there from 0 in the order of the list ``ilsvrc2012``.

References: Radford et al. 2021 (names and templates); Pratt et al. 2023, CuPL; Geigle et al. 2023,
Babel-ImageNet; Cherti et al., CLIP_benchmark (MIT).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from graphzsl.common.errors import DataError
from graphzsl.common.extras import require
from graphzsl.common.files import installed_file, read_json
from graphzsl.hierarchy.resolver import resolve_entries
from graphzsl.names.class_naming import shared_names
from graphzsl.names.class_texts import DATA_SET
from graphzsl.names.name_files import PROMPT_SLOT
from graphzsl.names.name_lists import checked_name
from graphzsl.sources.imagenet import class_entries, shipped_classes

_PACKAGE, _CLASSES = "clip_benchmark", "ilsvrc2012"


@dataclass(frozen=True, eq=False)
class OtherNames:
    """Names from the package: wnid -> name in the order of the classes, and the classes that have
    none."""

    names: dict[str, str]
    without: list[str]

    def __repr__(self) -> str:
        return f"<OtherNames: {len(self.names):,} classes, {len(self.without):,} without a name>"

    @property
    def shared(self) -> dict[str, list[str]]:
        """Name -> its classes, of names that several classes have."""
        return shared_names(list(self.names), list(self.names.values()))


@dataclass(frozen=True, eq=False)
class Descriptions:
    """CuPL's texts per class: wnid -> texts. ``shared`` has the classes that have one name
    there, and so the same texts: name -> wnids."""

    of_class: dict[str, list[str]]
    shared: dict[str, list[str]]

    def __repr__(self) -> str:
        texts = sum(map(len, self.of_class.values()))
        return f"<Descriptions: {len(self.of_class):,} classes, {texts:,} texts>"


def package_version() -> str:
    """The version of the package, e.g. ``1.6.2``; empty where its metadata do not say."""
    try:
        return version("clip-benchmark")
    except PackageNotFoundError:
        return ""


def languages() -> list[str]:
    """The codes of the languages that have names, sorted; ``EN`` is among them."""
    return sorted(_content("babel_imagenet.json"))


def openai_names(classes: str | Path | Iterable[str] = _CLASSES) -> OtherNames:
    """The English names that CLIP was evaluated with; two pairs of classes share one.

    Raises:
        DataError: a class that is not in ILSVRC 2012.
        MissingExtra: ``clip-benchmark`` is not installed.
    """
    names = _content("en_classnames.json")[DATA_SET]
    return OtherNames({wnid: names[number] for wnid, number in _numbers(classes).items()}, [])


def babel_names(language: str, classes: str | Path | Iterable[str] = _CLASSES) -> OtherNames:
    """Names in a language, of the classes that have one in it.

    Args:
        language: a code of ``languages()``, e.g. ``DE``; case does not count.
        classes: classes of ILSVRC 2012.

    Raises:
        DataError: an unknown language, no class with a name in it, or a class that is not in
            ILSVRC 2012.
        MissingExtra: ``clip-benchmark`` is not installed.
    """
    known = _content("babel_imagenet.json")
    if language.upper() not in known:
        raise DataError(
            f"There are no names in the language {language!r}. Known: {', '.join(sorted(known))}.",
            argument="language",
        )
    numbers, texts = known[language.upper()]
    of_number = dict(zip(numbers, texts, strict=True))
    asked = _numbers(classes)
    names = {
        wnid: checked_name(of_number[number], f"{language.upper()}, class {number}")
        for wnid, number in asked.items()
        if number in of_number
    }
    if not names:
        raise DataError(f"None of the classes has a name in {language.upper()}.")
    return OtherNames(names, [wnid for wnid in asked if wnid not in names])


def openai_templates() -> list[str]:
    """The 80 templates that CLIP was evaluated with, with ``{c}`` where the name goes."""
    return list(_content("en_zeroshot_classification_templates.json")[DATA_SET])


def babel_templates(language: str) -> list[str]:
    """Those 80 as machine-translated for Babel-ImageNet; empty for the languages without any (BR,
    FY and LA)."""
    known = _content("nllb_dist13b_prompts.json")
    return [text.replace("{}", PROMPT_SLOT).strip() for text in known.get(language.upper(), [])]


def cupl_descriptions(
    classes: str | Path | Iterable[str] = _CLASSES, *, templates: bool = True
) -> Descriptions:
    """CuPL's texts of each class: 150 per name, of which 70 are a language model's and 80 are
    CLIP's templates with the name in them.

    The file has names as keys, and two pairs of the 1,000 classes have one name (``missile``,
    ``sunglasses``). Each class of such a pair gets the sentences of the name, and ``shared`` says
    so: the sentences cannot tell these classes apart.

    Args:
        classes: classes of ILSVRC 2012.
        templates: whether the filled templates stay; without them the texts are descriptions.

    Raises:
        DataError: a class that is not in ILSVRC 2012.
        MissingExtra: ``clip-benchmark`` is not installed.
    """
    texts = _content("cupl_prompts.json")[DATA_SET]
    names = _content("en_classnames.json")[DATA_SET]
    asked = _numbers(classes)
    without = [wnid for wnid, number in asked.items() if names[number] not in texts]
    if without:
        raise DataError(f"The installed clip-benchmark has no descriptions of {without[0]}.")
    named = {wnid: names[number] for wnid, number in asked.items()}
    every = shared_names(shipped_classes(_CLASSES), names)
    shared = {name: group for name, group in every.items() if any(wnid in asked for wnid in group)}
    own = {wnid: list(texts[name]) for wnid, name in named.items()}
    if not templates:
        own = {wnid: _described(own[wnid], name) for wnid, name in named.items()}
    return Descriptions(own, shared)


def _described(texts: list[str], name: str) -> list[str]:
    """The texts that are not one of CLIP's templates with the name in it."""
    filled = {template.replace(PROMPT_SLOT, name) for template in openai_templates()}
    return [text for text in texts if text not in filled]


def _numbers(classes: str | Path | Iterable[str]) -> dict[str, int]:
    """wnid -> class number, in the order of the classes."""
    number_of = {wnid: number for number, wnid in enumerate(shipped_classes(_CLASSES))}
    asked = resolve_entries(class_entries(classes), among=number_of)
    others = [wnid for wnid in asked if wnid not in number_of]
    if others:
        raise DataError(
            f"{len(others):,} of the {len(asked):,} classes are not classes of ILSVRC 2012, e.g."
            f" {others[0]}. clip-benchmark has names and descriptions of those alone."
        )
    return {wnid: number_of[wnid] for wnid in asked}


@cache
def _content(name: str) -> dict[str, Any]:
    """One of the package's files, checked for what is read of it."""
    require(_PACKAGE)
    path = installed_file(f"{_PACKAGE}:datasets/{name}")
    content = read_json(path)
    if not _is_as_known(name, content):
        raise DataError(
            f"{path} is not laid out as in clip-benchmark 1.6.2; the installed version is"
            f" {package_version() or 'unknown'}."
        )
    found: dict[str, Any] = content
    return found


def _is_as_known(name: str, content: Any) -> bool:
    if not isinstance(content, dict) or not content:
        return False
    if name == "babel_imagenet.json":
        return all(_are_numbered(value) for value in content.values())
    if name == "nllb_dist13b_prompts.json":
        return all(_are_texts(value) for value in content.values())
    known: Any = content.get(DATA_SET)
    if name == "cupl_prompts.json":
        return isinstance(known, dict) and all(map(_are_texts, known.values()))
    return _are_texts(known) and (name != "en_classnames.json" or len(known) == 1000)


def _are_numbered(value: Any) -> bool:
    """True if a value is [class numbers, names]."""
    if not isinstance(value, list) or len(value) != 2:
        return False
    numbers, names = value
    return (
        isinstance(numbers, list)
        and all(isinstance(each, int) and 0 <= each < 1000 for each in numbers)
        and len(set(numbers)) == len(numbers)
        and _are_texts(names)
        and len(names) == len(numbers)
    )


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)

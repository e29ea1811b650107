"""The texts that a class head is made of: names of classes in templates, or descriptions."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from graphzsl.common.class_entries import Entry, check_once, of_classes, refusal, repeated
from graphzsl.common.errors import DataError
from graphzsl.common.progress import log
from graphzsl.common.wording import counted
from graphzsl.hierarchy.meanings import settled
from graphzsl.hierarchy.resolver import wnids_where_named
from graphzsl.hierarchy.spelling import synset_name
from graphzsl.hierarchy.vocabulary import WordNetVocabulary
from graphzsl.names.class_naming import DEFAULT_RULE, class_names, shared_names
from graphzsl.names.class_texts import read_class_texts
from graphzsl.names.name_files import (
    DEFAULT_TEMPLATES,
    PROMPT_SLOT,
    checked_templates,
    names_text,
    templates_text,
)
from graphzsl.names.name_lists import checked_name, read_name_list
from graphzsl.names.name_matching import Names
from graphzsl.sources.imagenet import class_entries
from graphzsl.sources.tables import WNID

#: Names by our rules, and those of CLIP's evaluation, as words in place of a file.
WORDNET, OPENAI = "wordnet", "openai"
#: Templates by a word: five of our own, the 80 of CLIP's evaluation, the bare name.
NEUTRAL, BARE = "neutral", "bare"
#: What is done where classes share a name.
SHARED = ("error", "keep")

Templates = str | Path | Sequence[str]


@dataclass(frozen=True, eq=False)
class Prompts:
    """Texts of each class for the text tower.

    Args:
        classes: [C] wnids, or the names where there are none.
        names: [C] the name of each.
        templates: texts with ``{c}`` where the name goes; empty where there are descriptions.
        descriptions: class -> whole texts, in place of names in templates.
        source: where names and templates come from.
    """

    classes: list[str]
    names: list[str]
    templates: list[str]
    descriptions: dict[str, list[str]]
    source: dict[str, Any]

    def __repr__(self) -> str:
        return f"<Prompts: {len(self.classes):,} classes, {self.count:,} texts>"

    @property
    def count(self) -> int:
        """Number of texts, repeated ones included."""
        if self.descriptions:
            return sum(map(len, self.descriptions.values()))
        return len(self.classes) * len(self.templates)

    def texts(self, row: int) -> list[str]:
        """The texts of one class."""
        if self.descriptions:
            return self.descriptions[self.classes[row]]
        name = self.names[row]
        return [template.replace(PROMPT_SLOT, name) for template in self.templates]

    def names_file(self) -> str:
        """The names as ``graphzsl names --format json`` writes them; a list where there are no
        wnids."""
        if all(map(WNID.match, self.classes)):
            named = dict(zip(self.classes, self.names, strict=True))
            return names_text(
                named, "json", self.templates or (PROMPT_SLOT,), provenance={"source": self.source}
            )
        document = {"kind": "class-names", "source": self.source, "classnames": self.names}
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"

    def templates_file(self) -> str:
        """The templates as CLIP_benchmark reads them, or the descriptions by class."""
        if not self.descriptions:
            return templates_text(self.templates, "clip_benchmark")
        document = {"kind": "class-descriptions", "descriptions": self.descriptions}
        return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def make_prompts(
    classes: str | Path | Iterable[str] | None = None,
    names: Names = WORDNET,
    templates: Templates = NEUTRAL,
    *,
    rule: str | None = None,
    shared: str = "error",
) -> Prompts:
    """The texts of a set of classes.

    Args:
        classes: a shipped list, a file, or the classes: wnids, names of synsets or words, or, with
            ``names`` of their own, other texts (default: those of ``names``, where these are a
            file; else ilsvrc2012).
        names: ``wordnet``: by our ``rule``; ``openai``: those of CLIP's evaluation, of clip-
            benchmark; a file that ``read_name_list`` takes, with wnids or in the order of
            ``classes``; wnid -> name, or [C] names.
        templates: ``neutral``, ``openai``, ``bare``, a file (``read_templates``), or the texts.
        rule: of the names by WordNet.
        shared: what is done where several classes have one name: ``error``, or ``keep`` them (the
            classes have one column then, and tie).

    Returns:
        The prompts; classes are wnids where they are known.

    Raises:
        DataError: names are shared, missing or wrong, or a template has not exactly one ``{c}``.
        MissingExtra: ``openai`` needs clip-benchmark.

    >>> from graphzsl.clip.prompts import make_prompts
    >>> prompts = make_prompts(["n02084071", "n02121620"], templates=["a photo of a {c}."])
    >>> prompts.texts(0)
    ['a photo of a dog.']
    """
    if shared not in SHARED:
        raise DataError(f"shared is {' or '.join(SHARED)}, not {shared!r}.", argument="shared")
    if rule is not None and names != WORDNET:
        raise DataError("A rule is for names of WordNet alone.", argument="rule")
    listed, named, source = _named(classes, names, rule)
    texts = templates if isinstance(templates, list | tuple) else None
    found: list[str] | dict[str, list[str]]
    if texts is not None:
        found = checked_templates(texts)
        source |= {"templates": "given"}
    else:
        assert isinstance(templates, str | Path)
        found = _templates(templates)
        source |= {"templates": str(templates)}
    if isinstance(found, dict):
        found = _described(found, listed, named, templates)
    elif same := shared_names(listed, named):
        _say_shared(same, shared)
    is_text = isinstance(found, list)
    return Prompts(
        listed,
        named,
        found if is_text else [],  # type: ignore[arg-type]
        {} if is_text else found,  # type: ignore[arg-type]
        source,
    )


def _named(
    classes: str | Path | Iterable[str] | None,
    names: Names,
    rule: str | None,
) -> tuple[list[str], list[str], dict[str, Any]]:
    """(classes, the name of each, the source of both)."""
    called = str(classes) if isinstance(classes, str | Path) else "given"
    said = {} if classes is None else {"set": called}
    if names == WORDNET:
        found = class_names(classes or "ilsvrc2012", rule or DEFAULT_RULE)
        return found.wnids, found.names, {"set": "ilsvrc2012"} | said | {"rule": found.rule}
    if names == OPENAI:
        from graphzsl.names.clip_benchmark import openai_names, package_version

        known = openai_names(classes or "ilsvrc2012")
        package = {"names": f"openai, of clip-benchmark {package_version()}"}
        return list(known.names), list(known.names.values()), said | package
    if isinstance(names, str | Path):
        listed, named = _of_file(names, classes)
        return listed, named, said | {"names": str(names)}
    asked: list[str] | None
    if isinstance(names, Mapping):
        keys = list(names) if classes is None else wnids_where_named(classes, names.keys())
        if lacking := next((each for each in keys if each not in names), None):
            raise DataError(f"{lacking} has no name.", argument="names")
        named = [checked_name(names[each], each) for each in keys]
        asked = _synsets(keys)
        if twice := repeated(of_classes(keys, "names"), asked):
            raise refusal(of_classes(keys, "names"), twice, "names")
    else:
        asked = None if classes is None else _asked(class_entries(classes, "classes"))
        named = [checked_name(name, f"name {at}") for at, name in enumerate(names)]
        if asked is None:
            _check_names(
                named, [Entry(name, f"name {at}", f"name {at}") for at, name in enumerate(named)]
            )
            asked = named
    if len(named) != len(asked):
        raise DataError(
            f"{counted(len(named), 'name')} for {counted(len(asked), 'class', 'classes')}: there is"
            " one per class, in their order."
        )
    if not named:
        raise DataError("There is no class to name.")
    return asked, named, said | {"names": "given"}


def _asked(entries: Sequence[Entry]) -> list[str]:
    """Resolve classes whose names stand in their order: wnids, or the texts of a data set that has
    names of its own, if not all of them are clear and none is a wnid or the name of a synset."""
    texts = [entry.text for entry in entries]
    check_once(entries, argument="classes")
    vocabulary = WordNetVocabulary()
    try:
        return wnids_where_named(entries, (), vocabulary, "classes")
    except DataError as error:
        are_own = not any(WNID.match(text) or synset_name(text) for text in texts)
        # all of them are clear where one is there twice
        if not are_own or all(len(settled(text, vocabulary)) == 1 for text in texts):
            raise
        first = str(error).splitlines()[0]
        log(f"Classes stay as they are written, without wnids, as not all are clear: {first}")
        return texts


def _synsets(texts: Iterable[str]) -> list[str]:
    """Texts, with wnids in place of the names of synsets."""
    vocabulary = WordNetVocabulary()
    names = ((text, synset_name(text)) for text in texts)
    return [(vocabulary.named(name) if name else None) or text for text, name in names]


def _check_names(named: Sequence[str], entries: Sequence[Entry]) -> None:
    """Raise DataError for repeated names if the names are the classes themselves."""
    if twice := repeated(entries, named):
        error = refusal(entries, twice, "names")
        raise DataError(
            f"{error.message}\nWithout wnids the names are the classes: give the classes, too, or"
            " other names.",
            argument="names",
        )


def _of_file(
    path: str | Path, classes: str | Path | Iterable[str] | None
) -> tuple[list[str], list[str]]:
    entries = None if classes is None else class_entries(classes, "classes")
    listed = read_name_list(path, size=None if entries is None else len(entries))
    for entry in listed.entries:
        if entry.name is None:
            raise DataError(f"{path}: {entry.place} has no name.")
    named = [str(entry.name) for entry in listed.entries]
    if not listed.has_wnids:
        if entries is None:
            rows = zip(named, listed.entries, strict=True)
            _check_names(
                named, [Entry(name, f"{path}: {row.place}", row.place) for name, row in rows]
            )
            return named, named
        asked = _asked(entries)
        if len(named) != len(asked) or not listed.ordered:
            raise DataError(
                f"{path} holds {counted(len(named), 'name')} and no wnids, and there are"
                f" {counted(len(asked), 'class', 'classes')}: names without wnids stand in the"
                " order of the classes."
            )
        return asked, named
    of_class = dict(zip([str(entry.wnid) for entry in listed.entries], named, strict=True))
    if entries is None:
        return list(of_class), named
    asked = wnids_where_named(entries, argument="classes")
    lacking = [wnid for wnid in asked if wnid not in of_class]
    if lacking:
        raise DataError(
            f"{path} has no name for {lacking[0]} ({len(lacking):,} of"
            f" {counted(len(asked), 'class', 'classes')})."
        )
    return asked, [of_class[wnid] for wnid in asked]


def _say_shared(same: Mapping[str, Sequence[str]], shared: str) -> None:
    name, classes = next(iter(same.items()))
    total = sum(map(len, same.values()))
    said = (
        f"{counted(total, 'class', 'classes')} share {counted(len(same), 'name')}, e.g. {name!r}:"
        f" {', '.join(classes[:4])}{' …' * (len(classes) > 4)}"
    )
    if shared == "keep":
        log(f"{said}: their columns are equal, and their scores tie.")
        return
    raise DataError(
        f"{said}. Texts cannot tell them apart. `graphzsl names` writes unique names, `graphzsl"
        " names check FILE` lists what is wrong with yours; or keep them, and the classes tie.",
        argument="shared",
        value="keep",
    )


def read_templates(path: str | Path) -> list[str] | dict[str, list[str]]:
    """Templates of a file, or descriptions by class: ``graphzsl.names.class_texts`` has the forms.

    Raises:
        DataError: names the file, and what is wrong with it.
    """
    found = read_class_texts(path)
    return found.templates or found.of_key


def _templates(given: str | Path) -> list[str] | dict[str, list[str]]:
    if given == NEUTRAL:
        return list(DEFAULT_TEMPLATES)
    if given == BARE:
        return [PROMPT_SLOT]
    if given == OPENAI:
        from graphzsl.names.clip_benchmark import openai_templates

        return openai_templates()
    return read_templates(given)


def _described(
    found: dict[str, list[str]], classes: list[str], names: list[str], path: Any
) -> dict[str, list[str]]:
    """class -> its texts, found by class, by name, or by the synset that a key means."""
    key_of = {
        each: each if each in found else name
        for each, name in zip(classes, names, strict=True)
        if each in found or name in found
    }
    lacking = [each for each in classes if each not in key_of]
    if lacking and any(map(WNID.match, lacking)):
        used, vocabulary = {*key_of.values()}, WordNetVocabulary()
        for key in found:
            meant = settled(key, vocabulary, {*lacking}) if key not in used else []
            if len(meant) == 1 and meant[0] in lacking:
                key_of.setdefault(meant[0], key)
    named = dict(zip(classes, names, strict=True))
    for each in classes:
        if each not in key_of:
            other = "" if named[each] == each else f" ({each})"
            raise DataError(f"{path} has no texts of {named[each]!r}{other}.", argument="templates")
    return {each: found[key_of[each]] for each in classes}

"""Lists of class names as tools write them: read without running anything that they hold.

====================================  ==========================================================
JSON                                  a list of names; ``{"imagenet1k": [names]}`` (CLIP_benchmark);
                                      ``{"classnames": [names]}`` (for open_clip); wnid -> name;
                                      ``{"0": name}`` or ``{"0": [wnid, name]}`` (class numbers);
                                      name -> descriptions (CuPL: the names are the keys); what
                                      ``graphzsl names`` writes
text                                  one name per line, in the order of the classes; or a wnid, a
                                      tab, space or comma, and the name
table (.csv, .tsv, or a header)       the columns ``wnid`` and ``name``, among others
Python (.py)                          a list or tuple of texts that is assigned to a name
====================================  ==========================================================

``PACKAGE:PATH`` is a file of an installed package, which is not imported.
"""

from __future__ import annotations

import ast
import csv
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import holding, shown, unseen_character
from graphzsl.common.class_entries import Entry, refusal, repeated
from graphzsl.common.errors import DataError
from graphzsl.common.files import installed_file
from graphzsl.common.reading.json_text import parsed_json
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.common.text_files import read_text
from graphzsl.sources.tables import WNID

#: Place of an entry, from 0 -> what is wrong with it.
Wrong = dict[int, str]
#: What names in Arabic, Persian, Hebrew and Sinhala hold where they need it and where they do not:
#: marks of a direction of their own, and joiners.
_MARKS = str.maketrans("", "", "\u061c\u200c\u200d\u200e\u200f")
#: What the columns of a table may be called.
_WNIDS, _NAMES = ("wnid", "synset", "id"), ("name", "label", "lemma", "class_name", "classname")


@dataclass(frozen=True)
class Listed:
    """One entry of a list: a name, a wnid, or both. ``place`` is where it stands: ``line 3``,
    ``entry 3``, or the key of a dictionary."""

    place: str
    wnid: str | None
    name: str | None


@dataclass(frozen=True, eq=False)
class NameList:
    """The entries of a list in its order; ``ordered`` where their places say which class is
    meant. ``class_set`` is the set that the file says it names, where it says one."""

    path: Path
    entries: list[Listed]
    ordered: bool = True
    class_set: str | None = None

    def __repr__(self) -> str:
        return f"<NameList {self.path.name}: {len(self.entries):,} entries>"

    @property
    def has_wnids(self) -> bool:
        """True if the list gives the wnid of each name."""
        return self.entries[0].wnid is not None


def read_name_list(path: str | Path, key: str | None = None, size: int | None = None) -> NameList:
    """Read a list of class names in any of the formats above.

    Args:
        path: the file, or ``PACKAGE:PATH``.
        key: which list of a file that holds several: a key of its JSON, or a name that a Python
            file assigns.
        size: how many names are expected; of several lists the only one of that size is taken.

    Raises:
        DataError: the file cannot be read, is none of the formats, or holds several lists; or
            entries are wrong: a wnid or key that is repeated, a name that is empty or holds a
            control character. File and line, entry or key of all of them are named (of more than
            ten the first ten).
    """
    path = installed_file(str(path))
    suffix = path.suffix.lower()
    wrong: Wrong = {}
    if suffix == ".json":
        found = _of_json(path, parsed_json(read_text(path), str(path)), key, size, wrong)
    elif suffix == ".py":
        found = _of_python(path, key, size)
    else:
        found = _of_text(path, wrong)
    if not found.entries:
        raise DataError(f"{path} is empty; expected one name per class.")
    _check(found, wrong)
    return found


def checked_name(name: object, where: str) -> str:
    """A name without the spaces around it; DataError for what no line of a list can hold."""
    if (fault := _fault_of(name)) is not None or not isinstance(name, str):
        raise DataError(f"{where}: {fault}")
    return name.strip()


def _fault_of(name: object) -> str | None:
    """Reason why a value cannot be a name; None if it can.

    These are words for classes, which are told apart by wnids or places: marks of direction and
    joiners stay as people wrote them (more than 500 of Babel-ImageNet's names have some).
    Characters that break a line, turn it, or make two names of one that people see are refused.
    """
    if not isinstance(name, str):
        return f"expected a name, not {_called(name)}."
    wrong = next((sign for sign in name if unicodedata.category(sign) in ("Cc", "Zl", "Zp")), None)
    if wrong is not None:
        return (
            f"the name {name!r} holds the control character U+{ord(wrong):04X}, which would break"
            " the line that it stands in."
        )
    if unseen := unseen_character(name.translate(_MARKS)):
        return f"the name {shown(name)} {holding(unseen)}."
    return None if name.strip() else "the name is empty."


def _called(value: object) -> str:
    """Description of a value that is no text, as its file spells it."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, int | float):
        return f'the number {value}. Where that is the name, write it as a text, "{value}"'
    return repr(str(value)[:60])


def _check(found: NameList, wrong: Wrong) -> None:
    """DataError for all wrong entries: those of ``wrong``, and those that are found here."""
    entries = [
        Entry(each.wnid or str(each.name), _where(found.path, each.place), each.place)
        for each in found.entries
    ]
    right = [at for at in range(len(entries)) if at not in wrong]
    for at in right:
        entry, first = found.entries[at], found.entries[right[0]]
        if (fault := _fault_beside(entry, first) or _fault(entry)) is not None:
            wrong[at] = fault
    wnids = [None if at in wrong else entry.wnid for at, entry in enumerate(found.entries)]
    if wrong := {**repeated(entries, wnids), **wrong}:
        raise refusal(entries, wrong)


def _where(path: Path, place: str) -> str:
    """A place of a file, for the beginning of a message."""
    line = place.removeprefix("line ")
    return f"{path}:{line}" if line != place else f"{path}: {place}"


def _fault_beside(entry: Listed, first: Listed) -> str | None:
    """All entries have wnids or none has, and so with names."""
    for own, others, kind in (
        (entry.wnid, first.wnid, "wnid"),
        (entry.name, first.name, "name"),
    ):
        if (own is None) != (others is None):
            return f"there is {'no' if own is None else 'a'} {kind}, unlike in {first.place}."
    return None


def _fault(entry: Listed) -> str | None:
    if entry.wnid is not None and not WNID.match(entry.wnid):
        return f"{entry.wnid!r} is not a wnid (n and 8 digits)."
    return None if entry.name is None else _fault_of(entry.name)


# JSON


def _of_json(
    path: Path, document: Any, key: str | None, size: int | None, wrong: Wrong
) -> NameList:
    if isinstance(document, list):
        return _of_entries(path, enumerate(document, 1), wrong)
    if not isinstance(document, dict) or not document:
        raise DataError(f"{path}: expected a list of names, or an object that holds some.")
    if key is not None:
        if key not in document:
            raise DataError(f"{path} has no key {key!r}. It has {_some(document)}.", argument="key")
        return _of_json(path, document[key], None, size, wrong)
    if all(map(WNID.match, document)):
        return NameList(path, [Listed(wnid, wnid, _first(name)) for wnid, name in document.items()])
    numbered = [
        (number, value) for key, value in document.items() if (number := unsigned(key)) is not None
    ]
    if len(numbered) == len(document):
        return _numbered(path, numbered, wrong)
    if isinstance(document.get("names"), dict):  # what graphzsl writes
        found, named = _of_json(path, document["names"], None, size, wrong), document.get("set")
        return replace(found, class_set=named if isinstance(named, str) else None)
    if isinstance(document.get("classnames"), list):
        return _of_json(path, document["classnames"], None, size, wrong)
    inner = {name: value for name, value in document.items() if isinstance(value, list | dict)}
    if len(document) == 1 and inner:
        return _of_json(path, next(iter(inner.values())), None, size, wrong)
    fitting = [name for name, value in inner.items() if len(value) == size]
    if len(fitting) == 1:
        return _of_json(path, inner[fitting[0]], None, size, wrong)
    if inner and len(inner) == len(document) and not _are_lists_of_names(inner):
        # name -> descriptions: a name stands for one class, and its place for none
        return NameList(path, [Listed(repr(name), None, name) for name in document], ordered=False)
    if any(map(WNID.match, document)):  # and none of its values is a list
        return NameList(path, [Listed(wnid, wnid, name) for wnid, name in document.items()])
    if not inner:
        raise DataError(
            f"{path}: the keys {_some(document)} are neither wnids (n and 8 digits) nor class"
            " numbers, and hold no lists. Expected a list of names, or wnid: name."
        )
    raise DataError(
        f"{path} holds several lists, {_some(inner)}; which of them is meant?", argument="key"
    )


def _are_lists_of_names(lists: dict[str, Any]) -> bool:
    """True if these are lists of names rather than of descriptions, which are whole sentences."""
    texts = [text for value in lists.values() for text in value if isinstance(text, str)]
    return sum(text.rstrip().endswith(".") for text in texts) * 2 < len(texts)


def _of_entries(path: Path, items: Iterable[tuple[int, Any]], wrong: Wrong) -> NameList:
    """The entries of a list, with their numbers."""
    entries: list[Listed] = []
    for number, item in items:
        entry = _entry(f"entry {number}", item)
        if isinstance(entry, str):
            wrong[len(entries)] = entry
            entry = Listed(f"entry {number}", None, None)
        entries.append(entry)
    return NameList(path, entries)


def _entry(place: str, item: Any) -> Listed | str:
    """An entry of a list of JSON, or what is wrong with it."""
    if isinstance(item, dict):
        wnid, name = item.get("wnid"), item.get("name")
    elif isinstance(item, list | tuple) and len(item) == 2:
        wnid, name = item
    else:
        wnid, name = None, item
    if isinstance(item, int | float | None):
        return _fault_of(item) or ""
    if not isinstance(name, str) or not isinstance(wnid, str | None):
        return (
            f"{str(item)[:60]!r} is no entry; expected a name, a wnid and a name, or an object with"
            ' "wnid" and "name".'
        )
    if wnid is None and WNID.match(name):
        return Listed(place, name, None)
    return Listed(place, wnid, name)


def _numbered(path: Path, named: list[tuple[int, Any]], wrong: Wrong) -> NameList:
    """Class numbers with a name, or [wnid, name] (Keras)."""
    numbers = sorted(number for number, _ in named)
    first = numbers[0]
    if numbers != list(range(first, first + len(numbers))) or first > 1:
        lacking = next(
            at for at in range(len(numbers) + 2) if at not in numbers and at >= min(first, 1)
        )
        raise DataError(
            f"{path}: the class numbers {shown(first)} to {shown(numbers[-1])} lack {lacking}."
        )
    of_number = dict(named)
    return _of_entries(path, ((number - first + 1, of_number[number]) for number in numbers), wrong)


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _some(keys: Iterable[str]) -> str:
    known = list(keys)
    return ", ".join(map(shown, known[:8])) + (" …" if len(known) > 8 else "")


# Python


def _of_python(path: Path, key: str | None, size: int | None) -> NameList:
    """Lists that a module assigns; the module is parsed, never run."""
    try:
        tree = ast.parse(read_text(path))
    except (SyntaxError, ValueError, RecursionError) as error:
        raise DataError(f"{path}: not a Python file: {error}.") from None
    lists: dict[str, list[tuple[int, str]]] = {}
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign) and isinstance(
            node.value, ast.List | ast.Tuple
        ):
            texts = [
                (item.lineno, item.value)
                for item in node.value.elts
                if isinstance(item, ast.Constant) and isinstance(item.value, str)
            ]
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if len(texts) == len(node.value.elts) > 1:
                lists |= {each.id: texts for each in targets if isinstance(each, ast.Name)}
    if key is not None and key not in lists:
        raise DataError(
            f"{path} assigns no list of texts to {key!r}. It has {_some(lists) or 'none'}.",
            argument="key",
        )
    fitting = [name for name, texts in lists.items() if len(texts) == size]
    chosen = key or next(iter(fitting if len(fitting) == 1 else lists), None)
    if chosen is None:
        raise DataError(f"{path} assigns no list of texts to a name.")
    if key is None and len(lists) > 1 and len(fitting) != 1:
        raise DataError(
            f"{path} holds several lists, {_some(lists)}; which of them is meant?", argument="key"
        )
    return NameList(path, [Listed(f"line {line}", None, text) for line, text in lists[chosen]])


# text and tables


def _of_text(path: Path, wrong: Wrong) -> NameList:
    lines = read_text(path).split("\n")
    if lines and not lines[-1].strip():
        lines.pop()
    numbered = [(at, line.rstrip("\r")) for at, line in enumerate(lines, 1)]
    if not numbered:
        return NameList(path, [])
    separator = next((mark for mark in "\t,;" if mark in numbered[0][1]), ",")
    head = [cell.strip().lower() for cell in numbered[0][1].split(separator)]
    wnids = next((head.index(each) for each in _WNIDS if each in head), None)
    names = next((head.index(each) for each in _NAMES if each in head), None)
    if names is not None and (wnids is not None or path.suffix.lower() in (".csv", ".tsv")):
        return _of_table(path, numbered[1:], separator, wnids, names, len(head), wrong)
    wrong |= {
        place: "the line is empty; tools would read it as a name."
        for place, (_, line) in enumerate(numbered)
        if not line.strip()
    }
    return NameList(path, [_of_line(at, line) for at, line in numbered])


def _of_line(at: int, line: str) -> Listed:
    text = line.strip()
    if not WNID.match(text[:9]):
        return Listed(f"line {at}", None, text)
    rest = text[9:]
    if rest and rest[0] not in "\t ,;":
        return Listed(f"line {at}", None, text)
    return Listed(f"line {at}", text[:9], rest.lstrip("\t ,;").strip('"') or None)


def _of_table(
    path: Path,
    lines: Sequence[tuple[int, str]],
    separator: str,
    wnids: int | None,
    names: int,
    width: int,
    wrong: Wrong,
) -> NameList:
    entries: list[Listed] = []
    for at, line in lines:
        cells: list[str] = []
        try:
            cells = next(csv.reader([line], delimiter=separator, strict=True), [])
        except csv.Error as error:
            wrong[len(entries)] = f"{error}."
        if len(cells) != width:
            wrong.setdefault(len(entries), f"expected {width} columns, got {len(cells)}.")
            entries.append(Listed(f"line {at}", None, None))
            continue
        wnid = cells[wnids].strip() if wnids is not None else None
        entries.append(Listed(f"line {at}", wnid, cells[names]))
    return NameList(path, entries)

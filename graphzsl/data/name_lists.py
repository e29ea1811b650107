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

from graphzsl.errors import DataError
from graphzsl.files import installed_file, parsed_json
from graphzsl.sources.tables import WNID, UniqueKeys
from graphzsl.text_files import read_text

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
        """Whether the list says itself which class each name is for."""
        return self.entries[0].wnid is not None


def read_name_list(path: str | Path, key: str | None = None, size: int | None = None) -> NameList:
    """Read a list of class names in any of the formats above.

    Args:
        path: the file, or ``PACKAGE:PATH``.
        key: which list of a file that holds several: a key of its JSON, or a name that a Python
            file assigns.
        size: how many names are expected; of several lists the only one of that size is taken.

    Raises:
        DataError: the file cannot be read, is none of the formats, holds several lists, repeats a
            wnid or key, or has a name that is empty or holds a control character; file and line,
            entry or key are named.
    """
    path = installed_file(str(path))
    suffix = path.suffix.lower()
    if suffix == ".json":
        found = _of_json(path, parsed_json(read_text(path), str(path)), key, size)
    elif suffix == ".py":
        found = _of_python(path, key, size)
    else:
        found = _of_text(path)
    if not found.entries:
        raise DataError(f"{path} is empty; expected one name per class.")
    _check_alike(path, found.entries)
    once = UniqueKeys(path)
    for at, entry in enumerate(found.entries, 1):
        _check(path, entry)
        if entry.wnid is not None:
            # the message wants numbers of lines; places of other files count from 1, too
            number = entry.place.rpartition(" ")[2]
            once.add(entry.wnid, int(number) if number.isdecimal() else at)
    return found


def checked_name(name: object, where: str) -> str:
    """A name without the spaces around it; DataError for what no line of a list can hold."""
    if not isinstance(name, str):
        raise DataError(f"{where}: expected a name, not {str(name)[:60]!r}.")
    wrong = next((sign for sign in name if unicodedata.category(sign) in ("Cc", "Zl", "Zp")), None)
    if wrong is not None:
        raise DataError(
            f"{where}: the name {name!r} holds the control character U+{ord(wrong):04X}, which"
            " would break the line that it stands in."
        )
    if not name.strip():
        raise DataError(f"{where}: the name is empty.")
    return name.strip()


def _check_alike(path: Path, entries: Sequence[Listed]) -> None:
    """All entries have wnids or none has, and so with names."""
    for kind, said in (("wnid", "a wnid"), ("name", "a name")):
        have = [getattr(entry, kind) is not None for entry in entries]
        if any(have) and not all(have):
            at = have.index(not have[0])
            raise DataError(
                f"{path}: {entries[at].place} has {'' if have[at] else 'not '}{said}, unlike"
                " those before it."
            )


def _check(path: Path, entry: Listed) -> None:
    where = f"{path}: {entry.place}"
    if entry.wnid is not None and not WNID.match(entry.wnid):
        raise DataError(f"{where}: {entry.wnid!r} is not a wnid (n and 8 digits).")
    if entry.name is not None:
        checked_name(entry.name, where)


# JSON


def _of_json(path: Path, document: Any, key: str | None, size: int | None) -> NameList:
    if isinstance(document, list):
        return NameList(path, [_entry(path, at, item) for at, item in enumerate(document, 1)])
    if not isinstance(document, dict) or not document:
        raise DataError(f"{path}: expected a list of names, or an object that holds some.")
    if key is not None:
        if key not in document:
            raise DataError(f"{path} has no key {key!r}. It has {_some(document)}.", argument="key")
        return _of_json(path, document[key], None, size)
    if all(map(WNID.match, document)):
        return NameList(path, [Listed(wnid, wnid, _first(name)) for wnid, name in document.items()])
    if all(each.isdecimal() for each in document):
        return _numbered(path, document)
    if isinstance(document.get("names"), dict):  # what graphzsl writes
        found, named = _of_json(path, document["names"], None, size), document.get("set")
        return replace(found, class_set=named if isinstance(named, str) else None)
    if isinstance(document.get("classnames"), list):
        return _of_json(path, document["classnames"], None, size)
    inner = {name: value for name, value in document.items() if isinstance(value, list | dict)}
    if len(document) == 1 and inner:
        return _of_json(path, next(iter(inner.values())), None, size)
    fitting = [name for name, value in inner.items() if len(value) == size]
    if len(fitting) == 1:
        return _of_json(path, inner[fitting[0]], None, size)
    if inner and len(inner) == len(document) and not _are_lists_of_names(inner):
        # name -> descriptions: a name stands for one class, and its place for none
        return NameList(path, [Listed(repr(name), None, name) for name in document], ordered=False)
    raise DataError(
        f"{path} holds several lists, {_some(document)}; which of them is meant?", argument="key"
    )


def _are_lists_of_names(lists: dict[str, Any]) -> bool:
    """Whether these are lists of names rather than descriptions, which are whole sentences."""
    texts = [text for value in lists.values() for text in value if isinstance(text, str)]
    return sum(text.rstrip().endswith(".") for text in texts) * 2 < len(texts)


def _entry(path: Path, at: int, item: Any) -> Listed:
    place = f"entry {at}"
    if isinstance(item, dict):
        wnid, name = item.get("wnid"), item.get("name")
    elif isinstance(item, list | tuple) and len(item) == 2:
        wnid, name = item
    else:
        wnid, name = None, item
    if not isinstance(name, str) or not isinstance(wnid, str | None):
        raise DataError(
            f"{path}: {place} is {str(item)[:60]!r}; expected a name, a wnid and a name, or an"
            ' object with "wnid" and "name".'
        )
    if wnid is None and WNID.match(name):
        return Listed(place, name, None)
    return Listed(place, wnid, name)


def _numbered(path: Path, document: dict[str, Any]) -> NameList:
    """Class number -> name, or [wnid, name] (Keras)."""
    numbers = sorted(map(int, document))
    first = numbers[0]
    if numbers != list(range(first, first + len(numbers))) or first > 1:
        lacking = next(
            at for at in range(len(numbers) + 2) if at not in numbers and at >= min(first, 1)
        )
        raise DataError(f"{path}: the class numbers {first} to {numbers[-1]} lack {lacking}.")
    of_number = {int(key): value for key, value in document.items()}
    return NameList(
        path, [_entry(path, number - first + 1, of_number[number]) for number in numbers]
    )


def _first(value: Any) -> Any:
    return value[0] if isinstance(value, list) and value else value


def _some(keys: Iterable[str]) -> str:
    known = list(keys)
    return ", ".join(map(repr, known[:8])) + (" …" if len(known) > 8 else "")


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
        raise DataError(f"{path} holds several lists, {_some(lists)}; which?", argument="key")
    return NameList(path, [Listed(f"line {line}", None, text) for line, text in lists[chosen]])


# text and tables


def _of_text(path: Path) -> NameList:
    lines = read_text(path).split("\n")
    if lines and not lines[-1].strip():
        lines.pop()
    numbered = [(at, line.rstrip("\r")) for at, line in enumerate(lines, 1)]
    if not numbered:
        return NameList(path, [])
    separator = "\t" if "\t" in numbered[0][1] else ","
    head = [cell.strip().lower() for cell in numbered[0][1].split(separator)]
    wnids = next((head.index(each) for each in _WNIDS if each in head), None)
    names = next((head.index(each) for each in _NAMES if each in head), None)
    if names is not None and (wnids is not None or path.suffix.lower() in (".csv", ".tsv")):
        return _of_table(path, numbered[1:], separator, wnids, names, len(head))
    return NameList(path, [_of_line(path, at, line) for at, line in numbered])


def _of_line(path: Path, at: int, line: str) -> Listed:
    text = line.strip()
    if not text:
        raise DataError(f"{path}:{at}: the line is empty; tools would read it as a name.")
    if not WNID.match(text[:9]):
        return Listed(f"line {at}", None, text)
    rest = text[9:]
    if rest and rest[0] not in "\t ,":
        return Listed(f"line {at}", None, text)
    return Listed(f"line {at}", text[:9], rest.lstrip("\t ,").strip('"') or None)


def _of_table(
    path: Path,
    lines: Sequence[tuple[int, str]],
    separator: str,
    wnids: int | None,
    names: int,
    width: int,
) -> NameList:
    entries = []
    for at, line in lines:
        try:
            cells = next(csv.reader([line], delimiter=separator, strict=True), [])
        except csv.Error as error:
            raise DataError(f"{path}:{at}: {error}.") from None
        if len(cells) != width:
            raise DataError(f"{path}:{at}: expected {width} columns, got {len(cells)}.")
        wnid = cells[wnids].strip() if wnids is not None else None
        entries.append(Listed(f"line {at}", wnid, cells[names]))
    return NameList(path, entries)

"""Lists of classes in documents: JSON, YAML, literals of Python, label maps of TensorFlow."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphzsl.common.checked_names import shown
from graphzsl.common.errors import DataError
from graphzsl.common.reading.bounds import check_depth
from graphzsl.common.reading.number_texts import unsigned
from graphzsl.sources.listed_classes import (
    NO_SYNSET,
    SAVE,
    SYNSET,
    ClassFile,
    Listed,
    as_wnid,
    called,
    some,
)

#: Keys of an object under which other programs keep their list of classes.
_KEYS = ("names", "classnames", "id2label", "class_names", "classes", "categories", "class_to_idx")


def yaml_document(text: str, path: Path) -> Any:
    """The document of a text of YAML: plain values, without aliases, each key once; DataError for
    another."""
    import yaml

    try:
        tokens = yaml.scan(text, yaml.SafeLoader)  # type: ignore[no-untyped-call]
        if any(isinstance(token, yaml.AliasToken) for token in tokens):
            raise DataError(f"{path}: an alias of YAML (*name) is not read. {SAVE}.")
        _check_keys_of_yaml(yaml.compose(text, yaml.SafeLoader), path)
        document = yaml.safe_load(text)
    except yaml.YAMLError as error:
        said = " ".join(str(error).split())
        raise DataError(f"{path}: not valid YAML: {said}.") from None
    except RecursionError:
        raise DataError(f"{path}: lists too deep in each other.") from None
    check_depth(document, str(path))
    return document


def _check_keys_of_yaml(node: Any, path: Path) -> None:
    """DataError for a key that a mapping has twice, of which readers of YAML keep the last."""
    pairs = node.value if isinstance(getattr(node, "value", None), list) else []
    keys = [pair[0].value for pair in pairs if isinstance(pair, tuple)]
    _check_once(keys, path)
    for pair in pairs:
        _check_keys_of_yaml(pair[1] if isinstance(pair, tuple) else pair, path)


def _check_once(keys: list[Any], path: Path) -> None:
    if twice := next((key for key, count in Counter(map(str, keys)).items() if count > 1), None):
        raise DataError(
            f"{path}: the key {shown(twice)} is there twice, and readers keep one of the two."
            " Remove one."
        )


def literal(text: str, path: Path) -> Any:
    """The value of one literal of Python; DataError for a dictionary that has a key twice."""
    tree = ast.parse(text.strip(), mode="eval")
    for node in ast.walk(tree):
        if isinstance(node, ast.Dict):
            _check_once([each.value for each in node.keys if isinstance(each, ast.Constant)], path)
    return _value(tree.body)


def _value(node: ast.expr) -> Any:
    """The value of a literal, in which ``OrderedDict([…])`` and ``dict([…])`` may stand."""
    if isinstance(node, ast.Call) and len(node.args) == 1 and not node.keywords:
        called = node.func.attr if isinstance(node.func, ast.Attribute) else None
        called = node.func.id if isinstance(node.func, ast.Name) else called
        if called in ("OrderedDict", "dict", "list", "tuple"):
            found = _value(node.args[0])
            return dict(found) if called in ("OrderedDict", "dict") else list(found)
    found = ast.literal_eval(node)
    return list(found) if isinstance(found, tuple) else found


class Documents:
    """Reader of the lists in a document: JSON, YAML, or literals of Python."""

    def __init__(self, path: Path, key: str | None, size: int | None):
        self.path, self.key, self.size = path, key, size

    def read(self, document: Any) -> ClassFile:
        """The list of a document."""
        if isinstance(document, dict) and isinstance(document.get("cells"), list):
            raise DataError(
                f"{self.path} is a Jupyter notebook. Save the list that a cell of it assigns in a"
                " file of its own: as .py, as .json, or one class per line."
            )
        if self.key is None:
            return self._list(document)
        if not isinstance(document, dict) or self.key not in document:
            has = f" It has {some(document)}." if isinstance(document, dict) else ""
            raise DataError(f"{self.path} has no key {self.key!r}.{has}", argument="key")
        return self._list(document[self.key])

    def python(self, text: str) -> ClassFile:
        """The list that a module assigns to a name; the module is parsed, never run."""
        try:
            tree = ast.parse(text)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            raise DataError(f"{self.path}: not a Python file: {error}.") from None
        lists: dict[str, ast.expr] = {}
        for node in tree.body:
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if self._is_list(node.value):
                    lists |= {each.id: node.value for each in targets if isinstance(each, ast.Name)}
            elif isinstance(node, ast.Expr) and self._is_list(node.value):
                lists[""] = node.value
        if self.key is not None and self.key not in lists:
            raise DataError(
                f"{self.path} assigns no list of texts to {self.key!r}. It has"
                f" {some(lists) or 'none'}.",
                argument="key",
            )
        if not lists:
            raise DataError(f"{self.path} assigns no list of texts to a name.")
        chosen = self.key or self._only(lists, lambda each: len(_parts(each)))
        literal = lists[chosen]
        parts = _parts(literal)
        if all(isinstance(each, ast.Constant) and isinstance(each.value, str) for each in parts):
            places = [f"line {each.lineno}" for each in parts]
            if not isinstance(literal, ast.Dict):
                return _texts(self.path, places, [each.value for each in parts])  # type: ignore[attr-defined]
        return self._list(_value(literal))

    @staticmethod
    def _is_list(node: ast.expr) -> bool:
        try:
            found = _value(node)
        except (SyntaxError, ValueError, TypeError, RecursionError, MemoryError):
            return False
        if isinstance(found, list):
            return len(found) > 1 and all(isinstance(each, str | list | tuple) for each in found)
        return isinstance(found, dict) and len(found) > 1

    def _only(self, lists: Mapping[str, Any], length: Callable[[Any], int]) -> str:
        """The only list, or the only one of the expected size; DataError names several."""
        fitting = [name for name, value in lists.items() if length(value) == self.size]
        if len(lists) == 1 or len(fitting) == 1:
            return next(iter(fitting if len(fitting) == 1 else lists))
        raise DataError(
            f"{self.path} holds several lists, {some(lists)}; which of them is meant? Save it in a"
            " file of its own where no key can be given.",
            argument="key",
        )

    def _list(self, document: Any) -> ClassFile:
        path = self.path
        if isinstance(document, list):
            return _of_entries(path, enumerate(document, 1))
        if not isinstance(document, dict) or not document:
            raise DataError(
                f'{path}: expected a list of names or wnids, such as ["n02084071", "cat.n.01"], or'
                " an object that holds one."
            )
        _check_once(list(document), path)
        document = {str(key): value for key, value in document.items()}
        wnids = [as_wnid(key) for key in document]
        if None not in wnids:
            return self._of_wnids(document, [str(wnid) for wnid in wnids])
        numbers = [unsigned(key) for key in document]
        if None not in numbers:
            rows = zip(numbers, document.values(), strict=True)
            return _of_numbers(path, {at: value for at, value in rows if at is not None})
        of_names = [
            value if value == NO_SYNSET else as_wnid(value)
            for value in document.values()
            if isinstance(value, str)
        ]
        if len(of_names) == len(document) and None not in of_names:
            pairs = zip(document, of_names, strict=True)
            return ClassFile(path, [Listed(repr(name), wnid, name) for name, wnid in pairs])
        if are_positions(document.values()):
            ordered = sorted(document, key=document.__getitem__)
            return _of_entries(path, enumerate(ordered, 1))
        inner = {name: value for name, value in document.items() if isinstance(value, list | dict)}
        of_wnids = [
            name
            for name, value in inner.items()
            if isinstance(value, dict) and value and all(map(as_wnid, map(str, value)))
        ]
        known = next((key for key in (*of_wnids[:1], *_KEYS) if key in inner), None)
        if known is not None:  # what other programs and graphzsl write
            found, named = self._list(inner[known]), document.get("set")
            return replace(found, class_set=named if isinstance(named, str) else None)
        if len(document) == 1 and inner:
            return self._list(next(iter(inner.values())))
        if len(inner) == len(document) and not _are_lists_of_names(inner):
            # name -> descriptions: a name stands for one class, and its place for none
            return ClassFile(path, [Listed(repr(each), None, each) for each in document], False)
        if any(wnids):  # and none of its values is a list
            listed = [Listed(key, as_wnid(key) or key, value) for key, value in document.items()]
            return ClassFile(path, listed)
        if not inner:
            raise DataError(
                f"{path}: the keys {some(document)} are neither wnids (n and 8 digits) nor class"
                " numbers, and hold no lists. Expected a list of classes, or wnid: name."
            )
        return self._list(inner[self._only(inner, len)])

    def _of_wnids(self, document: dict[str, Any], wnids: list[str]) -> ClassFile:
        """wnid -> name, -> names, or -> number, as loaders of image folders and counts have it."""
        values = list(document.values())
        rows = list(zip(document, wnids, values, strict=True))
        if all(isinstance(each, int | float) for each in values):
            if are_positions(values):
                rows.sort(key=lambda row: row[2])
            return ClassFile(self.path, [Listed(key, wnid, None) for key, wnid, _ in rows])
        return ClassFile(
            self.path,
            [
                Listed(key, wnid, value[0] if isinstance(value, list) and value else value)
                for key, wnid, value in rows
            ],
        )


def _parts(node: ast.expr) -> list[ast.expr]:
    """The elements of a literal's outermost list, or the keys of its dictionary."""
    if isinstance(node, ast.Call):
        return _parts(node.args[0])
    if isinstance(node, ast.List | ast.Tuple | ast.Set):
        return node.elts
    return [each for each in getattr(node, "keys", []) if each is not None]


def are_positions(values: Iterable[Any]) -> bool:
    """True if these are the numbers from 0, or from 1, each once."""
    found = list(values)
    if not all(isinstance(each, int) and not isinstance(each, bool) for each in found):
        return False
    return sorted(found) in (list(range(len(found))), list(range(1, len(found) + 1)))


def by_number(entries: list[Listed], numbers: Sequence[Any]) -> list[Listed]:
    """Entries in the order of their numbers, where these are the positions of all."""
    if not are_positions(numbers):
        return entries
    return [entry for _, entry in sorted(zip(numbers, entries, strict=True), key=lambda x: x[0])]


def _are_lists_of_names(lists: Mapping[str, Any]) -> bool:
    """True if these are lists of names rather than of descriptions, which are whole sentences."""
    texts = [text for value in lists.values() for text in value if isinstance(text, str)]
    return sum(text.rstrip().endswith(".") for text in texts) * 2 < len(texts)


def _of_entries(path: Path, items: Iterable[tuple[int, Any]]) -> ClassFile:
    """The entries of a list, with their numbers."""
    entries, wrong, numbers = list[Listed](), dict[int, str](), list[Any]()
    for number, item in items:
        place = f"entry {number}"
        entry = _entry(place, item)
        if isinstance(entry, str):
            wrong[len(entries)] = entry
            entry = Listed(place, None, None)
        entries.append(entry)
        numbers.append(_number(item))
    return ClassFile(path, entries if wrong else by_number(entries, numbers), wrong=wrong)


def _number(item: Any) -> Any:
    """The class number of an object."""
    known = (item[key] for key in ("index", "id") if isinstance(item, dict) and key in item)
    return next(known, None)


def _entry(place: str, item: Any) -> Listed | str:
    """An entry of a list, or what is wrong with it."""
    if isinstance(item, dict):
        wnid = next((item[key] for key in ("wnid", "synset") if key in item), None)
        name = next((item[key] for key in ("name", "label") if key in item), None)
        if isinstance(wnid, str) and SYNSET.match(wnid):
            return Listed(place, None, wnid)
    elif isinstance(item, list | tuple) and len(item) == 2:
        wnid, name = item
    else:
        wnid, name = None, item
    if isinstance(item, int | float | None):
        return f"expected a name, not {called(item)}."
    if not isinstance(name, str | None) or not isinstance(wnid, str | None) or wnid == name:
        return (
            f"{str(item)[:60]!r} is no entry; expected a name, a wnid and a name, or an object with"
            ' "wnid" and "name".'
        )
    if wnid is None and name is not None and (own := as_wnid(name)):
        return Listed(place, own, None)
    return Listed(place, wnid and (as_wnid(wnid) or wnid), name)


def _of_numbers(path: Path, of_number: Mapping[int, Any]) -> ClassFile:
    """Class numbers with a name, or [wnid, name] (Keras)."""
    numbers = sorted(of_number)
    first = numbers[0]
    if numbers != list(range(first, first + len(numbers))) or first > 1:
        lacking = next(
            at for at in range(len(numbers) + 2) if at not in of_number and at >= min(first, 1)
        )
        raise DataError(
            f"{path}: the class numbers {shown(first)} to {shown(numbers[-1])} lack {lacking}."
        )
    return _of_entries(path, ((number - first + 1, of_number[number]) for number in numbers))


def _texts(path: Path, places: Iterable[str], texts: Iterable[str]) -> ClassFile:
    pairs = zip(places, texts, strict=True)
    return ClassFile(
        path,
        [
            Listed(place, as_wnid(text.strip()), None if as_wnid(text.strip()) else text)
            for place, text in pairs
        ],
    )


def label_map(text: str, path: Path) -> ClassFile:
    """The classes of a label map in protobuf's text form."""
    entries = []
    text = re.sub(r"(?m)#.*$", "", text)
    for block in re.finditer(r"(?:entry|item)\s*\{([^{}]*)\}", text):
        fields = dict(re.findall(r'(\w+)\s*:\s*("(?:[^"\\]|\\.)*"|\'[^\']*\'|[^\s,;]+)', block[1]))
        label = fields.get("target_class_string") or fields.get("name")
        display = fields.get("display_name")
        line = text.count("\n", 0, block.start()) + 1
        if label is None and display is None:
            raise DataError(f"{path}:{line}: an entry of a label map without name.")
        label, display = (each and each.strip("\"'") for each in (label, display))
        wnid = as_wnid(label or "")
        entries.append(Listed(f"line {line}", wnid, display or (None if wnid else label)))
    if not entries:
        raise DataError(f"{path}: a label map of TensorFlow without an entry. {SAVE}.")
    return ClassFile(path, entries)

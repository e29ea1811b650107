"""Everything that is wrong in a configuration file, each at its line, as one error.

A reader of such a file collects ``Problem``s in place of raising the first, and ``refusal`` says
all of them in the order of the lines.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from graphzsl.common.errors import GraphZSLError, SettingsError
from graphzsl.common.wording import counted

#: Problems of one file that an error lists.
MOST = 20
#: What says where a statement ends: texts, comments, brackets and ends of lines.
_TOKEN = re.compile(
    r'''"""(?:[^"\\]|\\.|"(?!""))*+"{0,5}'''
    r"""|'{3}(?:[^']|'(?!''))*+'{0,5}"""
    r"""|"(?:[^"\\\n]|\\.)*+"?"""
    r"""|'[^'\n]*+'?|#[^\n]*+|[\[\]{}\n]""",
    re.DOTALL,
)
_BRACKETS = ("[", "]", "{", "}")

#: The keys that lead to a place, and places (from 0) in lists of tables.
Path = tuple[str | int, ...]


class Problem(NamedTuple):
    """Problem of a file: the keys that lead to its place (none: the file as a whole), the entry of
    a list if there is one, and a sentence without its full stop."""

    path: Path
    message: str
    entry: str = ""


def refusal(
    problems: Iterable[Problem],
    text: str,
    place: Callable[[int], str],
    said: Iterable[tuple[int, str]] = (),
    kind: type[GraphZSLError] = SettingsError,
) -> GraphZSLError:
    """The error that names all problems of a file, a line for each.

    Args:
        problems: what is wrong.
        text: the file's.
        place: names one of its lines, from 1, for the beginning of a message.
        said: (line, message) of what names its place itself.
        kind: the class of the error.
    """
    found = list(dict.fromkeys(problems))
    lines = _lines_of_keys(text, {each.path for each in found})
    # entries are looked for where they are shown alone: each is searched for in the text
    in_order = sorted(found, key=lambda each: lines[each.path])
    placed = set()
    for each in in_order[:MOST]:
        line = lines[each.path]
        placed.add((line_of_entry(text, each.entry, line) if each.entry else line, each.message))
    behind = {(lines[each.path], each.message, each.entry) for each in in_order[MOST:]}
    named = [(line, f"{place(line)}: {_sentence(message)}") for line, message in sorted(placed)]
    lines_said = [message for _, message in sorted([*named, *said], key=lambda each: each[0])]
    more = len(lines_said[MOST:]) + len(behind)
    last = [f"{counted(more, 'more problem')}."] if more else []
    return kind("\n".join([*lines_said[:MOST], *last]))


def line_of_key(text: str, *path: str | int) -> int:
    """The line, from 1, on which the value of a key begins; 1 where there is no such key.

    Args:
        text: a TOML document.
        path: a key, the keys of the tables around it before it, and places (from 0) in lists of
            tables.

    >>> line_of_key('name = "mine"\\n\\n[card]\\n# who\\n"creator" = "me"\\n', "card", "creator")
    5
    """
    return _lines_of_keys(text, {path})[path]


def line_of_entry(text: str, entry: str, first: int = 1) -> int:
    """The line of an entry of a list that begins at the line ``first``: the next one that holds
    it outside a comment, and else the first."""
    for number, line in enumerate(text.split("\n")[first - 1 :], first):
        spelled = {entry, json.dumps(entry, ensure_ascii=False)[1:-1]}
        if not _is_blank(line) and any(each in line for each in spelled):
            return number
    return first


def has_key(given: Mapping[str, Any], *path: str | int) -> bool:
    """True if a document has a key, by the keys and places that lead to it."""
    inside: Any = given
    for key in path:
        if isinstance(key, int):
            if not isinstance(inside, list) or len(inside) <= key:
                return False
        elif not isinstance(inside, dict) or key not in inside:
            return False
        inside = inside[key]
    return True


def _lines_of_keys(text: str, paths: Collection[Path]) -> dict[Path, int]:
    """``line_of_key`` of several keys, for which the text is read once, statement by statement."""
    found: dict[Path, int] = dict.fromkeys(paths, 1)
    left = {path for path in paths if path}
    table: Path = ()
    lengths: dict[Path, int] = {}
    for line, statement in _statements(text):
        if not left:
            break
        try:
            given = tomllib.loads(statement)
        except tomllib.TOMLDecodeError:
            continue
        there = list(_paths(given))
        if statement.lstrip().startswith("["):
            table = _table(there, statement.lstrip().startswith("[["), lengths)
            there = [table[:depth] for depth in range(1, len(table) + 1)]
        else:
            there = [table + path for path in there]
        here = left.intersection(there)
        found |= dict.fromkeys(here, line)
        left -= here
    return found


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """(line, text) of every statement of a valid document: it ends with the first line that ends
    outside of its texts and brackets."""
    line, first, start, depth = 1, 1, 0, 0
    for token in _TOKEN.finditer(text):
        mark = token[0]
        line += mark.count("\n")
        if mark in _BRACKETS:
            depth += 1 if mark in "[{" else -1
        elif mark == "\n" and depth <= 0:
            if not _is_blank(statement := text[start : token.end()]):
                yield first, statement
            first, start, depth = line, token.end(), 0
    if not _is_blank(text[start:]):
        yield first, text[start:]


def _table(paths: Sequence[Path], is_entry: bool, lengths: dict[Path, int]) -> Path:
    """The path of the table that a header begins; of lists of tables it is in the last entry.

    Args:
        paths: those of the header alone.
        is_entry: whether it adds an entry to a list of tables.
        lengths: of the lists of tables before it, to which it is added.
    """
    keys = [key for key in max(paths, key=len) if isinstance(key, str)]
    path: Path = ()
    for place, key in enumerate(keys, 1):
        path = (*path, key)
        if is_entry and place == len(keys):
            lengths[path] = lengths.get(path, 0) + 1
        if path in lengths:
            path = (*path, lengths[path] - 1)
    return path


def _paths(given: Any) -> Iterator[Path]:
    """The keys and places that lead to every value of a document."""
    waiting: list[tuple[Path, Any]] = [((), given)]
    while waiting:
        path, value = waiting.pop()
        if path:
            yield path
        if isinstance(value, dict):
            waiting += [((*path, key), each) for key, each in value.items()]
        elif isinstance(value, list):
            waiting += [((*path, place), each) for place, each in enumerate(value)]


def _sentence(message: str) -> str:
    """With its full stop; a question and a list have none."""
    return message if message.endswith(("?", ".")) or "\n" in message else f"{message}."


def _is_blank(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")

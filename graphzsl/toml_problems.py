"""Everything that is wrong in a configuration file, each at its line, as one error.

A reader of such a file collects ``Problem``s in place of raising the first, and ``refusal`` says
all of them in the order of the lines.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, NamedTuple

from graphzsl.errors import GraphZSLError, SettingsError
from graphzsl.wording import counted

#: Problems of one file that an error lists.
MOST = 20
#: Lines of a file in which places are looked for: it is read again up to each of them.
LONGEST = 2000


#: The keys that lead to a place, and places (from 0) in lists of tables.
Path = tuple[str | int, ...]


class Problem(NamedTuple):
    """What is wrong with a file: the keys that lead to its place (none: it is about the file as a
    whole), the entry of a list where it is one, and a sentence without its full stop."""

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
    found = list(problems)
    lines = _lines_of_keys(text, {each.path for each in found})
    placed = {
        (line_of_entry(text, each.entry, line) if each.entry else line, each.message)
        for each in found
        for line in (lines[each.path],)
    }
    named = [(line, f"{place(line)}: {_sentence(message)}") for line, message in sorted(placed)]
    lines_said = [message for _, message in sorted([*named, *said], key=lambda each: each[0])]
    more = [f"{counted(len(lines_said) - MOST, 'more problem')}."] if lines_said[MOST:] else []
    return kind("\n".join([*lines_said[:MOST], *more]))


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
    for number in range(first, len(text.splitlines()) + 1):
        if times_in_line(text, entry, number):
            return number
    return first


def times_in_line(text: str, entry: str, line: int) -> int:
    """How often a line, from 1, holds an entry of a list; 0 for a comment and behind the end."""
    lines = text.splitlines()
    if line > len(lines) or _is_blank(lines[line - 1]):
        return 0
    spelled = {entry, json.dumps(entry, ensure_ascii=False)[1:-1]}
    return max(lines[line - 1].count(each) for each in spelled)


def has_key(given: Mapping[str, Any], *path: str | int) -> bool:
    """Whether a document has a key, by the keys and places that lead to it."""
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
    """``line_of_key`` of several keys, for which the text is read once."""
    found: dict[Path, int] = dict.fromkeys(paths, 1)
    left = {path for path in paths if path}
    lines, first = text.splitlines(), 0
    if len(lines) > LONGEST:
        return found
    # a statement ends with the first line up to which the document is whole
    for end in range(1, len(lines) + 1):
        if not left:
            break
        try:
            given = tomllib.loads("\n".join(lines[:end]))
        except tomllib.TOMLDecodeError:
            continue
        if there := {path for path in left if has_key(given, *path)}:
            own = (at for at in range(first, end) if not _is_blank(lines[at]))
            found |= dict.fromkeys(there, next(own, first) + 1)
            left -= there
        first = end
    return found


def _sentence(message: str) -> str:
    """With its full stop; a question and a list have none."""
    return message if message.endswith(("?", ".")) or "\n" in message else f"{message}."


def _is_blank(line: str) -> bool:
    return not line.strip() or line.lstrip().startswith("#")
